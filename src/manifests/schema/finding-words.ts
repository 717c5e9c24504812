import { CountedUnit, ValueFault } from './check-value';
import { brokenGoFormat } from './formats';
import { SchemaNode, ValueType } from './schema-node';
import { acceptedWords, choiceWords, nameWords, shownJson, shownValue, typeWords } from './value-words';
import { FieldPath, isFields } from '../values/fields';
import { nearestName } from '../values/nearest-name';

/** Words for a pattern. */
interface PatternWords {
  /** Description of the accepted values. */
  readonly what: string;
  readonly example: string;
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const DURATION = (units: string) => `^([0-9]+(\\.[0-9]+)?(${units}))+$`;

const QUANTITY: PatternWords = { what: 'a quantity: a number, and a suffix such as m, k, M, G, Ki, Mi or Gi, if it has one', example: '512Mi' };
const DNS_LABEL = { what: 'a DNS label: lower-case letters, digits and "-", starting and ending with a letter or digit', example: 'acme-1' };
const DNS_NAME = { what: 'a DNS name: labels of lower-case letters, digits and "-", joined by "."', example: 'acme.example.com' };
const QUALIFIED_NAME = { what: 'a qualified name: letters, digits, "-", "_" and ".", and a DNS name and "/" before it, if wanted', example: 'example.com/team' };
const LABEL_VALUE = { what: 'the value of a label: letters, digits, "-", "_" and ".", starting and ending with a letter or digit', example: 'acme-1' };

/** Patterns that definitions use again and again. */
const KNOWN: Readonly<Record<string, PatternWords>> = {
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$': QUANTITY,
  [`^${LABEL}$`]: DNS_LABEL,
  [`^${SUBDOMAIN}$`]: DNS_NAME,
  [`^$|^${SUBDOMAIN}$`]: DNS_NAME,
  [`^(\\*\\.)?${SUBDOMAIN}$`]: { what: `${DNS_NAME.what}, "*." before them if wanted`, example: '*.apps.example.com' },
  [`^(${SUBDOMAIN}/)?(${NAME})$`]: QUALIFIED_NAME,
  [`^(${SUBDOMAIN}\\/)?${NAME}$`]: QUALIFIED_NAME,
  [`^${SUBDOMAIN}\\/[a-z]([-a-z0-9]*[a-z0-9])?$`]: { what: 'a DNS name, "/" and a name in lower case', example: 'example.com/team' },
  [`^(${NAME})?$`]: LABEL_VALUE,
  '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$': { what: 'a name: letters, digits and "-", starting with a letter and ending with a letter or digit', example: 'acme-1' },
  '^[\\-._a-zA-Z0-9]+$': { what: 'a key: letters, digits, "-", "_" and "."', example: 'values.yaml' },
  [DURATION('ms|s|m|h')]: { what: 'a duration in hours, minutes, seconds and milliseconds (h, m, s, ms)', example: '1h30m' },
  [DURATION('s|m|h')]: { what: 'a duration in hours, minutes and seconds (h, m, s)', example: '1h30m' },
  [DURATION('ms|s|m')]: { what: 'a duration in minutes, seconds and milliseconds (m, s, ms)', example: '1m30s' },
  '^(0(?:\\.\\d{1,3})?|1)$': { what: 'a share from 0 to 1, with three decimals at most', example: '0.055' },
  '^(http|https|ssh)://.*$': { what: 'a URL that begins with http://, https:// or ssh://', example: 'https://git.example.com/acme' },
  '^(http|https|oci)://.*$': { what: 'a URL that begins with http://, https:// or oci://', example: 'oci://registry.example.com/charts' },
  '^oci://.*$': { what: 'a URL that begins with oci://', example: 'oci://registry.example.com/charts' },
};

/** A pattern in words; undefined for an unknown pattern. */
function patternWords(pattern: string): PatternWords | undefined {
  return Object.hasOwn(KNOWN, pattern) ? KNOWN[pattern] : undefined;
}

/** Words of a message about a fault. */
export interface FaultWords {
  /** Message, with the value. No full stop at the end. */
  readonly message: string;

  /** The values that would have been accepted. */
  readonly accepted?: string;

  /** Fix, as an instruction. No full stop at the end. */
  readonly fix: string;
}

const UNITS: Readonly<Record<CountedUnit, string>> = { character: 'characters', entry: 'entries', field: 'fields' };

/** Entries that a fix shows. */
const MOST_PAIRS = 3;

/** Longer names are not misspelled ones. */
const LONGEST_NAME = 100;

/** The nearest of more choices is not looked for. */
const MOST_CHOICES = 300;

const NUMERIC = /^-?\d+(\.\d+)?$/;

/**
 * Words for a fault in YAML.
 *
 * @param fault what is wrong
 * @param path where it is
 */
export function faultWords(fault: ValueFault, path: FieldPath): FaultWords {
  const { node, value } = fault;
  switch (fault.code) {
    case 'type': return { message: `${shownValue(value)} is not ${typeWords(node.type!)}`, fix: pairsFix(node, value) ?? typeFix(node.type!, value) };
    case 'null': return {
      message: 'nothing is written, which is null',
      accepted: typeWords(node.type!),
      fix: 'leave the field out: server-side apply stores null, and only other ways of writing an object drop it',
    };
    case 'unknown': return unknownWords(fault, path);
    case 'required': return { message: 'it is required, and it is not there', accepted: acceptedWords(node), fix: `add ${shownValue(path.at(-1))}` };
    case 'choice': {
      const near = typeof value === 'string' && value.length <= LONGEST_NAME && node.enum!.length <= MOST_CHOICES ? nearestName(value, node.enum!.filter((one) => typeof one === 'string')) : undefined;
      return {
        message: `${shownValue(value)} is none of the choices`,
        accepted: choiceWords(node.enum!),
        fix: near === undefined ? 'write one of the choices' : `did you mean ${shownValue(near)}?`,
      };
    }
    case 'quantity': return textWords(value, QUANTITY);
    case 'pattern': {
      const words = patternWords(node.pattern!);
      if (words) return textWords(value, words);
      return { message: `${shownValue(value)} does not match the pattern of the field`, accepted: `a string that matches ${node.pattern}`, fix: 'write a string that matches' };
    }
    case 'format': return formatWords(node.format!, value as string);
    case 'bounds': return boundsWords(node, value as number);
    case 'limit': return {
      message: `servers refuse every number here: the definition has the limits ${[node.minimum, node.maximum].filter((limit) => limit !== undefined).join(' and ')}, which do not fit into ${node.format}`,
      fix: 'leave the field out',
    };
    case 'multiple': return { message: `${String(value)} is not a multiple of ${node.multipleOf}`, accepted: `multiples of ${node.multipleOf}`, fix: 'write a multiple of it' };
    case 'size': return { message: `${String(value)} does not fit into ${node.format}`, accepted: `a number that fits into ${node.format}`, fix: 'write a number that fits' };
    case 'overflow': return {
      message: `${String(value)} does not fit into ${node.format}: server-side apply stores ${fault.stored}`, accepted: `a number that fits into ${node.format}`, fix: 'write a number that fits',
    };
    case 'count': return countWords(fault);
    case 'duplicate': return {
      message: fault.keys ? `${keyWords(fault.keys, value)} is in entry ${fault.earlier} already` : `${shownValue(value)} is entry ${fault.earlier} once more`,
      accepted: 'each one once',
      fix: fault.keys ? 'remove one of them, or merge them' : 'remove it',
    };
    case 'any': return { message: `${shownValue(value)} fits none of the alternatives`, accepted: node.anyOf!.map(alternative).join(' or '), fix: 'correct the value' };
    case 'one': return {
      message: `${shownValue(value)} fits ${fault.fitting} of the alternatives`,
      accepted: `exactly one of ${node.oneOf!.map(alternative).join(', ')}`,
      fix: 'correct the value',
    };
    case 'not': return { message: `${shownValue(value)} is excluded by ${alternative(node.not!)}`, fix: 'correct the value' };
  }
}

function keyWords(keys: readonly string[], entry: unknown): string {
  return keys.map((key) => (isFields(entry) && Object.hasOwn(entry, key) ? `${key} ${shownValue(entry[key])}` : key)).join(' with ');
}

function textWords(text: unknown, { what, example }: PatternWords): FaultWords {
  return { message: `${shownValue(text)} is not ${what.replace(/:.*/, '')}`, accepted: what, fix: `write one such as ${JSON.stringify(example)}` };
}

function formatWords(format: string, text: string): FaultWords {
  const words = brokenGoFormat(format, text) ?? `a string of the format ${format}`;
  const isBase64 = format === 'go-bytes' || format === 'byte';
  return { message: `${shownValue(text)} is not ${words}`, accepted: words, fix: isBase64 ? 'encode it in base64; in a Secret, stringData takes plain text' : 'correct it' };
}

function boundsWords({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode, value: number): FaultWords {
  const isSmall = minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum);
  const bounds = [
    ...(minimum === undefined ? [] : [`${exclusiveMinimum ? 'more than' : 'at least'} ${minimum}`]),
    ...(maximum === undefined ? [] : [`${exclusiveMaximum ? 'less than' : 'at most'} ${maximum}`]),
  ].join(' and ');
  return { message: `${value} is too ${isSmall ? 'small' : 'large'}`, accepted: bounds, fix: `write a number that is ${bounds}` };
}

function countWords({ unit, count, least, most }: Extract<ValueFault, { code: 'count' }>): FaultWords {
  const counted = (number: number) => `${number} ${number === 1 ? unit : UNITS[unit]}`;
  const accepted = count < least ? `at least ${counted(least)}` : `at most ${counted(most)}`;
  return { message: count === 0 ? 'it is empty' : `it has ${counted(count)}`, accepted, fix: `write ${accepted}${count === 0 ? ', or leave the field out' : ''}` };
}

/** The likeliest mistake after a misspelled name is a wrong indentation. */
function unknownWords({ name, node, value: object, parent }: Extract<ValueFault, { code: 'unknown' }>, path: FieldPath): FaultWords {
  const names = [...node.fields?.keys() ?? []];
  const [inside, ...more] = [...node.fields ?? []].filter(([, child]) => child.fields?.has(name));
  const below = inside && more.length === 0 ? `move it into ${shownValue(inside[0])}` : undefined;
  const place = parent?.fields?.has(name) ? `move it out of ${shownValue(path.at(-2))}, to the level above` : below;
  const near = name.length > LONGEST_NAME ? undefined : nearestName(name, names.filter((known) => !Object.hasOwn(object, known)));
  return {
    message: `there is no field ${shownValue(name)} here`,
    accepted: nameWords(names),
    fix: place ?? (near === undefined ? 'remove it, or move it to where it belongs' : `did you mean ${shownValue(near)}?`),
  };
}

function alternative({ schema }: SchemaNode): string {
  return shownJson(schema);
}

/** Older versions of kinds have objects where newer ones have lists of names and values, such as the extra arguments of kubeadm. */
function pairsFix({ type, items }: SchemaNode, value: unknown): string | undefined {
  if (type !== 'array' || !isFields(value) || !['name', 'value'].every((field) => items?.fields?.has(field))) return undefined;
  const entries = Object.entries(value).filter(([, text]) => ['string', 'number', 'boolean'].includes(typeof text));
  const shown = entries.slice(0, MOST_PAIRS).map(([name, text]) => `{name: ${shownValue(name)}, value: ${shownValue(String(text))}}`);
  return `write a list of names and values: [${[...shown, ...(entries.length > MOST_PAIRS ? ['…'] : [])].join(', ')}]`;
}

function typeFix(type: ValueType, value: unknown): string {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  switch (type) {
    case 'string': return isScalar ? 'put it in quotes' : 'write a string';
    case 'array': return isFields(value) ? 'begin each entry with a dash' : 'write it as a list';
    case 'object': return Array.isArray(value) ? 'write fields, without a dash before them' : 'write the fields below it, indented';
    case 'boolean': return value === 'true' || value === 'false' ? 'take the quotes off' : 'write true or false';
    default:
      if (typeof value === 'number') return 'write it without a fraction';
      return typeof value === 'string' && NUMERIC.test(value) ? 'take the quotes off' : `write ${typeWords(type)}`;
  }
}
