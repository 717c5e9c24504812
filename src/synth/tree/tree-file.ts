/** A file of an output. */
export interface TreeFile {
  /** Path below the output, with `/` between folders. */
  readonly path: string;

  readonly content: string | Buffer;

  /**
   * Whether it is a program.
   *
   * @default false
   */
  readonly executable?: boolean;

  /** Who wants the file, for errors: the path of a construct, say. */
  readonly producer: string;
}

/** What became of the files of an output: paths, sorted. */
export interface TreeSummary {
  /** New files, and those with another content. */
  readonly written: readonly string[];

  /** Files that are as they were. */
  readonly unchanged: readonly string[];

  /** Files that an earlier synthesis wrote and that are wanted no longer. */
  readonly removed: readonly string[];

  /** Files that were there with just the wanted content, though no synthesis wrote them. From now on they count as written. */
  readonly adopted: readonly string[];

  /** Those of the written and removed files that somebody had changed since the last synthesis. */
  readonly changedByHand: readonly string[];
}
