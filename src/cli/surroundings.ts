/** What a command gets from the outside, and gives to it. Tests bring their own. */
export interface Surroundings {
  /** Folder that relative paths start from. */
  readonly cwd: string;

  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;

  /** Everything that comes in by standard input. */
  readonly readInput: () => Promise<Buffer>;

  /** Writes results. */
  readonly out: (text: string) => void;

  /** Writes what is said about them: errors, notes, progress. */
  readonly err: (text: string) => void;
}

/** Those of this process. */
export function processSurroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    env: process.env,
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
      return Buffer.concat(chunks);
    },
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  };
}
