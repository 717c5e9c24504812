import { Size } from 'cdk8s';
import { ManagementPlacement } from './fleet-management-cluster';
import { ListedValue, ListedValues, valueText } from './listed-cluster';
import { checkCidr } from '../../../manifests/values/cidr';
import { nearestName } from '../../../manifests/values/nearest-name';
import { ManagementCapabilities } from '../../contracts/capabilities/management-cluster';

/** A rejected value. */
interface RefusedValue {
  readonly key: string;
  readonly value: ListedValue;
  readonly fault: ValueFault;
}

/** The data store of a cluster; undefined if the list does not name it. */
export interface Placement {
  readonly key: string;
  readonly management: ManagementCapabilities;
  readonly dataStore?: string;
}

/** Reads the values of one cluster, and records the read, rejected and missing keys. */
export class ValueReader {
  private readonly asked = new Set<string>();
  private readonly refusals = new Map<string, RefusedValue>();
  private readonly absent = new Set<string>();
  private readonly placements: Placement[] = [];
  private readonly managementPlacements: ManagementPlacement[] = [];

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
    return this.refusals.size + this.absent.size > 0 || this.placements.some(({ dataStore }) => dataStore === undefined)
      || this.managementPlacements.some(({ name }) => name === undefined);
  }

  /** The data stores that were asked for. */
  public get placed(): readonly Placement[] {
    return this.placements;
  }

  /** The management clusters that were asked for. */
  public get placedIn(): readonly ManagementPlacement[] {
    return this.managementPlacements;
  }

  /** Records that a cluster has a management cluster, or needs one. */
  public placeIn(placement: ManagementPlacement): void {
    this.managementPlacements.push(placement);
  }

  /** Records that a cluster has a data store, or needs one. */
  public place(placement: Placement): void {
    this.placements.push(placement);
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

/** The value, or the reason why it cannot be read. */
type Reading<T> = { readonly value: T } | { readonly fault: ValueFault };

/** The problem of a value. */
interface ValueFault {
  readonly message: string;
  readonly accepted?: string;
  readonly fix: string;
}

const SEPARATOR = ';';
const WHOLE = /^[+-]?\d+$/;
const SIZE = /^([1-9]\d*)(Ki|Mi|Gi|Ti|Pi)$/;
const SIZES: { readonly [unit: string]: (amount: number) => Size } = {
  Ki: (amount) => Size.kibibytes(amount),
  Mi: (amount) => Size.mebibytes(amount),
  Gi: (amount) => Size.gibibytes(amount),
  Ti: (amount) => Size.tebibytes(amount),
  Pi: (amount) => Size.pebibyte(amount),
};

/** Reads a string. A YAML number is rejected: its spelling is lost, as in 1.10 and 007. */
export function readString(value: unknown, oneOf?: readonly string[]): Reading<string> {
  if (typeof value !== 'string') return { fault: { message: `${valueText(value)} is not a string`, fix: 'put it in quotes' } };
  if (oneOf === undefined || oneOf.includes(value)) return { value };
  const nearest = nearestName(value, oneOf);
  return {
    fault: {
      message: `${valueText(value)} is not accepted`,
      accepted: oneOf.map(valueText).join(', '),
      fix: nearest === undefined ? 'write one of them' : `did you mean ${valueText(nearest)}?`,
    },
  };
}

/** Reads a list of strings: a YAML list, or a string with semicolons as separators. */
export function readStrings(value: unknown, oneOf?: readonly string[]): Reading<string[]> {
  const parts: readonly unknown[] = typeof value === 'string' ? value.split(SEPARATOR).map((part) => part.trim()).filter((part) => part !== '') : listOf(value);
  const texts: string[] = [];
  for (const part of parts) {
    const reading = readString(part, oneOf);
    if ('fault' in reading) return reading;
    texts.push(reading.value);
  }
  return { value: texts };
}

/** Reads a whole number, or a string that contains one. */
export function readInteger(value: unknown, { min = 0, max = Infinity }: { readonly min?: number; readonly max?: number }): Reading<number> {
  const number = typeof value === 'string' && WHOLE.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max) return { value: number };
  const isWhole = typeof number === 'number' && Number.isInteger(number);
  return {
    fault: {
      message: isWhole ? `${number} is too ${number < min ? 'small' : 'large'}` : `${valueText(value)} is not a whole number`,
      accepted: `whole numbers from ${min}${max === Infinity ? '' : ` to ${max}`}`,
      fix: 'write the number without a unit',
    },
  };
}

/** Reads a boolean, or a string that contains one: spreadsheets write TRUE and FALSE. */
export function readFlag(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return { value };
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return { fault: { message: `${valueText(value)} is neither true nor false`, accepted: 'true, false', fix: 'write one of them' } };
}

/** Reads a size in powers of 1024. */
export function readSize(value: unknown): Reading<Size> {
  const [, amount, unit] = typeof value === 'string' ? SIZE.exec(value) ?? [] : [];
  if (unit !== undefined && Number.isSafeInteger(Number(amount))) return { value: SIZES[unit](Number(amount)) };
  return {
    fault: { message: `${valueText(value)} is not a size`, accepted: 'a positive whole number with the unit Ki, Mi, Gi, Ti or Pi, such as "16Gi"', fix: 'correct the size' },
  };
}

/** Reads CIDR blocks: a list, or a string with semicolons as separators. */
export function readCidrs(value: unknown): Reading<string[]> {
  const reading = readStrings(value);
  if ('fault' in reading) return reading;
  const fault = reading.value.map((text) => checkCidr(text)).find((message) => message !== undefined);
  return fault === undefined ? reading : { fault: { message: fault, fix: 'correct the block; separate several blocks with semicolons, or use a list' } };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
