/** Message of a failed assertion, and the objects that it shows. */
export function failureOf(assertion: () => unknown): { readonly text: string; readonly shown: readonly string[] } {
  try {
    assertion();
  } catch (error) {
    const [text, ...shown] = (error as Error).message.split('\n\n');
    return { text, shown };
  }
  throw new Error('the assertion passes');
}
