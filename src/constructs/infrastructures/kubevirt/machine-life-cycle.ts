import { Duration } from 'cdk8s';
import { checkMigrationNetwork, isKnownToMove, MovableMachine } from './live-migration';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { ClusterContext } from '../../contracts/cluster-context';
import { PoolContext } from '../../contracts/node-pool/pool-context';

/**
 * When KubeVirt, 1.3 or later, starts a virtual machine that is not running. `Halted` and `Manual` are not offered: no controller would
 * start the machine.
 *
 * Source: kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go.
 */
export enum RunStrategy {
  /**
   * Always, also after a clean shutdown and after a drain of the host. The KubeVirt provider never takes such a machine for lost.
   *
   * On the pod network its address changes with every start, unless the network plug-in keeps it
   * (kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md).
   */
  ALWAYS = 'Always',

  /**
   * Only the first time: a machine that shuts down, crashes or loses its host is lost, and a health check has to replace it.
   *
   * A drain with `EvictionStrategy.EXTERNAL` is no such end: the provider deletes what runs, and KubeVirt starts the machine anew.
   */
  ONCE = 'Once',

  /**
   * After a crash or the loss of the host. After a clean shutdown, or a drain with `EvictionStrategy.EXTERNAL`, the machine stays stopped,
   * and a health check has to replace it.
   */
  RERUN_ON_FAILURE = 'RerunOnFailure',
}

/** Treatment of a machine when its host is drained. */
export enum EvictionStrategy {
  /**
   * The KubeVirt provider drains the tenant's node, waiting for at most ten minutes, then stops the machine.
   *
   * Works with every disk and device. The provider up to 0.11.2 leaves the node cordoned if the machine runs again afterwards, as it does
   * with `RunStrategy.ALWAYS` and `RunStrategy.ONCE`: uncordon it, or delete the Machine. With a persistent root disk these give a
   * warning.
   *
   * If the machines run in another cluster than the management cluster, the provider up to 0.11.2 fails, and the drain of their host
   * never ends: a warning.
   *
   * Rules: `TC-TRAP-KUBEVIRT-CORDONED-NODE`, `TC-TRAP-KUBEVIRT-EXTERNAL-EVICTION`. Source: kubernetes-sigs/cluster-api-provider-kubevirt
   * pkg/kubevirt/machine.go.
   */
  EXTERNAL = 'External',

  /**
   * The machine moves to another host without stopping; where it cannot, the host's drain waits for ever. Its disks are `ReadWriteMany`,
   * unless they state another mode. On the pod network, the network plug-in of the management cluster must keep its address.
   *
   * Rules: `TC-KUBEVIRT-NETWORK-MIGRATION`, `TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN`, `TC-TRAP-KUBEVIRT-DISK-MIGRATION`.
   */
  LIVE_MIGRATE = 'LiveMigrate',

  /** The machine moves to another host, on the same conditions; where it cannot, it is stopped without draining the tenant's node. */
  LIVE_MIGRATE_IF_POSSIBLE = 'LiveMigrateIfPossible',

  /** The machine is stopped without draining the tenant's node. */
  NONE = 'None',
}

/** Check by which the KubeVirt provider finds out that a machine has joined its cluster. */
export enum BootstrapCheck {
  /** By its node, as Cluster API does everywhere. */
  NONE = 'none',

  /** Over SSH, by the file that kubeadm's bootstrap leaves behind. The provider must reach the machines' port 22. */
  SSH = 'ssh',
}

/**
 * After the crash of a host, KubeVirt starts a machine again once its pod has ended, at the latest when the host is back
 * (kubevirt/kubevirt pkg/virt-controller/watch/node/node.go). A host reboots within this time.
 */
const RESTART_TIME = Duration.minutes(10);

/** The properties of a machine that its life cycle depends on. */
interface LifeCycle extends MovableMachine {
  readonly evictionStrategy?: EvictionStrategy;
  readonly runStrategy?: RunStrategy;
}

/**
 * The eviction strategy of a machine. The default moves machines that are known to survive it, and does not hold up the host where the provider
 * cannot drain the node.
 */
export function evictionStrategyOf(machine: LifeCycle, cluster: ClusterContext): EvictionStrategy {
  if (machine.evictionStrategy !== undefined) return machine.evictionStrategy;
  if (!(cluster.infrastructure.inManagementCluster ?? true)) return EvictionStrategy.NONE;
  return isKnownToMove(machine, cluster) ? EvictionStrategy.LIVE_MIGRATE : EvictionStrategy.EXTERNAL;
}

/**
 * The run strategy of a machine. The default restarts as often as that does no harm: a container disk is empty after every start, so that no
 * node comes back from it, and a node that comes back after the provider has drained it would stay cordoned.
 */
export function runStrategyOf(machine: LifeCycle, cluster: ClusterContext): RunStrategy {
  if (machine.runStrategy !== undefined) return machine.runStrategy;
  if (!machine.rootDisk._source.persistent) return RunStrategy.ONCE;
  return evictionStrategyOf(machine, cluster) === EvictionStrategy.EXTERNAL ? RunStrategy.RERUN_ON_FAILURE : RunStrategy.ALWAYS;
}

/** Time until a failed machine runs again as the same node; undefined if it does not. */
export function restartTimeOf({ rootDisk, runStrategy }: LifeCycle): Duration | undefined {
  return rootDisk._source.persistent && runStrategy !== RunStrategy.ONCE ? RESTART_TIME : undefined;
}

/** True if a machine moves to another host when its own is drained. */
export function isMigrated(strategy: EvictionStrategy): boolean {
  return strategy === EvictionStrategy.LIVE_MIGRATE || strategy === EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE;
}

const DEVICE_MIGRATION_RULE: Rule = {
  id: 'TC-KUBEVIRT-DEVICE-MIGRATION',
  title: 'A machine with GPUs or host devices cannot be live-migrated on a drain of its host.',
  source: 'kubevirt/kubevirt pkg/virt-handler/vm.go',
};

/**
 * Checks that a machine can be live-migrated if its eviction strategy requires it.
 *
 * @param hasDevices true if a GPU or another device of the host is passed through to the machine
 */
export function checkEviction(
  report: PropertyReport, strategy: EvictionStrategy, machine: MovableMachine, hasDevices: boolean, cluster: ClusterContext,
): void {
  if (!isMigrated(strategy)) return;
  if (!hasDevices) {
    checkMigrationNetwork(report, machine, cluster);
    return;
  }
  report.add(DEVICE_MIGRATION_RULE, {
    message: `${strategy} cannot move a machine with GPUs or host devices`, fix: 'leave out evictionStrategy, so that the node is drained and the machine stopped',
  });
}

const CONTROL_PLANE_RETURN_RULE: Rule = {
  id: 'TC-KUBEVIRT-CONTROL-PLANE-RETURN',
  title: 'A control plane machine without a persistent disk must not restart after a drain of its host: its etcd has lost the data.',
  source: 'kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go, kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go',
  warning: true,
};

/** Warns of control plane machines that restart without the data of etcd after a drain of their host. */
export function checkControlPlaneReturn(report: PropertyReport, strategy: RunStrategy, persistent: boolean, eviction: EvictionStrategy): void {
  if (persistent || eviction !== EvictionStrategy.EXTERNAL || strategy === RunStrategy.RERUN_ON_FAILURE) return;
  report.add(CONTROL_PLANE_RETURN_RULE, {
    message: `with ${strategy} and ${eviction} the machine is started again after its host was drained, with an empty disk and another address: etcd on it does not `
      + 'come back, and its node stays',
    fix: 'set evictionStrategy to EvictionStrategy.NONE, so that a health check replaces the machine; or give it a root disk that keeps its data, with which it stays stopped until then',
  });
}

const SSH_CHECK_RULE: Rule = {
  id: 'TC-KUBEVIRT-SSH-CHECK',
  title: 'The check of bootstrapping over SSH requires an SSH key of the KubeVirt provider for the machines.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go',
};

/** Checks that the provider can reach the machines over SSH if it shall. */
export function checkBootstrapCheck(report: PropertyReport, check: BootstrapCheck | undefined, { cluster }: PoolContext): void {
  const manager = cluster.controlPlane.endpointManager;
  if (check === BootstrapCheck.SSH && manager !== undefined) {
    report.add(SSH_CHECK_RULE, {
      message: `the endpoint is managed by ${manager}, and the KubeVirt provider makes no SSH key for such a cluster`,
      fix: 'leave it out: the node tells when a machine has joined',
    });
  }
}
