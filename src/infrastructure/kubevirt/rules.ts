import { Rule } from '../../validation/problem';

const DISK_WEBHOOK = 'kubevirt/kubevirt pkg/storage/admitters/disks.go';
const INSTANCE_WEBHOOK = 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go';
const DATA_VOLUME_WEBHOOK = 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go';
const PROVIDER_MACHINE = 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go';
const MIGRATION_CHECK = 'kubevirt/kubevirt pkg/virt-handler/vm.go';

/** What machines and clusters on KubeVirt demand of their input. */
export const KUBEVIRT_RULES = {
  infraCidr: {
    id: 'TC-KUBEVIRT-INFRA-CIDR',
    title: 'The ranges of the cluster that runs the machines are CIDR blocks.',
  },
  objectName: {
    id: 'TC-KUBEVIRT-OBJECT-NAME',
    title: 'Objects in the cluster that runs the machines are referred to by names that Kubernetes accepts.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  controlPlaneService: {
    id: 'TC-KUBEVIRT-CONTROL-PLANE-SERVICE',
    title: 'A Service for the control plane is only asked for where the KubeVirt provider makes the endpoint, and is one that the management cluster reaches.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtcluster_controller.go',
  },
  sizing: {
    id: 'TC-KUBEVIRT-SIZING',
    title: 'The size of a machine is given in exactly one way: cpu and memory, or instanceType.',
    source: 'kubevirt/kubevirt pkg/instancetype/apply/cpu.go, memory.go',
  },
  cpu: {
    id: 'TC-KUBEVIRT-CPU',
    title: 'A machine has a whole number of CPUs, at least 1, in 32 bits, and their model has a name.',
    source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go',
  },
  memory: {
    id: 'TC-KUBEVIRT-MEMORY',
    title: 'The memory of a machine is a whole number of MiB, and more than the 100 MiB at which every kubelet starts to evict pods.',
    source: 'kubernetes/kubernetes pkg/kubelet/eviction/defaults_linux.go',
  },
  unusualSize: {
    id: 'TC-KUBEVIRT-UNUSUAL-SIZE',
    title: 'A root disk has 10 GiB or more, and a machine at most 1024 CPUs and 4 TiB of memory: other sizes are more often a slip than meant.',
    source: 'docs.siderolabs.com/talos getting-started/system-requirements (disk), torvalds/linux arch/x86/kvm/Kconfig (CPUs)',
    warning: true,
  },
  hugePages: {
    id: 'TC-KUBEVIRT-HUGE-PAGES',
    title: 'The memory of a machine is a multiple of the size of its huge pages.',
    source: INSTANCE_WEBHOOK,
  },
  image: {
    id: 'TC-KUBEVIRT-IMAGE',
    title: 'Images are named the way container registries do.',
    source: 'distribution/reference regexp.go',
  },
  imageUnpinned: {
    id: 'TC-KUBEVIRT-IMAGE-UNPINNED',
    title: 'A disk image has a digest or a tag other than latest, so that all machines of one template are alike.',
  },
  imageVersion: {
    id: 'TC-KUBEVIRT-IMAGE-VERSION',
    title: 'A disk image whose tag looks like a release of Kubernetes is of the minor that the machines are to run.',
    source: 'kubernetes.io/releases/version-skew-policy, kubernetes-sigs/image-builder',
    warning: true,
  },
  registryUrl: {
    id: 'TC-KUBEVIRT-REGISTRY-URL',
    title: 'The importer reads disk images from registries by a docker:// URL with a tag or a digest, not both.',
    source: `${DATA_VOLUME_WEBHOOK}, containers/image docker/docker_transport.go`,
  },
  httpUrl: {
    id: 'TC-KUBEVIRT-HTTP-URL',
    title: 'The importer downloads disk images from absolute http or https URLs.',
    source: DATA_VOLUME_WEBHOOK,
  },
  dataVolumeSpec: {
    id: 'TC-KUBEVIRT-DATA-VOLUME-SPEC',
    title: 'A DataVolume has one source, and either storage or pvc.',
    source: 'kubevirt/kubevirt pkg/storage/admitters/data-volume-template.go',
  },
  diskSize: {
    id: 'TC-KUBEVIRT-DISK-SIZE',
    title: 'The size of a disk is a whole number of MiB above 0, and below 2^63 bytes.',
    source: DATA_VOLUME_WEBHOOK,
  },
  diskName: {
    id: 'TC-KUBEVIRT-DISK-NAME',
    title: 'Extra disks are named by DNS labels of at most 20 characters, the length of a virtio serial number, other than root and cloudinitvolume.',
    source: `${DISK_WEBHOOK}, ${PROVIDER_MACHINE}, torvalds/linux include/uapi/linux/virtio_blk.h`,
  },
  diskNameTwice: {
    id: 'TC-KUBEVIRT-DISK-NAME-TWICE',
    title: 'The disks of a machine have different names.',
    source: DISK_WEBHOOK,
  },
  blockSize: {
    id: 'TC-KUBEVIRT-BLOCK-SIZE',
    title: 'Block sizes are powers of two from 512 to 2097152 bytes, the logical one not above the physical one.',
    source: DISK_WEBHOOK,
  },
  nameLength: {
    id: 'TC-KUBEVIRT-NAME-LENGTH',
    title: 'The names of machines and of their DataVolumes, which both derive from the pool\'s, are at most 63 characters long.',
    source: `${PROVIDER_MACHINE}, kubernetes-sigs/cluster-api internal/topology/names/names.go`,
  },
  networkName: {
    id: 'TC-KUBEVIRT-NETWORK-NAME',
    title: 'A network that Multus attaches is named "network" or "namespace/network".',
    source: 'k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
  },
  interfaceName: {
    id: 'TC-KUBEVIRT-INTERFACE-NAME',
    title: 'Further network interfaces have different names, none of them "default".',
    source: 'kubevirt/kubevirt pkg/network/admitter/netiface.go',
  },
  device: {
    id: 'TC-KUBEVIRT-DEVICE',
    title: 'Devices are named by resources with a domain, and counted in whole numbers from 1 to 256.',
    source: 'kubevirt.io/user-guide/compute/host-devices',
  },
  deviceMigration: {
    id: 'TC-KUBEVIRT-DEVICE-MIGRATION',
    title: 'A machine with GPUs or host devices is not live-migrated when its host is drained.',
    source: MIGRATION_CHECK,
  },
  diskMigration: {
    id: 'TC-KUBEVIRT-DISK-MIGRATION',
    title: 'A machine that is live-migrated when its host is drained has no disk that only one host can use.',
    source: MIGRATION_CHECK,
  },
  cordonedNode: {
    id: 'TC-KUBEVIRT-CORDONED-NODE',
    title: 'A machine that the KubeVirt provider drains and stops does not come back from its disk, where its node would stay cordoned.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go, kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go',
    warning: true,
  },
  controlPlaneReturn: {
    id: 'TC-KUBEVIRT-CONTROL-PLANE-RETURN',
    title: 'A control plane machine without a persistent disk does not come back after a drain of its host: etcd on it has lost its data.',
    source: 'kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go, kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go',
    warning: true,
  },
  gracePeriod: {
    id: 'TC-KUBEVIRT-GRACE-PERIOD',
    title: 'The time that a machine gets to shut down is a whole number of seconds.',
    source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go',
  },
  sshCheck: {
    id: 'TC-KUBEVIRT-SSH-CHECK',
    title: 'Bootstrapping is checked over SSH only where the KubeVirt provider has a key for the machines.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go',
  },
  label: {
    id: 'TC-KUBEVIRT-LABEL',
    title: 'Labels have keys and values that Kubernetes accepts.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  reservedLabel: {
    id: 'TC-KUBEVIRT-RESERVED-LABEL',
    title: 'Labels that the KubeVirt provider, KubeVirt or this library set themselves are left to them.',
    source: `${PROVIDER_MACHINE}, ${INSTANCE_WEBHOOK}`,
  },
  annotation: {
    id: 'TC-KUBEVIRT-ANNOTATION',
    title: 'Annotations have keys that Kubernetes accepts, and are not too large.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/annotations',
  },
  toleration: {
    id: 'TC-KUBEVIRT-TOLERATION',
    title: 'Tolerations name a key and an operator that go together, and a time only for NoExecute.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
} satisfies Record<string, Rule>;
