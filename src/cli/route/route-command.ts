import { ManifestState } from '../../manifests/landscape/manifest-state';
import { clusterName } from '../../manifests/plan/plan-words';
import { minorIn, routeTo } from '../../manifests/route/route';
import { Route, RoutedCluster } from '../../manifests/route/route-model';
import { routeText } from '../../manifests/route/route-text';
import { KUBERNETES_RELEASES } from '../../manifests/values/kubernetes-releases';
import { parseSemanticVersion } from '../../manifests/values/semantic-version';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { readDefinitions } from '../manifests/read-definitions';
import { DEFAULT_FOLDER, noteUnread, readManifests, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { stateRoot } from '../manifests/state-root';
import { Surroundings } from '../surroundings';

const NAME = 'route';
const FORMATS = ['text', 'json'] as const;

const OPTIONS = {
  'to': { type: 'string' },
  'via': { type: 'string', multiple: true, default: [] as string[] },
  'cluster': { type: 'string', multiple: true, default: [] as string[] },
  'selector': { type: 'string', multiple: true, default: [] as string[] },
  'ring-label': { type: 'string' },
  'rings': { type: 'string' },
  'crds': { type: 'string', multiple: true, default: [] as string[] },
  'format': { type: 'string', default: 'text' },
  ...STRICT_OPTION,
} as const;

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

const SHAPE = `{ "version": 1, "target", "steps": [STEP], "arrived": [NAMED], "left": [{ NAMED, "version"?, "why" }], "notes": [TEXT] }
  STEP is { "step": "component", "managementCluster"?, "title", "from", "to", "neededFor", "effect"?: { "effect", "pods"?, "notes" },
    "first": [TEXT] }, or { "step": "kubernetes", "ring"?, "version", "from": [TEXT], "clusters": [NAMED], "findings": [FINDING], "totals":
    TOTALS, "seconds"? }; "totals" is that of "plan --format json"; "seconds" is the longest time of a cluster by declared timeouts
  NAMED is { "managementCluster"?, "namespace"?, "name" }
  FINDING is { "rule", "warning": BOOLEAN, "message", "fix", "objects": [TEXT], "clusters" }`;

const RELEASES = KUBERNETES_RELEASES.map((release) => release.replace(/^v/, ''));

const HELP = `cdk8s-cluster-api route: lists the commits that bring clusters to a version of Kubernetes, in their order

Usage: npx cdk8s-cluster-api route --to VERSION [OPTION…] [FILE or FOLDER…]

Goes minor by minor, as control planes must. For each step it writes the version into the control planes and pools, and says what the rules
of "validate" find then that they do not find before: flags and APIs that are gone, images of another version, limits of webhooks. It says
which releases of Kamaji and Cluster API must come first, how many machines each commit replaces, and how long that takes by declared
timeouts. It reads manifests only (default: ${DEFAULT_FOLDER}), and no cluster.

  --to VERSION          a version, or a minor release, such as 1.36, for the newest version of it that is known:
                        ${RELEASES.join(', ')};
                        clusters that have that minor release in any version stay as they are
  --via VERSION         the version to take of its minor release, on the way; may be repeated

  --cluster NAME        only this cluster, as "name" or "namespace/name"; may be repeated
  --selector KEY=VALUE  only clusters whose Cluster has this label; may be repeated, and all must match

  --ring-label KEY      the label of a Cluster that names its ring: each ring takes a step in a commit of its own
  --rings NAMES         the rings in their order, with commas between them; other clusters come last

  --crds DEFINITIONS    check objects with the CustomResourceDefinitions in this file or folder, too; may be repeated
${STRICT_HELP}

  --format text         for people (default)
  --format json         for programs; the shape is below

Where a page writes the manifests, most of what is to be changed with a version changes by itself: the page has its version in one place.
A step counts what the version alone changes; the plan of its commit has everything.

Exit codes: 0 every cluster reaches the version, 1 some do not, 2 usage error, or a file that is named, or any with --strict, cannot be
read.

Examples:
  npx cdk8s-cluster-api route --to 1.36
  npx cdk8s-cluster-api route --to 1.36 --ring-label example.com/ring --rings canary,early,main
  npx cdk8s-cluster-api route --to 1.36.3 --cluster tenant-acme/acme clusters/

The shape of --format json:
  ${SHAPE}
`;

/** Lists the commits on the way to a version of Kubernetes. */
export const ROUTE_COMMAND: Command = {
  name: NAME,
  summary: 'list the commits that bring clusters to a version of Kubernetes',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  async run(args, surroundings) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const to = requiredVersion(values.to);
    values.via.forEach(checkVia);
    const rings = ringsOf(values['ring-label'], values.rings);
    const unknown = new Set(values.cluster);
    const isChosen = selection(values.cluster, values.selector, unknown);
    const state = await readState(positionals, values.strict, surroundings);
    const definitions = (await readDefinitions(values.crds, surroundings)).map(({ object }) => object);
    surroundings.progress?.at('Comparing');
    const route = routeTo(state, { to, via: values.via, isChosen, definitions, ...(rings && { rings }) });
    if (route.steps.length + route.arrived.length + route.left.length === 0) {
      throw new CommandError(['none of the clusters in these manifests is chosen'], 'see cdk8s-cluster-api inventory');
    }
    if (unknown.size > 0) throw new CommandError([`there is no cluster ${[...unknown].join(', ')} in these manifests`], 'see cdk8s-cluster-api inventory');
    surroundings.out(printed(route, format, surroundings));
    return route.left.length === 0 ? ExitCode.OK : ExitCode.FINDINGS;
  },
};

function printed(route: Route, format: typeof FORMATS[number], { columns }: Surroundings): string {
  return format === 'json' ? `${JSON.stringify({ version: VERSION, ...route }, undefined, 2)}\n` : routeText(route, columns);
}

async function readState(given: readonly string[], strict: boolean, surroundings: Surroundings): Promise<ManifestState> {
  const paths = given.length > 0 ? given : [DEFAULT_FOLDER];
  const unread: Parameters<typeof noteUnread>[0][number][] = [];
  const { objects } = await readManifests(paths, surroundings, unread);
  noteUnread(unread, paths, strict, surroundings);
  return { objects, ...stateRoot(paths, surroundings) };
}

function requiredVersion(text: string | undefined): string {
  if (text === undefined) throw new CommandError(['route needs the version to reach'], 'add --to, such as --to 1.36');
  if (minorIn(text) !== undefined) return text;
  throw new CommandError([`--to ${JSON.stringify(text)} is no version of Kubernetes`], 'write a version such as 1.36.3, or a minor release such as 1.36');
}

/** Rejects a minor release, too: the version that is taken of it does not need `--via`. */
function checkVia(text: string): void {
  if (minorIn(text) === undefined || !parseSemanticVersion(text)) {
    throw new CommandError([`--via ${JSON.stringify(text)} is no version of Kubernetes`], 'write a version with its patch, such as 1.36.3');
  }
}

function ringsOf(label: string | undefined, names: string | undefined) {
  if (label === undefined && names === undefined) return undefined;
  if (label === undefined || names === undefined) throw new CommandError(['--ring-label and --rings go together'], 'name the label, and the rings in their order');
  return { label, names: [...new Set(names.split(',').map((name) => name.trim()).filter((name) => name !== ''))] };
}

/**
 * Tells which clusters are chosen.
 *
 * @param unknown names of clusters, without those that were found
 */
function selection(clusters: readonly string[], selectors: readonly string[], unknown: Set<string>) {
  const wanted = selectors.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new CommandError([`--selector ${JSON.stringify(text)} is no label with a value`], 'write KEY=VALUE');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const namesOf = (cluster: RoutedCluster) => [clusterName(cluster), clusterName({ ...cluster, managementCluster: undefined }), cluster.name];
  return (cluster: RoutedCluster, labels: ReadonlyMap<string, string>): boolean => {
    const found = namesOf(cluster).filter((name) => clusters.includes(name));
    found.forEach((name) => unknown.delete(name));
    return (clusters.length === 0 || found.length > 0) && wanted.every(([key, value]) => labels.get(key) === value);
  };
}
