import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** One flag of a program. */
export interface ProgramFlag {
  readonly name: string;
  readonly type: string;
  readonly deprecated?: boolean;
}

/** The flags of one program at one version. */
export interface ProgramFlags {
  readonly program: string;
  readonly version: string;
  readonly flags: readonly ProgramFlag[];
}

/** One program at one version, as the reference lists it. */
export interface ReferenceProgram extends ProgramFlags {
  /** Name and tag, with a remark behind. */
  readonly image?: string;

  /** The image's user, with a remark behind. */
  readonly user?: string;
  readonly entrypoint?: string;

  /** Flags (`--name`) and environment (`env NAME`) that it does not run without, with remarks behind. */
  readonly required?: readonly string[];

  /** Present where underscores in names of flags count as hyphens. */
  readonly normalize?: string;
}

/** File of the reference: in `REFERENCE_DIR`, or beside the checkout. */
export function referencePath(): string {
  return resolve(process.env.REFERENCE_DIR ?? resolve(__dirname, '../../../shared/reference'), 'flags.json');
}

/** The programs of the reference, or undefined where it is not there. */
export function readPrograms(): readonly ReferenceProgram[] | undefined {
  const path = referencePath();
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { readonly programs: readonly ReferenceProgram[] }).programs : undefined;
}

/** `1.35` for `v1.35.4`, and `0.0` for a commit of a project without releases, which comes before any release that it may have. */
export function minorOf(version: string): string {
  return /^v?(\d+\.\d+)/.exec(version)?.[1] ?? '0.0';
}
