import * as path from 'node:path';
import { withRoomChecked } from '../../manifests/capacity/move-room';
import { managementClusters } from '../../manifests/landscape/management-clusters';
import { clusterMove, clustersOf, SideManifests } from '../../manifests/move/cluster-move';
import { ClusterMove, NamedCluster } from '../../manifests/move/move-model';
import { moveText } from '../../manifests/move/move-text';
import { clusterName, namesWords } from '../../manifests/plan/plan-words';
import { checkDnsSubdomain } from '../../manifests/values/dns';
import { choice, readArguments } from '../arguments';
import { readHosts } from '../capacity/read-hosts';
import { Command, CommandError, ExitCode } from '../command';
import { noteUnread, readManifests, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { stateRoot } from '../manifests/state-root';
import { Surroundings } from '../surroundings';

const NAME = 'move';
const FORMATS = ['text', 'json'] as const;

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  hosts: { type: 'string', multiple: true, default: [] as string[] },
  format: { type: 'string', default: 'text' },
  ...STRICT_OPTION,
} as const;

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

const SHAPE = `{ "version": 1, "cluster": { "namespace"?, "name" }, "from", "to", "obstacles": [{ "message", "fix" }], "lookups": [TEXT],
    "objects": [OBJECT], "steps": [STEP] }
  OBJECT is { "kind": "GROUP/KIND", "namespace"?, "name", "by": "clusterctl", "label", "copy" or "delivery", "why"? }
  STEP is { "step": "commit" or "commands", "title", "changes": [TEXT], "commands": [TEXT], "back": TEXT }`;

const HELP = `cdk8s-cluster-api move: lists the steps that move a cluster to another management cluster

Usage: npx cdk8s-cluster-api move --from FOLDER --to FOLDER [OPTION…] CLUSTER

Reads the manifests of both management clusters, and no cluster. It says what cannot move and what to do instead: machines and volumes of
the management cluster itself, data stores and addresses of one side, names that are taken, releases that are older. Of what moves it says
how each object goes: by "clusterctl move" itself, with a label, as a copy, or by the repository. The steps are commits and commands in
their order, each with its way back. It runs none of them.

  --from FOLDER         the manifests of the management cluster that has the cluster
  --to FOLDER           the manifests of the other one; the names of both folders are those of contexts of kubectl in the commands; of
                        hall-a/dist and hall-b/dist, hall-a and hall-b

  --hosts FILE          the hosts of the management cluster that it moves to, as capacity reads them: its clusters must have room on
                        them with this one, at their largest, with a rollout of one cluster, and after the loss of a host; may be
                        repeated

${STRICT_HELP}

  --format text         for people (default)
  --format json         for programs; the shape is below

CLUSTER is "name" or "namespace/name". "clusterctl move" takes all clusters of its namespace.

Exit codes: 0 the cluster can move, 1 it cannot as it is, 2 usage error, or a file that is named, or any with --strict, cannot be read.

Examples:
  npx cdk8s-cluster-api move --from dist/hall-a --to dist/hall-b tenant-acme/acme
  npx cdk8s-cluster-api move --from dist/hall-a --to dist/hall-b --hosts hall-b.json tenant-acme/acme

The shape of --format json:
  ${SHAPE}
`;

/** Lists the steps that move a cluster to another management cluster. */
export const MOVE_COMMAND: Command = {
  name: NAME,
  summary: 'list the steps that move a cluster to another management cluster',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  async run(args, surroundings) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const [wanted, ...more] = positionals;
    if (wanted === undefined || more.length > 0) throw new CommandError(['move needs the name of one cluster'], 'name it, such as tenant-acme/acme');
    const sides: readonly string[] = [side('from', values.from), side('to', values.to)];
    const names = sideNames(sides, surroundings);
    const from = await readSide(sides[0], names[0], values.strict, surroundings);
    const to = await readSide(sides[1], names[1], values.strict, surroundings);
    const hosts = values.hosts.length === 0 ? undefined : await readHosts(values.hosts, surroundings);
    surroundings.progress?.at('Comparing');
    const found = clusterMove(from, to, chosen(from, wanted));
    const move = hosts ? withRoomChecked(found, { from, to }, hosts) : found;
    surroundings.out(printed(move, format, surroundings));
    return move.obstacles.length === 0 ? ExitCode.OK : ExitCode.FINDINGS;
  },
};

function side(option: string, folder: string | undefined): string {
  if (folder === undefined) throw new CommandError([`move needs the manifests of two management clusters, and --${option} is missing`], 'name both folders: --from dist/hall-a --to dist/hall-b');
  return folder;
}

/** Names of the two sides: the last parts of their paths in which they differ, such as `hall-a` and `hall-b` of `hall-a/dist` and `hall-b/dist`. */
function sideNames(folders: readonly string[], { cwd }: Surroundings): readonly string[] {
  const paths = folders.map((folder) => path.resolve(cwd, folder).split(path.sep).reverse());
  const place = paths[0].findIndex((part, index) => part !== paths[1][index]);
  const names = paths.map((parts) => parts[place]);
  if (names.every((name) => name !== undefined && name !== '')) return names;
  throw new CommandError([`no part of the paths ${folders.join(' and ')} tells the management clusters apart`], 'name the folders of two management clusters, which are called as their contexts of kubectl');
}

async function readSide(folder: string, name: string, strict: boolean, surroundings: Surroundings): Promise<SideManifests> {
  const unread: Parameters<typeof noteUnread>[0][number][] = [];
  const { objects } = await readManifests([folder], surroundings, unread);
  noteUnread(unread, [folder], strict, surroundings);
  if (objects.length === 0) throw new CommandError([`${folder} has no manifests`], 'name the folder that the management cluster applies');
  const several = managementClusters([{ ...stateRoot([folder], surroundings), objects }]).flatMap((one) => one.name ?? []);
  if (several.length > 1) throw new CommandError([`${folder} has the manifests of several management clusters: ${several.join(', ')}`], 'name the folder of one of them');
  return { name, objects };
}

/** The cluster of that name, which commands have in them. */
function chosen(from: SideManifests, wanted: string): NamedCluster {
  const all = clustersOf(from);
  const found = all.filter((cluster) => clusterName(cluster) === wanted || cluster.name === wanted);
  if (found.length === 0) {
    throw new CommandError([`there is no cluster ${wanted} in the manifests of ${from.name}`], all.length === 0 ? 'see cdk8s-cluster-api inventory' : `clusters there: ${namesWords(all.map(clusterName))}`);
  }
  if (found.length > 1) throw new CommandError([`${from.name} has several clusters ${wanted}`], `write one of ${namesWords(found.map(clusterName))}`);
  const [{ namespace, name }] = found;
  if (namespace === undefined) throw new CommandError([`the Cluster ${name} has no namespace in the manifests of ${from.name}`], 'write metadata.namespace, into its other objects as well: a move is one of a namespace');
  const fault = checkDnsSubdomain(name) ?? checkDnsSubdomain(namespace);
  if (fault !== undefined) throw new CommandError([`no server accepts the name of the cluster: ${fault}`], 'write another name');
  return found[0];
}

function printed(move: ClusterMove, format: typeof FORMATS[number], { columns }: Surroundings): string {
  return format === 'json' ? `${JSON.stringify({ version: VERSION, ...move }, undefined, 2)}\n` : moveText(move, columns);
}
