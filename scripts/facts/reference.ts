import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** One flag, as the reference lists it. */
export interface ReferenceFlag {
  readonly name: string;
  readonly type: string;
  readonly deprecated?: boolean;
}

/** One program at one version. */
export interface ReferenceProgram {
  readonly program: string;
  readonly version: string;
  readonly flags: readonly ReferenceFlag[];

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

/** A tree of configuration fields: a type name, a list with its one element, or fields by name (`*` for any name). */
export type FieldTree = string | readonly FieldTree[] | { readonly [field: string]: FieldTree };

/** Fields that came and went between two versions, as dotted paths. */
export interface FieldChange {
  readonly from: string;
  readonly to: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The part of `flags.json` that the tables are made from. */
export interface Reference {
  readonly programs: readonly ReferenceProgram[];
  readonly featureGates: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly configKinds: Readonly<Record<string, { readonly version: string; readonly fields: FieldTree }>>;
  readonly configKindChanges: Readonly<Record<string, readonly FieldChange[]>>;
}

/** Where the reference lies: `REFERENCE_DIR`, or beside the checkout. */
export function referencePath(): string {
  return resolve(process.env.REFERENCE_DIR ?? resolve(__dirname, '../../../shared/reference'), 'flags.json');
}

/** The reference, or undefined where it is not there. */
export function readReference(): Reference | undefined {
  const path = referencePath();
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as Reference : undefined;
}

/** `1.35` for `v1.35.4`, and `0.0` for a commit of a project without releases, which comes before any release that it may have. */
export function minorOf(version: string): string {
  return /^v?(\d+\.\d+)/.exec(version)?.[1] ?? '0.0';
}
