const TEXTS_AND_COMMENTS = new RegExp([
  /\/\/[^\n]*/, /[bBrR]{0,2}(?:"""[^]*?"""|'''[^]*?''')/, /[rR][bB]?(?:"[^"\n]*"|'[^'\n]*')/, /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
].map(({ source }) => source).join('|'), 'g');

const TEXTS_AND_MATCHES = new RegExp(`${TEXTS_AND_COMMENTS.source}|\\.\\s*matches(?=\\s*\\()`, 'g');

/** The function for patterns of Go, which the library reads as those of JavaScript. */
export const GO_MATCHES = 'matchesGo';

/** An expression without texts and comments, whose content looks like code. */
export function codeOf(expression: string): string {
  return expression.replace(TEXTS_AND_COMMENTS, '""');
}

/** An expression that compares texts with patterns as Go does. */
export function withGoPatterns(expression: string): string {
  return expression.replace(TEXTS_AND_MATCHES, (part) => (part.startsWith('.') ? `.${GO_MATCHES}` : part));
}
