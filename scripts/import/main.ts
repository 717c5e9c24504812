/**
 * Writes `imports/`. With `--check` it writes nothing and fails when the files are not what the pinned definitions give.
 */
import { generateImports } from './generate';
import { loadCrds } from '../crds/load';
import { absentGroups, obtainableSources } from '../crds/obtainable';
import { writeGeneratedFiles } from '../generated-files';

const DIRECTORY = 'imports';

async function main(): Promise<void> {
  const sources = obtainableSources();
  const files = generateImports(await loadCrds({ sources }), sources);
  const kept = absentGroups().map(group => `${group}.ts`);
  for (const name of kept) {
    console.error(`${DIRECTORY}/${name} stays: upstream publishes no definitions of its kinds; set CRDS_DIR to a directory that has them`);
  }
  writeGeneratedFiles('import', new Map([...files].map(([name, text]) => [`${DIRECTORY}/${name}`, text])), [{ path: DIRECTORY, kept }]);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
