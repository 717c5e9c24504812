import { Rule } from '../problems/problem';
import { Finding } from '../values/finding';

/** What is wrong with an argument. */
export interface ArgumentFault extends Finding {
  readonly rule: Rule;
}

// An object that has no construct around it keeps what was wrong with its arguments, until it is an argument of something that has one.
const FAULTS = new WeakMap<object, readonly ArgumentFault[]>();
const UNUSABLE = new WeakSet<object>();

/** What was wrong with the arguments that an object was made with. */
export function faultsOf(value: object): readonly ArgumentFault[] {
  return FAULTS.get(value) ?? [];
}

/** Has an object keep what was wrong with the arguments that it was made with, or was given later. */
export function keepFaults(value: object, faults: readonly ArgumentFault[]): void {
  if (faults.length > 0) FAULTS.set(value, [...faultsOf(value), ...faults]);
}

/** Marks an object that stands for one that could not be made. */
export function markUnusable(value: object): void {
  UNUSABLE.add(value);
}

/** True if an object stands for one that could not be made. */
export function isUnusable(value: unknown): boolean {
  return UNUSABLE.has(value as object);
}
