import { machineDeployment, machineExample, machineTemplate } from './examples';
import { KUBEVIRT_MACHINE_TEMPLATE, machineFields, virtualMachine } from './kubevirt-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { CAPACITY, MAX_SIZE, MIN_SIZE, missingCapacity } from '../../../rules/cluster-api/autoscaler-annotations';
import { MACHINE_DEPLOYMENT } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { objectReference } from '../../../rules/references/object-references';
import { brokenGoFormat } from '../../../schema/formats';
import { shownValue } from '../../../schema/value-words';
import { fieldAt, FieldPath, isFields, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const INFRASTRUCTURE = ['spec', 'template', 'spec', 'infrastructureRef'];
const MAX_LENGTH = 63;

/** Length that Cluster API adds to the name of a pool: `-` and five characters for the machine set, and once more for the machine. */
const MACHINE_SUFFIX_LENGTH = 12;

const length: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-NAME-LENGTH',
  title: 'The names of DataVolumes, which derive from those of pool and disk, must have at most 63 characters.',
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
    const disks = objectsAt(virtualMachine(template).fields, 'dataVolumeTemplates').map(([item]) => stringAt(item, 'metadata', 'name') ?? '');
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
  title: 'The names of machines on KubeVirt must not contain dots: the cloud controller manager does not find such machines.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: { failing: machineDeployment('acme.general'), corrected: machineDeployment('acme-general') },
  check: (object) => {
    const name = nameOf(object);
    return name === undefined || !name.includes('.') || !usesKubevirt(object) ? [] : [{
      path: ['metadata', 'name'], message: `"${name}" has a dot, and so have the names of its machines`, fix: 'write "-" in its place',
    }];
  },
};

const scaleFromZero: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SCALE-FROM-ZERO',
  title: 'A pool on KubeVirt that can scale to zero must have the annotations of its capacity: the autoscaler has no other source.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt tag v0.11.2, api/v1alpha1/kubevirtmachinetemplate_types.go (no status)',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: {
    failing: machineTemplate() + machineDeployment('acme-general', bounds('')),
    corrected: machineTemplate() + machineDeployment('acme-general', bounds(`    ${CAPACITY}cpu: "4"\n    ${CAPACITY}memory: 16Gi\n`)),
  },
  check: (object) => (usesKubevirt(object) ? missingCapacity(object) : []),
};

/** Rules for the names of pools, and for their bounds. */
export const NAMES: readonly ManifestRule[] = [length, dots, scaleFromZero];

/** True if the machines of a pool are made from a template of KubeVirt's. */
function usesKubevirt(pool: ManifestObject): boolean {
  return objectReference(fieldAt(pool, ...INFRASTRUCTURE))?.kind === KUBEVIRT_MACHINE_TEMPLATE;
}

/** The template of a pool, if it is validated together with it. */
function templateOf(object: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const reference = objectReference(fieldAt(object, ...INFRASTRUCTURE));
  return reference?.kind === KUBEVIRT_MACHINE_TEMPLATE ? index.find(reference.kind, namespaceOf(object), reference.name) : undefined;
}

function bounds(capacity: string): string {
  return `  annotations:\n    ${MIN_SIZE}: "0"\n    ${MAX_SIZE}: "5"\n${capacity}`;
}

/** Type of a value in Go: its description, and a check of a value; null is an unset one. */
interface GoType {
  readonly words: string;
  readonly reads: (value: unknown) => boolean;
}

const STRING: GoType = { words: 'a string', reads: (value) => typeof value === 'string' };
const NUMBER: GoType = { words: 'a whole number', reads: (value) => Number.isInteger(value) };
const STRINGS: GoType = { words: 'an object of strings', reads: (value) => isFields(value) && Object.values(value).every((text) => text === null || typeof text === 'string') };
const TIME: GoType = { words: 'a time such as 2026-05-01T10:00:00Z', reads: (value) => typeof value === 'string' && brokenGoFormat('go-time', value) === undefined };

const FIELDS: readonly (readonly [string, GoType])[] = Object.entries({
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  selfLink: STRING,
  uid: STRING,
  resourceVersion: STRING,
  generation: NUMBER,
  deletionGracePeriodSeconds: NUMBER,
  creationTimestamp: TIME,
  deletionTimestamp: TIME,
  labels: STRINGS,
  annotations: STRINGS,
  finalizers: { words: 'a list of strings', reads: (value) => Array.isArray(value) && value.every((entry) => entry === null || typeof entry === 'string') },
  ownerReferences: { words: 'a list of objects', reads: (value) => Array.isArray(value) && value.every((entry) => entry === null || isFields(entry)) },
} satisfies Record<string, GoType>);

/** The metadata of machines and disks, which the schema leaves open. */
export const TEMPLATE_METADATA: ManifestRule = {
  id: 'TC-ADMIT-KUBEVIRT-METADATA',
  title: 'Metadata of machines and their disks must have strings where Kubernetes expects strings: the provider\'s webhook cannot read the template otherwise, and the schema does not check it.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/webhookhandler/validator.go, kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go (ObjectMeta)',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  example: {
    failing: withLabel('true'),
    corrected: withLabel('"true"'),
  },
  check: (object) => placesOf(object).flatMap((path) => {
    const metadata = fieldAt(object, ...path);
    if (metadata === undefined || metadata === null) return [];
    if (!isFields(metadata)) return [wrongType(path, metadata, 'an object')];
    return FIELDS.flatMap(([field, { words, reads }]) => {
      const value = metadata[field];
      return value === undefined || value === null || reads(value) ? [] : [wrongType([...path, field], value, words)];
    });
  }),
};

function placesOf(object: ManifestObject): FieldPath[] {
  const machine: FieldPath = [...machineFields(object).path, 'virtualMachineTemplate'];
  const disks = objectsAt(object, ...machine, 'spec', 'dataVolumeTemplates').map(([, index]): FieldPath => [...machine, 'spec', 'dataVolumeTemplates', index, 'metadata']);
  return [[...machine, 'metadata'], [...machine, 'spec', 'template', 'metadata'], ...disks];
}

function wrongType(path: FieldPath, value: unknown, accepted: string): Finding {
  const isString = accepted === 'a string' || accepted === 'an object of strings';
  return { path, message: `${shownValue(value)} is not ${accepted}`, fix: isString ? 'put numbers and the like in quotes' : `write ${accepted}` };
}

function withLabel(value: string): string {
  return machineExample({}).corrected.replace('          template:\n', `          template:\n            metadata:\n              labels: {example.com/spot: ${value}}\n`);
}
