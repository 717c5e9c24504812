import * as fs from 'node:fs';
import * as path from 'node:path';
import { Disk } from './disk';
import { OutputFolder } from './output-folder';
import { TreeFile } from './tree-file';
import { TreeIndex } from './tree-index';
import { TreeJournal } from './tree-journal';

const OWNER_EXECUTES = 0o100;

/** The files in an output folder that synthesis has written, by their paths below it. */
export function writtenFiles(outdir: string): string[] {
  return writtenIndex(outdir).paths;
}

/** The files in an output folder that synthesis has written, with the hashes of what it wrote. */
export function writtenIndex(outdir: string): TreeIndex {
  return new TreeJournal(new OutputFolder(new Disk(fs), outdir)).index;
}

/**
 * Files as they are, to be kept as a part of the next tree.
 *
 * @param outdir the output folder
 * @param paths those that synthesis has written; what somebody has removed since stays away
 * @param producer who wants to keep them
 */
export function* keptFiles(outdir: string, paths: readonly string[], producer: string): Generator<TreeFile> {
  const disk = new Disk(fs);
  for (const file of paths) {
    const place = path.join(outdir, file);
    const stats = disk.look(place);
    // eslint-disable-next-line no-bitwise
    if (stats?.isFile()) yield { path: file, content: disk.read(place)!, executable: (stats.mode & OWNER_EXECUTES) !== 0, producer };
  }
}
