import { ManifestRule } from '../../rules/manifest-rule';
import { storageParameters } from '../../rules/storage-parameters';

/** Rules over the classes of the driver for persistent disks. */
export const STORAGE_CLASSES: readonly ManifestRule[] = [
  storageParameters({
    id: 'TC-TRAP-GCP-DISK-PARAMETER',
    source: 'kubernetes-sigs/gcp-compute-persistent-disk-csi-driver pkg/parameters/parameters.go (ExtractAndDefaultParameters), pkg/parameters/constants.go',
    provisioner: 'pd.csi.storage.gke.io',
    parameters: `type replication-type disk-encryption-kms-key labels provisioned-iops-on-create provisioned-throughput-on-create enable-confidential-storage
storage-pools use-allowed-disk-topology data-cache-size data-cache-mode resource-tags enable-multi-zone-provisioning availability-class
access-mode hyperdisk-type pd-type disk-type-preference`,
  }),
];
