import { ParseArgsConfig } from 'node:util';
import { Surroundings } from './surroundings';

/** Options that a command knows, in the format of `parseArgs`. */
export type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Exit codes of the program. */
export enum ExitCode {
  /** Done, and no problems were found. */
  OK = 0,

  /** Done, and something was found that has to be looked at. */
  FINDINGS = 1,

  /** The question could not be answered: a wrong option, a file that cannot be read. */
  FAILED = 2,

  /** Done, and a condition that the user named is true. */
  DENIED = 3,

  /** A mistake of the program itself, or output that cannot be written: `EX_SOFTWARE` of sysexits.h, which no command ends with otherwise. */
  BROKEN = 70,
}

/** Something that the program can be asked to do. A new one is a file of its own and an entry in `commands.ts`. */
export interface Command {
  /** Words that call it, e.g. `images lock`. */
  readonly name: string;

  /** Effect of the command, on one line. */
  readonly summary: string;

  /** Text of `--help`. */
  readonly help: string;

  /** Its options, in the format of `parseArgs`. */
  readonly options: OptionTable;

  /**
   * The accepted values of options, by option.
   *
   * @default - free text, or names of files
   */
  readonly choices?: { readonly [option: string]: readonly string[] };

  /**
   * The accepted arguments, for completion.
   *
   * @default - names of files and folders
   */
  readonly operands?: () => readonly string[];

  /**
   * Does it.
   *
   * @param args what follows its name
   * @param surroundings files, environment, input and output
   */
  run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode>;
}

/** A fault because of which a command could not run. */
export class CommandError extends Error {
  /**
   * @param lines what is wrong, one fault a line
   * @param fix what to do about it
   * @param code what the program ends with
   */
  public constructor(lines: readonly string[], public readonly fix?: string, public readonly code: ExitCode = ExitCode.FAILED) {
    super(lines.join('\n'));
  }
}
