/*
 * Writes the tables of Kubernetes' components and of the flags of other programs, and for the tests the list of programs.
 *
 *   npm run facts                       asks the components of releases that the tables do not have yet
 *   npm run facts -- --all              asks those of all releases
 *   npm run facts -- --check            asks those of the newest release, and fails if a file is not what would be written
 *   npm run facts -- --only programs    leaves Kubernetes' components out, for which Go is needed
 *
 * The flags of other programs are from a reference that is no part of the repository: REFERENCE_DIR names its folder. Without it those files are
 * kept as they are.
 */
import { kubernetesFacts } from './kubernetes-facts';
import { readPrograms, referencePath } from './reference';
import { renderKubernetesFacts } from './render-kubernetes-facts';
import { renderProgramFlags } from './render-program-flags';
import { renderPrograms } from './render-programs';
import { KUBERNETES_RELEASES, minorOf } from '../../src/manifests/values/kubernetes-releases';
import { writeGeneratedFiles } from '../generated-files';
import { knownFacts } from './known-facts';
import { releases } from '../../data/kubernetes-facts.json';

const KUBERNETES = 'data/kubernetes-facts.json';
const FLAGS = 'data/program-flags.json';
const PROGRAMS = 'test/output/programs.generated.json';

function main(): void {
  const files = new Map<string, string>();
  if (!process.argv.includes('programs')) files.set(KUBERNETES, kubernetesText());
  const programs = readPrograms();
  if (programs) files.set(FLAGS, renderProgramFlags(programs)).set(PROGRAMS, renderPrograms(programs));
  else console.error(`note: ${referencePath()} is missing (REFERENCE_DIR names another folder), so ${FLAGS} and ${PROGRAMS} stay`);
  writeGeneratedFiles('facts', files);
}

function kubernetesText(): string {
  const known = process.argv.includes('--all') ? [] : releases;
  const newest = KUBERNETES_RELEASES.at(-1)!;
  return renderKubernetesFacts(new Map(KUBERNETES_RELEASES.map((release) => {
    const isAsked = !known.includes(release) || (process.argv.includes('--check') && release === newest);
    if (isAsked) console.error(`asking the components of Kubernetes ${release}`);
    return [release, isAsked ? kubernetesFacts(release) : knownFacts(minorOf(release))];
  })));
}

main();
