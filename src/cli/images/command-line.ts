/** A command as a shell takes it. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, '\'\\\'\'')}'`)).join(' ');
}

/** Whether a text can stand in a command, where it is neither an option nor unreadable. */
export function isArgument(text: string): boolean {
  return /^[^-\s\u0000-\u001f\u007f][^\s\u0000-\u001f\u007f]*$/.test(text);
}
