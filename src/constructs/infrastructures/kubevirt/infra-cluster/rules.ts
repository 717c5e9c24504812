import { Rule } from '../../../../manifests/values/problem';

const VOLUME_CLAIMS = 'kubevirt/containerized-data-importer pkg/controller/datavolume/util.go';
const CSI_DRIVER = 'kubevirt/csi-driver pkg/service/controller.go';
const FEATURE_GATES = 'kubevirt/kubevirt pkg/virt-config/featuregate/active.go';
const INSTANCE_TYPE_LOOKUP = 'kubevirt/kubevirt pkg/instancetype/find';

/** What machines and volumes on KubeVirt demand of the cluster that runs them, as far as it is known what that offers. */
export const INFRA_CLUSTER_RULES = {
  elsewhere: {
    id: 'TC-KUBEVIRT-INFRA-CLUSTER',
    title: 'Capabilities of another cluster can only be set if it runs the machines; those of the management cluster are known.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/infracluster/infracluster.go',
  },
  storageClass: {
    id: 'TC-KUBEVIRT-INFRA-CLASS',
    title: 'Storage classes of machine disks and tenant volumes must exist in the cluster that runs the machines.',
    source: `${VOLUME_CLAIMS}, ${CSI_DRIVER}`,
  },
  defaultClass: {
    id: 'TC-KUBEVIRT-INFRA-DEFAULT-CLASS',
    title: 'A disk or volume without a storage class requires a default class.',
    source: 'kubevirt/containerized-data-importer pkg/controller/common/util.go',
  },
  volumeForm: {
    id: 'TC-KUBEVIRT-INFRA-VOLUME-FORM',
    title: 'The storage class of a disk must offer its access mode and volume mode together.',
    source: VOLUME_CLAIMS,
  },
  migration: {
    id: 'TC-KUBEVIRT-INFRA-MIGRATION',
    title: 'A machine that is live-migrated on a drain must not have a disk whose storage class is limited to one host.',
    source: 'kubevirt/kubevirt pkg/virt-handler/vm.go',
  },
  snapshotClass: {
    id: 'TC-KUBEVIRT-INFRA-SNAPSHOT-CLASS',
    title: 'The class of volume snapshots must support the storage of the volume.',
    source: CSI_DRIVER,
  },
  expansion: {
    id: 'TC-KUBEVIRT-INFRA-EXPANSION',
    title: 'Tenant volumes can only grow if the storage class behind them allows expansion.',
    source: CSI_DRIVER,
  },
  local: {
    id: 'TC-KUBEVIRT-INFRA-LOCAL',
    title: 'Tenant volumes must have storage that every host can reach.',
    source: 'kubevirt/csi-driver issue 66',
  },
  instanceType: {
    id: 'TC-KUBEVIRT-INFRA-INSTANCE-TYPE',
    title: 'An instance type must exist in the cluster that runs the machines.',
    source: INSTANCE_TYPE_LOOKUP,
  },
  instanceTypeSize: {
    id: 'TC-KUBEVIRT-INFRA-INSTANCE-TYPE-SIZE',
    title: 'The size that a pool declares for its instance type must match the cluster that runs the machines.',
  },
  preference: {
    id: 'TC-KUBEVIRT-INFRA-PREFERENCE',
    title: 'A preference must exist in the cluster that runs the machines.',
    source: 'kubevirt/kubevirt pkg/instancetype/preference/find',
  },
  network: {
    id: 'TC-KUBEVIRT-INFRA-NETWORK',
    title: 'A network that Multus attaches must exist in the cluster that runs the machines.',
    source: 'k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
  },
  device: {
    id: 'TC-KUBEVIRT-INFRA-DEVICE',
    title: 'KubeVirt must permit the GPUs and host devices of a machine.',
    source: 'kubevirt.io/user-guide/compute/host-devices',
  },
  featureGate: {
    id: 'TC-KUBEVIRT-INFRA-FEATURE-GATE',
    title: 'The feature gates of KubeVirt that a machine or volume requires must be enabled.',
    source: FEATURE_GATES,
  },
  priorityClass: {
    id: 'TC-KUBEVIRT-INFRA-PRIORITY-CLASS',
    title: 'The priority class of machines must exist in the cluster that runs them.',
    source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go',
  },
} satisfies Record<string, Rule>;
