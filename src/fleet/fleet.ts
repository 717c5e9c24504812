import { Construct } from 'constructs';
import { isInDefaultNamespace } from './fixed-values';
import { FleetCluster } from './fleet-cluster';
import { asked, FleetPlan } from './fleet-plan';
import { FleetProps } from './fleet-props';
import { FleetSelector, isSelected } from './fleet-selector';
import { isSound, PlannedCluster } from './planned-cluster';
import { checkAddresses } from './shared-addresses';
import { checkRanges, ClusterRange } from './shared-ranges';
import { checkAskedValues, checkUnused } from './value-checks';
import { inShard } from '../gitops/shard';
import { Cidr } from '../network/cidr';
import { TenantCluster } from '../tenant-cluster/tenant-cluster';
import { formatProblem, Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/**
 * Many tenant clusters, from one list.
 *
 * Each entry of the list names a profile, which says what the cluster is like, and a ring, which says its Kubernetes version. Each cluster is a
 * `TenantCluster` like any other. What only all of them tell together is checked here: names, ranges of clusters that are routed together,
 * addresses of API servers; that all fit into the management cluster is checked by its `totalLimit`, if the profiles name one.
 *
 * The order of the list decides nothing that is written.
 */
export class Fleet extends Construct {
  private readonly built = new Map<PlannedCluster, TenantCluster | undefined>();
  private readonly plan: FleetPlan;

  /**
   * @param scope the app, or a construct in it
   * @param id name of the construct: clusters are named without it
   * @param props the clusters and how they are made
   */
  public constructor(scope: Construct, id: string, props: FleetProps) {
    super(scope, id);
    this.plan = new FleetPlan(props);
    const problems = Problems.of(this);
    this.plan.problems.forEach((problem) => problems.add(problem));
    neededHere(this.plan.clusters, this).forEach((planned) => this.build(planned));
    problems._addCheck(() => this.check(props));
  }

  /** The clusters, in the order of the list. */
  public get clusters(): TenantCluster[] {
    return this.buildAll(() => true);
  }

  /**
   * One of the clusters.
   *
   * @param name its name
   * @param namespace its namespace, which can be left out where no other one has a cluster of the name
   * @throws if there is none
   */
  public cluster(name: string, namespace?: string): TenantCluster {
    const found = this.buildAll((cluster) => cluster.name === name && (namespace ?? cluster.namespace) === cluster.namespace);
    if (found.length === 1) return found[0];
    if (found.length > 1) throw new Error(`the fleet has clusters "${name}" in the namespaces ${found.map((tenant) => tenant.namespace).join(', ')}: say which one`);
    const reasons = this.plan.problems.filter(({ rule }) => rule.warning !== true).map((problem) => `\n  ${formatProblem(problem)}`);
    throw new Error(`the fleet has no cluster "${namespace === undefined ? name : `${namespace}/${name}`}"${reasons.length > 0 ? `; it has problems:${reasons.join('')}` : ''}`);
  }

  /**
   * Some of the clusters, in the order of the list.
   *
   * @param selector which ones
   */
  public select(selector: FleetSelector): TenantCluster[] {
    return this.buildAll((cluster) => isSelected(selector, cluster));
  }

  /** Clusters in the order of the list; what a part of the output has no need of is built when somebody asks for it. */
  private buildAll(isWanted: (cluster: FleetCluster) => boolean): TenantCluster[] {
    return this.plan.clusters.filter(({ cluster }) => isWanted(cluster)).flatMap((planned) => this.build(planned) ?? []);
  }

  private build(planned: PlannedCluster): TenantCluster | undefined {
    if (!this.built.has(planned)) this.built.set(planned, this.make(planned));
    return this.built.get(planned);
  }

  /** Makes a cluster: the only place where one of the list becomes objects. */
  private make(planned: PlannedCluster): TenantCluster | undefined {
    const { cluster, profile, props } = planned;
    if (props === undefined) return undefined;
    const id = isInDefaultNamespace(cluster) ? cluster.name : `${cluster.namespace}.${cluster.name}`;
    const tenant = asked(cluster, () => new TenantCluster(this, id, props));
    if (!tenant) return undefined;
    asked(cluster, () => profile.populate(tenant, cluster));
    // What follows from placeholders is nobody's mistake; what they stand for is reported, and nothing is written.
    if (!isSound(planned)) this.node.tryRemoveChild(id);
    return tenant;
  }

  /** What is known only when profiles have been asked for everything. It looks at what is declared, not at what is built. */
  private check({ ignoredValues = [], servicesRouted = true }: FleetProps): Problem[] {
    const { clusters, shared } = this.plan;
    const all = clusters.map(({ cluster }) => cluster);
    const sound = clusters.filter(isSound);
    const askedForAll = sound.length === clusters.length && clusters.every((planned) => this.built.get(planned));
    return [
      ...checkAskedValues(all),
      ...[...rangesByNetwork(sound, servicesRouted)].flatMap(([network, ranges]) => checkRanges(network, ranges)),
      ...checkAddresses(sound.map(({ cluster, context }) => ({ cluster, published: context?.apiServer.published }))),
      ...(askedForAll ? checkUnused(all, shared, ignoredValues) : []),
    ];
  }
}

/** The clusters that this process has to build, where several write an app: those of one namespace together, since one may refer to another. */
function neededHere(clusters: readonly PlannedCluster[], scope: Construct): PlannedCluster[] {
  const ours = clusters.filter(({ cluster }) => inShard(cluster.namespace, cluster.name, scope));
  const namespaces = new Set(ours.map(({ cluster }) => cluster.namespace));
  return clusters.filter(({ cluster }) => namespaces.has(cluster.namespace));
}

function rangesByNetwork(clusters: readonly PlannedCluster[], servicesRouted: boolean): Map<string, ClusterRange<FleetCluster>[]> {
  const networks = new Map<string, ClusterRange<FleetCluster>[]>();
  for (const { cluster, context } of clusters) {
    if (cluster.network === undefined || context === undefined) continue;
    const { podCidrs, serviceCidrs } = context.network;
    const ranges = networks.get(cluster.network) ?? [];
    networks.set(cluster.network, ranges);
    const add = (what: string, texts: readonly string[]) => texts.forEach((text) => {
      const range = Cidr.parse(text);
      if (range) ranges.push({ owner: cluster, what, range });
    });
    add('pods', podCidrs);
    if (servicesRouted) add('Services', serviceCidrs);
  }
  return networks;
}
