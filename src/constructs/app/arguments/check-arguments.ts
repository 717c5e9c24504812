import { API, Shape } from './api-shape';
import { argumentType, ArgumentType, className, isBuiltIn, isOfType } from './argument-type';
import { ARGUMENT_RULES } from './rules';
import { givenWords, missingFix, shownArgument, typeFix, typeWords } from './type-words';
import { FieldPath, Fields, isFields } from '../../../manifests/values/fields';
import { Finding } from '../../../manifests/values/finding';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Rule } from '../../../manifests/values/problem';
import { isSecretName } from '../../../manifests/values/secret-names';

/** A fault of an argument. */
export interface ArgumentFault extends Finding {
  readonly rule: Rule;
}

/**
 * Checks the arguments of a call: returns its faults, and the arguments, where null is left out.
 *
 * @param parameters what it takes
 * @param values what it was given
 * @param mayHaveMore whether properties of its options may be those of a class that extends this one
 */
export function checkArguments(
  parameters: Shape, values: readonly unknown[], mayHaveMore: boolean,
): { readonly values: unknown[]; readonly faults: readonly ArgumentFault[] } {
  const check = new Check(mayHaveMore);
  // Values beyond those that are known are left alone, as JavaScript does.
  const checked = [...values];
  typesOf(parameters).forEach(([name, type], index) => {
    const last = type.variadic ? values.length : index + 1;
    for (let place = index; place < last; place++) {
      const hasName = !(isOptions(type) && isMap(values[place]));
      checked[place] = check.at(hasName ? [name] : [], type, values[place], place < values.length);
    }
  });
  return { values: checked, faults: check.faults };
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

  public at(path: readonly string[], type: ArgumentType, value: unknown, isGiven: boolean): unknown {
    this.path.splice(0, this.path.length, ...path);
    return this.value(type, value, isGiven);
  }

  private value(type: ArgumentType, value: unknown, isGiven = true): unknown {
    if (value !== undefined && value !== null) return this.present(type, value);
    if (type.name === 'any' && type.kind === 'named') return value;
    // To jsii, null is what is left out.
    if (type.optional) return undefined;
    const message = isGiven ? `it is ${value}, and it is required` : 'it is required, and it is not there';
    this.add({ rule: ARGUMENT_RULES.missing, message, accepted: typeWords(type), fix: missingFix(type, isGiven) });
    return value;
  }

  private below(name: string | number, type: ArgumentType, value: unknown, isGiven = true): unknown {
    this.path.push(name);
    const checked = this.value(type, value, isGiven);
    this.path.pop();
    return checked;
  }

  private present(type: ArgumentType, value: unknown): unknown {
    if (type.kind === 'list' && Array.isArray(value)) return this.list(type.element!, value);
    if (type.kind === 'map' && isMap(value)) return this.map(type.element!, value);
    if (isOptions(type) && isMap(value)) return this.struct(type.name, value);
    if (type.kind === 'named' && !isOptions(type) && isOfType(type.name, value)) return value;
    const message = isSecret(this.path) ? 'a value of another type is given' : givenWords(value, type);
    this.add({ rule: ARGUMENT_RULES.type, message, accepted: typeWords(type), fix: typeFix(type, value) });
    return value;
  }

  private list(type: ArgumentType, values: readonly unknown[]): unknown {
    const checked = Array.from(values, (value, index) => this.below(index, type, value));
    return checked.every((value, index) => value === values[index]) ? values : checked;
  }

  private map(type: ArgumentType, values: Fields): unknown {
    const entries = Object.entries(values).map(([name, value]) => [name, this.below(name, type, value)] as const);
    return entries.every(([name, value]) => value === values[name]) ? values : Object.fromEntries(entries);
  }

  private struct(name: string, values: Fields): unknown {
    let changed: Record<string, unknown> | undefined;
    for (const [property, type] of typesOf(API.structs[name])) {
      const { [property]: value } = values;
      if (value === undefined && type.optional) continue;
      const checked = this.below(property, type, value, property in values);
      if (checked !== value) (changed ??= { ...values })[property] = checked;
    }
    if (this.path.length > 0 || !this.mayHaveMore) this.addUnknown(name, values);
    return changed ?? values;
  }

  /** Reports properties that a struct does not have. */
  private addUnknown(struct: string, values: Fields): void {
    const known = API.structs[struct];
    // Objects of a class of the user's may have more.
    if (![Object.prototype, null].includes(Object.getPrototypeOf(values) as object)) return;
    for (const name of Object.keys(values)) {
      if (name.startsWith('_') || values[name] === undefined || Object.hasOwn(known, name)) continue;
      const names = Object.keys(known);
      const nearest = nearestName(name, names) ?? names.find((other) => other.toLowerCase().endsWith(name.toLowerCase()));
      this.path.push(name);
      this.add({
        rule: ARGUMENT_RULES.unknown,
        message: `${struct} has no such property, and ${isSecret([name]) ? 'its value' : shownArgument(values[name])} would be ignored`,
        fix: nearest === undefined ? 'remove it, or correct its name' : `did you mean ${nearest}?`,
      });
      this.path.pop();
    }
  }

  private add(fault: Omit<ArgumentFault, 'path'>): void {
    this.faults.push({ path: [...this.path], ...fault });
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
