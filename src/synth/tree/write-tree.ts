import * as fs from 'node:fs';
import { Disk, FileSystem } from './disk';
import { OutputFolder } from './output-folder';
import { OUTPUT_RULES } from './rules';
import { StagedTree } from './staged-tree';
import { TreeError } from './tree-error';
import { TreeFile, TreeSummary } from './tree-file';
import { TreeJournal } from './tree-journal';
import { TreeLock } from './tree-lock';
import { formatProblem } from '../../validation/problem';

/** More names would hide what the warning says. */
const MOST_NAMES = 10;

/** How a tree is written. */
export interface WriteTreeOptions {
  /**
   * What the files are written with.
   *
   * @default - that of Node.js
   */
  readonly fileSystem?: FileSystem;

  /**
   * What else is told of the tree.
   *
   * @default - nothing
   */
  readonly record?: TreeRecord;
}

/**
 * A file beside the list of files that tells more of a tree. It goes before the tree changes, and comes when the change is complete: it is
 * never there beside another tree.
 */
export interface TreeRecord {
  /** Its name. */
  readonly name: string;

  /**
   * What it holds, asked for when the tree is complete.
   *
   * @default - there is no such file
   */
  readonly text?: () => string;
}

/**
 * Makes an output folder hold just the given files, beside those that synthesis has not written, which it never touches.
 *
 * The list of what it has written is a file in the folder, `.cdk8s-cluster-api/files.sha256`, which belongs into the repository as the files
 * do. What is on it and is wanted no longer is removed, with folders that become empty; what somebody changed by hand is overwritten, with
 * a warning. Files whose content is as wanted are not written again.
 *
 * Nothing changes before all files are complete and nothing is wrong with any of them: an error, also one of whoever makes the files,
 * leaves the folder as it was. A process that is killed leaves it as it was, too, or with files of which each is either the old or the new
 * one; the next synthesis completes those before it begins. (After a loss of power, files may be damaged; the next synthesis finds that by
 * their content.)
 *
 * @param outdir the folder, which is made if it is missing
 * @param files the files, in any order; the content of each is needed only while it is added
 * @param options how they are written
 * @throws TreeError with all problems of the files, or with what the file system refused
 */
export function writeTree(outdir: string, files: Iterable<TreeFile>, { fileSystem = fs, record }: WriteTreeOptions = {}): TreeSummary {
  const disk = new Disk(fileSystem);
  const isNew = disk.look(outdir) === undefined;
  makeOutdir(disk, outdir);
  const folder = new OutputFolder(disk, disk.realPath(outdir));
  try {
    demandOwnFolder(folder);
    const lock = new TreeLock(disk, folder.own('lock'));
    try {
      const summary = write(folder, files, lock, record);
      if (summary.changedByHand.length > 0) warn(summary.changedByHand);
      return summary;
    } finally {
      quietly(() => lock.release());
    }
  } finally {
    quietly(() => disk.removeEmpty(folder.own('')));
    if (isNew) quietly(() => disk.removeEmpty(outdir));
  }
}

function write(folder: OutputFolder, files: Iterable<TreeFile>, lock: TreeLock, record?: TreeRecord): TreeSummary {
  const journal = new TreeJournal(folder);
  journal.recover();
  try {
    const tree = new StagedTree(folder, journal);
    for (const file of files) tree.add(file);
    const summary = tree.commit(() => {
      lock.demandHeld();
      if (record) folder.disk.remove(folder.own(record.name));
    });
    if (record) keepRecord(folder, record, lock);
    return summary;
  } catch (error) {
    quietly(() => {
      lock.demandHeld();
      if (!journal.pending) journal.discard();
    });
    throw error;
  }
}

/** Makes what is told of a tree that is complete what it has to be. */
function keepRecord(folder: OutputFolder, { name, text }: TreeRecord, lock: TreeLock): void {
  const place = folder.own(name);
  const wanted = text?.();
  if (folder.disk.read(place)?.toString() === wanted) return;
  lock.demandHeld();
  if (wanted === undefined) folder.disk.remove(place);
  else folder.disk.write(place, wanted);
}

function makeOutdir(disk: Disk, outdir: string): void {
  try {
    disk.makeFolder(outdir);
  } catch (error) {
    if (!(error instanceof TreeError) || error.code !== 'ENOENT' || !disk.look(outdir)?.isSymbolicLink()) throw error;
    throw new TreeError([{
      rule: OUTPUT_RULES.folder, message: `${outdir} is a symbolic link to a folder that is not there`, fix: 'make the folder, or remove the link',
    }]);
  }
}

/** Makes the folder for the account of the output; one that leads elsewhere is refused. */
function demandOwnFolder(folder: OutputFolder): void {
  folder.disk.makeFolder(folder.own(''));
  if (folder.disk.look(folder.own(''))?.isSymbolicLink()) {
    throw new TreeError([{
      rule: OUTPUT_RULES.link, message: `${folder.own('')} is a symbolic link`, fix: 'remove the link',
    }]);
  }
}

function warn(paths: readonly string[]): void {
  const names = paths.slice(0, MOST_NAMES).join(', ');
  const rest = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : '';
  process.emitWarning(formatProblem({
    rule: OUTPUT_RULES.changedByHand,
    message: `files that had been changed by hand were replaced or removed: ${names}${rest}`,
    fix: 'take the changes from the repository\'s history and make them in the program',
  }), { code: OUTPUT_RULES.changedByHand.id });
}

/** Tidies up after something else, which is what the user should hear of. */
function quietly(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
  }
}
