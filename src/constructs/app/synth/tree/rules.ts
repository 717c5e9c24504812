import { Rule } from '../../../../manifests/values/problem';

/** Rules for the files of an output and the folder that they are written to. */
export const OUTPUT_RULES = {
  folder: {
    id: 'TC-OUTPUT-FOLDER',
    title: 'The output folder has a name; without one it is dist.',
  },
  path: {
    id: 'TC-OUTPUT-PATH',
    title: 'The path of a file is relative, stays below the output, and is valid on every file system.',
    source: 'learn.microsoft.com/windows/win32/fileio/naming-a-file, git-scm.com/docs/git-config (core.protectNTFS)',
  },
  pathTwice: {
    id: 'TC-OUTPUT-PATH-TWICE',
    title: 'No two files of the output have the same path, also where a file system ignores case, and no file needs a folder at the path of another.',
  },
  foreign: {
    id: 'TC-OUTPUT-FOREIGN',
    title: 'Synthesis replaces only files that it has written.',
  },
  link: {
    id: 'TC-OUTPUT-LINK',
    title: 'No file of the output is written through a symbolic link.',
  },
  changedByHand: {
    id: 'TC-OUTPUT-CHANGED-BY-HAND',
    title: 'Files of the output are generated: changes by hand are lost.',
    warning: true,
  },
  index: {
    id: 'TC-OUTPUT-INDEX',
    title: 'The lists of the files that synthesis has written are valid.',
  },
  failed: {
    id: 'TC-OUTPUT-FAILED',
    title: 'The file system accepts the output.',
  },
} satisfies Record<string, Rule>;
