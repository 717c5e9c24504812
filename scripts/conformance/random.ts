import { createHash } from 'node:crypto';

const LARGEST = 0x1_0000_0000;

/** Numbers that look random and are the same for the same seed, on every machine. */
export class Random {
  private readonly numbers: number[] = [];
  private block = 0;

  /** @param seed any text */
  public constructor(private readonly seed: string) {}

  /** A whole number from 0, below a limit. */
  public below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns true with a probability from 0 to 1. */
  public chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of several values. */
  public pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }

  /** One of several values, those with a larger weight more often. */
  public pickWeighted<T extends { readonly weight: number }>(values: readonly T[]): T {
    let left = this.next() * values.reduce((sum, { weight }) => sum + weight, 0);
    return values.find(({ weight }) => (left -= weight) < 0) ?? values[values.length - 1];
  }

  /** A number from 0, below 1. */
  private next(): number {
    if (this.numbers.length === 0) {
      const bytes = createHash('sha256').update(`${this.seed}/${this.block++}`).digest();
      for (let at = 0; at < bytes.length; at += 4) this.numbers.push(bytes.readUInt32LE(at) / LARGEST);
    }
    return this.numbers.pop()!;
  }
}
