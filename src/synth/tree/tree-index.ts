import { OUTPUT_RULES } from './rules';
import { TreeError } from './tree-error';
import { pathFault } from './tree-paths';

/** A line of `sha256sum`, which can check the files with it. */
const LINE = /^([0-9a-f]{64}) [ *](.+)$/;

/** What Git writes around lines that two branches changed. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$/;

/**
 * The files that synthesis has written, by path, with the hashes of their content: one, or two where it is not known which, because two
 * branches were merged or a synthesis was interrupted.
 */
export class TreeIndex {
  /**
   * Reads an index. The lines of both sides of a merge count.
   *
   * @param text what the file holds
   * @param place the file, for errors
   */
  public static parse(text: string, place: string): TreeIndex {
    const index = new TreeIndex(text);
    text.split(/\r?\n/).forEach((line, number) => {
      if (line === '' || CONFLICT.test(line)) return;
      const [, hash, path] = LINE.exec(line) ?? [];
      if (path === undefined || pathFault(path) !== undefined) {
        throw new TreeError([{
          rule: OUTPUT_RULES.index,
          message: `line ${number + 1} of ${place} is no hash and path of a file: ${JSON.stringify(line)}`,
          fix: 'restore the list from the repository, or remove it and the files that were generated',
        }]);
      }
      index.add(path, hash);
    });
    return index;
  }

  private readonly hashes = new Map<string, string[]>();

  /**
   * @param found what the file holds that it was read from, which may be spelled otherwise than `text`; none if it was not read
   */
  public constructor(public readonly found = '') {}

  /** Adds a file. */
  public add(path: string, hash: string): void {
    const known = this.hashes.get(path);
    if (known === undefined) this.hashes.set(path, [hash]);
    else if (!known.includes(hash)) known.push(hash);
  }

  /** Forgets a file. */
  public delete(path: string): void {
    this.hashes.delete(path);
  }

  /** Whether synthesis has written a file of this path. */
  public has(path: string): boolean {
    return this.hashes.has(path);
  }

  /** Whether synthesis has written a file of this path with this content. */
  public holds(path: string, hash: string): boolean {
    return this.hashes.get(path)?.includes(hash) ?? false;
  }

  /** The paths of all files. */
  public get paths(): string[] {
    return [...this.hashes.keys()];
  }

  /** The files of this index and of another one. */
  public with(other: TreeIndex): TreeIndex {
    const both = new TreeIndex();
    for (const index of [this, other]) index.hashes.forEach((hashes, path) => hashes.forEach((hash) => both.add(path, hash)));
    return both;
  }

  /** The index as a file: a line for each file, sorted, so that branches that touch different files merge. */
  public get text(): string {
    return this.paths.sort().flatMap((path) => this.hashes.get(path)!.map((hash) => `${hash}  ${path}\n`)).join('');
  }
}
