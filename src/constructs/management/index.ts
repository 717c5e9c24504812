// The management cluster: what is installed in it.

export { CdiInstallation, CdiInstallationOptions } from './cdi-installation';
export { CertManagerInstallation, CertManagerInstallationOptions } from './cert-manager-installation';
export { ClusterApiFeatureGates, KamajiProviderFeatureGates } from './cluster-api-feature-gates';
export { ClusterApiInstallation, ClusterApiInstallationOptions, ClusterApiOperatorOptions } from './cluster-api-installation';
export {
  FurtherProvider, KamajiProviderOptions, KubevirtProviderOptions, ProviderKind, ProviderOptions, VersionedProviderOptions,
} from './cluster-api-provider';
export { ComponentPlacement } from './component-options';
export { EtcdBackup, EtcdBackupClaimOptions, EtcdBackupOptions, EtcdBackupS3Options } from './etcd-backup';
export { EtcdDefragmentation, EtcdDefragmentationOptions } from './etcd-defragmentation';
export { EtcdDataStoreOptions, ManagementIssuerRef } from './etcd-data-store';
export { DataStoreKeyPair, DataStoreSecretKey, ExternalDatabaseOptions, ExternalEtcdOptions, KamajiDataStore } from './kamaji-data-store';
export { KamajiDataStoresOptions, KamajiInstallation, KamajiInstallationOptions } from './kamaji-installation';
export { ClusterEvictionStrategy, KubevirtInstallation, KubevirtInstallationOptions } from './kubevirt-installation';
export { ManagementChartOptions } from './management-chart';
export { ManagementCluster, ManagementClusterProps } from './management-cluster';
export { OperatorManifest } from './operator-manifest';
export { PermittedHostDevice, PermittedHostDeviceOptions } from './permitted-host-device';
