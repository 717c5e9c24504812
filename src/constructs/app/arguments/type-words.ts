import { API } from './api-shape';
import { ArgumentType, className } from './argument-type';
import { choiceWords, nameWords, shownValue } from '../../../manifests/schema/value-words';
import { nearestName } from '../../../manifests/values/nearest-name';

const MOST_WAYS = 3;

/** Names of types as sentences have them, and how a value of them is written. */
const WORDS: Readonly<Record<string, { readonly words: string; readonly example?: string }>> = {
  any: { words: 'any value' },
  object: { words: 'an object' },
  string: { words: 'a string' },
  number: { words: 'a number' },
  boolean: { words: 'true or false' },
  date: { words: 'a Date', example: 'new Date()' },
  Size: { words: 'a Size of cdk8s', example: 'Size.gibibytes(4)' },
  Duration: { words: 'a Duration of cdk8s', example: 'Duration.minutes(5)' },
  ApiObject: { words: 'an ApiObject of cdk8s' },
  Chart: { words: 'a Chart of cdk8s' },
  App: { words: 'an App of cdk8s' },
  Construct: { words: 'a construct' },
  IConstruct: { words: 'a construct' },
};

/** A type in words. */
export function typeWords(type: ArgumentType): string {
  const { kind, element } = type;
  if (element) return `${kind === 'list' ? 'a list' : 'an object'}${element.name === 'any' ? '' : `, each ${kind === 'list' ? 'entry' : 'value'} ${typeWords(element)}`}`;
  const { name } = type;
  if (WORDS[name]) return WORDS[name].words;
  if (API.enums[name]) return choiceWords(Object.values(API.enums[name]));
  if (API.structs[name]) return `an object with properties of ${name}: ${nameWords(Object.keys(API.structs[name]))}`;
  return `${article(name)} ${name}`;
}

/** Classes that an object of a class can be made of by `new`: it, and what extends it. */
export function creatable(name: string): string[] {
  const below = Object.keys(API.classes).filter((other) => API.classes[other].base === name).flatMap(creatable);
  const { abstract, takes } = API.classes[name];
  return [...(takes && !abstract ? [name] : []), ...below];
}

/** Static methods of a class that return an object of it. */
export function factories(name: string): string[] {
  return Object.entries(API.classes[name].statics ?? {}).filter(([, { gives }]) => gives === name).map(([method]) => method);
}

/** Expressions that create an object of a type. */
function waysTo(name: string): string[] {
  if (WORDS[name]) return WORDS[name].example === undefined ? [] : [WORDS[name].example];
  if (!API.classes[name]) return [];
  return [...creatable(name).map((other) => `new ${other}(…)`), ...factories(name).map((method) => `${name}.${method}(…)`)].slice(0, MOST_WAYS);
}

/** The fix for a missing value. */
export function missingFix(type: ArgumentType, isGiven: boolean): string {
  if (isGiven && ['string', 'number', 'boolean'].includes(type.name)) return 'give it a value: is it the one of a variable that is not set?';
  return type.kind === 'named' && waysTo(type.name).length > 0 ? `write ${waysWords(type.name)}` : 'give it a value';
}

/** The fix for a value of another type. */
export function typeFix(type: ArgumentType, value: unknown): string {
  const { kind, name } = type;
  if (value instanceof Promise) return 'write await before it: its value is not there yet';
  if (value instanceof Map && kind !== 'list') return 'write names and values in braces; Object.fromEntries(…) makes them of a Map';
  if (kind === 'list') return 'write a list in square brackets, also of one entry';
  if (kind === 'map') return 'write names and values in braces';
  if (name === 'number' && typeof value === 'string') return 'leave out the quotes; Number(…) makes a number of the string of a variable';
  if (name === 'boolean') return 'write true or false without quotes; compare the string of a variable, as in process.env.X === \'true\'';
  if (name === 'string') return ['number', 'boolean', 'bigint'].includes(typeof value) ? 'put it in quotes' : 'write a string in quotes';
  if (API.enums[name]) return enumFix(name, value);
  if (typeof value === 'function') return `make an object of it: new ${className(value)}(…)`;
  if (waysTo(name).length > 0) return `write ${waysWords(name)}`;
  return API.interfaces[name] ? `give an object with ${nameWords(API.interfaces[name])}` : 'give such a value';
}

function waysWords(name: string): string {
  return waysTo(name).join(' or ');
}

function enumFix(name: string, value: unknown): string {
  const members = Object.entries(API.enums[name]);
  const texts = members.flatMap(([member, text]) => [member, String(text)]);
  const nearest = nearestName(typeof value === 'string' ? value : shownArgument(value), texts);
  const found = members.find(([member, text]) => nearest === member || nearest === String(text));
  return found ? `did you mean ${name}.${found[0]}?` : `write ${name}.${members[0][0]}, or another member of ${name}`;
}

/** The type of a value, in words. */
export function givenWords(value: unknown, type: ArgumentType): string {
  const shown = shownArgument(value);
  if (type.kind === 'named' && API.enums[type.name]) return `${shown} is no ${type.name}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${shown} is not a finite number`;
  return PRIMITIVES[typeof value] === undefined ? `${shown} is given` : `${shown} is ${PRIMITIVES[typeof value]}`;
}

const PRIMITIVES: Readonly<Record<string, string | undefined>> = { string: 'a string', number: 'a number', boolean: 'a boolean', bigint: 'a BigInt' };

/** A value as it was given. */
export function shownArgument(value: unknown): string {
  if (typeof value === 'function') return API.classes[className(value)] || /^class\b/.test(String(value)) ? `the class ${className(value)}` : 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return shownValue(value);
  const name = className(value.constructor ?? Object);
  return ['Object', 'Array'].includes(name) ? shownValue(value) : `${article(name)} ${name}`;
}

function article(name: string): string {
  return /^[AEIO]/.test(name) ? 'an' : 'a';
}
