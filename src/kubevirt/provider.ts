import { machinePod } from './machine-pod';
import { machineSize } from './machine-size';
import { KUBEVIRT_CHANGES } from './rules/kubevirt-changes';
import { KUBEVIRT_CLUSTER, KUBEVIRT_CLUSTER_TEMPLATE, KUBEVIRT_MACHINE, KUBEVIRT_MACHINE_TEMPLATE } from './rules/kubevirt-objects';
import { KUBEVIRT_MANIFEST_RULES } from './rules/kubevirt-rules';
import { Provider } from '../rules/provider';

/** KubeVirt, its importer of disks, and Cluster API's provider for it. */
export const KUBEVIRT: Provider = {
  name: 'kubevirt',
  title: 'KubeVirt',
  kinds: [
    { kind: KUBEVIRT_CLUSTER, role: 'cluster' },
    { kind: KUBEVIRT_CLUSTER_TEMPLATE, role: 'clusterTemplate', immutable: true },
    { kind: KUBEVIRT_MACHINE },
    { kind: KUBEVIRT_MACHINE_TEMPLATE, role: 'machineTemplate', immutable: true, validatedByWebhook: true },
    { kind: 'cdi.kubevirt.io/DataSource' },
    { kind: 'cdi.kubevirt.io/DataVolume' },
    { kind: 'instancetype.kubevirt.io/VirtualMachineInstancetype' },
    { kind: 'instancetype.kubevirt.io/VirtualMachinePreference' },
    { kind: 'kubevirt.io/KubeVirt' },
    { kind: 'kubevirt.io/VirtualMachine' },
    { kind: 'kubevirt.io/VirtualMachineInstance' },
  ],
  rules: KUBEVIRT_MANIFEST_RULES,
  changes: KUBEVIRT_CHANGES,
  machinePods: { [KUBEVIRT_MACHINE_TEMPLATE]: machinePod },
  machineSizes: { [KUBEVIRT_MACHINE_TEMPLATE]: machineSize },
};
