import { CommandWords, lastWord, nextWords } from './command-words';

/** A script for bash 3.2 and later. */
export function bashScript(program: string, commands: readonly CommandWords[]): string {
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
