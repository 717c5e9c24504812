import { checkPlacement, ComponentPlacement } from './component-placement';
import { KUBEVIRT_GATES, openGates } from './kubevirt-feature-gates';
import { ManagementPlan } from './management-plan';
import { OperatorManifest } from './operator-manifest';
import { checkPermittedHostDevices, PermittedHostDevice, permittedHostDevices } from './permitted-host-device';
import { MANAGEMENT_RULES } from './rules';
import { minorOf, pinnedVersion } from './version-matrix';
import { checkReplicas } from './workload-options';
import { KubeVirt } from '../../imports/kubevirt.io';
import { keepOnPrune } from '../delivery/marks';
import { checkSizing, KubevirtPodSizing } from '../isolation/kubevirt-sizing';
import { parseImageReference } from '../kubernetes/image-reference';
import { Problem } from '../validation/problem';

const PROPERTY = 'kubevirt';
const OPERATOR = {
  delivery: 'kubevirt-operator',
  deployment: 'virt-operator',
  kind: 'KubeVirt',
  releases: 'https://github.com/kubevirt/kubevirt/releases/download',
  file: 'kubevirt-operator.yaml',
};

/** Name and namespace are the ones that the operator's manifests have. */
const NAME = 'kubevirt';

/** How KubeVirt is installed. */
export interface KubevirtInstallationOptions {
  /**
   * Version of KubeVirt (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;

  /**
   * Where the operator comes from.
   *
   * @default OperatorManifest.file()
   */
  readonly operator?: OperatorManifest;

  /**
   * Whether volumes can be attached to running machines, which tenants' storage (KubeVirt's CSI driver) needs: gate `HotplugVolumes`.
   * KubeVirt 1.9 can attach without it, but then lets nobody detach from a machine whose volume was removed from its definition.
   *
   * @default true
   */
  readonly hotplugVolumes?: boolean;

  /**
   * Whether machines can have CPUs of their own: gate `CPUManager`. The kubelets of the hosts need the static CPU manager policy.
   *
   * @default false
   */
  readonly dedicatedCpus?: boolean;

  /**
   * Devices of the hosts that machines may have (`TC-MANAGEMENT-DEVICE`). With any of them, the gate `HostDevices` is on.
   *
   * @default - none
   */
  readonly permittedHostDevices?: PermittedHostDevice[];

  /**
   * Further feature gates (`TC-MANAGEMENT-FEATURE-GATE`). Live migration, GPUs, NUMA, network binding plugins and automatic limits need
   * none.
   *
   * @default - none
   */
  readonly featureGates?: string[];

  /**
   * How KubeVirt turns the size of a machine into requests of its pod: `cpuAllocationRatio` and `memoryOvercommit`
   * (`TC-ISOLATION-SIZING`).
   *
   * @default - KubeVirt's own: 10 machine CPUs to a requested one, and no overcommitment of memory
   */
  readonly sizing?: KubevirtPodSizing;

  /**
   * What happens to machines that do not say it when their host is drained: `LiveMigrate`, `LiveMigrateIfPossible`, `External` or `None`.
   *
   * @default - `None`, as in KubeVirt; machines of this library say it themselves
   */
  readonly evictionStrategy?: ClusterEvictionStrategy;

  /**
   * Whether running machines are moved to the new version when KubeVirt is upgraded, by live migration: those that can be. Others stay on the
   * old one until they are restarted; among them are machines of this library on the pod network whose `evictionStrategy` is no migration.
   *
   * @default true
   */
  readonly migrateOnUpgrade?: boolean;

  /**
   * Registry and path of KubeVirt's images instead, e.g. `registry.example.com/kubevirt`. The image of the operator itself is in its
   * manifest: take `OperatorManifest.file`.
   *
   * @default - that of the operator's own image
   */
  readonly imageRegistry?: string;

  /**
   * Replicas of virt-api and virt-controller (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default - 2, and more where there are many nodes
   */
  readonly replicas?: number;

  /**
   * On which nodes virt-api and virt-controller run.
   *
   * @default - on control plane nodes, where there are any
   */
  readonly infra?: ComponentPlacement;

  /**
   * On which nodes machines can run: those that virt-handler runs on.
   *
   * @default - every node
   */
  readonly workloads?: ComponentPlacement;
}

/** What happens to a machine when its host is drained. */
export enum ClusterEvictionStrategy {
  /** It moves to another host, and the drain waits; one that cannot move blocks the drain. */
  LIVE_MIGRATE = 'LiveMigrate',

  /** It moves to another host if it can, and is shut down otherwise. */
  LIVE_MIGRATE_IF_POSSIBLE = 'LiveMigrateIfPossible',

  /** The drain waits until somebody else has removed it: Cluster API's KubeVirt provider drains the node in it first. */
  EXTERNAL = 'External',

  /** It is shut down. */
  NONE = 'None',
}

/** Who installs KubeVirt. */
export class KubevirtInstallation {
  /**
   * This app installs KubeVirt's operator from the manifests of its release, and tells it what to install by a `KubeVirt` object. KubeVirt
   * cannot be removed as long as there are machines.
   *
   * Source: kubevirt/kubevirt release assets kubevirt-operator.yaml and kubevirt-cr.yaml.
   *
   * @param options what differs from the defaults
   */
  public static operator(options: KubevirtInstallationOptions = {}): KubevirtInstallation {
    return new KubevirtInstallation(options);
  }

  /** Somebody else has installed it, or machines run elsewhere. */
  public static existing(): KubevirtInstallation {
    return new KubevirtInstallation(undefined);
  }

  private constructor(private readonly options: KubevirtInstallationOptions | undefined) {}

  /**
   * Resource names of the devices that machines may have, as far as they are known.
   *
   * @internal
   */
  public get _deviceNames(): string[] | undefined {
    return this.options && (this.options.permittedHostDevices ?? []).map(({ resourceName }) => resourceName).sort();
  }

  /**
   * Feature gates that are on, as far as they are known.
   *
   * @internal
   */
  public get _featureGates(): string[] | undefined {
    if (!this.options) return undefined;
    const minor = minorOf('kubevirt', versionOf(this.options));
    return minor === undefined ? undefined : [...new Set([...gatesOf(this.options), ...openGates(minor)])].sort();
  }

  /** @internal */
  public get _sizing(): KubevirtPodSizing | undefined {
    return this.options?.sizing;
  }

  /**
   * Plans operator and KubeVirt object.
   *
   * @internal
   */
  public _plan(plan: ManagementPlan): KubeVirt | undefined {
    const { options } = this;
    if (!options) return undefined;
    const version = versionOf(options);
    plan.install('kubevirt', version, `${PROPERTY}.version`);
    plan.report(...checkOptions(options));
    (options.operator ?? OperatorManifest.file())._plan(plan, OPERATOR, version, `${PROPERTY}.operator`);
    const manifests = plan.addManifests(NAME, [OPERATOR.delivery]);
    return new KubeVirt(manifests, 'KubeVirt', { metadata: { name: NAME, namespace: NAME, annotations: keepOnPrune() }, spec: specOf(options) });
  }
}

function versionOf({ version }: KubevirtInstallationOptions): string {
  return version ?? pinnedVersion('kubevirt');
}

function gatesOf(options: KubevirtInstallationOptions): string[] {
  const { hotplugVolumes = true, dedicatedCpus = false, permittedHostDevices: devices = [], featureGates = [] } = options;
  return [...new Set([
    ...(hotplugVolumes ? [KUBEVIRT_GATES.hotplugVolumes] : []),
    ...(dedicatedCpus ? [KUBEVIRT_GATES.cpuManager] : []),
    ...(devices.length > 0 ? [KUBEVIRT_GATES.hostDevices] : []),
    ...featureGates,
  ])].sort();
}

function specOf(options: KubevirtInstallationOptions) {
  const { sizing = {}, evictionStrategy, imageRegistry, replicas, infra, workloads, migrateOnUpgrade = true } = options;
  const gates = gatesOf(options);
  const devices = permittedHostDevices(options.permittedHostDevices ?? []);
  const developer = {
    ...(gates.length > 0 && { featureGates: gates }),
    ...(sizing.cpuAllocationRatio !== undefined && { cpuAllocationRatio: sizing.cpuAllocationRatio }),
    ...(sizing.memoryOvercommit !== undefined && { memoryOvercommit: sizing.memoryOvercommit }),
  };
  return {
    configuration: {
      ...(Object.keys(developer).length > 0 && { developerConfiguration: developer }),
      ...(devices && { permittedHostDevices: devices }),
      ...(evictionStrategy !== undefined && { evictionStrategy }),
    },
    imagePullPolicy: 'IfNotPresent',
    ...(imageRegistry !== undefined && { imageRegistry }),
    ...((infra || replicas !== undefined) && {
      infra: { ...(infra && { nodePlacement: { ...infra } }), ...(replicas !== undefined && { replicas }) },
    }),
    ...(workloads && { workloads: { nodePlacement: { ...workloads } } }),
    uninstallStrategy: 'BlockUninstallIfWorkloadsExist',
    ...(migrateOnUpgrade && { workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] } }),
  };
}

function checkOptions(options: KubevirtInstallationOptions): Problem[] {
  const { featureGates = [], permittedHostDevices: devices = [], imageRegistry, replicas, sizing = {}, infra, workloads } = options;
  return [
    ...checkPermittedHostDevices(`${PROPERTY}.permittedHostDevices`, devices),
    ...featureGates.flatMap((gate, index) => (/^[A-Z][A-Za-z0-9]*$/.test(gate) ? [] : [{
      rule: MANAGEMENT_RULES.featureGate, property: `${PROPERTY}.featureGates[${index}]`, message: `${JSON.stringify(gate)} is no name of a feature gate`, fix: 'write it as KubeVirt does, e.g. "Snapshot"',
    }])),
    ...checkSizing(sizing, `${PROPERTY}.sizing`),
    ...checkReplicas(`${PROPERTY}.replicas`, replicas),
    ...checkPlacement(`${PROPERTY}.infra`, infra),
    ...checkPlacement(`${PROPERTY}.workloads`, workloads),
    ...(imageRegistry === undefined || isRepository(imageRegistry) ? [] : [{
      rule: MANAGEMENT_RULES.image, property: `${PROPERTY}.imageRegistry`, message: `"${imageRegistry}" is no registry with a path`, fix: 'write e.g. "registry.example.com/kubevirt"',
    }]),
  ];
}

function isRepository(text: string): boolean {
  const { name, tag, digest } = parseImageReference(text) ?? {};
  return name === text && tag === undefined && digest === undefined;
}
