import { KUBEVIRT_RULES } from './rules';
import { PropertyReport } from '../../app/problems/property-report';

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
   * Where the machines run in another cluster than the management cluster, the provider up to 0.11.2 fails, and the drain of their host
   * waits for ever: a warning.
   *
   * Rules: `TC-KUBEVIRT-CORDONED-NODE`, `TC-TRAP-KUBEVIRT-EXTERNAL-EVICTION`. Source: kubernetes-sigs/cluster-api-provider-kubevirt
   * pkg/kubevirt/machine.go.
   */
  EXTERNAL = 'External',

  /** The machine moves to another host without stopping; where it cannot, the host's drain waits for ever. Needs shared disks. */
  LIVE_MIGRATE = 'LiveMigrate',

  /** The machine moves to another host; where it cannot, it is stopped without draining the tenant's node. */
  LIVE_MIGRATE_IF_POSSIBLE = 'LiveMigrateIfPossible',

  /** The machine is stopped without draining the tenant's node. */
  NONE = 'None',
}

/** How the KubeVirt provider finds out that a machine has joined its cluster. */
export enum BootstrapCheck {
  /** By its node, as Cluster API does everywhere. */
  NONE = 'none',

  /** Over SSH, by the file that kubeadm's bootstrap leaves behind. The provider must reach the machines' port 22. */
  SSH = 'ssh',
}

/** True if a machine moves to another host when its own is drained. */
export function isMigrated(strategy: EvictionStrategy): boolean {
  return strategy === EvictionStrategy.LIVE_MIGRATE || strategy === EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE;
}

/** What keeps a machine on its host. */
export interface HostBonds {
  /** True if a GPU or another device of the host is passed through to it. */
  readonly devices: boolean;
  /** Disks that were asked for in an access mode for one host, by property. */
  readonly unsharedDisks: readonly { readonly property: string; readonly accessMode: string }[];
}

/** Checks that a machine which shall be live-migrated can be. */
export function checkEviction(report: PropertyReport, strategy: EvictionStrategy, bonds: HostBonds): void {
  if (!isMigrated(strategy)) return;
  const fix = 'leave out evictionStrategy, so that the node is drained and the machine stopped';
  if (bonds.devices) {
    report.add(KUBEVIRT_RULES.deviceMigration, { message: `${strategy} cannot move a machine with GPUs or host devices`, fix });
  }
  for (const { property, accessMode } of bonds.unsharedDisks) {
    report.add(KUBEVIRT_RULES.diskMigration, {
      message: `${strategy} cannot move a machine whose ${property} is ${accessMode}`,
      fix: `give ${property} the access mode ReadWriteMany, or ${fix}`,
    });
  }
}

/** What happens to a machine when its host is drained: where the provider cannot drain its node, it must not hold up the host. */
export function defaultEvictionStrategy(inManagementCluster: boolean): EvictionStrategy {
  return inManagementCluster ? EvictionStrategy.EXTERNAL : EvictionStrategy.NONE;
}

/**
 * The default run strategy: restarts as often as that does no harm. A container disk is empty after every start, so that no
 * node comes back from it; one that does come back after the provider has drained it would stay cordoned.
 */
export function defaultRunStrategy(persistent: boolean, eviction: EvictionStrategy): RunStrategy {
  if (!persistent) return RunStrategy.ONCE;
  return eviction === EvictionStrategy.EXTERNAL ? RunStrategy.RERUN_ON_FAILURE : RunStrategy.ALWAYS;
}

/** Warns of control plane machines that come back without the data of etcd, after the drain of a host that nothing hinders. */
export function checkControlPlaneReturn(report: PropertyReport, strategy: RunStrategy, persistent: boolean, eviction: EvictionStrategy): void {
  if (persistent || eviction !== EvictionStrategy.EXTERNAL || strategy === RunStrategy.RERUN_ON_FAILURE) return;
  report.add(KUBEVIRT_RULES.controlPlaneReturn, {
    message: `with ${strategy} and ${eviction} the machine is started again after its host was drained, with an empty disk and another address: etcd on it does not `
      + 'come back, and its node stays',
    fix: 'set evictionStrategy to EvictionStrategy.NONE, so that a health check replaces the machine; or give it a root disk that keeps its data, with which it stays stopped until then',
  });
}

/** Warns of nodes that come back cordoned. */
export function checkReturn(report: PropertyReport, strategy: RunStrategy, persistent: boolean, eviction: EvictionStrategy): void {
  if (!persistent || eviction !== EvictionStrategy.EXTERNAL || strategy === RunStrategy.RERUN_ON_FAILURE) return;
  report.add(KUBEVIRT_RULES.cordonedNode, {
    message: `with ${strategy} the machine is started again after its host was drained, and the KubeVirt provider up to 0.11.2 leaves its node `
      + 'cordoned: no pod is put on it, and since it is ready, no health check replaces it',
    fix: 'leave it out, so that a health check replaces the machine; or set evictionStrategy to LIVE_MIGRATE with ReadWriteMany disks, or to NONE; '
      + 'or uncordon the nodes after each drain',
  });
}
