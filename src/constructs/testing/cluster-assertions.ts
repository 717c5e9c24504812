import { addonFailure, findAddon } from './addons';
import { machineReplacements } from './changed-machines';
import { ClusterState, clusterState, objectOf, partName } from './cluster-state';
import { failure, listWords, mismatchLine, shownValue } from './failure';
import { formerState } from './former-state';
import { PoolAssertions } from './pool-assertions';
import { SubjectAssertions } from './subject-assertions';
import { isVersion, upgradeFaults, versionsOf } from './versions';
import { writtenFiles } from './written-files';
import { Cluster } from '../../manifests/landscape/cluster-model';
import { ManifestFile, StateReader } from '../../manifests/landscape/placed-objects';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { manifestsText } from '../../manifests/objects/yaml/manifests-text';
import { nearestName } from '../../manifests/values/nearest-name';
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
 * Assertions about a tenant cluster, for the user's own tests: its Kubernetes version, pools, addons and rights, and what a change does to
 * machines. They read the manifests that the cluster writes. No cluster is asked.
 *
 * An assertion that fails throws an `Error` with the object, what was expected, and what was found, which works in every test runner.
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
   * Reads the manifests of a cluster as they are now: what is added to the cluster afterwards is not seen. Throws an error if synthesis would
   * refuse the cluster.
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
    const names = cluster.pools.map((one) => partName(one.name, cluster));
    throw failure({ subject: this.id, lines: missing('pool', name, names) });
  }

  /**
   * Checks that the cluster has exactly these pools, in any order.
   *
   * @param names names of the pools, as in `addNodePool`
   */
  public hasPools(names: string[]): void {
    const { cluster } = this;
    const found = cluster.pools.map((pool) => partName(pool.name, cluster)).sort();
    const expected = [...new Set(names)].sort();
    if (found.join('\n') === expected.join('\n')) return;
    throw failure({ subject: this.id, lines: [mismatchLine({ what: 'pools', expected: listWords(expected), found: listWords(found) })] });
  }

  /**
   * Checks that an addon is delivered to the cluster.
   *
   * @param name name of the addon, or of its chart, e.g. `cert-manager`
   * @param expected what else to check
   */
  public hasAddon(name: string, expected: ExpectedAddon = {}): void {
    const addon = findAddon(this.cluster, name);
    if (!addon) {
      const names = this.cluster.addons.map((one) => partName(one.name, this.cluster));
      throw failure({ subject: this.id, lines: missing('addon', name, names) });
    }
    const lines = addonFailure(addon, expected);
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

function missing(what: string, name: string, names: readonly string[]): string[] {
  const near = nearestName(name, names);
  return [`has no ${what} ${name}; its ${what}s: ${listWords(names)}`, ...near === undefined ? [] : [`Did you mean ${near}?`]];
}
