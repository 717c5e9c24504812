import { CommandWords, lastWord, nextWords } from './command-words';

/** A script for fish 3 and later. */
export function fishScript(program: string, commands: readonly CommandWords[]): string {
  const lines = [
    ...nextWords(commands, '').map((command) => `-n __fish_use_subcommand -f -a ${lastWord(command)} -d ${quoted(command.summary)}`),
    '-n __fish_use_subcommand -f -a help -l help -l version',
    ...commands.flatMap((command) => commandLines(command, commands)),
  ];
  return `# fish completion of ${program}\n${lines.map((line) => `complete -c ${program} ${line}\n`).join('')}`;
}

function commandLines(command: CommandWords, commands: readonly CommandWords[]): string[] {
  const below = nextWords(commands, command.name);
  const seen = command.name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const condition = `-n ${quoted([...seen, ...below.map((next) => `not __fish_seen_subcommand_from ${lastWord(next)}`)].join('; and '))}`;
  return [
    ...below.map((next) => `${condition} -a ${lastWord(next)} -d ${quoted(next.summary)}`),
    ...command.options.map(({ flag, takesValue, values }) => [
      condition, '-l', flag.slice(2), ...takesValue ? ['-r'] : [], ...values.length > 0 ? ['-f', '-a', quoted(values.join(' '))] : [],
    ].join(' ')),
    ...command.operands === undefined ? [] : [`${condition} -f${command.operands.length === 0 ? '' : ` -a ${quoted(command.operands.join(' '))}`}`],
  ];
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
