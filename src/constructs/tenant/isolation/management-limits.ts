import { Chart } from 'cdk8s';
import { clusterLoads, usableLimits } from './cluster-loads';
import { Need, needOf, Quota } from './quota-checks';
import { ISOLATION_RULES } from './rules';
import { TenantIsolation } from './tenant-isolation';
import { amountText, totalText } from '../../../manifests/values/amounts';
import { Problem } from '../../../manifests/values/problem';
import { parseQuantity } from '../../../manifests/values/quantity';
import { ClusterContext } from '../../contracts/cluster-context';

const MOST_TERMS = 12;

/** A tenant cluster that a management cluster has to have room for. */
export interface LimitedTenant {
  /** The chart with its objects. */
  readonly chart: Chart;
  readonly context: ClusterContext;
  readonly isolation?: TenantIsolation;
}

/** Checks that a tenant needs, and is granted, no more than the management cluster gives one tenant. */
export function checkTenantLimit(tenant: LimitedTenant, limit: Quota): Problem[] {
  if (Object.keys(limit).length === 0) return [];
  const needs = needsOf(tenant);
  const { quota = {} } = tenant.isolation?._podLimits(tenant.context) ?? {};
  return Object.entries(limit).flatMap(([resource, text]): Problem[] => {
    const room = parseQuantity(text);
    if (room === undefined) return [];
    const { amount, terms } = needs(resource);
    const granted = namesOf(resource).filter((name) => (parseQuantity(quota[name] ?? '') ?? 0n) > room);
    return [
      ...(amount <= room ? [] : [{
        rule: ISOLATION_RULES.tenantLimit,
        property: `managementCluster.capabilities.tenantLimit["${resource}"]`,
        message: `one tenant may have ${text}, and the cluster may need ${totalText(resource, amount)} of ${resource}: ${terms.join('; ')}`,
        accepted: `up to ${text}`,
        fix: 'lower sizes of pools or maxSurge, or have the limit raised',
      }]),
      ...namesOf(resource).filter((name) => tenant.isolation?._isUnlimited(name)).map((name) => ({
        rule: ISOLATION_RULES.tenantLimit,
        property: `isolation.quota["${name}"]`,
        message: `the quota is unlimited, and the management cluster gives one tenant ${text} of ${resource}`,
        accepted: `up to ${text}`,
        fix: 'remove the entry, or have the limit raised',
      })),
      ...granted.map((name) => ({
        rule: ISOLATION_RULES.tenantLimit,
        property: `isolation.quota["${name}"]`,
        message: `the quota is ${quota[name]}, and the management cluster gives one tenant ${text} of ${resource}`,
        accepted: `up to ${text}`,
        fix: 'lower the quota, or have the limit raised',
      })),
    ];
  });
}

/** Checks that all tenants together need no more than the management cluster has for them. */
export function checkTotalLimit(property: string, limit: Quota, tenants: readonly LimitedTenant[]): Problem[] {
  if (Object.keys(limit).length === 0) return [];
  const needs = tenants.map((tenant) => ({ tenant: tenant.chart.node.path, needs: needsOf(tenant) }));
  return Object.entries(limit).flatMap(([resource, text]): Problem[] => {
    const room = parseQuantity(text);
    const parts = needs.map(({ tenant, needs: of }) => ({ tenant, amount: of(resource).amount })).filter(({ amount }) => amount > 0n);
    const total = parts.reduce((sum, { amount }) => sum + amount, 0n);
    if (room === undefined || total <= room) return [];
    const largest = [...parts].sort((one, other) => Number(other.amount > one.amount) - Number(other.amount < one.amount)).slice(0, MOST_TERMS);
    const terms = largest.map(({ tenant, amount }) => `${tenant} ${amountText(resource, amount)}`);
    const rest = parts.length - largest.length;
    return [{
      rule: ISOLATION_RULES.totalLimit,
      property: `${property}["${resource}"]`,
      message: `there is ${text} for all tenants, and they may need ${totalText(resource, total)} of ${resource}: ${terms.join('; ')}`
        + (rest > 0 ? `; and ${rest} smaller ones` : ''),
      accepted: `up to ${text}`,
      fix: 'lower sizes of pools, or give the management cluster more and say so',
    }];
  });
}

function needsOf({ chart, context, isolation }: LimitedTenant): (resource: string) => Need {
  const limits = isolation?._podLimits(context) ?? { quota: {}, kubevirtSizing: context.infraCluster?.kubevirtSizing ?? {} };
  const loads = clusterLoads(chart, context, limits);
  const range = usableLimits(limits);
  return (resource) => needOf(resource, loads, range);
}

/** A quota of a resource goes by two names where requests of it are counted. */
function namesOf(resource: string): string[] {
  const plain = resource.replace(/^requests\./, '');
  return ['cpu', 'memory', 'ephemeral-storage'].includes(plain) ? [plain, `requests.${plain}`] : [resource];
}
