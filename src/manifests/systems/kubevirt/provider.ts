import { IMAGES } from './images';
import { machinePod } from './machine-pod';
import { machineSize } from './machine-size';
import { KUBEVIRT_CHANGES } from './rules/kubevirt-changes';
import { KUBEVIRT_CLUSTER, KUBEVIRT_CLUSTER_TEMPLATE, KUBEVIRT_MACHINE, KUBEVIRT_MACHINE_TEMPLATE } from './rules/kubevirt-objects';
import { KUBEVIRT_MANIFEST_RULES } from './rules/kubevirt-rules';
import { ManifestObject } from '../../objects/manifest-object';
import { Provider, PublishedService } from '../../rules/provider';
import { isSet, stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';

/** Cluster API's provider for KubeVirt. */
export const KUBEVIRT_RELEASE: ProviderRelease = { kind: 'InfrastructureProvider', name: 'kubevirt', image: 'quay.io/capk/capk-manager' };

/** KubeVirt, its importer of disks, and Cluster API's provider for it. */
export const KUBEVIRT: Provider = {
  name: 'kubevirt',
  title: 'KubeVirt',
  kinds: [
    { kind: KUBEVIRT_CLUSTER, role: 'cluster' },
    { kind: KUBEVIRT_CLUSTER_TEMPLATE, role: 'clusterTemplate', immutable: true },
    { kind: KUBEVIRT_MACHINE, holdsState: true },
    { kind: KUBEVIRT_MACHINE_TEMPLATE, role: 'machineTemplate', immutable: true, validatedByWebhook: true },
    { kind: 'cdi.kubevirt.io/DataSource' },
    { kind: 'cdi.kubevirt.io/DataVolume', holdsState: true },
    { kind: 'instancetype.kubevirt.io/VirtualMachineInstancetype' },
    { kind: 'instancetype.kubevirt.io/VirtualMachinePreference' },
    { kind: 'kubevirt.io/KubeVirt' },
    { kind: 'kubevirt.io/VirtualMachine', holdsState: true },
    { kind: 'kubevirt.io/VirtualMachineInstance', holdsState: true },
  ],
  namespaces: {
    'capk-system': 'Cluster API\'s provider for KubeVirt runs there',
    'cdi': 'the importer of disk images runs there',
    'kubevirt': 'KubeVirt runs there',
  },
  rules: KUBEVIRT_MANIFEST_RULES,
  changes: KUBEVIRT_CHANGES,
  templateWords: {
    [KUBEVIRT_MACHINE_TEMPLATE]: {
      'template.spec.virtualMachineTemplate.spec': 'machine',
      'template.spec.virtualMachineTemplate.spec.runStrategy': 'runStrategy',
      'template.spec.virtualMachineTemplate.spec.instancetype': 'instanceType',
      'template.spec.virtualMachineTemplate.spec.preference': 'preference',
      'template.spec.virtualMachineTemplate.spec.dataVolumeTemplates': 'disks',
      'template.spec.virtualMachineTemplate.spec.template.metadata': 'machine metadata',
      'template.spec.virtualMachineTemplate.spec.template.spec': 'machine',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.cpu': 'cpu',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.cpu.cores': 'cpu',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.memory': 'memory',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.memory.guest': 'memory',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.devices': 'devices',
      'template.spec.virtualMachineTemplate.spec.template.spec.evictionStrategy': 'evictionStrategy',
      'template.spec.virtualMachineTemplate.spec.template.spec.networks': 'networks',
      'template.spec.virtualMachineTemplate.spec.template.spec.nodeSelector': 'nodeSelector',
      'template.spec.virtualMachineTemplate.spec.template.spec.tolerations': 'tolerations',
      'template.spec.virtualMachineTemplate.spec.template.spec.volumes': 'volumes',
      'template.spec.infraClusterSecretRef': 'infraClusterSecretRef',
    },
  },
  apiServerServices: { [KUBEVIRT_CLUSTER]: apiServerService },
  machinePods: { [KUBEVIRT_MACHINE_TEMPLATE]: machinePod },
  machineSizes: { [KUBEVIRT_MACHINE_TEMPLATE]: machineSize },
  powers: {
    machines: [
      'virtualmachines.kubevirt.io', 'virtualmachineinstances.kubevirt.io', 'virtualmachineinstancereplicasets.kubevirt.io', 'virtualmachinepools.pool.kubevirt.io',
      'kubevirtmachines.infrastructure.cluster.x-k8s.io',
    ],
  },
  images: IMAGES,
};

/** The provider makes the Service unless another controller manages the cluster (kubernetes-sigs/cluster-api-provider-kubevirt pkg/loadbalancer). */
function apiServerService(cluster: ManifestObject): PublishedService | undefined {
  // In another cluster it counts there.
  if (isSet(cluster, 'metadata', 'annotations', 'cluster.x-k8s.io/managed-by') || isSet(cluster, 'spec', 'infraClusterSecretRef')) return undefined;
  return { type: stringAt(cluster, 'spec', 'controlPlaneServiceTemplate', 'spec', 'type'), ports: 1 };
}
