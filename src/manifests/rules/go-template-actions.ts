/** The line of the first action of a Go template that has no end; undefined where all have. */
export function unclosedAction(text: string): number | undefined {
  for (let start = text.indexOf('{{'); start >= 0;) {
    const end = endOfAction(text, start + 2);
    if (end === undefined) return text.slice(0, start).split('\n').length;
    start = text.indexOf('{{', end);
  }
  return undefined;
}

/** Where an action ends: its strings and comments may hold braces. */
function endOfAction(text: string, from: number): number | undefined {
  if (/^(- )?\s*\/\*/.test(text.slice(from, from + 100))) {
    const comment = text.indexOf('*/', from);
    const end = comment < 0 ? -1 : text.indexOf('}}', comment);
    return end < 0 ? undefined : end + 2;
  }
  const token = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\}\}|./gs;
  token.lastIndex = from;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '}}') return token.lastIndex;
  }
  return undefined;
}
