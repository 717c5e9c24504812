import { OUTPUT_RULES } from './rules';
import { formatProblem, Problem, Rule } from '../../validation/problem';

/** More would hide the first ones. */
const MOST_LINES = 20;

/** Says why an output is not written. */
export class TreeError extends Error {
  /**
   * @param problems what is wrong
   * @param code what the file system calls it, if it was the file system
   */
  public constructor(public readonly problems: readonly Problem[], public readonly code?: string) {
    const lines = problems.slice(0, MOST_LINES).map((problem) => `\n  ${formatProblem(problem)}`);
    const rest = problems.length > MOST_LINES ? `\n  and ${problems.length - MOST_LINES} more` : '';
    super(`The output cannot be written:${lines.join('')}${rest}`);
    this.name = 'TreeError';
  }
}

interface Reason {
  readonly rule: Rule;
  readonly what: string;
  readonly fix: string;
}

const ACCESS = { rule: OUTPUT_RULES.access, fix: 'let the user that runs this write to the output, or choose another outdir' };
const SPACE = { rule: OUTPUT_RULES.space, fix: 'make room: changed files are there twice until all of them are complete' };

const FOLDER = { rule: OUTPUT_RULES.folder, what: 'a file is where a folder has to be', fix: 'move the file away, or choose another outdir' };

const REASONS: { readonly [code: string]: Reason } = {
  EACCES: { ...ACCESS, what: 'the user that runs this may not do that' },
  EPERM: { ...ACCESS, what: 'the user that runs this may not do that' },
  EEXIST: FOLDER,
  ENOTDIR: FOLDER,
  ELOOP: { rule: OUTPUT_RULES.folder, what: 'symbolic links in the path lead in a circle', fix: 'remove the links, or choose another outdir' },
  EROFS: { ...ACCESS, what: 'the file system can only be read' },
  ENOSPC: { ...SPACE, what: 'the disk is full' },
  EDQUOT: { ...SPACE, what: 'the user\'s share of the disk is full' },
  ENAMETOOLONG: {
    rule: OUTPUT_RULES.pathLength, what: 'the path is longer than the file system takes', fix: 'shorten the names in it, or choose an outdir with a shorter path',
  },
  EXDEV: {
    rule: OUTPUT_RULES.fileSystem, what: 'it is on another file system than the output', fix: 'mount the output as a whole',
  },
};

/**
 * The error for something that the file system refused.
 *
 * @param action what was to be done, with the path
 * @param error what the file system answered
 */
export function refusedByFileSystem(action: string, error: NodeJS.ErrnoException): TreeError {
  const { code = error.message } = error;
  const { rule, what, fix } = REASONS[code] ?? { rule: OUTPUT_RULES.failed, what: 'the file system refused', fix: 'mend that and synthesize again' };
  return new TreeError([{ rule, message: `cannot ${action}: ${what} (${code})`, fix }], code);
}
