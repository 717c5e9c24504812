import {
  CLUSTER, CLUSTER_CLASS, isV1beta1, KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE,
  MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { healthCheckYaml } from './example-manifests';
import { shownValue } from '../../schema/value-words';
import { FieldPath, isFields } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseGoDuration } from '../../values/go-duration';
import { ManifestRule } from '../manifest-rule';

/** Fields of v1beta1 that Go reads into a duration, wherever they stand in a spec. */
const DURATIONS: ReadonlySet<string> = new Set([
  'minHealthyPeriod', 'nodeDeletionTimeout', 'nodeDrainTimeout', 'nodeStartupTimeout', 'nodeVolumeDetachTimeout', 'retryPeriod', 'timeout',
  'timeoutForControlPlane', 'ttl',
]);

/** Fields with values of users below them. */
const FREE: ReadonlySet<string> = new Set(['annotations', 'files', 'labels', 'patches', 'variables']);

const DURATION: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-DURATION',
  title: 'Durations in v1beta1 must be durations of Go, such as 5m0s: the conversion to v1beta2 fails otherwise.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta1, api/controlplane/kubeadm/v1beta1, api/bootstrap/kubeadm/v1beta1 (metav1.Duration), v1.14.2',
  kinds: [
    CLUSTER, CLUSTER_CLASS, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET, KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE,
    KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE,
  ],
  example: { failing: waiting('300'), corrected: waiting('300s') },
  check: (object) => (isV1beta1(object) ? faultsIn(object.spec, ['spec']) : []),
};

function faultsIn(value: unknown, path: FieldPath): Finding[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => faultsIn(entry, [...path, index]));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): Finding[] => {
    if (FREE.has(name)) return [];
    if (typeof inner !== 'string' || !DURATIONS.has(name) || parseGoDuration(inner) !== undefined) return faultsIn(inner, [...path, name]);
    return [{ path: [...path, name], message: `${shownValue(inner)} is not a duration`, accepted: 'numbers with h, m, s or ms, such as "5m0s"', fix: 'write a number and its unit' }];
  });
}

function waiting(timeout: string): string {
  return healthCheckYaml('').replace('v1beta2', 'v1beta1').replace(/\n+$/, `\n  unhealthyConditions:\n    - {type: Ready, status: Unknown, timeout: "${timeout}"}\n`);
}

/** Rules for durations of the older version. */
export const V1BETA1_DURATIONS: readonly ManifestRule[] = [DURATION];
