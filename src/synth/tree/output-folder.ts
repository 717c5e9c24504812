import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { Disk } from './disk';
import { refusedByFileSystem } from './tree-error';
import { OWN_FOLDER } from './tree-paths';

/** What is where a file is to be. */
export interface Place {
  readonly found: 'nothing' | 'file' | 'folder' | 'link' | 'other' | 'file around';

  /** Path of what was found. */
  readonly path: string;

  /** What the file system says of it. */
  readonly stats?: Stats;
}

/** The folder of an output, seen by paths below it. */
export class OutputFolder {
  private readonly folders = new Map<string, Place>();
  private readonly writable = new Set<string>();
  private readonly made = new Set<string>();

  /**
   * @param disk the file system
   * @param root path of the folder, without links
   */
  public constructor(public readonly disk: Disk, private readonly root: string) {}

  /** The path of a file that keeps account of the output. */
  public own(name: string): string {
    return join(this.root, OWN_FOLDER, name);
  }

  /** The path of a file of the output. */
  public at(path: string): string {
    return join(this.root, path);
  }

  /** What is where a file is to be. Folders around it are looked at once. */
  public place(path: string): Place {
    const around = this.folder(folderOf(path));
    return around.found === 'folder' ? this.look(path) : around.found === 'file' ? { ...around, found: 'file around' } : around;
  }

  /** Hash of the content of a file. */
  public hashOf(path: string): string | undefined {
    const content = this.disk.read(this.at(path));
    return content && fileHash(content);
  }

  /** Refuses a place in which no file can be put or removed. */
  public demandWritable(path: string): void {
    let folder = folderOf(path);
    while (folder !== '' && this.folder(folder).found !== 'folder') folder = folderOf(folder);
    if (this.writable.has(folder)) return;
    this.disk.demandWritable(this.at(folder));
    if (this.device(folder) !== this.device('')) {
      throw refusedByFileSystem(`write ${this.at(path)}`, Object.assign(new Error(), { code: 'EXDEV' }));
    }
    this.writable.add(folder);
  }

  /** Forgets what was seen of folders. */
  public forget(): void {
    this.folders.clear();
    this.made.clear();
  }

  /** Removes a file, and the folders that it leaves empty. */
  public remove(path: string): void {
    this.disk.remove(this.at(path));
    for (let folder = folderOf(path); folder !== '' && this.disk.removeEmpty(this.at(folder)); folder = folderOf(folder));
  }

  /** Puts a file that is complete in its place. */
  public put(complete: string, path: string): void {
    const folder = dirname(this.at(path));
    if (!this.made.has(folder)) {
      this.disk.makeFolder(folder);
      this.made.add(folder);
    }
    this.disk.move(complete, this.at(path));
  }

  private device(folder: string): number | undefined {
    return this.disk.look(this.at(folder))?.dev;
  }

  private folder(path: string): Place {
    if (path === '') return { found: 'folder', path };
    let place = this.folders.get(path);
    if (place === undefined) {
      const around = this.folder(folderOf(path));
      place = around.found === 'folder' ? this.look(path) : around;
      this.folders.set(path, place);
    }
    return place;
  }

  private look(path: string): Place {
    const stats = this.disk.look(this.at(path));
    if (stats === undefined) return { found: 'nothing', path };
    const found = stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
    return { found, path, stats };
  }
}

/** Hash of the content of a file as the index has it. */
export function fileHash(content: string | Buffer): string {
  return hash('sha256', content);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
