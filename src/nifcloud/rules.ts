import { Rule } from '../validation/problem';

const CCM = 'nifcloud/nifcloud-cloud-controller-manager';
const CSI = 'nifcloud/nifcloud-additional-storage-csi-driver';

const REGIONS = 'docs.nifcloud.com/common/spec/spec_infomation.htm (regions and zones)';

/** What Nifcloud's parts demand of their input. */
export const NIFCLOUD_RULES = {
  region: {
    id: 'TC-NIFCLOUD-REGION',
    title: 'A region is named as Nifcloud\'s API has it, such as jp-east-1.',
    source: `${CCM} charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml`,
  },
  regionUnknown: {
    id: 'TC-NIFCLOUD-REGION-UNKNOWN',
    title: 'A region is one that Nifcloud had when this version of the library was released.',
    source: REGIONS,
    warning: true,
  },
  credentials: {
    id: 'TC-NIFCLOUD-CREDENTIALS',
    title: 'Credentials are referred to by a Secret and its two keys, and stand nowhere else.',
    source: `${CCM} charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml`,
  },
  cloudProvider: {
    id: 'TC-NIFCLOUD-CLOUD-PROVIDER',
    title: 'Kubelets of a cluster with Nifcloud\'s cloud controller manager register with --cloud-provider=external.',
    source: `${CCM} README.md`,
  },
  nameOverride: {
    id: 'TC-NIFCLOUD-NAME-OVERRIDE',
    title: 'The chart of the cloud controller manager keeps its name: its DaemonSet names a fixed ServiceAccount.',
    source: `${CCM} charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml`,
  },
  className: {
    id: 'TC-NIFCLOUD-CLASS-NAME',
    title: 'A storage class has a name that Kubernetes accepts, and that no other has.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes',
  },
  classChoice: {
    id: 'TC-NIFCLOUD-CLASS-CHOICE',
    title: 'Disk types, accounting types, file systems and reclaim policies are those that the driver knows.',
    source: `${CSI} pkg/driver/controller.go, pkg/cloud/cloud.go`,
  },
  classDefault: {
    id: 'TC-NIFCLOUD-CLASS-DEFAULT',
    title: 'At most one storage class is the default.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes',
  },
  classValues: {
    id: 'TC-NIFCLOUD-CLASS-VALUES',
    title: 'Storage classes are declared, and not among the values of the chart, where nothing is known of them.',
    source: `${CSI} charts/nifcloud-additional-storage-csi-driver/values.yaml`,
  },
  classLabel: {
    id: 'TC-NIFCLOUD-CLASS-LABEL',
    title: 'Labels and annotations of storage classes are such, and isDefault writes its own.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  nics: {
    id: 'TC-NIFCLOUD-NICS',
    title: 'The guest tools report the interfaces that are the host\'s own: their names are plain, and no pattern of the hidden ones covers them.',
    source: 'vmware/open-vm-tools open-vm-tools/tools.conf ([guestinfo])',
  },
  zone: {
    id: 'TC-NIFCLOUD-ZONE',
    title: 'Every node is in one of the zones that the platform names, and these belong to its region.',
    source: `${CSI} pkg/driver/controller.go (a disk belongs to a zone); ${REGIONS}`,
  },
  zoneWorkers: {
    id: 'TC-NIFCLOUD-ZONE-WORKERS',
    title: 'Where there are disks, a zone has no worker or several: a disk stays in its zone, and its pod waits while the only worker is drained.',
    source: `${CSI} pkg/driver/controller.go (a disk belongs to a zone)`,
    warning: true,
  },
} satisfies Record<string, Rule>;
