import { OutputFolder, fileHash, Place } from './output-folder';
import { OUTPUT_RULES } from './rules';
import { TreeError } from './tree-error';
import { TreeFile, TreeSummary } from './tree-file';
import { TreeIndex } from './tree-index';
import { Step, TreeJournal } from './tree-journal';
import { foldedPath, TreePaths } from './tree-paths';
import { Problem } from '../../validation/problem';

const OWNER_EXECUTES = 0o100;

/** The next tree of an output: compared with the one that is there, and what differs is staged. Nothing that anybody sees has changed yet. */
export class StagedTree {
  private readonly before: TreeIndex;
  private readonly after = new TreeIndex();
  private readonly paths = new TreePaths();
  private readonly problems: Problem[] = [];
  private readonly puts: Step[] = [];
  private readonly unchanged: string[] = [];
  private readonly adopted: string[] = [];
  private readonly changedByHand: string[] = [];

  /** Paths of the tree that is there as a file system may see them, made when one is asked for. */
  private spellings?: ReadonlyMap<string, string>;

  public constructor(private readonly folder: OutputFolder, private readonly journal: TreeJournal) {
    this.before = journal.index;
  }

  /** Adds a file. */
  public add(file: TreeFile): void {
    const problem = this.paths.claim(file);
    if (problem) {
      this.problems.push(problem);
      return;
    }
    const content = typeof file.content === 'string' ? Buffer.from(file.content) : file.content;
    this.after.add(file.path, fileHash(content));
    const place = this.folder.place(file.path);
    const obstacle = this.obstacle(file, place);
    if (obstacle) this.problems.push(obstacle);
    else if (place.found === 'file') this.compare(file, content, place);
    else this.stage(file, content);
  }

  /**
   * Makes this tree the one that is there.
   *
   * @param confirm has the last word
   * @throws if anything is wrong with the files
   */
  public commit(confirm: () => void): TreeSummary {
    if (this.problems.length > 0) throw new TreeError(this.problems);
    const removed = this.before.paths.filter((path) => !this.after.has(path) && this.isToGo(path));
    const steps = [...removed.map((path) => ({ path })), ...this.puts];
    if (steps.length > 0 || this.after.text !== this.before.found) {
      confirm();
      this.journal.commit(steps, this.after);
    }
    return {
      written: this.puts.map(({ path }) => path).sort(),
      unchanged: this.unchanged.sort(),
      removed: removed.sort(),
      adopted: this.adopted.sort(),
      changedByHand: this.changedByHand.sort(),
    };
  }

  /** What keeps a file from being where it is to be. */
  private obstacle({ path, producer }: TreeFile, place: Place): Problem | undefined {
    const shown = JSON.stringify(place.path);
    const foreign = (what: string, fix: string): Problem => ({
      rule: OUTPUT_RULES.foreign, message: `${producer} writes ${JSON.stringify(path)}, but ${what}`, fix,
    });
    switch (place.found) {
      case 'nothing':
      case 'file':
        return undefined;
      case 'file around':
        return this.before.has(place.path) ? undefined : foreign(`${shown} is a file that synthesis has not written`, 'move the file away');
      case 'folder':
        return this.isOwnFolder(path) ? undefined : foreign('that is a folder with files that synthesis has not written', 'move the folder away');
      case 'link':
        return {
          rule: OUTPUT_RULES.link,
          message: `${producer} writes ${JSON.stringify(path)}, but ${shown} is a symbolic link`,
          fix: 'replace the link by a folder or file, or let outdir be what it leads to',
        };
      case 'other':
        return foreign(`${shown} is neither file nor folder`, 'move it away');
    }
  }

  /** Compares a file with the one that is there. */
  private compare(file: TreeFile, content: Buffer, { stats }: Place): void {
    const { path, executable = false } = file;
    const own = this.before.has(path);
    const there = own || stats!.size === content.length ? this.folder.disk.read(this.folder.at(path)) : undefined;
    const same = there?.equals(content) ?? false;
    // Windows knows no such mode.
    // eslint-disable-next-line no-bitwise
    const sameMode = process.platform === 'win32' || (stats!.mode & OWNER_EXECUTES) !== 0 === executable;
    if (!own && this.isRespelled(path, stats!.ino)) {
      this.stage(file, content);
    } else if (!own && !same) {
      this.problems.push({
        rule: OUTPUT_RULES.foreign,
        message: `${file.producer} writes ${JSON.stringify(path)}, but there is another file, which is not in the list of what synthesis has written`,
        fix: 'move the file away, or remove it if it was generated',
      });
    } else {
      if (!own) this.adopted.push(path);
      if (!same && there && !this.before.holds(path, fileHash(there))) this.changedByHand.push(path);
      if (!same || !sameMode) this.stage(file, content);
      else if (own) this.unchanged.push(path);
    }
  }

  private stage({ path, executable = false }: TreeFile, content: Buffer): void {
    // The first mistake decides that nothing is written; the others are still looked for.
    if (this.problems.length > 0) return;
    this.folder.demandWritable(path);
    this.journal.stage(this.puts.length, content, executable);
    this.puts.push({ path, staged: this.puts.length });
  }

  /** Whether a file that is wanted no longer is there and can be removed. */
  private isToGo(path: string): boolean {
    if (this.folder.place(path).found !== 'file') return false;
    this.folder.demandWritable(path);
    if (!this.before.holds(path, this.folder.hashOf(path) ?? '')) this.changedByHand.push(path);
    return true;
  }

  /** Whether a folder has files that synthesis has written, and nothing else. They are wanted no longer if a file is to be there. */
  private isOwnFolder(path: string): boolean {
    const names = this.folder.disk.list(this.folder.at(path));
    return names.length > 0 && names.every((name) => {
      const inside = `${path}/${name}`;
      const { found } = this.folder.place(inside);
      return found === 'folder' ? this.isOwnFolder(inside) : found === 'file' && this.before.has(inside);
    });
  }

  /** Whether a file is one that synthesis has written under a path that differs only in case, which this file system does not tell apart. */
  private isRespelled(path: string, inode: number): boolean {
    this.spellings ??= new Map(this.before.paths.map((known) => [foldedPath(known), known]));
    const other = this.spellings.get(foldedPath(path));
    return other !== undefined && other !== path && this.folder.place(other).stats?.ino === inode;
  }
}
