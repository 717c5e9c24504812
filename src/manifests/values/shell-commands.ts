/** A separator, a comment, a word with its quotes, or a quote that is never closed. */
const TOKEN = /(?<end>[\n;&|()]+)|(?<![^\s;&|()])#[^\n]*|(?<word>(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s;&|()'"\\])+)/g;
const PIECE = /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|([^'"\\]+)/g;

/** Longer scripts are not read: a quote that is never closed is sought to the end each time. */
const LONGEST = 20_000;

/**
 * The simple commands of a script for a shell, as lists of words. Variables and loops are not followed.
 *
 * @param script the script
 */
export function shellCommands(script: string): string[][] {
  if (script.length > LONGEST) return [];
  const commands: string[][] = [[]];
  for (const { groups } of script.replace(/\\\r?\n/g, ' ').matchAll(TOKEN)) {
    if (groups?.end !== undefined) commands.push([]);
    else if (groups?.word !== undefined) commands.at(-1)!.push(unquoted(groups.word));
  }
  return commands.filter((words) => words.length > 0);
}

function unquoted(word: string): string {
  return [...word.matchAll(PIECE)].map(([, single, double, escaped, plain]) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain).join('');
}
