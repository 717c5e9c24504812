/** What the API server hands to an expression: the claims of a token, or the user that was read from them. */
export type CelRoot = 'claims' | 'user';

const OTHER: Readonly<Record<CelRoot, CelRoot>> = { claims: 'user', user: 'claims' };

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Comments and texts: raw ones keep their backslashes, and texts in three quotes may span lines. */
const TEXT = /\/\/[^\n]*|[bB]?[rR][bB]?(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')|[bB]?(?:"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g;

/**
 * Finds slips in an expression in CEL that need no grammar to see: a quote or bracket without its other half, and what is not there.
 * Everything else is told by the API server when it reads the file.
 *
 * Sources: google/cel-spec doc/langdef.md (lexis), kubernetes/kubernetes
 * staging/src/k8s.io/apiserver/pkg/authentication/cel/compile.go (variables).
 *
 * @param expression the expression
 * @param root what it is about
 * @returns what is wrong with it, or undefined
 */
export function celFault(expression: string, root: CelRoot): string | undefined {
  // A letter in place of a text, so that nothing before or behind it joins.
  const code = expression.replace(TEXT, (text) => (text.startsWith('//') ? ' ' : '0'));
  return quoteFault(code) ?? bracketFault(code) ?? rootFault(code, OTHER[root], root);
}

function quoteFault(code: string): string | undefined {
  const quote = /["']/.exec(code)?.[0];
  return quote === undefined ? undefined : `has a ${quote} without its other half`;
}

function bracketFault(code: string): string | undefined {
  const open: string[] = [];
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    if (CLOSING[bracket] !== undefined) open.push(bracket);
    else if (CLOSING[open.pop() ?? ''] !== bracket) return `has a ${bracket} that closes nothing`;
  }
  return open.length === 0 ? undefined : `has a ${open[open.length - 1]} that nothing closes`;
}

/** A name behind a dot is a field, and one that a macro declares is the macro's. */
function rootFault(code: string, other: CelRoot, root: CelRoot): string | undefined {
  const declared = new RegExp(`\\(\\s*(?:\\w+\\s*,\\s*)?${other}\\s*,`).test(code);
  return !declared && new RegExp(`(?<![\\w.]|[.?]\\s*)${other}(?!\\w)`).test(code) ? `is about ${other}, and only ${root} is there` : undefined;
}
