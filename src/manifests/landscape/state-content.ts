/** The bytes of a file. */
export interface FileContent {
  readonly bytes: Buffer;
}

/** The files of a state, by their paths below what was read. */
export type StateContent = ReadonlyMap<string, FileContent>;
