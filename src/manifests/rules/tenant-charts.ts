import { StepLimits } from './components';
import { ManifestObject } from '../objects/manifest-object';
import { mergeValues } from '../values/chart-values';
import { fieldAt, FieldPath, Fields, isFields, scalarText } from '../values/fields';

/** Values of a chart that stand in one place, or come from one. */
export interface ValuesLayer {
  /** The field of the delivery. */
  readonly path: FieldPath;

  /** The values; undefined where they are not known. */
  readonly values?: Fields;

  /**
   * True if the field has the values as text, or names their place: findings are about the whole field.
   *
   * @default false - fields below it are values
   */
  readonly isWhole?: boolean;
}

/** Stands for a part of a value that only a controller fills in. */
export const FILLED_IN = '<action>';

/** A setting, and the field that has it, or would have it. */
export interface Setting<T> {
  readonly value: T;
  readonly path: FieldPath;
}

/** Values with which a chart is installed, those of the last layer over those before. */
export class ReleaseValues {
  private readonly merged: Fields;
  private readonly known: number;

  /** @param layers the layers, which may be none */
  public constructor(private readonly layers: readonly ValuesLayer[]) {
    // Values that are not known may hide everything below them.
    this.known = layers.map(({ values }) => values === undefined).lastIndexOf(true) + 1;
    this.merged = mergeValues(...layers.slice(this.known).map(({ values }) => values));
  }

  /**
   * Returns a value of the chart; undefined where it is not known.
   *
   * @param path the path of the value
   * @param byDefault the value in the chart itself
   */
  public setting<T>(path: readonly string[], byDefault: T): Setting<unknown> | undefined {
    const value = fieldAt(this.merged, ...path);
    if (value === undefined || value === null) return this.known > 0 ? undefined : { value: byDefault, path: this.placeOf(path) };
    return JSON.stringify(value).includes(FILLED_IN) ? undefined : { value, path: this.placeOf(path) };
  }

  /** The same for a value that is a string, a number or a boolean, which charts treat like their string form. */
  public text(path: readonly string[], byDefault: string): Setting<string> | undefined {
    const found = this.setting(path, byDefault);
    return found === undefined || typeof found.value === 'object' ? undefined : { ...found, value: String(found.value) };
  }

  /** The same for a list of strings, or one string with commas. */
  public list(path: readonly string[], byDefault: readonly string[]): Setting<readonly string[]> | undefined {
    const found = this.setting(path, byDefault);
    if (found === undefined || isFields(found.value)) return undefined;
    const entries = Array.isArray(found.value) ? found.value : String(found.value).split(/[\s,]+/);
    return { ...found, value: entries.map(scalarText).filter((entry) => entry !== '') };
  }

  /** The field of the delivery that has a value, or else the nearest one around it. */
  private placeOf(path: readonly string[]): FieldPath {
    const set = [...this.layers].reverse().find(({ values }) => values !== undefined && fieldAt(values, ...path) !== undefined);
    if (set && path.length > 0) return set.isWhole ? set.path : [...set.path, ...path];
    return path.length > 0 ? this.placeOf(path.slice(0, -1)) : this.layers.at(-1)?.path ?? ['spec'];
  }
}

/** Order in which a pod network gives ranges of its pools to nodes: from the first address on, or from anywhere. */
export type PoolOrder = 'ascending' | 'any';

/** A tunnel between nodes. */
export interface Tunnel {
  readonly protocol: string;
  readonly port: number;
}

/** Settings of a pod network; one that is not known is undefined. */
export interface PodNetworkSettings {
  /** True if it forwards Services to their pods, in place of kube-proxy. */
  readonly replacesKubeProxy?: Setting<boolean>;

  /** Address of the API server that it uses without kube-proxy; an empty host for none. */
  readonly apiServer?: Setting<{ readonly host: string; readonly port: string }>;

  /** Name of the way in which pods get addresses. */
  readonly addressing?: Setting<string>;

  /** True if pods get addresses of the ranges that Kubernetes gives their nodes. */
  readonly usesNodeRanges?: boolean;

  /** Ranges of its own that pods get addresses of; an empty list for those of the cluster. */
  readonly pools?: Setting<readonly string[]>;

  /** Prefix length of what each node gets of the pools, by address family. */
  readonly nodePrefixLengths?: Readonly<Record<string, Setting<number>>>;

  /** Address families that it is told to use, and those that it is told not to. */
  readonly families?: Readonly<Record<string, Setting<boolean>>>;

  /** False if a virtual machine gets another address when it moves to another host; undefined if that is not known. */
  readonly keepsAddresses?: boolean;

  /** Undefined also where it has none. */
  readonly tunnel?: Setting<Tunnel>;
  readonly mtu?: Setting<number>;
}

/** Facts about a pod network that charts or manifests install. */
export interface PodNetworkFacts {
  /** Its name in messages. */
  readonly title: string;
  readonly chart: string;
  readonly read: (values: ReleaseValues) => PodNetworkSettings;

  /**
   * Objects in the cluster that hold its settings where no chart installs it, by kind.
   *
   * @default - none
   */
  readonly objects?: Readonly<Record<string, (object: ManifestObject) => PodNetworkSettings | undefined>>;

  readonly order: PoolOrder;

  /** The consequence of a pool outside of the cluster's range of pods, where it does not work. */
  readonly outside?: string;

  /**
   * Distance that its version may move at a time.
   *
   * @default - no statement of its project
   */
  readonly steps?: StepLimits;
}

/** Settings of a chart with a DNS server, or with a cache of one. */
export interface DnsFacts {
  readonly title: string;
  readonly chart: string;

  /** The address that pods must reach it at, or that it asks; empty if Kubernetes chooses one. */
  readonly address: (values: ReleaseValues) => Setting<string> | undefined;
}
