import * as path from 'node:path';
import { git } from './repository-paths';
import { WorkTreePlace } from './work-tree';
import { statusOf } from '../../values/file-status';

/** The status of a file on disk, as `fs.Stats` has it. */
export interface FileStatus {
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly dev: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
}

/** Mark of a file that a sparse checkout leaves out. */
const SKIPPED = 'S';

/** An entry: its mark, mode, id and stage; the path follows. Source: git-scm.com/docs/git-ls-files (-t, --stage). */
const ENTRY = /^([A-Za-z?]) \d+ ([0-9a-f]+) (\d)\t/;

/** The status that an entry has. Source: git/git builtin/ls-files.c (print_debug). */
const STATUS = /^ {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: (\d+)\tino: (\d+)\n {2}uid: (\d+)\tgid: (\d+)\n {2}size: (\d+)\tflags: 0\n$/;
const STATUS_END = '\tflags: ';

/** Numbers that an index holds have 32 bits. */
const WORD = 2 ** 32;

/** An entry of the index, and its status as Git prints it. */
interface IndexEntry {
  readonly id: string;
  readonly status: string;
}

/**
 * The index of a work tree below a place. A file whose status is the one that Git saw last has the content that Git saw, so that it need not be
 * read. Git reads nothing but the index for that, so that no filter of a repository runs.
 */
export class IndexedFiles {
  /** Paths of files that a sparse checkout leaves out, below the place; '' for the place itself. */
  public readonly skipped: readonly string[];
  private readonly entries = new Map<string, IndexEntry>();

  /** When the index was written, in milliseconds; undefined where its file is not known. */
  private readonly written: number | undefined;

  /** @param place the place */
  public constructor({ top, within }: WorkTreePlace) {
    // A file that was written while the index was may have another content, and the same status. The `.git` of a linked work tree is a file.
    this.written = statusOf(path.join(top, '.git', 'index'))?.mtimeMs;
    const skipped: string[] = [];
    const { output } = git(top, ['ls-files', '-t', '--stage', '--debug', '-z', ...(within === '' ? [] : ['--', within])]);
    const parts = output.toString().split('\0');
    let header = parts[0];
    for (const part of parts.slice(1)) {
      const end = part.indexOf('\n', part.indexOf(STATUS_END)) + 1;
      this.add(header, part.slice(0, end), within, skipped);
      header = part.slice(end);
    }
    this.skipped = skipped;
  }

  /**
   * The id of the content of a file; undefined where the file must be read to know it.
   *
   * @param file its path below the place
   * @param found its status on disk
   */
  public idOf(file: string, found: FileStatus): string | undefined {
    const entry = this.entries.get(file);
    // Git itself compares the content of a file that is as new as the index.
    if (!entry || this.written === undefined || found.mtimeMs >= this.written) return undefined;
    const seen = STATUS.exec(entry.status)?.slice(1).map(Number);
    if (!seen) return undefined;
    const [ctime, ctimeNanos, mtime, mtimeNanos, dev, ino, uid, gid, size] = seen;
    const isSame = milliseconds(ctime, ctimeNanos) === found.ctimeMs && milliseconds(mtime, mtimeNanos) === found.mtimeMs
      && dev === found.dev % WORD && ino === found.ino % WORD && uid === found.uid && gid === found.gid && size === found.size;
    return isSame ? entry.id : undefined;
  }

  private add(header: string, status: string, within: string, skipped: string[]): void {
    const [start, mark, id, stage] = ENTRY.exec(header) ?? [];
    if (start === undefined) return;
    const named = header.slice(start.length);
    const file = named === within ? '' : within === '' ? named : named.slice(within.length + 1);
    if (mark === SKIPPED) skipped.push(file);
    else if (stage === '0') this.entries.set(file, { id, status });
  }
}

/** A time as `fs.Stats` has it. */
function milliseconds(seconds: number, nanoseconds: number): number {
  return seconds * 1e3 + nanoseconds / 1e6;
}
