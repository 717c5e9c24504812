import { ValueLimits, ValueType } from './schema-node';
import { isFields } from '../values/fields';

const LONGEST_TEXT = 60;
const MOST_NAMES = 12;

const TYPES: Readonly<Record<ValueType, string>> = {
  'object': 'an object',
  'array': 'a list',
  'string': 'a string',
  'integer': 'a whole number',
  'number': 'a number',
  'boolean': 'true or false',
  'int-or-string': 'a whole number or a string',
  'quantity': 'a quantity',
};

/** A value as a message shows it: never longer than a line, whatever it holds. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (!isFields(value)) return String(value);
  const names = Object.keys(value);
  return names.length === 0 ? 'an empty object' : `an object with ${listed(names.slice(0, 3), names.length)}`;
}

/** A value of any length as JSON, shortened. Numbers that JSON lacks are as YAML writes them. */
export function shownJson(value: unknown): string {
  const text = infiniteText(value) ?? JSON.stringify(value, (_, inner: unknown) => infiniteText(inner) ?? inner) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}

function infiniteText(value: unknown): string | undefined {
  if (typeof value !== 'number' || Number.isFinite(value)) return undefined;
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

/** The type that a value must have. */
export function typeWords(type: ValueType): string {
  return TYPES[type];
}

/** Accepted values of a missing field, in words. */
export function acceptedWords({ type, enum: choices }: ValueLimits): string | undefined {
  return choices ? choiceWords(choices) : type && typeWords(type);
}

/** The choices of a field. An empty text is none that anybody would choose. */
export function choiceWords(choices: NonNullable<ValueLimits['enum']>): string {
  const shown = choices.filter((choice) => choice !== '');
  return listed(shown.slice(0, MOST_NAMES).map(shownValue), shown.length);
}

/** Names of fields. */
export function nameWords(names: readonly string[]): string {
  return names.length === 0 ? 'no fields' : listed(names.slice(0, MOST_NAMES), names.length);
}

function listed(first: readonly string[], count: number): string {
  const shown = first.map((text) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)).join(', ');
  return count > first.length ? `${shown} and ${count - first.length} more` : shown;
}
