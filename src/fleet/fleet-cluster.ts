import { Size } from 'cdk8s';
import {
  FleetCidrsOptions, FleetFlagOptions, FleetIntegerOptions, FleetSizeOptions, FleetTextOptions, FleetTextsOptions,
} from './fleet-value-options';
import { ListedCluster, ListedValues, Place } from './listed-cluster';
import { readCidrs, readFlag, readInteger, readSize, readString, readStrings } from './value-kinds';
import { ValueReader } from './value-reader';

/** What is known of a cluster before its profile is asked. */
export interface FleetClusterFacts {
  readonly name: string;
  readonly namespace: string;
  readonly profile: string;
  readonly ring?: string;
  readonly region?: string;
  readonly network?: string;
  readonly labels: { readonly [key: string]: string };
  readonly kubernetesVersion: string;
  readonly decommission: boolean;
}

/**
 * What a profile is told of one cluster: what the list, the overrides and its ring say.
 *
 * Values are looked up in the entry of the list, then in the overrides for the cluster, the last one first, then in its ring; what nobody says
 * has the default that it is read with. What is wrong with a value is reported with file and line when the app is synthesized
 * (`TC-FLEET-VALUE`, `TC-FLEET-MISSING`); until then there is a placeholder in its place, so that everything else can be looked at as well.
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
   * @default - the list says none
   */
  public readonly region?: string;

  /**
   * Name of the network in which the ranges of several clusters are routed.
   *
   * @default - the list says none
   */
  public readonly network?: string;

  /** Labels of the list. */
  public readonly labels: { [key: string]: string };

  /** Kubernetes version, of its own or of its ring, without a `v` before it: `1.35.4`. */
  public readonly kubernetesVersion: string;

  /** Whether it is taken down. */
  public readonly decommission: boolean;

  /** @internal */
  public readonly _place: Place;

  /**
   * What the list says of the cluster.
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
    this.decommission = facts.decommission;
  }

  /**
   * Whether somebody says a value. A value that was asked for counts as read.
   *
   * @param key name of the column; of a value in a map, with dots: `pool.size`
   */
  public has(key: string): boolean {
    return this._reader.find(key) !== undefined;
  }

  /**
   * Reads a text.
   *
   * @param key name of the column
   * @param options what is accepted
   */
  public text(key: string, options: FleetTextOptions = {}): string {
    return this._reader.value(key, (value) => readString(value, options.oneOf), options.default, options.oneOf?.[0] ?? 'unknown');
  }

  /**
   * Reads a list of texts: a list in YAML, JSON and programs, or a text with semicolons between them.
   *
   * @param key name of the column
   * @param options what is accepted
   */
  public texts(key: string, options: FleetTextsOptions = {}): string[] {
    return this._reader.value(key, (value) => readStrings(value, options.oneOf), options.default, []);
  }

  /**
   * Reads a whole number.
   *
   * @param key name of the column
   * @param options what is accepted
   */
  public integer(key: string, options: FleetIntegerOptions = {}): number {
    return this._reader.value(key, (value) => readInteger(value, options), options.default, options.min ?? 1);
  }

  /**
   * Reads `true` or `false`.
   *
   * @param key name of the column
   * @param options what is accepted
   */
  public flag(key: string, options: FleetFlagOptions = {}): boolean {
    return this._reader.value(key, readFlag, options.default, false);
  }

  /**
   * Reads a size such as `16Gi`: a whole number above 0 with Ki, Mi, Gi, Ti or Pi.
   *
   * @param key name of the column
   * @param options what is accepted
   */
  public size(key: string, options: FleetSizeOptions = {}): Size {
    return this._reader.value(key, readSize, options.default, Size.gibibytes(1));
  }

  /**
   * Reads ranges of addresses such as `10.40.0.0/16`: a list in YAML, JSON and programs, or a text with semicolons between them.
   *
   * @param key name of the column
   * @param options what is accepted
   */
  public cidrs(key: string, options: FleetCidrsOptions = {}): string[] {
    return this._reader.value(key, readCidrs, options.default, []);
  }
}
