import * as fs from 'node:fs';
import * as path from 'node:path';
import { CommandError } from '../command';

/** A file that is written. */
export interface PictureFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes one file, or several into a folder, which is made if it is not there.
 *
 * @param output the file, or the folder
 */
export function writeFiles(output: string, files: readonly PictureFile[], intoFolder: boolean): void {
  try {
    fs.mkdirSync(intoFolder ? output : path.dirname(output), { recursive: true });
    for (const { name, text } of files) fs.writeFileSync(intoFolder ? path.join(output, name) : output, text);
  } catch (error) {
    throw new CommandError([`${output} cannot be written (${(error as NodeJS.ErrnoException).code})`], intoFolder ? 'name a folder' : 'name a file');
  }
}

/** Whether a path means a folder: there is one, or it is written like one. */
export function isFolder(output: string): boolean {
  return /[\\/]$/.test(output) || (fs.existsSync(output) && fs.statSync(output).isDirectory());
}
