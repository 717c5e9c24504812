import { clusterObjectText, objectText, pair } from './examples';
import { apiValidation, fault, faultIf, subdomainFault } from './findings';
import { nodeSelectorFaults, selectorFaults } from './scheduling';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';
import { checkQualifiedName } from '../values/labels';
import { parseQuantity } from '../values/quantity';

const CORE = apiValidation('core');
const STORAGE = apiValidation('storage');
const ALONE = 'ReadWriteOncePod';
const CLAIM = '/PersistentVolumeClaim';
const STATEFUL_SET = 'apps/StatefulSet';

const claims: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-VOLUME-CLAIM',
  title: 'A PersistentVolumeClaim must request storage and an access mode; ReadWriteOncePod cannot be combined with others.',
  source: `${CORE} (ValidatePersistentVolumeClaimSpec)`,
  kinds: [CLAIM, STATEFUL_SET],
  example: pair((requests) => objectText('v1', 'PersistentVolumeClaim', `spec:\n  accessModes: [ReadWriteOnce]\n${requests}`), '  storageClassName: fast\n',
    '  storageClassName: fast\n  resources:\n    requests: {storage: 10Gi}\n'),
  check: (object) => claimsOf(object).flatMap(({ spec, path }) => {
    const storage = fieldAt(spec, 'resources', 'requests', 'storage');
    const amount = (typeof storage === 'string' || typeof storage === 'number') && String(storage).length < 100 ? parseQuantity(String(storage)) : undefined;
    const modes = stringsAt(spec, 'accessModes').map(([mode]) => mode);
    const place = [...path, 'resources', 'requests', 'storage'];
    return [
      ...(listAt(spec, 'accessModes').length === 0 ? [fault([...path, 'accessModes'], 'no mode of access is asked for', 'write one', 'ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod')] : []),
      ...(modes.includes(ALONE) && modes.some((mode) => mode !== ALONE) ? [fault([...path, 'accessModes'], `${ALONE} stands beside others`, 'leave it alone, or leave it out')] : []),
      ...(storage === undefined || storage === null ? [fault(place, 'no storage is asked for', 'write how much')] : []),
      ...(amount !== undefined && amount <= 0n ? [fault(place, `${String(storage)} is no room`, 'ask for more than 0')] : []),
      ...subdomainFault([...path, 'storageClassName'], fieldAt(spec, 'storageClassName')),
      ...selectorFaults(fieldAt(spec, 'selector'), [...path, 'selector']),
    ];
  }),
};

function claimsOf(object: ManifestObject): { readonly spec: unknown; readonly path: FieldPath }[] {
  if (groupKind(object) === CLAIM) return isFields(object.spec) ? [{ spec: object.spec, path: ['spec'] }] : [];
  return objectsAt(object, 'spec', 'volumeClaimTemplates').map(([claim, index]) => ({ spec: claim.spec, path: ['spec', 'volumeClaimTemplates', index, 'spec'] }));
}

/** Fields of a PersistentVolume that are no source. */
const PLAIN: ReadonlySet<string> = new Set([
  'accessModes', 'capacity', 'claimRef', 'mountOptions', 'nodeAffinity', 'persistentVolumeReclaimPolicy', 'storageClassName', 'volumeAttributesClassName', 'volumeMode',
]);

const volumes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-PERSISTENT-VOLUME',
  title: 'A PersistentVolume must have a capacity, access modes and one source; a local volume must have a node affinity.',
  source: `${CORE} (ValidatePersistentVolumeSpec)`,
  kinds: ['/PersistentVolume'],
  example: pair((fields) => clusterObjectText('v1', 'PersistentVolume', `spec:\n  accessModes: [ReadWriteOnce]\n  capacity: {storage: 10Gi}\n  local: {path: /mnt/data}\n${fields}`), '', `  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions:
            - {key: kubernetes.io/hostname, operator: In, values: [node-1]}
`),
  check: (object) => {
    if (!isFields(object.spec)) return [];
    const { spec } = object;
    const sources = Object.keys(spec).filter((field) => !PLAIN.has(field) && isSet(spec, field));
    const modes = stringsAt(spec, 'accessModes').map(([mode]) => mode);
    return [
      ...(sources.length === 1 ? [] : [fault(['spec'], sources.length === 0 ? 'it has no source' : `it has several sources: ${sources.join(', ')}`, 'write one, such as csi')]),
      ...(listAt(spec, 'accessModes').length === 0 ? [fault(['spec', 'accessModes'], 'there is no mode of access', 'write one')] : []),
      ...(modes.includes(ALONE) && modes.some((mode) => mode !== ALONE) ? [fault(['spec', 'accessModes'], `${ALONE} stands beside others`, 'leave it alone, or leave it out')] : []),
      ...(isSet(spec, 'capacity', 'storage') ? [] : [fault(['spec', 'capacity', 'storage'], 'it has no capacity', 'write how large it is')]),
      ...(isSet(spec, 'local') && !isSet(spec, 'nodeAffinity') ? [fault(['spec', 'nodeAffinity'], 'the scheduler cannot know the node of the volume', 'write nodeAffinity.required')] : []),
      ...nodeSelectorFaults(fieldAt(spec, 'nodeAffinity', 'required'), ['spec', 'nodeAffinity', 'required']),
      ...subdomainFault(['spec', 'storageClassName'], spec.storageClassName),
    ];
  },
};

const classes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-STORAGE-CLASS',
  title: 'A StorageClass must have a provisioner, and its allowedTopologies must have labels with values.',
  source: `${STORAGE} (ValidateStorageClass)`,
  kinds: ['storage.k8s.io/StorageClass'],
  example: pair((name) => clusterObjectText('storage.k8s.io/v1', 'StorageClass', `provisioner: ${name}\n`), 'csi example', 'csi.example.com'),
  check: (object) => [
    ...(typeof object.provisioner === 'string' && object.provisioner !== ''
      ? faultIf(['provisioner'], checkQualifiedName(object.provisioner.toLowerCase()), 'write the name of the CSI driver') : []),
    ...objectsAt(object, 'allowedTopologies').flatMap(([topology, index]) => objectsAt(topology, 'matchLabelExpressions').flatMap(([expression, position]) => (
      listAt(expression, 'values').length > 0 ? []
        : [fault(['allowedTopologies', index, 'matchLabelExpressions', position, 'values'], 'there are no values', 'write the places')]))),
  ],
};

const POLICIES: readonly string[] = ['ReadWriteOnceWithFSType', 'File', 'None'];
const MODES: readonly string[] = ['Persistent', 'Ephemeral'];

const drivers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CSI-DRIVER',
  title: 'fsGroupPolicy, volumeLifecycleModes and tokenRequests of a CSIDriver must have values that Kubernetes knows.',
  source: `${STORAGE} (validateCSIDriverSpec)`,
  kinds: ['storage.k8s.io/CSIDriver'],
  example: pair((policy) => clusterObjectText('storage.k8s.io/v1', 'CSIDriver', `spec:\n  fsGroupPolicy: ${policy}\n`, 'csi.example.com'), 'Always', 'File'),
  check: (object) => {
    const policy = stringAt(object, 'spec', 'fsGroupPolicy');
    const tokens = objectsAt(object, 'spec', 'tokenRequests');
    return [
      ...(policy === undefined || POLICIES.includes(policy) ? [] : [fault(['spec', 'fsGroupPolicy'], `${JSON.stringify(policy)} is none of the choices`, 'write one of them', POLICIES.join(', '))]),
      ...stringsAt(object, 'spec', 'volumeLifecycleModes').filter(([mode]) => !MODES.includes(mode)).map(([mode, index]) => (
        fault(['spec', 'volumeLifecycleModes', index], `${JSON.stringify(mode)} is none of the choices`, 'write one of them', MODES.join(', ')))),
      ...tokens.flatMap(([token, index]) => {
        const seconds = token.expirationSeconds;
        const isTwice = tokens.some(([other, earlier]) => earlier < index && (other.audience ?? '') === (token.audience ?? ''));
        return [
          ...(isTwice ? [fault(['spec', 'tokenRequests', index, 'audience'], 'the audience is there twice', 'give each one its own')] : []),
          ...(Number.isInteger(seconds) && (seconds as number) < 600
            ? [fault(['spec', 'tokenRequests', index, 'expirationSeconds'], `${String(seconds)} is too small`, 'write a larger number', 'whole numbers from 600')] : []),
        ];
      }),
    ] satisfies Finding[];
  },
};

/** What stores data. */
export const STORAGE_OBJECTS: readonly ManifestRule[] = [claims, volumes, classes, drivers];
