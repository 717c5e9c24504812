import { containerText, pair } from './examples';
import { apiValidation, fault, labelFault } from './findings';
import { containersOf, POD_KINDS, podOf } from './pods';
import { groupKind } from '../objects/manifest-object';
import { allOf } from '../rules/all-of';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseQuantity } from '../values/quantity';

const SOURCE = apiValidation('core');
const HIGHEST_MODE = 0o777;

/** What a volume must name although the schema does not say so. */
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

/** What pods mount. */
export const VOLUMES: readonly ManifestRule[] = [volumes, mounts];
