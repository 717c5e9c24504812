// Kubernetes reads YAML 1.1 without its dates and its numbers of base 60. Source: kubernetes-sigs/yaml goyaml.v2/resolve.go.
const TRUE = /^(?:[yY]|[yY]es|YES|[tT]rue|TRUE|[oO]n|ON)$/;
const FALSE = /^(?:[nN]|[nN]o|NO|[fF]alse|FALSE|[oO]ff|OFF)$/;
const NUMERIC = /^[-+.0-9]/;
const INTEGER = /^[-+]?(?:0[bB][01]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|[1-9][0-9]*|0)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NO_NUMBER = new Map([
  ...['.inf', '.Inf', '.INF'].flatMap((text) => [[text, Infinity], [`+${text}`, Infinity], [`-${text}`, -Infinity]] as const),
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, NaN] as const),
]);
// Go reads larger ones as numbers with a fraction, if they are decimal.
const LEAST_INTEGER = -(2 ** 63);
const MOST_INTEGER = 2 ** 64;

/** The boolean that a plain scalar is; undefined if it is none. */
export function boolean(text: string): boolean | undefined {
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : undefined;
}

/** The integer that a plain scalar is; undefined if it is none. */
export function integer(text: string): number | undefined {
  const plain = withoutUnderscores(text);
  if (!INTEGER.test(plain)) return undefined;
  const digits = plain.replace(/^[-+]/, '');
  const size = /^0[0-7]+$/.test(digits) ? parseInt(digits, 8) : Number(digits);
  const value = plain.startsWith('-') ? -size : size;
  return value >= LEAST_INTEGER && value <= MOST_INTEGER ? value : undefined;
}

/** The number with a fraction that a plain scalar is; undefined if it is none. */
export function float(text: string): number | undefined {
  const special = NO_NUMBER.get(text);
  if (special !== undefined) return special;
  const plain = withoutUnderscores(text);
  const value = FLOAT.test(plain) ? Number(plain) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Go ignores underscores in numbers; in those that start with a point only between digits. */
function withoutUnderscores(text: string): string {
  if (!NUMERIC.test(text)) return text;
  return text.replace(text.startsWith('.') ? /(?<=[0-9])_(?=[0-9])/g : /_/g, '');
}

const NULL: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

/** First letters of strings that are read as something else: of booleans, null, numbers and merges. */
const SPECIAL = /^[-+.0-9~<yYnNtTfFoO]/;

/** The value of a plain scalar. */
export function plainValue(text: string): unknown {
  if (NULL.has(text)) return null;
  return SPECIAL.test(text) ? boolean(text) ?? integer(text) ?? float(text) ?? text : text;
}
