import { clusterObjectText, containerText, objectText, pair } from './examples';
import { apiValidation, fault, faultIf, labelFault, subdomainFault } from './findings';
import { nodeSelectorFaults, selectorFaults } from './scheduling';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, POD_KINDS, podOf } from '../rules/pod-objects';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { allOf, Finding } from '../values/finding';
import { checkLabelKey, checkQualifiedName } from '../values/labels';
import { parseQuantity } from '../values/quantity';
import { DATA_KEYS, isDataKey } from '../values/secret-ref';

const SOURCE = apiValidation('core');
const HIGHEST_MODE = 0o777;

/** Fields that a volume must have although the schema does not require them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  configMap: ['name'],
  secret: ['secretName'],
};

const volumes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-VOLUME',
  title: 'The name of a volume of a pod must be a DNS label; it must have exactly one complete source.',
  source: `${SOURCE} (ValidateVolumes)`,
  kinds: POD_KINDS,
  example: pair((fields) => containerText('', `volumes:\n  - name: data\n${fields}`), '    emptyDir: {}\n    hostPath: {path: /data}\n', '    emptyDir: {}\n'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const all = objectsAt(pod.spec, 'volumes').map(([volume, index]) => ({ volume, path: [...pod.specPath, 'volumes', index] }));
    return all.flatMap(({ volume, path }) => allOf(labelFault([...path, 'name'], volume.name), sourceFaults(volume, path)));
  },
};

function sourceFaults(volume: Fields, path: FieldPath): readonly Finding[] {
  const sources = Object.keys(volume).filter((field) => field !== 'name' && isSet(volume, field));
  // A server takes a volume without a source for an empty directory.
  if (sources.length === 0) return [];
  if (sources.length > 1) return [fault(path, `it has several sources: ${sources.join(', ')}`, 'leave all but one of them out')];
  const [source] = sources;
  const inside = volume[source];
  if (!isFields(inside)) return [];
  return allOf(
    (NEEDED[source] ?? []).filter((field) => stringAt(inside, field) === undefined).map((field) => (
      fault([...path, source, field], 'it is empty, or not there', 'write it'))),
    source === 'emptyDir' && (parseQuantity(stringAt(inside, 'sizeLimit') ?? '') ?? 0n) < 0n
      ? [fault([...path, source, 'sizeLimit'], `${JSON.stringify(inside.sizeLimit)} is below 0`, 'write a quantity such as "64Mi"')] : [],
    modeFaults(inside.defaultMode, [...path, source, 'defaultMode']),
    objectsAt(inside, 'items').flatMap(([item, index]) => {
      const place = [...path, source, 'items', index];
      return [
        ...pathFaults(item.path, [...place, 'path']),
        ...modeFaults(item.mode, [...place, 'mode']),
      ];
    }),
    source === 'hostPath' && typeof inside.path === 'string' && inside.path.split('/').includes('..')
      ? [fault([...path, source, 'path'], `${JSON.stringify(inside.path)} leads upwards`, 'write the path without ".."')] : [],
    source === 'nfs' && typeof inside.path === 'string' && inside.path !== '' && !inside.path.startsWith('/')
      ? [fault([...path, source, 'path'], `${JSON.stringify(inside.path)} is not absolute`, 'begin it with "/"')] : [],
  );
}

function modeFaults(mode: unknown, path: FieldPath): Finding[] {
  return !Number.isInteger(mode) || ((mode as number) >= 0 && (mode as number) <= HIGHEST_MODE) ? [] : [fault(
    path, `${String(mode)} is no mode of a file`, 'write it in octal with a leading 0, or in decimal', '0 to 0777 in octal, which is 0 to 511 in decimal',
  )];
}

/** A path inside a volume. */
function pathFaults(path: unknown, place: FieldPath): Finding[] {
  if (typeof path !== 'string' || path === '') return [];
  return path.startsWith('/') || path.split('/').includes('..')
    ? [fault(place, `${JSON.stringify(path)} leads out of the volume`, 'write a relative path without ".."')] : [];
}

const mounts: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-VOLUME-MOUNT',
  title: 'A container must mount volumes of its pod; a path inside a volume must not lead out of it.',
  source: `${SOURCE} (ValidateVolumeMounts, ValidateVolumeDevices)`,
  kinds: POD_KINDS,
  example: pair((fields) => containerText(`volumeMounts:\n  - name: ${fields}\n    mountPath: /data`, 'volumes:\n  - name: data\n    emptyDir: {}\n'), 'date', 'data'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const templates = groupKind(object) === 'apps/StatefulSet' ? objectsAt(object, 'spec', 'volumeClaimTemplates').map(([claim]) => stringAt(claim, 'metadata', 'name')) : [];
    const known = new Set([...objectsAt(pod.spec, 'volumes').map(([volume]) => stringAt(volume, 'name')), ...templates]);
    return containersOf(object).flatMap(({ container, path }) => ['volumeMounts', 'volumeDevices'].flatMap((list) => objectsAt(container, list).flatMap(([entry, index]) => {
      const name = stringAt(entry, 'name');
      const place = [...path, list, index];
      return allOf(
        name === undefined || known.has(name) ? [] : [fault(
          [...place, 'name'], `the pod has no volume ${JSON.stringify(name)}`, 'add it to the volumes of the pod, or correct the name',
          [...known].filter((one) => one !== undefined).join(', ') || undefined,
        )],
        pathFaults(entry.subPath, [...place, 'subPath']),
        stringAt(entry, 'subPath') !== undefined && stringAt(entry, 'subPathExpr') !== undefined
          ? [fault([...place, 'subPathExpr'], 'it has a subPath too', 'leave one of them out')] : [],
        entry.mountPropagation === 'Bidirectional' && fieldAt(container, 'securityContext', 'privileged') !== true
          ? [fault([...place, 'mountPropagation'], '"Bidirectional" is for privileged containers alone', 'write HostToContainer, or securityContext: {privileged: true}')] : [],
      );
    })));
  },
};

const CONFIG_MAP = '/ConfigMap';
const SECRET = '/Secret';
const MOST_BYTES = 1024 * 1024;
const ACCOUNT = 'kubernetes.io/service-account.name';

const keys: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-DATA-KEY',
  title: 'Keys of ConfigMaps and Secrets must consist of letters, digits, "-", "_" and ".", and must be in one of the two fields only.',
  source: `${SOURCE} (ValidateConfigMap, ValidateSecret)`,
  kinds: [CONFIG_MAP, SECRET],
  example: pair((key) => objectText('v1', 'ConfigMap', `data:\n  ${key}: text\n`), 'conf/web', 'web.conf'),
  check: (object) => mapsOf(object).flatMap(([name, map]) => Object.keys(map).flatMap((key) => allOf(
    isDataKey(key) ? [] : [fault([name, key], `${JSON.stringify(key)} cannot be a key`, 'use other characters; a volume gives it a path by "items"', DATA_KEYS)],
    name === 'data' && groupKind(object) === CONFIG_MAP && isSet(object, 'binaryData', key) ? [fault([name, key], 'the key stands in binaryData, too', 'leave it in one of them')] : [],
  ))),
};

const size: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-DATA-SIZE',
  title: 'The values of a ConfigMap or Secret must not exceed 1 MiB in total.',
  source: `${SOURCE} (ValidateConfigMap, ValidateSecret; MaxSecretSize)`,
  kinds: [CONFIG_MAP, SECRET],
  example: pair((text) => objectText('v1', 'ConfigMap', `data:\n  dashboard.json: "${text}"\n`), '{}'.padEnd(MOST_BYTES + 1), '{}'),
  check: (object) => {
    const isConfigMap = groupKind(object) === CONFIG_MAP;
    const plain = isConfigMap ? 'data' : 'stringData';
    const values = new Map<string, number>();
    for (const [name, map] of mapsOf(object)) {
      for (const [key, value] of Object.entries(map)) {
        if (typeof value === 'string') values.set(isConfigMap ? `${name} ${key}` : key, name === plain ? Buffer.byteLength(value) : decodedLength(value));
      }
    }
    const bytes = [...values.values()].reduce((sum, one) => sum + one, 0);
    return bytes <= MOST_BYTES ? [] : [fault(['data'], `the values are ${bytes} bytes together`, 'divide them among several objects, or keep them elsewhere', `up to ${MOST_BYTES} bytes`)];
  },
};

/** Keys that Secrets of a type have; one of several is enough where the type says so. */
const TYPES: Readonly<Record<string, { readonly keys: readonly string[]; readonly one?: boolean; readonly isJson?: boolean }>> = {
  'kubernetes.io/basic-auth': { keys: ['username', 'password'], one: true },
  'kubernetes.io/dockercfg': { keys: ['.dockercfg'], isJson: true },
  'kubernetes.io/dockerconfigjson': { keys: ['.dockerconfigjson'], isJson: true },
  'kubernetes.io/ssh-auth': { keys: ['ssh-privatekey'] },
  'kubernetes.io/tls': { keys: ['tls.crt', 'tls.key'] },
};

const secretType: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SECRET-TYPE',
  title: 'A Secret must have the data of its type: certificate and key, registry credentials as JSON, or the name of a service account.',
  source: `${SOURCE} (ValidateSecret)`,
  kinds: [SECRET],
  example: pair((fields) => objectText('v1', 'Secret', `type: kubernetes.io/tls\nstringData:\n  tls.crt: certificate\n${fields}`), '', '  tls.key: key\n'),
  check: (object) => {
    const type = stringAt(object, 'type') ?? '';
    if (type === 'kubernetes.io/service-account-token') {
      return stringAt(object, 'metadata', 'annotations', ACCOUNT) !== undefined ? []
        : [fault(['metadata', 'annotations', ACCOUNT], 'the service account is not named', 'add the annotation')];
    }
    if (!Object.hasOwn(TYPES, type)) return [];
    const { keys: wanted, one, isJson } = TYPES[type];
    const missing = wanted.filter((key) => !mapsOf(object).some(([, map]) => Object.hasOwn(map, key)));
    if (one ? missing.length === wanted.length : missing.length > 0) {
      return [fault(['data'], `a Secret of the type ${type} has no ${missing.join(one ? ' or ' : ' and ')}`, 'add it, or write another type')];
    }
    return isJson ? wanted.filter((key) => !isJsonMap(object, key)).map((key) => (
      fault([isSet(object, 'stringData', key) ? 'stringData' : 'data', key], 'it is no JSON', 'write what "kubectl create secret docker-registry" makes'))) : [];
  },
};

function mapsOf(object: ManifestObject): [string, Fields][] {
  const names = groupKind(object) === CONFIG_MAP ? ['data', 'binaryData'] : ['data', 'stringData'];
  return names.flatMap((name): [string, Fields][] => {
    const map = object[name];
    return isFields(map) ? [[name, map]] : [];
  });
}

function decodedLength(text: string): number {
  return Buffer.byteLength(text, 'base64');
}

function isJsonMap(object: ManifestObject, key: string): boolean {
  const plain = fieldAt(object, 'stringData', key);
  const packed = fieldAt(object, 'data', key);
  const text = typeof plain === 'string' ? plain : typeof packed === 'string' ? Buffer.from(packed, 'base64').toString('utf8') : undefined;
  // Values of another type are reported as such.
  if (text === undefined) return true;
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

const STORAGE_SOURCE = apiValidation('storage');
const ALONE = 'ReadWriteOncePod';
const CLAIM = '/PersistentVolumeClaim';
const STATEFUL_SET = 'apps/StatefulSet';

const volumeClaims: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-VOLUME-CLAIM',
  title: 'A PersistentVolumeClaim must request storage and an access mode; ReadWriteOncePod cannot be combined with others.',
  source: `${SOURCE} (ValidatePersistentVolumeClaimSpec)`,
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
      ...['storageClassName', 'volumeAttributesClassName'].flatMap((field) => subdomainFault([...path, field], fieldAt(spec, field))),
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

const persistentVolumes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-PERSISTENT-VOLUME',
  title: 'A PersistentVolume must have a capacity, access modes and one source; a local volume must have a node affinity.',
  source: `${SOURCE} (ValidatePersistentVolumeSpec)`,
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
      ...['storageClassName', 'volumeAttributesClassName'].flatMap((field) => subdomainFault(['spec', field], spec[field])),
      ...subdomainFault(['spec', 'csi', 'driver'], stringAt(spec, 'csi', 'driver')?.toLowerCase()),
      ...SECRETS.filter((field) => isFields(fieldAt(spec, 'csi', field))).flatMap((field) => ['name', 'namespace'].flatMap((part) => {
        const [path, value] = [['spec', 'csi', field, part], stringAt(spec, 'csi', field, part) ?? ''];
        return value === '' ? [fault(path, 'it is not there', `write the ${part} of the Secret`)] : subdomainFault(path, value);
      })),
    ];
  },
};

/** Secrets of the driver of a volume (validateCSIPersistentVolumeSource). */
const SECRETS: readonly string[] = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'];

const classes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-STORAGE-CLASS',
  title: 'A StorageClass must have a provisioner, and its allowedTopologies must have labels with values.',
  source: `${STORAGE_SOURCE} (ValidateStorageClass)`,
  kinds: ['storage.k8s.io/StorageClass'],
  example: pair((name) => clusterObjectText('storage.k8s.io/v1', 'StorageClass', `provisioner: ${name}\n`), 'csi example', 'csi.example.com'),
  check: (object) => [
    ...(typeof object.provisioner === 'string' && object.provisioner !== ''
      ? faultIf(['provisioner'], checkQualifiedName(object.provisioner.toLowerCase()), 'write the name of the CSI driver') : []),
    ...objectsAt(object, 'allowedTopologies').flatMap(([topology, index]) => objectsAt(topology, 'matchLabelExpressions').flatMap(([expression, position]) => (
      listAt(expression, 'values').length > 0
        ? faultIf(['allowedTopologies', index, 'matchLabelExpressions', position, 'key'], checkLabelKey(stringAt(expression, 'key') ?? ''), 'write the label of the nodes')
        : [fault(['allowedTopologies', index, 'matchLabelExpressions', position, 'values'], 'there are no values', 'write the places')]))),
  ],
};

const POLICIES: readonly string[] = ['ReadWriteOnceWithFSType', 'File', 'None'];
const MODES: readonly string[] = ['Persistent', 'Ephemeral'];

const drivers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CSI-DRIVER',
  title: 'fsGroupPolicy, volumeLifecycleModes and tokenRequests of a CSIDriver must have values that Kubernetes knows.',
  source: `${STORAGE_SOURCE} (validateCSIDriverSpec)`,
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

/** Rules for the volumes of pods and what mounts them. */
export const VOLUMES: readonly ManifestRule[] = [volumes, mounts];

/** Rules for ConfigMaps, Secrets, claims, persistent volumes, storage classes and drivers. */
export const STORAGE: readonly ManifestRule[] = [keys, size, secretType, volumeClaims, persistentVolumes, classes, drivers];
