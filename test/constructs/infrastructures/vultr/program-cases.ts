import { VultrApiKey } from '../../../../src/constructs/infrastructures/vultr/api-key';
import { VultrCsiDriver, VultrCsiDriverOptions } from '../../../../src/constructs/infrastructures/vultr/csi-driver/vultr-csi-driver';
import { VultrStorage, VultrStorageClass } from '../../../../src/constructs/infrastructures/vultr/csi-driver/vultr-storage-class';
import {
  VultrCloudControllerManager, VultrCloudControllerManagerOptions,
} from '../../../../src/constructs/infrastructures/vultr/vultr-cloud-controller-manager';
import { VultrInfrastructureProps } from '../../../../src/constructs/infrastructures/vultr/vultr-infrastructure';

/** A storage class. */
export const BLOCK: VultrStorageClass = { name: 'block', storage: VultrStorage.BLOCK_NVME, isDefault: true };

/** A class of file systems. */
export const SHARED: VultrStorageClass = { name: 'shared', storage: VultrStorage.FILE_SYSTEM_NVME };

/** Like an API key of Vultr, and none. */
export const LIKE_AN_API_KEY = 'A0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3E4F5';

/** Problems of the programs in the tenant and of storage classes. */
export const PROGRAM_CASES: [id: string, props: Partial<VultrInfrastructureProps>, texts: string[]][] = [
  ['TC-VULTR-API-KEY', manager({ apiKey: VultrApiKey.inTenant({ name: 'SECRET', key: 'a' }) }), ['cloudControllerManager.apiKey.name', '"SECRET"']],
  ['TC-VULTR-API-KEY', manager({ apiKey: VultrApiKey.inTenant({ name: 'a', key: LIKE_AN_API_KEY }) }), ['cloudControllerManager.apiKey.key: it looks like the API key itself']],
  ['TC-VULTR-API-KEY', manager({ apiKey: VultrApiKey.carried({ secretName: 'Keys' }) }), ['cloudControllerManager.apiKey.secretName: "Keys"']],
  ['TC-VULTR-API-KEY', driver({ apiKey: VultrApiKey.inTenant({ name: 'a', key: 'a b' }) }), ['csiDriver.apiKey.key: "a b"']],
  ['TC-ADMIT-FIELD-METADATA', { storageClasses: [{ ...BLOCK, name: 'Block' }] }, ['storageClasses[0].name']],
  ['TC-VULTR-CSI-CLASS-NAME', { storageClasses: [BLOCK, { ...BLOCK, isDefault: false }] }, ['storageClasses[1].name', 'already']],
  ['TC-ADMIT-FIELD-METADATA', { storageClasses: [{ ...BLOCK, labels: { 'a b': '' } }] }, ['labels["a b"]']],
  ['TC-VULTR-CSI-LABEL', { storageClasses: [{ ...BLOCK, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }] }, ['set isDefault: true']],
  ['TC-VULTR-CSI-DEFAULT-CLASS', { storageClasses: [{ ...BLOCK, isDefault: false }] }, ['no class is the default']],
  ['TC-VULTR-CSI-DEFAULT-CLASS', { storageClasses: [{ ...BLOCK, isDefault: false }, SHARED] }, ['no class is the default']],
  ['TC-VULTR-CSI-DEFAULT-CLASS', { storageClasses: [BLOCK, { ...BLOCK, name: 'other' }] }, ['storageClasses[1].isDefault']],
  ['TC-VULTR-CSI-DEFAULT-CLASS', { storageClasses: [BLOCK, { ...SHARED, isDefault: true }] }, ['storageClasses[1].isDefault: "shared" is a file system']],
  ['TC-VULTR-CSI-IDLE', { csiDriver: VultrCsiDriver.of() }, ['no storage classes']],
  ['TC-VULTR-CSI-IDLE', { csiDriver: VultrCsiDriver.none(), storageClasses: [BLOCK] }, ['no driver provisions their volumes']],
  ['TC-VULTR-CSI-IDLE', { csiDriver: VultrCsiDriver.of({ resizer: {} }), storageClasses: [{ ...BLOCK, allowVolumeExpansion: false }] }, ['csiDriver.resizer', 'no resizer runs']],
  ['TC-CONTROLLER-ARGUMENT', manager({ extraArgs: [{ name: 'cluster-name', value: 'a' }] }), ['extraArgs[0]', 'the library sets it']],
  ['TC-CONTROLLER-ARGUMENT', manager({ extraArgs: [{ name: 'secure-port', value: '10300' }] }), ['extraArgs[0]', 'its probe asks at the default port']],
  ['TC-CONTROLLER-ARGUMENT', manager({ extraArgs: [{ name: 'controllers', value: '*,-cloud-node-controller' }] }), ['nodes or Services would have no controller']],
  ['TC-CONTROLLER-ARGUMENT', manager({ extraArgs: [{ name: 'use-service-account-credentials', value: 'true' }] }), ['may make no tokens for others']],
  ['TC-CONTROLLER-ARGUMENT', manager({ extraArgs: [{ name: 'leader-elect-resource-name', value: 'a' }] }), ['no other Lease']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', driver({ image: 'a/b' }), ['csiDriver.image']],
  ['TC-CONTROLLER-ARGUMENT', driver({ attacher: { extraArgs: [{ name: 'nonsense', value: 'true' }] } }), ['csiDriver.attacher.extraArgs[0]']],
  ['TC-CONTROLLER-ARGUMENT', driver({ provisioner: { extraArgs: [{ name: 'controller-publish-readonly', value: 'true' }] } }), ['csiDriver.provisioner.extraArgs[0]', 'read-only']],
];

function manager(options: VultrCloudControllerManagerOptions): Partial<VultrInfrastructureProps> {
  return { cloudControllerManager: VultrCloudControllerManager.of(options) };
}

function driver(options: VultrCsiDriverOptions): Partial<VultrInfrastructureProps> {
  return { storageClasses: [BLOCK], csiDriver: VultrCsiDriver.of(options) };
}
