import { machineExample } from './examples';
import { KUBEVIRT_MACHINE_TEMPLATE, machineFields } from './kubevirt-objects';
import { ManifestObject } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { brokenGoFormat } from '../../../schema/go-formats';
import { shownValue } from '../../../schema/value-words';
import { fieldAt, FieldPath, isFields, objectsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

/** What a value has to be, in words, and whether it is; null is what is not written. */
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
