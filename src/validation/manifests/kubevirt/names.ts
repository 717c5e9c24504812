import { machineDeployment, machineTemplate, persistentMachine } from './examples';
import { KUBEVIRT_MACHINE_TEMPLATE, virtualMachine } from './kubevirt-objects';
import { fieldAt, ManifestObject, textAt } from '../../../images/manifest-object';
import { MAX_SIZE, MIN_SIZE } from '../cluster-api/pool-size';
import { isSet, mapsAt, nameOf, namespaceOf } from '../manifest-fields';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';
import { MACHINE_DEPLOYMENT, objectReference } from '../references/object-references';

const INFRASTRUCTURE = ['spec', 'template', 'spec', 'infrastructureRef'];
const MAX_LENGTH = 63;

/** What Cluster API adds to the name of a pool: `-` and five characters for the machine set, and once more for the machine. */
const MACHINE_SUFFIX_LENGTH = 12;

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/';

const length: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-NAME-LENGTH',
  title: 'The names of the DataVolumes of machines, which derive from the pool\'s and the disk\'s, are at most 63 characters long.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go, kubernetes-sigs/cluster-api internal/topology/names/names.go',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: {
    failing: machineTemplate() + machineDeployment(`acme-${'general-'.repeat(5)}pool`),
    corrected: machineTemplate() + machineDeployment('acme-general'),
  },
  check: (object, index) => {
    const name = nameOf(object);
    const template = templateOf(object, index);
    if (name === undefined || !template) return [];
    const machine = Math.min(name.length + MACHINE_SUFFIX_LENGTH, MAX_LENGTH);
    const disks = mapsAt(virtualMachine(template).fields, 'dataVolumeTemplates').map(([item]) => textAt(item, 'metadata', 'name') ?? '');
    return disks.filter((disk) => machine + 1 + disk.length > MAX_LENGTH).slice(0, 1).map((disk) => ({
      path: ['metadata', 'name'],
      message: `the DataVolumes "${disk}" of the pool's machines get names of ${machine + 1 + disk.length} characters`,
      accepted: `at most ${MAX_LENGTH}`,
      fix: 'shorten the name of the pool or of the DataVolume',
    }));
  },
};

const dots: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DOTTED-NAME',
  title: 'The names of machines on KubeVirt have no dots: the cloud controller manager does not find machines that have.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: { failing: machineDeployment('acme.general'), corrected: machineDeployment('acme-general') },
  check: (object) => {
    const name = nameOf(object);
    return name === undefined || !name.includes('.') || objectReference(fieldAt(object, ...INFRASTRUCTURE))?.kind !== KUBEVIRT_MACHINE_TEMPLATE ? [] : [{
      path: ['metadata', 'name'], message: `"${name}" has a dot, and so have the names of its machines`, fix: 'write "-" in its place',
    }];
  },
};

const scaleFromZero: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SCALE-FROM-ZERO',
  title: 'A pool that may shrink to nothing, of machines sized by an instance type, says what its nodes offer: nobody else can tell the autoscaler.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachinetemplate_controller.go',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: {
    failing: sizedByType() + machineDeployment('acme-general', bounds('')),
    corrected: sizedByType() + machineDeployment('acme-general', bounds(`    ${CAPACITY}cpu: "4"\n    ${CAPACITY}memory: 16Gi\n`)),
  },
  check: (object, index) => {
    const annotations = fieldAt(object, 'metadata', 'annotations');
    const template = templateOf(object, index);
    if (!template || textAt(annotations, MIN_SIZE) !== '0' || !isSet(virtualMachine(template).fields, 'instancetype')) return [];
    const missing = ['cpu', 'memory'].map((resource) => `${CAPACITY}${resource}`).filter((key) => !isSet(annotations, key));
    return missing.length === 0 ? [] : [{
      path: ['metadata', 'annotations'], message: 'the autoscaler cannot tell what a node of this pool would offer, and never adds the first one', fix: `add ${missing.join(' and ')}`,
    }];
  },
};

/** What follows from the names of pools, and from their bounds. */
export const NAMES: readonly ManifestRule[] = [length, dots, scaleFromZero];

/** The template of a pool, if it is validated together with it. */
function templateOf(object: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const reference = objectReference(fieldAt(object, ...INFRASTRUCTURE));
  return reference?.kind === KUBEVIRT_MACHINE_TEMPLATE ? index.find(reference.kind, namespaceOf(object), reference.name) : undefined;
}

function sizedByType(): string {
  return machineTemplate({ machine: `          instancetype: {name: u1.xlarge}\n${persistentMachine()}` })
    .replace('                cpu: {cores: 4}\n                memory: {guest: 16Gi}\n', '');
}

function bounds(capacity: string): string {
  return `  annotations:\n    ${MIN_SIZE}: "0"\n    ${MAX_SIZE}: "5"\n${capacity}`;
}
