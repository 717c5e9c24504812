import { ClusterState, clusterState, formerState, objectOf, shortName } from './cluster-state';
import { failure, listWords, mismatchLine, missingLines, shownValue } from './failure';
import { PoolAssertions } from './pool-assertions';
import { SubjectAssertions } from './subject-assertions';
import { writtenFiles } from './written-files';
import { Addon, Cluster } from '../../manifests/landscape/cluster-model';
import { ManifestFile, ReadObject, StateReader } from '../../manifests/landscape/placed-objects';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { manifestsText } from '../../manifests/objects/yaml/manifests-text';
import { ChangeKind, PartKind, PlannedPart } from '../../manifests/plan/plan-model';
import { planObjects } from '../../manifests/plan/plan-objects';
import { clusterName, partLines, partName } from '../../manifests/plan/plan-words';
import { Effect } from '../../manifests/rules/changes/effects';
import { deliveryFacts } from '../../manifests/systems/providers';
import { parseSemanticVersion } from '../../manifests/values/semantic-version';
import { clusterPath } from '../app/synth/output-place';
import { TenantCluster } from '../tenant/tenant-cluster';

/** Expectations of a test for an addon. */
export interface ExpectedAddon {
  /**
   * The version of its chart, with or without a leading `v`, e.g. `v1.21.1`.
   *
   * @default - any
   */
  readonly version?: string;

  /**
   * The namespace of the tenant cluster that it is installed into.
   *
   * @default - any
   */
  readonly namespace?: string;
}

/**
 * Assertions about a tenant cluster, for the user's own tests: its Kubernetes version, pools, addons and rights, and the effect of a change
 * on machines. They read the manifests that the cluster writes, and no cluster.
 *
 * An assertion that fails throws an `Error` with the object, the expected and the found value, which works in every test runner.
 *
 * Rule: `TC-TESTING-ASSERTION`.
 *
 * @example
 * const assertions = testing.ClusterAssertions.of(acme);
 *
 * assertions.hasKubernetesVersion('1.34');
 * assertions.pool('general').hasMachine({ cpu: 4, memory: Size.gibibytes(16) });
 * assertions.hasAddon('cert-manager', { namespace: 'cert-manager' });
 * assertions.hasNoAddon('ingress-nginx');
 */
export class ClusterAssertions {
  /**
   * Reads the present manifests of a cluster: later additions to the cluster are not seen. Throws an error if synthesis would refuse the
   * cluster.
   *
   * @param cluster a tenant cluster, such as a blueprint
   */
  public static of(cluster: TenantCluster): ClusterAssertions {
    return new ClusterAssertions(cluster);
  }

  private readonly id: string;
  private readonly folder: string;
  private readonly files: readonly ManifestFile[];
  private readonly state: ClusterState;

  /** The objects of the management cluster. */
  private readonly management: readonly ManifestObject[];

  private constructor(tenant: TenantCluster) {
    const { name, namespace = '' } = tenant;
    this.id = `${namespace}/${name}`;
    this.folder = clusterPath({ namespace, name });
    const own = `${this.folder}/cluster.yaml`;
    this.files = writtenFiles(tenant, own)
      .map(({ path, manifests }) => ({ file: path, bytes: Buffer.from(manifestsText(manifests)) }));
    const { objects } = new StateReader().read(this.files);
    this.state = clusterState(objects, this.id);
    this.management = objects.filter(({ pack, place }) => !pack && place.file === own).map(({ object }) => object);
  }

  /**
   * Checks that the cluster and all of its pools run a version of Kubernetes.
   *
   * @param version a release or a minor version, with or without a leading `v`, e.g. `1.34.1` or `1.34`
   */
  public hasKubernetesVersion(version: string): void {
    const wrong = versionsOf(this.cluster).filter(({ version: found }) => found === undefined || !isVersion(found, version));
    if (wrong.length === 0) return;
    const lines = wrong.map(({ part, version: found }) => mismatchLine({ what: part, expected: version, found: found ?? 'none' }));
    throw failure({ subject: `${this.id} Kubernetes version`, lines });
  }

  /**
   * A pool of the cluster. Throws an error if the cluster has no such pool.
   *
   * @param name name of the pool, as in `addNodePool`
   */
  public pool(name: string): PoolAssertions {
    const { cluster } = this;
    const pool = cluster.pools.find((one) => one.name === `${cluster.name}-${name}`) ?? cluster.pools.find((one) => one.name === name);
    if (pool) return PoolAssertions._of(`${this.id} pool ${name}`, pool, this.state.objects, cluster.namespace);
    const names = cluster.pools.map((one) => shortName(one.name, cluster));
    throw failure({ subject: this.id, lines: missingLines('pool', name, names) });
  }

  /**
   * Checks that the cluster has exactly these pools, in any order.
   *
   * @param names names of the pools, as in `addNodePool`
   */
  public hasPools(names: string[]): void {
    const { cluster } = this;
    const found = cluster.pools.map((pool) => shortName(pool.name, cluster)).sort();
    const expected = [...new Set(names)].sort();
    if (found.join('\n') === expected.join('\n')) return;
    throw failure({ subject: this.id, lines: [mismatchLine({ what: 'pools', expected: listWords(expected), found: listWords(found) })] });
  }

  /**
   * Checks that an addon is delivered to the cluster.
   *
   * @param name name of the addon, or of its chart, e.g. `cert-manager`
   * @param expected further expectations
   */
  public hasAddon(name: string, expected: ExpectedAddon = {}): void {
    const addon = findAddon(this.cluster, name);
    if (!addon) {
      const names = this.cluster.addons.map((one) => shortName(one.name, this.cluster));
      throw failure({ subject: this.id, lines: missingLines('addon', name, names) });
    }
    const lines = addonFaults(addon, expected);
    if (lines.length > 0) throw failure({ subject: `${this.id} addon ${name}`, lines, objects: [objectOf(this.state.objects, addon)] });
  }

  /**
   * Checks that an addon is not delivered to the cluster.
   *
   * @param name name of the addon, or of its chart, e.g. `ingress-nginx`
   */
  public hasNoAddon(name: string): void {
    const addon = findAddon(this.cluster, name);
    if (!addon) return;
    throw failure({ subject: this.id, lines: [`has the addon ${name}`], objects: [objectOf(this.state.objects, addon)] });
  }

  /**
   * The rights of a ServiceAccount of the tenant's namespace in the management cluster, such as that of the CSI driver. Throws an error if the
   * cluster writes no such ServiceAccount, and no binding that names it.
   *
   * @param name name of the ServiceAccount, with or without the name of the cluster before it, e.g. `cluster-autoscaler`
   */
  public serviceAccount(name: string): SubjectAssertions {
    return SubjectAssertions._ofServiceAccount(this.id, this.cluster, name, this.management);
  }

  /**
   * The rights of a user in the management cluster, as far as the cluster's own manifests grant them.
   *
   * @param name name of the user, as the API server knows it
   */
  public user(name: string): SubjectAssertions {
    return SubjectAssertions._of(this.id, this.cluster, { kind: 'User', name }, this.management);
  }

  /**
   * The rights of a group in the management cluster, as far as the cluster's own manifests grant them.
   *
   * @param name name of the group, as the API server knows it
   */
  public group(name: string): SubjectAssertions {
    return SubjectAssertions._of(this.id, this.cluster, { kind: 'Group', name }, this.management);
  }

  /**
   * Checks that a change keeps the machines of an earlier state: none is replaced, no pool is removed, and no effect on machines is unknown.
   * A pool may get fewer machines.
   *
   * @param formerFolder folder of the earlier manifests, e.g. `dist` with the last commit; without a cluster of this name it is refused
   *   (`TC-TESTING-FORMER`)
   */
  public replacesNoMachinesOf(formerFolder: string): void {
    const reader = new StateReader();
    const { objects: before } = formerState(formerFolder, this.folder, this.id, reader);
    const lines = machineReplacements(before, reader.read(this.files).objects, this.id);
    if (lines.length > 0) throw failure({ subject: `${this.id} replaces machines of ${shownValue(formerFolder)}`, lines });
  }

  /**
   * Checks that a change raises the Kubernetes version of the control plane and of each pool by at most one minor version, and lowers none of
   * them to an earlier one.
   *
   * @param formerFolder folder of the earlier manifests, e.g. `dist` with the last commit; without a cluster of this name it is refused
   *   (`TC-TESTING-FORMER`)
   */
  public upgradesAtMostOneMinor(formerFolder: string): void {
    const { cluster: former } = formerState(formerFolder, this.folder, this.id, new StateReader());
    const lines = upgradeFaults(former, this.cluster);
    if (lines.length > 0) throw failure({ subject: `${this.id} Kubernetes version`, lines });
  }

  private get cluster(): Cluster {
    const { cluster } = this.state;
    if (cluster) return cluster;
    throw failure({ subject: this.id, lines: ['writes no objects of Cluster API'] });
  }
}

/** The addon of a cluster with a name; otherwise one with a chart of that name. */
function findAddon(cluster: Cluster, name: string): Addon | undefined {
  const { addons } = cluster;
  return addons.find((addon) => shortName(addon.name, cluster) === name) ?? addons.find((addon) => addon.name === name || addon.chart === name);
}

/** The mismatches of an addon, a line each. */
function addonFaults(
  { version, targetNamespace }: Addon, expected: { readonly version?: string; readonly namespace?: string },
): string[] {
  const lines: string[] = [];
  if (expected.version !== undefined && (version === undefined || withoutV(version) !== withoutV(expected.version))) {
    lines.push(mismatchLine({ what: 'version', expected: expected.version, found: version ?? 'none' }));
  }
  if (expected.namespace !== undefined && expected.namespace !== targetNamespace) {
    lines.push(mismatchLine({ what: 'namespace', expected: expected.namespace, found: targetNamespace ?? 'none' }));
  }
  return lines;
}

function withoutV(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}

/** The versions of the control plane and of each pool. */
function versionsOf(cluster: Cluster): { readonly part: string; readonly version?: string }[] {
  const pools = cluster.pools.map(({ name, version }) => ({ part: `pool ${shortName(name, cluster)}`, version }));
  return [{ part: 'control plane', version: cluster.version }, ...pools];
}

/** True if a version is the expected release, or one of the expected minor version. */
function isVersion(found: string, expected: string): boolean {
  const [one, other] = [found, expected].map(withoutV);
  return one === other || (/^\d+\.\d+$/.test(other) && one.startsWith(`${other}.`));
}

/** The parts whose version rises by more than a minor version, or falls to an earlier one, a line each. */
function upgradeFaults(former: Cluster, cluster: Cluster): string[] {
  const before = new Map(versionsOf(former).map(({ part, version }) => [part, version]));
  return versionsOf(cluster).flatMap(({ part, version: now }) => {
    const old = before.get(part);
    const [from, to] = [old, now].map((version) => parseSemanticVersion(version ?? ''));
    if (!from || !to || (from.major === to.major && (to.minor === from.minor || to.minor === from.minor + 1))) return [];
    return [mismatchLine({ what: part, expected: `${from.major}.${from.minor} or ${from.major}.${from.minor + 1}`, found: `${now}, formerly ${old}` })];
  });
}

/** The parts with machines. */
const WITH_MACHINES: readonly PartKind[] = [PartKind.CLUSTER, PartKind.CONTROL_PLANE, PartKind.POOL];

const REPLACING: readonly Effect[] = [Effect.MACHINES, Effect.UNKNOWN];
const SHOWN: readonly Effect[] = [...REPLACING, Effect.DELETED];

/**
 * The changes that replace or remove machines of a cluster, or may, a line each.
 *
 * @param before the objects of the earlier state
 * @param after the objects of the later state
 * @param id namespace and name of the cluster
 */
export function machineReplacements(before: readonly ReadObject[], after: readonly ReadObject[], id: string): string[] {
  // The later state is one cluster alone: the deliveries of its folder may be elsewhere.
  const former = before.filter(({ object }) => !deliveryFacts(object)?.folders);
  const cluster = planObjects({ objects: former }, { objects: after }).clusters.find((one) => clusterName(one) === id);
  if (!cluster) return [];
  return cluster.parts.filter(losesMachines).map((part) => {
    const shown = { ...part, name: shortName(part.name, cluster), effects: part.effects.filter(({ effect }) => SHOWN.includes(effect)), notes: [] };
    return `${partName(shown)}: ${partLines(shown).join('; ')}`;
  });
}

function losesMachines({ part, change, effects }: PlannedPart): boolean {
  if (effects.some(({ effect }) => effect === Effect.MACHINES)) return true;
  return WITH_MACHINES.includes(part) && (change === ChangeKind.REMOVED || effects.some(({ effect }) => REPLACING.includes(effect)));
}
