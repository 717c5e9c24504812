import { Quota } from './quota-checks';
import { ISOLATION_RULES } from './rules';
import { publisherOf } from './service-policy';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem } from '../../../manifests/values/problem';
import { checkQuantity } from '../../../manifests/values/quantity';
import { checkQuotaResource, QUOTA_RESOURCES } from '../../../manifests/values/quota-resources';
import { ClusterContext } from '../../contracts/cluster-context';

const CPU = /(^|\.)cpu$/;

/** In place of an amount: no default for the entry. */
export const UNLIMITED = 'unlimited';
const LOAD_BALANCERS = 'services.loadbalancers';
const NODE_PORTS = 'services.nodeports';

/** Ten of the tenant, and one of its control plane. */
const DEFAULT_LOAD_BALANCERS = 11;
const PORTS_PER_LOAD_BALANCER = 4;

/**
 * The quota with defaults for what Services of the tenant take of the management cluster, where they are published there: 11 load balancers,
 * and 4 node ports for each load balancer, but at least those of one Service with as many ports as allowed and of a control plane.
 *
 * @param quota what the user asks for
 * @param maximumPorts the most ports of one Service
 */
export function quotaWithDefaults(quota: Quota, { infrastructure, management }: ClusterContext, maximumPorts: number): Quota {
  const isOpen = ([resource, amount]: readonly string[]): boolean => amount === UNLIMITED && [LOAD_BALANCERS, NODE_PORTS].includes(resource);
  const given = Object.fromEntries(Object.entries(quota).filter((entry) => !isOpen(entry)));
  if (publisherOf(infrastructure) === undefined) return given;
  const defaultOf = (resource: string, amount: number): Quota => (
    quota[resource] === undefined ? { [resource]: management?.tenantLimit?.[resource] ?? `${amount}` } : {}
  );
  const loadBalancers = { ...defaultOf(LOAD_BALANCERS, DEFAULT_LOAD_BALANCERS), ...given }[LOAD_BALANCERS];
  const count = /^\d{1,6}$/.test(loadBalancers ?? '') ? Number(loadBalancers) : DEFAULT_LOAD_BALANCERS;
  const nodePorts = Math.max(count, 1 + Math.ceil(maximumPorts / PORTS_PER_LOAD_BALANCER)) * PORTS_PER_LOAD_BALANCER;
  return { ...given, ...defaultOf(LOAD_BALANCERS, DEFAULT_LOAD_BALANCERS), ...defaultOf(NODE_PORTS, nodePorts) };
}

/** Checks the entries of a quota, which is in that property, one by one. */
export function checkQuotaEntries(quota: { readonly [resource: string]: string }, property = 'isolation.quota'): Problem[] {
  return Object.entries(quota).flatMap(([resource, amount]) => {
    const at = { rule: ISOLATION_RULES.quotaEntry, property: `${property}["${resource}"]` };
    const name = checkQuotaResource(resource) ?? (resource.includes('/') ? checkExtended(resource) : undefined);
    const quantity = checkQuantity(amount, { whole: !CPU.test(resource) });
    return [
      ...(name === undefined ? [] : [{ ...at, message: name, fix: nameFix(resource) }]),
      ...(quantity === undefined ? [] : [{ ...at, message: quantity, fix: 'correct the quantity' }]),
    ];
  });
}

function nameFix(resource: string): string {
  const near = resource.includes('/') ? undefined : nearestName(resource, QUOTA_RESOURCES);
  return near === undefined ? 'correct the entry' : `write "${near}" if you mean that`;
}

/** Devices are counted by what is requested of them; under their plain name nothing ever counts. */
function checkExtended(resource: string): string | undefined {
  const [domain] = resource.split('/');
  return resource.startsWith('requests.') || domain === 'count' || domain.endsWith('.k8s.io') ? undefined
    : `a quota of "${resource}" counts nothing; accepted is "requests.${resource}"`;
}
