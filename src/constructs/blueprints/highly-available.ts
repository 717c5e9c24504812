import { Duration, Size } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { BlueprintBackup, checkBackup, VELERO_SNAPSHOTS, veleroOf } from './blueprint-backup';
import { addParts, checkUnused } from './blueprint-options';
import {
  checkKubevirtOptions, KubevirtBlueprintOptions, KubevirtBlueprintPool, kubevirtCluster, kubevirtPool, snapshotAddons,
} from './kubevirt-parts';
import { Rule } from '../../manifests/values/problem';
import { CertManager } from '../addons/catalog/cert-manager';
import { CoreDns } from '../addons/catalog/core-dns';
import { MetricsServer } from '../addons/catalog/metrics-server';
import { ClusterAutoscaler } from '../addons/cluster-autoscaler/cluster-autoscaler';
import { Cilium } from '../addons/cni/cilium';
import { Problems } from '../app/problems/problems';
import { HostFencing } from '../contracts/capabilities/infra-hosts';
import { NodePoolProps } from '../contracts/node-pool/node-pool-props';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { KamajiCoreDns } from '../control-planes/kamaji/addons';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../tenant/tenant-cluster-props';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const REPLICAS = 2;
const SMALLEST = 3;
const FEWEST_HOSTS = 3;
const LARGEST = 12;

/** Options of `HighlyAvailable`. */
export interface HighlyAvailableOptions extends KubevirtBlueprintOptions {
  /**
   * Zones of the management cluster, by the label `topology.kubernetes.io/zone` of its nodes. The control plane is spread over all zones
   * there, and each of these has a pool `general-<zone>`, whose nodes have the label of their zone. Not with `general.machine`
   * (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - one pool `general`, spread over hosts
   */
  readonly zones?: string[];

  /**
   * The pool `general`, or each of the pools of `zones`.
   *
   * @default - 4 CPUs, 16 GiB and a disk of 40 GiB of `infraStorageClass`; 3 to 12 machines in all, divided by the number of zones and
   * rounded up
   */
  readonly general?: KubevirtBlueprintPool;

  /**
   * Backups of the tenant's objects and volumes into a bucket, by Velero in the tenant. They restore one namespace, or this tenant alone,
   * where a backup of the data store restores every tenant that shares it.
   *
   * @default - none: only what the management cluster backs up of the data store
   */
  readonly backup?: BlueprintBackup;
}

/** Properties of `HighlyAvailable`. */
export interface HighlyAvailableProps extends TenantClusterIdentity, HighlyAvailableOptions {}

const HOST_LOSS_RULE: Rule = {
  id: 'TC-BLUEPRINT-HOST-LOSS',
  title: 'A tenant that should survive the loss of a host needs three hosts, and fencing that frees volumes.',
  source: 'kubevirt/kubevirt pkg/virt-controller/watch/node/node.go, kubevirt/csi-driver pkg/service/controller.go (IsVolumeAttachedToOtherVMI), '
    + 'kubernetes.io/docs/concepts/cluster-administration/node-shutdown (non-graceful)',
  warning: true,
};

/**
 * A tenant cluster that survives the loss of a host, and of a zone if `zones` are named: three replicas of the control plane on three hosts,
 * pools in every zone that scale together, machines with disks, long drains for PodDisruptionBudgets, and two or three replicas of all
 * that the cluster itself needs.
 *
 * It needs a management cluster with three hosts (`hosts`) and fencing that frees volumes (`fencing`): `TC-BLUEPRINT-HOST-LOSS`.
 *
 * Back up its data store in the management cluster (`EtcdBackup` of the module `management`).
 *
 * It is a `TenantCluster`: pools, addons and workloads can be added, and every object can be patched.
 *
 * @example
 * new blueprints.HighlyAvailable(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   managementCluster: hall,
 *   dataStore: 'acme',
 *   zones: ['a', 'b', 'c'],
 *   nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
 *   infraStorageClass: 'replicated',
 *   csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
 * });
 */
export class HighlyAvailable extends TenantCluster {
  /**
   * The options of the cluster without its pools and addons, e.g. for `props` of a fleet's profile.
   *
   * @param options the differences from the blueprint
   */
  public static options(options: HighlyAvailableOptions): TenantClusterOptions {
    return clusterOptions(options);
  }

  /**
   * Adds the pools and addons to a cluster that has been made with `options`, e.g. for `populate` of a fleet's profile.
   *
   * @param cluster the cluster
   * @param options the same options
   */
  public static populate(cluster: TenantCluster, options: HighlyAvailableOptions): void {
    populate(cluster, options);
  }

  public constructor(scope: Construct, id: string, props: HighlyAvailableProps) {
    const { namespace, kubernetesVersion, name, ...options } = props;
    super(scope, id, { ...clusterOptions(options), namespace, kubernetesVersion, name });
    populate(this, options);
  }
}

function clusterOptions({ zones, general: _general, backup, ...options }: HighlyAvailableOptions): TenantClusterOptions {
  return {
    ...kubevirtCluster(options, {
      replicas: 3,
      coreDns: KamajiCoreDns.none(),
      deployment: { topologySpreadConstraints: [...(zones ? [spreadOver(ZONE)] : []), spreadOver(HOST)] },
    }, backup && VELERO_SNAPSHOTS),
    cni: options.cni ?? new Cilium({ operatorReplicas: REPLICAS }),
    clusterAutoscaler: options.clusterAutoscaler ?? ClusterAutoscaler.of(zones && { balanceSimilarNodeGroups: true }),
  };
}

/** Spreads the pods of one rollout. Nodes that are down or tainted do not count. */
function spreadOver(topologyKey: string): k8s.TopologySpreadConstraint {
  return { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', nodeTaintsPolicy: 'Honor', matchLabelKeys: ['pod-template-hash'] };
}

function populate(cluster: TenantCluster, options: HighlyAvailableOptions): void {
  const { zones, general, backup } = options;
  checkKubevirtOptions(cluster, options, { general });
  checkUnused(cluster, general?.machine && 'general.machine', { zones });
  checkHostLoss(cluster);
  if (backup) checkBackup(cluster, backup);
  addParts(cluster, options, {
    pools: zones?.length ? Object.fromEntries(zones.map((zone) => [`general-${zone}`, pool(options, zones.length, zone)])) : { general: pool(options, 1) },
    addons: [
      new CoreDns({ replicas: 3 }),
      new MetricsServer({ replicas: REPLICAS }),
      new CertManager({ replicas: REPLICAS, values: CERT_MANAGER_BUDGETS }),
      ...snapshotAddons(options, REPLICAS),
      ...(backup ? [veleroOf(backup, options)] : []),
    ],
  });
}

/** Warns of what a management cluster lacks, as far as it is known, for the promise of the blueprint. */
function checkHostLoss(cluster: TenantCluster): void {
  const { hosts, fencing } = cluster._context.infraCluster ?? {};
  const lacks = [
    ...(hosts ? [] : ['its hosts are not stated']),
    ...(hosts && hosts.total < FEWEST_HOSTS ? [`it has ${hosts.total} ${hosts.total === 1 ? 'host' : 'hosts'}, and the control plane needs ${FEWEST_HOSTS}`] : []),
    ...(fencing ? [] : ['its fencing is not stated']),
    ...(fencing && !fencing.freesVolumes ? [`${fencing === HostFencing.NONE ? 'nothing frees' : `${fencing.name} does not free`} the volumes of a lost host`] : []),
  ];
  if (lacks.length === 0) return;
  Problems.of(cluster).add({
    rule: HOST_LOSS_RULE,
    property: 'managementCluster.capabilities',
    message: `the loss of a host is not known to leave the tenant working: ${lacks.join('; ')}`,
    fix: 'state hosts and fencing in the capabilities once they are so, and do by hand until then what docs/guides/a-host-is-lost.md says',
  });
}

/** No drain takes the last pod. */
const CERT_MANAGER_BUDGETS = {
  podDisruptionBudget: { enabled: true }, webhook: { podDisruptionBudget: { enabled: true } }, cainjector: { podDisruptionBudget: { enabled: true } },
};

function pool(options: HighlyAvailableOptions, zones: number, zone?: string): NodePoolProps {
  return kubevirtPool(options, options.general, {
    cpu: 4,
    memory: Size.gibibytes(16),
    disk: Size.gibibytes(40),
    size: PoolSize.between(Math.ceil(SMALLEST / zones), Math.ceil(LARGEST / zones)),
    // Time for PodDisruptionBudgets, which a rollout passes over afterwards.
    nodeDrainTimeout: Duration.minutes(30),
    ...(zone !== undefined && { labels: { [ZONE]: zone }, machine: { nodeSelector: { [ZONE]: zone } } }),
  });
}
