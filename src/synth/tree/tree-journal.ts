import { join } from 'node:path';
import { OutputFolder } from './output-folder';
import { TreeError } from './tree-error';
import { TreeIndex } from './tree-index';
import { pathFault } from './tree-paths';

/** The list of files that synthesis has written. */
const INDEX = 'files.sha256';

/** What is being done, while it is. */
const JOURNAL = 'journal';

/** Files that are complete, before they are put in their places, by number; among them the new index. */
const STAGING = 'staging';
const NEW_INDEX = join(STAGING, 'index');
const BOTH_INDEXES = join(STAGING, 'both');
const NEW_JOURNAL = join(STAGING, 'journal');

/** A file to be put in its place, or to be removed. */
export interface Step {
  readonly path: string;

  /**
   * The number of the file in staging that goes there.
   *
   * @default - the file is removed
   */
  readonly staged?: number;
}

/**
 * Brings the steps from one tree to the next about as a whole.
 *
 * As long as there is no journal, the old tree is whole, and what is staged counts for nothing. Once there is one, the new tree is
 * decided: whoever comes next takes the steps that are left. Each is a rename or removal of one file, so that no file is ever half of one.
 */
export class TreeJournal {
  public constructor(private readonly folder: OutputFolder) {}

  /** The index of the tree; an empty one if there is no tree yet. */
  public get index(): TreeIndex {
    return this.read(INDEX) ?? new TreeIndex();
  }

  /** Whether steps were decided and not all taken. */
  public get pending(): boolean {
    return this.folder.disk.look(this.folder.own(JOURNAL)) !== undefined;
  }

  /** Keeps a complete file for a step. */
  public stage(number: number, content: Buffer, executable: boolean): void {
    if (number === 0) this.folder.disk.makeFolder(this.folder.own(STAGING));
    this.folder.disk.write(this.staged(number), content, executable);
  }

  /** Drops what is staged. */
  public discard(): void {
    const staging = this.folder.own(STAGING);
    if (this.folder.disk.look(staging) !== undefined) this.folder.disk.removeAll(staging);
  }

  /**
   * Decides on the new tree and brings it about.
   *
   * @param steps removals first
   * @param index the index of the new tree
   */
  public commit(steps: readonly Step[], index: TreeIndex): void {
    const { disk } = this.folder;
    disk.makeFolder(this.folder.own(STAGING));
    disk.write(this.folder.own(NEW_INDEX), index.text);
    disk.write(this.folder.own(NEW_JOURNAL), steps.map(({ path, staged }) => `${staged ?? '-'} ${path}\n`).join(''));
    disk.move(this.folder.own(NEW_JOURNAL), this.folder.own(JOURNAL));
    for (const { path, staged } of steps) {
      if (staged === undefined) this.folder.remove(path);
      else this.folder.put(this.staged(staged), path);
    }
    disk.move(this.folder.own(NEW_INDEX), this.folder.own(INDEX));
    this.close();
  }

  /**
   * Takes the steps that an interrupted synthesis left, as far as they can be taken; what cannot, because somebody has changed the files
   * since, is left to the synthesis that begins. Without a journal, drops what is staged.
   */
  public recover(): void {
    const journal = this.folder.disk.read(this.folder.own(JOURNAL))?.toString();
    const after = journal === undefined ? undefined : this.read(NEW_INDEX);
    if (journal !== undefined && after !== undefined) {
      const before = this.index;
      const known = before.with(after);
      const left = parse(journal).filter((step) => !this.retake(step, known));
      if (left.length > 0) {
        // Either content may be there. What was there before any synthesis is still nobody's.
        left.filter(({ path, staged }) => staged !== undefined && !before.has(path)).forEach(({ path }) => known.delete(path));
        this.folder.disk.write(this.folder.own(BOTH_INDEXES), known.text);
      }
      this.folder.disk.move(this.folder.own(left.length > 0 ? BOTH_INDEXES : NEW_INDEX), this.folder.own(INDEX));
    }
    this.close();
    this.folder.forget();
  }

  private close(): void {
    this.folder.disk.remove(this.folder.own(JOURNAL));
    this.discard();
  }

  /** Takes a step unless somebody has changed the file since; whether there is nothing left to do. */
  private retake({ path, staged }: Step, known: TreeIndex): boolean {
    try {
      // Steps before this one have changed what is there.
      this.folder.forget();
      const { found } = this.folder.place(path);
      if (found === 'file' && !known.holds(path, this.folder.hashOf(path) ?? '')) return false;
      if (staged === undefined) {
        if (found === 'file' || found === 'nothing') this.folder.remove(path);
        return true;
      }
      if (this.folder.disk.look(this.staged(staged)) === undefined) return true;
      if (found !== 'file' && found !== 'nothing') return false;
      this.folder.put(this.staged(staged), path);
      return true;
    } catch (error) {
      if (error instanceof TreeError) return false;
      throw error;
    }
  }

  private staged(number: number): string {
    return this.folder.own(join(STAGING, `${number}`));
  }

  private read(name: string): TreeIndex | undefined {
    const file = this.folder.own(name);
    const text = this.folder.disk.read(file)?.toString();
    return text === undefined ? undefined : TreeIndex.parse(text, file);
  }
}

function parse(journal: string): Step[] {
  return [...journal.matchAll(/^(-|\d+) (.+)$/gm)].map(([, staged, path]) => (staged === '-' ? { path } : { path, staged: Number(staged) }))
    .filter(({ path }) => pathFault(path) === undefined);
}
