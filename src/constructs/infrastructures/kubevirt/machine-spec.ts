import { Duration } from 'cdk8s';
import { renderGpus, renderHostDevices } from './devices';
import { renderDisk, RenderedDisk, ROOT_DISK } from './disk';
import { renderFirmware, renderTpm } from './firmware';
import { KubevirtMachineProps } from './kubevirt-machine-props';
import { BootstrapCheck, defaultEvictionStrategy, defaultRunStrategy, EvictionStrategy, isMigrated, RunStrategy } from './life-cycle';
import { poolLabels } from './metadata';
import { PrimaryNetwork, renderAdditionalNetworks } from './network';
import { HostSpread, renderSpread } from './placement';
import { sizeText } from './size-text';
import { renderSizing } from './sizing';
import { InstanceFields, VirtualMachineFields } from './template-types';
import {
  KubevirtMachineTemplateSpecTemplateSpec, KubevirtMachineTemplateSpecTemplateSpecVirtualMachineBootstrapCheckCheckStrategy, Quantity,
} from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { unlessEmpty } from '../../../manifests/values/fields';
import { ClusterContext } from '../../contracts/cluster-context';
import { PoolContext } from '../../contracts/node-pool/pool-context';

const DEFAULT_GRACE_PERIOD = Duration.minutes(3);

/** `spec` of the VirtualMachine and of its instance, in a machine template. */
const MACHINE = 'spec.template.spec.virtualMachineTemplate.spec';
const INSTANCE = `${MACHINE}.template.spec`;

/**
 * After the crash of a host, KubeVirt starts a machine again once its pod has ended, at the latest when the host is back
 * (kubevirt/kubevirt pkg/virt-controller/watch/node/node.go). A host reboots within this time.
 */
const RESTART_TIME = Duration.minutes(10);

/**
 * Renders what every machine of a pool is cloned from. What is not given is left out, so that a later release can offer more without
 * changing, and thereby replacing, machines that do not use it.
 */
export function renderMachine(props: KubevirtMachineProps, context: PoolContext): KubevirtMachineTemplateSpecTemplateSpec {
  return {
    // Left out, the API server or the provider would take SSH.
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
export function machineSources(props: KubevirtMachineProps, property: string): { [field: string]: string } {
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
  const migrated = isMigrated(evictionStrategyOf(props, context.cluster));
  return {
    ...renderSizing(props).machine,
    runStrategy: runStrategyOf(props, context.cluster),
    dataVolumeTemplates: unlessEmptyList(disks.flatMap(({ dataVolume }) => dataVolume ?? [])),
    template: {
      metadata: {
        labels: { ...props.podLabels, ...labels },
        annotations: unlessEmpty({ ...networkOf(props)._podAnnotations(migrated), ...props.podAnnotations }),
      },
      spec: renderInstance(props, context.cluster, disks, labels),
    },
  };
}

function renderInstance(
  props: KubevirtMachineProps, cluster: ClusterContext, disks: readonly RenderedDisk[], labels: { [key: string]: string },
): InstanceFields {
  const network = networkOf(props);
  const further = renderAdditionalNetworks(props.additionalNetworks ?? []);
  const storage = props.podEphemeralStorage && { 'ephemeral-storage': Quantity.fromString(sizeText(props.podEphemeralStorage)) };
  return {
    evictionStrategy: evictionStrategyOf(props, cluster),
    terminationGracePeriodSeconds: (props.terminationGracePeriod ?? DEFAULT_GRACE_PERIOD).toSeconds({ integral: false }),
    nodeSelector: unlessEmpty(props.nodeSelector),
    tolerations: unlessEmptyList(props.tolerations ?? []),
    topologySpreadConstraints: renderSpread(props.spreadOverHosts ?? HostSpread.PREFERRED, labels),
    priorityClassName: props.priorityClassName,
    schedulerName: props.schedulerName,
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

/** What happens to the machine when its host is drained. */
export function evictionStrategyOf({ evictionStrategy }: KubevirtMachineProps, { infrastructure }: ClusterContext): EvictionStrategy {
  return evictionStrategy ?? defaultEvictionStrategy(infrastructure.inManagementCluster ?? true);
}

/** When KubeVirt starts the machine again. */
export function runStrategyOf(props: KubevirtMachineProps, cluster: ClusterContext): RunStrategy {
  return props.runStrategy ?? defaultRunStrategy(props.rootDisk._source.persistent, evictionStrategyOf(props, cluster));
}

/** How long a machine that failed takes to run again as the same node; undefined where it does not. */
export function restartTimeOf(props: KubevirtMachineProps): Duration | undefined {
  return props.rootDisk._source.persistent && props.runStrategy !== RunStrategy.ONCE ? RESTART_TIME : undefined;
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
