import { controlPlaneExample, namedControlPlane } from './examples';
import { KAMAJI_CONTROL_PLANE, placeOf, TENANT_CONTROL_PLANE, valueOf } from './kamaji-objects';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { KUBEADM_CONFIG_TEMPLATE } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { parseSemanticVersion } from '../../../values/semantic-version';

const PATCHES = 'configurationJSONPatches';

/** The first kubelets that take the fields by default; each field with the gate that lets older ones take it. */
const FIRST_MINOR_WITH_FIELDS = 35;
const FIELDS: readonly (readonly [pointer: string, gate: string])[] = [
  ['/crashLoopBackOff/maxContainerRestartPeriod', 'KubeletCrashLoopBackOffMax'],
  ['/imagePullCredentialsVerificationPolicy', 'KubeletEnsureSecretPulledImages'],
];

const cgroupDriver: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-CGROUP-DRIVER',
  title: 'kubelet settings must include the cgroup driver: only a KamajiControlPlane without any settings has a default, systemd; otherwise kubelets get an empty one.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji config/crd/bases/controlplane.cluster.x-k8s.io_kamajicontrolplanes.yaml (default of kubelet); '
    + 'clastix/kamaji internal/kubeadm/uploadconfig.go (getKubeletConfigmapContent), 26.8.2-edge',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  kubelet:\n    preferredAddressTypes: [InternalIP]\n',
    `  kubelet:
    preferredAddressTypes: [InternalIP]
    configurationJSONPatches:
      - {op: add, path: /cgroupDriver, value: systemd}
`,
  ),
  check: (object) => {
    const kubelet = valueOf(object, 'kubelet');
    if (kubelet === undefined || isSet(kubelet, 'cgroupfs') || isPatched(object, '/cgroupDriver')) return [];
    return [{
      path: placeOf(object, 'kubelet'),
      message: 'the cgroup driver of kubelets is not said',
      fix: `add {op: add, path: /cgroupDriver, value: systemd} to ${PATCHES}`,
    }];
  },
};

const olderKubelets: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-KUBELET-FIELDS',
  title: 'Below Kubernetes 1.35, two fields that Kamaji writes into kubelet configurations must be patched away: older kubelets do not start with them.',
  source: 'clastix/kamaji issue 1062',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: namedControlPlane('').replace('v1.35.4', 'v1.34.6'),
    corrected: namedControlPlane(`  kubelet:
    configurationJSONPatches:
      - {op: remove, path: /crashLoopBackOff/maxContainerRestartPeriod}
      - {op: remove, path: /imagePullCredentialsVerificationPolicy}
      - {op: add, path: /cgroupDriver, value: systemd}
`).replace('v1.35.4', 'v1.34.6'),
  },
  check: checkOlderKubelets,
};

/** Rules for the kubelets of the cluster. */
export const KUBELET: readonly ManifestRule[] = [cgroupDriver, olderKubelets];

function checkOlderKubelets(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const version = parseSemanticVersion(stringAt(object, ...placeOf(object, 'version')) ?? '');
  if (!version || version.major !== 1 || version.minor >= FIRST_MINOR_WITH_FIELDS) return [];
  const left = FIELDS.filter(([pointer, gate]) => !isPatched(object, pointer) && !isGated(object, index, gate));
  return left.length === 0 ? [] : [{
    path: placeOf(object, 'kubelet', PATCHES),
    message: `kubelets of Kubernetes 1.${version.minor} do not start with ${left.map(([pointer]) => pointer).join(' and ')}, which Kamaji writes into their configuration`,
    fix: `add ${left.map(([pointer]) => `{op: remove, path: ${pointer}}`).join(' and ')} to ${PATCHES}`,
  }];
}

/** True if a patch sets or removes a field, or what it is in. */
function isPatched(object: ManifestObject, pointer: string): boolean {
  return objectsAt(object, ...placeOf(object, 'kubelet', PATCHES)).some(([patch]) => {
    const path = stringAt(patch, 'path');
    return path !== undefined && stringAt(patch, 'op') !== 'test' && (path === pointer || pointer.startsWith(`${path}/`));
  });
}

/** True if some kubelets of the namespace are started with a feature gate: whose they are is not told by the patches. */
function isGated(object: ManifestObject, index: ManifestIndex, gate: string): boolean {
  const registration = ['spec', 'template', 'spec', 'joinConfiguration', 'nodeRegistration', 'kubeletExtraArgs'];
  return index.allIn(KUBEADM_CONFIG_TEMPLATE, namespaceOf(object)).some((template) => (
    JSON.stringify(fieldAt(template, ...registration) ?? null).includes(`${gate}=true`)));
}
