import { KAMAJI_RULES } from './rules';
import { Problem } from '../problems/problem';

/** The largest number of a field of 32 bits. */
export const LARGEST_INT32 = 2 ** 31 - 1;

/** Whether a number is whole, and within the bounds of a field of 32 bits. */
export function isCount(value: number, least = 0): boolean {
  return Number.isInteger(value) && value >= least && value <= LARGEST_INT32;
}

/** Checks a number of pods that no manifest shows; the rules over manifests check the others. */
export function checkFinite(property: string, count: number | undefined): Problem[] {
  if (count === undefined || Number.isFinite(count)) return [];
  return [{ rule: KAMAJI_RULES.replicas, property, message: `${count} is not a number of pods`, accepted: 'whole numbers', fix: 'correct the number' }];
}
