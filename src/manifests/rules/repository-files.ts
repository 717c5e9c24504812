/** Files of a repository, by their paths below what was read. What was read may be any folder of the repository. */
export interface RepositoryFiles {
  /** Paths that what was read may have below the top of the repository, the likeliest first. */
  readonly places: readonly string[];

  /** Folders that have files in them, or in folders below. */
  readonly folders: ReadonlySet<string>;

  /** Files that hold something else than manifests. */
  readonly others: ReadonlySet<string>;

  /** Reads the values of such a file. */
  readonly contentOf: (file: string) => readonly unknown[];
}
