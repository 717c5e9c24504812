import { formatProblem, Problem, Rule } from '../../../../manifests/values/problem';

/** More would hide the first ones. */
const MOST_LINES = 20;

/** The reasons why an output is not written. */
export class TreeError extends Error {
  /**
   * @param problems the reasons
   */
  public constructor(public readonly problems: readonly Problem[]) {
    const lines = problems.slice(0, MOST_LINES).map((problem) => `\n  ${formatProblem(problem)}`);
    const rest = problems.length > MOST_LINES ? `\n  and ${problems.length - MOST_LINES} more` : '';
    super(`The output cannot be written:${lines.join('')}${rest}`);
    this.name = 'TreeError';
  }
}

const FAILED_RULE: Rule = {
  id: 'TC-OUTPUT-FAILED',
  title: 'The file system must accept the output.',
};

/** Reports an error of the file system as a problem of the output. */
export function ofFileSystem<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new TreeError([{ rule: FAILED_RULE, message, fix: 'correct that, and synthesize again' }]);
  }
}
