import * as fs from 'node:fs';

/** Errors with which a path leads to nothing: through a file, or through a link that leads back to itself. */
const NOTHING_THERE: readonly (string | undefined)[] = ['ENOTDIR', 'ELOOP'];

/** The status of a file or folder, behind links; undefined if the path leads to none. */
export function statusOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (NOTHING_THERE.includes((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
