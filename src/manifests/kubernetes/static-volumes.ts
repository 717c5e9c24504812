import { clusterObjectText, objectText } from './examples';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, isSet, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseQuantity } from '../values/quantity';

const VOLUME = '/PersistentVolume';
const STORAGE_CLASS = 'storage.k8s.io/StorageClass';
const CLASS = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

const TEXT = documents(
  objectText('v1', 'PersistentVolumeClaim', 'spec:\n  accessModes: [ReadWriteMany]\n  storageClassName: ""\n  volumeName: shared\n  resources: {requests: {storage: 10Gi}}\n', 'shared'),
  clusterObjectText('v1', 'PersistentVolume', 'spec:\n  accessModes: [ReadWriteMany]\n  capacity: {storage: 10Gi}\n  nfs: {server: nfs.example.com, path: /shared}\n', 'shared'),
);

const bound: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-STATIC-VOLUME',
  title: 'A claim must have the class, the access modes and at most the size of the volume that it names: it is never bound otherwise.',
  source: 'kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (syncUnboundClaim, checkVolumeSatisfyClaim), plugin/pkg/admission/storage/storageclass/setdefault/admission.go, v1.37.2',
  kinds: ['/PersistentVolumeClaim'],
  trap: true,
  example: replaced(TEXT, 'storageClassName: ""', 'storageClassName: fast'),
  check: (object, index) => {
    const name = stringAt(object, 'spec', 'volumeName');
    const volumes = name === undefined ? [] : index.all(VOLUME).filter((volume) => nameOf(volume) === name);
    // Several clusters may have volumes of one name.
    if (volumes.length !== 1) return [];
    const [volume] = volumes;
    // A volume that names its claim is bound to it without a comparison.
    if (isSet(volume, 'spec', 'claimRef')) return [];
    const modes = stringsAt(volume, 'spec', 'accessModes').map(([mode]) => mode);
    const [capacity, request] = [quantityAt(volume, ['spec', 'capacity', 'storage']), quantityAt(object, ['spec', 'resources', 'requests', 'storage'])];
    return [
      ...classFinding(classOf(object), classOf(volume) ?? '', name!, index),
      ...stringsAt(object, 'spec', 'accessModes').filter(([mode]) => !modes.includes(mode)).map(([mode, at]): Finding => ({
        path: ['spec', 'accessModes', at], message: `the volume "${name}" has no access mode ${mode}`, accepted: modes.join(', '), fix: 'write an access mode of the volume',
      })),
      ...(capacity === undefined || request === undefined || request <= capacity ? [] : [{
        path: ['spec', 'resources', 'requests', 'storage'] as FieldPath, message: `the volume "${name}" is smaller`, accepted: `up to ${String(fieldAt(volume, 'spec', 'capacity', 'storage'))}`, fix: 'write the size of the volume',
      }]),
    ];
  },
};

/** The class of a claim or a volume: the older annotation is stronger (kubernetes/component-helpers storage/volume/helpers.go). */
function classOf(object: ManifestObject): unknown {
  return fieldAt(object, 'metadata', 'annotations', CLASS) ?? fieldAt(object, 'spec', 'storageClassName');
}

function classFinding(given: unknown, ofVolume: unknown, volume: string, index: ManifestIndex): Finding[] {
  const byDefault = index.all(STORAGE_CLASS).filter((one) => fieldAt(one, 'metadata', 'annotations', DEFAULT_CLASS) === 'true');
  // Several clusters may have default classes of their own.
  const own = given ?? (byDefault.length === 1 ? nameOf(byDefault[0]) : undefined);
  return own === undefined || own === ofVolume ? [] : [{
    path: ['spec', 'storageClassName'],
    message: `the class is ${JSON.stringify(own)}${given === undefined ? ' by default' : ''}, and that of the volume "${volume}" is ${JSON.stringify(ofVolume)}`,
    fix: `write storageClassName: ${JSON.stringify(ofVolume)}`,
  }];
}

function quantityAt(value: unknown, path: readonly string[]): bigint | undefined {
  const text = fieldAt(value, ...path);
  return typeof text === 'string' || typeof text === 'number' ? parseQuantity(String(text)) : undefined;
}

/** Rules over claims of volumes that exist. */
export const STATIC_VOLUMES: readonly ManifestRule[] = [bound];
