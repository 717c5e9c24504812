const COLON = /\s*:/y;

/**
 * Whether a map has a key twice: JavaScript keeps the last one and says nothing, and a server refuses the whole.
 *
 * @param json a text that JSON can read
 */
export function repeatsKey(json: string): boolean {
  // The keys of each map that is open; of a list none.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '{': open.push(new Set()); break;
      case '[': open.push(undefined); break;
      case '}': case ']': open.pop(); break;
      case '"': {
        const end = textEnd(json, at);
        const keys = open.at(-1);
        COLON.lastIndex = end + 1;
        if (keys && COLON.test(json)) {
          const key = JSON.parse(json.slice(at, end + 1)) as string;
          if (keys.has(key)) return true;
          keys.add(key);
        }
        at = end;
      }
    }
  }
  return false;
}

/** Where the text that begins at a quote ends. */
function textEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
