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
import { CrdSource } from '../crds/crd-source';
import { CustomResourceDefinition } from '../crds/definition';
import { UnreachableError } from '../crds/download';
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
  const { definitions, absent } = await loadReachable(wholeSources);
  for (const name of absent) console.error(`${WHOLE}/${name} stays: definitions of its kinds cannot be downloaded here; set CRDS_DIR to a directory that has them`);
  const files = [
    ...[...structures].map(([name, text]) => [`${STRUCTURES}/${name}`, text] as const),
    ...[...definitionFiles(crds)].map(([name, text]) => [`${DEFINITIONS}/${name}`, text] as const),
    ...[...wholeDefinitions(definitions, wholeSources)].map(([name, text]) => [`${WHOLE}/${name}`, text] as const),
  ];
  writeGeneratedFiles('structure', new Map(files), [{ path: STRUCTURES, kept }, { path: DEFINITIONS, kept }, { path: WHOLE, kept: absent }]);
}

/** Definitions of sources, and the files of API groups that are left out. */
interface Reachable {
  readonly definitions: CustomResourceDefinition[];
  readonly absent: readonly string[];
}

/** The definitions of sources, without API groups of which one that no server of the suite needs cannot be downloaded. */
async function loadReachable(sources: readonly CrdSource[]): Promise<Reachable> {
  const absent = new Set<string>();
  const loaded = await Promise.all(sources.map(async (source) => {
    try {
      return await loadCrds({ sources: [source] });
    } catch (error) {
      if (!source.unserved || !(error instanceof UnreachableError)) throw error;
      for (const { name } of source.crds) absent.add(name.slice(name.indexOf('.') + 1));
      return [];
    }
  }));
  const definitions = loaded.flat().filter(({ spec }) => !absent.has(spec.group)).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return { definitions, absent: [...absent].sort().map((group) => `${group}.json`) };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
