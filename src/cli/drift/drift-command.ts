import { DRIFT_SHAPE, driftJson } from '../../manifests/drift/drift-json';
import { driftText } from '../../manifests/drift/drift-text';
import { findDrift, isAsDeclared } from '../../manifests/drift/find-drift';
import { managementClusters } from '../../manifests/landscape/management-clusters';
import { choice, readArguments } from '../arguments';
import { BUILD_HELP, BUILD_OPTION } from '../build/kustomize';
import { Command, CommandError } from '../command';
import { comparedExitCode, comparing, EXIT_CODE_OPTION } from '../exit-code-option';
import { readDefinitions } from '../manifests/read-definitions';
import { STANDARD_INPUT } from '../manifests/read-files';
import { readLive } from '../manifests/read-live';
import { DEFAULT_FOLDER, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { readState } from '../plan/compared-states';
import { Surroundings } from '../surroundings';

const NAME = 'drift';
const FORMATS = ['text', 'json'] as const;

const OPTIONS = {
  live: { type: 'string' },
  format: { type: 'string', default: 'text' },
  all: { type: 'boolean', default: false },
  controller: { type: 'string', multiple: true, default: [] as string[] },
  crds: { type: 'string', multiple: true, default: [] as string[] },
  ...EXIT_CODE_OPTION,
  ...STRICT_OPTION,
  ...BUILD_OPTION,
} as const;

const HELP = `cdk8s-cluster-api drift: says why a cluster is different from its manifests

Usage: npx cdk8s-cluster-api drift [OPTION…] --live FILE [TREE]

Compares the objects that live in a management cluster with the manifests in TREE, a file or folder (default: ${DEFAULT_FOLDER}), field by
field. It asks no cluster: the objects are those that "kubectl get" has printed. Each difference has a cause, the most severe first:

  by hand        a person wrote it with kubectl, in a browser or by clusterctl; or made an object that no manifest has
  two writers    a controller or an autoscaler writes a field that the manifest states, too: each undoes the other
  unknown        a program wrote it that is not known, or the dump does not say who did
  not applied    what delivers the manifest has applied another state of it, or has not deleted what the manifests no longer have

Normal work is counted, and listed with --all: fields and objects of controllers and autoscalers, defaults and allocated values of servers.
Below a difference stand what the next delivery makes of it, how the manifests keep it, and what happens when it is set back, as plan
says it: machines or pods that are replaced.

Who wrote a field is in the managed fields of an object, which "kubectl get" leaves out unless it is asked for. Objects without a manifest
are looked for in the namespaces that the manifests have objects in, and by the marks of Flux and Argo CD elsewhere.

Values that may be secret are never shown: they are "(hidden)" in JSON, and "changed" in text. Manifests that are encrypted with SOPS, and
what is applied to tenants, are not compared.

  --live FILE           what the management cluster holds, as "kubectl get --output json --show-managed-fields" prints it, in a file or
                        "-", which is standard input

  --all                 list normal work, too
  --controller NAME     a program that counts as a controller, by its name in managed fields; may be repeated
  --crds DEFINITIONS    CustomResourceDefinitions of kinds, in this file or folder, for their defaults; those among the manifests and in
                        the dump count anyway; may be repeated

  --format text         for people (default); in color and wrapped on a terminal
  --format json         for programs; the shape is below
  --exit-code           end with 2 when something differs but for normal work; with 1 when the comparison could not be made
${STRICT_HELP}
${BUILD_HELP}

Exit codes: 0 done, 2 the comparison could not be made. With --exit-code: 0 nothing differs but normal work, 2 something does, 1 the
comparison could not be made. A mistake of the program itself ends with 70.

Examples:
  kubectl get --output json --show-managed-fields --all-namespaces clusters,machinedeployments,kamajicontrolplanes > live.json
  npx cdk8s-cluster-api drift --live live.json
  npx cdk8s-cluster-api drift --live live.json --format json --exit-code dist/ > drift.json

The shape of --format json:
  ${DRIFT_SHAPE}
`;

/** Says why a cluster is different from its manifests. */
export const DRIFT_COMMAND: Command = {
  name: NAME,
  summary: 'say why a cluster is different from its manifests, field by field',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  run: (args, surroundings) => comparing(args, async () => {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const drift = await compare(positionals, values, surroundings);
    const { colors = false, columns } = surroundings;
    surroundings.out(format === 'json' ? `${JSON.stringify(driftJson(drift), undefined, 2)}\n` : driftText(drift, { colors, columns, all: values.all }));
    return comparedExitCode(values, !isAsDeclared(drift));
  }),
};

interface DriftArguments {
  readonly 'live'?: string;
  readonly 'controller': readonly string[];
  readonly 'crds': readonly string[];
  readonly 'strict': boolean;
  readonly 'no-build': boolean;
}

async function compare(given: readonly string[], { live, controller, crds, strict, 'no-build': noBuild }: DriftArguments, surroundings: Surroundings) {
  const [tree = DEFAULT_FOLDER, ...others] = given;
  if (others.length > 0) throw new CommandError(['drift compares one tree of manifests'], 'name its folder alone');
  if (live === undefined) throw new CommandError(['--live is missing: it names the file with what the cluster holds'], `get it with "${EXPORT}"`);
  if (live === STANDARD_INPUT && tree === STANDARD_INPUT) throw new CommandError(['--live and the manifests are both standard input'], 'name a file');
  const state = await readState(tree, { strict, build: !noBuild }, surroundings);
  const several = managementClusters([state]).flatMap(({ name }) => name ?? []);
  if (several.length > 1) throw new CommandError([`${tree} has the manifests of several management clusters: ${several.join(', ')}`], 'name the folder of one of them');
  const living = await readLive(live, EXPORT, surroundings);
  const definitions = (await readDefinitions(crds, surroundings)).map(({ object }) => object);
  surroundings.progress?.at('Comparing');
  return findDrift(state, living, { controllers: controller, definitions });
}

const EXPORT = 'kubectl get --output json --show-managed-fields --all-namespaces KINDS > live.json';
