import * as fs from 'node:fs';
import { refusedByFileSystem } from './tree-error';

/** The calls of `node:fs` that a tree is written with. */
export type FileSystem = Pick<typeof fs, 'accessSync' | 'chmodSync' | 'lstatSync' | 'mkdirSync' | 'readFileSync' | 'readdirSync' | 'realpathSync'
| 'renameSync' | 'rmSync' | 'rmdirSync' | 'unlinkSync' | 'writeFileSync'>;

const EXECUTABLE = 0o755;
const NOT_EXECUTABLE = 0o644;

/** A file system whose refusals are said in plain words. */
export class Disk {
  /** Modes that new files do not get at once, because of the umask. */
  private readonly masked = new Map<number, boolean>();

  public constructor(private readonly files: FileSystem) {}

  /** What is at a path, links not followed; undefined if nothing is. */
  public look(path: string): fs.Stats | undefined {
    // An error for each file that is new would take longer than to write it.
    return this.absentIf(['ENOENT', 'ENOTDIR'], `look at ${path}`, () => this.files.lstatSync(path, { throwIfNoEntry: false }));
  }

  /** The content of a file; undefined if there is none. */
  public read(path: string): Buffer | undefined {
    return this.absentIf(['ENOENT', 'ENOTDIR'], `read ${path}`, () => this.files.readFileSync(path));
  }

  /** The names in a folder. */
  public list(path: string): string[] {
    return this.attempt(`read ${path}`, () => this.files.readdirSync(path));
  }

  /** The path of a folder without links. */
  public realPath(path: string): string {
    return this.attempt(`read ${path}`, () => this.files.realpathSync(path));
  }

  /** Refuses a folder in which nothing can be changed. */
  public demandWritable(path: string): void {
    this.attempt(`write to ${path}`, () => this.files.accessSync(path, fs.constants.W_OK));
  }

  /** Makes a folder and those around it. */
  public makeFolder(path: string): void {
    this.attempt(`make the folder ${path}`, () => this.files.mkdirSync(path, { recursive: true }));
  }

  /** Writes a new file with the usual mode, whatever the umask. */
  public write(path: string, content: string | Buffer, executable = false): void {
    const mode = executable ? EXECUTABLE : NOT_EXECUTABLE;
    this.attempt(`write ${path}`, () => {
      this.files.writeFileSync(path, content, { mode });
      // eslint-disable-next-line no-bitwise
      if (!this.masked.has(mode)) this.masked.set(mode, (this.files.lstatSync(path).mode & 0o777) !== mode);
      if (this.masked.get(mode)) this.files.chmodSync(path, mode);
    });
  }

  /** Writes a file unless there is one. */
  public create(path: string, content: string): boolean {
    return this.absentIf(['EEXIST'], `write ${path}`, () => {
      this.files.writeFileSync(path, content, { flag: 'wx' });
      return true;
    }) ?? false;
  }

  /** Puts a file in place of another one, as a whole. */
  public move(from: string, to: string): void {
    this.attempt(`write ${to}`, () => this.files.renameSync(from, to));
  }

  /** Removes a file if it is there. */
  public remove(path: string): void {
    this.absentIf(['ENOENT', 'ENOTDIR'], `remove ${path}`, () => this.files.unlinkSync(path));
  }

  /** Removes a folder if it is empty; whether it did. */
  public removeEmpty(path: string): boolean {
    return this.absentIf(['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'], `remove ${path}`, () => {
      this.files.rmdirSync(path);
      return true;
    }) ?? false;
  }

  /** Removes whatever is at a path. */
  public removeAll(path: string): void {
    this.attempt(`remove ${path}`, () => this.files.rmSync(path, { recursive: true, force: true }));
  }

  private attempt<T>(action: string, call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw refusedByFileSystem(action, error as NodeJS.ErrnoException);
    }
  }

  private absentIf<T>(codes: readonly string[], action: string, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw refusedByFileSystem(action, error as NodeJS.ErrnoException);
    }
  }
}
