import { checkDiskRequirements, INFRA_PLACE, requireGate } from './storage-requirements';
import { Rule } from '../../../../manifests/values/problem';
import { PropertyReport } from '../../../app/problems/problems';
import { checkOffered, checkPriorityClass, Offer } from '../../../contracts/capabilities/capability-checks';
import { InfraClusterCapabilities, InstanceTypeCapacity } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { ZONE_LABEL } from '../../../contracts/capabilities/infra-hosts';
import { ClusterContext } from '../../../contracts/cluster-context';
import { HostDevice } from '../devices';
import { sizeText } from '../disk';
import { InstanceTypeKind, KubevirtMachineProps, PreferenceKind } from '../kubevirt-machine-props';
import { evictionStrategyOf } from '../machine-life-cycle';

const PRIORITY_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-PRIORITY-CLASS',
  title: 'The priority class of machines must exist in the cluster that runs them.',
  source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go',
};

const ZONE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-ZONE',
  title: 'A zone in the node selector of machines must be one of the cluster that runs them: no host has the label otherwise, and no machine starts.',
  source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go',
};

/** Checks the machines of a pool against the known capabilities of the cluster that runs them. */
export function checkMachineRequirements(report: PropertyReport, props: KubevirtMachineProps, context: ClusterContext): void {
  const { infraCluster, infrastructure, namespace } = context;
  if (!infraCluster) return;
  const eviction = evictionStrategyOf(props, context);
  checkDiskRequirements(report.at('rootDisk'), props.rootDisk._source, context, infraCluster, eviction);
  props.extraDisks?.forEach((disk, index) => checkDiskRequirements(report.at('extraDisks').item(index), disk._source, context, infraCluster, eviction));
  checkInstanceType(report, props, infraCluster);
  // The namespace of machines in another cluster is in its kubeconfig.
  checkNetworks(report, props, infraCluster, infrastructure.inManagementCluster ? namespace : undefined);
  checkDevices(report.at('gpus'), props.gpus, infraCluster);
  checkDevices(report.at('hostDevices'), props.hostDevices, infraCluster);
  requireGate(report.at('dedicatedCpus'), props.dedicatedCpus === true, ['CPUManager'], infraCluster);
  requireGate(report.at('hostDevices'), (props.hostDevices ?? []).length > 0, ['HostDevices'], infraCluster);
  const zones = Object.keys(infraCluster.hosts?.zones ?? {});
  report.at('nodeSelector').addAll(ZONE_RULE, checkOffered(props.nodeSelector?.[ZONE_LABEL], {
    place: INFRA_PLACE, kind: 'zone', list: 'hosts', names: zones.length > 0 ? zones : undefined,
  }));
  report.at('priorityClassName').addAll(PRIORITY_CLASS_RULE, checkPriorityClass(props.priorityClassName, infraCluster, INFRA_PLACE));
}

/** The capacity of an instance type in the cluster that runs the machines; undefined if it is not declared. */
export function instanceTypeCapacity(
  { instanceType, instanceTypeKind }: KubevirtMachineProps, offered: InfraClusterCapabilities | undefined,
): InstanceTypeCapacity | undefined {
  if (instanceType === undefined || instanceTypeKind === InstanceTypeKind.NAMESPACED) return undefined;
  return offered?.instanceTypes?.find(({ name }) => name === instanceType)?.capacity;
}

const INSTANCE_TYPE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-INSTANCE-TYPE',
  title: 'An instance type must exist in the cluster that runs the machines.',
  source: 'kubevirt/kubevirt pkg/instancetype/find',
};

const INSTANCE_TYPE_SIZE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-INSTANCE-TYPE-SIZE',
  title: 'The size that a pool declares for its instance type must match the cluster that runs the machines.',
};

const PREFERENCE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-PREFERENCE',
  title: 'A preference must exist in the cluster that runs the machines.',
  source: 'kubevirt/kubevirt pkg/instancetype/preference/find',
};

function checkInstanceType(report: PropertyReport, props: KubevirtMachineProps, offered: InfraClusterCapabilities): void {
  const { instanceType, instanceTypeKind, preference, preferenceKind, capacity } = props;
  const types = offered.instanceTypes?.map(({ name }) => name);
  if (instanceTypeKind !== InstanceTypeKind.NAMESPACED) {
    expectOffered(report.at('instanceType'), INSTANCE_TYPE_RULE, instanceType, { kind: 'instance type', list: 'instanceTypes', names: types });
  }
  if (preferenceKind !== PreferenceKind.NAMESPACED) {
    expectOffered(report.at('preference'), PREFERENCE_RULE, preference, { kind: 'preference', list: 'preferences', names: offered.preferences });
  }
  const size = instanceTypeCapacity(props, offered);
  if (!capacity || !size || (capacity.cpu === size.cpu && sizeText(capacity.memory) === sizeText(size.memory))) return;
  report.at('capacity').add(INSTANCE_TYPE_SIZE_RULE, {
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

const INFRA_NETWORK_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-NETWORK',
  title: 'A network that Multus attaches must exist in the cluster that runs the machines.',
  source: 'k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
};

function checkNetwork(report: PropertyReport, networkName: string, networks: readonly string[], namespace: string | undefined): void {
  if (namespace === undefined && !networkName.includes('/')) return;
  const full = networkName.includes('/') ? networkName : `${namespace}/${networkName}`;
  const [owner, name] = full.split('/');
  const elsewhere = networks.find((other) => other.endsWith(`/${name}`));
  if (networks.includes(full) || (owner === namespace && elsewhere === undefined)) return;
  const [finding] = checkOffered(full, { place: INFRA_PLACE, kind: 'NetworkAttachmentDefinition', list: 'networks', names: networks });
  const fix = elsewhere === undefined ? finding.fix : `write "${elsewhere}" if you mean that, or add "${full}" to networks of the capabilities if it is there`;
  report.addAll(INFRA_NETWORK_RULE, [{ ...finding, fix }]);
}

const PERMITTED_DEVICE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-DEVICE',
  title: 'KubeVirt must permit the GPUs and host devices of a machine.',
  source: 'kubevirt.io/user-guide/compute/host-devices',
};

function checkDevices(report: PropertyReport, devices: readonly HostDevice[] = [], { deviceNames: names }: InfraClusterCapabilities): void {
  devices.forEach(({ deviceName }, index) => {
    expectOffered(report.item(index).at('deviceName'), PERMITTED_DEVICE_RULE, deviceName, { kind: 'permitted device', list: 'deviceNames', names });
  });
}

function expectOffered(report: PropertyReport, rule: Rule, name: string | undefined, offer: Omit<Offer, 'place'>): void {
  report.addAll(rule, checkOffered(name, { place: INFRA_PLACE, ...offer }));
}

function textOf({ cpu, memory }: InstanceTypeCapacity): string {
  return `${cpu} CPUs and ${sizeText(memory)}`;
}
