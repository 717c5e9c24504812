import { capacityText } from './capacity-text';
import { HOSTS_EXPORT, readHosts, readOwn } from './read-hosts';
import { capacityChange } from '../../manifests/capacity/capacity-change';
import { CAPACITY_SHAPE, capacityJson, CapacityParts } from '../../manifests/capacity/capacity-json';
import { CapacityOptions, Loss, Rollout } from '../../manifests/capacity/capacity-model';
import { findCapacity } from '../../manifests/capacity/find-capacity';
import { findHostRoom } from '../../manifests/capacity/host-room';
import { machineHostChange, machineHostCosts } from '../../manifests/capacity/machine-host-costs';
import { PlacedPods, placedPods } from '../../manifests/capacity/pod-group';
import { costsOf, Prices, pricesIn } from '../../manifests/capacity/prices';
import { managementClusters } from '../../manifests/landscape/management-clusters';
import { ManifestState } from '../../manifests/landscape/manifest-state';
import { Remark } from '../../manifests/landscape/place';
import { byTarget } from '../../manifests/landscape/targets';
import { namesWords } from '../../manifests/plan/plan-words';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { registerProviders } from '../../manifests/systems/providers';
import { choice, readArguments } from '../arguments';
import { builtManifests } from '../build/built-manifests';
import { BUILD_HELP, BUILD_OPTION } from '../build/kustomize';
import { Command, CommandError, ExitCode } from '../command';
import { STANDARD_INPUT } from '../manifests/read-files';
import { DEFAULT_FOLDER, noteUnread, readManifests, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { stateRoot } from '../manifests/state-root';
import { committedSource } from '../plan/committed-states';
import { Surroundings } from '../surroundings';

const NAME = 'capacity';
const HOSTS_FIX = `get it with "${HOSTS_EXPORT}", or write a list: see the guide plan-capacity`;
const FORMATS = ['text', 'json'] as const;
const LOSSES: readonly Loss[] = ['none', 'host', 'zone'];
const ROLLOUTS: readonly Rollout[] = ['none', 'cluster', 'ring', 'all'];

const OPTIONS = {
  'hosts': { type: 'string', multiple: true, default: [] as string[] },
  'lose': { type: 'string', default: 'host' },
  'rollout': { type: 'string', default: 'cluster' },
  'ring-label': { type: 'string' },
  'prices': { type: 'string' },
  'against': { type: 'string' },
  'base': { type: 'string' },
  'hosts-table': { type: 'boolean', default: false },
  'format': { type: 'string', default: 'text' },
  ...STRICT_OPTION,
  ...BUILD_OPTION,
} as const;

const HELP = `cdk8s-cluster-api capacity: says whether all clusters fit on hosts at their largest, also when a host is lost

Usage: npx cdk8s-cluster-api capacity [--hosts FILE] [OPTION…] [FILE or FOLDER…]

Places what the manifests (default: ${DEFAULT_FOLDER}) declare on the hosts of a management cluster: every pool at its maximum, as the pods that its
machines are, control planes that are hosted there, and controllers. On top come the further pods of a rollout, and all of it must still
fit when a host or zone is lost. Counted are requests of CPU, memory, huge pages, devices and pods; labels, taints and tolerations; required
affinity and anti-affinity; spreads that are not "ScheduleAnyway".

  fits          a placement was found. The scheduler chooses pod by pod, and may choose another one: keep some room
  does not fit  there is no placement, and the reason is the proof
  not decided   no placement was found, and none of the proofs excludes one; or the size of some machines is not known

Each question is about a placement of all pods anew: with fragmentation, what runs already may leave less room. Volumes, ports of hosts and
NUMA nodes are not looked at. Machines that are bare metal hosts get one host each, of those among the manifests that they select,
so that pools with the same hosts do not count them twice. Machines of other infrastructures are named, and not placed.

  --hosts FILE          the hosts: Nodes as "kubectl get nodes,pods --all-namespaces --output json" prints them, with the Pods that run on
                        them; or a list of kinds of hosts, see the guide plan-capacity; may be repeated. Pods of clusters of the manifests
                        are placed anew, and others keep what they request. Not needed
                        for machines that are bare metal hosts

  --lose LOSS           what may be lost: none, host (default) or zone; each one is tried
  --rollout CLUSTERS    what rolls out at the same time: none, cluster (default): any one cluster; ring: any ring; all
  --ring-label KEY      the label of a Cluster that names its ring, for --rollout ring

  --prices FILE         prices of hosts, of bare metal hosts or of requests: what hosts and clusters cost, in the currency of the file
  --against OLD         what the change since the manifests in this file or folder costs, in hosts and in money
  --base COMMIT         the same, since this commit, as plan --base

  --hosts-table         list each host
${STRICT_HELP}
${BUILD_HELP}

  --format text         for people (default)
  --format json         for programs; the shape is below

Exit codes: 0 everything fits, 1 it does not, or that is not decided, 2 usage error, or a file that is named, or any with --strict, cannot
be read.

Examples:
  kubectl get nodes,pods --all-namespaces --output json > hosts.json
  npx cdk8s-cluster-api capacity --hosts hosts.json
  npx cdk8s-cluster-api capacity --hosts hosts.yaml --lose zone --rollout ring --ring-label example.com/ring
  npx cdk8s-cluster-api capacity --hosts hosts.yaml --prices prices.yaml --base origin/main

The shape of --format json:
  ${CAPACITY_SHAPE}
`;

/** Says whether clusters fit on hosts. */
export const CAPACITY_COMMAND: Command = {
  name: NAME,
  summary: 'say whether all clusters fit on the hosts at their largest',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS, lose: LOSSES, rollout: ROLLOUTS },
  async run(args, surroundings) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const options = optionsOf(values);
    const paths = positionals.length > 0 ? positionals : [DEFAULT_FOLDER];
    checkInputs(values, paths);
    const list = values.hosts.length > 0 ? await readHosts(values.hosts, surroundings) : { hosts: [], pods: [] };
    if (options.loss === 'zone' && list.hosts.length > 0 && new Set(list.hosts.map(({ zone }) => zone)).size < 2) {
      throw new CommandError(['--lose zone needs hosts in several zones'], 'write zone or zones into the list of hosts, or label the nodes with topology.kubernetes.io/zone');
    }
    const prices = values.prices === undefined ? undefined : await readPrices(values.prices, surroundings);
    const read = { strict: values.strict, build: !values['no-build'] };
    const declared = podsOf(await readState(paths, read, surroundings));
    if (!declared.onHosts && values.hosts.length === 0) throw new CommandError(['--hosts is missing: it names the file with the hosts'], HOSTS_FIX);
    const pods = values.hosts.length > 0 ? declared : withoutPods(declared);
    if (!pods.onHosts && pods.groups.length === 0 && pods.unplaced.every(({ isUnknown }) => !isUnknown)) {
      const kinds = [...new Set(pods.unplaced.map(({ kind }) => kind))];
      const elsewhere = kinds.length === 0 ? '' : `: machines of ${kinds.join(', ')} run elsewhere`;
      throw new CommandError([`${paths.join(', ')}: nothing needs room on the hosts of a management cluster${elsewhere}`], 'see cdk8s-cluster-api inventory');
    }
    const former = await readFormer(paths, values, read, pods, surroundings);
    surroundings.progress?.at('Placing');
    if (options.loss === 'zone' && pods.onHosts && new Set(pods.onHosts.hosts.map(({ zone }) => zone)).size < 2) {
      throw new CommandError(['--lose zone needs hosts of machines in several zones'], 'label them with their failure domains');
    }
    const room = pods.onHosts && findHostRoom(pods.onHosts, pods.clusters, options);
    const capacity = findCapacity(list, pods, options);
    const hasList = list.hosts.length > 0;
    const parts: CapacityParts = {
      ...(prices && hasList && { costs: costsOf(capacity, prices) }),
      ...(former && hasList && { change: capacityChange(list, former, pods, options, prices) }),
      ...(room && { room }),
      ...(prices && pods.onHosts && { machineCosts: machineHostCosts(pods.onHosts, prices) }),
      ...(former && (former.onHosts ?? pods.onHosts) && {
        machineChange: machineHostChange(former, pods, options, prices),
      }),
    };
    surroundings.out(format === 'json' ? `${JSON.stringify(capacityJson(capacity, parts), undefined, 2)}\n`
      : capacityText(capacity, { columns: surroundings.columns, hosts: values['hosts-table'], ...parts }));
    return capacity.verdict === 'fits' && (room?.verdict ?? 'fits') === 'fits' ? ExitCode.OK : ExitCode.FINDINGS;
  },
};

interface CapacityArguments {
  readonly 'hosts': readonly string[];
  readonly 'lose': string;
  readonly 'rollout': string;
  readonly 'ring-label'?: string;
  readonly 'prices'?: string;
  readonly 'against'?: string;
  readonly 'base'?: string;
}

function optionsOf({ lose, rollout: rolled, 'ring-label': ringLabel }: CapacityArguments): CapacityOptions {
  const [loss, rollout] = [choice('lose', lose, LOSSES), choice('rollout', rolled, ROLLOUTS)];
  if ((rollout === 'ring') !== (ringLabel !== undefined)) {
    throw new CommandError(['--rollout ring and --ring-label go together'], 'name the label of a Cluster that has the name of its ring');
  }
  return { loss, rollout, ...(ringLabel !== undefined && { ringLabel }) };
}

function checkInputs({ hosts, prices, against, base }: CapacityArguments, paths: readonly string[]): void {
  if (against !== undefined && base !== undefined) throw new CommandError(['--against and --base both name the former state'], 'leave out one of them');
  if ([...hosts, prices, against, ...paths].filter((name) => name === STANDARD_INPUT).length > 1) throw new CommandError(['standard input is named twice'], 'name a file');
}

async function readPrices(file: string, surroundings: Surroundings): Promise<Prices> {
  return readOwn('--prices', file, pricesIn, surroundings);
}

interface ReadOptions {
  readonly strict: boolean;
  readonly build: boolean;
}

async function readState(paths: readonly string[], { strict, build }: ReadOptions, surroundings: Surroundings): Promise<ManifestState> {
  const unread: Remark[] = [];
  const manifests = await readManifests(paths, surroundings, unread, { build });
  noteUnread(unread, paths, strict, surroundings);
  return { ...manifests, ...stateRoot(paths, surroundings) };
}

async function readFormer(
  paths: readonly string[], { against, base }: CapacityArguments, options: ReadOptions, now: PlacedPods, surroundings: Surroundings,
): Promise<PlacedPods | undefined> {
  if (against !== undefined) return podsOf(await readState([against], options, surroundings), now);
  if (base === undefined) return undefined;
  const [{ faults, ...built }] = await builtManifests([committedSource(paths, base, surroundings)], options.build, surroundings);
  noteUnread(faults, [], options.strict, surroundings);
  return podsOf({ ...built, ...stateRoot(paths, surroundings) }, now);
}

/** Machines that are hosts alone, with a note about everything that needs other hosts. */
function withoutPods(pods: PlacedPods): PlacedPods {
  const count = pods.groups.reduce((sum, { maximum }) => sum + maximum, 0);
  return { ...pods, groups: [], daemons: [], assumed: [], skipped: new Map(), ...(count > 0 && { unasked: count }) };
}

/**
 * The demand for room on the hosts of the management cluster of a state.
 *
 * @param now a later state, whose hosts of machines count where this one has none
 */
function podsOf(state: ManifestState, now?: PlacedPods): PlacedPods {
  registerProviders();
  const several = managementClusters([state]).flatMap(({ name }) => name ?? []);
  if (several.length > 1) {
    throw new CommandError([`these are the manifests of several management clusters: ${namesWords(several)}`], 'name the folder of one of them, and its hosts');
  }
  const own = byTarget(state.objects).get(undefined) ?? [];
  const objects = own.map(({ object }) => object);
  const placed = placedPods(new ManifestIndex(objects));
  return placed.onHosts || !now?.onHosts ? placed : placedPods(new ManifestIndex([...objects, ...now.onHosts.objects]));
}
