import { checkDiskOffer } from './disk-offer';
import { INFRA_CLUSTER_RULES } from './rules';
import { INFRA_PLACE } from './storage-offer';
import { Rule } from '../../../../manifests/values/problem';
import { PropertyReport } from '../../../app/problems/property-report';
import { InfraClusterCapabilities, InstanceTypeCapacity } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { checkOffered, Offer } from '../../../contracts/capabilities/offered';
import { checkPriorityClass } from '../../../contracts/capabilities/priority-class';
import { ClusterContext } from '../../../contracts/cluster-context';
import { HostDevice } from '../devices';
import { InstanceTypeKind, KubevirtMachineProps, PreferenceKind } from '../kubevirt-machine-props';
import { evictionStrategyOf } from '../machine-spec';
import { sizeText } from '../size-text';

/** Reports what the machines of a pool ask for that the cluster that runs them does not offer, as far as that is known. */
export function checkMachineOffer(report: PropertyReport, props: KubevirtMachineProps, context: ClusterContext): void {
  const { infraCluster, infrastructure, namespace } = context;
  if (!infraCluster) return;
  const eviction = evictionStrategyOf(props, context);
  checkDiskOffer(report.at('rootDisk'), props.rootDisk._source, context, infraCluster, eviction);
  props.extraDisks?.forEach((disk, index) => checkDiskOffer(report.at('extraDisks').item(index), disk._source, context, infraCluster, eviction));
  checkSizingOffer(report, props, infraCluster);
  // Which namespace machines have in another cluster, its kubeconfig says.
  checkNetworks(report, props, infraCluster, infrastructure.inManagementCluster ? namespace : undefined);
  checkDevices(report.at('gpus'), props.gpus, infraCluster);
  checkDevices(report.at('hostDevices'), props.hostDevices, infraCluster);
  requireGate(report.at('dedicatedCpus'), props.dedicatedCpus === true, ['CPUManager'], infraCluster);
  requireGate(report.at('hostDevices'), (props.hostDevices ?? []).length > 0, ['HostDevices'], infraCluster);
  report.at('priorityClassName').addAll(INFRA_CLUSTER_RULES.priorityClass, checkPriorityClass(props.priorityClassName, infraCluster, INFRA_PLACE));
}

/** The capacity of an instance type in the cluster that runs the machines; undefined if it is not declared. */
export function offeredCapacity(
  { instanceType, instanceTypeKind }: KubevirtMachineProps, offered: InfraClusterCapabilities | undefined,
): InstanceTypeCapacity | undefined {
  if (instanceType === undefined || instanceTypeKind === InstanceTypeKind.NAMESPACED) return undefined;
  return offered?.instanceTypes?.find(({ name }) => name === instanceType)?.capacity;
}

/** Reports a feature of KubeVirt that is used while none of the gates that bring it is on. */
export function requireGate(report: PropertyReport, used: boolean, gates: readonly string[], offered: InfraClusterCapabilities): void {
  const { kubevirtFeatureGates: on } = offered;
  if (!used || on === undefined || gates.some((gate) => on.includes(gate))) return;
  report.add(INFRA_CLUSTER_RULES.featureGate, {
    message: `KubeVirt has it only behind the feature gate ${gates.join(' or ')}, which ${INFRA_PLACE} does not have on`,
    fix: `do without, or add ${gates[0]} to the KubeVirt object and to kubevirtFeatureGates of the capabilities`,
  });
}

function checkSizingOffer(report: PropertyReport, props: KubevirtMachineProps, offered: InfraClusterCapabilities): void {
  const { instanceType, instanceTypeKind, preference, preferenceKind, capacity } = props;
  const types = offered.instanceTypes?.map(({ name }) => name);
  if (instanceTypeKind !== InstanceTypeKind.NAMESPACED) {
    expectOffered(report.at('instanceType'), INFRA_CLUSTER_RULES.instanceType, instanceType, { kind: 'instance type', list: 'instanceTypes', names: types });
  }
  if (preferenceKind !== PreferenceKind.NAMESPACED) {
    expectOffered(report.at('preference'), INFRA_CLUSTER_RULES.preference, preference, { kind: 'preference', list: 'preferences', names: offered.preferences });
  }
  const size = offeredCapacity(props, offered);
  if (!capacity || !size || (capacity.cpu === size.cpu && sizeText(capacity.memory) === sizeText(size.memory))) return;
  report.at('capacity').add(INFRA_CLUSTER_RULES.instanceTypeSize, {
    message: `it says ${textOf(capacity)}, and the instance type "${instanceType}" of ${INFRA_PLACE} has ${textOf(size)}`,
    fix: 'leave it out, or correct the wrong one of the two',
  });
}

function checkNetworks(
  report: PropertyReport, props: KubevirtMachineProps, { networks }: InfraClusterCapabilities, namespace: string | undefined,
): void {
  const { network, additionalNetworks = [] } = props;
  if (networks === undefined) return;
  const primary = network?._network().multus?.networkName;
  if (primary !== undefined) checkNetwork(report.at('network').at('networkName'), primary, networks, namespace);
  additionalNetworks.forEach(({ networkName }, index) => {
    checkNetwork(report.at('additionalNetworks').item(index).at('networkName'), networkName, networks, namespace);
  });
}

function checkNetwork(report: PropertyReport, networkName: string, networks: readonly string[], namespace: string | undefined): void {
  if (namespace === undefined && !networkName.includes('/')) return;
  const full = networkName.includes('/') ? networkName : `${namespace}/${networkName}`;
  const [owner, name] = full.split('/');
  const elsewhere = networks.find((other) => other.endsWith(`/${name}`));
  if (networks.includes(full) || (owner === namespace && elsewhere === undefined)) return;
  const [finding] = checkOffered(full, { place: INFRA_PLACE, kind: 'NetworkAttachmentDefinition', list: 'networks', names: networks });
  const fix = elsewhere === undefined ? finding.fix : `write "${elsewhere}" if you mean that, or add "${full}" to networks of the capabilities if it is there`;
  report.addAll(INFRA_CLUSTER_RULES.network, [{ ...finding, fix }]);
}

function checkDevices(report: PropertyReport, devices: readonly HostDevice[] = [], { deviceNames: names }: InfraClusterCapabilities): void {
  devices.forEach(({ deviceName }, index) => {
    expectOffered(report.item(index).at('deviceName'), INFRA_CLUSTER_RULES.device, deviceName, { kind: 'permitted device', list: 'deviceNames', names });
  });
}

function expectOffered(report: PropertyReport, rule: Rule, name: string | undefined, offer: Omit<Offer, 'place'>): void {
  report.addAll(rule, checkOffered(name, { place: INFRA_PLACE, ...offer }));
}

function textOf({ cpu, memory }: InstanceTypeCapacity): string {
  return `${cpu} CPUs and ${sizeText(memory)}`;
}
