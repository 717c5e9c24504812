import { ListedValue, ListedValues } from './listed-cluster';
import { Reading, ValueFault } from './value-kinds';

/** A rejected value. */
export interface RefusedValue {
  readonly key: string;
  readonly value: ListedValue;
  readonly fault: ValueFault;
}

/** Reads the values of one cluster, and records the read, rejected and missing keys. */
export class ValueReader {
  private readonly asked = new Set<string>();
  private readonly refusals = new Map<string, RefusedValue>();
  private readonly absent = new Set<string>();

  /**
   * @param layers the sources of values, in lookup order
   */
  public constructor(private readonly layers: readonly ListedValues[]) {}

  /** The keys that the profile has read. */
  public get read(): ReadonlySet<string> {
    return this.asked;
  }

  /** The rejected values, one per key. */
  public get refused(): Iterable<RefusedValue> {
    return this.refusals.values();
  }

  /** The missing keys. */
  public get missing(): ReadonlySet<string> {
    return this.absent;
  }

  /** True if a value is rejected or missing, so that the result contains placeholders. */
  public get failed(): boolean {
    return this.refusals.size + this.absent.size > 0;
  }

  /** The value of a key. */
  public find(key: string): ListedValue | undefined {
    this.asked.add(key);
    return this.layers.find((layer) => layer.has(key))?.get(key);
  }

  /**
   * Reads a value.
   *
   * @param key its key
   * @param read parses the value
   * @param byDefault the value if the key is unset
   * @param placeholder replaces a rejected or missing value
   */
  public value<T>(key: string, read: (value: unknown) => Reading<T>, byDefault: T | undefined, placeholder: T): T {
    const found = this.find(key);
    if (!found) {
      if (byDefault === undefined) this.absent.add(key);
      return byDefault ?? placeholder;
    }
    const reading = read(found.value);
    if ('value' in reading) return reading.value;
    this.refuse(key, found, reading.fault);
    return byDefault ?? placeholder;
  }

  /** Reads an optional value. */
  public optional<T>(key: string, read: (value: unknown) => Reading<T>): T | undefined {
    const found = this.find(key);
    const reading = found && read(found.value);
    if (!reading || 'value' in reading) return reading?.value;
    this.refuse(key, found, reading.fault);
    return undefined;
  }

  /** Refuses a value. */
  public refuse(key: string, value: ListedValue, fault: ValueFault): void {
    if (!this.refusals.has(key)) this.refusals.set(key, { key, value, fault });
  }
}
