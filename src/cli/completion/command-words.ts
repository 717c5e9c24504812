import { Command, OptionTable } from '../command';

/** An option of a command, as a shell completes it. */
export interface OptionWords {
  /** With its hyphens, e.g. `--format`. */
  readonly flag: string;

  readonly takesValue: boolean;

  /** The accepted values; empty for free text and file names. */
  readonly values: readonly string[];
}

/** A command, as a shell completes it. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];

  /** What its arguments are; undefined for files. */
  readonly operands?: readonly string[];
}

/** What shells complete, from the table of commands. Commands with more words in their names come first. */
export function commandWords(commands: readonly Command[]): CommandWords[] {
  return commands.map(({ name, summary, options, choices, operands }) => ({
    name, summary, options: optionWords(options, choices), operands: operands?.(),
  })).sort((one, other) => other.name.split(' ').length - one.name.split(' ').length);
}

/** The words that may follow a command line of these words: `lock` follows `images`. */
export function nextWords(commands: readonly CommandWords[], before: string): CommandWords[] {
  const depth = before === '' ? 0 : before.split(' ').length;
  return commands.filter(({ name }) => name.split(' ').length === depth + 1 && (before === '' || name.startsWith(`${before} `)));
}

/** The last word of a command's name. */
export function lastWord({ name }: CommandWords): string {
  return name.split(' ').at(-1)!;
}

function optionWords(options: OptionTable, choices: Command['choices'] = {}): OptionWords[] {
  return [
    ...Object.entries(options).map(([option, { type }]) => ({ flag: `--${option}`, takesValue: type === 'string', values: choices[option] ?? [] })),
    { flag: '--help', takesValue: false, values: [] },
  ];
}
