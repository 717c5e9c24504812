import { Rule } from '../../../../manifests/values/problem';

const DRIVER = 'kubevirt/csi-driver cmd/kubevirt-csi-driver';
const CLIENT = 'kubevirt/csi-driver pkg/kubevirt/client.go';
const NAMES = 'kubernetes.io/docs/concepts/overview/working-with-objects/names';

/** What KubeVirt's CSI driver demands of its options and of the storage classes. */
export const CSI_DRIVER_RULES = {
  idle: {
    id: 'TC-KUBEVIRT-CSI-IDLE',
    title: 'The CSI driver, and each of its parts, requires storage classes that need it, and each storage class requires the driver.',
  },
  image: {
    id: 'TC-KUBEVIRT-CSI-IMAGE',
    title: 'The image of the CSI driver, which has no released version, must be set, with a digest or a tag other than latest.',
    source: 'kubevirt/csi-driver (no tags; CI publishes latest)',
  },
  infraCluster: {
    id: 'TC-KUBEVIRT-CSI-INFRA-CLUSTER',
    title: 'A CSI driver must use a kubeconfig from its own namespace and a namespace name for another cluster, and neither for the management cluster.',
    source: DRIVER,
  },
  className: {
    id: 'TC-KUBEVIRT-CSI-CLASS-NAME',
    title: 'Names of storage and snapshot classes in the cluster that runs the machines must be valid.',
    source: NAMES,
  },
  classTaken: {
    id: 'TC-KUBEVIRT-CSI-CLASS-TAKEN',
    title: 'The names of storage classes must be unique in a cluster, and so must those of snapshot classes.',
    source: NAMES,
  },
  defaultClass: {
    id: 'TC-KUBEVIRT-CSI-DEFAULT-CLASS',
    title: 'Exactly one storage class of a cluster must be the default: without one, claims without a class wait for ever; of two, the younger wins.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
  },
  label: {
    id: 'TC-KUBEVIRT-CSI-LABEL',
    title: 'Annotations of classes must not contain the annotation of isDefault.',
  },
  snapshotClass: {
    id: 'TC-KUBEVIRT-CSI-SNAPSHOT-CLASS',
    title: 'Snapshot classes must name their infrastructure class if all storage classes do, and only then: the driver requires the name then, and ignores it otherwise.',
    source: CLIENT,
  },
  defaultSnapshotClass: {
    id: 'TC-KUBEVIRT-CSI-DEFAULT-SNAPSHOT-CLASS',
    title: 'At most one snapshot class of a driver must be the default: with two, snapshots without a class fail.',
    source: 'kubernetes-csi/external-snapshotter pkg/common-controller/snapshot_controller.go',
  },
} satisfies Record<string, Rule>;
