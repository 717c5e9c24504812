import TABLE from '../../../../data/api.json';

/**
 * A type as a string: `string`, `number`, `boolean`, `any`, `object`, the name of a type, `[T]` for a list, `{T}` for an object with values of
 * a type. A `?` at the end makes it optional, `...` at the beginning variadic.
 */
export type TypeText = string;

/** Values by name, in their order. */
export type Shape = Readonly<Record<string, TypeText>>;

/** Parameters of a method. */
export interface MethodShape {
  readonly takes: Shape;

  /** The type that a static method returns. */
  readonly gives?: TypeText;
}

/** Calls that a class has. */
export interface ClassShape {
  /** Namespace of the package that exports it. Default: the package itself. */
  readonly namespace?: string;

  /** Name of the class that it extends. */
  readonly base?: string;

  /** Names of interfaces that are no structs. */
  readonly interfaces?: readonly string[];

  readonly abstract?: boolean;

  /** Parameters of the constructor; undefined if there is no public one. */
  readonly takes?: Shape;

  readonly statics?: Readonly<Record<string, MethodShape>>;
  readonly methods?: Readonly<Record<string, MethodShape>>;
}

/** The public types of the package, without those that are generated from schemas. */
export interface ApiTable {
  readonly classes: Readonly<Record<string, ClassShape>>;

  /** Properties, those of bases too. */
  readonly structs: Readonly<Record<string, Shape>>;

  /** Methods and properties that an object must have. */
  readonly interfaces: Readonly<Record<string, readonly string[]>>;

  /** Values by the names of members. */
  readonly enums: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}

/** The public types of the package. */
export const API: ApiTable = TABLE as unknown as ApiTable;
