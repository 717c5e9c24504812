import { setFlagsFromString } from 'node:v8';
import { ADOPT_COMMAND } from './adopt/adopt-command';
import { CAPACITY_COMMAND } from './capacity/capacity-command';
import { Command, CommandError, ExitCode } from './command';
import { completionCommand } from './completion/completion-command';
import { DRIFT_COMMAND } from './drift/drift-command';
import { EXPLAIN_COMMAND } from './explain/explain-command';
import { GRAPH_COMMAND } from './graph/graph-command';
import { IMAGES_COMMAND } from './images/images-command';
import { IMAGES_LOCK_COMMAND } from './images/lock-command';
import { INIT_COMMAND } from './init/init-command';
import { INVENTORY_COMMAND } from './inventory/inventory-command';
import { MOVE_COMMAND } from './move/move-command';
import { PLAN_COMMAND } from './plan/plan-command';
import { ROUTE_COMMAND } from './route/route-command';
import { processSurroundings, Surroundings } from './surroundings';
import { VALIDATE_COMMAND } from './validate/validate-command';
import { VERSION_COMMAND } from './version-command';
import { GitError } from '../manifests/objects/git/git-error';
import { nearestName } from '../manifests/values/nearest-name';
import { printableLines } from '../manifests/values/printable';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  INIT_COMMAND, ADOPT_COMMAND, VALIDATE_COMMAND, EXPLAIN_COMMAND, PLAN_COMMAND, ROUTE_COMMAND, MOVE_COMMAND, CAPACITY_COMMAND, DRIFT_COMMAND,
  IMAGES_COMMAND, IMAGES_LOCK_COMMAND, INVENTORY_COMMAND, GRAPH_COMMAND,
  completionCommand(() => COMMANDS), VERSION_COMMAND,
];

const COLOR = /(\u001b\[\d{1,2}m)/;

// Commands that GitHub's runner obeys at the start of a line, and their older form anywhere (actions/runner src/Runner.Common/ActionCommand.cs).
const COMMAND = /^([^\S\r\n\u2028\u2029]*):(?=:)/gm;
const OLD_COMMAND = /#(?=#\[)/g;

/**
 * Surroundings in which everything that is printed goes through one place: control characters are made visible, whatever manifests, file names
 * and variables hold, and no line begins with a command of a workflow, unless it is said to.
 */
function guarded(surroundings: Surroundings): Surroundings {
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

const PROGRAM = 'cdk8s-cluster-api';
const HELP_OPTIONS = ['--help', '-h'];
const VERSION_OPTIONS = ['--version', '-v'];

/**
 * Does what the arguments ask for. Never throws.
 *
 * @param args arguments of the program, without its own name
 * @param surroundings files, environment, input and output
 */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  return run(args, guarded(surroundings));
}

async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  try {
    return await dispatch(args, surroundings);
  } catch (error) {
    if (error instanceof CommandError) {
      surroundings.err(error.message.split('\n').map((line) => `error: ${line}\n`).join(''));
      if (error.fix !== undefined) surroundings.err(`${error.fix}\n`);
      return error.code;
    }
    if (error instanceof GitError) {
      surroundings.err(`error: ${error.message}\n`);
      return ExitCode.FAILED;
    }
    surroundings.err(`error: ${(error as Error).stack}\nThis is a mistake of ${PROGRAM} itself; please report it with the lines above.\n`);
    return ExitCode.BROKEN;
  }
}

/** The flag of V8 that lets functions run more often before they are optimized, by the major release of Node.js; another release keeps its default. */
const LATER_OPTIMIZATION = new Map([['20', '--interrupt-budget=500000'], ...['22', '24', '26'].map((major) => [major, '--invocation-count-for-turbofan=20000'] as const)]);

/**
 * Lets V8 optimize only functions that run very often. Rules are thousands of functions that run a few thousand times each: optimizing all of them takes
 * up to two fifths of the processor time of a run, more than it saves.
 *
 * Source: nodejs/node deps/v8/src/flags/flag-definitions.h.
 */
function optimizeLater(): void {
  const flag = LATER_OPTIMIZATION.get(process.versions.node.split('.')[0]);
  if (flag !== undefined) setFlagsFromString(flag);
}

/** Runs the program of this process. */
export async function runProgram(): Promise<void> {
  optimizeLater();
  // The reader may close the pipe early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(ExitCode.OK);
    process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
    process.exit(ExitCode.BROKEN);
  });
  // Without standard error, messages are lost, and the command goes on.
  process.stderr.on('error', () => undefined);
  // Not process.exit: output to a pipe may still be under way.
  process.exitCode = await main(process.argv.slice(2), processSurroundings());
}

async function dispatch(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  if (args[0] === 'help' && args.length > 1) return dispatch([...args.slice(1), HELP_OPTIONS[0]], surroundings);
  const command = findCommand(args);
  const rest = args.slice(command?.name.split(' ').length ?? 0);
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const asks = options.some((option) => HELP_OPTIONS.includes(option));
  if ((asks && (command !== undefined || HELP_OPTIONS.includes(args[0]))) || args[0] === 'help') {
    surroundings.out(command?.help ?? overview());
    return ExitCode.OK;
  }
  if (command !== undefined) return command.run(rest, surroundings);
  if (VERSION_OPTIONS.includes(args[0])) return VERSION_COMMAND.run(args.slice(1), surroundings);
  if (args.length === 0) throw new CommandError(['no command'], overview().trimEnd());
  const nearest = nearestName(args[0], COMMANDS.map(({ name }) => name));
  throw new CommandError([`there is no command ${JSON.stringify(args[0])}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`], `see ${PROGRAM} --help`);
}

/** The command whose name has most words of the arguments. */
function findCommand(args: readonly string[]): Command | undefined {
  const byLength = [...COMMANDS].sort((one, other) => other.name.length - one.name.length);
  return byLength.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
}

/** Text of `--help` without a command. */
export function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return `${PROGRAM}: validate, plan, list and draw the manifests of tenant clusters before they are applied

Usage: ${PROGRAM} COMMAND [OPTION…] [FILE or FOLDER…]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

Run "${PROGRAM} COMMAND --help" for the options of a command.

Facts and rules of a package, such as that of an infrastructure of yours, count if it registers them and Node.js loads it first:
NODE_OPTIONS='--require PACKAGE/lib/register'. Nothing is loaded from the files and folders that are read.

On a terminal, output is in color and long work shows its progress. NO_COLOR=1 turns color off, FORCE_COLOR=1 turns it on elsewhere.

Exit codes: 0 no problems, 1 problems found, 2 usage or input error.
`;
}
