import { PLAN_COMMAND } from '../../../src/cli/plan/plan-command';
import { Surroundings } from '../../../src/cli/surroundings';

/** Output of `plan OLD NEW`, in both formats. */
export interface PrintedPlan {
  readonly json: string;
  readonly text: string;
}

/**
 * Runs `plan` as its user does.
 *
 * @param cwd the working directory
 * @param states the old state and the new one, each a file or a folder
 */
export async function printedPlan(cwd: string, states: readonly string[]): Promise<PrintedPlan> {
  let out = '';
  const surroundings: Surroundings = {
    cwd,
    env: { PATH: process.env.PATH },
    readInput: async () => Buffer.alloc(0),
    out: (text) => { out += text; },
    err: (text) => process.stderr.write(text),
  };
  await PLAN_COMMAND.run(['--format', 'json', ...states], surroundings);
  const json = out;
  out = '';
  await PLAN_COMMAND.run([...states], surroundings);
  return { json, text: out };
}
