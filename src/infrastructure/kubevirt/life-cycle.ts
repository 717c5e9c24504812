import { KUBEVIRT_RULES } from './rules';
import { PropertyReport } from '../../validation/property-report';

/** When KubeVirt starts a virtual machine that is not running. `Halted` and `Manual` are not offered: nobody would start the machine. */
export enum RunStrategy {
  /**
   * Always, also after a clean shutdown. The KubeVirt provider never takes such a machine for lost.
   *
   * On the pod network its address changes with every start, unless the network plug-in keeps it
   * (kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md).
   */
  ALWAYS = 'Always',

  /** Only the first time. A machine that stops is lost, and a health check has to replace it. */
  ONCE = 'Once',

  /** After a crash, not after a clean shutdown. */
  RERUN_ON_FAILURE = 'RerunOnFailure',
}

/** What happens to a machine when its host is drained. */
export enum EvictionStrategy {
  /**
   * The KubeVirt provider drains the tenant's node, waiting for at most ten minutes, then stops the machine.
   *
   * Works with every disk and device. The provider up to 0.11.2 leaves the node cordoned when the machine runs again afterwards
   * (`RunStrategy.ALWAYS`): uncordon it, or delete the Machine (kubernetes-sigs/cluster-api-provider-kubevirt
   * pkg/kubevirt/machine.go).
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

/** What keeps a machine on its host. */
export interface HostBonds {
  /** Whether a GPU or another device of the host is passed through to it. */
  readonly devices: boolean;
  /** Disks that were asked for in an access mode for one host, by property. */
  readonly unsharedDisks: readonly { readonly property: string; readonly accessMode: string }[];
}

/** Checks that a machine which shall be live-migrated can be. */
export function checkEviction(report: PropertyReport, strategy: EvictionStrategy, bonds: HostBonds): void {
  if (strategy !== EvictionStrategy.LIVE_MIGRATE && strategy !== EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE) return;
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
