import { readStates, StateOptions } from './compared-states';
import { FAIL_ON_HELP, FailOn } from './fail-on';
import { githubFormat } from './github-format';
import { sarifFormat } from './sarif-format';
import { LiveObjects, presentState } from '../../manifests/landscape/live-objects';
import { PLAN_SHAPE, planJson } from '../../manifests/plan/plan-json';
import { planMarkdown } from '../../manifests/plan/plan-markdown';
import { PlannedChanges, planObjects } from '../../manifests/plan/plan-objects';
import { planText } from '../../manifests/plan/plan-text';
import { isNothing, planTotals } from '../../manifests/plan/plan-totals';
import { namesWords } from '../../manifests/plan/plan-words';
import { choice, readArguments } from '../arguments';
import { BUILD_HELP, BUILD_OPTION } from '../build/kustomize';
import { Command, CommandError, ExitCode } from '../command';
import { comparedExitCode, comparing, EXIT_CODE_OPTION } from '../exit-code-option';
import { readDefinitions } from '../manifests/read-definitions';
import { STANDARD_INPUT } from '../manifests/read-files';
import { readLive } from '../manifests/read-live';
import { DEFAULT_FOLDER, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

const NAME = 'plan';
const FORMATS = ['text', 'markdown', 'json', 'github', 'sarif'] as const;

const OPTIONS = {
  'base': { type: 'string' },
  'render': { type: 'string' },
  'format': { type: 'string', default: 'text' },
  'objects': { type: 'boolean', default: false },
  ...EXIT_CODE_OPTION,
  'live': { type: 'string' },
  'crds': { type: 'string', multiple: true, default: [] as string[] },
  'fail-on': { type: 'string', default: '' },
  ...STRICT_OPTION,
  ...BUILD_OPTION,
} as const;

const HELP = `cdk8s-cluster-api plan: shows what controllers will do when a change of manifests is merged

Usage: npx cdk8s-cluster-api plan [OPTION…] [OLD [NEW]]

Compares two states of manifests, of any origin, and shows what happens to clusters: which machines and pods are replaced, how many, how
many at a time, and why; what is scaled, upgraded, created and deleted. It reads manifests only, no cluster. An effect that does not follow
from the manifests is unknown. Every object that differs is in the plan.

Values that may be secret are never shown: a field is "changed", in JSON from "(hidden)" to "(hidden)". They are values of Secrets and
ConfigMaps (except numbers, booleans and versions in ConfigMaps), contents of files and commands of machines, user data, strings of several
lines, values whose names are those of passwords, tokens and keys, and such parts of other strings: users in URLs, --flag=value.

If kustomize or kubectl is installed, kustomizations are built before they are compared, with what a Kustomization of Flux or an
Application adds; if helm is installed, so are charts in folders of a HelmRelease or an Application. Only those that read a changed file
are built. These programs run over copies of the files of both states, with limits of time and output. They get no configuration,
credentials or plug-ins, read no other files, and fetch nothing: a kustomization is built without the addresses and charts that it names,
and these are "not read". Without the programs, the plan follows the lists and the namespace of a kustomization.

Kustomizations and charts that are not built, jsonnet, YAML and JSON without an object, and files that these name are "not read" if they
differ, or if they affect something that differs; their effect is unknown. A file that cannot be read in one of the two states is also
"not read", and its objects count as unchanged. A resource that a kustomization no longer lists counts as removed. Other files, such as
README.md, do not count.

A repository may have the manifests of several management clusters. Where two of them have a Cluster, Kustomization or Application of the
same namespace and name, the name of the topmost folder in which names are unique, or of the file, comes before the names: "prod:
tenant-acme/acme". Objects that Flux or Argo CD apply belong to the folder of their Kustomization or Application.

OLD and NEW are files or folders; "-" is standard input. Without NEW, the committed state of OLD is compared with its files on disk.
Default of OLD: ${DEFAULT_FOLDER}.

  --base COMMIT         compare the files on disk with this commit (default: HEAD); of a branch such as origin/main, with the commit
                        where HEAD left it, so that what others have merged since is not in the plan

  --render COMMAND      run this command in a copy of each of the two states, and compare what it writes to standard output, for charts
                        and tools of any kind; default of OLD: the current folder. It runs with your rights and environment, and
                        scripts that it calls are those of each state

  --crds DEFINITIONS    also check changes against the CustomResourceDefinitions in this file or folder, such as those of immutable
                        fields; definitions among the manifests are always used; may be repeated

  --live FILE           the state of the management cluster, as "kubectl get --output json" prints it, in a file or "-". It is used
                        instead of these objects in OLD: the plan counts the existing machines, by age where a date matters, and
                        their labels and annotations tell what deletes an object that NEW does not have

  --format text         for people (default); in color and wrapped on a terminal
  --format markdown     for a comment of a pull request
  --format json         for programs; the shape is below
  --format github       a GitHub workflow annotation for each part that is replaced or deleted, or whose effect is unknown
  --format sarif        SARIF 2.1.0 of what is refused, lost and not available, for platforms that show findings in code

  --objects             list each object that differs, with its changed fields
  --exit-code           end with 2 when something changes, or a file that differs is not read; with 1 when the plan could not be made
${FAIL_ON_HELP}
${STRICT_HELP}
${BUILD_HELP}

Clusters that change in the same way are printed once, with all sizes and values; <cluster> stands for the name of each. A pool rolls out
when a field changes that Cluster API compares, such as the version or the name of a template. A control plane rolls out when a field
changes from which its provider makes machines or pods.

The first word is the verdict, the first of these that applies:
  BLOCKED   the API server or a webhook refuses a change, by the rules of validate; Flux applies nothing else of that Kustomization
  DESTROYS  something is lost that a revert does not bring back: a cluster, or data; machines do not count, since a revert makes others
  DISRUPTS  machines, pods or objects are replaced, moved or deleted, a release is upgraded, something is not available or fails
            later, or an effect is unknown
  SAFE      none of the above; a line says what a revert does not undo
The lines below it name what is refused, lost, not available, deleted and replaced; what follows is sorted by severity, size and name.

If changes are applied at certain times only, the plan says when the next one is: sync windows of Argo CD's projects, and sources of Flux
that CronJobs suspend and resume, with kubectl patch or flux.

Exit codes: 0 done, 2 the plan could not be made, 3 a condition of --fail-on is true. With --exit-code: 0 nothing changes, 2 something
changes, 1 the plan could not be made, 3 a condition of --fail-on is true. A mistake of the program itself ends with 70.

Examples:
  npx cdk8s-cluster-api plan
  npx cdk8s-cluster-api plan --base origin/main --format markdown > plan.md
  npx cdk8s-cluster-api plan --base origin/main --fail-on 'refused,lost,deleted>10'
  npx cdk8s-cluster-api plan released/ dist/
  npx cdk8s-cluster-api plan --base origin/main --render 'helm template acme charts/cluster -n tenant-acme -f values/acme.yaml'

The shape of --format json:
  ${PLAN_SHAPE}
`;

/** Says what a change will do. */
export const PLAN_COMMAND: Command = {
  name: NAME,
  summary: 'show what a change of manifests will do to machines, control planes and addons',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  run: (args, surroundings) => comparing(args, async () => {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const failOn = new FailOn(values['fail-on']);
    const plan = await makePlan(positionals, { ...values, build: !values['no-build'] }, surroundings);
    surroundings.out(printed(plan, format, values.objects, surroundings), format === 'github');
    const met = failOn.met(plan);
    if (met.length > 0) {
      surroundings.err(`failed: ${met.join(', ')} (--fail-on)\n`);
      return ExitCode.DENIED;
    }
    return comparedExitCode(values, !isNothing(planTotals(plan)));
  }),
};

function printed(plan: PlannedChanges, format: typeof FORMATS[number], objects: boolean, { colors = false, columns }: Surroundings): string {
  switch (format) {
    case 'json': return `${JSON.stringify(planJson(plan), undefined, 2)}\n`;
    case 'markdown': return planMarkdown(plan);
    case 'github': return githubFormat(plan);
    case 'sarif': return sarifFormat(plan);
    default: return planText(plan, { colors, columns, objects });
  }
}

interface PlanOptions extends StateOptions {
  /** Name of the file with what the management cluster holds. */
  readonly live?: string;

  /** Files and folders with CustomResourceDefinitions. */
  readonly crds: readonly string[];
}

const EXPORT = 'kubectl get --output json --all-namespaces KINDS > live.json';

async function makePlan(given: readonly string[], options: PlanOptions, surroundings: Surroundings): Promise<PlannedChanges> {
  const { live } = options;
  if (live === STANDARD_INPUT && given.includes(STANDARD_INPUT)) throw new CommandError(['--live and a state are both standard input'], 'name a file');
  const [before, after] = await readStates(given, options, surroundings);
  const definitions = (await readDefinitions(options.crds, surroundings)).map(({ object }) => object);
  surroundings.progress?.at('Comparing');
  if (live === undefined) return planObjects(before, after, undefined, definitions, surroundings.now?.());
  const found = new LiveObjects(await readLive(live, EXPORT, surroundings));
  const { state, drifted, missing } = presentState(before, after, found);
  noteObjects('is not as the earlier state says', 'are not as the earlier state says', drifted, surroundings);
  noteObjects('of the earlier state is not in the cluster', 'of the earlier state are not in the cluster', missing, surroundings);
  return planObjects(state, after, found, definitions, surroundings.now?.());
}

function noteObjects(one: string, several: string, names: readonly string[], { err }: Surroundings): void {
  if (names.length > 0) err(`note: ${namesWords(names)} ${names.length === 1 ? one : several}\n`);
}
