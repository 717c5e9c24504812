import { nodeOf, SchemaNode, ValueLimits } from '../../schema/schema-node';
import { packageFile, packageFilesIn } from '../../values/package-files';

/** API groups of Kubernetes itself (kubernetes/kubernetes staging/src/k8s.io/api, apiextensions-apiserver, kube-aggregator). */
export const KUBERNETES_GROUPS: ReadonlySet<string> = new Set([
  '', 'admissionregistration.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io', 'apps', 'authentication.k8s.io', 'authorization.k8s.io',
  'autoscaling', 'batch', 'certificates.k8s.io', 'coordination.k8s.io', 'discovery.k8s.io', 'events.k8s.io', 'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io', 'node.k8s.io', 'policy', 'rbac.authorization.k8s.io', 'resource.k8s.io', 'scheduling.k8s.io', 'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** A node of a schema as it is written: what lies inside stands earlier in the same file, and is named by its position there. */
export interface FileNode extends ValueLimits {
  /** Fields of a map, by name. */
  readonly fields?: Readonly<Record<string, number>>;

  /** Values of a map with keys of any name. */
  readonly values?: number;

  /** Entries of a list. */
  readonly items?: number;
}

/** Scope of the objects of a kind. */
export type KindScope = 'Namespaced' | 'Cluster';

/** Definition of one kind. */
export interface FileKind {
  /** Project and release that the definition is from. */
  readonly release: string;

  /** Name of the kind in URLs and roles. */
  readonly plural: string;

  readonly scope: KindScope;

  /** The versions that a server with this release serves, and the node that describes their objects. */
  readonly versions: Readonly<Record<string, number>>;
}

/** The kinds of one API group: `data/schemas/<group>.json`. Equal parts of schemas are written once. */
export interface StructureFile {
  readonly kinds: Readonly<Record<string, FileKind>>;
  readonly nodes: readonly FileNode[];
}

/** Kubernetes' own kinds, by API group: `data/schemas/kubernetes.json`. They share most of what they hold, such as pods. */
interface KubernetesFile {
  /** Project and release that the kinds are from. */
  readonly release: string;

  /** The kinds of each group, their versions from alpha to stable. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, Omit<FileKind, 'release'>>>>>;
  readonly nodes: readonly FileNode[];
}

/** What the objects of one kind look like, in each version that is served. */
export interface KindStructure {
  /** The API group. */
  readonly group: string;

  readonly kind: string;

  /** Project and release that the structure is from. */
  readonly release: string;

  /** Name of the kind in URLs and roles. */
  readonly plural: string;

  readonly scope: KindScope;

  /** The root of every version that is served, by version. */
  readonly versions: ReadonlyMap<string, SchemaNode>;

  /**
   * Other definitions of the kind: the cluster has one of them.
   *
   * @default - there is one definition
   */
  readonly others?: readonly KindStructure[];
}

/** The folder of the package with a file for each API group. */
const STRUCTURES = 'data/schemas';

/** File of Kubernetes' own kinds, of all groups. */
const KUBERNETES = 'kubernetes.json';

const groups = new Map<string, ReadonlyMap<string, KindStructure>>();
let files: ReadonlySet<string> | undefined;

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
  return defined?.find(group, kind) ?? packagedStructures(group)?.get(kind);
}

/**
 * The structures of all kinds of an API group that have one; undefined for a group that has none.
 *
 * @param group the API group
 */
export function structuresOf(group: string): ReadonlyMap<string, KindStructure> | undefined {
  const [packaged, own] = [packagedStructures(group), defined?.ofGroup(group)];
  return packaged && own ? new Map([...packaged, ...own]) : own ?? packaged;
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
  return defined ? new Set([...packagedGroups(), ...defined.groups]) : packagedGroups();
}

function packagedGroups(): ReadonlySet<string> {
  files ??= new Set(packageFilesIn(STRUCTURES).filter((name) => name.endsWith('.json') && name !== KUBERNETES).map((name) => name.slice(0, -'.json'.length)));
  return files;
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
