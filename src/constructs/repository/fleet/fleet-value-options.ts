import { Size } from 'cdk8s';

/** Options for reading a string. */
export interface FleetTextOptions {
  /**
   * The value if it is unset.
   *
   * @default - the value is required (`TC-FLEET-MISSING`)
   */
  readonly default?: string;

  /**
   * The accepted strings (`TC-FLEET-VALUE`).
   *
   * @default - any
   */
  readonly oneOf?: string[];
}

/** Options for reading a list of strings. */
export interface FleetTextsOptions {
  /**
   * The value if it is unset.
   *
   * @default - the value is required (`TC-FLEET-MISSING`)
   */
  readonly default?: string[];

  /**
   * The accepted strings (`TC-FLEET-VALUE`).
   *
   * @default - any
   */
  readonly oneOf?: string[];
}

/** Options for reading a whole number. */
export interface FleetIntegerOptions {
  /**
   * The value if it is unset.
   *
   * @default - the value is required (`TC-FLEET-MISSING`)
   */
  readonly default?: number;

  /**
   * The smallest accepted number (`TC-FLEET-VALUE`).
   *
   * @default 0
   */
  readonly min?: number;

  /**
   * The largest accepted number (`TC-FLEET-VALUE`).
   *
   * @default - any
   */
  readonly max?: number;
}

/** Options for reading a boolean. */
export interface FleetFlagOptions {
  /**
   * The value if it is unset.
   *
   * @default - the value is required (`TC-FLEET-MISSING`)
   */
  readonly default?: boolean;
}

/** Options for reading a size. */
export interface FleetSizeOptions {
  /**
   * The value if it is unset.
   *
   * @default - the value is required (`TC-FLEET-MISSING`)
   */
  readonly default?: Size;
}

/** Options for reading CIDR blocks. */
export interface FleetCidrsOptions {
  /**
   * The value if it is unset.
   *
   * @default - the value is required (`TC-FLEET-MISSING`)
   */
  readonly default?: string[];
}
