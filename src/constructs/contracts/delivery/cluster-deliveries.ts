import { IConstruct } from 'constructs';
import { DeliveryTarget } from './delivery-target';
import { AppSlot } from '../../app/app-state';
import { claimsPlace } from '../../app/synth/claims';

/**
 * The deliveries, of charts or manifests, that come before another one. Addons are added in any order, so that these are complete at
 * synthesis only: read the names in a lazy value.
 */
export interface IEarlierDeliveries {
  /** Names of the deliveries, sorted. */
  readonly names: string[];
}

/** Deliveries whose names are found when they are asked for. */
export function earlierDeliveries(names: () => string[]): IEarlierDeliveries {
  return new LateNames(names);
}

/** As a class, since a literal with a getter has a shape of its own each time, which is slow and large. */
class LateNames implements IEarlierDeliveries {
  public constructor(private readonly find: () => string[]) {}

  public get names(): string[] {
    return this.find();
  }
}

interface Delivered {
  /** Kind of the object that delivers. */
  readonly kind: string;
  readonly after: IEarlierDeliveries;
}

/**
 * All deliveries to one cluster: an order refers to names, which can belong to objects of another delivery.
 */
export class ClusterDeliveries {
  /** The deliveries of a cluster; the same ones for every call. */
  public static of(scope: IConstruct, { namespace, name }: DeliveryTarget): ClusterDeliveries {
    const clusters = DELIVERIES.of(scope);
    const key = `${claimsPlace(scope) ?? ''}/${namespace}/${name}`;
    const found = clusters.get(key) ?? new ClusterDeliveries();
    clusters.set(key, found);
    return found;
  }

  private readonly delivered = new Map<string, Delivered>();
  private readonly refused = new Set<string>();
  private readonly filled = new Map<string, () => boolean>();
  private readonly seen = new Set<object>();

  private constructor() {}

  /** Adds a delivery, unless there is one of that name. */
  public add(name: string, delivered: Delivered): boolean {
    if (this.delivered.has(name)) return false;
    this.delivered.set(name, delivered);
    return true;
  }

  /** Registers the name of a refused delivery, so that deliveries that come after it are not reported. */
  public refuse(name: string): void {
    this.refused.add(name);
  }

  /** Sets whether a name has anything to deliver; if not, there is no object to wait for. */
  public fill(name: string, filled: () => boolean): void {
    this.filled.set(name, filled);
  }

  /** True if the cluster sees this instance for the first time; its own properties are checked once. */
  public meets(delivery: object): boolean {
    if (this.seen.has(delivery)) return false;
    this.seen.add(delivery);
    return true;
  }

  /** Names without a delivery, not even a refused one. */
  public unknown(names: readonly string[]): string[] {
    return names.filter((name) => !this.delivered.has(name) && !this.refused.has(name));
  }

  /**
   * The deliveries of a kind that come before one, in the order of names. One of another kind, or without content, stands for those that
   * come before it in turn, so that an order survives what cannot be expressed.
   */
  public before(name: string, kind: string): string[] {
    const found = new Set<string>();
    this.collect(name, kind, found, new Set([name]));
    return [...found].sort();
  }

  /** Length of the longest chain of predecessors. */
  public depth(name: string, way: readonly string[] = []): number {
    // Cycles are reported elsewhere; here the recursion must only end.
    const after = way.includes(name) ? [] : this.delivered.get(name)?.after.names ?? [];
    return Math.max(0, ...after.filter((other) => this.delivered.has(other)).map((other) => 1 + this.depth(other, [...way, name])));
  }

  private collect(name: string, kind: string, found: Set<string>, visited: Set<string>): void {
    for (const other of this.delivered.get(name)?.after.names ?? []) {
      if (visited.has(other)) continue;
      visited.add(other);
      if (this.delivered.get(other)?.kind === kind && (this.filled.get(other)?.() ?? true)) found.add(other);
      else this.collect(other, kind, found, visited);
    }
  }
}

const DELIVERIES = new AppSlot('Deliveries', () => new Map<string, ClusterDeliveries>());
