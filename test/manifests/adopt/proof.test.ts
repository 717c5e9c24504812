import { inputObjects } from '../../../src/manifests/adopt/input-objects';
import { prove, Proof } from '../../../src/manifests/adopt/proof';
import { fileOf, placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { ManifestObject, nameOf, objectName } from '../../../src/manifests/objects/manifest-object';
import { valuesIn } from '../../../src/manifests/objects/manifest-text';
import { registerProviders } from '../../../src/manifests/systems/providers';
import { fieldText } from '../../../src/manifests/values/fields';
import { BESIDE, HOSTED } from '../../cli/adopt/inputs';
import { removablePaths, withoutPath } from '../../support/removed-fields';

registerProviders();

const OBJECTS = valuesIn(`${HOSTED}---${BESIDE}`) as ManifestObject[];
const MADE = OBJECTS.filter(({ kind }) => kind !== 'Secret');

function proofOf(output: readonly ManifestObject[], input: readonly ManifestObject[] = OBJECTS): Proof {
  return prove(inputObjects(placedObjects([fileOf(input)]), undefined), output);
}

test('the same objects are equal to the value, and nothing changes', () => {
  const proof = proofOf(MADE);

  expect(proof.objects.map(({ result }) => result)).toEqual(MADE.map(() => 'equal'));
  expect([proof.isEmpty, proof.added]).toEqual([true, []]);
});

test.each(MADE.map((object) => [objectName(object), object]))('%s is reported when the output lacks it', (_, object) => {
  const proof = proofOf(MADE.filter((other) => other !== object));

  expect(proof.objects.filter(({ result }) => result === 'missing').map(({ read }) => read.object)).toEqual([object]);
  expect(proof.isEmpty).toBe(false);
});

const FIELDS = MADE.flatMap((object) => removablePaths(object).map((path) => ({ object, path })));

test('each field is reported that the output lacks, unless the server writes it', () => {
  const silent = FIELDS.filter(({ object, path }) => {
    const { objects, isEmpty } = proofOf(MADE.map((other) => (other === object ? withoutPath(object, path) : other)));
    const { result } = objects[MADE.indexOf(object)];
    return result === 'stored' ? !isEmpty : result !== 'different' || isEmpty;
  });

  expect(FIELDS.length).toBeGreaterThan(80);
  expect(silent.map(({ object, path }) => `${nameOf(object)} ${fieldText(path)}`)).toEqual([]);
});

test('an object that was not in the input is reported', () => {
  const added = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new', namespace: 'tenant-acme' } };
  const proof = proofOf([...MADE, added]);

  expect([proof.added, proof.isEmpty]).toEqual([[added], false]);
});

test('an object that the output lacks is reported, though the input has it twice', () => {
  const twice = [...OBJECTS, MADE[0]];

  expect([proofOf(MADE, twice).isEmpty, proofOf(MADE.slice(1), twice).isEmpty]).toEqual([true, false]);
});

test('a Secret stays where it is, and does not count', () => {
  expect(proofOf(MADE).objects.map(({ read }) => read.object.kind)).not.toContain('Secret');
});

test('status, and what servers write into metadata, do not count', () => {
  const dumped = MADE.map((object) => ({
    ...object,
    metadata: {
      ...object.metadata as object,
      uid: '1',
      resourceVersion: '2',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [{}],
      finalizers: ['cluster.cluster.x-k8s.io'],
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'acme', uid: '4', controller: true }],
    },
    status: { ready: true },
  }));

  expect(proofOf(MADE, dumped)).toMatchObject({ isEmpty: true, objects: MADE.map(() => ({ result: 'equal' })) });
});

test('what a controller makes is left', () => {
  const machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'acme-md-0-x', namespace: 'tenant-acme', ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'acme-md-0', controller: true }] },
  };
  const { left } = inputObjects(placedObjects([fileOf([machine])]), undefined);

  expect(left).toMatchObject([{ reason: 'is made by a controller, of the MachineSet acme-md-0' }]);
});

const OLDER = {
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'Cluster',
  metadata: { name: 'acme', namespace: 'tenant-acme' },
  spec: { controlPlaneRef: { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha1', kind: 'KamajiControlPlane', name: 'acme', namespace: 'tenant-acme' } },
};
const NEWER = {
  ...OLDER,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: 'acme' } },
};

test.each([
  ['the same values', NEWER, 'converted'],
  ['an empty list that the server leaves out', { ...NEWER, spec: { ...NEWER.spec, availabilityGates: [] } }, 'stored'],
  ['another value', { ...NEWER, spec: { ...NEWER.spec, paused: true } }, 'different'],
])('an object in another version of the API with %s', (_, made, result) => {
  expect(proofOf([made], [OLDER]).objects).toMatchObject([{ result }]);
});
