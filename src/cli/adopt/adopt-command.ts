import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { counted, reportedObjects, reportJson, reportText } from './adopt-report';
import { Library, loadLibrary } from './library';
import { PageEvaluator } from './page-evaluator';
import { proofJson, proofText } from './proof-text';
import { AdoptedApp, adoptedApp } from '../../manifests/adopt/adopted-app';
import { appTexts, SILENCE_REASON, silencedRules } from '../../manifests/adopt/app-text';
import { InputObjects, inputObjects, leftText } from '../../manifests/adopt/input-objects';
import { prove } from '../../manifests/adopt/proof';
import { pathWithin } from '../../manifests/landscape/manifest-state';
import { Remark, remarkText } from '../../manifests/landscape/place';
import { isInGitFolder, placeInWorkTree, realPathOf } from '../../manifests/objects/git/work-tree';
import { registerProviders } from '../../manifests/systems/providers';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { adoptedAppFiles } from '../init/app-files';
import { keptFiles, nextCommands, section, writeNew } from '../init/init-command';
import { readManifests } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

const NAME = 'adopt';
const FORMATS = ['text', 'json'] as const;

/** Greatest number of reasons in the error of an input without objects. */
const MOST_REASONS = 10;

const OPTIONS = {
  output: { type: 'string' },
  namespace: { type: 'string' },
  prove: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
} as const;

const HELP = `cdk8s-cluster-api adopt: writes an app that makes the clusters of existing manifests

Usage: npx cdk8s-cluster-api adopt [OPTION…] FILE or FOLDER…
       npx cdk8s-cluster-api adopt --prove [OPTION…] OLD NEW

Reads manifests of any origin (clusterctl generate, helm template, kustomize build, kubectl get --output yaml, by hand), and writes an app
as init does: a page for each cluster, or a list with profiles where several clusters differ in values only (clusters.csv, fleet.ts); the
templates that machines were made from (former/), so that no machine is replaced; and all other manifests as they are (carried/). Synthesis
of the app writes the same objects: a field that the classes of a page do not tell is a patch at the end of the page.

Each object of the input is reported:
  typed      made by a class of its own; what its properties do not tell is patched
  manifest   made by a class for objects of any kind, with its content in the page
  carried    taken along as it is
  left       not in the app, with the reason: Secrets and what holds one, such as a private key or a machine configuration with keys, whose
             content is copied nowhere; objects that a controller makes or that go to a tenant; hooks that Helm runs at deletion, rollback
             or test; templates with variables
Status and what servers write into metadata are left out. A cluster that is made from a ClusterClass, or lacks its control plane or its
infrastructure object, is carried as a whole. Charts and kustomizations are not built: read what helm or kustomize print.

  --output FOLDER    where to write the app; without it, nothing is written, and the report says what would be
  --namespace NAME   the namespace of objects that state none, as kubectl apply --namespace
  --prove            compare OLD, which was adopted, with NEW, which the app has written, object by object: equal, equal in another
                     version of the API, stored as equal by the server, which adds defaults, or different, with each field; and plan
                     the change

  --format text      for people (default)
  --format json      for programs: each object with its outcome

Files that exist are never overwritten: if one does, nothing is written. README, .gitignore, .gitattributes, .editorconfig and settings of
Renovate are left alone if they exist. Nothing of the input is run.

Exit codes: 0 done, and the plan is empty; 1 the app or NEW would change something, or synthesis of the app fails; 2 usage or input
error, or a file exists.

Examples:
  npx cdk8s-cluster-api adopt clusters/ --output app
  clusterctl generate cluster acme --target-namespace tenant-acme | npx cdk8s-cluster-api adopt - --output app
  npx cdk8s-cluster-api adopt --prove clusters/ app/dist
`;

/**
 * Writes an app for existing manifests.
 *
 * @param load loads the packages that pages import
 */
export function adoptCommand(load: () => Library): Command {
  return {
    name: NAME,
    summary: 'write an app that makes the clusters of existing manifests',
    help: HELP,
    options: OPTIONS,
    choices: { format: FORMATS },
    async run(args, surroundings) {
      const { values, positionals } = readArguments(NAME, args, OPTIONS);
      const format = choice('format', values.format, FORMATS);
      registerProviders();
      if (values.prove) return runProof(positionals, { ...values, format }, surroundings);
      if (positionals.length === 0) throw new CommandError(['no manifests are named'], 'name files or folders; "-" reads from standard input');
      const input = await readInput(positionals, values.namespace, surroundings);
      if (input.objects.length === 0) {
        const reasons = [...input.left.map(leftText), ...input.notRead.map(remarkText)].slice(0, MOST_REASONS);
        throw new CommandError([`${positionals.join(', ')} has no objects that an app can make`, ...reasons], 'name the folder with the manifests of clusters');
      }
      const app = adopted(input, positionals, load(), surroundings);
      const objects = reportedObjects(input, app);
      const proof = prove({ ...input, left: app.left, objects: stillThere(input, app) }, app.made);
      const written = values.output === undefined ? '' : write(values.output, app, surroundings);
      surroundings.out(format === 'json' ? reportJson(input, app, objects)
        : `${written}${reportText(input, app, objects)}${proof.isEmpty ? '\nplan: nothing changes\n' : `\n${proofText(proof)}`}`);
      return proof.isEmpty && app.refused.length === 0 ? ExitCode.OK : ExitCode.FINDINGS;
    },
  };
}

/** The command of the package. */
export const ADOPT_COMMAND: Command = adoptCommand(loadLibrary);

async function readInput(given: readonly string[], namespace: string | undefined, surroundings: Surroundings): Promise<InputObjects> {
  const unread: Remark[] = [];
  const manifests = await readManifests(given, surroundings, unread);
  return inputObjects({ ...manifests, notRead: [...manifests.notRead, ...unread] }, namespace);
}

/** Objects of the input that the app has. */
function stillThere(input: InputObjects, { left }: AdoptedApp): InputObjects['objects'] {
  const gone = new Set(left.map(({ read }) => read));
  return input.objects.filter((read) => !gone.has(read));
}

function adopted(input: InputObjects, given: readonly string[], library: Library, { progress }: Surroundings): AdoptedApp {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adopt-'));
  const listeners = process.listeners('warning');
  // Warnings of synthesis are those of the app, which prints them.
  process.removeAllListeners('warning');
  process.on('warning', () => undefined);
  try {
    const root = given.length === 1 ? given[0] : undefined;
    return adoptedApp(input, (file) => pathWithin({ root }, file), new PageEvaluator(library, folder), (done, total) => progress?.at('Adopting', done, total));
  } finally {
    process.removeAllListeners('warning');
    for (const listener of listeners) process.on('warning', listener);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the app, and returns what is to be said about its files. */
function write(output: string, app: AdoptedApp, { cwd }: Surroundings): string {
  const named = path.resolve(cwd, output);
  const tree = placeInWorkTree(named);
  if (tree && isInGitFolder(tree)) throw new CommandError([`${output} is in the folder of Git itself`], 'name a folder of the work tree');
  const folder = realPathOf(named);
  const silences = silencedRules(app.silenced).map((rule) => `${rule}=${SILENCE_REASON}`);
  const all = adoptedAppFiles(folder, tree, appTexts(app.pages, app.carried, app.silenced), silences);
  const kept = keptFiles(folder, all.files);
  const files = new Map([...all.files].filter(([name]) => !kept.has(name)));
  writeNew(folder, tree, files);
  return [
    `Wrote ${counted(files.size, 'file')} to ${output}`,
    '',
    ...section('Left alone, because they exist:', [...kept]),
    'Next:',
    ...nextCommands(output, named === path.resolve(cwd), tree, files).slice(0, -1).map((line) => `  ${line}`),
    '',
    '',
  ].join('\n');
}

interface ProofOptions {
  readonly namespace?: string;
  readonly format: typeof FORMATS[number];
}

async function runProof(positionals: readonly string[], { namespace, format }: ProofOptions, surroundings: Surroundings): Promise<ExitCode> {
  const [old, now, ...more] = positionals;
  if (now === undefined || more.length > 0) throw new CommandError(['--prove compares two states'], 'name what was adopted, then what the app has written: --prove OLD NEW');
  const input = await readInput([old], namespace, surroundings);
  const { objects } = await readManifests([now], surroundings);
  const proof = prove(input, objects.filter(({ pack }) => !pack).map(({ object }) => object));
  surroundings.out(format === 'json' ? proofJson(proof) : proofText(proof));
  return proof.isEmpty ? ExitCode.OK : ExitCode.FINDINGS;
}
