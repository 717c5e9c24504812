import { FEATURE_GATE_RULE } from './cluster-api-feature-gates';
import { checkPlacement, checkReplicas, ComponentPlacement, IMAGE_RULE } from './component-options';
import { ManagementPlan } from './management-plan';
import { OperatorManifest } from './operator-manifest';
import { checkPermittedHostDevices, PermittedHostDevice, permittedHostDevices } from './permitted-host-device';
import { minorOf, pinnedVersion } from './version-matrix';
import { KubeVirt } from '../../../imports/kubevirt.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { KUBEVIRT_GATES, openGates } from '../../manifests/systems/kubevirt/feature-gates';
import { CatalogName } from '../../manifests/values/catalog';
import { parseImageReference } from '../../manifests/values/image-reference';
import { Problem } from '../../manifests/values/problem';
import { KubevirtPodSizing } from '../contracts/capabilities/infra-cluster-capabilities';
import { checkPodSizing } from '../infrastructures/kubevirt/machine-size';

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

/** Options of the installation of KubeVirt. */
export interface KubevirtInstallationOptions {
  /**
   * Version of KubeVirt (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;

  /**
   * Source of the manifests of the operator.
   *
   * @default OperatorManifest.file()
   */
  readonly operator?: OperatorManifest;

  /**
   * True if volumes can be attached to running machines (gate `HotplugVolumes`). KubeVirt's CSI driver, the storage of tenants, needs it.
   * KubeVirt 1.9 attaches without the gate, but then detaches nothing from a machine whose volume was removed from its definition.
   *
   * @default true
   */
  readonly hotplugVolumes?: boolean;

  /**
   * True if machines can have dedicated CPUs (gate `CPUManager`). The kubelets of the hosts need the static CPU manager policy.
   *
   * @default false
   */
  readonly dedicatedCpus?: boolean;

  /**
   * Host devices that machines may use. A device enables the gate `HostDevices`.
   *
   * Rule: `TC-MANAGEMENT-DEVICE`.
   *
   * @default - none
   */
  readonly permittedHostDevices?: PermittedHostDevice[];

  /**
   * Further feature gates. Live migration, GPUs, NUMA, network binding plugins and automatic limits need none.
   *
   * Rule: `TC-MANAGEMENT-FEATURE-GATE`.
   *
   * @default - none
   */
  readonly featureGates?: string[];

  /**
   * Sizing of the requests of a machine's pod: `cpuAllocationRatio` and `memoryOvercommit` (`TC-ISOLATION-SIZING`).
   *
   * @default - KubeVirt's own: 10 machine CPUs to a requested one, and no overcommitment of memory
   */
  readonly sizing?: KubevirtPodSizing;

  /**
   * Default eviction strategy of machines when their host is drained: `LiveMigrate`, `LiveMigrateIfPossible`, `External` or `None`.
   *
   * @default - `None`, as in KubeVirt; machines of this library set their own
   */
  readonly evictionStrategy?: ClusterEvictionStrategy;

  /**
   * True if an upgrade of KubeVirt moves running machines to the new version by live migration, where it is possible. Other machines stay
   * on the old version until they restart. These include machines of this library on the pod network whose `evictionStrategy` is not a
   * migration.
   *
   * @default true
   */
  readonly migrateOnUpgrade?: boolean;

  /**
   * Registry and path of KubeVirt's images, e.g. `registry.example.com/kubevirt`. The image of the operator itself is in its manifest: use
   * `OperatorManifest.file`.
   *
   * @default - the registry of the operator's image
   */
  readonly imageRegistry?: string;

  /**
   * Number of replicas of virt-api and virt-controller (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default - 2, or more in clusters with many nodes
   */
  readonly replicas?: number;

  /**
   * Nodes for virt-api and virt-controller.
   *
   * @default - control plane nodes, if the cluster has any
   */
  readonly infra?: ComponentPlacement;

  /**
   * Nodes for machines: those that virt-handler runs on.
   *
   * @default - every node
   */
  readonly workloads?: ComponentPlacement;
}

/** Action for a machine when its host is drained. */
export enum ClusterEvictionStrategy {
  /** The machine moves to another host, and the drain waits. A machine that cannot move blocks the drain. */
  LIVE_MIGRATE = 'LiveMigrate',

  /** The machine moves to another host if possible, and is shut down otherwise. */
  LIVE_MIGRATE_IF_POSSIBLE = 'LiveMigrateIfPossible',

  /** The drain waits until another controller removes the machine. Cluster API's KubeVirt provider drains the node in it first. */
  EXTERNAL = 'External',

  /** The machine is shut down. */
  NONE = 'None',
}

/**
 * Installation of KubeVirt in the management cluster.
 *
 * @example
 * const kubevirt = management.KubevirtInstallation.operator({
 *   permittedHostDevices: [management.PermittedHostDevice.pci('nvidia.com/GA102GL_A10', '10DE:2236')],
 * });
 */
export class KubevirtInstallation {
  /**
   * This app installs KubeVirt's operator from the manifests of its release, and configures it with a `KubeVirt` object. KubeVirt cannot
   * be removed while machines exist.
   *
   * Source: kubevirt/kubevirt release assets kubevirt-operator.yaml and kubevirt-cr.yaml.
   *
   * @param options what differs from the defaults
   */
  public static operator(options: KubevirtInstallationOptions = {}): KubevirtInstallation {
    return new KubevirtInstallation(options);
  }

  /** This app does not install KubeVirt: it is already installed, or machines run elsewhere. */
  public static existing(): KubevirtInstallation {
    return new KubevirtInstallation(undefined);
  }

  private constructor(private readonly options: KubevirtInstallationOptions | undefined) {}

  /**
   * Resource names of the permitted devices, if known.
   *
   * @internal
   */
  public get _deviceNames(): string[] | undefined {
    return this.options && (this.options.permittedHostDevices ?? []).map(({ resourceName }) => resourceName).sort();
  }

  /**
   * Feature gates that are on, if known.
   *
   * @internal
   */
  public _featureGates(versions: CatalogName): string[] | undefined {
    if (!this.options) return undefined;
    const minor = minorOf('kubevirt', versionOf(this.options, versions));
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
    const version = versionOf(options, plan.catalog);
    plan.install('kubevirt', version, `${PROPERTY}.version`);
    plan.report(...checkKubevirt(options));
    (options.operator ?? OperatorManifest.file())._plan(plan, OPERATOR, version, `${PROPERTY}.operator`);
    const manifests = plan.addManifests(NAME, [OPERATOR.delivery]);
    return new KubeVirt(manifests, 'KubeVirt', { metadata: { name: NAME, namespace: NAME, annotations: keepOnPrune() }, spec: specOf(options, plan.pullSecrets) });
  }
}

function versionOf({ version }: KubevirtInstallationOptions, versions: CatalogName): string {
  return version ?? pinnedVersion('kubevirt', versions);
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

function specOf(options: KubevirtInstallationOptions, pullSecrets: ManagementPlan['pullSecrets']) {
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
    ...(pullSecrets && { imagePullSecrets: [...pullSecrets] }),
    ...(imageRegistry !== undefined && { imageRegistry }),
    ...((infra || replicas !== undefined) && {
      infra: { ...(infra && { nodePlacement: { ...infra } }), ...(replicas !== undefined && { replicas }) },
    }),
    ...(workloads && { workloads: { nodePlacement: { ...workloads } } }),
    uninstallStrategy: 'BlockUninstallIfWorkloadsExist',
    ...(migrateOnUpgrade && { workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] } }),
  };
}

function checkKubevirt(options: KubevirtInstallationOptions): Problem[] {
  const { featureGates = [], permittedHostDevices: devices = [], imageRegistry, replicas, sizing = {}, infra, workloads } = options;
  return [
    ...checkPermittedHostDevices(`${PROPERTY}.permittedHostDevices`, devices),
    ...featureGates.flatMap((gate, index) => (/^[A-Z][A-Za-z0-9]*$/.test(gate) ? [] : [{
      rule: FEATURE_GATE_RULE, property: `${PROPERTY}.featureGates[${index}]`, message: `${JSON.stringify(gate)} is not the name of a feature gate`, fix: 'write it as KubeVirt does, e.g. "Snapshot"',
    }])),
    ...checkPodSizing(sizing, `${PROPERTY}.sizing`),
    ...checkReplicas(`${PROPERTY}.replicas`, replicas),
    ...checkPlacement(`${PROPERTY}.infra`, infra),
    ...checkPlacement(`${PROPERTY}.workloads`, workloads),
    ...(imageRegistry === undefined || isRepository(imageRegistry) ? [] : [{
      rule: IMAGE_RULE, property: `${PROPERTY}.imageRegistry`, message: `"${imageRegistry}" is not a registry with a path`, fix: 'write e.g. "registry.example.com/kubevirt"',
    }]),
  ];
}

function isRepository(text: string): boolean {
  const { name, tag, digest } = parseImageReference(text) ?? {};
  return name === text && tag === undefined && digest === undefined;
}
