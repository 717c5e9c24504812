import { goText, GoValue, isNil, limited, quoted, typeOf } from './values';
import { isFields } from '../values/fields';

const VERB = /%([-+# 0]*)(\d+|\*)?(?:\.(\d+|\*)?)?(.)|%$/gsu;

/** Digits that a width or a precision may have. */
const WIDEST = 10_000;

/**
 * A text by a format of Go.
 *
 * Source: Go fmt/print.go.
 */
export function sprintf(format: string, values: readonly GoValue[]): string {
  let index = 0;
  const text = format.replace(VERB, (match: string, flags: string, width?: string, precision?: string, verb?: string) => {
    if (verb === undefined) return '%!(NOVERB)';
    if (verb === '%') return '%';
    const size = (given: string | undefined) => (given === '*' ? Number(values[index++]) : given === undefined ? undefined : Number(given));
    const options = { flags, width: size(width), precision: match.includes('.') ? size(precision) ?? 0 : undefined };
    if ([options.width, options.precision].some((given) => given !== undefined && given > WIDEST)) return limited(' '.repeat(WIDEST * WIDEST));
    if (index >= values.length) return `%!${verb}(MISSING)`;
    return padded(formatted(verb, values[index++], options), verb, options);
  });
  return index >= values.length ? text : `${text}%!(EXTRA ${values.slice(index).map((value) => `${typeOf(value)}=${goText(value)}`).join(', ')})`;
}

interface Options {
  readonly flags: string;
  readonly width?: number;
  readonly precision?: number;
}

function formatted(verb: string, value: GoValue, options: Options): string {
  if (verb === 'v') return options.flags.includes('#') && typeof value === 'string' ? quoted(value) : goText(value);
  if (verb === 'T') return typeOf(value);
  if (isNil(value)) return `%!${verb}(<nil>)`;
  if (Array.isArray(value)) return `[${value.map((item) => formatted(verb, item, options)).join(' ')}]`;
  if (isFields(value)) return goText(value);
  const text = typeof value === 'string' ? textVerb(verb, value, options)
    : typeof value === 'bigint' ? integerVerb(verb, value, options)
      : typeof value === 'number' ? floatVerb(verb, value, options) : verb === 't' ? goText(value) : undefined;
  return text ?? `%!${verb}(${typeOf(value)}=${goText(value)})`;
}

function textVerb(verb: string, value: string, { precision, flags }: Options): string | undefined {
  const cut = precision === undefined ? value : [...value].slice(0, precision).join('');
  switch (verb) {
    case 's': return cut;
    case 'q': return flags.includes('#') && !cut.includes('`') ? `\`${cut}\`` : quoted(cut);
    case 'x': return Buffer.from(cut).toString('hex');
    case 'X': return Buffer.from(cut).toString('hex').toUpperCase();
    default: return undefined;
  }
}

const BASES: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, x: 16, X: 16 };

function integerVerb(verb: string, value: bigint, { flags, precision }: Options): string | undefined {
  if (verb === 'c') return String.fromCodePoint(Number(value));
  if (!Object.hasOwn(BASES, verb)) return undefined;
  const digits = (value < 0n ? -value : value).toString(BASES[verb]).padStart(precision ?? 0, '0');
  const prefix = flags.includes('#') ? { x: '0x', X: '0X', o: '0', b: '0b' }[verb] ?? '' : '';
  return `${signOf(value < 0n, flags)}${prefix}${verb === 'X' ? digits.toUpperCase() : digits}`;
}

function floatVerb(verb: string, value: number, { flags, precision }: Options): string | undefined {
  const sign = signOf(value < 0, flags);
  const amount = Math.abs(value);
  switch (verb) {
    case 'f': case 'F': return `${sign}${amount.toFixed(Math.min(precision ?? 6, 100))}`;
    case 'e': case 'E': {
      const text = amount.toExponential(Math.min(precision ?? 6, 100)).replace(/e([+-])(\d)$/, 'e$10$2');
      return `${sign}${verb === 'E' ? text.toUpperCase() : text}`;
    }
    case 'g': return `${sign}${goText(precision === undefined ? amount : Number(amount.toPrecision(Math.min(Math.max(precision, 1), 100))))}`;
    default: return undefined;
  }
}

function signOf(isNegative: boolean, flags: string): string {
  return isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function padded(text: string, verb: string, { flags, width = 0 }: Options): string {
  const length = [...text].length;
  if (length >= width) return text;
  const space = ' '.repeat(width - length);
  if (flags.includes('-')) return text + space;
  if (!flags.includes('0') || verb === 'v' || verb === 'q') return space + text;
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(width - length) + text.slice(sign.length);
}
