import * as path from 'node:path';
import { knownClusters } from './known-clusters';
import { KUSTOMIZATION_FILES, KustomizeTree } from './kustomize-lists';
import { pathWithin } from './manifest-state';
import { ManifestFile, PlacedObjects, StateReader } from './placed-objects';
import { ownText } from '../objects/block-yaml';
import { knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { plainValue } from '../objects/yaml-scalars';
import { CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { clusterKinds } from '../rules/cluster-api/whole-clusters';
import { ManifestIndex } from '../rules/manifest-index';
import { DEFINITION } from '../rules/structure/kind-definitions';
import { deliveryFacts, providers } from '../systems/providers';
import { componentsIn } from '../validation/installed-components';
import { Fields, stringsAt } from '../values/fields';

/** The files of a state. */
export interface StateFiles {
  readonly root: string;
  readonly files: readonly ManifestFile[];
}

/** Files that are the same in both states, and decide nothing of what is planned. */
export interface LeftOut {
  readonly files: ReadonlySet<ManifestFile>;

  /** The clusters that their objects are or name, as `namespace/name`; the files are read for them. */
  readonly clusters: () => ReadonlySet<string>;

  /** The texts of the files by their paths, without lists of kustomize. */
  readonly texts: () => ReadonlyMap<string, string>;
}

const NONE: LeftOut = { files: new Set(), clusters: () => new Set(), texts: () => new Map() };

/** Up to this many files, reading all of them takes no longer. */
const FEW = 500;

/** The largest share of files that differ for which others are looked for. */
const SHARE = 0.05;

/** A change of such a line is looked at beside all clusters: two of them may have one address. */
const ADDRESS = /^\s*(?:- )?(?:host|address|\w*[eE]ndpoint|loadBalancerIP)["']?:/;

/**
 * The files that a plan can do without. An object without a difference matters to a plan by its namespace, by a name that one of both names, or
 * because it applies others. So a file can be left out if it is the same in both states, has objects of namespaces alone in which nothing differs,
 * names none of these namespaces, and is named by nothing in them. So can a list of kustomize that names nothing but files that are left out. None
 * can where something differs that concerns all clusters, such as a delivery, an object without a namespace, or a component of the management
 * cluster.
 *
 * @param states the files of both states
 * @param reader reads files
 */
export function filesToLeaveOut(states: readonly [before: StateFiles, after: StateFiles], reader: StateReader): LeftOut {
  const [before, after] = states.map((state) => new Map(state.files.map((file) => [pathWithin(state, file.file), file])));
  if (after.size <= FEW) return NONE;
  const same = new Map([...after].filter(([place, file]) => before.get(place) === file || before.get(place)?.bytes.equals(file.bytes)));
  if (after.size - same.size > after.size * SHARE) return NONE;
  const differing = [before, after].map((files) => [...files].filter(([place]) => !same.has(place)).map(([, file]) => file));
  if (differing.every((files) => files.length === 0)) {
    const files = new Set([...before.values(), ...after.values()]);
    return {
      files,
      // Without a difference, nothing is applied otherwise.
      texts: () => new Map(),
      clusters: () => {
        const tree = listTree(after, states[1].root, reader, (place) => listEntries(after.get(place)!.bytes.toString('latin1')));
        return clustersIn([...after].filter(([place]) => !tree.leavesOut(place)).map(([, file]) => file), reader);
      },
    };
  }
  if (changedLines(differing).some((line) => ADDRESS.test(line))) return NONE;
  const read = differing.map((files, index) => reader.read(files, states[index].files));
  const touched = touchedNamespaces(read, listChanges(read, states), same);
  if (!touched) return NONE;
  const reading = new Outlines(touched);
  const isThere = (place: string) => same.has(place) || KUSTOMIZATION_FILES.some((name) => same.has(`${place}/${name}`));
  const outlines = new Map([...same].map(([place, file]) => (
    [place, reading.of(file, (entry) => isThere(path.posix.join(path.posix.dirname(place), entry)))])));
  const mayApply = (outline: Outline | undefined) => !outline || outline.objects.some(({ kind }) => isApplying(kind));
  const applying = new Set([...outlines].filter(([, outline]) => mayApply(outline)).map(([place]) => place));
  if (!isUniform(reader.read([...applying].map((place) => after.get(place)!), states[1].files))) return NONE;
  const kinds = clusterKinds();
  const clusters = [...outlines.values()].flatMap((outline) => outline?.objects ?? []).filter(({ kind }) => kinds.includes(kind));
  if (new Set(clusters.map(({ cluster }) => cluster)).size < clusters.length) return NONE;
  const inside = [...outlines].filter(([, outline]) => outline?.objects.some(({ namespace, name }) => touched.has(namespace ?? name)));
  const texts = [...differing.flat(), ...inside.map(([place]) => same.get(place)!)].map(({ bytes }) => bytes.toString('latin1'));
  const named = new Set(texts.flatMap((text) => text.match(NAME) ?? []));
  const mayBeLeft = [...outlines].filter((entry): entry is [string, Outline] => !applying.has(entry[0]) && !entry[1]!.namesTouched
    && entry[1]!.objects.every(({ kind, namespace, name }) => !named.has(namespace ?? name) && !(kind === DEFINITION && named.has(groupIn(name)))));
  const left = withoutListsOfOthers(mayBeLeft, [before, after]);
  return {
    files: new Set(left.flatMap(([place]) => [before.get(place)!, same.get(place)!])),
    texts: () => new Map(left.flatMap(([place, { entries }]) => (entries ? [] : [[place, same.get(place)!.bytes.toString('latin1')] as const]))),
    clusters: () => {
      const tree = listTree(after, states[1].root, reader, (place) => outlines.get(place)?.entries);
      const found = new Set<string>();
      for (const [place, { objects }] of left) {
        // The files of a cluster all name it.
        if (objects.some(({ cluster }) => cluster !== undefined && !found.has(cluster)) && !tree.leavesOut(place)) {
          objects.forEach(({ cluster }) => cluster !== undefined && found.add(cluster));
        }
      }
      return found;
    },
  };
}

/**
 * Files that are left out, without lists of kustomize in folders around files that are not. A list applies what is below its folder. One list stays in
 * any case: it shows that kustomizations apply files.
 */
function withoutListsOfOthers(
  left: readonly (readonly [string, Outline])[], states: readonly ReadonlyMap<string, ManifestFile>[],
): readonly (readonly [string, Outline])[] {
  const places = new Set(left.map(([place]) => place));
  const folders = new Set<string>();
  for (const place of states.flatMap((files) => [...files.keys()])) {
    if (places.has(place)) continue;
    for (let at = path.posix.dirname(place); !folders.has(at); at = path.posix.dirname(at)) folders.add(at);
  }
  const first = left.find(([, { entries }]) => entries)?.[0];
  return left.filter(([place, { entries }]) => !entries || (place !== first && !folders.has(path.posix.dirname(place))));
}

/** The API group in the name of a definition: objects of the group may be of the kind. */
function groupIn(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/**
 * The kustomizations of a state.
 *
 * @param files the files of the state, by their paths
 * @param root the folder that was read
 * @param reader reads files
 * @param entriesOf the entries of a list in plain block style; undefined for one that must be parsed
 */
function listTree(
  files: ReadonlyMap<string, ManifestFile>, root: string, reader: StateReader, entriesOf: (place: string) => readonly string[] | undefined,
): KustomizeTree {
  const lists = [...files].filter(([place]) => KUSTOMIZATION_FILES.includes(path.posix.basename(place)))
    .map(([place, file]) => ({ place, file, resources: entriesOf(place) }));
  const parsed = reader.read(lists.filter(({ resources }) => !resources).map(({ file }) => file)).kustomizations;
  return new KustomizeTree([
    ...lists.flatMap(({ place, resources }) => (resources ? [{ file: place, value: { resources }, isPlain: true }] : [])),
    ...parsed.map((one) => ({ ...one, file: pathWithin({ root }, one.file) })),
  ]);
}

/** Entries that a list of kustomize in plain block style names; undefined for other files. */
function listEntries(text: string): string[] | undefined {
  return LIST.test(text) ? [...text.matchAll(ENTRY)].map(([, entry]) => entry) : undefined;
}

/** The clusters that objects of files are or name. */
function clustersIn(files: Iterable<ManifestFile>, reader: StateReader): ReadonlySet<string> {
  const reading = new Outlines(new Set());
  const outlines = [...files].map((file) => [file, reading.of(file)] as const);
  const { objects } = reader.read(outlines.flatMap(([file, outline]) => (outline ? [] : [file])));
  const written = objects.map(({ object }) => object);
  return new Set([
    ...outlines.flatMap(([, outline]) => outline?.objects.flatMap(({ cluster }) => cluster ?? []) ?? []),
    ...[...knownClusters(written, new ManifestIndex(written)).values()].map(({ id }) => id),
  ]);
}

/** The lines that the files of one state have, and those of the other one do not. */
function changedLines(states: readonly (readonly ManifestFile[])[]): string[] {
  const [before, after] = states.map((files) => new Set(files.flatMap(({ bytes }) => bytes.toString('latin1').split('\n'))));
  return [...[...before].filter((line) => !after.has(line)), ...[...after].filter((line) => !before.has(line))];
}

/** The files and folders that lists of kustomize name in one of two states only. */
function listChanges(states: readonly PlacedObjects[], roots: readonly StateFiles[]): string[] {
  const [before, after] = states.map(({ kustomizations }, index) => new Set(kustomizations.flatMap(({ file, value }) => (
    stringsAt(value, 'resources').map(([entry]) => path.posix.join(path.posix.dirname(pathWithin(roots[index], file)), entry).replace(/\/$/, ''))))));
  return [...[...before].filter((entry) => !after.has(entry)), ...[...after].filter((entry) => !before.has(entry))];
}

/**
 * The namespaces in which something differs; undefined where a difference concerns others, too.
 *
 * @param states what differs, before and after
 * @param listed files and folders that are applied in one state only
 * @param same files that are the same, by their paths
 */
function touchedNamespaces(
  states: readonly PlacedObjects[], listed: readonly string[], same: ReadonlyMap<string, ManifestFile>,
): ReadonlySet<string> | undefined {
  const namespaces = new Set<string>();
  const none = new ManifestIndex([]);
  const outlines = new Outlines(namespaces);
  if (!states.every(({ kustomizations }) => kustomizations.every(({ value }) => isPlainListing(value)))) return undefined;
  for (const [place, file] of listed.length === 0 ? [] : same) {
    if (!listed.some((entry) => place === entry || place.startsWith(`${entry}/`))) continue;
    const outline = outlines.of(file);
    if (!outline || outline.objects.some(({ namespace }) => namespace === undefined)) return undefined;
    outline.objects.forEach(({ namespace }) => namespaces.add(namespace!));
  }
  if (states.some(({ unread, charts, faults }) => unread.length + charts.length + faults.length > 0)) return undefined;
  const [olds, news] = states.map(({ objects }) => (
    new Map(objects.filter(({ pack }) => !pack).map(({ object }) => [JSON.stringify(object), object]))));
  // A file that differs has objects that do not.
  for (const object of [...[...olds].filter(([text]) => !news.has(text)), ...[...news].filter(([text]) => !olds.has(text))].map(([, one]) => one)) {
    const namespace = namespaceOf(object);
    if (namespace === undefined || isApplying(groupKind(object)) || componentsIn(object, none).length > 0) return undefined;
    namespaces.add(namespace);
  }
  return namespaces;
}

/** True if what applies folders changes nothing of what it applies. */
function isUniform({ objects, kustomizations, charts }: PlacedObjects): boolean {
  const index = new ManifestIndex(objects.map(({ object }) => object));
  const isRewriting = (object: ManifestObject) => {
    const facts = deliveryFacts(object);
    return facts?.rewrites?.(object, index) !== undefined || facts?.kustomizes?.(object) !== undefined;
  };
  return charts.length === 0 && kustomizations.every(({ value }) => isPlainListing(value)) && !objects.some(({ object }) => isRewriting(object));
}

function isPlainListing(kustomization: Fields): boolean {
  return Object.keys(kustomization).every((field) => ['apiVersion', 'kind', 'metadata', 'resources'].includes(field));
}

/** True if objects of a kind apply folders. */
function isApplying(kind: string): boolean {
  return providers().some(({ deliveries = [] }) => deliveries.some((delivery) => delivery.folders !== undefined && delivery.kind === kind));
}

const NAME = /[A-Za-z0-9][\w.-]*/g;

/** An object as its lines show it. */
interface OutlinedObject {
  /** `group/Kind`. */
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;

  /** The cluster that it is or names, as `namespace/name`. */
  readonly cluster?: string;
}

/** Content of a file, as its lines show it. */
interface Outline {
  readonly objects: readonly OutlinedObject[];

  /** True if one of the namespaces that are touched is named somewhere. */
  readonly namesTouched: boolean;

  /**
   * Files and folders below its own that the file lists for kustomize, if it does nothing else.
   *
   * @default - the file is no such list
   */
  readonly entries?: readonly string[];
}

/** A list of kustomize, as programs write it. */
const LIST = /^apiVersion: kustomize\.config\.k8s\.io\/v1(?:alpha1|beta1)\nkind: Kustomization\nresources:\n( *)- [\w./-]+\n(?:\1- [\w./-]+\n)*$/;
const ENTRY = /- (.+)/g;

/** Lines at the beginning of which something else stands than a field, and characters that may change what lines are. */
const STRANGE = /^(?![A-Za-z]+:(?: |$)|[ #]|---$|$)|[\r\t\x80-\xff]/m;
const VERSION = /^apiVersion: (?:([a-z0-9.-]+)\/)?v\w+$/m;
const KIND = /^kind: ([A-Za-z]+)$/m;
const METADATA = /^metadata:\n((?: .*(?:\n|$)|\n)+)/m;
const OWN_NAME = /^ {2}name: ([a-z0-9.-]+)$/m;
const OWN_NAMESPACE = /^ {2}namespace: ([a-z0-9-]+)$/m;
const CLUSTER_LABEL = new RegExp(`^ {4}${CLUSTER_NAME_LABEL.replaceAll('.', '\\.')}: ([a-z0-9.-]+)$`, 'm');
const CLUSTER_FIELD = /^ {2}clusterName: ([a-z0-9.-]+)$/m;

function isNamed(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

/** Contents of files, as their lines show them. */
class Outlines {
  private readonly kinds = clusterKinds();
  private readonly strings = new Map<string, string>();

  /** @param touched the namespaces in which something differs */
  public constructor(private readonly touched: ReadonlySet<string>) {}

  /**
   * Outline of a file in plain block style, as programs write it; undefined for a file that must be parsed.
   *
   * @param file the file
   * @param isThere finds the files and folders that a list of kustomize names; without it, a list must be parsed
   */
  public of({ bytes }: ManifestFile, isThere?: (entry: string) => boolean): Outline | undefined {
    const text = bytes.toString('latin1');
    const entries = isThere && listEntries(text);
    if (entries) {
      const isList = entries.every((entry) => plainValue(entry) === entry && !entry.split('/').includes('..') && isThere(entry));
      return isList ? { objects: [], namesTouched: false, entries } : undefined;
    }
    if (STRANGE.test(text)) return undefined;
    const found: OutlinedObject[] = [];
    for (const document of text.split(/^---$/m)) {
      if (document.trim() === '') continue;
      const object = this.objectIn(document);
      if (!object) return undefined;
      found.push(object);
    }
    return { objects: found, namesTouched: [...this.touched].some((name) => isNamed(name, text)) };
  }

  private objectIn(document: string): OutlinedObject | undefined {
    const [version, ownKind, metadata] = [VERSION, KIND, METADATA].map((pattern) => pattern.exec(document));
    const name = OWN_NAME.exec(metadata?.[1] ?? '')?.[1];
    if (!version || !ownKind || name === undefined) return undefined;
    const kind = this.held(`${version[1] ?? ''}/${ownKind[1]}`);
    const namespace = OWN_NAMESPACE.exec(metadata![1])?.[1];
    const isWhole = this.kinds.includes(kind) && !document.includes('ownerReferences:');
    const cluster = isWhole ? name : knownKind(kind)?.besideController ? undefined
      : (version[1] === 'cluster.x-k8s.io' ? CLUSTER_FIELD.exec(document)?.[1] : undefined) ?? CLUSTER_LABEL.exec(metadata![1])?.[1];
    return {
      kind,
      namespace: namespace === undefined ? undefined : this.held(namespace),
      name: this.held(name),
      cluster: cluster === undefined || namespace === undefined ? undefined : this.held(`${namespace}/${cluster}`),
    };
  }

  /** A string that is no part of the text of a file, which it would hold in memory. */
  private held(part: string): string {
    const known = this.strings.get(part);
    if (known !== undefined) return known;
    const own = ownText(part);
    this.strings.set(own, own);
    return own;
  }
}
