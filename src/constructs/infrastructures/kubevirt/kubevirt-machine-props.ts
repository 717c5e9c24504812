import { Duration, Size } from 'cdk8s';
import { Firmware, GpuDevice, HostDevice, VirtualTpm } from './devices';
import { ExtraDisk } from './extra-disk';
import { BootstrapCheck, EvictionStrategy, RunStrategy } from './machine-life-cycle';
import { AdditionalNetwork, PrimaryNetwork } from './network';
import { RootDisk } from './root-disk';
import { Toleration } from '../../../manifests/values/taints';
import { InstanceTypeCapacity } from '../../contracts/capabilities/infra-cluster-capabilities';

/** Scope of an instance type. */
export enum InstanceTypeKind {
  /** For the whole infrastructure cluster. */
  CLUSTER = 'VirtualMachineClusterInstancetype',

  /** In the virtual machines' namespace. */
  NAMESPACED = 'VirtualMachineInstancetype',
}

/** Scope of a preference. */
export enum PreferenceKind {
  /** For the whole infrastructure cluster. */
  CLUSTER = 'VirtualMachineClusterPreference',

  /** In the virtual machines' namespace. */
  NAMESPACED = 'VirtualMachinePreference',
}

/** Size of the huge pages that a machine's memory is made of. */
export enum HugePageSize {
  /** 2 MiB. */
  TWO_MEBIBYTES = '2Mi',

  /** 1 GiB. */
  ONE_GIBIBYTE = '1Gi',
}

/** Spread of the machines of a pool over the hosts. */
export enum HostSpread {
  /** Evenly where there is room, unevenly where there is not. */
  PREFERRED = 'ScheduleAnyway',

  /**
   * Evenly; a machine that would make it uneven waits for room. Hosts that are drained or down do not count. No two machines share a host if there
   * are enough hosts for all of them, also during a rollout (`TC-TRAP-KUBEVIRT-HOST-SPREAD`).
   */
  REQUIRED = 'DoNotSchedule',

  /** As the scheduler likes. */
  NONE = 'None',
}

/** A virtual machine that becomes a node. A change of anything here replaces the machines of the pool, one after the other. */
export interface KubevirtMachineProps {
  /**
   * CPUs that the guest sees: a whole number of cores, from 1; above 1024 with a warning. Goes together with `memory`.
   *
   * KubeVirt requests a tenth of them from the host, unless its `cpuAllocationRatio` says otherwise: hosts may be overcommitted tenfold.
   * With `dedicatedCpus` it requests all of them.
   *
   * Rules: `TC-KUBEVIRT-CPU`, `TC-KUBEVIRT-UNUSUAL-SIZE`, `TC-KUBEVIRT-SIZING`.
   *
   * Source: kubevirt/kubevirt pkg/virt-config/virt-config.go, DefaultCPUAllocationRatio.
   *
   * @default - the instance type's
   */
  readonly cpu?: number;

  /**
   * Memory that the guest sees: a whole number of MiB above 100; above 4 TiB with a warning. Goes together with `cpu`.
   *
   * Rules: `TC-KUBEVIRT-MEMORY`, `TC-KUBEVIRT-UNUSUAL-SIZE`, `TC-KUBEVIRT-SIZING`.
   *
   * @default - the instance type's
   */
  readonly memory?: Size;

  /**
   * Name of the KubeVirt instance type that sizes the machine, in place of `cpu` and `memory` (`TC-KUBEVIRT-SIZING`,
   * `TC-KUBEVIRT-INFRA-INSTANCE-TYPE`).
   *
   * @default - the machine is sized by `cpu` and `memory`
   */
  readonly instanceType?: string;

  /**
   * Scope of the instance type.
   *
   * @default InstanceTypeKind.CLUSTER
   */
  readonly instanceTypeKind?: InstanceTypeKind;

  /**
   * Size of the instance type. Autoscaled pools need it, and kubelet reservations are computed from it. Only with `instanceType`
   * (`TC-KUBEVIRT-SIZING`, `TC-KUBEVIRT-INFRA-INSTANCE-TYPE-SIZE`).
   *
   * @default - the size that the infrastructure cluster declares for the instance type, if any
   */
  readonly capacity?: InstanceTypeCapacity;

  /**
   * Name of the KubeVirt preference, which sets unset options such as the firmware (`TC-KUBEVIRT-INFRA-PREFERENCE`).
   *
   * @default - none
   */
  readonly preference?: string;

  /**
   * Scope of the preference.
   *
   * @default PreferenceKind.CLUSTER
   */
  readonly preferenceKind?: PreferenceKind;

  /**
   * CPU model that the guest sees, e.g. `host-passthrough`; an instance type must not set it too.
   *
   * Rule: `TC-KUBEVIRT-CPU`.
   *
   * @default - the KubeVirt object's, else `host-model`
   */
  readonly cpuModel?: string;

  /**
   * True if every CPU of the guest has one of the host's for itself. Needs KubeVirt's feature gate `CPUManager` and the kubelet's static
   * CPU manager policy on the hosts (kubevirt.io/user-guide/compute/dedicated_cpu_resources); an instance type must not set it too.
   *
   * Rule: `TC-KUBEVIRT-INFRA-FEATURE-GATE`.
   *
   * @default - the instance type's, else not
   */
  readonly dedicatedCpus?: boolean;

  /**
   * Huge pages that the memory is made of; `memory` must be a multiple of them. The hosts must have them set aside; an instance type must
   * not set them too.
   *
   * Rule: `TC-KUBEVIRT-HUGE-PAGES`.
   *
   * @default - the instance type's, else ordinary pages
   */
  readonly hugePages?: HugePageSize;

  /** Disk that the machine boots from. */
  readonly rootDisk: RootDisk;

  /**
   * Further disks.
   *
   * @default - none
   */
  readonly extraDisks?: ExtraDisk[];

  /**
   * Ephemeral storage that the virtual machine's pod asks its host for and may use at most. Container disks and ephemeral disks
   * count. Give it where a LimitRange in the namespace would set too little: the pod is evicted when it uses more.
   *
   * @default - KubeVirt asks for what it needs itself, without a limit
   */
  readonly podEphemeralStorage?: Size;

  /**
   * Network of the first interface, which gives the node its address.
   *
   * @default PrimaryNetwork.bridge()
   */
  readonly network?: PrimaryNetwork;

  /**
   * True if the machine is only ready while the Service proxy of its node, kube-proxy or Cilium, answers `/healthz`. Load balancers of the
   * tenant leave out a machine a minute after it stopped, also one whose guest hangs: without a probe a machine counts as ready for as long
   * as it runs, until its health check replaces it.
   *
   * A new machine counts as there once kube-proxy or Cilium runs. The KubeVirt provider drains ready machines only: if the host of another
   * one is drained, it waits for the health check of the machine. Needs the pod network; not for control planes.
   *
   * Rules: `TC-KUBEVIRT-SERVICE-PROBE`, `TC-TRAP-KUBEVIRT-PROBE`. Source: kubernetes-sigs/cluster-api-provider-kubevirt v0.11.2
   * controllers/kubevirtmachine_controller.go; kubevirt/kubevirt pkg/virt-controller/watch/vmi/lifecycle.go.
   *
   * @default - true for workers with `PrimaryNetwork.bridge()` or `passt()` whose cluster has KubeVirt's load balancers, and a pod network that
   * runs beside kube-proxy, or whose `serviceProxyHealthPort` is known, as that of Cilium; else false
   */
  readonly serviceProbe?: boolean;

  /**
   * Networks beside the primary one, in the order of the guest's interfaces.
   *
   * @default - none
   */
  readonly additionalNetworks?: AdditionalNetwork[];

  /**
   * GPUs that are passed through to the guest.
   *
   * @default - the instance type's, else none
   */
  readonly gpus?: GpuDevice[];

  /**
   * Other devices that are passed through to the guest. Needs KubeVirt's feature gate `HostDevices` (`TC-KUBEVIRT-INFRA-FEATURE-GATE`).
   *
   * @default - the instance type's, else none
   */
  readonly hostDevices?: HostDevice[];

  /**
   * Firmware that starts the guest's operating system.
   *
   * @default - the preference's, else KubeVirt's: a BIOS on amd64, UEFI on arm64
   */
  readonly firmware?: Firmware;

  /**
   * An emulated TPM.
   *
   * @default - none
   */
  readonly tpm?: VirtualTpm;

  /**
   * Treatment of the machine when its host is drained. Machines with GPUs, host devices or disks for one host cannot be live-migrated, and on
   * the pod network only where the network plug-in keeps their addresses.
   * Control plane machines with a container disk should have `EvictionStrategy.NONE`: other strategies give a warning.
   *
   * Rules: `TC-KUBEVIRT-DEVICE-MIGRATION`, `TC-TRAP-KUBEVIRT-DISK-MIGRATION`, `TC-KUBEVIRT-INFRA-MIGRATION`, `TC-KUBEVIRT-NETWORK-MIGRATION`,
   * `TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN`, `TC-KUBEVIRT-CONTROL-PLANE-RETURN`.
   *
   * @default - `EvictionStrategy.LIVE_MIGRATE` where the capabilities of the management cluster say that its network plug-in keeps addresses and
   * that the classes of all disks make `ReadWriteMany` volumes; else `EvictionStrategy.EXTERNAL`; `EvictionStrategy.NONE` where the machines run in another cluster than the management cluster, in
   * which the KubeVirt provider up to 0.11.2 cannot drain them (`TC-TRAP-KUBEVIRT-EXTERNAL-EVICTION`)
   */
  readonly evictionStrategy?: EvictionStrategy;

  /**
   * When KubeVirt starts the machine again. One that comes back after the KubeVirt provider has drained it stays cordoned, which gives a
   * warning (`TC-TRAP-KUBEVIRT-CORDONED-NODE`).
   *
   * @default - `RunStrategy.ONCE` with a container disk, from which no node comes back. With every other root disk
   * `RunStrategy.RERUN_ON_FAILURE` where the eviction strategy is `EvictionStrategy.EXTERNAL`, so that the pool's health check replaces a
   * machine whose host is drained, and else `RunStrategy.ALWAYS`
   */
  readonly runStrategy?: RunStrategy;

  /**
   * Time that the guest gets to shut down before it is switched off: whole seconds.
   *
   * @default Duration.minutes(3), as KubeVirt's own templates have it (kubevirt/common-templates); without it KubeVirt waits for 30 seconds
   */
  readonly terminationGracePeriod?: Duration;

  /**
   * True if KubeVirt copies what the guest writes to its serial console into the log of the virtual machine's pod.
   *
   * @default - the KubeVirt object's
   */
  readonly logSerialConsole?: boolean;

  /**
   * Check by which the KubeVirt provider finds out that a machine has joined. SSH only where the provider has a key for the machines, thus not with
   * a control plane that manages the endpoint itself, such as Kamaji (`TC-KUBEVIRT-SSH-CHECK`).
   *
   * @default BootstrapCheck.NONE
   */
  readonly bootstrapCheck?: BootstrapCheck;

  /**
   * Labels that a host must have.
   *
   * @default - any host
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Tolerations of the virtual machines' pods.
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Spread of the machines of a pool over hosts.
   *
   * @default - `HostSpread.REQUIRED` for pools of two or three machines, control planes, and pools with the role `ingress`, if the `hosts` of the
   * cluster are stated and there is one for each machine, also during a rollout. Else `HostSpread.PREFERRED`
   */
  readonly spreadOverHosts?: HostSpread;

  /**
   * Name of the PriorityClass of the virtual machines' pods (`TC-KUBEVIRT-INFRA-PRIORITY-CLASS`).
   *
   * @default - the infrastructure cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Name of the scheduler that places the virtual machines' pods.
   *
   * @default - Kubernetes's own
   */
  readonly schedulerName?: string;

  /**
   * Labels of the virtual machines (`TC-KUBEVIRT-LABEL`, `TC-KUBEVIRT-RESERVED-LABEL`).
   *
   * @default - those of the KubeVirt provider
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the virtual machines (`TC-KUBEVIRT-ANNOTATION`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the virtual machines' pods (`TC-KUBEVIRT-LABEL`, `TC-KUBEVIRT-RESERVED-LABEL`).
   *
   * @default - the names of cluster and pool, and those of KubeVirt and its provider
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the virtual machines' pods (`TC-KUBEVIRT-ANNOTATION`).
   *
   * @default - with `PrimaryNetwork.bridge()` the one that allows live migration
   */
  readonly podAnnotations?: { [key: string]: string };
}
