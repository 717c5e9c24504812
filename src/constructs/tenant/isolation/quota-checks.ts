import { ContainerLimits } from './limit-range';
import { PodLoad, podUsage, withDefaults } from './pod-load';
import { ISOLATION_RULES } from './rules';
import { ContainerLoad } from '../../../manifests/objects/container-load';
import { amountText, totalText } from '../../../manifests/values/amounts';
import { Problem } from '../../../manifests/values/problem';
import { parseQuantity } from '../../../manifests/values/quantity';

/** A map of quota entries. */
export type Quota = { readonly [resource: string]: string };

// kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go (validationSet): who counts these refuses pods that do not say them.
const MUST_BE_SAID: { readonly [entry: string]: readonly ['requests' | 'limits', string] } = {
  'cpu': ['requests', 'cpu'],
  'memory': ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** What a cluster may need of a resource. */
export interface Need {
  readonly amount: bigint;
  /** How the amount comes about, one term for each kind of pods. */
  readonly terms: readonly string[];
}

/** What everything that the cluster may grow to needs of a resource. */
export function needOf(resource: string, loads: readonly PodLoad[], range: ContainerLimits): Need {
  const parts = loads.map((load) => {
    const each = podUsage(load, range)[resource] ?? 0n;
    return { load, each, all: each * BigInt(load.count) };
  }).filter(({ all }) => all > 0n);
  return {
    amount: parts.reduce((sum, { all }) => sum + all, 0n),
    terms: parts.map(({ load, each, all }) => `${load.reckoning} ${load.what} × ${amountText(resource, each)} = ${amountText(resource, all)}`),
  };
}

/** Checks that a quota has room for everything that the cluster may grow to. */
export function checkQuotaRoom(quota: Quota, loads: readonly PodLoad[], range: ContainerLimits): Problem[] {
  return Object.entries(quota).flatMap(([resource, text]): Problem[] => {
    const room = parseQuantity(text);
    const { amount: needed, terms } = needOf(resource, loads, range);
    if (room === undefined || needed <= room) return [];
    return [{
      rule: ISOLATION_RULES.quota,
      property: `isolation.quota["${resource}"]`,
      message: `the quota is ${text}, and the cluster may need ${totalText(resource, needed)} of ${resource}: ${terms.join('; ')}`,
      accepted: `at least ${totalText(resource, needed)}`,
      fix: 'raise the quota, or lower sizes of pools or maxSurge; leave some room for importers of disk images, hot-plugged volumes and live migration',
    }];
  });
}

/** Checks that every container says what the quota counts. */
export function checkQuotaSaid(quota: Quota, loads: readonly PodLoad[], range: ContainerLimits): Problem[] {
  return Object.keys(quota).flatMap((entry): Problem[] => {
    if (!Object.hasOwn(MUST_BE_SAID, entry)) return [];
    const [side, resource] = MUST_BE_SAID[entry];
    const silent = loads.filter(({ count }) => count > 0).flatMap((load) => {
      const says = (container: ContainerLoad) => withDefaults(container, range)[side][resource] !== undefined;
      const names = [...load.containers, ...load.initContainers].filter((container) => !says(container)).map(({ name }) => name);
      return names.length > 0 ? [`${names.join(', ')} in ${load.what}`] : [];
    });
    return silent.length === 0 ? [] : [{
      rule: ISOLATION_RULES.quotaUnset,
      property: `isolation.quota["${entry}"]`,
      message: `with this entry a pod is refused unless all its containers have a ${side === 'limits' ? 'limit' : 'request'} of ${resource}, and these have none: ${silent.join('; ')}`,
      fix: `give them one, or a default in isolation.limitRange.${side === 'limits' ? 'containerDefaultLimits' : 'containerDefaultRequests'}, or leave the entry out`,
    }];
  });
}
