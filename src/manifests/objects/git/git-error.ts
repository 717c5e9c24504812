import { GIT_RULES } from './rules';
import { formatProblem, Problem } from '../../values/problem';

/** Reports that a commit cannot be read. */
export class GitError extends Error {
  /** @param problem the reason */
  public constructor(public readonly problem: Problem) {
    super(formatProblem(problem));
    this.name = 'GitError';
  }
}

/** The error for a repository that Git cannot read. */
export function unread(message: string, fix: string): GitError {
  return new GitError({ rule: GIT_RULES.unread, message, fix });
}
