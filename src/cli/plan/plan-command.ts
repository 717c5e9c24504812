import { readStates } from './compared-states';
import { githubFormat } from './github-format';
import { PLAN_SHAPE, planJson } from '../../manifests/plan/plan-json';
import { planMarkdown } from '../../manifests/plan/plan-markdown';
import { PlannedChanges, planObjects } from '../../manifests/plan/plan-objects';
import { planText } from '../../manifests/plan/plan-text';
import { isNothing, planTotals } from '../../manifests/plan/plan-totals';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { DEFAULT_FOLDER } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

const NAME = 'plan';
const FORMATS = ['text', 'markdown', 'json', 'github'] as const;

const OPTIONS = {
  'base': { type: 'string' },
  'format': { type: 'string', default: 'text' },
  'objects': { type: 'boolean', default: false },
  'exit-code': { type: 'boolean', default: false },
} as const;

const HELP = `cdk8s-cluster-api plan: shows what controllers will do when a change of manifests is merged

Usage: npx cdk8s-cluster-api plan [OPTION…] [OLD [NEW]]

Compares two states of manifests, of any origin, and shows what happens to clusters: which machines and pods are replaced, how many, how
many at a time, and why; what is scaled, upgraded, created and deleted. It reads manifests only, no cluster. An effect that does not follow
from the manifests is unknown. Every object that differs is in the plan.

Values that may be secret are never shown: a field is "changed", in JSON from "(hidden)" to "(hidden)". They are values of Secrets and
ConfigMaps (numbers, switches and versions of ConfigMaps aside), contents of files and commands of machines, user data, strings of several
lines, values whose names are those of passwords, tokens and keys, and such parts of other strings: users in URLs, --flag=value.

Of a kustomization, the plan follows the lists and the namespace; it runs neither kustomize nor Helm. Other kustomizations and patches,
values and templates of charts, any other YAML or JSON that is no object, and files that these name are "not read" where they differ, or
change what differs; their effect is unknown. A resource that a kustomization lists no longer counts as removed. Other files, such as
README.md, do not count.

A repository may have the manifests of several management clusters. Where two of them have a Cluster, Kustomization or Application of the
same namespace and name, the name of the topmost folder in which names are unique, or of the file, comes before the names: "prod:
tenant-acme/acme". Objects that Flux or Argo CD apply belong to the folder of their Kustomization or Application.

OLD and NEW are files or folders; "-" is standard input. Without NEW, the committed state of OLD is compared with its files on disk.
Default of OLD: ${DEFAULT_FOLDER}.

  --base COMMIT         compare the files on disk with this commit (default: HEAD); of a branch such as origin/main, with the commit
                        where HEAD left it, so that what others have merged since is not in the plan

  --format text         for people (default); in color and wrapped on a terminal
  --format markdown     for a comment of a pull request
  --format json         for programs; the shape is below
  --format github       a GitHub workflow annotation for each part that is replaced or deleted, or whose effect is unknown

  --objects             list each object that differs, with its changed fields
  --exit-code           end with 2 when something changes, or a file that differs is not read; with 1 when the plan could not be made

Clusters that change in the same way are printed once, with all sizes and values; <cluster> stands for the name of each. A pool rolls out
when a field changes that Cluster API compares, such as the version or the name of a template. A control plane rolls out when a field
changes from which its provider makes machines or pods.

Ends with 0, and with 2 when manifests cannot be read; see --exit-code. A mistake of the program itself ends with 70.

Examples:
  npx cdk8s-cluster-api plan
  npx cdk8s-cluster-api plan --base origin/main --format markdown > plan.md
  npx cdk8s-cluster-api plan released/ dist/

The shape of --format json:
  ${PLAN_SHAPE}
`;

/** Exit codes with `--exit-code`: those of `terraform plan -detailed-exitcode`. */
const WITH_EXIT_CODE: { readonly [outcome in 'failed' | 'changes']: ExitCode } = { failed: 1, changes: 2 };

/** Says what a change will do. */
export const PLAN_COMMAND: Command = {
  name: NAME,
  summary: 'show what a change of manifests will do to machines, control planes and addons',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  async run(args, surroundings) {
    try {
      const { values, positionals } = readArguments(NAME, args, OPTIONS);
      const format = choice('format', values.format, FORMATS);
      const plan = await makePlan(positionals, values.base, surroundings);
      surroundings.out(printed(plan, format, values.objects, surroundings), format === 'github');
      return values['exit-code'] && !isNothing(planTotals(plan)) ? WITH_EXIT_CODE.changes : ExitCode.OK;
    } catch (error) {
      if (!(error instanceof CommandError) || !args.includes('--exit-code')) throw error;
      throw new CommandError(error.message.split('\n'), error.fix, WITH_EXIT_CODE.failed);
    }
  },
};

function printed(plan: PlannedChanges, format: typeof FORMATS[number], objects: boolean, { colors = false, columns }: Surroundings): string {
  switch (format) {
    case 'json': return `${JSON.stringify(planJson(plan), undefined, 2)}\n`;
    case 'markdown': return planMarkdown(plan);
    case 'github': return githubFormat(plan);
    default: return planText(plan, { colors, columns, objects });
  }
}

async function makePlan(given: readonly string[], base: string | undefined, surroundings: Surroundings): Promise<PlannedChanges> {
  const [before, after] = await readStates(given, base, surroundings);
  surroundings.progress?.at('Comparing');
  return planObjects(before, after);
}
