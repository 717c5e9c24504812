import { bashScript } from './bash';
import { CommandWords, commandWords } from './command-words';
import { fishScript } from './fish';
import { zshScript } from './zsh';
import { readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';

const NAME = 'completion';
const PROGRAM = 'cdk8s-cluster-api';
const OPTIONS = {} as const;

const SCRIPTS: { readonly [shell: string]: (program: string, commands: readonly CommandWords[]) => string } = {
  bash: bashScript, zsh: zshScript, fish: fishScript,
};
const SHELLS = Object.keys(SCRIPTS);

const HELP = `cdk8s-cluster-api completion: prints a script with which a shell completes commands, options, their values and the ids of rules

Usage: cdk8s-cluster-api completion ${SHELLS.join('|')}

A shell completes the program by its name, not behind npx: put ./node_modules/.bin into PATH, or define an alias.

Examples:
  source <(cdk8s-cluster-api completion bash)     # in ~/.bashrc
  source <(cdk8s-cluster-api completion zsh)      # in ~/.zshrc, after compinit
  cdk8s-cluster-api completion fish > ~/.config/fish/completions/cdk8s-cluster-api.fish
`;

/**
 * Prints completion scripts.
 *
 * @param commands the table of commands, which has this one too
 */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: NAME,
    summary: 'print a completion script for bash, zsh or fish',
    help: HELP,
    options: OPTIONS,
    operands: () => SHELLS,
    async run(args, { out }) {
      const { positionals } = readArguments(NAME, args, OPTIONS);
      const [shell = '', ...others] = positionals;
      if (!SHELLS.includes(shell) || others.length > 0) {
        throw new CommandError([positionals.length === 0 ? 'completion needs the name of a shell' : `there is no completion for ${JSON.stringify(positionals.join(' '))}`],
          `choose one of ${SHELLS.join(', ')}`);
      }
      out(SCRIPTS[shell](PROGRAM, commandWords(commands())));
      return ExitCode.OK;
    },
  };
}
