import { objectWithDefaults, withoutDefaults } from './defaults';
import { breaksFormat, brokenGoFormat, exceedsFormat, matchesGoPattern, wrapped } from './formats';
import { Json, SchemaNode, ValueType } from './schema-node';
import { canonicalJson } from '../values/content-hash';
import { fieldAt, FieldPath, Fields, isFields } from '../values/fields';
import { parseQuantity } from '../values/quantity';

/** Counted units: characters of a string, entries of a list, fields of an object. */
export type CountedUnit = 'character' | 'entry' | 'field';

/** Fault of a value, as facts. */
export type ValueFault = { readonly node: SchemaNode; readonly value: unknown } & (
  | { readonly code: 'type' | 'null' | 'choice' | 'quantity' | 'pattern' | 'format' | 'bounds' | 'limit' | 'multiple' | 'size' | 'required' | 'not' }
  | { readonly code: 'overflow'; readonly stored: number }
  | { readonly code: 'count'; readonly unit: CountedUnit; readonly count: number; readonly least: number; readonly most: number }
  | { readonly code: 'duplicate'; readonly keys?: readonly string[]; readonly earlier: number }
  | { readonly code: 'any' | 'one'; readonly fitting: number }
  // The node and the value are those of the object, which has no such field; the parent is the node around it.
  | { readonly code: 'unknown'; readonly name: string; readonly value: Fields; readonly parent?: SchemaNode }
);

/** A fault, and the path of the value. */
export type ValueFinding = ValueFault & { readonly path: FieldPath };

/** Receives faults, and the place that they are at. */
export interface FaultSink {
  /** Enters a field or an entry. */
  enter(step: string | number): void;

  /** Returns to the value around. */
  leave(): void;

  /** Reports a fault of the value at the current place. */
  report(fault: ValueFault): void;

  /** Checks the metadata of an object inside another one. */
  checkMetadata?(metadata: unknown, isTemplate: boolean): void;
}

/** Options of a server's reading of values. */
export interface Reading {
  /** True if Go reads them into types, as those of Kubernetes' own kinds: null is then unset, and an empty value in a list. */
  readonly typed?: boolean;

  /** True if a webhook reads numbers beside strings into 32 bits (kubernetes/apimachinery pkg/util/intstr/intstr.go). */
  readonly narrow?: boolean;
}

/** Fields that every object of Kubernetes has. */
const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const NO_FIELDS: ReadonlySet<string> = new Set();

/** Longer quantities are matched but not parsed. */
const LONGEST_QUANTITY = 100;
const LONG_QUANTITY = /^[-+]?(\d+(\.\d*)?|\.\d+)(([KMGTPE]i|[numkMGTPE])?|[eE][-+]?\d+)$/;

/** Larger ones are read as numbers with a fraction. At the bound, JavaScript cannot tell the largest integer from the next one. */
const LARGEST_INTEGER = 2 ** 63;

/** Checks a value against its schema as `ValueCheck.value` does: as it is, without defaults. */
export function checkValue(node: SchemaNode, value: Json): ValueFinding[] {
  const findings = new CollectedFindings();
  new ValueCheck(findings).value(node, value);
  return findings.found;
}

/** Checks a custom resource against the schema of its version as API servers do: with its defaults. */
export function checkResource(root: SchemaNode, object: Fields): ValueFinding[] {
  const findings = new CollectedFindings();
  new ValueCheck(findings).resource(root, objectWithDefaults(root, object));
  return findings.found;
}

class CollectedFindings implements FaultSink {
  public readonly found: ValueFinding[] = [];
  private readonly place: (string | number)[] = [];

  public enter(step: string | number): void {
    this.place.push(step);
  }

  public leave(): void {
    this.place.pop();
  }

  public report(fault: ValueFault): void {
    this.found.push({ ...fault, path: [...this.place] });
  }
}

/**
 * Checks values against schemas as an API server does on server-side apply, rules in CEL aside. Servers write defaults before: a value
 * comes from `withDefaults`, but for a default itself, which they check as it is. Null counts as unset in Kubernetes' own kinds, which Go
 * reads, and where there is a default; elsewhere only the other ways of writing an object drop it.
 *
 * A value that is wrong in several ways is reported once. The time grows with the value, and the check goes only as deep as the schema.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/{algorithm,prunenulls}.go.
 */
export class ValueCheck {
  /**
   * @param sink receives what is wrong
   * @param reading how the server reads values
   * @param isPart whether the schema is inside `allOf`, `anyOf`, `oneOf` or `not`, where it narrows values and describes no fields
   */
  public constructor(private readonly sink: FaultSink, private readonly reading: Reading = {}, private readonly isPart = false) {}

  /** Checks an object of Kubernetes, its kind, version and metadata aside. */
  public resource(root: SchemaNode, object: Fields): void {
    this.fields(root, object, undefined, OBJECT_FIELDS);
    this.nameLimits(root.fields?.get('metadata'), object.metadata);
    this.junctors(root, object);
  }

  /** Checks names of objects: a schema may limit nothing else of their metadata. */
  private nameLimits(node: SchemaNode | undefined, metadata: unknown): void {
    if (!node?.fields || !isFields(metadata)) return;
    this.sink.enter('metadata');
    for (const [name, field] of node.fields) {
      const value = fieldAt(metadata, name);
      if (typeof value !== 'string') continue;
      this.sink.enter(name);
      this.value(field, value);
      this.sink.leave();
    }
    this.sink.leave();
  }

  /** Checks a value. */
  public value(node: SchemaNode, value: unknown, parent?: SchemaNode): void {
    if (value === null && (node.nullable || this.isPart)) return;
    if (node.type !== undefined && !hasType(node.type, value)) return this.sink.report({ code: 'type', node, value });
    if (Array.isArray(value)) this.list(node, value);
    else if (isFields(value)) this.object(node, value, parent);
    else this.scalar(node, value);
    this.junctors(node, value);
  }

  private scalar(node: SchemaNode, value: unknown): void {
    if (node.enum && !isChoice(node.enum, value)) this.sink.report({ code: 'choice', node, value });
    else if (typeof value === 'string') this.text(node, value);
    else if (typeof value === 'number') this.number(node, value);
  }

  private text(node: SchemaNode, value: string): void {
    const { type, minLength, maxLength, pattern, format } = node;
    if (type === 'quantity') {
      // Source: k8s.io/apimachinery pkg/api/resource/quantity.go (UnmarshalJSON).
      const isWrong = value.length > LONGEST_QUANTITY ? !LONG_QUANTITY.test(value) : parseQuantity(value.trim()) === undefined;
      if (isWrong) this.sink.report({ code: 'quantity', node, value });
      return;
    }
    if ((minLength !== undefined || maxLength !== undefined) && !this.count(node, value, 'character', characters(value))) return;
    if (pattern !== undefined && matchesGoPattern(pattern, value) === false) {
      this.sink.report({ code: 'pattern', node, value });
    } else if (format !== undefined && (brokenGoFormat(this.goFormat(format), value) !== undefined || breaksFormat(format, value))) {
      this.sink.report({ code: 'format', node, value });
    }
  }

  /** A webhook reads times as Go does, which knows no lower-case `t` and no leap second. */
  private goFormat(format: string): string {
    return format === 'date-time' && this.reading.narrow ? 'go-time' : format;
  }

  private number(node: SchemaNode, value: number): void {
    const { type, pattern, format, minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    // kube-openapi pkg/validation/validate/values.go (IsValueValidAgainstRange) reads limits into the format.
    if (format === 'int32' && !this.reading.typed && [node.minimum, node.maximum].some((limit) => limit !== undefined && exceedsFormat(format, limit))) {
      return this.sink.report({ code: 'limit', node, value });
    }
    if ((exclusiveMinimum ? value <= minimum : value < minimum) || (exclusiveMaximum ? value >= maximum : value > maximum)) {
      return this.sink.report({ code: 'bounds', node, value });
    }
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return this.sink.report({ code: 'multiple', node, value });
    if (format !== undefined && exceedsFormat(format, value)) {
      const stored = this.reading.typed && type === 'integer' && format === 'int32' ? wrapped(value) : undefined;
      return this.sink.report(stored !== undefined && stored >= 0 ? { code: 'overflow', node, value, stored } : { code: 'size', node, value });
    }
    // Quantities have a pattern, and may be larger.
    const isNarrow = this.reading.narrow && type === 'int-or-string' && pattern === undefined;
    const isWide = !this.reading.typed && (type === 'integer' || type === 'int-or-string') && format === undefined && Math.abs(value) > LARGEST_INTEGER;
    if (isWide) this.sink.report({ code: 'size', node: { ...node, format: 'int64' }, value });
    else if (isNarrow && exceedsFormat('int32', value)) this.sink.report({ code: 'size', node: { ...node, format: 'int32' }, value });
  }

  private object(node: SchemaNode, object: Fields, parent: SchemaNode | undefined): void {
    const { sink } = this;
    if (node.enum && !isChoice(node.enum, object)) return sink.report({ code: 'choice', node, value: object });
    if (node.metadata) return sink.checkMetadata?.(object, true);
    if (!node.embedded || this.isPart) return this.fields(node, object, parent, NO_FIELDS);
    for (const name of ['apiVersion', 'kind']) {
      if (typeof object[name] !== 'string' || object[name] === '') this.missing(name, { type: 'string' });
    }
    if (sink.checkMetadata) {
      sink.enter('metadata');
      sink.checkMetadata(object.metadata, false);
      sink.leave();
    }
    this.fields(node, object, parent, OBJECT_FIELDS);
  }

  /** @param own fields that are checked elsewhere */
  private fields(node: SchemaNode, object: Fields, parent: SchemaNode | undefined, own: ReadonlySet<string>): void {
    const { sink } = this;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined || own.has(name)) continue;
      const inside = node.fields?.get(name) ?? node.values;
      if (inside) {
        // Most values: without further limits, the place is not needed.
        if (inside.unlimited !== undefined && typeof value === inside.unlimited) continue;
        if (value === null && this.isUnset(node, name)) continue;
        sink.enter(name);
        if (value === null && inside.type !== undefined && !inside.nullable && !this.isPart) sink.report({ code: 'null', node: inside, value });
        else this.value(inside, value, node);
        sink.leave();
      } else if (!node.open && !this.isPart) {
        sink.enter(name);
        sink.report({ code: 'unknown', name, node, value: withoutDefaults(object), parent });
        sink.leave();
      }
    }
    if (node.required || node.minProperties !== undefined || node.maxProperties !== undefined) this.completeness(node, object);
  }

  private completeness(node: SchemaNode, object: Fields): void {
    let isComplete = true;
    for (const name of node.required ?? []) {
      const field = node.fields?.get(name);
      if (isWritten(node, object, name)) continue;
      this.missing(name, field ?? {});
      isComplete = false;
    }
    if (!isComplete || (node.minProperties === undefined && node.maxProperties === undefined)) return;
    this.count(node, object, 'field', Object.keys(object).filter((name) => isWritten(node, object, name)).length);
  }

  /** True if null in a field counts as unset, or as missing, which is reported once. */
  private isUnset({ fields, values, required = [] }: SchemaNode, name: string): boolean {
    const field = fields?.get(name);
    if (!field) return values !== undefined && this.reading.typed === true;
    return !field.nullable && (this.reading.typed || field.default !== undefined || required.includes(name));
  }

  private missing(name: string, node: SchemaNode): void {
    this.sink.enter(name);
    this.sink.report({ code: 'required', node, value: undefined });
    this.sink.leave();
  }

  private list(node: SchemaNode, list: readonly unknown[]): void {
    const { items } = node;
    this.count(node, list, 'entry', list.length);
    if (items) {
      for (let index = 0; index < list.length; index++) {
        if (items.unlimited !== undefined && typeof list[index] === items.unlimited) continue;
        this.sink.enter(index);
        this.entry(items, list[index]);
        this.sink.leave();
      }
    }
    if ((node.set || node.keys) && list.length > 1) this.duplicates(node, list);
    if (this.reading.typed && node.keys) this.keyless(node.keys, node, list);
  }

  private entry(items: SchemaNode, entry: unknown): void {
    // Go reads null into an empty object, an empty string or 0.
    if (!this.reading.typed || entry !== null) this.value(items, entry);
    else if (items.type === 'object') this.value(items, {});
    else if (items.enum) this.value(items, '');
  }

  /** Server-side apply cannot tell entries apart that have no key. */
  private keyless(keys: readonly string[], { items }: SchemaNode, list: readonly unknown[]): void {
    list.forEach((entry, index) => {
      const object = entry ?? {};
      if (!isFields(object) || keys.some((key) => object[key] !== undefined && object[key] !== null)) return;
      if (keys.some((key) => items?.required?.includes(key))) return;
      this.sink.enter(index);
      this.missing(keys[0], { type: 'string' });
      this.sink.leave();
    });
  }

  private duplicates(node: SchemaNode, list: readonly unknown[]): void {
    const first = new Map<string, number>();
    list.forEach((entry, index) => {
      const identity = identityOf(node, entry);
      if (identity === undefined) return;
      const earlier = first.get(identity);
      if (earlier === undefined) {
        first.set(identity, index);
      } else {
        this.sink.enter(index);
        this.sink.report({ code: 'duplicate', node, value: entry, keys: node.keys, earlier });
        this.sink.leave();
      }
    });
  }

  /** @returns whether the number is within the limits */
  private count(node: SchemaNode, value: unknown, unit: CountedUnit, count: number): boolean {
    const [least = 0, most = Infinity] = {
      character: [node.minLength, node.maxLength], entry: [node.minItems, node.maxItems], field: [node.minProperties, node.maxProperties],
    }[unit];
    if (count >= least && count <= most) return true;
    this.sink.report({ code: 'count', node, value, unit, count, least, most });
    return false;
  }

  private junctors(node: SchemaNode, value: unknown): void {
    const { allOf, anyOf, oneOf, not } = node;
    if (!(allOf ?? anyOf ?? oneOf ?? not)) return;
    const fitting = (parts: readonly SchemaNode[]) => parts.filter((part) => this.fits(part, value)).length;
    const one = oneOf && fitting(oneOf);
    for (const part of allOf ?? []) new ValueCheck(this.sink, this.reading, true).value(part, value);
    if (anyOf && fitting(anyOf) === 0) this.sink.report({ code: 'any', node, value, fitting: 0 });
    if (one !== undefined && one !== 1) this.sink.report({ code: 'one', node, value, fitting: one });
    if (not && this.fits(not, value)) this.sink.report({ code: 'not', node, value });
  }

  private fits(part: SchemaNode, value: unknown): boolean {
    const findings = new CollectedFindings();
    new ValueCheck(findings, this.reading, true).value(part, value);
    return findings.found.length === 0;
  }
}

/** True if a server finds a value in a field. */
function isWritten(node: SchemaNode, object: Fields, name: string): boolean {
  if (!Object.hasOwn(object, name) || object[name] === undefined) return false;
  return object[name] !== null || (node.fields?.get(name) ?? node.values)?.nullable === true;
}

/** Identifies an entry of a list; undefined for one of a wrong type, which is reported as such. */
function identityOf({ keys, items }: SchemaNode, entry: unknown): string | undefined {
  if (!keys) return isScalar(entry) || items?.type === 'object' || items?.type === 'array' ? textOf(entry) : undefined;
  if (!isFields(entry)) return undefined;
  const values = keys.map((key) => (Object.hasOwn(entry, key) ? entry[key] : undefined) ?? null);
  return values.every((value) => value === null || isScalar(value)) ? JSON.stringify(values) : undefined;
}

function isChoice(choices: readonly unknown[], value: unknown): boolean {
  return choices.includes(value) || (!isScalar(value) && choices.some((choice) => textOf(choice) === textOf(value)));
}

/** A text that is equal for equal values. */
function textOf(value: unknown): string {
  return isScalar(value) ? JSON.stringify(value) : canonicalJson(value);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function hasType(type: ValueType, value: unknown): boolean {
  switch (type) {
    case 'object': return isFields(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    case 'number': return Number.isFinite(value);
    case 'int-or-string': return typeof value === 'string' || Number.isInteger(value);
    case 'quantity': return typeof value === 'string' || Number.isFinite(value);
    default: return typeof value === type;
  }
}

/** Go counts code points, not units of UTF-16. */
function characters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count++;
  return count;
}

/** With the tolerance of the API server (kube-openapi pkg/validation/validate `MultipleOf`). */
function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
