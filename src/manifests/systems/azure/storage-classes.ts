import { ManifestRule } from '../../rules/manifest-rule';
import { storageParameters } from '../../rules/storage-parameters';

/** Rules over the classes of the drivers for disks and for files. */
export const STORAGE_CLASSES: readonly ManifestRule[] = [
  storageParameters({
    id: 'TC-TRAP-AZURE-DISK-PARAMETER',
    source: 'kubernetes-sigs/azuredisk-csi-driver pkg/azureutils/azure_disk_utils.go (ParseDiskParameters)',
    provisioner: 'disk.csi.azure.com',
    parameters: `skuName location storageAccountType cachingMode subscriptionID resourceGroup DiskIOPSReadWrite DiskMBpsReadWrite LogicalSectorSize diskName
diskEncryptionSetID diskEncryptionType tags writeAcceleratorEnabled maxShares fsType kind perfProfile networkAccessPolicy publicNetworkAccess diskAccessID
enableBursting userAgent enableAsyncAttach zoned enablePerformancePlus attachDiskInitialDelay tagValueDelimiter`,
    prefixes: ['device-setting/'],
  }),
  storageParameters({
    id: 'TC-TRAP-AZURE-FILE-PARAMETER',
    source: 'kubernetes-sigs/azurefile-csi-driver pkg/azurefile/controllerserver.go (CreateVolume)',
    provisioner: 'file.csi.azure.com',
    parameters: `skuName storageAccountType location storageAccount subscriptionID resourceGroup shareName diskName fsType storeAccountKey
selectRandomMatchingAccount secretName secretNamespace protocol matchTags tags createAccount useSecretCache enableLargeFileShares useDataPlaneAPI
disableDeleteRetentionPolicy storageEndpointSuffix networkEndpointType privateDNSZoneResourceGroup accessTier shareAccessTier accountAccessTier
rootSquashType allowBlobPublicAccess publicNetworkAccess allowSharedKeyAccess allowCrossTenantReplication server folderName clientID tenantID
confidentialContainerLabel runtimeClassHandler createFolderIfNotExist fsGroupChangePolicy mountPermissions vnetResourceGroup vnetName vnetLinkName subnetName
shareNamePrefix requireInfraEncryption enableMultichannel getLatestAccountKey accountQuota tagValueDelimiter encryptInTransit provisionedBandwidth
provisionedIops mountWithManagedIdentity mountWithWorkloadIdentityToken mountWithOAuthToken`,
  }),
];
