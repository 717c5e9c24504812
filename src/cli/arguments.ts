import { parseArgs } from 'node:util';
import { CommandError, OptionTable } from './command';
import { nearestName } from '../manifests/values/nearest-name';

type Parsed<T extends OptionTable> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>>;

/**
 * Reads the arguments of a command.
 *
 * @param command name of the command, for what is said of wrong ones
 */
export function readArguments<T extends OptionTable>(command: string, args: readonly string[], options: T): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    throw new CommandError([wrongArgument(message, Object.keys(options))], `see cdk8s-cluster-api ${command} --help`);
  }
}

/** One of the values that an option accepts. */
export function choice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const chosen = choices.find((known) => known === value);
  if (chosen !== undefined) return chosen;
  throw new CommandError([`--${option} ${JSON.stringify(value)} is not known`], `choose one of ${choices.join(', ')}`);
}

function wrongArgument(message: string, options: readonly string[]): string {
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(message) ?? [];
  if (unknown === undefined) return message.replace(/\. .*$/s, '');
  const nearest = nearestName(unknown, options);
  return `there is no option --${unknown}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`;
}
