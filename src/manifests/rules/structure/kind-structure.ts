import { SchemaNode, ValueLimits } from '../../schema/schema-node';

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

/** Structure of the objects of one kind, in each version that is served. */
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
   * Project and release, if the definition is part of the package, and clusters may have that of another release.
   *
   * @default - clusters have this one
   */
  readonly packaged?: string;

  /**
   * Other definitions of the kind: the cluster has one of them.
   *
   * @default - there is one definition
   */
  readonly others?: readonly KindStructure[];
}
