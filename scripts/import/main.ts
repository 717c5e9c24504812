/**
 * Writes `imports/`. With `--check` it writes nothing and fails when the files are not what the pinned definitions give.
 */
import { generateImports } from './generate';
import { CRD_SOURCES } from '../crds/crd-source';
import { loadCrds } from '../crds/load';
import { writeGeneratedFiles } from '../generated-files';

const DIRECTORY = 'imports';

async function main(): Promise<void> {
  const typed = CRD_SOURCES.map((source) => ({ ...source, crds: source.crds.filter(({ version }) => version !== undefined) }));
  const files = generateImports(await loadCrds({ sources: typed.filter(({ crds }) => crds.length > 0) }));
  writeGeneratedFiles('import', new Map([...files].map(([name, text]) => [`${DIRECTORY}/${name}`, text])), [{ path: DIRECTORY }]);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
