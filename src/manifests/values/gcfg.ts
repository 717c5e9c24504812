// Files such as cloud.conf, as the cloud providers of Kubernetes read them: sections, and variables in them.
// Source: go-gcfg/gcfg read.go (readIntoPass), scanner/scanner.go (Scan, scanValString, scanEscape).

/** A variable of a file. */
export interface GcfgVariable {
  readonly section: string;

  /** Name without regard to its case. */
  readonly name: string;

  /** Undefined without an equals sign. */
  readonly value?: string;
  readonly line: number;

  /** True if a comment that begins within a word cuts the value. */
  readonly isCut: boolean;
}

/** A file. */
export interface GcfgFile {
  /** The variables up to the first fault. */
  readonly variables: readonly GcfgVariable[];

  /** The first fault, at which a program ends; it never has a value. */
  readonly fault?: { readonly line: number; readonly message: string; readonly fix: string };
}

const SECTION = /^\[\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:"(?:[^"\\]|\\["\\n])+"\s*)?\]\s*(?:[;#].*)?$/;
const VARIABLE = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=([^]*))?$/;
const COMMENT = /^[;#]/;

/** Placeholder that a tool fills in later. */
const PLACEHOLDER = /\{\{|\$\{|<%/;

/** Reads a file. Values with placeholders may become anything, and are no fault. */
export function readGcfg(text: string): GcfgFile {
  const variables: GcfgVariable[] = [];
  let section: string | undefined;
  let isContinued = false;
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    const number = at + 1;
    const continues = isContinued;
    isContinued = /(?<!\\)(?:\\\\)*\\$/.test(raw.replace(/\r$/, '')) && !COMMENT.test(line);
    // The value that it ends is known only in part, and is not judged.
    if (continues) continue;
    if (line === '' || COMMENT.test(line) || /^\{\{|^\$\{/.test(line)) continue;
    const fault = (message: string, fix: string): GcfgFile => ({ variables, fault: { line: number, message, fix } });
    if (line.startsWith('[')) {
      section = SECTION.exec(line)?.[1];
      if (section === undefined) return fault('is no section', 'write the name of a section in brackets, e.g. [Global]');
      continue;
    }
    if (section === undefined) return fault('is in no section', 'begin with [Global]');
    const [, name, rest] = VARIABLE.exec(line.replace(/^([A-Za-z][A-Za-z0-9-]*)\s*[;#].*$/, '$1')) ?? [];
    if (name === undefined) return fault('is no variable', 'write NAME=VALUE, with a name of letters, digits and hyphens');
    const read = rest === undefined || PLACEHOLDER.test(rest) ? { value: rest } : scanValue(rest.trim());
    if ('fault' in read) return fault(`has the variable ${name} whose value ${read.fault}`, read.fix);
    variables.push({ section, name: name.toLowerCase(), value: read.value, line: number, isCut: 'isCut' in read && read.isCut });
  }
  return { variables };
}

type ScannedValue = { readonly value?: string; readonly isCut: boolean } | { readonly fault: string; readonly fix: string };

function scanValue(text: string): ScannedValue {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === '\\') {
      // At the end it continues the line; outside of quotes, it keeps a quote.
      if (at === text.length - 1) return { value: undefined, isCut: false };
      if (!isQuoted && text[at + 1] !== '"') return { fault: 'has a backslash outside of quotes', fix: 'put the value into quotes, with two backslashes for one' };
      if (!'\\"nt'.includes(text[++at] ?? ' ')) return { fault: 'has a backslash that begins no escape', fix: 'write two backslashes for one' };
      value += text[at];
    } else if (!isQuoted && COMMENT.test(character)) {
      return { value: value.trim(), isCut: /\S$/.test(value) && /^\S/.test(text.slice(at + 1)) };
    } else {
      value += character;
    }
  }
  return isQuoted ? { fault: 'has a quote that is not closed', fix: 'close the quote, or write \\" for a quote within quotes' } : { value, isCut: false };
}
