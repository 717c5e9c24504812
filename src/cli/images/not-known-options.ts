import { NotKnown } from '../../manifests/landscape/image-inventory';
import { printable } from '../../manifests/values/printable';

/** Options about what is not known. */
export const NOT_KNOWN_OPTIONS = {
  strict: { type: 'boolean', default: false },
  accept: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** Their part of the help, with the explanations in a column. */
export function notKnownHelp(column: number): string {
  return [
    '  --strict'.padEnd(column) + 'fail when something is not known',
    '  --accept TEXT'.padEnd(column) + 'with --strict: what is not known and has TEXT in its line is no reason to fail; may be repeated',
  ].join('\n');
}

/** True if the user has said that something need not be known. */
export function isAccepted({ what }: NotKnown, accepted: readonly string[]): boolean {
  return accepted.some((text) => what.includes(text));
}

/** Something that is not known, on one line. */
export function withCommand({ what, command }: NotKnown): string {
  return `${printable(what)}${command === undefined ? '' : `; to find out: ${command}`}`;
}
