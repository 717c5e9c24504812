import { TemplateFault } from './faults';
import { GoValue, GoVersion, isNil, kindOf, typeOf } from './values';
import { isFields } from '../values/fields';

/** The type of a parameter. Go accepts no other type in its place. */
export type ParameterType = 'any' | 'string' | 'int' | 'float' | 'bool' | 'map' | 'list';

/** A function that templates call. */
export interface GoFunction {
  readonly parameters: readonly ParameterType[];

  /** Type of further arguments, of any number. */
  readonly rest?: ParameterType;
  readonly call: (...values: never[]) => GoValue;
}

/** Functions by their names. */
export type GoFunctions = Readonly<Record<string, GoFunction>>;

/**
 * A function.
 *
 * @param types types of its parameters, such as `string int`; `...any` for further ones
 * @param call the function
 */
export function goFunction(types: string, call: (...values: never[]) => GoValue): GoFunction {
  const names = types.split(' ').filter((name) => name !== '');
  const rest = names.at(-1)?.startsWith('...') ? names.pop()!.slice('...'.length) as ParameterType : undefined;
  return { parameters: names as ParameterType[], rest, call };
}

/** An argument, and whether it is a number in the template, which fits into each type of numbers. */
export interface Argument {
  readonly value: GoValue;
  readonly isConstant: boolean;
}

/** Calls a function as a template does. */
export function callFunction(name: string, { parameters, rest, call }: GoFunction, given: readonly Argument[]): GoValue {
  if (given.length < parameters.length || (rest === undefined && given.length > parameters.length)) {
    const wanted = `${rest === undefined ? '' : 'at least '}${parameters.length}`;
    throw new TemplateFault(`wrong number of arguments for ${name}: want ${wanted}, got ${given.length}`);
  }
  return (call as (...values: GoValue[]) => GoValue)(...given.map((argument, index) => fitting(argument, parameters[index] ?? rest!)));
}

const FITS: Readonly<Record<ParameterType, (value: GoValue) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  int: (value) => typeof value === 'bigint',
  float: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  map: (value) => isFields(value) && !(value instanceof GoVersion),
  list: (value) => Array.isArray(value),
};

/** Go's names of the types. */
const NAMES: Readonly<Record<ParameterType, string>> = {
  any: 'interface {}', string: 'string', int: 'int', float: 'float64', bool: 'bool', map: 'map[string]interface {}', list: '[]interface {}',
};

function fitting({ value, isConstant }: Argument, type: ParameterType): GoValue {
  if (isConstant && type === 'int' && typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (isConstant && type === 'float' && typeof value === 'bigint') return Number(value);
  if (FITS[type](value)) return value;
  // A map may be nil.
  if (isNil(value) && type === 'map') return {};
  throw new TemplateFault(isNil(value) ? `invalid value; expected ${NAMES[type]}` : `wrong type for value; expected ${NAMES[type]}; got ${typeOf(value)}`);
}

/** A list, or the fault that a value is none. */
export function listOf(value: GoValue, purpose: string): readonly GoValue[] {
  if (!Array.isArray(value)) throw new TemplateFault(`Cannot ${purpose} ${kindOf(value)}`);
  return value;
}
