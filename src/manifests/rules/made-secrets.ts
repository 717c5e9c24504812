import { FieldPath } from '../values/fields';

/** A Secret that a controller makes of an object, in its namespace. */
export interface MadeSecret {
  readonly name: string;

  /**
   * True if it is deleted with the object.
   *
   * @default - it stays
   */
  readonly goesAlong?: true;

  /** The field that names it, unless it has the name of the object. */
  readonly field?: FieldPath;

  /** The field with templates of its values, by key. */
  readonly templates?: FieldPath;

  /** Entries of a store, by the names that templates have for them. */
  readonly entries?: ReadonlyMap<string, string>;
}
