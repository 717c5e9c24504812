import { ManifestRule } from '../../rules/manifest-rule';
import { storageParameters } from '../../rules/storage-parameters';

/** Rules over the classes of the driver for EBS volumes. */
export const STORAGE_CLASSES: readonly ManifestRule[] = [
  storageParameters({
    id: 'TC-TRAP-AWS-EBS-PARAMETER',
    source: 'kubernetes-sigs/aws-ebs-csi-driver pkg/driver/controller.go (CreateVolume), pkg/driver/constants.go',
    provisioner: 'ebs.csi.aws.com',
    parameters: `fsType type iopsPerGB allowAutoIOPSIncreaseOnModify allowAutoIOPSPerGBIncrease iops volumeInitializationRate throughput encrypted kmsKeyId
blockExpress blockSize inodeSize bytesPerInode numberOfInodes ext4BigAlloc ext4ClusterSize ext4EncryptionSupport blockAttachUntilInitialized`,
    prefixes: ['tagSpecification'],
  }),
];
