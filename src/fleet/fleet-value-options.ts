import { Size } from 'cdk8s';

/** How a text of a cluster is read. */
export interface FleetTextOptions {
  /**
   * What holds where nobody says anything.
   *
   * @default - somebody has to say it (`TC-FLEET-MISSING`)
   */
  readonly default?: string;

  /**
   * The only texts that are accepted (`TC-FLEET-VALUE`).
   *
   * @default - any
   */
  readonly oneOf?: string[];
}

/** How a list of texts of a cluster is read. */
export interface FleetTextsOptions {
  /**
   * What holds where nobody says anything.
   *
   * @default - somebody has to say it (`TC-FLEET-MISSING`)
   */
  readonly default?: string[];

  /**
   * The only texts that are accepted (`TC-FLEET-VALUE`).
   *
   * @default - any
   */
  readonly oneOf?: string[];
}

/** How a whole number of a cluster is read. */
export interface FleetIntegerOptions {
  /**
   * What holds where nobody says anything.
   *
   * @default - somebody has to say it (`TC-FLEET-MISSING`)
   */
  readonly default?: number;

  /**
   * The smallest that is accepted (`TC-FLEET-VALUE`).
   *
   * @default 0
   */
  readonly min?: number;

  /**
   * The largest that is accepted (`TC-FLEET-VALUE`).
   *
   * @default - any
   */
  readonly max?: number;
}

/** How a flag of a cluster is read. */
export interface FleetFlagOptions {
  /**
   * What holds where nobody says anything.
   *
   * @default - somebody has to say it (`TC-FLEET-MISSING`)
   */
  readonly default?: boolean;
}

/** How a size of a cluster is read. */
export interface FleetSizeOptions {
  /**
   * What holds where nobody says anything.
   *
   * @default - somebody has to say it (`TC-FLEET-MISSING`)
   */
  readonly default?: Size;
}

/** How ranges of addresses of a cluster are read. */
export interface FleetCidrsOptions {
  /**
   * What holds where nobody says anything.
   *
   * @default - somebody has to say it (`TC-FLEET-MISSING`)
   */
  readonly default?: string[];
}
