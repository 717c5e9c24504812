import { checkEviction, evictionFields } from './eviction';
import { KubeletOptions } from './kubelet';
import { checkReservations, reservationsOf } from './reservations';
import { POOL_RULES } from './rules';
import { MachineCapacity } from '../infrastructure/machine';
import { checkKubeletConfiguration } from '../kubernetes/kubelet-configuration';
import { jsonFault } from '../naming/content-hash';
import { Problem } from '../validation/problem';

/** The kubelet's own default for `maxPods` (kubelet.config.k8s.io/v1beta1). */
export const DEFAULT_MAX_PODS = 110;

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

/** The fields of `KubeletConfiguration` in which a pool's kubelets differ from the cluster's. */
export function kubeletConfigurationOf(options: KubeletOptions, capacity: MachineCapacity | undefined): { [field: string]: any } {
  return {
    ...Object.fromEntries(Object.entries(options.configuration ?? {}).filter(([, value]) => jsonFault(value) === undefined)),
    ...reservationsOf(options, capacity),
    ...evictionFields(options),
    ...(isPodCount(options.maxPods) && { maxPods: options.maxPods }),
  };
}

/** Checks what a pool asks of its kubelets. */
export function checkKubelet(options: KubeletOptions, capacity: MachineCapacity | undefined, minor: string): Problem[] {
  const own = Object.entries(options.configuration ?? {}).flatMap(([field, value]) => checkField(field, value));
  const eviction = checkEviction(options);
  return [
    ...checkMaxPods(options.maxPods),
    ...eviction,
    // What is left for pods can be told only from thresholds that make sense.
    ...checkReservations(options, eviction.length === 0 ? capacity : undefined),
    ...own,
    ...(own.length > 0 ? [] : checkKubeletConfiguration(minor, options.configuration ?? {}).map(({ path, message, fix }) => ({
      rule: POOL_RULES.kubeletField, property: `kubelet.configuration.${path}`, message, fix,
    }))),
  ];
}

function checkMaxPods(maxPods: number | undefined): Problem[] {
  if (maxPods === undefined || isPodCount(maxPods)) return [];
  return [{
    rule: POOL_RULES.maxPods,
    property: 'kubelet.maxPods',
    message: `${maxPods} is not a number of pods`,
    accepted: `whole numbers from 1 to ${LARGEST_MAX_PODS}`,
    fix: `write a whole number, or leave it out for ${DEFAULT_MAX_PODS}`,
  }];
}

function isPodCount(maxPods: number | undefined): boolean {
  return Number.isInteger(maxPods) && maxPods! > 0 && maxPods! <= LARGEST_MAX_PODS;
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
  return fault === undefined ? [] : [{ ...at, message: fault, accepted: 'values of JSON', fix: 'write a text, a number, a truth value, a list or an object of them' }];
}
