import { Rule } from '../../../validation/problem';

const VOLUME_CLAIMS = 'kubevirt/containerized-data-importer pkg/controller/datavolume/util.go';
const CSI_DRIVER = 'kubevirt/csi-driver pkg/service/controller.go';
const FEATURE_GATES = 'kubevirt/kubevirt pkg/virt-config/featuregate/active.go';
const INSTANCE_TYPE_LOOKUP = 'kubevirt/kubevirt pkg/instancetype/find';

/** What machines and volumes on KubeVirt demand of the cluster that runs them, as far as it is known what that offers. */
export const INFRA_CLUSTER_RULES = {
  elsewhere: {
    id: 'TC-KUBEVIRT-INFRA-CLUSTER',
    title: 'Another cluster is described only where it runs the machines; the management cluster describes itself.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/infracluster/infracluster.go',
  },
  storageClass: {
    id: 'TC-KUBEVIRT-INFRA-CLASS',
    title: 'Disks of machines and volumes of the tenant are of storage classes that the cluster that runs the machines has.',
    source: `${VOLUME_CLAIMS}, ${CSI_DRIVER}`,
  },
  defaultClass: {
    id: 'TC-KUBEVIRT-INFRA-DEFAULT-CLASS',
    title: 'A disk or volume that names no storage class has a default one to go to.',
    source: 'kubevirt/containerized-data-importer pkg/controller/common/util.go',
  },
  volumeForm: {
    id: 'TC-KUBEVIRT-INFRA-VOLUME-FORM',
    title: 'A disk has an access mode and a volume mode that its storage class offers together.',
    source: VOLUME_CLAIMS,
  },
  migration: {
    id: 'TC-KUBEVIRT-INFRA-MIGRATION',
    title: 'A machine that is live-migrated when its host is drained has no disk that its storage class makes for one host.',
    source: 'kubevirt/kubevirt pkg/virt-handler/vm.go',
  },
  snapshotClass: {
    id: 'TC-KUBEVIRT-INFRA-SNAPSHOT-CLASS',
    title: 'Snapshots of a volume are of a class that can take them from its storage.',
    source: CSI_DRIVER,
  },
  expansion: {
    id: 'TC-KUBEVIRT-INFRA-EXPANSION',
    title: 'Volumes of the tenant can grow only where the storage class behind theirs lets them.',
    source: CSI_DRIVER,
  },
  local: {
    id: 'TC-KUBEVIRT-INFRA-LOCAL',
    title: 'Volumes of the tenant are of storage that every host reaches.',
    source: 'kubevirt/csi-driver issue 66',
  },
  instanceType: {
    id: 'TC-KUBEVIRT-INFRA-INSTANCE-TYPE',
    title: 'An instance type exists in the cluster that runs the machines.',
    source: INSTANCE_TYPE_LOOKUP,
  },
  instanceTypeSize: {
    id: 'TC-KUBEVIRT-INFRA-INSTANCE-TYPE-SIZE',
    title: 'What a pool says of the size of its instance type is what the cluster that runs the machines gives.',
  },
  preference: {
    id: 'TC-KUBEVIRT-INFRA-PREFERENCE',
    title: 'A preference exists in the cluster that runs the machines.',
    source: 'kubevirt/kubevirt pkg/instancetype/preference/find',
  },
  network: {
    id: 'TC-KUBEVIRT-INFRA-NETWORK',
    title: 'A network that Multus attaches exists in the cluster that runs the machines.',
    source: 'k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
  },
  device: {
    id: 'TC-KUBEVIRT-INFRA-DEVICE',
    title: 'GPUs and host devices are among those that KubeVirt permits.',
    source: 'kubevirt.io/user-guide/compute/host-devices',
  },
  featureGate: {
    id: 'TC-KUBEVIRT-INFRA-FEATURE-GATE',
    title: 'What a machine or volume needs a feature gate of KubeVirt for has it.',
    source: FEATURE_GATES,
  },
  priorityClass: {
    id: 'TC-KUBEVIRT-INFRA-PRIORITY-CLASS',
    title: 'The priority class of machines exists in the cluster that runs them.',
    source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go',
  },
} satisfies Record<string, Rule>;
