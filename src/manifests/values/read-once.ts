/** Number of texts that are kept, and their greatest length: what comes again and again is short, and there is little of it. */
const MOST_TEXTS = 1000;
const LONGEST_TEXT = 100;

/**
 * Keeps what is read from texts that come again and again, such as quantities and ranges of addresses.
 *
 * @param read reads a text; what it returns is never changed, and depends on nothing but the text
 */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined || known.has(text)) return kept as T;
    const value = read(text);
    if (typeof text !== 'string' || text.length > LONGEST_TEXT) return value;
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, value);
    return value;
  };
}
