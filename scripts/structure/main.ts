/**
 * Writes `schemas/`, the structure of all kinds that have pinned definitions, and of Kubernetes' own. With `--check` it writes nothing and fails when the files
 * are not what the definitions give.
 *
 *   node -r ts-node/register/transpile-only scripts/structure/main.ts [--check]
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KUBERNETES_RELEASE, kubernetesDocument } from './kubernetes-document';
import { kubernetesKinds } from './kubernetes-kinds';
import { kubernetesFile, structureFiles } from './structure-files';
import { loadCrds } from '../crds/load';
import { absentGroups, obtainableSources } from '../crds/obtainable';

const DIRECTORY = resolve(__dirname, '../../schemas');

async function main(check: boolean): Promise<number> {
  const sources = obtainableSources();
  const files = structureFiles(await loadCrds({ sources }), sources);
  files.set('kubernetes.json', kubernetesFile(kubernetesKinds(await kubernetesDocument()), KUBERNETES_RELEASE));
  const untouched = absentGroups().map((group) => `${group}.json`);
  for (const name of untouched) console.error(`schemas/${name} is left as it is: upstream publishes no definitions of its kinds; set CRDS_DIR to a directory that has them`);
  mkdirSync(DIRECTORY, { recursive: true });
  const present = new Map(readdirSync(DIRECTORY).map((name) => [name, readFileSync(join(DIRECTORY, name), 'utf8')]));
  const different = [...files].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);
  const superfluous = [...present.keys()].filter((name) => !files.has(name) && !untouched.includes(name));
  if (check) {
    for (const name of [...different, ...superfluous].sort()) console.error(`schemas/${name} differs from what scripts/structure/main.ts writes`);
    return different.length + superfluous.length > 0 ? 1 : 0;
  }
  for (const name of different) writeFileSync(join(DIRECTORY, name), files.get(name)!);
  for (const name of superfluous) rmSync(join(DIRECTORY, name));
  console.log(`schemas/: ${files.size} files, ${different.length} written, ${superfluous.length} removed`);
  return 0;
}

main(process.argv.includes('--check')).then(
  (code) => { process.exitCode = code; },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
