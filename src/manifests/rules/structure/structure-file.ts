import { ValueLimits } from '../../schema/schema-node';

/** A node of a schema as it is written: what lies inside stands earlier in the same file, and is named by its position there. */
export interface FileNode extends ValueLimits {
  /** Fields of a map, by name. */
  readonly fields?: Readonly<Record<string, number>>;

  /** Values of a map with keys of any name. */
  readonly values?: number;

  /** Entries of a list. */
  readonly items?: number;
}

/** What is known of one kind. */
export interface FileKind {
  /** Project and release that the definition is from. */
  readonly release: string;

  /** The versions that a server with this release serves, and the node that describes their objects. */
  readonly versions: Readonly<Record<string, number>>;
}

/** The kinds of one API group: `data/schemas/<group>.json`. Equal parts of schemas are written once. */
export interface StructureFile {
  readonly kinds: Readonly<Record<string, FileKind>>;
  readonly nodes: readonly FileNode[];
}

/** Kubernetes' own kinds, by API group: `data/schemas/kubernetes.json`. They share most of what they hold, such as pods. */
export interface KubernetesFile {
  /** Project and release that the kinds are from. */
  readonly release: string;

  /** Versions of each kind, from alpha to stable, and the node that describes their objects. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, FileKind['versions']>>>>;
  readonly nodes: readonly FileNode[];
}
