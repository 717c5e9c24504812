import { ListedValue, ListedValues } from './listed-cluster';
import { Reading, ValueFault } from './value-kinds';

/** A value that was refused. */
export interface RefusedValue {
  readonly key: string;
  readonly value: ListedValue;
  readonly fault: ValueFault;
}

/** Reads the values of one cluster, and remembers what was asked for, what was refused, and what was missing. */
export class ValueReader {
  private readonly asked = new Set<string>();
  private readonly refusals = new Map<string, RefusedValue>();
  private readonly absent = new Set<string>();

  /**
   * @param layers where values are looked up, the first place first
   */
  public constructor(private readonly layers: readonly ListedValues[]) {}

  /** The keys that somebody has asked for. */
  public get read(): ReadonlySet<string> {
    return this.asked;
  }

  /** What was refused, once for each key. */
  public get refused(): Iterable<RefusedValue> {
    return this.refusals.values();
  }

  /** Keys of what was missing. */
  public get missing(): ReadonlySet<string> {
    return this.absent;
  }

  /** Whether something was refused or missing, so that placeholders are in what was made from it. */
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
   * @param read how
   * @param byDefault what holds where it is not there
   * @param placeholder what goes on in place of what is refused or missing
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

  /** Reads a value that need not be there. */
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
