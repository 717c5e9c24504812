import { fieldAt, FieldPath, isFields, numberAt, objectsAt, stringAt, stringsAt } from '../values/fields';

/** A value of a page, as code: what a constructor or a static method is given. */
export type PageExpression =
  // Plain JSON; undefined is left out of objects.
  | string | number | boolean | null
  | readonly PageExpression[]
  | PageFields
  | PageCall
  | PageConstant
  | PageFile
  | PageValue
  | PageTemplate;

/** An object of a page. */
export interface PageFields {
  readonly [field: string]: PageExpression | undefined;
}

/** A class that is instantiated, or a static method that is called. */
export class PageCall {
  /**
   * @param name name of the class or method as a page imports it, e.g. `PoolSize.fixed`, `openstack.OpenStackMachine`
   * @param args its arguments
   * @param isNew true for a class
   */
  public constructor(public readonly name: string, public readonly args: readonly PageExpression[], public readonly isNew: boolean) {}
}

/** A member of an enumeration, or a static property, e.g. `EvictionStrategy.NONE`. */
export class PageConstant {
  /** @param name its name as a page imports it */
  public constructor(public readonly name: string) {}
}

/** A file of the app. */
export class PageFile {
  /** @param path its path, relative to the folder of the app */
  public constructor(public readonly path: string) {}
}

/** A value of a cluster in a list: its name, its namespace, or a column that a profile reads. */
export class PageValue {
  /** @param text how a profile reads it, e.g. `cluster.integer('workers')` */
  public constructor(public readonly text: string) {}
}

/** A string with values of a cluster in it. */
export class PageTemplate {
  /**
   * @param parts texts, and values between them
   */
  public constructor(public readonly parts: readonly (string | PageValue)[]) {}
}

/**
 * An instance of a class.
 *
 * @param name name of the class
 * @param props its properties; undefined ones are left out
 */
export function instance(name: string, props: PageFields = {}): PageCall {
  return new PageCall(name, isEmptyFields(props) ? [] : [props], true);
}

/**
 * A call of a static method.
 *
 * @param name name of the method
 * @param args its arguments; empty objects at the end are left out
 */
export function call(name: string, ...args: readonly PageExpression[]): PageCall {
  const last = args.at(-1);
  return new PageCall(name, isPageFields(last) && isEmptyFields(last) ? args.slice(0, -1) : args, false);
}

/** A member of an enumeration. */
export function constant(name: string): PageConstant {
  return new PageConstant(name);
}

/** Programs of an infrastructure that the manifests of a page's origin install. */
export const EXTERNAL_PROGRAMS: PageFields = { cloudControllerManager: call('ProviderChart.external'), csiDriver: call('ProviderChart.external') };

/** A duration in the largest unit that it is a whole number of. */
export function duration(seconds: number): PageCall {
  if (seconds > 0 && seconds % 3600 === 0) return call('Duration.hours', seconds / 3600);
  return seconds > 0 && seconds % 60 === 0 ? call('Duration.minutes', seconds / 60) : call('Duration.seconds', seconds);
}

/** An amount of bytes as `Size`, in the largest unit that it is a whole number of; undefined if it is no whole number of kibibytes. */
export function sizeOf(bytes: number): PageCall | undefined {
  const units = [['gibibytes', 1024 ** 3], ['mebibytes', 1024 ** 2], ['kibibytes', 1024]] as const;
  const unit = units.find(([, size]) => bytes > 0 && bytes % size === 0);
  return unit && call(`Size.${unit[0]}`, bytes / unit[1]);
}

/** Fields of a manifest; undefined if none is set. */
export function fieldsOf(value: unknown): PageFields | undefined {
  const entries = Object.entries(isFields(value) ? value : {}).filter(([, field]) => field !== undefined && field !== null);
  return entries.length === 0 ? undefined : Object.fromEntries(entries) as PageFields;
}

/** A list; undefined if it is empty. */
export function listOf<T extends PageExpression>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** True for an object of a page that is neither a list nor code. */
export function isPageFields(value: PageExpression | undefined): value is PageFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && ![PageCall, PageConstant, PageFile, PageValue, PageTemplate].some((kind) => value instanceof kind);
}

/** True if no field is set. */
export function isEmptyFields(fields: PageFields): boolean {
  return Object.values(fields).every((value) => value === undefined);
}

/** The type of a value: strings, a number, or the number that a size or duration is in a unit. */
export type FieldType = 'texts' | 'number' | 'GiB' | 'MiB' | 'seconds';

/** Fields of an object as values of a page. What is not set, or has another type, is undefined. */
export class FieldReader {
  /**
   * @param object the object
   * @param path path of the fields that are read, such as `spec`
   */
  public constructor(private readonly object: unknown, private readonly path: FieldPath = []) {}

  /** The value of any type. */
  public value(...path: FieldPath): unknown {
    return fieldAt(this.object, ...this.path, ...path);
  }

  /** Fields below a path; undefined if there are none. */
  public below(...path: FieldPath): FieldReader | undefined {
    return isFields(this.value(...path)) ? new FieldReader(this.object, [...this.path, ...path]) : undefined;
  }

  /** The objects of a list. */
  public each(...path: FieldPath): FieldReader[] {
    return objectsAt(this.object, ...this.path, ...path).map(([item]) => new FieldReader(item));
  }

  /** A string. */
  public text(...path: FieldPath): string | undefined {
    return stringAt(this.object, ...this.path, ...path);
  }

  /** The strings of a list. */
  public texts(...path: FieldPath): readonly string[] | undefined {
    const found = stringsAt(this.object, ...this.path, ...path).map(([text]) => text);
    return found.length === 0 ? undefined : found;
  }

  /** A number. */
  public number(...path: FieldPath): number | undefined {
    return numberAt(this.object, ...this.path, ...path);
  }

  /** Strings, a number, or the size or duration that it is in a unit. */
  public typed(type: FieldType, ...path: FieldPath): number | readonly string[] | PageCall | undefined {
    const found = this.number(...path);
    if (type === 'texts') return this.texts(...path);
    if (found === undefined || type === 'number') return found;
    return type === 'seconds' ? duration(found) : sizeOf(found * 1024 ** (type === 'GiB' ? 3 : 2));
  }
}
