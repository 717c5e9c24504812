import { Rule } from '../../../manifests/values/problem';

const DISK_WEBHOOK = 'kubevirt/kubevirt pkg/storage/admitters/disks.go';
const INSTANCE_WEBHOOK = 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go';
const DATA_VOLUME_WEBHOOK = 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go';
const PROVIDER_MACHINE = 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go';
const MIGRATION_CHECK = 'kubevirt/kubevirt pkg/virt-handler/vm.go';

/** What machines and clusters on KubeVirt demand of their input. */
export const KUBEVIRT_RULES = {
  infraCidr: {
    id: 'TC-KUBEVIRT-INFRA-CIDR',
    title: 'The ranges of the cluster that runs the machines must be CIDR blocks.',
  },
  objectName: {
    id: 'TC-KUBEVIRT-OBJECT-NAME',
    title: 'Names of objects in the cluster that runs the machines must be valid.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  sizing: {
    id: 'TC-KUBEVIRT-SIZING',
    title: 'A machine must have cpu and memory, or instanceType, and a capacity only with the latter.',
    source: 'kubevirt/kubevirt pkg/instancetype/apply/cpu.go, memory.go',
  },
  cpu: {
    id: 'TC-KUBEVIRT-CPU',
    title: 'The CPUs of a machine must be a 32-bit whole number from 1, and their model must have a name.',
    source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go',
  },
  memory: {
    id: 'TC-KUBEVIRT-MEMORY',
    title: 'The memory of a machine must be a whole number of MiB, and more than 100 MiB, at which every kubelet starts to evict pods.',
    source: 'kubernetes/kubernetes pkg/kubelet/eviction/defaults_linux.go',
  },
  unusualSize: {
    id: 'TC-KUBEVIRT-UNUSUAL-SIZE',
    title: 'A root disk should have at least 10 GiB, and a machine at most 1024 CPUs and 4 TiB of memory: other sizes are most likely mistakes.',
    source: 'docs.siderolabs.com/talos getting-started/system-requirements (disk), torvalds/linux arch/x86/kvm/Kconfig (CPUs)',
    warning: true,
  },
  hugePages: {
    id: 'TC-KUBEVIRT-HUGE-PAGES',
    title: 'The memory of a machine must be a multiple of its huge page size.',
    source: INSTANCE_WEBHOOK,
  },
  image: {
    id: 'TC-KUBEVIRT-IMAGE',
    title: 'Image names must be valid references of a container registry.',
    source: 'distribution/reference regexp.go',
  },
  imageUnpinned: {
    id: 'TC-KUBEVIRT-IMAGE-UNPINNED',
    title: 'A disk image should have a digest or a tag other than latest, so that all machines of one template are alike.',
  },
  registryUrl: {
    id: 'TC-KUBEVIRT-REGISTRY-URL',
    title: 'A disk image in a registry must have a docker:// URL with either a tag or a digest.',
    source: `${DATA_VOLUME_WEBHOOK}, containers/image docker/docker_transport.go`,
  },
  httpUrl: {
    id: 'TC-KUBEVIRT-HTTP-URL',
    title: 'A disk image that is downloaded must have an absolute http or https URL.',
    source: DATA_VOLUME_WEBHOOK,
  },
  diskSize: {
    id: 'TC-KUBEVIRT-DISK-SIZE',
    title: 'The size of a disk must be a whole number of MiB above 0, and below 2^63 bytes.',
    source: DATA_VOLUME_WEBHOOK,
  },
  diskName: {
    id: 'TC-KUBEVIRT-DISK-NAME',
    title: 'Names of extra disks must be DNS labels of at most 20 characters, the length of a virtio serial number.',
    source: `${DISK_WEBHOOK}, torvalds/linux include/uapi/linux/virtio_blk.h`,
  },
  nameLength: {
    id: 'TC-KUBEVIRT-NAME-LENGTH',
    title: 'The names of machines and their DataVolumes, which derive from that of the pool, must have at most 63 characters.',
    source: `${PROVIDER_MACHINE}, kubernetes-sigs/cluster-api internal/topology/names/names.go`,
  },
  networkName: {
    id: 'TC-KUBEVIRT-NETWORK-NAME',
    title: 'The name of a network that Multus attaches must be "network" or "namespace/network".',
    source: 'k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
  },
  device: {
    id: 'TC-KUBEVIRT-DEVICE',
    title: 'Devices must be resource names with a domain, in whole numbers from 1 to 256.',
    source: 'kubevirt.io/user-guide/compute/host-devices',
  },
  deviceMigration: {
    id: 'TC-KUBEVIRT-DEVICE-MIGRATION',
    title: 'A machine with GPUs or host devices cannot be live-migrated on a drain of its host.',
    source: MIGRATION_CHECK,
  },
  diskMigration: {
    id: 'TC-KUBEVIRT-DISK-MIGRATION',
    title: 'A machine that is live-migrated on a drain of its host must not have a disk that only one host can use.',
    source: MIGRATION_CHECK,
  },
  cordonedNode: {
    id: 'TC-KUBEVIRT-CORDONED-NODE',
    title: 'A machine that the KubeVirt provider drains and stops must not restart from its disk: its node would stay cordoned.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go, kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go',
    warning: true,
  },
  controlPlaneReturn: {
    id: 'TC-KUBEVIRT-CONTROL-PLANE-RETURN',
    title: 'A control plane machine without a persistent disk must not restart after a drain of its host: its etcd has lost the data.',
    source: 'kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go, kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go',
    warning: true,
  },
  sshCheck: {
    id: 'TC-KUBEVIRT-SSH-CHECK',
    title: 'The check of bootstrapping over SSH requires an SSH key of the KubeVirt provider for the machines.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go',
  },
  label: {
    id: 'TC-KUBEVIRT-LABEL',
    title: 'Labels must have valid keys and values.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  reservedLabel: {
    id: 'TC-KUBEVIRT-RESERVED-LABEL',
    title: 'Labels must not be set that the KubeVirt provider, KubeVirt or this library sets.',
    source: `${PROVIDER_MACHINE}, ${INSTANCE_WEBHOOK}`,
  },
  annotation: {
    id: 'TC-KUBEVIRT-ANNOTATION',
    title: 'Annotations must have valid keys, and must not be too large.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/annotations',
  },
  toleration: {
    id: 'TC-KUBEVIRT-TOLERATION',
    title: 'Tolerations must have a valid combination of key and operator, and a time only with NoExecute.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  podSizing: {
    id: 'TC-ISOLATION-SIZING',
    title: 'What KubeVirt is configured with is given in numbers that it accepts.',
    source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go',
  },
} satisfies Record<string, Rule>;
