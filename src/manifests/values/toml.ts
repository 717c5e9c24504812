/** A fault of a TOML text. */
export interface TomlFault {
  readonly line: number;
  readonly message: string;
}

/** Values that a TOML text sets. */
export interface TomlText {
  /** Names of the keys with their tables, joined by a character that no name has, and their values as they are written. */
  readonly values: ReadonlyMap<string, string>;
  readonly fault?: TomlFault;
}

/** Joins the names of a key. */
export const TOML_JOINT = '\u0000';

const NAME = /^\s*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')\s*/;
const STRING = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/;
const WORD = /^[\w+:.-]+(?: \d[\w:.+-]*)?/;

/** Strings of several lines, which may end in quotes of their own. */
const LONG_STRING = /^(?:"""(?:[^"\\]|\\[^]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5})/;

/** Reads the keys of a TOML text, up to its first fault. Values are not looked at beyond their ends. */
export function readToml(text: string): TomlText {
  const [values, stated, elements] = [new Map<string, string>(), new Set<string>(), new Map<string, number>()];
  let [rest, table, element, line] = [text, '', '', 1];
  const take = (length: number): void => {
    line += rest.slice(0, length).split('\n').length - 1;
    rest = rest.slice(length);
  };
  const failed = (message: string, at = line): TomlText => ({ values, fault: { line: at, message } });
  for (;;) {
    take(/^(?:\s|#[^\n]*(?:\n|$))*/.exec(rest)![0].length);
    if (rest === '') return { values };
    const start = line;
    const open = /^\[{1,2}/.exec(rest)?.[0] ?? '';
    take(open.length);
    const names = namesIn(rest);
    if (!names) return failed('is neither a key nor a table', start);
    take(names.length);
    if (open !== '') {
      const close = ']'.repeat(open.length);
      if (!rest.startsWith(close)) return failed('is a table whose brackets do not end', start);
      take(close.length);
      table = names.key;
      if (open.length === 2) elements.set(table, (elements.get(table) ?? 0) + 1);
      element = elementOf(table, elements);
      if (open.length === 1 && stated.has(element)) return failed(`is the table ${readable(table)} once more`, start);
      if (open.length === 1) stated.add(element);
    } else {
      if (!rest.startsWith('=')) return failed('is a key without a value', start);
      take(1);
      const length = lengthOfValue(rest);
      if (length === undefined) return failed('has a value that does not end, or is none', start);
      const key = table === '' ? names.key : table + TOML_JOINT + names.key;
      const own = `${element}${TOML_JOINT}=${names.key}`;
      if (stated.has(own)) return failed(`has the key ${readable(names.key)} once more`, start);
      stated.add(own);
      values.set(key, rest.slice(0, length).trim());
      take(length);
    }
    const after = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.exec(rest);
    if (!after) return failed('goes on behind its end', line);
    take(after[0].length);
  }
}

/** A table with the numbers of the elements of lists that it is in: the keys of each element are its own. */
function elementOf(table: string, elements: ReadonlyMap<string, number>): string {
  if (elements.size === 0) return table;
  let path = '';
  return table.split(TOML_JOINT).map((name, at) => {
    path = at === 0 ? name : path + TOML_JOINT + name;
    const element = elements.get(path);
    return element === undefined ? name : `${name}${TOML_JOINT}${element}`;
  }).join(TOML_JOINT);
}

function readable(key: string): string {
  return JSON.stringify(key.replaceAll(TOML_JOINT, '.'));
}

function namesIn(text: string): { readonly key: string; readonly length: number } | undefined {
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const found = NAME.exec(text.slice(at));
    if (!found) return undefined;
    names.push(found[1] ?? found[2] ?? found[3]);
    at += found[0].length;
    if (text[at] !== '.') return { key: names.join(TOML_JOINT), length: at };
    at += 1;
  }
}

/** Length of the value at the start of a text; undefined if it does not end. */
function lengthOfValue(text: string): number | undefined {
  const blank = /^[ \t]*/.exec(text)![0].length;
  const rest = text.slice(blank);
  if (rest[0] === '[' || rest[0] === '{') return groupLength(rest, blank);
  const length = stringLength(rest) ?? WORD.exec(rest)?.[0].length;
  return length === undefined ? undefined : blank + length;
}

function stringLength(text: string): number | undefined {
  return (/^(?:"""|''')/.test(text) ? LONG_STRING : STRING).exec(text)?.[0].length;
}

function groupLength(text: string, blank: number): number | undefined {
  let [depth, at] = [0, 0];
  while (at < text.length) {
    const character = text[at];
    if (character === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (character === '"' || character === '\'') {
      const length = stringLength(text.slice(at));
      if (length === undefined) return undefined;
      at += length;
      continue;
    } else if ('[{'.includes(character)) {depth += 1;} else if (']}'.includes(character)) {depth -= 1;}
    at += 1;
    if (depth === 0) return blank + at;
  }
  return undefined;
}
