import { Size } from 'cdk8s';
import { fitting, FleetManagementCluster, FleetManagementClusterOptions, nameOf } from './fleet-management-cluster';
import { ListedCluster, ListedValues, Place } from './listed-cluster';
import { readCidrs, readFlag, readInteger, readSize, readString, readStrings, ValueReader } from './value-reader';
import { dataStoreNames } from '../../contracts/capabilities/data-store-limits';
import { IManagementCluster, ImportedManagementCluster } from '../../contracts/capabilities/management-cluster';
import { Hibernation } from '../../contracts/cluster-context';
import { Versions } from '../../contracts/versions';

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

/** The fields of a cluster that are known before its profile runs. */
export interface FleetClusterFacts {
  readonly name: string;
  readonly namespace: string;
  readonly profile: string;
  readonly ring?: string;
  readonly region?: string;
  readonly network?: string;
  readonly labels: { readonly [key: string]: string };
  readonly kubernetesVersion: string;
  readonly versions?: Versions;
  readonly decommission: boolean;
  readonly hibernation?: Hibernation;
}

/**
 * The values of one cluster, from the list, the overrides and its ring. Input of a profile.
 *
 * The lookup order is: the entry of the list, the overrides for the cluster (the last one first), the ring, the default of the read. A
 * faulty or missing value is reported with file and line at synthesis. Until then a placeholder replaces it, so that all other values can
 * be checked in the same run.
 *
 * Rules: `TC-FLEET-VALUE`, `TC-FLEET-MISSING`.
 */
export class FleetCluster {
  /** @internal */
  public static _of(facts: FleetClusterFacts, { place, values }: ListedCluster, reader: ValueReader): FleetCluster {
    return new FleetCluster(facts, place, values, reader);
  }

  /** Name of the cluster. */
  public readonly name: string;

  /** Namespace in the management cluster. */
  public readonly namespace: string;

  /** Name of the profile. */
  public readonly profile: string;

  /**
   * Name of the ring.
   *
   * @default - the fleet has no rings
   */
  public readonly ring?: string;

  /**
   * Name of the region.
   *
   * @default - none
   */
  public readonly region?: string;

  /**
   * Name of the network that routes the ranges of several clusters.
   *
   * @default - none
   */
  public readonly network?: string;

  /** Labels of the list. */
  public readonly labels: { [key: string]: string };

  /** Kubernetes version of the cluster or of its ring, without a leading `v`: `1.35.4`. */
  public readonly kubernetesVersion: string;

  /**
   * The catalog of versions that the list names.
   *
   * @default - the list does not set it
   */
  public readonly versions?: Versions;

  /** True if the cluster is decommissioned. */
  public readonly decommission: boolean;

  /**
   * Hibernation of the cluster.
   *
   * @default - the list does not set it
   */
  public readonly hibernation?: Hibernation;

  /** @internal */
  public readonly _place: Place;

  /**
   * The values in the list.
   *
   * @internal
   */
  public readonly _listed: ListedValues;

  /** @internal */
  public readonly _reader: ValueReader;

  private constructor(facts: FleetClusterFacts, place: Place, listed: ListedValues, reader: ValueReader) {
    this._place = place;
    this._listed = listed;
    this._reader = reader;
    this.name = facts.name;
    this.namespace = facts.namespace;
    this.profile = facts.profile;
    this.ring = facts.ring;
    this.region = facts.region;
    this.network = facts.network;
    this.labels = { ...facts.labels };
    this.kubernetesVersion = facts.kubernetesVersion;
    this.versions = facts.versions;
    this.decommission = facts.decommission;
    this.hibernation = facts.hibernation;
  }

  /**
   * True if a value is set. The value then counts as read.
   *
   * @param key name of the column; for a nested value, with dots: `pool.size`
   */
  public has(key: string): boolean {
    return this._reader.find(key) !== undefined;
  }

  /**
   * Reads a string.
   *
   * @param key name of the column
   * @param options default and accepted values
   */
  public text(key: string, options: FleetTextOptions = {}): string {
    return this._reader.value(key, (value) => readString(value, options.oneOf), options.default, options.oneOf?.[0] ?? 'unknown');
  }

  /**
   * Reads a list of strings: a list in YAML, JSON or code, or a string with semicolons as separators.
   *
   * @param key name of the column
   * @param options default and accepted values
   */
  public texts(key: string, options: FleetTextsOptions = {}): string[] {
    return this._reader.value(key, (value) => readStrings(value, options.oneOf), options.default, []);
  }

  /**
   * Reads a whole number.
   *
   * @param key name of the column
   * @param options default and accepted values
   */
  public integer(key: string, options: FleetIntegerOptions = {}): number {
    return this._reader.value(key, (value) => readInteger(value, options), options.default, options.min ?? 1);
  }

  /**
   * Reads `true` or `false`.
   *
   * @param key name of the column
   * @param options default and accepted values
   */
  public flag(key: string, options: FleetFlagOptions = {}): boolean {
    return this._reader.value(key, readFlag, options.default, false);
  }

  /**
   * Reads a size such as `16Gi`: a positive whole number with the unit Ki, Mi, Gi, Ti or Pi.
   *
   * @param key name of the column
   * @param options default and accepted values
   */
  public size(key: string, options: FleetSizeOptions = {}): Size {
    return this._reader.value(key, readSize, options.default, Size.gibibytes(1));
  }

  /**
   * Reads the name of a DataStore of the management cluster, for `dataStore` of the control plane. If the management cluster has several,
   * the list must name one for each cluster, so that none moves when the list or the data stores change. Where it does not, synthesis
   * names the DataStore with the most room.
   *
   * Rules: `TC-FLEET-DATA-STORE`, `TC-FLEET-VALUE`, `TC-MANAGEMENT-DATA-STORE-FULL`.
   *
   * @param key name of the column
   * @param management the management cluster, whose capabilities name the DataStores and their limits
   */
  public dataStore(key: string, management: IManagementCluster): string {
    const { capabilities } = management;
    const names = dataStoreNames(capabilities);
    const isSet = this.has(key);
    const only = names.length < 2 ? names[0] : undefined;
    const dataStore = isSet || only !== undefined ? this.text(key, { default: only, oneOf: names.length > 0 ? names : undefined }) : undefined;
    this._reader.place({ key, management: capabilities, dataStore });
    return dataStore ?? 'unknown';
  }

  /**
   * Reads the name of a management cluster, for `managementCluster`. If several have the labels, the list must name one for each cluster, so
   * that no cluster changes it with the list: clusters move by steps of their own. Where it does not, synthesis names one in which the
   * cluster fits, by `maxClusters` and by what its pools at the largest take of `totalLimit`: the one of whose limits it takes the smallest
   * share. A management cluster without `totalLimit` has no share, and comes before those with one: state it for all of them, or `maxClusters`.
   *
   * Rules: `TC-FLEET-MANAGEMENT-CLUSTER`, `TC-FLEET-MANAGEMENT-CLUSTER-FULL`, `TC-FLEET-VALUE`.
   *
   * @param key name of the column
   * @param offered the management clusters, each with a name
   * @param options labels that it must have
   */
  public managementCluster(key: string, offered: FleetManagementCluster[], options: FleetManagementClusterOptions = {}): IManagementCluster {
    const { labels = {} } = options;
    const chosen = fitting(offered, labels);
    const only = chosen.length === 1 ? nameOf(chosen[0]) : undefined;
    const isKnown = chosen.length > 0 && (this.has(key) || only !== undefined);
    const name = isKnown ? this.text(key, { default: only, oneOf: chosen.map(nameOf) }) : undefined;
    this._reader.placeIn({ key, offered: chosen, labels, name });
    return (chosen.find((one) => nameOf(one) === name) ?? offered[0])?.cluster ?? new ImportedManagementCluster({});
  }

  /**
   * Reads CIDR blocks such as `10.40.0.0/16`: a list in YAML, JSON or code, or a string with semicolons as separators.
   *
   * @param key name of the column
   * @param options default and accepted values
   */
  public cidrs(key: string, options: FleetCidrsOptions = {}): string[] {
    return this._reader.value(key, readCidrs, options.default, []);
  }
}
