import { gunzipSync } from 'node:zlib';
import { DeliveredPacks, knownKind } from './known-kinds';
import { groupKind, ManifestObject, objectName } from './manifest-object';
import { fieldAt, isFields, stringAt } from '../values/fields';

/** A file of a machine that the kubelet runs as a static pod. */
export interface StaticPodFile {
  /** Path of the file on the machine. */
  readonly path: string;

  /** Its content; undefined where that does not stand in the object. */
  readonly text?: string;
}

// More than a machine's user data can hold.
const LARGEST_TEXT = 1024 * 1024;
// The kubelet runs the pods of files there (kubernetes.io/docs/tasks/configure-pod-container/static-pod).
const STATIC_PODS = '/etc/kubernetes/manifests/';
const KUBEADM_FILES: Readonly<Record<string, readonly string[]>> = {
  'bootstrap.cluster.x-k8s.io/KubeadmConfig': ['spec', 'files'],
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': ['spec', 'template', 'spec', 'files'],
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': ['spec', 'kubeadmConfigSpec', 'files'],
  'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate': ['spec', 'template', 'spec', 'kubeadmConfigSpec', 'files'],
};

/** The static pods that an object puts on machines. */
export function staticPodFiles(object: ManifestObject): StaticPodFile[] {
  const place = KUBEADM_FILES[groupKind(object)];
  const files = place && fieldAt(object, ...place);
  return (Array.isArray(files) ? files : []).flatMap((file) => {
    const path = stringAt(file, 'path');
    return path?.startsWith(STATIC_PODS) ? [{ path, text: fileContent(file) }] : [];
  });
}

/** Content of a file of a machine, decoded (kubernetes-sigs/cluster-api api/bootstrap/kubeadm/v1beta2/kubeadmconfig_types.go, Encoding). */
export function fileContent(file: unknown): string | undefined {
  const [content, encoding] = [stringAt(file, 'content'), stringAt(file, 'encoding')];
  if (content === undefined || encoding === undefined) return content;
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  return encoding === 'gzip+base64' ? unzipped(Buffer.from(content, 'base64')) : undefined;
}

function unzipped(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_TEXT }).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A text inside an object that holds manifests itself. */
export interface PackedText {
  readonly object: ManifestObject;

  /** Place in the object, in words. */
  readonly where: string;
  readonly text: string;

  /** The clusters or machines that it goes to; texts with the same one come together there. Of several deliveries, it is the first one's. */
  readonly target: string;

  /** The objects that deliver it to clusters. */
  readonly deliveries: readonly ManifestObject[];
}

/** An object with manifests that another one refers to, and that is not there. */
export interface MissingPack {
  readonly object: ManifestObject;
  readonly message: string;
}

/** Texts that objects carry packed. */
export interface Packed {
  readonly texts: readonly PackedText[];
  readonly missing: readonly MissingPack[];
}

const NOTHING: Packed = { texts: [], missing: [] };

const PACKS = ['ConfigMap', 'Secret'];

/**
 * The manifests that objects carry as text: in ConfigMaps and Secrets that others deliver, and in files of machines that the kubelet runs as
 * static pods.
 *
 * @param objects all objects
 * @param fileOf the file of an object: of several ConfigMaps with one name, the one in the file nearest to the delivery counts
 */
export function packedManifests(objects: readonly ManifestObject[], fileOf: (object: ManifestObject) => string = () => ''): Packed {
  // Several objects may deliver the same one; it is told of once.
  const packs = new Map<ManifestObject, { readonly target: string; readonly deliveries: ManifestObject[] }>();
  const missing: MissingPack[] = [];
  const byName = new Map<string, ManifestObject[]>();
  for (const object of objects.filter(({ kind }) => PACKS.includes(String(kind)))) {
    const key = keyOf(object);
    const same = byName.get(key);
    if (same) same.push(object);
    else byName.set(key, [object]);
  }
  for (const delivery of objects) {
    const { target, references, isPlain } = packsOf(delivery);
    for (const { kind, namespace, name } of references) {
      const found = byName.get(keyOf({ apiVersion: 'v1', kind, metadata: { namespace, name } })) ?? [];
      const pack = found.length > 1 ? nearest(found, fileOf(delivery), fileOf) : found[0];
      if (!pack) missing.push({ object: delivery, message: `${objectName(delivery)} delivers what is in the ${kind} ${name}, which is not among the manifests` });
      else if (isPlain?.(pack) === false) continue;
      else if (!packs.has(pack)) packs.set(pack, { target, deliveries: [delivery] });
      else packs.get(pack)!.deliveries.push(delivery);
    }
  }
  const files = objects.map(staticPods);
  return {
    texts: [...[...packs].flatMap(([pack, { target, deliveries }]) => textsOf(pack, target, deliveries)), ...files.flatMap(({ texts }) => texts)],
    missing: [...missing, ...files.flatMap(({ missing: unreadable }) => unreadable)],
  };
}

function packsOf(delivery: ManifestObject): DeliveredPacks {
  return knownKind(groupKind(delivery))?.packs?.(delivery) ?? { target: '', references: [] };
}

/** True if an object applies the manifests in a ConfigMap or Secret as they stand. */
export function isPackOf(pack: ManifestObject, delivery: ManifestObject): boolean {
  const { references, isPlain } = packsOf(delivery);
  return references.some(({ kind, namespace, name }) => keyOf({ apiVersion: 'v1', kind, metadata: { namespace, name } }) === keyOf(pack))
    && isPlain?.(pack) !== false;
}

/** The clusters that are selected in a namespace, as a key. */
export function clusterTarget(namespace: string | undefined, selector: unknown): string {
  return JSON.stringify([namespace, selector]);
}

/** The object whose file has most folders in common with another file; the last one of several. */
function nearest(objects: readonly ManifestObject[], file: string, fileOf: (object: ManifestObject) => string): ManifestObject {
  const parts = file.split('/');
  const inCommon = (object: ManifestObject) => {
    const other = fileOf(object).split('/');
    const first = parts.findIndex((part, index) => part !== other[index]);
    return first < 0 ? parts.length : first;
  };
  return objects.reduce((best, object) => (inCommon(object) >= inCommon(best) ? object : best));
}

function keyOf(object: ManifestObject): string {
  return [groupKind(object), stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join(' ');
}

function textsOf(pack: ManifestObject, target: string, deliveries: readonly ManifestObject[]): PackedText[] {
  const encoded = pack.kind === 'Secret';
  return [
    ...entriesAt(pack, 'data').map(([key, text]) => ({
      object: pack, where: `data "${key}"`, text: encoded ? Buffer.from(text, 'base64').toString('utf8') : text, target, deliveries,
    })),
    ...(encoded ? entriesAt(pack, 'stringData') : []).map(([key, text]) => ({ object: pack, where: `stringData "${key}"`, text, target, deliveries })),
  ];
}

function staticPods(object: ManifestObject): Packed {
  const files = staticPodFiles(object).map(({ path, text }) => ({ where: `file ${path}`, text }));
  if (files.length === 0) return NOTHING;
  const target = `machines of ${keyOf(object)}`;
  return {
    texts: files.flatMap(({ where, text }) => (text === undefined ? [] : [{ object, where, text, target, deliveries: [] }])),
    missing: files.filter(({ text }) => text === undefined)
      .map(({ where }) => ({ object, message: `${objectName(object)} has a ${where} whose content does not stand there` })),
  };
}

function entriesAt(object: ManifestObject, field: string): [string, string][] {
  const map = fieldAt(object, field);
  return Object.entries(isFields(map) ? map : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
