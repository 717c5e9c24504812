import { KAMAJI_RULES } from './rules';
import { Problem, Rule } from '../problems/problem';
import { EntryFinding } from '../values/labels';
import { checkTolerations, Toleration } from '../values/tolerations';

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

/** Problems of the entries of a map. */
export function entryProblems(rule: Rule, property: string, findings: readonly EntryFinding[]): Problem[] {
  return findings.map(({ key, message }) => ({ rule, property: `${property}["${key}"]`, message, fix: `correct the entry "${key}"` }));
}

/** Problems of tolerations. */
export function tolerationProblems(property: string, tolerations: readonly Toleration[] = []): Problem[] {
  return checkTolerations(tolerations).map(({ index, message, fix }) => ({
    rule: KAMAJI_RULES.toleration, property: `${property}[${index}]`, message: `the toleration is not possible: ${message}`, fix,
  }));
}
