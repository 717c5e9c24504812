import * as fs from 'node:fs';
import * as path from 'node:path';
import { splitTree, treesOnDisk } from './output-trees';
import { GITOPS_RULES } from './rules';
import { CommittedFile, CommittedFolder } from '../../manifests/objects/git/committed-folder';
import { GIT_RULES } from '../../manifests/objects/git/rules';
import { OWN_FOLDER } from '../../manifests/objects/own-folder';
import { Problem } from '../../manifests/values/problem';
import { ofFileSystem } from '../app/synth/tree/tree-error';

const EXECUTABLE = 0o755;
const NOT_EXECUTABLE = 0o644;

/**
 * Gives an output that was emptied what the last commit has there. `cdk8s synth` removes the output before it runs the program, with the lists
 * of written files, the files of others, and the clusters that are no longer in the code.
 *
 * @param outdir the output
 * @param committed its last commit
 * @param trees whether it has a tree for each management cluster
 * @returns warnings that it was emptied, and about what could not be restored
 */
export function restoreEmptied(outdir: string, committed: CommittedFolder, trees: boolean): Problem[] {
  const isOwn = (file: string) => file.startsWith(`${OWN_FOLDER}/`);
  // An output that has the folder of the lists was not emptied: files that are missing there were removed on purpose.
  if (fs.existsSync(path.join(outdir, OWN_FOLDER)) || (trees && treesOnDisk(outdir).length > 0)) return [];
  if (!committed.paths.some((file) => isOwn(file) || (trees && isOwn(splitTree(file)[1])))) return [];
  ofFileSystem(() => {
    for (const [file, content] of committed.read(committed.paths)) restore(path.join(outdir, file), content);
  });
  const submodules = committed.submodules.filter((folder) => !fs.existsSync(path.join(outdir, folder)));
  return [{
    rule: GITOPS_RULES.emptied,
    message: `${outdir} was removed before the program ran, as by "cdk8s synth"; the last commit was restored, and files in it that were not committed are lost`,
    fix: 'run the program itself, e.g. by "npm run synth" with the script "tsx main.ts && cdk8s-cluster-api validate"',
  }, ...submodules.map((folder) => ({
    rule: GIT_RULES.submodule,
    message: `${folder} in the output is a submodule, which was removed with the output`,
    fix: 'restore it with "git submodule update", and keep it outside of the output',
  }))];
}

function restore(file: string, { content, executable, link }: CommittedFile): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (link) fs.symlinkSync(content.toString(), file);
  else fs.writeFileSync(file, content, { mode: executable ? EXECUTABLE : NOT_EXECUTABLE });
}
