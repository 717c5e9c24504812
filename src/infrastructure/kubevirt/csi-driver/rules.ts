import { Rule } from '../../../validation/problem';

const DRIVER = 'kubevirt/csi-driver cmd/kubevirt-csi-driver';
const CLIENT = 'kubevirt/csi-driver pkg/kubevirt/client.go';
const NAMES = 'kubernetes.io/docs/concepts/overview/working-with-objects/names';

/** What KubeVirt's CSI driver demands of its options and of the storage classes. */
export const CSI_DRIVER_RULES = {
  idle: {
    id: 'TC-KUBEVIRT-CSI-IDLE',
    title: 'The CSI driver, and each of its parts, is there for storage classes that need it: no class without the driver, no options without such a class.',
  },
  image: {
    id: 'TC-KUBEVIRT-CSI-IMAGE',
    title: 'The CSI driver has no released version, so that its image is named by whoever runs it, with a digest or a tag other than latest.',
    source: 'kubevirt/csi-driver (no tags; CI publishes latest)',
  },
  infraCluster: {
    id: 'TC-KUBEVIRT-CSI-INFRA-CLUSTER',
    title: 'A CSI driver reaches another cluster with a kubeconfig from its own namespace and the name of a namespace there, and the management cluster without.',
    source: DRIVER,
  },
  className: {
    id: 'TC-KUBEVIRT-CSI-CLASS-NAME',
    title: 'Storage classes and snapshot classes have names that Kubernetes accepts, in the tenant and in the cluster that runs the machines.',
    source: NAMES,
  },
  classTaken: {
    id: 'TC-KUBEVIRT-CSI-CLASS-TAKEN',
    title: 'The storage classes of a cluster have different names, and so have its snapshot classes.',
    source: NAMES,
  },
  defaultClass: {
    id: 'TC-KUBEVIRT-CSI-DEFAULT-CLASS',
    title: 'Exactly one storage class of a cluster is the default: without one, claims that name no class wait for ever, and of two the younger wins.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
  },
  choice: {
    id: 'TC-KUBEVIRT-CSI-CHOICE',
    title: 'Bus, file system and policies of a class are among those that KubeVirt, the CSI driver and Kubernetes know.',
    source: 'kubevirt/kubevirt pkg/storage/admitters/storagehotplug.go, kubevirt/csi-driver pkg/service/node.go',
  },
  label: {
    id: 'TC-KUBEVIRT-CSI-LABEL',
    title: 'Labels and annotations of classes are valid, and none is the one that marks the default.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  snapshotClass: {
    id: 'TC-KUBEVIRT-CSI-SNAPSHOT-CLASS',
    title: 'Snapshot classes name the class behind them if all storage classes do: where one does not, the driver ignores what is named, and where all do, it demands it.',
    source: CLIENT,
  },
  defaultSnapshotClass: {
    id: 'TC-KUBEVIRT-CSI-DEFAULT-SNAPSHOT-CLASS',
    title: 'At most one snapshot class of a driver is the default: with two, snapshots that name no class fail.',
    source: 'kubernetes-csi/external-snapshotter pkg/common-controller/snapshot_controller.go',
  },
} satisfies Record<string, Rule>;
