import { App, Duration, Size, Testing } from 'cdk8s';
import { FLUX, refused, REMOTE, withEtcd } from './managed';
import { Versions } from '../../../src/constructs/contracts/versions';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { CertManagerInstallation } from '../../../src/constructs/management/cert-manager-installation';
import { ClusterApiInstallation, ClusterApiInstallationOptions } from '../../../src/constructs/management/cluster-api-installation';
import { ProviderKind } from '../../../src/constructs/management/cluster-api-provider';
import { EtcdBackup, EtcdBackupS3Options } from '../../../src/constructs/management/etcd-backup';
import { ExternalDatabaseOptions, KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation, KamajiInstallationOptions } from '../../../src/constructs/management/kamaji-installation';
import { KubevirtInstallation, KubevirtInstallationOptions } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementClusterProps } from '../../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../../src/constructs/management/operator-manifest';
import { PermittedHostDevice } from '../../../src/constructs/management/permitted-host-device';
import { TolerationOperator } from '../../../src/manifests/values/taints';
import { rulesOfTopic } from '../../support/topic-rules';

type Case = [id: string, props: Partial<ManagementClusterProps>, ...texts: string[]];

const KEY = { name: 'sql', namespace: 'databases', key: 'ca.crt' };
const SQL: ExternalDatabaseOptions = { endpoints: ['sql:5432'], certificateAuthority: KEY };
const VULTR = { kind: ProviderKind.INFRASTRUCTURE, name: 'vultr', version: 'v0.4.0' };

function capi(options: ClusterApiInstallationOptions): Partial<ManagementClusterProps> {
  return { clusterApi: ClusterApiInstallation.operator(options) };
}

function kamaji(options: KamajiInstallationOptions): Partial<ManagementClusterProps> {
  return { kamaji: KamajiInstallation.chart(options) };
}

function s3(options: Partial<EtcdBackupS3Options>): Partial<ManagementClusterProps> {
  return withEtcd({ backup: EtcdBackup.s3({ endpoint: 'https://s3.example.com', bucket: 'etcd', secretName: 's3', ...options }) });
}

function sql(options: Partial<ExternalDatabaseOptions>): Partial<ManagementClusterProps> {
  return kamaji({ dataStores: [KamajiDataStore.postgreSql('sql', { ...SQL, ...options })] });
}

function kubevirt(options: KubevirtInstallationOptions): Partial<ManagementClusterProps> {
  return { kubevirt: KubevirtInstallation.operator({ operator: REMOTE, ...options }) };
}

function devices(...permittedHostDevices: PermittedHostDevice[]): Partial<ManagementClusterProps> {
  return kubevirt({ permittedHostDevices });
}

const CASES: Case[] = [
  ['TC-MANAGEMENT-NAME', { namespace: 'Flux' }, 'namespace: "Flux"'],
  ['TC-MANAGEMENT-NAME', capi({ core: { namespace: 'capi.system' } }), 'clusterApi.core.namespace'],
  ['TC-MANAGEMENT-NAME', capi({ core: { imagePullSecrets: ['a', 'b_c'] } }), 'clusterApi.core.imagePullSecrets[1]'],
  ['TC-MANAGEMENT-NAME', capi({ configSecret: { name: 'A', namespace: 'a' }, ...only('core') }), 'clusterApi.core.configSecret.name'],
  ['TC-MANAGEMENT-NAME', capi({ core: { nodeSelector: { 'a b': '' } } }), 'clusterApi.core.nodeSelector["a b"]'],
  ['TC-MANAGEMENT-NAME', withEtcd({ issuer: { name: 'A' } }), 'kamaji.dataStores[0].issuer.name'],
  ['TC-MANAGEMENT-NAME', withEtcd({ clusterDomain: 'cluster_local' }), 'kamaji.dataStores[0].clusterDomain'],
  ['TC-MANAGEMENT-NAME', kamaji({ dataStores: [KamajiDataStore.postgreSql('S', SQL)] }), 'kamaji.dataStores[0].name'],
  ['TC-MANAGEMENT-NAME', sql({ certificateAuthority: { ...KEY, namespace: 'A' } }), 'kamaji.dataStores[0].certificateAuthority.namespace'],
  ['TC-MANAGEMENT-NAME', { cdi: CdiInstallation.operator({ operator: REMOTE, scratchSpaceStorageClass: 'A' }) }, 'cdi.scratchSpaceStorageClass'],
  ['TC-MANAGEMENT-CATALOG', { versions: Versions.of('2026.10') }, 'carries no catalog "2026.10"', 'versions'],
  ['TC-MANAGEMENT-VERSION', capi({ version: '1.14' }), 'clusterApi.version: "1.14" is not a version of Cluster API', '"v1.14.2"'],
  ['TC-MANAGEMENT-VERSION', kamaji({ version: 'v1.0.0' }), 'kamaji.version', '"26.8.2-edge"'],
  ['TC-MANAGEMENT-VERSION', capi({ furtherProviders: [{ ...VULTR, version: 'latest' }] }), 'clusterApi.furtherProviders[0].version'],
  ['TC-MANAGEMENT-VERSION-UNTESTED', capi({ version: 'v1.15.0' }), 'Cluster API v1.15.0', '1.11.x to 1.14.x', 'allowUntestedVersions'],
  ['TC-MANAGEMENT-VERSION-UNTESTED', kubevirt({ version: 'v1.10.0' }), 'KubeVirt v1.10.0'],
  ['TC-MANAGEMENT-VERSION-UNTESTED', { cdi: CdiInstallation.operator({ operator: REMOTE, version: 'v1.65.0' }) }, 'CDI v1.65.0', '1.66.x'],
  ['TC-MANAGEMENT-VERSION-UNTESTED', capi({ operator: { chartVersion: '0.27.0' } }), 'clusterApi.operator.chartVersion'],
  ['TC-MANAGEMENT-VERSION-UNTESTED', withEtcd({ chartVersion: '0.16.0' }), 'kamaji.dataStores["default"].chartVersion'],
  ['TC-MANAGEMENT-VERSION-CONFLICT', capi({ version: 'v1.10.7' }), 'v1.10.7: Cluster API before 1.11 does not serve v1beta2', 'versions.md'],
  ['TC-TRAP-OPERATOR-CONTRACT', { ...capi({ version: 'v1.16.0' }), allowUntestedVersions: true }, 'has only the contract v1beta1', 'clusterApi.version'],
  ['TC-MANAGEMENT-VERSION-CONFLICT', capi({ kamajiControlPlane: { version: 'v0.19.0' } }), 'clusterApi.kamajiControlPlane.version', 'v1alpha2'],
  ['TC-MANAGEMENT-VERSION-CONFLICT', capi({ kubevirtInfrastructure: { version: 'v0.10.5' } }), 'clusterApi.kubevirtInfrastructure.version', 'flags'],
  ['TC-MANAGEMENT-VERSION-CONFLICT', kamaji({ version: 'edge-25.12.4' }), 'kamaji.version: edge-25.12.4: Kamaji before edge-26.2.1'],
  ['TC-MANAGEMENT-FEATURE-GATE', capi({ version: 'v1.11.4', featureGates: { reconcilerRateLimiting: true } }), 'clusterApi.featureGates.reconcilerRateLimiting', 'ReconcilerRateLimiting, which exists since Cluster API 1.12'],
  ['TC-MANAGEMENT-FEATURE-GATE', capi({ featureGates: { priorityQueue: false } }), 'clusterApi.featureGates.priorityQueue', 'ReconcilerRateLimiting on and PriorityQueue off', 'reconcilerRateLimiting: false'],
  ['TC-MANAGEMENT-FEATURE-GATE', capi({ version: 'v1.12.9', featureGates: { reconcilerRateLimiting: true } }), 'clusterApi.featureGates.reconcilerRateLimiting', 'priorityQueue: true'],
  ['TC-MANAGEMENT-FEATURE-GATE', capi({ kubevirtInfrastructure: { featureGates: { machineTaintPropagation: true } } }), 'the KubeVirt provider v0.11.2 does not know the feature gate MachineTaintPropagation'],
  ['TC-MANAGEMENT-FEATURE-GATE', kubevirt({ featureGates: ['Snapshot', 'a b'] }), 'kubevirt.featureGates[1]'],
  ['TC-MANAGEMENT-ARGUMENT', capi({ core: { extraArgs: { '--v': '4' } } }), 'clusterApi.core.extraArgs["--v"]'],
  ['TC-MANAGEMENT-ARGUMENT', capi({ kamajiControlPlane: { extraArgs: { 'dynamic-infrastructure-clusters': 'Foo' } } }), 'featureGates.dynamicInfrastructureClusterPatch'],
  [
    'TC-MANAGEMENT-VERSION-CONFLICT', capi({ furtherProviders: [{ ...VULTR, name: 'vultr-vultr' }] }),
    'clusterApi.furtherProviders[0].version: v0.4.0', 'no series 0.4', 'v0.3.0', 'ociArtifact',
  ],
  [
    'TC-MANAGEMENT-VERSION-CONFLICT',
    capi({ furtherProviders: [{ ...VULTR, url: 'https://github.com/vultr/cluster-api-provider-vultr/releases/download/v0.4.0/infrastructure-components.yaml' }] }),
    'clusterApi.furtherProviders[0].version: v0.4.0',
  ],
  ['TC-MANAGEMENT-PROVIDER', capi({ furtherProviders: [{ ...VULTR, name: 'kubevirt' }] }), 'the InfrastructureProvider "kubevirt" is already defined'],
  ['TC-MANAGEMENT-PROVIDER', capi({ furtherProviders: [{ ...VULTR, url: 'http://example.com' }] }), 'clusterApi.furtherProviders[0].url'],
  ['TC-MANAGEMENT-PROVIDER', capi({ core: { ociArtifact: 'oci://registry.example.com/a' } }), 'clusterApi.core.ociArtifact'],
  ['TC-MANAGEMENT-REPLICAS', capi({ core: { replicas: 0 } }), 'clusterApi.core.replicas: 0'],
  ['TC-MANAGEMENT-REPLICAS', capi({ operator: { replicas: 1.5 } }), 'clusterApi.operator.replicas'],
  ['TC-MANAGEMENT-REPLICAS', withEtcd({ replicas: 4 }), 'kamaji.dataStores[0].replicas: 4 members', 'write 3 or 5'],
  ['TC-MANAGEMENT-DATA-STORE-LIMIT', withEtcd({ maxTenants: 0 }), 'kamaji.dataStores[0].maxTenants: 0 is not a number of tenant clusters'],
  ['TC-MANAGEMENT-REPLICAS', kubevirt({ replicas: -1 }), 'kubevirt.replicas'],
  ['TC-MANAGEMENT-REPLICAS', { certManager: CertManagerInstallation.chart({ replicas: 0 }) }, 'certManager.replicas'],
  ['TC-MANAGEMENT-RESOURCES', kamaji({ resources: { limits: { memory: 'much' } } }), 'kamaji.resources.limits.memory'],
  ['TC-MANAGEMENT-RESOURCES', capi({ core: { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } } }), 'clusterApi.core.resources.requests.cpu'],
  ['TC-MANAGEMENT-TOLERATION', kubevirt({ infra: { tolerations: [{ operator: TolerationOperator.EXISTS, value: 'a' }] } }), 'kubevirt.infra.tolerations[0]'],
  ['TC-MANAGEMENT-TOLERATION', kamaji({ tolerations: [{ operator: TolerationOperator.EXISTS, value: 'a' }] }), 'kamaji.tolerations[0]'],
  ['TC-MANAGEMENT-IMAGE', capi({ core: { image: 'registry.example.com/a:latest' } }), 'clusterApi.core.image'],
  ['TC-MANAGEMENT-IMAGE', capi({ core: { sidecarImages: { proxy: 'registry.example.com/a' } } }), 'clusterApi.core.sidecarImages["proxy"]: "registry.example.com/a"'],
  ['TC-MANAGEMENT-IMAGE', capi({ core: { sidecarImages: { manager: 'registry.example.com/a:1' } } }), '"manager" is not a sidecar', 'set its image with the property image'],
  ['TC-MANAGEMENT-NAME', capi({ core: { sidecarImages: { kube_proxy: 'registry.example.com/a:1' } } }), 'clusterApi.core.sidecarImages["kube_proxy"]'],
  ['TC-MANAGEMENT-IMAGE', kubevirt({ imageRegistry: 'registry.example.com/a:v1' }), 'kubevirt.imageRegistry'],
  ['TC-MANAGEMENT-DATA-STORE-TAKEN', kamaji({ dataStores: [KamajiDataStore.etcd('a'), KamajiDataStore.postgreSql('a', SQL)] }), 'two DataStores are called "a"'],
  ['TC-MANAGEMENT-DATA-STORE-DEFAULT', kamaji({ defaultDataStore: 'other' }), 'dataStores has no DataStore "other"'],
  ['TC-MANAGEMENT-DATA-STORE-DEFAULT', kamaji({ dataStores: [KamajiDataStore.postgreSql('sql', SQL)], defaultDataStore: 'sql' }), '"sql" is not installed here'],
  ['TC-MANAGEMENT-DATA-STORE-ACCESS', sql({ endpoints: ['https://sql:5432'] }), 'kamaji.dataStores[0].endpoints[0]'],
  ['TC-MANAGEMENT-DATA-STORE-ACCESS', sql({ endpoints: ['sql'] }), 'not a host and a port'],
  ['TC-ADMIT-FIELD-VALUE', sql({ endpoints: [] }), 'kamaji.dataStores[0].endpoints: it is empty'],
  ['TC-MANAGEMENT-DATA-STORE-ACCESS', sql({ username: KEY }), 'must be set together'],
  ['TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS', sql({ certificateAuthority: undefined }), 'kamaji.dataStores[0]: the driver PostgreSQL has neither'],
  ['TC-MANAGEMENT-DATA-STORE-ACCESS', sql({ certificateAuthority: { ...KEY, key: 'a b' } }), 'kamaji.dataStores[0].certificateAuthority.key'],
  ['TC-MANAGEMENT-DATA-STORE-ACCESS', sql({ certificateAuthority: undefined, username: KEY, password: KEY, clientCertificate: { certificate: KEY, privateKey: KEY } }), 'kamaji.dataStores[0].clientCertificate'],
  ['TC-MANAGEMENT-ETCD-TAKEN', kamaji({ dataStores: [KamajiDataStore.etcd('a'), KamajiDataStore.etcd('b', { releaseName: 'etcd-a' })] }), 'two etcds are called kamaji-etcd/etcd-a'],
  ['TC-MANAGEMENT-ETCD-SIZE', withEtcd({ size: Size.gibibytes(4), quota: Size.gibibytes(4) }), 'kamaji.dataStores[0].quota'],
  ['TC-MANAGEMENT-ETCD-SIZE', withEtcd({ size: Size.gibibytes(40), quota: Size.gibibytes(9) }), 'from 1 MiB to 8 GiB'],
  ['TC-MANAGEMENT-ETCD-SIZE', withEtcd({ size: Size.kibibytes(1) }), 'kamaji.dataStores[0].size'],
  ['TC-MANAGEMENT-ETCD-STORAGE-CLASS', { ...withEtcd({ storageClass: 'fsat' }), capabilities: { storageClasses: [{ name: 'fast' }] } }, 'no StorageClass "fsat"', 'fast'],
  ['TC-ADMIT-KUBERNETES-CRON-SCHEDULE', s3({ schedule: '0 25 * * *' }), 'kamaji.dataStores[0].backup.schedule', 'hour'],
  ['TC-MANAGEMENT-ETCD-BACKUP', s3({ retention: Duration.hours(36) }), 'kamaji.dataStores[0].backup.retention', 'whole days'],
  ['TC-MANAGEMENT-ETCD-BACKUP', s3({ endpoint: 's3.example.com' }), 'kamaji.dataStores[0].backup.endpoint'],
  ['TC-MANAGEMENT-ETCD-BACKUP', s3({ bucket: 'Back Up' }), 'kamaji.dataStores[0].backup.bucket: "Back Up"'],
  ['TC-MANAGEMENT-ETCD-BACKUP', s3({ folder: '/a' }), 'kamaji.dataStores[0].backup.folder', 'such as "etcd/hall-1"'],
  ['TC-MANAGEMENT-ETCD-BACKUP', s3({ region: 'eu west' }), 'kamaji.dataStores[0].backup.region'],
  ['TC-MANAGEMENT-ETCD-BACKUP', s3({ accessKeyIdKey: 'a b' }), 'kamaji.dataStores[0].backup.accessKeyIdKey'],
  ['TC-MANAGEMENT-NAME', s3({ secretName: 'A' }), 'kamaji.dataStores[0].backup.secretName'],
  ['TC-MANAGEMENT-NAME', withEtcd({ backup: EtcdBackup.persistentVolumeClaim({ claimName: 'A' }) }), 'kamaji.dataStores[0].backup.claimName'],
  ['TC-MANAGEMENT-OPERATOR-MANIFEST', kubevirt({ operator: OperatorManifest.file('nowhere.yaml') }), 'kubevirt.operator: there is no file nowhere.yaml',
    '"curl --fail --location --create-dirs --output nowhere.yaml https://github.com/kubevirt/kubevirt/releases/download/v1.9.0/kubevirt-operator.yaml"'],
  ['TC-MANAGEMENT-OPERATOR-MANIFEST', { kubevirt: KubevirtInstallation.operator() }, 'there is no file vendor/kubevirt-operator-v1.9.0.yaml',
    '--output vendor/kubevirt-operator-v1.9.0.yaml', 'OperatorManifest.release()'],
  ['TC-MANAGEMENT-OPERATOR-MANIFEST', { cdi: CdiInstallation.operator() }, 'cdi.operator: there is no file vendor/cdi-operator-v',
    'https://github.com/kubevirt/containerized-data-importer/releases/download/v'],
  ['TC-MANAGEMENT-OPERATOR-MANIFEST', kubevirt({ operator: OperatorManifest.file("our file's.yaml") }), "--output 'our file'\\''s.yaml' https"],
  ['TC-MANAGEMENT-DEVICE', devices(PermittedHostDevice.pci('nvidia.com/a', '10DE26B9')), 'kubevirt.permittedHostDevices[0]', 'such as "10DE:26B9"'],
  ['TC-MANAGEMENT-DEVICE', devices(PermittedHostDevice.usb('a.io/a', '1', '0001')), 'four hex digits'],
  ['TC-MANAGEMENT-DEVICE', devices(PermittedHostDevice.mediated('a.io/a', ' ')), 'the name of the type is empty'],
  ['TC-MANAGEMENT-DEVICE', devices(PermittedHostDevice.mediated('gpu', 'A40')), 'no domain'],
  ['TC-MANAGEMENT-DEVICE', devices(PermittedHostDevice.pci('a.io/a', '10DE:26B9'), PermittedHostDevice.pci('a.io/a', '10DE:26BA')), 'permittedHostDevices[1].resourceName', 'position 0'],
  ['TC-MANAGEMENT-CAPABILITY', { capabilities: { deviceNames: ['nvidia.com/a'] } }, 'capabilities.deviceNames', 'kubevirt.permittedHostDevices'],
  ['TC-MANAGEMENT-CAPABILITY', { capabilities: { kubevirtFeatureGates: ['CPUManager'] } }, 'no open feature gate "CPUManager"'],
  ['TC-MANAGEMENT-CAPABILITY', { capabilities: { kamajiVersion: '26.5.4-edge' } }, 'Kamaji 26.8.2-edge is installed'],
  ['TC-MANAGEMENT-CAPABILITY', { capabilities: { clusterApiVersion: 'v1.11.0' } }, 'Cluster API v1.14.2 is installed'],
  ['TC-MANAGEMENT-CAPABILITY', { capabilities: { infrastructureProviders: { 'kubevirt': 'v0.1.0', 'vultr-vultr': 'v0.3.0' } } }, 'is installed, and not v0.1.0'],
  ['TC-MANAGEMENT-CAPABILITY', { ...kubevirt({ sizing: { cpuAllocationRatio: 4 } }), capabilities: { kubevirtSizing: { cpuAllocationRatio: 10 } } }, 'kubevirtSizing.cpuAllocationRatio', 'not with 10'],
];

/** Options that install one provider of the three that are one release, and no others. */
function only(provider: 'core'): ClusterApiInstallationOptions {
  const off = { enabled: false };
  return { kubeadmBootstrap: off, kamajiControlPlane: off, kubevirtInfrastructure: off, helmAddon: off, [provider]: {} };
}

test.each(CASES)('%s: %#', (id, props, ...texts) => {
  const found = refused(props);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['management', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('versions outside of the table are accepted from somebody who says so', () => {
  const versions = { ...capi({ version: 'v1.15.0' }), ...kubevirt({ version: 'v1.10.0' }) };

  expect(refused({ ...versions, allowUntestedVersions: true })).toEqual([]);
});

test('manifests that nobody writes are refused', () => {
  expect(refused({}, Testing.app()).map(({ id, text }) => [id, text])).toEqual([
    ['TC-MANAGEMENT-MANIFEST-APP', expect.stringContaining('make the app a GitOpsApp')],
  ]);
});

test('a delivery without source of manifests is refused, and says so', () => {
  const found = refused({ delivery: new FluxDelivery() }, new App());

  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(['TC-DELIVERY-OWN-CLUSTER']));
  expect(found[0].text).toContain('with a manifestSource');
});

test('what is right is accepted', () => {
  expect(refused({ delivery: FLUX, capabilities: { kamajiVersion: '26.8.2-edge', kubevirtFeatureGates: ['LiveMigration', 'HotplugVolumes'], deviceNames: [] } }))
    .toEqual([]);
});

test('every rule has a negative test', () => {
  // management-cluster.test.ts and etcd-backup.test.ts have those of warnings and of the app.
  const tested = new Set([...CASES.map(([id]) => id), 'TC-MANAGEMENT-ETCD-BACKUP-MISSING', 'TC-MANAGEMENT-MANIFEST-APP', 'TC-MANAGEMENT-VERSIONS-UNSET']);

  expect(rulesOfTopic('Management cluster').filter((id) => !tested.has(id))).toEqual([]);
});

test('an artifact whose metadata was mended is taken', () => {
  expect(refused(capi({ furtherProviders: [{ ...VULTR, name: 'vultr-vultr', ociArtifact: 'registry.example.com/providers/vultr' }] }))).toEqual([]);
  expect(refused(capi({ furtherProviders: [{ ...VULTR, name: 'vultr-vultr', version: 'v0.3.0' }] }))).toEqual([]);
});
