/** The largest number of a field of 32 bits. */
export const LARGEST_INT32 = 2 ** 31 - 1;

/** True if a number is whole, and within the bounds of a field of 32 bits. */
export function isCount(value: number, least = 0): boolean {
  return Number.isInteger(value) && value >= least && value <= LARGEST_INT32;
}
