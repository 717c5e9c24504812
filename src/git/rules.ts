import { Rule } from '../problems/problem';

/** Rules for the commit that an output is compared with. */
export const GIT_RULES = {
  base: {
    id: 'TC-GIT-BASE',
    title: 'The commit that an output is compared with is in the repository.',
    source: 'git-scm.com/docs/gitrevisions, git-scm.com/docs/shallow',
  },
  repository: {
    id: 'TC-GIT-REPOSITORY',
    title: 'An output that is compared with a commit is in the work tree of a Git repository.',
    source: 'git-scm.com/docs/git-rev-parse',
  },
  unread: {
    id: 'TC-GIT-UNREAD',
    title: 'Git can read the repository of the output: without the committed state, synthesis knows only the files on disk.',
    source: 'git-scm.com/docs/git-config (safe.directory)',
    warning: true,
  },
} satisfies Record<string, Rule>;
