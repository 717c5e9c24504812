/**
 * The type of a value, as schemas name it; `int-or-string` is their `x-kubernetes-int-or-string`. A `quantity` is one of Kubernetes' own kinds:
 * a number, or the text of a quantity.
 */
export type ValueType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'quantity';

/** What a schema demands of one value, without the values inside it. */
export interface ValueLimits {
  /** Its type; without one it may be anything. */
  readonly type?: ValueType;

  /** Whether it may be null. Where it may not, the server takes null for a field that is not there. */
  readonly nullable?: true;

  readonly enum?: readonly (string | number | boolean)[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;

  /** Names of the fields that a map must have. */
  readonly required?: readonly string[];

  /** Whether a map may have fields that are not described (`x-kubernetes-preserve-unknown-fields`). */
  readonly open?: true;

  /** Whether a map is an object of Kubernetes itself (`x-kubernetes-embedded-resource`). */
  readonly embedded?: true;

  /** Whether a map is the metadata of an object inside another one, which one of Kubernetes' own kinds describes. */
  readonly metadata?: true;

  /** What the server puts where the field is missing. */
  readonly default?: unknown;

  /** Whether each entry of a list may be there once only (`x-kubernetes-list-type: set`). */
  readonly set?: true;

  /** The fields that tell the entries of a list apart (`x-kubernetes-list-map-keys`). */
  readonly keys?: readonly string[];
}

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

/** The kinds of one API group: `schemas/<group>.json`. Equal parts of schemas are written once. */
export interface StructureFile {
  readonly kinds: Readonly<Record<string, FileKind>>;
  readonly nodes: readonly FileNode[];
}

/** Kubernetes' own kinds, by API group: `schemas/kubernetes.json`. They share most of what they hold, such as pods. */
export interface KubernetesFile {
  /** Project and release that the kinds are from. */
  readonly release: string;

  /** Versions of each kind, from alpha to stable, and the node that describes their objects. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, FileKind['versions']>>>>;
  readonly nodes: readonly FileNode[];
}
