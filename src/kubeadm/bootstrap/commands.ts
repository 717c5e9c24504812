import { MAX_CONTENT_LENGTH } from './bootstrap-file';
import { checkLength } from './list-length';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';

const MAX_COMMANDS = 1000;

/** Checks shell commands. */
export function checkCommands(commands: readonly string[], property: string): Problem[] {
  return [
    ...checkLength(commands, MAX_COMMANDS, property),
    ...commands.flatMap((command, index) => checkCommand(command, `${property}[${index}]`)),
  ];
}

function checkCommand(command: string, property: string): Problem[] {
  if (command.length < 1 || command.length > MAX_CONTENT_LENGTH) {
    return [{
      rule: KUBEADM_RULES.command,
      property,
      message: command === '' ? 'the command is empty' : `the command has ${command.length} characters`,
      accepted: `1 to ${MAX_CONTENT_LENGTH} characters`,
      fix: command === '' ? 'remove it' : 'put it into a script with files and run that',
    }];
  }
  return [];
}
