import {
  CLUSTER, CORE_WEBHOOKS, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { machineSpecPath } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { FieldPath, stringAt } from '../../values/fields';
import { parseSemanticVersion } from '../../values/semantic-version';
import { ManifestRule } from '../manifest-rule';

/** The Kubernetes version of machines, of a control plane, of a topology. */
export const MACHINE_VERSION: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-VERSION',
  title: 'A Kubernetes version must be a full semantic version.',
  source: `${CORE_WEBHOOKS}/{cluster,machine,machinedeployment,machineset,machinepool}.go, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go`,
  kinds: [CLUSTER, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  example: { failing: poolYaml({ machine: 'version: v1.35' }), corrected: poolYaml({ machine: 'version: v1.35.4' }) },
  check: (object) => {
    const path = versionPath(object);
    const version = stringAt(object, ...path);
    return version === undefined || parseSemanticVersion(version) ? [] : [{
      path,
      message: `${JSON.stringify(version)} is not a full version`,
      accepted: 'major, minor and patch without leading zeros, such as "v1.35.4"',
      fix: 'write the version of a release, with its patch',
    }];
  },
};

/** Path of the Kubernetes version of an object's machines. */
export function versionPath(object: ManifestObject): FieldPath {
  switch (groupKind(object)) {
    case CLUSTER: return ['spec', 'topology', 'version'];
    case KUBEADM_CONTROL_PLANE: return ['spec', 'version'];
    default: return [...machineSpecPath(object), 'version'];
  }
}
