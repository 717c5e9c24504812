/** What a command gets from the outside, and gives to it. Tests bring their own. */
export interface Surroundings {
  /** Folder that relative paths start from. */
  readonly cwd: string;

  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;

  /** What comes in by standard input; of more bytes than the limit, one more than that at least. */
  readonly readInput: (limit: number) => Promise<Buffer>;

  /**
   * Writes results.
   *
   * @param hasCommands whether lines of them are commands of a workflow
   */
  readonly out: (text: string, hasCommands?: boolean) => void;

  /**
   * Whether results are printed in color.
   *
   * @default false
   */
  readonly colors?: boolean;

  /** Writes what is said about them: errors, notes, progress. */
  readonly err: (text: string) => void;
}

/** Those of this process. */
export function processSurroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    env: process.env,
    readInput: async (limit) => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of process.stdin) {
        chunks.push(Buffer.from(chunk as Buffer));
        size += (chunk as Buffer).length;
        if (size > limit) break;
      }
      return Buffer.concat(chunks);
    },
    out: (text) => void process.stdout.write(text),
    // no-color.org
    colors: process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '',
    err: (text) => process.stderr.write(text),
  };
}
