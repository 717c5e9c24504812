/** The largest number of a field of 32 bits. */
export const LARGEST_INT32 = 2 ** 31 - 1;

/** True if a number is whole, and within the bounds of a field of 32 bits. */
export function isCount(value: number, least = 0): boolean {
  return Number.isInteger(value) && value >= least && value <= LARGEST_INT32;
}

/** A number of objects, or a share of them. */
export interface IntOrPercent {
  readonly amount: number;
  readonly isPercent: boolean;
}

/**
 * Reads what Kubernetes takes for a number or a percentage: `1`, `"25%"`.
 *
 * Source: kubernetes/apimachinery pkg/util/intstr/intstr.go (GetScaledValueFromIntOrPercent).
 *
 * @returns it, or undefined if the value is neither
 */
export function parseIntOrPercent(value: unknown): IntOrPercent | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? { amount: value, isPercent: false } : undefined;
  const match = typeof value === 'string' ? /^([+-]?\d+)%$/.exec(value) : null;
  return match ? { amount: Number(match[1]), isPercent: true } : undefined;
}

/**
 * A number of objects, where it may be a percentage of all of them; NaN if the value is neither.
 *
 * @param value the number, or the percentage
 * @param of all of them
 * @param round how a share is rounded
 */
export function amountOf(value: unknown, of: number, round: (amount: number) => number): number {
  const parsed = parseIntOrPercent(value);
  if (!parsed) return NaN;
  return parsed.isPercent ? round(parsed.amount * of / 100) : parsed.amount;
}
