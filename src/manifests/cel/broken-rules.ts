import { codeOf } from './code';
import { celLibrary } from './library';
import { CelProgram } from './program';
import { celFieldName, celValue } from './values';
import { JsonSchema, JsonValidation, schemaOfField } from '../schema/schema-node';
import { fieldAt, FieldPath, Fields, isFields } from '../values/fields';

/** A rule that a value breaks. */
export interface BrokenRule {
  /** Path of the value in the one that was checked. */
  readonly path: FieldPath;

  /** Message of the rule about the value. */
  readonly message: string;
}

/** A rule that only a server can judge. */
export interface UnjudgedRule {
  readonly rule: string;

  /** Reason that it is not judged. No full stop at the end. */
  readonly reason: string;
}

/** Verdicts of rules in CEL over a value. */
export interface CheckedRules {
  readonly broken: readonly BrokenRule[];
  readonly unjudged: readonly UnjudgedRule[];
}

/** So many rules are evaluated for one value. */
const MOST_EVALUATIONS = 200_000;

/** A value as it was, with what rules see of it. */
interface FormerValue {
  readonly value: unknown;
  readonly self: unknown;
}

/**
 * Rules in CEL of a schema and those inside it that a new value breaks. The value must have no other faults, and its defaults.
 *
 * @param schema a structural schema
 * @param value the value
 * @param isResource true for an object of Kubernetes
 */
export function brokenRules(schema: JsonSchema, value: unknown, isResource?: boolean): readonly BrokenRule[] {
  return rulesOfNew(schema, value, isResource).broken;
}

/** Verdicts of rules in CEL over a new value. Rules over a change do not run when an object is created. */
export function rulesOfNew(schema: JsonSchema, value: unknown, isResource = schema['x-kubernetes-embedded-resource'] === true): CheckedRules {
  const check = new RuleCheck(false);
  if (hasRules(schema)) check.value(schema, value, celValue(schema, value, isResource));
  return check;
}

/**
 * Verdicts of rules in CEL over an update of an object.
 *
 * @param schema the schema of the version that both are in
 * @param before the object as it is stored, with its defaults
 * @param after the object as it is written, with its defaults
 */
export function rulesOfChange(schema: JsonSchema, before: unknown, after: unknown): CheckedRules {
  const check = new RuleCheck(true);
  if (hasRules(schema)) check.value(schema, after, celValue(schema, after, true), { value: before, self: celValue(schema, before, true) });
  return check;
}

const RULED = new WeakMap<JsonSchema, boolean>();

/** True if a schema or one inside it has rules. */
export function hasRules(schema: JsonSchema): boolean {
  let found = RULED.get(schema);
  if (found === undefined) {
    RULED.set(schema, found = (schema['x-kubernetes-validations']?.length ?? 0) > 0 || schemasInside(schema).some(hasRules));
  }
  return found;
}

/**
 * Evaluates the rules of a value and those inside it.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
class RuleCheck implements CheckedRules {
  public readonly broken: BrokenRule[] = [];
  private readonly place: (string | number)[] = [];
  private readonly reasons = new Map<string, string>();
  private evaluations = 0;

  /** @param ofChange true for rules over changes, false for all others */
  public constructor(private readonly ofChange: boolean) {}

  public get unjudged(): readonly UnjudgedRule[] {
    return [...this.reasons].map(([rule, reason]) => ({ rule, reason }));
  }

  /**
   * @param self what rules see of the value
   * @param old the former value, where it can be told which one that is
   */
  public value(schema: JsonSchema, value: unknown, self: unknown, old?: FormerValue): void {
    if (value === undefined || value === null || self === undefined || !hasRules(schema)) return;
    for (const rule of schema['x-kubernetes-validations'] ?? []) this.rule(rule, { schema, value, self, old });
    if (Array.isArray(value)) this.entries(schema, value, self as readonly unknown[], old);
    else if (isFields(value)) this.fields(schema, value, self as Fields, old);
  }

  private entries(schema: JsonSchema, list: readonly unknown[], self: readonly unknown[], old: FormerValue | undefined): void {
    const { items } = schema;
    if (!items || !hasRules(items)) return;
    const former = old && formerEntries(schema, old);
    list.forEach((entry, index) => this.inside(index, items, entry, self[index], former?.(entry)));
  }

  private fields(schema: JsonSchema, object: Fields, self: Fields, old: FormerValue | undefined): void {
    for (const name of Object.keys(object)) {
      const inside = schemaOfField(schema, name);
      if (!inside || !hasRules(inside)) continue;
      const seen = schema.properties && Object.hasOwn(schema.properties, name) ? celFieldName(name) : name;
      const was = fieldAt(old?.value, name);
      const former = was === undefined || was === null ? undefined : { value: was, self: fieldAt(old!.self, seen) };
      this.inside(name, inside, object[name], self[seen], former);
    }
  }

  private inside(step: string | number, schema: JsonSchema, value: unknown, self: unknown, old: FormerValue | undefined): void {
    this.place.push(step);
    this.value(schema, value, self, old);
    this.place.pop();
  }

  private rule(rule: JsonValidation, { schema, value, self, old }: RuledValue): void {
    const program = CelProgram.of(rule.rule);
    if (program.isTransition !== this.ofChange && !(rule.optionalOldSelf && !this.ofChange)) return;
    if (program.isTransition && !rule.optionalOldSelf && !old) return;
    if (++this.evaluations > MOST_EVALUATIONS) {
      this.reasons.set(rule.rule, 'there are too many values to evaluate it for');
      return;
    }
    const variables = variablesOf(rule, self, old?.self);
    const result = program.evaluate(variables);
    if ('value' in result && result.value === false && hasUnordered(schema)) {
      if (this.isTrueSorted(rule, { schema, value, old })) return;
      if (MAKES_LISTS.test(codeOf(rule.rule))) {
        this.reasons.set(rule.rule, 'it compares lists whose order does not count with others');
        return;
      }
    }
    if ('unjudged' in result) this.reasons.set(rule.rule, result.unjudged);
    else if ('error' in result) this.broken.push({ path: this.path(rule), message: `${rule.message ?? rule.rule}: ${result.error}` });
    else if (result.value !== true) this.broken.push({ path: this.path(rule), message: messageOf(rule, variables) });
  }

  /** True if a rule holds for lists in another order, where it does not count: two of them are equal then. */
  private isTrueSorted(rule: JsonValidation, { schema, value, old }: Omit<RuledValue, 'self'>): boolean {
    const isResource = this.place.length === 0 || schema['x-kubernetes-embedded-resource'] === true;
    const [self, former] = [value, old?.value].map((one) => celValue(schema, one, isResource, true));
    const result = CelProgram.of(rule.rule).evaluate(variablesOf(rule, self, former));
    return 'value' in result && result.value === true;
  }

  private path({ fieldPath }: JsonValidation): FieldPath {
    return [...this.place, ...namesIn(fieldPath ?? '')];
  }
}

/** A value with rules. */
interface RuledValue {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly self: unknown;
  readonly old: FormerValue | undefined;
}

function variablesOf({ optionalOldSelf }: JsonValidation, self: unknown, old: unknown): Record<string, unknown> {
  const { Optional } = celLibrary();
  return { self, oldSelf: !optionalOldSelf ? old : old === undefined ? Optional.none() : Optional.of(old) };
}

/** A sum, which may be one of lists, or a comparison with a list. */
const MAKES_LISTS = /\+|[=!]=\s*\[[^\]]/;

const UNORDERED = new WeakMap<JsonSchema, boolean>();

/** True if a schema or one inside it is a list whose order does not count. */
function hasUnordered(schema: JsonSchema): boolean {
  let found = UNORDERED.get(schema);
  if (found === undefined) {
    const isOne = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? '');
    UNORDERED.set(schema, found = isOne || schemasInside(schema).some(hasUnordered));
  }
  return found;
}

function schemasInside({ properties = {}, additionalProperties, items }: JsonSchema): JsonSchema[] {
  return [...Object.values(properties), additionalProperties, items].filter((one): one is JsonSchema => typeof one === 'object');
}

/** The names in a path such as `.spec['a.b']`. */
function namesIn(fieldPath: string): string[] {
  return [...fieldPath.matchAll(/\.([^.[]+)|\['((?:[^'\\]|\\.)*)'\]/g)].map(([, name, quoted]) => name ?? quoted.replace(/\\(.)/g, '$1'));
}

/** The former entry of an entry of a list with keys: of other lists, servers do not tell. */
function formerEntries(schema: JsonSchema, { value, self }: FormerValue): ((entry: unknown) => FormerValue | undefined) | undefined {
  const keys = schema['x-kubernetes-list-type'] === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined;
  if (!keys || !Array.isArray(value)) return undefined;
  const keyOf = (entry: unknown) => JSON.stringify(keys.map((key) => fieldAt(entry, key) ?? null));
  const positions = new Map(value.map((entry, index) => [keyOf(entry), index]));
  return (entry) => {
    const index = positions.get(keyOf(entry));
    return index === undefined ? undefined : { value: value[index], self: (self as readonly unknown[])[index] };
  };
}

function messageOf({ rule, message, messageExpression }: JsonValidation, variables: Record<string, unknown>): string {
  const result = messageExpression === undefined ? undefined : CelProgram.of(messageExpression).evaluate(variables);
  const text = result && 'value' in result ? result.value : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : (typeof message === 'string' ? message.trim() : undefined) ?? `it must satisfy ${rule}`;
}
