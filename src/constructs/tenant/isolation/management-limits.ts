import { Chart, SizeRoundingBehavior } from 'cdk8s';
import { Construct } from 'constructs';
import { checkManagementCapabilities } from './capability-checks';
import { checkMachineSizes, clusterLoads, usableLimits } from './cluster-loads';
import { LOAD_BALANCERS, NODE_PORTS, Quota } from './quota';
import { TenantIsolation } from './tenant-isolation';
import { Need, needOf } from '../../../manifests/rules/pod-loads';
import { Problem, Rule } from '../../../manifests/values/problem';
import { amountText, parseQuantity, totalText } from '../../../manifests/values/quantity';
import { ConstructSlot } from '../../app/app-state';
import { Problems } from '../../app/problems/problems';
import { registerConsumer } from '../../contracts/capabilities/consumers';
import { checkDataStoreTenants } from '../../contracts/capabilities/data-store-limits';
import { IManagementCluster, ManagementCapabilities } from '../../contracts/capabilities/management-cluster';
import { ClusterContext } from '../../contracts/cluster-context';

/** Management clusters that check their capabilities themselves. */
const CHECKED = new ConstructSlot<true>('CheckedStatement');

/**
 * Checks the capabilities of a management cluster that the app makes, also if it has no tenants.
 *
 * @param cluster the cluster, which the app makes
 * @param stated the capabilities that the user states, without those that follow from installed components
 */
export function checkOwnStatement(cluster: IManagementCluster & Construct, stated: ManagementCapabilities): void {
  CHECKED.set(cluster, true);
  Problems.of(cluster)._addCheck(() => checkManagementCapabilities('capabilities', stated));
}

/**
 * Registers a tenant cluster at its management cluster, and checks that there is room for it.
 *
 * Problems of the capabilities, or of all tenants together, are reported once: for the management cluster if the app makes it, else
 * for the first tenant.
 */
export function admitTenant(tenant: LimitedTenant, cluster: IManagementCluster): void {
  const { capabilities } = cluster;
  const { tenantLimit = {}, totalLimit = {} } = capabilities;
  Problems.of(tenant.chart)._addCheck(() => [
    ...checkTenantLimit(tenant, tenantLimit),
    ...checkMachineSizes(tenant.chart, tenant.context, {
      'managementCluster.capabilities.tenantLimit': tenantLimit, 'managementCluster.capabilities.totalLimit': totalLimit,
    }),
  ]);
  const tenants = registerConsumer(tenant.chart, cluster, tenant);
  if (tenants.length > 1) return;
  const made = Construct.isConstruct(cluster) && cluster.node.root === tenant.chart.node.root;
  const property = made ? 'capabilities' : 'managementCluster.capabilities';
  Problems.of(made ? cluster : tenant.chart)._addCheck(() => [
    ...(made && CHECKED.get(cluster) ? [] : checkManagementCapabilities(property, capabilities)),
    ...checkTotalLimit(`${property}.totalLimit`, totalLimit, tenants),
    ...checkDataStoreTenants(property, capabilities, tenants),
    ...checkOneHostLess(property, capabilities, tenants),
    ...checkShared(property, totalLimit, tenants),
  ]);
}

const MOST_TERMS = 12;

/** A tenant cluster that a management cluster has to have room for. */
interface LimitedTenant {
  /** The chart with its objects. */
  readonly chart: Chart;
  readonly context: ClusterContext;
  readonly isolation?: TenantIsolation;
}

const TENANT_LIMIT_RULE: Rule = {
  id: 'TC-ISOLATION-TENANT-LIMIT',
  title: 'The largest need and the quota of a tenant cluster must be within the limit of the management cluster for one tenant.',
  source: 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go',
};

/** Checks that a tenant needs, and is granted, no more than the management cluster gives one tenant. */
function checkTenantLimit(tenant: LimitedTenant, limit: Quota): Problem[] {
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
        rule: TENANT_LIMIT_RULE,
        property: `managementCluster.capabilities.tenantLimit["${resource}"]`,
        message: `one tenant may have ${text}, and the cluster may need ${totalText(resource, amount)} of ${resource}: ${terms.join('; ')}`,
        accepted: `up to ${text}`,
        fix: 'lower sizes of pools or maxSurge, or have the limit raised',
      }]),
      ...namesOf(resource).filter((name) => tenant.isolation?._isUnlimited(name)).map((name) => ({
        rule: TENANT_LIMIT_RULE,
        property: `isolation.quota["${name}"]`,
        message: `the quota is unlimited, and the management cluster gives one tenant ${text} of ${resource}`,
        accepted: `up to ${text}`,
        fix: 'remove the entry, or have the limit raised',
      })),
      ...granted.map((name) => ({
        rule: TENANT_LIMIT_RULE,
        property: `isolation.quota["${name}"]`,
        message: `the quota is ${quota[name]}, and the management cluster gives one tenant ${text} of ${resource}`,
        accepted: `up to ${text}`,
        fix: 'lower the quota, or have the limit raised',
      })),
    ];
  });
}

const TOTAL_LIMIT_RULE: Rule = {
  id: 'TC-ISOLATION-TOTAL-LIMIT',
  title: 'The largest need of all tenant clusters of an app must be within the limit of the management cluster.',
  source: 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go',
};

/** Checks that all tenants together need no more than the management cluster has for them. */
function checkTotalLimit(property: string, limit: Quota, tenants: readonly LimitedTenant[]): Problem[] {
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
      rule: TOTAL_LIMIT_RULE,
      property: `${property}["${resource}"]`,
      message: `there is ${text} for all tenants, and they may need ${totalText(resource, total)} of ${resource}: ${terms.join('; ')}`
        + (rest > 0 ? `; and ${rest} smaller ones` : ''),
      accepted: `up to ${text}`,
      fix: 'lower sizes of pools, or give the management cluster more and say so',
    }];
  });
}

const ONE_HOST_LESS_RULE: Rule = {
  id: 'TC-ISOLATION-ONE-HOST-LESS',
  title: 'The largest need of all tenant clusters of an app should fit on the hosts of the management cluster while one of them is drained or lost.',
  source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/noderesources/fit.go',
  warning: true,
};

/** Checks that the memory of all tenants fits on all hosts but one. */
function checkOneHostLess(property: string, capabilities: ManagementCapabilities, tenants: readonly LimitedTenant[]): Problem[] {
  const room = memoryWithoutOneHost(capabilities);
  if (room === undefined) return [];
  const { totalLimit = {}, hosts } = capabilities;
  const fix = 'add a host, or lower the limit and the sizes of pools; what does not fit waits until the host is back';
  const stated = ['requests.memory', 'memory'].filter((name) => (parseQuantity(totalLimit[name] ?? '') ?? 0n) > parseQuantity(room)!);
  if (stated.length > 0) {
    return stated.map((name) => ({
      rule: ONE_HOST_LESS_RULE,
      property: `${property}.totalLimit["${name}"]`,
      message: `${totalLimit[name]} for all tenants, and ${hosts!.total - 1} of ${hosts!.total} hosts have ${room}`,
      accepted: `up to ${room}`,
      fix,
    }));
  }
  return checkTotalLimit(`${property}.hostMemory`, { 'requests.memory': room }, tenants)
    .map((problem) => ({ ...problem, rule: ONE_HOST_LESS_RULE, property: `${property}.hostMemory`, fix }));
}

/** Memory that is left for pods while one host is away, as a quantity; undefined if it is not known. */
function memoryWithoutOneHost({ hosts, hostMemory }: ManagementCapabilities): string | undefined {
  if (!hosts || !hostMemory || hosts._faults().length > 0) return undefined;
  const mebibytes = hostMemory.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) * (hosts.total - 1);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}

const SHARED_RULE: Rule = {
  id: 'TC-ISOLATION-SHARED-PORTS',
  title: 'The quotas of all tenant clusters should grant no more node ports and load balancers than the management cluster has: one tenant could take those of others.',
  source: 'kubernetes/kubernetes pkg/controlplane/apiserver/options/options.go (DefaultServiceNodePortRange), pkg/quota/v1/evaluator/core/services.go',
  warning: true,
};

/** Ports of `--service-node-port-range` unless an API server is told otherwise: 30000 to 32767. */
const DEFAULT_NODE_PORTS = '2768';

/** Checks what quotas grant of what all tenants share. How many addresses there are for load balancers is only known if it is stated. */
function checkShared(property: string, limit: Quota, tenants: readonly LimitedTenant[]): Problem[] {
  return [NODE_PORTS, LOAD_BALANCERS].flatMap((resource): Problem[] => {
    const stated = limit[resource];
    const room = parseQuantity(stated ?? (resource === NODE_PORTS ? DEFAULT_NODE_PORTS : ''));
    const granted = tenants.map(({ context, isolation }) => parseQuantity(isolation?._podLimits(context).quota[resource] ?? '') ?? 0n);
    const total = granted.reduce((sum, amount) => sum + amount, 0n);
    return room === undefined || total <= room ? [] : [{
      rule: SHARED_RULE,
      property: `${property}.totalLimit["${resource}"]`,
      message: `the quotas of ${tenants.length} tenants grant ${totalText(resource, total)} of ${resource} together, and the management cluster has `
        + `${stated ?? `${totalText(resource, room)} by default`}`,
      accepted: `up to ${totalText(resource, room)}`,
      fix: `lower the quotas of tenants, or ${resource === NODE_PORTS ? 'widen --service-node-port-range of the management cluster' : 'give the load balancer more addresses'}`
        + ' and state the number in totalLimit',
    }];
  });
}

/** The largest need of a tenant cluster in its management cluster, by resource. */
export function needsOf({ chart, context, isolation }: LimitedTenant): (resource: string) => Need {
  const limits = isolation?._podLimits(context) ?? { quota: {}, kubevirtSizing: context.infraCluster?.kubevirtSizing ?? {} };
  const loads = clusterLoads(chart, context, limits);
  const range = usableLimits(limits);
  return (resource) => needOf(resource, loads, range);
}

/** Names of a resource in a quota: two if it counts requests. */
function namesOf(resource: string): string[] {
  const plain = resource.replace(/^requests\./, '');
  return ['cpu', 'memory', 'ephemeral-storage'].includes(plain) ? [plain, `requests.${plain}`] : [resource];
}
