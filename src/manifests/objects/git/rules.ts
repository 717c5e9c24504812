import { Rule } from '../../values/problem';

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
    title: 'Git can read the repository of the output: only the committed state tells which clusters live.',
    source: 'git-scm.com/docs/git-config (safe.directory)',
  },
  submodule: {
    id: 'TC-GIT-SUBMODULE',
    title: 'An output has no submodule, which is not restored after the output was removed.',
    source: 'cdk8s-team/cdk8s-cli src/cli/cmds/synth.ts',
    warning: true,
  },
} satisfies Record<string, Rule>;
