import { Shape } from './api-shape';
import { API } from './api-table.generated';
import { ArgumentFault, faultsOf, isUnusable } from './argument-fault';
import { argumentType, ArgumentType, isBuiltIn, isOfType } from './argument-type';
import { className } from './public-class';
import { ARGUMENT_RULES } from './rules';
import { givenWords, missingFix, shownArgument, typeFix, typeWords } from './type-words';
import { FieldPath, Fields, isFields } from '../values/fields';
import { findingsAt } from '../values/finding';
import { nearestName } from '../values/nearest-name';
import { isSecretName } from '../values/secret-names';

/** Arguments of a call, checked. */
export interface CheckedArguments {
  /** The arguments without what is wrong with them. */
  readonly values: readonly unknown[];

  readonly faults: readonly ArgumentFault[];

  /** True if the call cannot be made: something that it needs is missing or wrong. */
  readonly isRefused: boolean;
}

/** Stands for a value that cannot be used. */
const NOTHING = Symbol('nothing');

/**
 * Checks the arguments of a call.
 *
 * @param parameters what it takes
 * @param values what it was given
 * @param isNamed whether one value alone is named: else it is named as what holds the object that is made of it
 * @param mayHaveMore whether properties of its options may be those of a class that extends this one
 */
export function checkArguments(parameters: Shape, values: readonly unknown[], isNamed: boolean, mayHaveMore = false): CheckedArguments {
  const check = new Check(mayHaveMore);
  const types = typesOf(parameters);
  // Values beyond those that are known are left alone, as JavaScript does.
  const checked = [...values];
  types.forEach(([name, type], index) => {
    const last = type.variadic ? values.length : index + 1;
    for (let place = index; place < last; place++) {
      const hasName = (isNamed || types.length > 1) && !(isOptions(type) && isMap(values[place]));
      checked[place] = check.at(hasName ? [name] : [], type, values[place], place < values.length);
    }
  });
  return { values: checked, faults: check.faults, isRefused: checked.includes(NOTHING) };
}

const TYPES = new Map<Shape, readonly (readonly [string, ArgumentType])[]>();

/** The types of parameters or properties by their names. */
function typesOf(shape: Shape): readonly (readonly [string, ArgumentType])[] {
  let types = TYPES.get(shape);
  if (!types) TYPES.set(shape, types = Object.entries(shape).map(([name, text]) => [name, argumentType(text)]));
  return types;
}

class Check {
  public readonly faults: ArgumentFault[] = [];
  private readonly path: (string | number)[] = [];

  public constructor(private readonly mayHaveMore: boolean) {}

  /** The value of a parameter without what is wrong; NOTHING if it is needed and cannot be used. */
  public at(path: readonly string[], type: ArgumentType, value: unknown, isGiven: boolean): unknown {
    this.path.splice(0, this.path.length, ...path);
    return this.value(type, value, isGiven);
  }

  private value(type: ArgumentType, value: unknown, isGiven = true): unknown {
    if (value !== undefined && value !== null) {
      const checked = this.present(type, value);
      return checked === NOTHING && type.optional ? undefined : checked;
    }
    if (type.name === 'any' && type.kind === 'named') return value;
    // To jsii, null is what is left out.
    if (type.optional) return undefined;
    const message = isGiven ? `it is ${value}, and it is required` : 'it is required, and it is not there';
    return this.refuse({ rule: ARGUMENT_RULES.missing, message, accepted: typeWords(type), fix: missingFix(type, isGiven) });
  }

  private below(name: string | number, type: ArgumentType, value: unknown, isGiven = true): unknown {
    this.path.push(name);
    const checked = this.value(type, value, isGiven);
    this.path.pop();
    return checked;
  }

  private present(type: ArgumentType, value: unknown): unknown {
    if (typeof value === 'object') this.faults.push(...findingsAt(this.path, faultsOf(value!)) as ArgumentFault[]);
    if (isUnusable(value)) return NOTHING;
    if (type.kind === 'list' && Array.isArray(value)) return this.list(type.element!, value);
    if (type.kind === 'map' && isMap(value)) return this.map(type.element!, value);
    if (isOptions(type) && isMap(value)) return this.struct(type.name, value);
    if (type.kind === 'named' && !isOptions(type) && isOfType(type.name, value)) return value;
    return this.refuse({ rule: ARGUMENT_RULES.type, message: isSecret(this.path) ? 'a value of another type is given' : givenWords(value, type), accepted: typeWords(type), fix: typeFix(type, value) });
  }

  // Without an entry that is wrong a list would be wrong in another way, which would be reported, too: it is left out as a whole.
  private list(type: ArgumentType, values: readonly unknown[]): unknown {
    const checked = Array.from(values, (value, index) => this.below(index, type, value));
    if (checked.includes(NOTHING)) return NOTHING;
    return checked.every((value, index) => value === values[index]) ? values : checked;
  }

  private map(type: ArgumentType, values: Fields): unknown {
    const entries = Object.entries(values).map(([name, value]) => [name, this.below(name, type, value)] as const);
    if (entries.some(([, value]) => value === NOTHING)) return NOTHING;
    return entries.every(([name, value]) => value === values[name]) ? values : Object.fromEntries(entries);
  }

  private struct(name: string, values: Fields): unknown {
    const properties = typesOf(API.structs[name]);
    let changed: Record<string, unknown> | undefined;
    let isRefused = false;
    for (const [property, type] of properties) {
      const { [property]: value } = values;
      if (value === undefined && type.optional) continue;
      const checked = this.below(property, type, value, property in values);
      if (checked === NOTHING) isRefused = true;
      else if (checked !== value) (changed ??= { ...values })[property] = checked;
    }
    // Left out, so that what is handed on is not refused again.
    const unknown = this.path.length > 0 || !this.mayHaveMore ? this.refuseUnknown(name, values) : [];
    for (const property of unknown) delete (changed ??= { ...values })[property];
    return isRefused ? NOTHING : changed ?? values;
  }

  /** Reports properties that a struct does not have, and returns their names. */
  private refuseUnknown(struct: string, values: Fields): readonly string[] {
    const known = API.structs[struct];
    // Objects of a class of the user's may have more.
    const isLiteral = [Object.prototype, null].includes(Object.getPrototypeOf(values) as object);
    const unknown = isLiteral ? Object.keys(values).filter((name) => !name.startsWith('_') && values[name] !== undefined && !Object.hasOwn(known, name)) : [];
    for (const name of unknown) {
      const names = Object.keys(known);
      const nearest = nearestName(name, names) ?? names.find((other) => other.toLowerCase().endsWith(name.toLowerCase()));
      this.faults.push({
        rule: ARGUMENT_RULES.unknown,
        path: [...this.path, name],
        message: `${struct} has no such property, and ${isSecret([name]) ? 'its value' : shownArgument(values[name])} would be ignored`,
        fix: nearest === undefined ? 'remove it, or correct its name' : `did you mean ${nearest}?`,
      });
    }
    return unknown;
  }

  private refuse(fault: Omit<ArgumentFault, 'path'>): symbol {
    this.faults.push({ path: [...this.path], ...fault });
    return NOTHING;
  }
}

/** True if the value of a property is not to be quoted. */
function isSecret(path: FieldPath): boolean {
  const property = path.filter((part) => typeof part === 'string').at(-1);
  return property !== undefined && isSecretName(property);
}

function isOptions({ kind, name }: ArgumentType): boolean {
  return kind === 'named' && Object.hasOwn(API.structs, name);
}

/**
 * True if a value may be a map or a struct: an object with properties, of no class of this library, and of none of JavaScript, whose content is no
 * properties.
 */
function isMap(value: unknown): value is Fields {
  return isFields(value) && !isBuiltIn(value) && (typeof value.constructor !== 'function' || API.classes[className(value.constructor)] === undefined);
}
