/** What a printer column shows. */
export enum PrinterColumnType {
  /** A whole number. */
  INTEGER = 'integer',

  /** A number. */
  NUMBER = 'number',

  /** Text. */
  STRING = 'string',

  /** True or false. */
  BOOLEAN = 'boolean',

  /** A time, shown as what has passed since. */
  DATE = 'date',
}

/** A column that `kubectl get` shows. */
export interface PrinterColumn {
  /** Heading of the column (`TC-ADMIT-FIELD-VALUE`). */
  readonly name: string;

  /** What the column shows. */
  readonly type: PrinterColumnType;

  /**
   * Where the value is, as a JSON path that starts with a dot, e.g. `.spec.replicas` or `.status.conditions[?(@.type=="Ready")].status`
   * (`TC-CRD-COLUMN`).
   */
  readonly jsonPath: string;

  /**
   * What the column means.
   *
   * @default - no description
   */
  readonly description?: string;

  /**
   * Format of the value for programs, e.g. `int32`, `date-time`.
   *
   * @default - none
   */
  readonly format?: string;

  /**
   * 0 for a column that is always there, more for one that only `-o wide` shows.
   *
   * @default 0
   */
  readonly priority?: number;
}
