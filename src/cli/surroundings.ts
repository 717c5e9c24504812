import { Progress } from '../manifests/values/progress';

/** Input and output of a command. Tests bring their own. */
export interface Surroundings {
  /** Folder that relative paths start from. */
  readonly cwd: string;

  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;

  /** Reads standard input; of more bytes than the limit, one more than that at least. */
  readonly readInput: (limit: number) => Promise<Buffer>;

  /**
   * Writes results.
   *
   * @param hasCommands whether lines of them are commands of a workflow
   */
  readonly out: (text: string, hasCommands?: boolean) => void;

  /**
   * True if results are printed in color.
   *
   * @default false
   */
  readonly colors?: boolean;

  /**
   * The width of the terminal that results are printed on, in characters.
   *
   * @default - results go to a file or a program: tables are as wide as they are
   */
  readonly columns?: number;

  /**
   * Shows how far long work is.
   *
   * @default - nothing is shown
   */
  readonly progress?: Progress;

  /**
   * The present time, in milliseconds since 1970.
   *
   * @default - not known: nothing is said of it
   */
  readonly now?: () => number;

  /** Writes what is said about them: errors, notes, progress. */
  readonly err: (text: string) => void;
}

/** Surroundings of this process. */
export function processSurroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    now: () => Date.now(),
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
    colors: wantsColors(process.env, process.stdout.isTTY),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    progress: new Progress(process.stderr),
    err: (text) => process.stderr.write(text),
  };
}

/**
 * True if output is in color: FORCE_COLOR decides, then NO_COLOR (no-color.org), as in Node.js; then whether the output is a terminal with
 * colors.
 */
export function wantsColors({ FORCE_COLOR: force, NO_COLOR: no = '', TERM: terminal }: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (force !== undefined) return !['0', 'false'].includes(force);
  return isTerminal && no === '' && terminal !== 'dumb';
}
