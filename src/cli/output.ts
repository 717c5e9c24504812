import { Surroundings } from './surroundings';
import { printableLines } from '../manifests/values/printable';

const COLOR = /(\u001b\[\d{1,2}m)/;

// What GitHub's runner obeys at the start of a line, and its older form anywhere (actions/runner src/Runner.Common/ActionCommand.cs).
const COMMAND = /^([^\S\r\n\u2028\u2029]*):(?=:)/gm;
const OLD_COMMAND = /#(?=#\[)/g;

/**
 * Surroundings in which everything that is printed goes through one place: control characters are made visible, whatever manifests, file names
 * and variables hold, and no line begins with a command of a workflow, unless it is said to.
 */
export function guarded(surroundings: Surroundings): Surroundings {
  const shown = (text: string): string => (
    surroundings.colors ? text.split(COLOR).map((part) => (COLOR.test(part) ? part : printableLines(part))).join('') : printableLines(text));
  const plain = (text: string): string => shown(text).replace(COMMAND, '$1\\u003a').replace(OLD_COMMAND, '\\u0023');
  return {
    ...surroundings,
    out: (text, hasCommands = false) => {
      surroundings.progress?.clear();
      surroundings.out(hasCommands ? shown(text) : plain(text));
    },
    err: (text) => {
      surroundings.progress?.clear();
      surroundings.err(plain(text));
    },
  };
}
