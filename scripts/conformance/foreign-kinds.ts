/** Outputs with kinds of packages other than the library, of which the server has no definitions: the tests of these packages look at them. */
const OF_OTHERS: readonly string[] = ['example-own-strategies'];

/** True if the server serves all kinds of an output. */
export function isServed(output: string): boolean {
  return !OF_OTHERS.includes(output);
}
