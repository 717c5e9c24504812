import { JsonSchema } from '../../../manifests/schema/json-schema';

/**
 * Merge of a list that several clients write with server-side apply (`TC-CRD-LIST-TYPE`).
 *
 * @example
 * const port = operators.Schema.object({ properties: { name: operators.Schema.string() }, required: ['name'] });
 * const ports = operators.Schema.array(port, { listType: operators.ListType.map('name') });
 */
export class ListType {
  /** The list is replaced as a whole. The API server takes it for lists without a type. */
  public static readonly ATOMIC = new ListType({ 'x-kubernetes-list-type': 'atomic' });

  /** Each entry belongs to the manager that added it, and must be unique. Entries are scalars, or atomic lists or maps. */
  public static readonly SET = new ListType({ 'x-kubernetes-list-type': 'set' });

  /**
   * Entries are objects, told apart by some of their fields.
   *
   * @param keys names of these fields: scalars that are required or have a default
   */
  public static map(...keys: string[]): ListType {
    return new ListType({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] });
  }

  /** @internal */
  public readonly _json: JsonSchema;

  private constructor(json: JsonSchema) {
    this._json = json;
  }
}

/** Merge of objects that several clients write with server-side apply. */
export enum MapType {
  /** Each field belongs to the manager that wrote it. The API server takes it for objects without a type. */
  GRANULAR = 'granular',

  /** The object is replaced as a whole. */
  ATOMIC = 'atomic',
}
