import * as fs from 'node:fs';
import * as path from 'node:path';
import { statusOf } from './file-status';

/**
 * Makes a folder, and those around it that are missing. `mkdirSync` with `recursive` does not return for file systems that answer ENOENT to a
 * new folder, such as that of /proc.
 *
 * @param folder the folder
 * @throws NodeJS.ErrnoException if it cannot be made
 */
export function makeFolder(folder: string): void {
  if (statusOf(folder)?.isDirectory()) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    const isMade = (error as NodeJS.ErrnoException).code === 'EEXIST' && statusOf(folder)?.isDirectory();
    if (!isMade) throw error;
  }
}
