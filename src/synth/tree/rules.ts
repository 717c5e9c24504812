import { Rule } from '../../validation/problem';

/** What is demanded of the files of an output, and of the folder that they are written to. */
export const OUTPUT_RULES = {
  path: {
    id: 'TC-OUTPUT-PATH',
    title: 'Files of the output have relative paths below it that every file system has, and that are nobody else\'s.',
    source: 'learn.microsoft.com/windows/win32/fileio/naming-a-file, git-scm.com/docs/git-config (core.protectNTFS)',
  },
  pathTwice: {
    id: 'TC-OUTPUT-PATH-TWICE',
    title: 'Each file of the output has a path of its own: no other has it in the same or another case, or needs a folder there.',
  },
  foreign: {
    id: 'TC-OUTPUT-FOREIGN',
    title: 'Synthesis replaces only what it has written.',
  },
  link: {
    id: 'TC-OUTPUT-LINK',
    title: 'No file of the output is written through a symbolic link: it would end up somewhere else.',
  },
  changedByHand: {
    id: 'TC-OUTPUT-CHANGED-BY-HAND',
    title: 'Files of the output are generated: what is changed in them by hand is lost.',
    warning: true,
  },
  index: {
    id: 'TC-OUTPUT-INDEX',
    title: 'The list of the files that synthesis has written can be read.',
  },
  locked: {
    id: 'TC-OUTPUT-LOCKED',
    title: 'One process at a time writes to an output.',
  },
  folder: {
    id: 'TC-OUTPUT-FOLDER',
    title: 'The output is a folder.',
  },
  fileSystem: {
    id: 'TC-OUTPUT-FILE-SYSTEM',
    title: 'The whole output is on one file system, so that files can be put in place as a whole.',
    source: 'pubs.opengroup.org/onlinepubs/9799919799/functions/rename.html (EXDEV)',
  },
  access: {
    id: 'TC-OUTPUT-ACCESS',
    title: 'Whoever synthesizes may write to the output.',
  },
  space: {
    id: 'TC-OUTPUT-SPACE',
    title: 'There is room for the output beside what is there already.',
  },
  pathLength: {
    id: 'TC-OUTPUT-PATH-LENGTH',
    title: 'The paths of files are as short as the file system demands.',
  },
  failed: {
    id: 'TC-OUTPUT-FAILED',
    title: 'The file system does what it is asked for.',
  },
} satisfies Record<string, Rule>;
