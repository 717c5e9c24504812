/** A command, quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, '\'\\\'\'')}'`)).join(' ');
}

/** True if a string can be an argument of a command: it is readable, and no option. */
export function isArgument(text: string): boolean {
  return /^[^-\s\u0000-\u001f\u007f][^\s\u0000-\u001f\u007f]*$/.test(text);
}
