import { ListType, MapType } from './list-type';
import { SchemaValidation } from './schema-validation';

/** Options of the schema of any value. */
export interface SchemaOptions {
  /**
   * Description of the value, as `kubectl explain` shows it.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * True if the value may be `null`. A `null` that is not allowed is dropped by the API server.
   *
   * @default false
   */
  readonly nullable?: boolean;

  /**
   * CEL rules that the value must satisfy (`TC-CRD-VALIDATION`, `TC-CRD-VALIDATION-COST`, `TC-CRD-TRANSITION`).
   *
   * @default - none
   */
  readonly validations?: SchemaValidation[];

  /**
   * Value that the API server writes if the field is missing; it must fit the schema. Entries of lists and maps have none.
   *
   * Rule: `TC-CRD-DEFAULT`.
   *
   * @default - none: a missing field stays missing
   */
  readonly default?: any;
}

/** The schema of text. */
export interface StringSchemaOptions extends SchemaOptions {
  /**
   * The accepted values (`TC-CRD-BOUNDS`).
   *
   * @default - any
   */
  readonly enum?: string[];

  /**
   * Regular expression, in the syntax of Go, that matches somewhere in the text: use `^` and `$` for the whole of it
   * (`TC-CRD-PATTERN`).
   *
   * @default - any text
   */
  readonly pattern?: string;

  /**
   * Least length, in characters (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minLength?: number;

  /**
   * Largest length, in characters (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxLength?: number;

  /**
   * A format that the API server knows, e.g. `date-time`, `ipv4`, `cidr` (`TC-CRD-FORMAT`).
   *
   * @default - none
   */
  readonly format?: string;
}

/** The schema of a number, whole or not. */
export interface NumberSchemaOptions extends SchemaOptions {
  /**
   * The accepted values (`TC-CRD-BOUNDS`).
   *
   * @default - any
   */
  readonly enum?: number[];

  /**
   * Smallest value (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly minimum?: number;

  /**
   * Largest value (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maximum?: number;

  /**
   * True if `minimum` itself is refused.
   *
   * @default false
   */
  readonly exclusiveMinimum?: boolean;

  /**
   * True if `maximum` itself is refused.
   *
   * @default false
   */
  readonly exclusiveMaximum?: boolean;

  /**
   * Number that the value is a multiple of, above 0 (`TC-CRD-BOUNDS`).
   *
   * @default - any
   */
  readonly multipleOf?: number;

  /**
   * Size of the number: `int32` or `int64` for whole ones, `float` or `double` (`TC-CRD-FORMAT`).
   *
   * @default - 64 bits
   */
  readonly format?: string;
}

/** The schema of a list. */
export interface ArraySchemaOptions extends SchemaOptions {
  /**
   * Least number of entries (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minItems?: number;

  /**
   * Largest number of entries (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxItems?: number;

  /**
   * Merge of the list with server-side apply.
   *
   * @default ListType.ATOMIC
   */
  readonly listType?: ListType;
}

/** The schema of an object with keys that the user chooses. */
export interface MapSchemaOptions extends SchemaOptions {
  /**
   * Least number of keys (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minProperties?: number;

  /**
   * Largest number of keys (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxProperties?: number;

  /**
   * Merge of the object with server-side apply.
   *
   * @default MapType.GRANULAR
   */
  readonly mapType?: MapType;
}

/** The schema of a value that is a whole number or text. */
export interface IntOrStringSchemaOptions extends SchemaOptions {
  /**
   * Regular expression, in the syntax of Go, for texts, e.g. `^[0-9]+%$` (`TC-CRD-PATTERN`).
   *
   * @default - any text
   */
  readonly pattern?: string;
}
