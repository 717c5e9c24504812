/**
 * A type as text: `string`, `number`, `boolean`, `any`, `object`, the name of a type, `[T]` for a list, `{T}` for a map with text keys. A `?` at
 * the end says that the value may be left out, `...` at the beginning that there may be any number of them.
 */
export type TypeText = string;

/** Values by name, in their order. */
export type Shape = Readonly<Record<string, TypeText>>;

/** What a method takes, and what it gives. */
export interface MethodShape {
  readonly takes: Shape;

  /** Nothing is given if undefined. */
  readonly gives?: TypeText;
}

/** What a class can be asked for. */
export interface ClassShape {
  /** Name of the class that it extends. */
  readonly base?: string;

  /** Names of interfaces that are no structs. */
  readonly interfaces?: readonly string[];

  /** True if only classes that extend it have objects. */
  readonly abstract?: boolean;

  /** What the constructor takes; undefined if there is no public one. */
  readonly takes?: Shape;

  readonly statics?: Readonly<Record<string, MethodShape>>;
  readonly methods?: Readonly<Record<string, MethodShape>>;
  readonly properties?: Shape;
}

/** What every public constructor and method takes. */
export interface ApiTable {
  readonly classes: Readonly<Record<string, ClassShape>>;

  /** Properties, those of bases too. */
  readonly structs: Readonly<Record<string, Shape>>;

  /** Methods and properties that an object must have. */
  readonly interfaces: Readonly<Record<string, readonly string[]>>;

  /** Values by the names of members. */
  readonly enums: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}
