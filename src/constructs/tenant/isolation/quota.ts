import { publisherOf } from './service-isolation';
import { checkQuotaResource, QUOTA_RESOURCES } from '../../../manifests/kubernetes/namespaces';
import { ContainerLimits, MUST_BE_SET, needOf, PodLoad, silentContainers } from '../../../manifests/rules/pod-loads';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { checkQuantity, parseQuantity, totalText } from '../../../manifests/values/quantity';
import { ClusterContext } from '../../contracts/cluster-context';

const CPU = /(^|\.)cpu$/;

/** Stands for an amount: no default for the entry. */
export const UNLIMITED = 'unlimited';
export const LOAD_BALANCERS = 'services.loadbalancers';
export const NODE_PORTS = 'services.nodeports';

/** Ten of the tenant, and one of its control plane. */
const DEFAULT_LOAD_BALANCERS = 11;
const PORTS_PER_LOAD_BALANCER = 4;

/**
 * The quota with defaults for what Services of the tenant take of the management cluster, where they are published there: 11 load balancers,
 * and 4 node ports for each load balancer, but at least those of one Service with as many ports as allowed and of a control plane.
 *
 * @param quota the user's quota
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

const QUOTA_ENTRY_RULE: Rule = {
  id: 'TC-ISOLATION-QUOTA-ENTRY',
  title: 'Keys of a quota must be resources that a ResourceQuota counts, and values must be quantities.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateResourceQuotaSpec)',
};

/** Checks the entries of a quota, which is in that property, one by one. */
export function checkQuotaEntries(quota: { readonly [resource: string]: string }, property = 'isolation.quota'): Problem[] {
  return Object.entries(quota).flatMap(([resource, amount]) => {
    const at = { rule: QUOTA_ENTRY_RULE, property: `${property}["${resource}"]` };
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

/** A map of quota entries. */
export type Quota = { readonly [resource: string]: string };

const QUOTA_RULE: Rule = {
  id: 'TC-ISOLATION-QUOTA',
  title: 'A quota must have room for all pools at their largest during a rollout, and for a rollout of the control plane.',
  source: 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go, kubevirt/kubevirt pkg/virt-controller/services/renderresources.go',
};

/** Checks that a quota has room for everything that the cluster may grow to. */
export function checkQuotaRoom(quota: Quota, loads: readonly PodLoad[], range: ContainerLimits): Problem[] {
  return Object.entries(quota).flatMap(([resource, text]): Problem[] => {
    const room = parseQuantity(text);
    const { amount: needed, terms } = needOf(resource, loads, range);
    if (room === undefined || needed <= room) return [];
    return [{
      rule: QUOTA_RULE,
      property: `isolation.quota["${resource}"]`,
      message: `the quota is ${text}, and the cluster may need ${totalText(resource, needed)} of ${resource}: ${terms.join('; ')}`,
      accepted: `at least ${totalText(resource, needed)}`,
      fix: 'raise the quota, or lower sizes of pools or maxSurge; leave some room for hot-plugged volumes and live migration',
    }];
  });
}

const QUOTA_UNSET_RULE: Rule = {
  id: 'TC-ISOLATION-QUOTA-UNSET',
  title: 'With a quota of CPU or memory, every container must have that request or limit, or get it from the limit range.',
  source: 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go (Constraints)',
};

/** Checks that every container says what the quota counts. */
export function checkQuotaUnset(quota: Quota, loads: readonly PodLoad[], range: ContainerLimits): Problem[] {
  return Object.keys(quota).flatMap((entry): Problem[] => {
    const silent = silentContainers(entry, loads, range);
    const [side, resource] = MUST_BE_SET[entry] ?? [];
    return silent.length === 0 ? [] : [{
      rule: QUOTA_UNSET_RULE,
      property: `isolation.quota["${entry}"]`,
      message: `with this entry a pod is refused unless all its containers have a ${side === 'limits' ? 'limit' : 'request'} of ${resource}, and these have none: ${silent.join('; ')}`,
      fix: `give them one, or a default in isolation.limitRange.${side === 'limits' ? 'containerDefaultLimits' : 'containerDefaultRequests'}, or leave the entry out`,
    }];
  });
}
