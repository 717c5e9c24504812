import { NotComputed, TemplateFault } from './faults';
import { goFunction, GoFunctions } from './functions';
import { byteLength, byteSlice, checkSize, deepEqual, goText, GoValue, goJson, isNil, joined, kindOf, LONGEST, plain, quoted, typeOf } from './values';
import { semver, semverCompare } from './versions';
import { goPattern, patternFault } from '../schema/formats';
import { nodeCrypto } from '../values/node-crypto';

/**
 * Sprig's functions over texts.
 *
 * Source: Masterminds/sprig v3.3.0 functions.go, strings.go, regex.go.
 */
export const TEXT_FUNCTIONS: GoFunctions = {
  hello: goFunction('', () => 'Hello!'),
  trim: goFunction('string', (text: string) => text.trim()),
  upper: goFunction('string', (text: string) => text.toUpperCase()),
  lower: goFunction('string', (text: string) => text.toLowerCase()),
  title: goFunction('string', (text: string) => text.replace(/(?<![\p{L}\p{Nd}_'])\p{L}/gu, (letter) => letter.toUpperCase())),
  untitle: goFunction('string', (text: string) => text.replace(/(?<=^|\s)\S/gu, (letter) => letter.toLowerCase())),
  initials: goFunction('string', (text: string) => [...text.matchAll(/(?<=^|\s)\S/gu)].join('')),
  nospace: goFunction('string', (text: string) => text.replace(/\s/g, '')),
  trunc: goFunction('int string', truncated),
  abbrev: goFunction('int string', (width: bigint, text: string) => (
    width < 4n || byteLength(text) <= Number(width) ? text : `${byteSlice(text, 0, Number(width) - 3)}...`)),
  substr: goFunction('int int string', (start: bigint, end: bigint, text: string) => {
    if (start < 0n) return byteSlice(text, 0, Number(end));
    return byteSlice(text, Number(start), end < 0n || end > byteLength(text) ? undefined : Number(end));
  }),
  repeat: goFunction('int string', (count: bigint, text: string) => {
    if (count < 0n) throw new TemplateFault('negative Repeat count');
    if (Number(count) * text.length > LONGEST) throw new NotComputed('its result is too long');
    return text.repeat(Number(count));
  }),
  trimAll: goFunction('string string', (signs: string, text: string) => trimmed(text, signs)),
  trimall: goFunction('string string', (signs: string, text: string) => trimmed(text, signs)),
  trimSuffix: goFunction('string string', (suffix: string, text: string) => (
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text)),
  trimPrefix: goFunction('string string', (prefix: string, text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)),
  contains: goFunction('string string', (part: string, text: string) => text.includes(part)),
  hasPrefix: goFunction('string string', (part: string, text: string) => text.startsWith(part)),
  hasSuffix: goFunction('string string', (part: string, text: string) => text.endsWith(part)),
  replace: goFunction('string string string', (old: string, now: string, text: string) => joined(text.split(old), now)),
  quote: goFunction('...any', (...values: GoValue[]) => values.filter((value) => !isNil(value)).map((value) => quoted(goText(value))).join(' ')),
  squote: goFunction('...any', (...values: GoValue[]) => values.filter((value) => !isNil(value)).map((value) => `'${goText(value)}'`).join(' ')),
  cat: goFunction('...any', (...values: GoValue[]) => values.filter((value) => !isNil(value)).map(goText).join(' ')),
  indent: goFunction('int string', indented),
  nindent: goFunction('int string', (spaces: bigint, text: string) => `\n${indented(spaces, text)}`),
  plural: goFunction('string string int', (one: string, many: string, count: bigint) => (count === 1n ? one : many)),
  toString: goFunction('any', (value: GoValue) => goText(value)),
  split: goFunction('string string', (separator: string, text: string) => numbered(text.split(separator))),
  splitn: goFunction('string int string', (separator: string, count: bigint, text: string) => numbered(splitAtMost(text, separator, Number(count)))),
  splitList: goFunction('string string', (separator: string, text: string) => text.split(separator)),
  b64enc: goFunction('string', (text: string) => Buffer.from(text).toString('base64')),
  b64dec: goFunction('string', (text: string) => {
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw new NotComputed('its text is not base64');
    return Buffer.from(text, 'base64').toString();
  }),
  sha1sum: goFunction('string', (text: string) => hash('sha1', text)),
  sha256sum: goFunction('string', (text: string) => hash('sha256', text)),
  sha512sum: goFunction('string', (text: string) => hash('sha512', text)),
  semver: goFunction('string', (text: string) => semver(text)),
  semverCompare: goFunction('string string', semverCompare),
  fail: goFunction('string', (message: string) => {
    throw new TemplateFault(message);
  }),
  typeOf: goFunction('any', typeOf),
  typeIs: goFunction('string any', (name: string, value: GoValue) => typeOf(value) === name),
  typeIsLike: goFunction('string any', (name: string, value: GoValue) => [name, `*${name}`].includes(typeOf(value))),
  kindOf: goFunction('any', kindOf),
  kindIs: goFunction('string any', (name: string, value: GoValue) => kindOf(value) === name),
  deepEqual: goFunction('any any', deepEqual),
  fromJson: goFunction('string', (text: string) => parsed(text, false)),
  mustFromJson: goFunction('string', (text: string) => parsed(text, true)),
  ...both('toJson', 'any', (value: GoValue) => goJson(value)),
  ...both('toPrettyJson', 'any', (value: GoValue) => goJson(value, 2)),
  ...both('toRawJson', 'any', rawJson),
  ...both('regexMatch', 'string string', (pattern: string, text: string) => compiled(pattern, text).test(text)),
  ...both('regexFind', 'string string', (pattern: string, text: string) => {
    const matcher = compiled(pattern, text).matcher(text);
    return matcher.find() ? matcher.group() ?? '' : '';
  }),
  ...both('regexFindAll', 'string string int', (pattern: string, text: string, most: bigint) => {
    const found: string[] = [];
    const matcher = compiled(pattern, text).matcher(text);
    while ((most < 0n || found.length < Number(most)) && matcher.find()) found.push(matcher.group() ?? '');
    return found;
  }),
  ...both('regexReplaceAll', 'string string string', (pattern: string, text: string, now: string) => (
    replaced(pattern, text, (group) => withGroups(now, group)))),
  ...both('regexReplaceAllLiteral', 'string string string', (pattern: string, text: string, now: string) => replaced(pattern, text, () => now)),
  regexQuoteMeta: goFunction('string', (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};

/** A function, and the same with `must` before its name. */
function both(name: string, types: string, call: (...values: never[]) => GoValue): GoFunctions {
  const made = goFunction(types, call);
  return { [name]: made, [`must${name[0].toUpperCase()}${name.slice(1)}`]: made };
}

function rawJson(value: GoValue): string {
  checkSize(value);
  return JSON.stringify(plain(value));
}

function compiled(pattern: string, text: string): NonNullable<ReturnType<typeof goPattern>> {
  const found = goPattern(pattern, text);
  if (found) return found;
  const fault = patternFault(pattern);
  if (fault !== undefined) throw new TemplateFault(fault);
  throw new NotComputed('its regular expression or text is too long');
}

function replaced(pattern: string, text: string, replacement: (group: (number: number) => string) => string): string {
  const matcher = compiled(pattern, text).matcher(text);
  const parts: string[] = [];
  let [from, length] = [0, 0];
  while (matcher.find()) {
    const part = text.slice(from, matcher.start()) + replacement((number) => (number <= matcher.groupCount() ? matcher.group(number) ?? '' : ''));
    length += part.length;
    if (length > LONGEST) throw new NotComputed('its result is too long');
    parts.push(part);
    from = matcher.end();
  }
  return parts.join('') + text.slice(from);
}

/** A replacement with the groups that `$1` and `${1}` name. */
function withGroups(text: string, group: (number: number) => string): string {
  return text.replace(/\$(?:\$|(\d+)(?!\w)|\{(\d+)\}|[\w{])/g, (match, number: string | undefined, braced: string | undefined) => {
    if (match === '$$') return '$';
    const named = number ?? braced;
    if (named === undefined) throw new NotComputed('its regular expression has groups with names');
    return group(Number(named));
  });
}

function truncated(length: bigint, text: string): string {
  const [count, size] = [Number(length), byteLength(text)];
  if (count < 0) return size + count > 0 ? byteSlice(text, size + count) : text;
  return size > count ? byteSlice(text, 0, count) : text;
}

function trimmed(text: string, signs: string): string {
  const characters = [...text];
  let [first, end] = [0, characters.length];
  while (first < end && signs.includes(characters[first])) first++;
  while (end > first && signs.includes(characters[end - 1])) end--;
  return characters.slice(first, end).join('');
}

function indented(spaces: bigint, text: string): string {
  if (spaces < 0n) throw new TemplateFault('negative Repeat count');
  if (Number(spaces) * text.split('\n').length > LONGEST) throw new NotComputed('its result is too long');
  const pad = ' '.repeat(Number(spaces));
  return pad + text.replaceAll('\n', `\n${pad}`);
}

function numbered(parts: readonly string[]): GoValue {
  return Object.fromEntries(parts.map((part, index) => [`_${index}`, part]));
}

function splitAtMost(text: string, separator: string, count: number): string[] {
  const parts = text.split(separator);
  if (count === 0) return [];
  return count < 0 || parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function hash(algorithm: string, text: string): string {
  return nodeCrypto().createHash(algorithm).update(text).digest('hex');
}

function parsed(text: string, must: boolean): GoValue {
  try {
    return JSON.parse(text) as GoValue;
  } catch {
    if (must) throw new TemplateFault('invalid JSON');
    return undefined;
  }
}
