/**
 * Writes `data/schemas/`, the structure of kinds that have pinned definitions, and of Kubernetes' own; `test/manifests/schema/definitions/`, the
 * scopes and the rules in CEL of the former; and `data/definitions/`, definitions that are part of the package as they are. With `--check` it writes nothing and fails when the files are not what the definitions give.
 *
 *   node -r ./scripts/esbuild-register.js scripts/structure/main.ts [--check]
 */
import { definitionFiles } from './definition-files';
import { KUBERNETES_RELEASE, kubernetesDocument } from './kubernetes-document';
import { kubernetesKinds } from './kubernetes-kinds';
import { kubernetesFile, structureFiles } from './structure-files';
import { wholeDefinitions } from './whole-definitions';
import { loadCrds } from '../crds/load';
import { absentGroups, obtainableSources } from '../crds/obtainable';
import { writeGeneratedFiles } from '../generated-files';

const STRUCTURES = 'data/schemas';
const DEFINITIONS = 'test/manifests/schema/definitions';
const WHOLE = 'data/definitions';

async function main(): Promise<void> {
  const obtainable = obtainableSources();
  const sources = obtainable.filter(({ whole }) => !whole);
  const wholeSources = obtainable.filter(({ whole }) => whole);
  const crds = await loadCrds({ sources });
  const kubernetes = kubernetesFile(kubernetesKinds(await kubernetesDocument()), KUBERNETES_RELEASE);
  const structures = structureFiles(crds, sources).set('kubernetes.json', kubernetes);
  const kept = absentGroups().map((group) => `${group}.json`);
  for (const name of kept) {
    console.error(`${STRUCTURES}/${name} and ${DEFINITIONS}/${name} stay: upstream publishes no definitions of their kinds; `
      + 'set CRDS_DIR to a directory that has them');
  }
  const files = [
    ...[...structures].map(([name, text]) => [`${STRUCTURES}/${name}`, text] as const),
    ...[...definitionFiles(crds)].map(([name, text]) => [`${DEFINITIONS}/${name}`, text] as const),
    ...[...wholeDefinitions(await loadCrds({ sources: wholeSources }), wholeSources)].map(([name, text]) => [`${WHOLE}/${name}`, text] as const),
  ];
  writeGeneratedFiles('structure', new Map(files), [{ path: STRUCTURES, kept }, { path: DEFINITIONS, kept }, { path: WHOLE }]);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
