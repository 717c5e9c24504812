import { CommandWords, lastWord, nextWords } from './command-words';

/** A script for zsh, to be sourced, or to be a file of \`fpath\`. */
export function zshScript(program: string, commands: readonly CommandWords[]): string {
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
${commands.map((command) => `    " ${command.name} "*) command=${quoted(command.name)} ;;\n`).join('')}  esac
  case "$command:$previous" in
${commands.flatMap(valueCases).join('')}    *)
      case "$command:$current" in
${commands.map(({ name: command, options }) => `        ${quoted(`${command}:-`)}*) compadd -- ${options.map(({ flag }) => flag).join(' ')} ;;\n`).join('')}        :*)
          commands=(${nextWords(commands, '').map((command) => quoted(`${lastWord(command)}:${command.summary.replace(/:/g, '\\:')}`)).join(' ')})
          _describe command commands
          compadd -- help --help --version
          ;;
${commands.map((command) => operandCase(command, commands)).join('')}      esac
      ;;
  esac
}
if [ "$funcstack[1]" = ${name} ]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function valueCases({ name, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ flag, values }) => (
    `    ${quoted(`${name}:${flag}`)}) ${values.length === 0 ? '_files' : `compadd -- ${values.join(' ')}`} ;;\n`));
}

function operandCase(command: CommandWords, commands: readonly CommandWords[]): string {
  const words = [...nextWords(commands, command.name).map(lastWord), ...command.operands ?? []];
  const parts = [...words.length === 0 ? [] : [`compadd -- ${words.join(' ')}`], ...command.operands === undefined ? ['_files'] : []];
  return `        ${quoted(`${command.name}:`)}*) ${parts.join('; ') || ':'} ;;\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/'/g, '\'\\\'\'')}'`;
}
