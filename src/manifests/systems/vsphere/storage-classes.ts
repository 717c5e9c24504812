import { ManifestRule } from '../../rules/manifest-rule';
import { storageParameters } from '../../rules/storage-parameters';

/** Rules over the classes of the driver for volumes of vSphere. */
export const STORAGE_CLASSES: readonly ManifestRule[] = [
  storageParameters({
    id: 'TC-TRAP-VSPHERE-CSI-PARAMETER',
    source: 'kubernetes-sigs/vsphere-csi-driver pkg/csi/service/common/util.go (ParseStorageClassParams)',
    provisioner: 'csi.vsphere.vmware.com',
    // A supervisor cluster has parameters of its own, and its guests have others.
    parameters: `datastoreURL storagePolicyName fsType csimigration datastore-migrationparam diskformat-migrationparam svStorageClass storagePolicyID storageTopologyType
storagePool hostLocal hostLocalPolicy`,
  }),
];
