import { Demands } from '../../../src/manifests/capacity/demand';
import { neededHosts } from '../../../src/manifests/capacity/find-capacity';
import { countedAmounts, PODS } from '../../../src/manifests/capacity/host';
import { hostsIn } from '../../../src/manifests/capacity/hosts-file';
import { PlacedPods, PodGroup } from '../../../src/manifests/capacity/pod-group';
import { Simulation, takenOn } from '../../../src/manifests/capacity/simulation';
import { isSet } from '../../../src/manifests/values/fields';
import { amountsOf } from '../../../src/manifests/values/quantity';
import { Random } from '../random';

/** Nodes and pods of a namespace, and the verdict on them. */
export interface CapacityCase {
  /** Its namespace, and the value of the label `case` of its nodes. */
  readonly name: string;
  readonly nodes: readonly object[];

  /** Pods in their order; of a placement, each prefers the host that it has there. */
  readonly pods: readonly object[];
  readonly verdict: string;

  /** By the name of a pod, its host in the placement; only of cases that play one. */
  readonly hosts?: Readonly<Record<string, string>>;

  /** True if everything fits in any order: no pod minds others, and each may run on a host that has room for all of them. */
  readonly isAmple: boolean;
}

/** Pods, and the number of nodes like one that they need, all of which are alike. */
export interface EstimateCase {
  readonly name: string;
  readonly node: object;
  readonly pods: readonly object[];

  /** More nodes than this are not tried. */
  readonly limit: number;

  /** The nodes that are needed; undefined if no number suffices. */
  readonly needed?: number;

  /** The same with one more that is lost. */
  readonly withLoss?: number;

  /** True if pods mind others, or where these are. */
  readonly isBound: boolean;
}

/** Most nodes of a question: more than there are pods. */
const MOST_NODES = 60;

const ZONES = ['a', 'b', 'c'];
const TOPOLOGY_KEYS = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

/** Cases that are the same for a seed. Those that fit come a second time, with the placement that was found. */
export function capacityCases(seed: string, count: number): CapacityCase[] {
  return Array.from({ length: count }, (_, index) => new Generator(new Random(`${seed}/${index}`)).case(`case-${index}`)).flat();
}

/** Questions for nodes of one kind, which are the same for a seed. */
export function estimateCases(seed: string, count: number): EstimateCase[] {
  return Array.from({ length: count }, (_, index) => new Generator(new Random(`${seed}/${index}`)).estimate(`estimate-${index}`));
}

class Generator {
  public constructor(private readonly random: Random) {}

  public case(name: string): CapacityCase[] {
    const hosts = Array.from({ length: 2 + this.random.below(5) }, (_, index) => this.node(index));
    const templates = Array.from({ length: 1 + this.random.below(4) }, (_, index) => this.pod(`pool-${index}`));
    const { verdict, hosts: found, isAmple } = judged(name, hosts, templates);
    const free = { name, nodes: nodesOf(name, hosts), pods: podsOf(name, templates), verdict, isAmple };
    if (verdict !== 'fits') return [free];
    const played = `${name}-played`;
    const placed = found.map(({ template, host, count }, part) => podsOf(played, [{ ...templates[template], count }], part, `${played}-${host}`));
    const places = placed.flatMap((pods, part) => pods.map(({ metadata }) => [metadata.name, `${played}-${found[part].host}`]));
    return [free, { ...free, name: played, nodes: nodesOf(played, hosts), pods: placed.flat(), isAmple: false, hosts: Object.fromEntries(places) }];
  }

  public estimate(name: string): EstimateCase {
    // Most pods can be placed on it: what is asked for is a number.
    const node: NodeDraft = { ...this.node(0), labels: { disk: this.random.pick(['ssd', 'nvme']) }, ...(this.random.chance(0.9) && { taints: [] }) };
    const templates = Array.from({ length: 1 + this.random.below(5) }, (_, index) => this.pod(`pool-${index}`));
    const [object] = nodesOf(name, [node]);
    const needed = (loss: 'none' | 'host') => neededHosts({ ...hostsIn([object]), pods: [] }, kindOf(object), placedPods(name, templates), { loss, rollout: 'none' });
    const [without, withLoss] = [needed('none'), needed('host')];
    return {
      name,
      node: object,
      pods: podsOf(name, templates),
      limit: MOST_NODES,
      ...(without !== undefined && { needed: without }),
      ...(withLoss !== undefined && { withLoss }),
      isBound: templates.some(({ spec }) => isSet(spec, 'affinity', 'podAffinity') || isSet(spec, 'affinity', 'podAntiAffinity') || isSet(spec, 'topologySpreadConstraints')),
    };
  }

  private node(index: number): NodeDraft {
    const scale = this.random.chance(0.4) ? 8 : 1;
    return {
      name: `h${index}`,
      ...(this.random.chance(0.85) && { zone: this.random.pick(ZONES) }),
      labels: this.random.chance(0.4) ? { disk: this.random.pick(['ssd', 'nvme']) } : {},
      taints: this.random.chance(0.25) ? [{ key: 'only', value: 'gpu', effect: this.random.pick(['NoSchedule', 'NoExecute']) }] : [],
      allocatable: {
        cpu: `${(2 + this.random.below(14)) * scale}`,
        memory: `${(4 + this.random.below(28)) * scale}Gi`,
        pods: `${3 + this.random.below(40)}`,
        ...(this.random.chance(0.4) && { 'example.com/gpu': `${1 + this.random.below(4)}` }),
      },
    };
  }

  private pod(name: string): PodDraft {
    const chance = (probability: number, fields: () => object) => (this.random.chance(probability) ? fields() : {});
    const selector = { matchLabels: { pool: this.random.chance(0.8) ? name : 'pool-0' } };
    const topologyKey = this.random.pick(TOPOLOGY_KEYS);
    const required = (term: object) => ({ requiredDuringSchedulingIgnoredDuringExecution: [term] });
    const rules = this.random.below(8);
    return {
      name,
      count: 1 + this.random.below(6),
      requests: {
        cpu: `${1 + this.random.below(30)}00m`,
        memory: `${1 + this.random.below(10)}${this.random.pick(['00Mi', 'Gi'])}`,
        ...(this.random.chance(0.15) && { 'example.com/gpu': '1' }),
      },
      spec: {
        ...chance(0.15, () => ({ nodeSelector: { disk: this.random.pick(['ssd', 'nvme']) } })),
        ...chance(0.4, () => ({ tolerations: [this.random.pick([{ operator: 'Exists' }, { key: 'only', value: 'gpu' }, { key: 'only', value: 'gpu', effect: 'NoSchedule' }])] })),
        ...(rules === 0 && { affinity: { podAntiAffinity: required({ topologyKey, labelSelector: selector }) } }),
        ...(rules === 1 && { affinity: { podAffinity: required({ topologyKey, labelSelector: selector }) } }),
        ...(rules === 2 && {
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: this.random.pick(['In', 'NotIn']), values: ['ssd'] }] }] } } },
        }),
        ...([3, 4].includes(rules) && {
          topologySpreadConstraints: (this.random.chance(0.4) ? TOPOLOGY_KEYS : [topologyKey]).map((key) => ({
            maxSkew: 1 + this.random.below(2),
            topologyKey: key,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: selector,
            ...chance(0.3, () => ({ minDomains: 2 })),
            ...chance(0.5, () => ({ nodeTaintsPolicy: 'Honor' })),
          })),
        }),
      },
    };
  }
}

interface NodeDraft {
  readonly name: string;
  readonly zone?: string;
  readonly labels: object;
  readonly taints: readonly object[];
  readonly allocatable: Readonly<Record<string, string>>;
}

/** A pod, as far as it is asked for here. */
interface PlacedPod {
  readonly metadata: { readonly name: string };
}

interface PodDraft {
  readonly name: string;
  readonly count: number;
  readonly requests: Readonly<Record<string, string>>;
  readonly spec: { readonly affinity?: object; readonly nodeSelector?: object; readonly [field: string]: unknown };
}

/** Nodes of a case: other cases have others. */
function nodesOf(name: string, drafts: readonly NodeDraft[]): object[] {
  return drafts.map(({ name: own, zone, labels, taints, allocatable }) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `${name}-${own}`,
      labels: { 'case': name, 'kubernetes.io/hostname': `${name}-${own}`, ...(zone !== undefined && { 'topology.kubernetes.io/zone': `${name}-${zone}` }), ...labels },
    },
    spec: { taints },
    status: { allocatable, capacity: allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
}

/**
 * Pods of a case, in the order of their pools.
 *
 * @param part a number that sets them apart from others of the same pool
 * @param host the host that they prefer before everything else
 */
function podsOf(name: string, drafts: readonly PodDraft[], part = 0, host?: string): PlacedPod[] {
  return drafts.flatMap(({ name: pool, count, requests, spec }) => Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${pool}-${part}-${index}`, namespace: name, labels: { pool } },
    spec: { ...placedSpec(name, spec, host), containers: [{ name: 'a', image: 'a', resources: { requests, limits: devicesOf(requests) } }] },
  })));
}

function placedSpec(name: string, spec: PodDraft['spec'], host: string | undefined): object {
  const own = { ...spec, nodeSelector: { ...spec.nodeSelector, case: name } };
  if (host === undefined) return own;
  const affinity = spec.affinity as { nodeAffinity?: object } | undefined;
  const preference = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [host] }] };
  const nodeAffinity = { ...affinity?.nodeAffinity, preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
  return { ...own, affinity: { ...affinity, nodeAffinity } };
}

function devicesOf(requests: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes('/')));
}

function kindOf(node: object): string {
  return hostsIn([node]).hosts[0].kind;
}

/** Pods of a case, as capacity has them. */
function placedPods(name: string, drafts: readonly PodDraft[]): PlacedPods {
  const groups = drafts.map((draft): PodGroup => ({
    what: draft.name,
    use: 'machine',
    namespace: name,
    minimum: 0,
    maximum: draft.count,
    surge: 0,
    requests: new Map([...countedAmounts(amountsOf(draft.requests)), [PODS, 1]]),
    scheduling: { labels: { pool: draft.name }, fields: placedSpec(name, draft.spec, undefined) },
  }));
  return { groups, daemons: [], unplaced: [], clusters: new Map(), assumed: [] };
}

/** The verdict, and the placement in its order. */
function judged(name: string, nodes: readonly NodeDraft[], drafts: readonly PodDraft[]) {
  const { hosts } = hostsIn(nodesOf(name, nodes));
  const pods = placedPods(name, drafts);
  const { groups } = pods;
  const simulation = new Simulation(hosts, pods, takenOn(hosts, []), { loss: 'none', rollout: 'none' });
  const [{ verdict }] = simulation.scenarios();
  const { placement } = simulation;
  const found = placement.placed.map(({ host, demand, count }) => ({ template: groups.indexOf(demand.group), host: nodes[host].name, count }));
  const finder = new Demands(hosts);
  const all = (resource: string) => groups.reduce((sum, { requests, maximum }) => sum + (requests.get(resource) ?? 0) * maximum, 0);
  const holdsAll = (host: number) => [...new Set(groups.flatMap(({ requests }) => [...requests.keys()]))]
    .every((resource) => all(resource) <= (hosts[host].allocatable.get(resource) ?? 0));
  const isAmple = groups.map((group) => finder.of(group)).every(({ isFree, eligibility }) => isFree && eligibility.hosts.some(holdsAll));
  return { verdict, hosts: found, isAmple };
}
