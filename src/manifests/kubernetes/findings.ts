import { wrapped } from '../schema/formats';
import { LARGEST_INT32 } from '../values/counts';
import { checkDnsLabel, checkDnsSubdomain } from '../values/dns';
import { FieldPath } from '../values/fields';
import { Finding } from '../values/finding';

/** The file that a rule is from. */
export function apiValidation(group: string): string {
  return `kubernetes/kubernetes pkg/apis/${group}/validation/validation.go`;
}

/** A finding. */
export function fault(path: FieldPath, message: string, fix: string, accepted?: string): Finding {
  return { path, message, fix, ...(accepted !== undefined && { accepted }) };
}

/** A finding if a check found something. */
export function faultIf(path: FieldPath, message: string | undefined, fix: string): Finding[] {
  return message === undefined ? [] : [fault(path, message, fix)];
}

/** A finding for a whole number out of bounds; other values are reported elsewhere. Of a number beyond 32 bits, the bounds hold for what is stored. */
export function boundsFault(path: FieldPath, value: unknown, least: number, most = Infinity): Finding[] {
  if (!Number.isInteger(value)) return [];
  const number = value as number;
  const stored = most < LARGEST_INT32 && number > LARGEST_INT32 ? wrapped(number) ?? number : number;
  if (stored >= least && stored <= most) return [];
  const accepted = most === Infinity ? `whole numbers from ${least}` : `whole numbers from ${least} to ${most}`;
  return [fault(path, `${number} is too ${number < least ? 'small' : 'large'}`, 'write a number in these bounds', accepted)];
}

/** A finding for a field that a check found something in. */
export function fieldFaultIf(path: FieldPath, field: string, message: string | undefined, fix: string): Finding[] {
  return message === undefined ? [] : [fault([...path, field], message, fix)];
}

/** A finding for a text that is no DNS label. An empty text counts as not written where nothing else is said. */
export function labelFault(path: FieldPath, value: unknown): Finding[] {
  return typeof value === 'string' && value !== '' ? faultIf(path, checkDnsLabel(value), 'write lower-case letters, digits and "-"') : [];
}

/** A finding for a text that is no DNS name. */
export function subdomainFault(path: FieldPath, value: unknown): Finding[] {
  return typeof value === 'string' && value !== '' ? faultIf(path, checkDnsSubdomain(value), 'write the name as the object has it') : [];
}

/** A finding for a text that is there, and empty. */
export function emptyFault(path: FieldPath, value: unknown): Finding[] {
  return value === '' ? [fault(path, 'it is empty', 'write it')] : [];
}

/** Findings for values that stand there twice, at each but the first. */
export function repetitions<T>(
  entries: readonly T[], keyOf: (entry: T) => string | undefined, pathOf: (entry: T) => FieldPath, what: string,
): Finding[] {
  if (entries.length < 2) return [];
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const key = keyOf(entry);
    if (key === undefined || key === '') return [];
    if (seen.has(key)) return [fault(pathOf(entry), `${what} ${JSON.stringify(key)} is there twice`, 'give each one its own')];
    seen.add(key);
    return [];
  });
}
