import { Construct } from 'constructs';
import { checkPlacement } from './data-store-placement';
import { isInDefaultNamespace } from './fixed-values';
import { FleetCluster } from './fleet-cluster';
import { asked, checkAskedValues, checkUnused, FleetPlan, isSound, PlannedCluster } from './fleet-plan';
import { FleetProps } from './fleet-props';
import { FleetSelector, isSelected } from './fleet-selector';
import { checkGatedRings, gatedRings, hasGates, MadeCluster } from './gated-rings';
import { checkManagementPlacement } from './management-cluster-placement';
import { checkAddresses, checkRanges, ClusterRange } from './shared-addresses';
import { Cidr } from '../../../manifests/values/cidr';
import { formatProblem, Problem } from '../../../manifests/values/problem';
import { closedList } from '../../app/arguments/closed-list';
import { Problems } from '../../app/problems/problems';
import { needsOf } from '../../tenant/isolation/management-limits';
import { TenantCluster } from '../../tenant/tenant-cluster';
import { gateRings } from '../rollout-steps';

/**
 * Many tenant clusters from one list.
 *
 * Each entry of the list names a profile, which defines the cluster, and a ring, which sets its Kubernetes version. Each cluster is a
 * `TenantCluster`. The fleet checks the clusters against each other: names, ranges of clusters in one network, and addresses of API
 * servers. The `totalLimit` of the management cluster, if the profiles name one, checks their total size.
 *
 * Neither the order of the list nor the id of the construct affects the output.
 *
 * @example
 * new Fleet(app, 'fleet', {
 *   clusters: ClusterList.fromFile('clusters.csv'),
 *   profiles: {
 *     standard: {
 *       props: () => ({
 *         controlPlane: new KamajiControlPlane({ replicas: 2 }),
 *         infrastructure: new KubevirtInfrastructure(),
 *         cni: new Cilium(),
 *         delivery: new FluxDelivery(),
 *       }),
 *       populate: (tenant) => tenant.addAddon(new MetricsServer()),
 *     },
 *   },
 *   rings: [{ name: 'canary', kubernetesVersion: '1.36.1' }, { name: 'main', kubernetesVersion: '1.35.4' }],
 * });
 */
export class Fleet extends Construct {
  /** Clusters by their plan; undefined for a plan with problems. */
  private readonly tenants: ReadonlyMap<PlannedCluster, TenantCluster | undefined>;
  private readonly plan: FleetPlan;

  public constructor(scope: Construct, id: string, props: FleetProps) {
    super(scope, id);
    this.plan = new FleetPlan(props);
    const problems = Problems.of(this);
    this.plan.problems.forEach((problem) => problems.add(problem));
    this.tenants = new Map(this.plan.clusters.map((planned) => [planned, this.make(planned)]));
    if (hasGates(props.rings)) gateRings(this, gatedRings(props.rings!, this.made));
    problems._addCheck(() => this.check(props));
  }

  /** The clusters, in the order of the list. */
  public get clusters(): TenantCluster[] {
    return closedList(this, 'clusters', this.tenantsOf(() => true), 'add to the clusters of the constructor');
  }

  /**
   * Returns a cluster by its name.
   *
   * @param name its name
   * @param namespace its namespace; required if clusters of several namespaces have the name
   * @throws if the cluster does not exist
   */
  public cluster(name: string, namespace?: string): TenantCluster {
    const found = this.tenantsOf((cluster) => cluster.name === name && (namespace ?? cluster.namespace) === cluster.namespace);
    if (found.length === 1) return found[0];
    if (found.length > 1) throw new Error(`the fleet has clusters "${name}" in the namespaces ${found.map((tenant) => tenant.namespace).join(', ')}: say which one`);
    const reasons = this.plan.problems.filter(({ rule }) => rule.warning !== true).map((problem) => `\n  ${formatProblem(problem)}`);
    throw new Error(`the fleet has no cluster "${namespace === undefined ? name : `${namespace}/${name}`}"${reasons.length > 0 ? `; it has problems:${reasons.join('')}` : ''}`);
  }

  /**
   * Returns the clusters that match a selector, in the order of the list.
   *
   * @param selector the selector
   */
  public select(selector: FleetSelector): TenantCluster[] {
    return this.tenantsOf((cluster) => isSelected(selector, cluster));
  }

  private tenantsOf(isWanted: (cluster: FleetCluster) => boolean): TenantCluster[] {
    return this.plan.clusters.filter(({ cluster }) => isWanted(cluster)).flatMap((planned) => this.tenants.get(planned) ?? []);
  }

  /** The clusters that could be made. */
  private get made(): MadeCluster[] {
    return [...this.tenants].flatMap(([planned, tenant]) => (tenant ? [{ planned, tenant }] : []));
  }

  /** Creates a cluster. No other place turns an entry of the list into objects. */
  private make(planned: PlannedCluster): TenantCluster | undefined {
    const { cluster, profile, props } = planned;
    if (props === undefined) return undefined;
    const id = isInDefaultNamespace(cluster) ? cluster.name : `${cluster.namespace}.${cluster.name}`;
    const tenant = asked(cluster, () => new TenantCluster(this, id, props));
    if (!tenant) return undefined;
    asked(cluster, () => profile.populate(tenant, cluster));
    // Problems that follow from placeholders are not reported: their cause already is, and nothing is written.
    if (!isSound(planned)) this.node.tryRemoveChild(id);
    return tenant;
  }

  /** The largest need of a cluster in its management cluster; none if it could not be made. */
  private needsOf(planned: PlannedCluster): (resource: string) => bigint {
    const chart = this.tenants.get(planned);
    if (!chart) return () => 0n;
    const needs = needsOf({ chart, context: chart._context, isolation: planned.props?.isolation });
    return (resource) => needs(resource).amount;
  }

  /** Checks that need all profiles to have run. They read the declarations, not the built objects. */
  private check({ rings = [], ignoredValues = [], servicesRouted = true }: FleetProps): Problem[] {
    const { clusters, shared } = this.plan;
    const all = clusters.map(({ cluster }) => cluster);
    const sound = clusters.filter(isSound);
    const askedForAll = sound.length === clusters.length && clusters.every((planned) => this.tenants.get(planned));
    return [
      ...checkAskedValues(all),
      ...checkPlacement(all),
      ...checkManagementPlacement(all, (cluster) => this.needsOf(clusters.find((planned) => planned.cluster === cluster)!)),
      ...[...rangesByNetwork(sound, servicesRouted)].flatMap(([network, ranges]) => checkRanges(network, ranges)),
      ...checkAddresses(sound.map(({ cluster, context }) => ({ cluster, published: context?.apiServer.published }))),
      ...(askedForAll ? [...checkUnused(all, shared, ignoredValues), ...checkGatedRings(this, rings, this.made)] : []),
    ];
  }
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
