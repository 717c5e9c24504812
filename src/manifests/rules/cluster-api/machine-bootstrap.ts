import { CORE_WEBHOOKS, lacksSpec, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { machineYaml } from './example-manifests';
import { machineSpecPath } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, isFields, isFilled, isSet, objectsAt } from '../../values/fields';
import { ManifestRule } from '../manifest-rule';

/** Where machines get what they start with. */
export const MACHINE_BOOTSTRAP: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-BOOTSTRAP',
  title: 'A machine must have bootstrap.configRef or bootstrap.dataSecretName.',
  source: `${CORE_WEBHOOKS}/{machine,machinedeployment,machineset,machinepool}.go`,
  kinds: [MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  example: { failing: machineYaml({ bootstrap: '{}' }), corrected: machineYaml({ bootstrap: 'dataSecretName: acme-general-0' }) },
  check: (object) => {
    // A spec or a bootstrap that is not there is reported as such.
    const bootstrap = lacksSpec(object) ? {} : fieldAt(object, ...machineSpecPath(object), 'bootstrap');
    if (!isFields(bootstrap)) return [];
    // An empty name of a Secret counts: the machine then waits for no bootstrap data.
    const isSetUp = isFilled(bootstrap, 'configRef') || isSet(bootstrap, 'dataSecretName');
    return isSetUp || (groupKind(object) === MACHINE && isOfMachinePool(object)) ? [] : [{
      path: [...machineSpecPath(object), 'bootstrap'],
      message: 'it names neither configRef nor dataSecretName',
      accepted: 'configRef with apiGroup, kind and name, or dataSecretName',
      fix: groupKind(object) === MACHINE
        ? 'name the bootstrap configuration of the machine, such as a KubeadmConfig'
        : 'name the bootstrap template of the machines, such as a KubeadmConfigTemplate',
    }];
  },
};

/** Machines of a MachinePool are set up as the pool says (`util/labels` `IsMachinePoolOwned`). */
function isOfMachinePool(object: ManifestObject): boolean {
  return isSet(object, 'metadata', 'labels', 'cluster.x-k8s.io/pool-name')
    || objectsAt(object, 'metadata', 'ownerReferences').some(([owner]) => owner.kind === 'MachinePool');
}
