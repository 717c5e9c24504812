import { readArguments } from '../arguments';
import { Command, CommandError, ExitCode, OptionTable } from '../command';

/** An option of a command, as a shell completes it. */
export interface OptionWords {
  /** With its hyphens, e.g. `--format`. */
  readonly flag: string;

  readonly takesValue: boolean;

  /** The accepted values; empty for free text and file names. */
  readonly values: readonly string[];
}

/** A command, as a shell completes it. */
interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];

  /** Kind of its arguments; undefined for files. */
  readonly operands?: readonly string[];
}

/** Words that shells complete, from the table of commands. Commands with more words in their names come first. */
function commandWords(commands: readonly Command[]): CommandWords[] {
  return commands.map(({ name, summary, options, choices, operands }) => ({
    name, summary, options: optionWords(options, choices), operands: operands?.(),
  })).sort((one, other) => other.name.split(' ').length - one.name.split(' ').length);
}

/** The words that may follow a command line of these words: `lock` follows `images`. */
function nextWords(commands: readonly CommandWords[], before: string): CommandWords[] {
  const depth = before === '' ? 0 : before.split(' ').length;
  return commands.filter(({ name }) => name.split(' ').length === depth + 1 && (before === '' || name.startsWith(`${before} `)));
}

/** The last word of a command's name. */
function lastWord({ name }: CommandWords): string {
  return name.split(' ').at(-1)!;
}

function optionWords(options: OptionTable, choices: Command['choices'] = {}): OptionWords[] {
  return [
    ...Object.entries(options).map(([option, { type }]) => ({ flag: `--${option}`, takesValue: type === 'string', values: choices[option] ?? [] })),
    { flag: '--help', takesValue: false, values: [] },
  ];
}

/** A script for bash 3.2 and later. */
function bashScript(program: string, commands: readonly CommandWords[]): string {
  const name = `_${program.replace(/\W/g, '_')}`;
  return `# bash completion of ${program}
${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command="" words=""
  COMPREPLY=()
  # bash splits --format=json at the sign.
  if [ "$current" = = ]; then
    current=""
  elif [ "$previous" = = ]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case " \${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${commands.map((command) => `    " ${command.name} "*) command="${command.name}" ;;\n`).join('')}  esac
  case "$command:$previous" in
${commands.flatMap(valueCases).join('')}    *)
      case "$command:$current" in
${commands.map(({ name: command, options }) => `        "${command}:-"*) words="${options.map(({ flag }) => flag).join(' ')}" ;;\n`).join('')}        :*) words="${nextWords(commands, '').map(lastWord).join(' ')} help --help --version" ;;
${commands.flatMap((command) => operandCase(command, commands)).join('')}      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${name} ${program}
`;
}

/** The values of options; nothing for free text, for which bash completes files. */
function valueCases({ name, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ flag, values }) => `    "${name}:${flag}") words="${values.join(' ')}" ;;\n`);
}

function operandCase(command: CommandWords, commands: readonly CommandWords[]): string[] {
  const words = [...nextWords(commands, command.name).map(lastWord), ...command.operands ?? []];
  return words.length === 0 ? [] : [`        "${command.name}:"*) words="${words.join(' ')}" ;;\n`];
}

/** A script for zsh, to be sourced, or to be a file of \`fpath\`. */
function zshScript(program: string, commands: readonly CommandWords[]): string {
  const name = `_${program.replace(/\W/g, '_')}`;
  return `#compdef ${program}
# zsh completion of ${program}
${name}() {
  local line=" \${words[2,CURRENT-1]} " current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" command=""
  local -a commands
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    compset -P '*='
    current=""
  fi
  case "$line" in
${commands.map((command) => `    " ${command.name} "*) command=${zshQuoted(command.name)} ;;\n`).join('')}  esac
  case "$command:$previous" in
${commands.flatMap(zshValueCases).join('')}    *)
      case "$command:$current" in
${commands.map(({ name: command, options }) => `        ${zshQuoted(`${command}:-`)}*) compadd -- ${options.map(({ flag }) => flag).join(' ')} ;;\n`).join('')}        :*)
          commands=(${nextWords(commands, '').map((command) => zshQuoted(`${lastWord(command)}:${command.summary.replace(/:/g, '\\:')}`)).join(' ')})
          _describe command commands
          compadd -- help --help --version
          ;;
${commands.map((command) => zshOperandCase(command, commands)).join('')}      esac
      ;;
  esac
}
if [ "$funcstack[1]" = ${name} ]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function zshValueCases({ name, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ flag, values }) => (
    `    ${zshQuoted(`${name}:${flag}`)}) ${values.length === 0 ? '_files' : `compadd -- ${values.join(' ')}`} ;;\n`));
}

function zshOperandCase(command: CommandWords, commands: readonly CommandWords[]): string {
  const words = [...nextWords(commands, command.name).map(lastWord), ...command.operands ?? []];
  const parts = [...words.length === 0 ? [] : [`compadd -- ${words.join(' ')}`], ...command.operands === undefined ? ['_files'] : []];
  return `        ${zshQuoted(`${command.name}:`)}*) ${parts.join('; ') || ':'} ;;\n`;
}

function zshQuoted(text: string): string {
  return `'${text.replace(/'/g, '\'\\\'\'')}'`;
}

/** A script for fish 3 and later. */
function fishScript(program: string, commands: readonly CommandWords[]): string {
  const lines = [
    ...nextWords(commands, '').map((command) => `-n __fish_use_subcommand -f -a ${lastWord(command)} -d ${fishQuoted(command.summary)}`),
    '-n __fish_use_subcommand -f -a help -l help -l version',
    ...commands.flatMap((command) => commandLines(command, commands)),
  ];
  return `# fish completion of ${program}\n${lines.map((line) => `complete -c ${program} ${line}\n`).join('')}`;
}

function commandLines(command: CommandWords, commands: readonly CommandWords[]): string[] {
  const below = nextWords(commands, command.name);
  const seen = command.name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const condition = `-n ${fishQuoted([...seen, ...below.map((next) => `not __fish_seen_subcommand_from ${lastWord(next)}`)].join('; and '))}`;
  return [
    ...below.map((next) => `${condition} -a ${lastWord(next)} -d ${fishQuoted(next.summary)}`),
    ...command.options.map(({ flag, takesValue, values }) => [
      condition, '-l', flag.slice(2), ...takesValue ? ['-r'] : [], ...values.length > 0 ? ['-f', '-a', fishQuoted(values.join(' '))] : [],
    ].join(' ')),
    ...command.operands === undefined ? [] : [`${condition} -f${command.operands.length === 0 ? '' : ` -a ${fishQuoted(command.operands.join(' '))}`}`],
  ];
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

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
