import { DefinedKind } from './defined-kind';
import { FileKind, FileNode, KindScope, KindStructure, KUBERNETES_GROUPS, StructureFile } from './kind-structure';
import { ManifestObject } from '../../objects/manifest-object';
import { nodeOf, SchemaNode } from '../../schema/schema-node';
import { packageFile, packageFilesIn } from '../../values/package-files';

/** Kubernetes' own kinds, by API group: `data/schemas/kubernetes.json`. They share most of what they hold, such as pods. */
interface KubernetesFile {
  /** Project and release that the kinds are from. */
  readonly release: string;

  /** The kinds of each group, their versions from alpha to stable. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, Omit<FileKind, 'release'>>>>>;
  readonly nodes: readonly FileNode[];
}

/** The folder of the package with a file for each API group. */
const STRUCTURES = 'data/schemas';

/** The folder of the package with definitions of kinds that the library writes no rules about: a file for each API group. */
const DEFINITIONS = 'data/definitions';

/** Definitions of one API group, without prose: `data/definitions/<group>.json`, a row for each of them. */
export type DefinitionsFile = readonly PackagedDefinition[];

/** A definition that is part of the package. */
export interface PackagedDefinition {
  /** The kind: the first field of a row. */
  readonly kind: string;

  /** Project and release that the definition is from. */
  readonly release: string;

  readonly definition: ManifestObject;
}

/** Beginning of a row of a file of definitions. */
const ROW = /^ {2}\{"kind":"(\w+)"/;

/** File of Kubernetes' own kinds, of all groups. */
const KUBERNETES = 'kubernetes.json';

const groups = new Map<string, ReadonlyMap<string, KindStructure>>();
const definitions = new Map<string, PackagedDefinitions>();
let files: ReadonlySet<string> | undefined;
let definitionFiles: ReadonlySet<string> | undefined;

/** Kinds that definitions bring, by API group and kind: a cluster with these definitions has them, also where the library knows another release. */
export interface DefinedKinds {
  readonly groups: readonly string[];

  /** The kind, if API servers accept its definition. */
  find(group: string, kind: string): KindStructure | undefined;

  /** All kinds of a group; undefined for a group that none is in. */
  ofGroup(group: string): ReadonlyMap<string, KindStructure> | undefined;
}

let defined: DefinedKinds | undefined;

/** Runs something that knows the kinds of definitions. */
export function withDefinedKinds<T>(kinds: DefinedKinds, run: () => T): T {
  const around = defined;
  defined = kinds;
  try {
    return run();
  } finally {
    defined = around;
  }
}

/**
 * The structure of a kind; undefined for one that is not known. The file of an API group is read when the first of its kinds is asked
 * for, and once per process; that of Kubernetes' own groups is one.
 *
 * @param group the API group
 * @param kind the kind
 */
export function structureOf(group: string, kind: string): KindStructure | undefined {
  return defined?.find(group, kind) ?? packagedStructures(group)?.get(kind) ?? packagedDefinitions(group)?.find(kind);
}

/**
 * The structures of all kinds of an API group that have one.
 *
 * @param group the API group
 */
export function structuresOf(group: string): readonly KindStructure[] {
  return [...kindNamesOf(group) ?? []].map((kind) => structureOf(group, kind)!);
}

/**
 * The names of the kinds of an API group that have a structure; undefined for a group that has none.
 *
 * @param group the API group
 */
export function kindNamesOf(group: string): ReadonlySet<string> | undefined {
  const sources = [packagedDefinitions(group)?.names, packagedStructures(group)?.keys(), defined?.ofGroup(group)?.keys()];
  return sources.every((names) => names === undefined) ? undefined : new Set(sources.flatMap((names) => [...names ?? []]));
}

/** Definitions of an API group that are part of the package. Each is parsed at first use: most of them are of providers that are not there. */
class PackagedDefinitions {
  private readonly rows = new Map<string, string>();
  private readonly kinds = new Map<string, DefinedKind>();

  public constructor(private readonly group: string) {
    for (const row of packageFile(`${DEFINITIONS}/${group}.json`).split('\n')) {
      const kind = ROW.exec(row)?.[1];
      if (kind !== undefined) this.rows.set(kind, row);
    }
  }

  public get names(): Iterable<string> {
    return this.rows.keys();
  }

  public find(kind: string): DefinedKind | undefined {
    const row = this.rows.get(kind);
    let found = this.kinds.get(kind);
    if (found || row === undefined) return found;
    const { release, definition } = JSON.parse(row.replace(/,$/, '')) as PackagedDefinition;
    found = new DefinedKind(this.group, kind, definition, release);
    this.kinds.set(kind, found);
    return found;
  }
}

/** The definitions of an API group that are part of the package. */
function packagedDefinitions(group: string): PackagedDefinitions | undefined {
  if (!definitionGroups().has(group)) return undefined;
  let found = definitions.get(group);
  if (!found) definitions.set(group, found = new PackagedDefinitions(group));
  return found;
}

/** The structures of the kinds of an API group that are part of the package. */
function packagedStructures(group: string): ReadonlyMap<string, KindStructure> | undefined {
  const known = groups.get(group);
  // Only files of known groups are read: the group comes from an untrusted manifest.
  if (known || !(KUBERNETES_GROUPS.has(group) || packagedGroups().has(group))) return known;
  if (KUBERNETES_GROUPS.has(group)) readKubernetes();
  else groups.set(group, readGroup(group));
  return groups.get(group);
}

/** The API groups that custom resource definitions have brought structures of. */
export function definedGroups(): ReadonlySet<string> {
  return new Set([...packagedGroups(), ...definitionGroups(), ...defined?.groups ?? []]);
}

function packagedGroups(): ReadonlySet<string> {
  return files ??= new Set(groupsIn(STRUCTURES).filter((name) => `${name}.json` !== KUBERNETES));
}

function definitionGroups(): ReadonlySet<string> {
  return definitionFiles ??= new Set(groupsIn(DEFINITIONS));
}

function groupsIn(folder: string): string[] {
  return packageFilesIn(folder).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
}

/** The kinds of one file, with positions replaced by what stands there. */
export function kindsOf(group: string, file: StructureFile): ReadonlyMap<string, KindStructure> {
  const nodes = new LinkedNodes(file.nodes);
  return new Map(Object.entries(file.kinds).map(([kind, fileKind]) => [kind, new FiledKind(group, kind, fileKind, nodes)]));
}

/** A kind whose schema is linked at first use: most kinds of a file are never used. */
class FiledKind implements KindStructure {
  private linked?: ReadonlyMap<string, SchemaNode>;

  public readonly release: string;
  public readonly plural: string;
  public readonly scope: KindScope;

  public constructor(
    public readonly group: string, public readonly kind: string, private readonly file: FileKind, private readonly nodes: LinkedNodes,
  ) {
    this.release = file.release;
    this.plural = file.plural;
    this.scope = file.scope;
  }

  public get versions(): ReadonlyMap<string, SchemaNode> {
    this.linked ??= new Map(Object.entries(this.file.versions).map(([version, root]) => [version, this.nodes.at(root)]));
    return this.linked;
  }
}

function readGroup(group: string): ReadonlyMap<string, KindStructure> {
  return kindsOf(group, readJson(`${group}.json`) as StructureFile);
}

function readKubernetes(): void {
  const { release, groups: all, nodes } = readJson(KUBERNETES) as KubernetesFile;
  const linked = new LinkedNodes(nodes);
  for (const [group, kinds] of Object.entries(all)) {
    groups.set(group, new Map(Object.entries(kinds).map(([kind, fileKind]) => [kind, new FiledKind(group, kind, { release, ...fileKind }, linked)])));
  }
}

function readJson(file: string): unknown {
  return JSON.parse(packageFile(`${STRUCTURES}/${file}`));
}

/** The nodes of a file, each of which is linked with what lies inside it when it is first asked for. */
class LinkedNodes {
  private readonly linked = new Map<number, SchemaNode>();

  public constructor(private readonly nodes: readonly FileNode[]) {}

  public at(position: number): SchemaNode {
    const known = this.linked.get(position);
    if (known) return known;
    const { fields, values, items, ...limits } = this.nodes[position];
    const node = nodeOf({
      ...limits,
      fields: fields && new Map(Object.entries(fields).map(([name, inside]) => [name, this.at(inside)])),
      values: values === undefined ? undefined : this.at(values),
      items: items === undefined ? undefined : this.at(items),
    });
    this.linked.set(position, node);
    return node;
  }
}
