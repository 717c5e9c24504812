import { checkEviction, evictionFields } from './eviction';
import { KubeletOptions } from './kubelet';
import { checkReservations, reservationsOf } from './reservations';
import { POOL_RULES } from './rules';
import { jsonFault } from '../../../manifests/values/content-hash';
import { checkKubeletConfiguration } from '../../../manifests/values/kubelet-configuration';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { MachineCapacity } from '../machine-capacity';

/** The kubelet's own default for `maxPods` (kubelet.config.k8s.io/v1beta1). */
export const DEFAULT_MAX_PODS = 110;

/** The default of `maxPods`: that of the kubelet, unless a node has fewer addresses for pods. */
export function defaultMaxPods(podsPerNode: number | undefined): number {
  return Math.min(DEFAULT_MAX_PODS, podsPerNode ?? DEFAULT_MAX_PODS);
}

const LARGEST_MAX_PODS = 2 ** 31 - 1;

const OWN_PROPERTIES: { readonly [field: string]: string } = {
  evictionHard: 'kubelet.evictionHard',
  evictionSoft: 'kubelet.evictionSoft',
  evictionSoftGracePeriod: 'kubelet.evictionSoft',
  kubeReserved: 'kubelet.kubeReserved',
  maxPods: 'kubelet.maxPods',
  registerWithTaints: 'taints',
  systemReserved: 'kubelet.systemReserved',
};

const OF_THE_CLUSTER = ['apiVersion', 'authentication', 'authorization', 'cgroupDriver', 'clusterDNS', 'clusterDomain', 'kind', 'providerID', 'staticPodPath'];

/**
 * The fields of `KubeletConfiguration` in which a pool's kubelets differ from the cluster's.
 *
 * @param options properties of the user
 * @param capacity size of the machines, if it is known
 * @param podsPerNode how many pods a node has addresses for, if that is limited
 */
export function kubeletConfigurationOf(
  options: KubeletOptions, capacity: MachineCapacity | undefined, podsPerNode?: number,
): { [field: string]: any } {
  const maxPods = isPodCount(options.maxPods) ? options.maxPods : defaultMaxPods(podsPerNode);
  return {
    ...Object.fromEntries(Object.entries(options.configuration ?? {}).filter(([, value]) => jsonFault(value) === undefined)),
    ...reservationsOf(options, capacity),
    ...evictionFields(options),
    ...((isPodCount(options.maxPods) || maxPods !== DEFAULT_MAX_PODS) && { maxPods }),
  };
}

/**
 * Checks what a pool asks of its kubelets.
 *
 * @param options properties of the user
 * @param capacity size of the machines, if it is known
 * @param minor Kubernetes minor of the kubelets
 * @param podsPerNode how many pods a node has addresses for, if that is limited
 */
export function checkKubelet(options: KubeletOptions, capacity: MachineCapacity | undefined, minor: string, podsPerNode?: number): Problem[] {
  const fields = Object.entries(options.configuration ?? {});
  const own = fields.flatMap(([field, value]) => checkField(field, value));
  const others = Object.fromEntries(fields.filter(([field, value]) => checkField(field, value).length === 0));
  const eviction = checkEviction(options);
  return [
    ...checkMaxPods(options.maxPods, podsPerNode),
    ...eviction,
    // What is left for pods follows from the thresholds, so these must be valid.
    ...checkReservations(options, eviction.length === 0 ? capacity : undefined),
    ...own,
    ...problemsOf(POOL_RULES.kubeletField, 'kubelet.configuration', checkKubeletConfiguration(minor, others)),
  ];
}

function checkMaxPods(maxPods: number | undefined, podsPerNode: number | undefined): Problem[] {
  if (maxPods === undefined) return [];
  const at = { rule: POOL_RULES.maxPods, property: 'kubelet.maxPods' };
  if (isPodCount(maxPods)) {
    return podsPerNode === undefined || maxPods <= podsPerNode ? [] : [{
      ...at,
      message: `a node may run ${maxPods} pods, and what it gets of the pod range has addresses for ${podsPerNode}`,
      accepted: `up to ${podsPerNode}`,
      fix: 'lower it, or give each node more addresses with nodeCidrMaskSizes of the cluster',
    }];
  }
  return [{
    ...at,
    message: `${maxPods} is not a number of pods`,
    accepted: `whole numbers from 1 to ${LARGEST_MAX_PODS}`,
    fix: `write a whole number, or leave it out for ${DEFAULT_MAX_PODS}`,
  }];
}

function isPodCount(maxPods: number | undefined): maxPods is number {
  return maxPods !== undefined && Number.isInteger(maxPods) && maxPods > 0 && maxPods <= LARGEST_MAX_PODS;
}

function checkField(field: string, value: unknown): Problem[] {
  const property = OWN_PROPERTIES[field];
  const at = { rule: POOL_RULES.kubeletField, property: `kubelet.configuration["${field}"]` };
  if (property) {
    return [{ ...at, message: `"${field}" has a property of its own`, fix: `set ${property} instead` }];
  }
  if (OF_THE_CLUSTER.includes(field)) {
    return [{ ...at, message: `"${field}" is the same for every node and comes from the control plane`, fix: 'leave it out' }];
  }
  const fault = jsonFault(value);
  return fault === undefined ? [] : [{ ...at, message: fault, accepted: 'values of JSON', fix: 'write a string, a number, a boolean, a list or an object of them' }];
}
