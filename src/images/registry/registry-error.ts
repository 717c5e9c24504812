/** Why a registry could not be asked, or what it answered, in the words of an operator. The message ends without a full stop. */
export class RegistryError extends Error {
  /**
   * @param message what happened
   * @param fix what to do about it, as an instruction
   */
  public constructor(message: string, public readonly fix: string) {
    super(message);
  }
}

const LONGEST_QUOTE = 200;

/** Text of a stranger, fit for a terminal: one line, no control characters, not long. */
export function quoted(text: string): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE)}…` : plain;
}
