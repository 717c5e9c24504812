import { Rule } from '../../../manifests/values/problem';

const CCM = 'nifcloud/nifcloud-cloud-controller-manager';
const CSI = 'nifcloud/nifcloud-additional-storage-csi-driver';

const REGIONS = 'docs.nifcloud.com/common/spec/spec_infomation.htm (regions and zones)';

/** Rules of the Nifcloud components. */
export const NIFCLOUD_RULES = {
  region: {
    id: 'TC-NIFCLOUD-REGION',
    title: 'A region must have the form of Nifcloud\'s API, such as jp-east-1.',
    source: `${CCM} charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml`,
  },
  regionUnknown: {
    id: 'TC-NIFCLOUD-REGION-UNKNOWN',
    title: 'A region should be known: the library lists the regions of Nifcloud at its release.',
    source: REGIONS,
    warning: true,
  },
  credentials: {
    id: 'TC-NIFCLOUD-CREDENTIALS',
    title: 'Credentials must be in a Secret with two keys, and nowhere else.',
    source: `${CCM} charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml`,
  },
  cloudProvider: {
    id: 'TC-NIFCLOUD-CLOUD-PROVIDER',
    title: 'Kubelets of a cluster with Nifcloud\'s cloud controller manager must register with --cloud-provider=external.',
    source: `${CCM} README.md`,
  },
  nameOverride: {
    id: 'TC-NIFCLOUD-NAME-OVERRIDE',
    title: 'The chart of the cloud controller manager must keep its name: its DaemonSet uses a fixed ServiceAccount.',
    source: `${CCM} charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml`,
  },
  className: {
    id: 'TC-NIFCLOUD-CLASS-NAME',
    title: 'The name of a storage class must be valid in Kubernetes, and unique.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes',
  },
  classDefault: {
    id: 'TC-NIFCLOUD-CLASS-DEFAULT',
    title: 'At most one storage class may be the default.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes',
  },
  classValues: {
    id: 'TC-NIFCLOUD-CLASS-VALUES',
    title: 'Storage classes must be set in storageClasses, not in the values of the chart, which the library does not check.',
    source: `${CSI} charts/nifcloud-additional-storage-csi-driver/values.yaml`,
  },
  classLabel: {
    id: 'TC-NIFCLOUD-CLASS-LABEL',
    title: 'Labels and annotations of storage classes must be valid, and must not contain the annotation of isDefault.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  nics: {
    id: 'TC-NIFCLOUD-NICS',
    title: 'The guest tools must report the host\'s own interfaces: their names must be plain, and no hidden pattern may match them.',
    source: 'vmware/open-vm-tools open-vm-tools/tools.conf ([guestinfo])',
  },
  zone: {
    id: 'TC-NIFCLOUD-ZONE',
    title: 'Every node must be in a zone of the platform, and every zone must be in its region.',
    source: `${CSI} pkg/driver/controller.go (a disk belongs to a zone); ${REGIONS}`,
  },
  zoneWorkers: {
    id: 'TC-NIFCLOUD-ZONE-WORKERS',
    title: 'With storage classes, a zone should have several workers or none: a disk stays in its zone, and its pod waits while the only worker is drained.',
    source: `${CSI} pkg/driver/controller.go (a disk belongs to a zone)`,
    warning: true,
  },
} satisfies Record<string, Rule>;
