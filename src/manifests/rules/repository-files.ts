/** Files of a repository, by their paths below what was read. */
export interface RepositoryFiles {
  /** Folders that have files in them, or in folders below. */
  readonly folders: ReadonlySet<string>;

  /** Files that hold something else than manifests. */
  readonly others: ReadonlySet<string>;

  /** Reads the values of such a file. */
  readonly contentOf: (file: string) => readonly unknown[];
}
