import { Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { checkGpus, checkHostDevices, gpuResources, renderFirmware, renderGpus, renderHostDevices, renderTpm } from './devices';
import { checkDiskSize, checkObjectName, renderDisk, RenderedDisk, ROOT_DISK, sizeText } from './disk';
import { checkExtraDisks } from './extra-disk';
import { checkMachineRequirements, instanceTypeCapacity } from './infra-cluster/machine-requirements';
import { ANNOTATION_RULE, KUBEVIRT_CLUSTER_KIND, LABEL_RULE } from './kubevirt-infrastructure';
import { HostSpread, KubevirtMachineProps } from './kubevirt-machine-props';
import { sharedVolume } from './live-migration';
import {
  BootstrapCheck, checkBootstrapCheck, checkControlPlaneReturn, checkEviction, EvictionStrategy, evictionStrategyOf, isMigrated,
  restartTimeOf, runStrategyOf,
} from './machine-life-cycle';
import { checkGuestSize, checkSizing, checkUnusualSize, renderSizing } from './machine-size';
import { checkAdditionalNetworks, PrimaryNetwork, renderAdditionalNetworks } from './network';
import { checkServiceProbe, serviceProbe } from './service-probe';
import { InstanceFields, VirtualMachineFields } from './template-types';
import {
  KubevirtMachineTemplate, KubevirtMachineTemplateSpecTemplateSpec,
  KubevirtMachineTemplateSpecTemplateSpecVirtualMachineBootstrapCheckCheckStrategy, Quantity,
} from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { unlessEmpty } from '../../../manifests/values/fields';
import { checkAnnotations, checkLabels } from '../../../manifests/values/labels';
import { Rule } from '../../../manifests/values/problem';
import { checkTolerations } from '../../../manifests/values/taints';
import { Problems, PropertyReport } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { HOST_LABEL } from '../../contracts/capabilities/infra-hosts';
import { ClusterContext } from '../../contracts/cluster-context';
import { Machine, MachineConfig } from '../../contracts/machine';
import { MachineCapacity, noteCapacity } from '../../contracts/machine-capacity';
import { isShortEnough } from '../../contracts/node-pool/node-pool-props';
import { PoolContext } from '../../contracts/node-pool/pool-context';
import { secondsOf, TIMEOUT_RULE } from '../../contracts/node-pool/timeouts';

const CLUSTER_NAME = 'cluster.x-k8s.io/cluster-name';
const DEPLOYMENT_NAME = 'cluster.x-k8s.io/deployment-name';
const ROLE = 'cluster.x-k8s.io/role';

const DEFAULT_GRACE_PERIOD = Duration.minutes(3);

/** `spec` of the VirtualMachine and of its instance, in a machine template. */
const MACHINE = 'spec.template.spec.virtualMachineTemplate.spec';
const INSTANCE = `${MACHINE}.template.spec`;

const MAX_NAME_LENGTH = 63;

/** Characters that Cluster API adds to a MachineDeployment's name: `-` and five characters, once for the MachineSet and once for the Machine. */
const MACHINE_SUFFIX_LENGTH = 12;

/** The same for the name of a control plane: `-` and five characters for the Machine. */
const CONTROL_PLANE_SUFFIX_LENGTH = 6;

/**
 * Nodes that are KubeVirt virtual machines, made by the Cluster API provider for KubeVirt.
 *
 * Fields that have no property here can be set by a patch on the pool's machine template.
 *
 * @example
 * new KubevirtMachine({
 *   cpu: 8,
 *   memory: Size.gibibytes(32),
 *   rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),
 *   gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }],
 * });
 */
export class KubevirtMachine extends Machine {
  /** Kind of infrastructure object that such machines belong to. */
  public readonly infrastructureKind: string = KUBEVIRT_CLUSTER_KIND;

  /** Capacity of one machine by its properties alone; undefined with an instance type whose `capacity` is not set. */
  public readonly capacity?: MachineCapacity;

  /**
   * `InfrastructureReady`, which Cluster API takes over from the `KubevirtMachine`: `False` while no ready VirtualMachineInstance exists
   * (kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go).
   */
  public override readonly watchedConditions: string[] = ['InfrastructureReady'];

  /** True unless `spreadOverHosts` says otherwise. */
  public override readonly separable: boolean;

  /** Ten minutes if the machine restarts from a root disk that keeps its data: its host may have to start first. */
  public override readonly restartTime?: Duration;

  public constructor(private readonly props: KubevirtMachineProps) {
    super();
    this.capacity = capacityOf(props);
    this.restartTime = restartTimeOf(props);
    this.separable = (props.spreadOverHosts ?? HostSpread.REQUIRED) === HostSpread.REQUIRED;
  }

  /**
   * Capacity of one machine in a cluster. If the properties do not state it, it is the size that the infrastructure cluster declares for the
   * instance type.
   *
   * @param cluster the cluster
   */
  public override capacityIn(cluster: ClusterContext): MachineCapacity | undefined {
    return this.capacity ?? capacityOf({ ...this.props, capacity: instanceTypeCapacity(this.props, cluster.infraCluster) });
  }

  /**
   * Number of hosts that the machines can be on, by the `hosts` of the cluster that runs them and `nodeSelector`.
   *
   * @param cluster the cluster
   * @returns undefined if it is not known, or the machines need devices that not all hosts have
   */
  public override hostsIn(cluster: ClusterContext): number | undefined {
    return hasDevices(this.props, cluster) ? undefined : cluster.infraCluster?.hosts?._selectedBy(this.props.nodeSelector ?? {});
  }

  /**
   * Makes the `KubevirtMachineTemplate` of one pool.
   *
   * @param scope the parent construct
   * @param context the pool it belongs to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const report = new PropertyReport(Problems.of(scope), 'machine');
    checkMachine(report, this.props, context);
    checkMachineRequirements(report, this.props, context.cluster);
    const template = new KubevirtMachineTemplate(scope, 'Resource', {
      metadata: { name: context.name },
      spec: { template: { spec: renderMachine(this.props, context) } },
    });
    FieldSources._record(template, scope, () => machineSources(this.props, report.property));
    noteCapacity(template, this.capacity);
    return { template };
  }
}

/** Stands in for a refused size, so that other checks do not report what follows from it. */
const PLACEHOLDER = { cpu: 4, memory: Size.gibibytes(16) };

function capacityOf({ cpu, memory, capacity, gpus = [], rootDisk }: KubevirtMachineProps): MachineCapacity | undefined {
  const given = capacity ?? (cpu !== undefined && memory !== undefined ? { cpu, memory } : undefined);
  if (!given) return undefined;
  const refused = new Set(checkGuestSize(given).map(([property]) => property));
  const size = { cpu: refused.has('cpu') ? PLACEHOLDER.cpu : given.cpu, memory: refused.has('memory') ? PLACEHOLDER.memory : given.memory };
  const resources = gpuResources(gpus, capacity?.gpus);
  return { cpu: size.cpu, memory: size.memory, ephemeralStorage: rootDisk._source.size, gpus: resources.length > 0 ? resources : undefined };
}

/** Labels by which the pods of a pool's or control plane's virtual machines are selected. The KubeVirt provider sets name and role, too. */
function poolLabels({ cluster, name, controlPlane }: PoolContext): { [key: string]: string } {
  return { [CLUSTER_NAME]: cluster.name, ...(controlPlane ? { [ROLE]: 'control-plane' } : { [DEPLOYMENT_NAME]: name }) };
}

/**
 * Renders the template of a pool's machines. Unset options are left out, so that a later release can offer more of them without replacing
 * machines that do not use them.
 */
function renderMachine(props: KubevirtMachineProps, context: PoolContext): KubevirtMachineTemplateSpecTemplateSpec {
  return {
    // The default of the API server and of the provider is SSH.
    virtualMachineBootstrapCheck: { checkStrategy: checkStrategyOf(props.bootstrapCheck ?? BootstrapCheck.NONE) },
    virtualMachineTemplate: {
      metadata: unlessEmpty({ labels: unlessEmpty(props.labels), annotations: unlessEmpty(props.annotations) }),
      spec: renderVirtualMachine(props, context),
    },
  };
}

/**
 * The properties that the fields of a machine template come from.
 *
 * @param props the machine
 * @param property the property that the machine is given in
 */
function machineSources(props: KubevirtMachineProps, property: string): { [field: string]: string } {
  const { rootDisk, extraDisks = [], additionalNetworks = [] } = props;
  const disks = [
    { source: rootDisk._source, from: `${property}.rootDisk`, name: `${property}.rootDisk` },
    ...extraDisks.map(({ _source: source }, index) => ({ source, from: `${property}.extraDisks[${index}]`, name: `${property}.extraDisks[${index}].name` })),
  ];
  const networks = [`${property}.network`, ...additionalNetworks.map((_, index) => `${property}.additionalNetworks[${index}].name`)];
  const entries = [
    [`${MACHINE}.instancetype`, `${property}.instanceType`],
    [`${MACHINE}.runStrategy`, `${property}.runStrategy`],
    [`${INSTANCE}.evictionStrategy`, `${property}.evictionStrategy`],
    [`${INSTANCE}.readinessProbe.**`, `${property}.serviceProbe`],
    [`${INSTANCE}.topologySpreadConstraints`, `${property}.spreadOverHosts`],
    [`${INSTANCE}.terminationGracePeriodSeconds`, `${property}.terminationGracePeriod`],
    ...disks.filter(({ source }) => source.dataVolume).map(({ source, from }, index) => (
      [`${MACHINE}.dataVolumeTemplates[${index}].spec.**`, 'dataVolumeSpec' in source.options ? `${from}.dataVolumeSpec.**` : from]
    )),
    ...disks.flatMap(({ name }, index) => [`${INSTANCE}.domain.devices.disks[${index}].name`, `${INSTANCE}.volumes[${index}].name`].map((field) => [field, name])),
    ...disks.map(({ from }, index) => [`${INSTANCE}.domain.devices.disks[${index}].blockSize.custom.**`, `${from}.blockSize.**`]),
    ...networks.flatMap((name, index) => [`${INSTANCE}.domain.devices.interfaces[${index}].name`, `${INSTANCE}.networks[${index}].name`].map((field) => [field, name])),
  ];
  return Object.fromEntries(entries) as { [field: string]: string };
}

function renderVirtualMachine(props: KubevirtMachineProps, context: PoolContext): VirtualMachineFields {
  const disks = disksOf(props, context.cluster);
  const labels = poolLabels(context);
  const eviction = evictionStrategyOf(props, context.cluster);
  return {
    ...renderSizing(props).machine,
    runStrategy: runStrategyOf(props, context.cluster),
    dataVolumeTemplates: unlessEmptyList(disks.flatMap(({ dataVolume }) => (
      (eviction === EvictionStrategy.LIVE_MIGRATE ? sharedVolume(dataVolume) : dataVolume) ?? []))),
    template: {
      metadata: {
        labels: { ...props.podLabels, ...labels },
        annotations: unlessEmpty({ ...networkOf(props)._podAnnotations(isMigrated(eviction)), ...props.podAnnotations }),
      },
      spec: renderInstance(props, context, disks, labels),
    },
  };
}

function renderInstance(
  props: KubevirtMachineProps, context: PoolContext, disks: readonly RenderedDisk[], labels: { [key: string]: string },
): InstanceFields {
  const { cluster, separateHosts } = context;
  const network = networkOf(props);
  const further = renderAdditionalNetworks(props.additionalNetworks ?? []);
  const storage = props.podEphemeralStorage && { 'ephemeral-storage': Quantity.fromString(sizeText(props.podEphemeralStorage)) };
  return {
    evictionStrategy: evictionStrategyOf(props, cluster),
    terminationGracePeriodSeconds: (props.terminationGracePeriod ?? DEFAULT_GRACE_PERIOD).toSeconds({ integral: false }),
    nodeSelector: unlessEmpty(props.nodeSelector),
    tolerations: unlessEmptyList(props.tolerations ?? []),
    topologySpreadConstraints: renderSpread(props.spreadOverHosts ?? (separateHosts ? HostSpread.REQUIRED : HostSpread.PREFERRED), labels),
    priorityClassName: props.priorityClassName,
    schedulerName: props.schedulerName,
    readinessProbe: serviceProbe(props.serviceProbe, network, context),
    domain: {
      ...renderSizing(props).domain,
      ...renderFirmware(props.firmware),
      resources: storage && { requests: storage, limits: storage },
      devices: {
        disks: disks.map(({ disk }) => disk),
        interfaces: [network._interface(), ...further.interfaces],
        networkInterfaceMultiqueue: true,
        gpus: renderGpus(props.gpus ?? []),
        hostDevices: renderHostDevices(props.hostDevices ?? []),
        tpm: renderTpm(props.tpm),
        logSerialConsole: props.logSerialConsole,
      },
    },
    networks: [network._network(), ...further.networks],
    volumes: disks.map(({ volume }) => volume),
  };
}

function disksOf(props: KubevirtMachineProps, cluster: ClusterContext): RenderedDisk[] {
  return [
    renderDisk(ROOT_DISK, props.rootDisk._source, cluster),
    ...(props.extraDisks ?? []).map((disk) => disk._render(cluster)),
  ];
}

function networkOf(props: KubevirtMachineProps): PrimaryNetwork {
  return props.network ?? PrimaryNetwork.bridge();
}

function checkStrategyOf(check: BootstrapCheck): KubevirtMachineTemplateSpecTemplateSpecVirtualMachineBootstrapCheckCheckStrategy {
  return check === BootstrapCheck.SSH
    ? KubevirtMachineTemplateSpecTemplateSpecVirtualMachineBootstrapCheckCheckStrategy.SSH
    : KubevirtMachineTemplateSpecTemplateSpecVirtualMachineBootstrapCheckCheckStrategy.NONE;
}

function unlessEmptyList<T>(items: readonly T[]): T[] | undefined {
  return items.length > 0 ? [...items] : undefined;
}

/**
 * Spreads the pods of virtual machines over hosts, by their labels. A host that is drained or down would be one without machines, to which an
 * even spread waits to put the next one.
 */
function renderSpread(spread: HostSpread, matchLabels: { [key: string]: string }): InstanceFields['topologySpreadConstraints'] {
  if (spread === HostSpread.NONE) return undefined;
  return [{
    maxSkew: 1,
    topologyKey: HOST_LABEL,
    whenUnsatisfiable: spread,
    labelSelector: { matchLabels },
    ...(spread === HostSpread.REQUIRED && { nodeTaintsPolicy: 'Honor' }),
  }];
}

const TOLERATION_RULE: Rule = {
  id: 'TC-KUBEVIRT-TOLERATION',
  title: 'Tolerations must have a valid combination of key and operator, and a time only with NoExecute.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
};

/** Checks the machines of a pool. */
function checkMachine(report: PropertyReport, props: KubevirtMachineProps, context: PoolContext): void {
  checkSizing(report, props);
  checkUnusualSize(report, props);
  props.rootDisk._source.check(report.at('rootDisk'), context.cluster);
  checkExtraDisks(report.at('extraDisks'), props.extraDisks ?? [], context.cluster);
  checkDiskSize(report.at('podEphemeralStorage'), props.podEphemeralStorage);
  props.network?._check(report.at('network'));
  checkServiceProbe(report.at('serviceProbe'), props.serviceProbe, context);
  checkAdditionalNetworks(report.at('additionalNetworks'), props.additionalNetworks ?? []);
  checkGpus(report.at('gpus'), props.gpus ?? []);
  checkHostDevices(report.at('hostDevices'), props.hostDevices ?? []);
  const [eviction, strategy] = [evictionStrategyOf(props, context.cluster), runStrategyOf(props, context.cluster)];
  // NaN is not serialized, so that manifest rules cannot find it.
  if (props.terminationGracePeriod && !Number.isFinite(secondsOf(props.terminationGracePeriod))) {
    report.at('terminationGracePeriod').add(TIMEOUT_RULE, {
      message: `${secondsOf(props.terminationGracePeriod)} is not a number of seconds`, fix: 'write whole seconds, e.g. Duration.minutes(3)',
    });
  }
  checkEviction(report.at('evictionStrategy'), eviction, props, hasDevices(props, context.cluster), context.cluster);
  if (context.controlPlane) checkControlPlaneReturn(report.at('evictionStrategy'), strategy, props.rootDisk._source.persistent, eviction);
  checkBootstrapCheck(report.at('bootstrapCheck'), props.bootstrapCheck, context);
  report.at('nodeSelector').addAll(LABEL_RULE, checkLabels(props.nodeSelector ?? {}));
  report.at('tolerations').addAll(TOLERATION_RULE, checkTolerations(props.tolerations ?? []));
  checkObjectName(report.at('priorityClassName'), props.priorityClassName);
  checkObjectName(report.at('schedulerName'), props.schedulerName);
  for (const name of ['labels', 'podLabels'] as const) checkMachineLabels(report.at(name), props[name] ?? {});
  for (const name of ['annotations', 'podAnnotations'] as const) report.at(name).addAll(ANNOTATION_RULE, checkAnnotations(props[name] ?? {}));
  checkNameLength(report, props, context);
}

function hasDevices(props: KubevirtMachineProps, { infraCluster }: ClusterContext): boolean {
  const { gpus, hostDevices, capacity = instanceTypeCapacity(props, infraCluster) } = props;
  return [gpus, hostDevices, capacity?.gpus].some((devices) => devices !== undefined && devices.length > 0);
}

const NAME_LENGTH_RULE: Rule = {
  id: 'TC-KUBEVIRT-NAME-LENGTH',
  title: 'The names of machines and their DataVolumes, which derive from that of the pool, must have at most 63 characters.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go, '
    + 'kubernetes-sigs/cluster-api internal/topology/names/names.go',
};

function checkNameLength(report: PropertyReport, props: KubevirtMachineProps, { name, controlPlane }: PoolContext): void {
  // The pool reports a name that is too long.
  if (!controlPlane && !isShortEnough(name)) return;
  const suffix = controlPlane ? CONTROL_PLANE_SUFFIX_LENGTH : MACHINE_SUFFIX_LENGTH;
  const machine = name.length + suffix;
  const volumes = [
    ...(props.rootDisk._source.dataVolume ? [ROOT_DISK] : []),
    ...(props.extraDisks ?? []).filter((disk) => disk._source.dataVolume).map((disk) => disk.name),
  ];
  const longest = volumes.reduce((one, other) => (other.length > one.length ? other : one), '');
  const length = longest === '' ? machine : machine + 1 + longest.length;
  if (length <= MAX_NAME_LENGTH) return;
  const what = longest === '' ? `the names of machines are "${name}" and ${suffix} characters`
    : `the names of volumes are "${name}", ${suffix} characters for the machine, and "-${longest}"`;
  report.add(NAME_LENGTH_RULE, {
    message: `${what}: ${length} characters`,
    accepted: `at most ${MAX_NAME_LENGTH}`,
    fix: `shorten the name of ${shortenable(longest, controlPlane ?? false)} by ${length - MAX_NAME_LENGTH}`,
  });
}

/** The parts of a name that the user can shorten. */
function shortenable(volume: string, controlPlane: boolean): string {
  const owners = controlPlane ? ['the cluster'] : ['the cluster', 'the pool'];
  const names = volume === '' || volume === ROOT_DISK ? owners : [...owners, 'the disk'];
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** Owners of labels on virtual machines and their pods; a trailing slash stands for a whole domain. */
const OWNERS: readonly (readonly [owner: string, keys: readonly string[]])[] = [
  ['the KubeVirt provider', ['kubevirt.io/vm', 'name', ROLE, CLUSTER_NAME, 'capk.cluster.x-k8s.io/']],
  ['the pool', [DEPLOYMENT_NAME]],
  ['KubeVirt', [
    'kubevirt.io', 'kubevirt.io/created-by', 'kubevirt.io/migrationJobUID', 'kubevirt.io/nodeName',
    'kubevirt.io/migrationTargetNodeName', 'kubevirt.io/schedulable', 'kubevirt.io/install-strategy',
  ]],
];

const RESERVED_LABEL_RULE: Rule = {
  id: 'TC-KUBEVIRT-RESERVED-LABEL',
  title: 'Labels must not be set that the KubeVirt provider, KubeVirt or this library sets.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go, '
    + 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go',
};

/** Checks labels for virtual machines or their pods. */
function checkMachineLabels(report: PropertyReport, labels: { [key: string]: string }): void {
  report.addAll(LABEL_RULE, checkLabels(labels));
  report.addAll(RESERVED_LABEL_RULE, Object.keys(labels).flatMap((key) => {
    const owner = ownerOf(key);
    return owner === undefined ? [] : [{ path: [key], message: `the label "${key}" belongs to ${owner}`, fix: 'use a label in a domain of your own' }];
  }));
}

function ownerOf(key: string): string | undefined {
  return OWNERS.find(([, keys]) => keys.some((own) => (own.endsWith('/') ? key.startsWith(own) : key === own)))?.[0];
}
