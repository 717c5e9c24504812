import * as os from 'node:os';
import { ApiObject, Size, Testing } from 'cdk8s';
import { ARGO_CD, delivering, deliveringAll, FLUX, manage, manifestsOf, outputOf, refused, REMOTE, withEtcd, Written } from './managed';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { IsolationPeer, IsolationPort } from '../../../src/constructs/contracts/capabilities/isolation-peer';
import { ManagementCapabilities } from '../../../src/constructs/contracts/capabilities/management-cluster';
import { Versions } from '../../../src/constructs/contracts/versions';
import { kamajiWebhook } from '../../../src/constructs/control-planes/kamaji/webhook';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { CertManagerInstallation } from '../../../src/constructs/management/cert-manager-installation';
import { ClusterApiInstallation } from '../../../src/constructs/management/cluster-api-installation';
import { ProviderKind } from '../../../src/constructs/management/cluster-api-provider';
import { EtcdBackup } from '../../../src/constructs/management/etcd-backup';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation, KamajiInstallationOptions } from '../../../src/constructs/management/kamaji-installation';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementClusterProps } from '../../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../../src/constructs/management/operator-manifest';
import { PermittedHostDevice } from '../../../src/constructs/management/permitted-host-device';
import { pinnedVersion } from '../../../src/constructs/management/version-matrix';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { CLUSTER_API, CLUSTER_API_OPERATOR_CHART, KAMAJI, KAMAJI_ETCD_CHART, KUBEVIRT } from '../../../src/manifests/values/versions';
import { SchemaValidator } from '../../manifests/schema/validate';
import { exampleCluster } from '../../support/clusters';
import { problemsIn } from '../../support/problems';
import { unknownKeys } from '../addons/chart-keys';

const SECRET = { name: 'sql', namespace: 'databases' };
const BASIC = { username: { ...SECRET, key: 'user' }, password: { ...SECRET, key: 'password' } };
const PAIR = { certificate: { ...SECRET, key: 'tls.crt' }, privateKey: { ...SECRET, key: 'tls.key' } };

/** Everything that can be installed, each with all that can be said about it. */
const EVERYTHING = {
  certManager: CertManagerInstallation.chart({ replicas: 2, tolerations: [{ key: 'infra' }] }),
  clusterApi: ClusterApiInstallation.operator({
    featureGates: { clusterTopology: true, machineTaintPropagation: true },
    operator: { replicas: 2 },
    core: {
      replicas: 2,
      resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
      tolerations: [{ key: 'infra' }],
      nodeSelector: { role: 'infra' },
      image: 'registry.example.com/capi/core:v1.14.2',
      imagePullSecrets: ['pull'],
      extraArgs: { 'sync-period': '5m' },
    },
    kubeadmControlPlane: {},
    kamajiControlPlane: { featureGates: { dynamicInfrastructureClusterPatch: true }, extraArgs: { 'dynamic-infrastructure-clusters': 'FooCluster' } },
    kubevirtInfrastructure: { featureGates: { machinePool: false }, ociArtifact: 'registry.example.com/providers/kubevirt' },
    furtherProviders: [{ kind: ProviderKind.INFRASTRUCTURE, name: 'vultr', version: 'v0.4.0', configSecret: { name: 'vultr', namespace: 'vultr-system' } }],
    configSecret: { name: 'github', namespace: 'capi-system' },
  }),
  kamaji: KamajiInstallation.chart({
    replicas: 2,
    dataStores: [
      KamajiDataStore.etcd('default', { replicas: 5, size: Size.gibibytes(20), storageClass: 'local', resources: { requests: { memory: '1Gi' } } }),
      KamajiDataStore.etcd('acme', { issuer: { name: 'platform' }, namespace: 'etcd-acme', backup: EtcdBackup.s3({ endpoint: 'https://s3.example.com', bucket: 'etcd', secretName: 's3' }) }),
      KamajiDataStore.externalEtcd('far', { endpoints: ['etcd.example.com:2379'], certificateAuthority: PAIR, clientCertificate: PAIR }),
      KamajiDataStore.postgreSql('sql', { endpoints: ['10.0.0.1:5432'], ...BASIC, certificateAuthority: { ...SECRET, key: 'ca.crt' } }),
      KamajiDataStore.mySql('maria', { endpoints: ['[fd00::1]:3306'], ...BASIC }),
      KamajiDataStore.nats('nats', { endpoints: ['nats:4222'], certificateAuthority: { ...SECRET, key: 'ca.crt' }, clientCertificate: PAIR }),
    ],
  }),
  kubevirt: KubevirtInstallation.operator({
    operator: REMOTE,
    dedicatedCpus: true,
    permittedHostDevices: [
      PermittedHostDevice.pci('nvidia.com/AD102GL_L40S', '10DE:26B9', { externalResourceProvider: true }),
      PermittedHostDevice.mediated('nvidia.com/NVIDIA_A40-12Q', 'NVIDIA A40-12Q'),
      PermittedHostDevice.usb('kubevirt.io/storage', '46f4', '0001'),
    ],
    featureGates: ['Snapshot'],
    sizing: { cpuAllocationRatio: 4, memoryOvercommit: 120 },
    imageRegistry: 'registry.example.com/kubevirt',
    replicas: 3,
    infra: { tolerations: [{ key: 'infra' }] },
    workloads: { nodeSelector: { role: 'machines' } },
  }),
  cdi: CdiInstallation.operator({ operator: REMOTE, scratchSpaceStorageClass: 'local', insecureRegistries: ['registry.local:5000'], workloads: { tolerations: [{ key: 'vm' }] } }),
};

/** The capabilities of a management cluster for its tenants. */
function capabilitiesOf(props: Partial<ManagementClusterProps>): ManagementCapabilities {
  return manage(new GitOpsApp({ outdir: os.tmpdir(), quiet: true }), props).capabilities;
}

/** Names of what an object waits for. */
function dependsOn(object: Written): string[] {
  return (object.spec.dependsOn ?? []).map(({ name }: { name: string }) => name);
}

test('with nothing said, everything that tenants need is installed', () => {
  const output = outputOf();

  expect(Object.keys(delivering(output, 'HelmRelease')).sort()).toEqual([
    'management-cert-manager', 'management-cluster-api-operator', 'management-etcd-default', 'management-kamaji', 'management-kamaji-crds',
  ]);
  expect(Object.keys(delivering(output, 'Kustomization')).sort()).toEqual([
    'management-cdi', 'management-cdi-operator', 'management-cluster-api-providers', 'management-etcd-default-data-store',
    'management-etcd-default-guard', 'management-kamaji-etcd-issuers', 'management-kamaji-gate', 'management-kubevirt', 'management-kubevirt-operator',
  ]);
  expect(manifestsOf(output, 'cluster-api-providers').filter(({ kind }) => kind.endsWith('Provider')).map(({ kind, metadata, spec }) => (
    [kind, metadata.name, metadata.namespace, spec.version]))).toEqual([
    ['CoreProvider', 'cluster-api', 'capi-system', 'v1.14.2'],
    ['BootstrapProvider', 'kubeadm', 'capi-kubeadm-bootstrap-system', 'v1.14.2'],
    ['ControlPlaneProvider', 'kamaji', 'kamaji-system', 'v0.20.0'],
    ['InfrastructureProvider', 'kubevirt', 'capk-system', 'v0.11.2'],
    ['AddonProvider', 'helm', 'caaph-system', 'v0.6.4'],
  ]);
});

test.each([['nothing said', {}], ['everything said', EVERYTHING]])('with %s, the API server accepts every object and adds nothing', (_what, props) => {
  const validator = SchemaValidator.load();

  for (const delivery of [FLUX, ARGO_CD]) {
    const output = outputOf({ ...props, delivery });
    const objects = Object.entries(output).filter(([file]) => !file.endsWith('kustomization.yaml')).flatMap(([, found]) => found);
    expect(objects.length).toBeGreaterThan(15);
    for (const object of objects) {
      expect({ object, errors: validator.validate(object) }).toEqual({ object, errors: [] });
      expect({ object, missing: validator.missingDefaults(object) }).toEqual({ object, missing: [] });
    }
  }
});

test('Flux is told no kubeconfig: everything goes into the cluster that it runs in', () => {
  const output = outputOf();

  for (const object of deliveringAll(output)) expect(object.spec).not.toHaveProperty('kubeConfig');
});

test('Flux installs nothing before what it needs', () => {
  const output = outputOf(EVERYTHING);
  const releases = delivering(output, 'HelmRelease');
  const kustomizations = delivering(output, 'Kustomization');

  expect(dependsOn(releases['management-cluster-api-operator'])).toEqual(['management-cert-manager']);
  expect(dependsOn(releases['management-kamaji-crds'])).toEqual(['management-cert-manager']);
  expect(dependsOn(releases['management-etcd-default'])).toEqual(['management-cert-manager', 'management-kamaji-crds']);
  expect(dependsOn(releases['management-kamaji'])).toContain('management-etcd-default');
  expect(dependsOn(releases['management-etcd-acme'])).toContain('management-kamaji');
  expect(dependsOn(kustomizations['management-kubevirt'])).toEqual(['management-kubevirt-operator']);
  expect(dependsOn(kustomizations['management-cdi'])).toEqual(['management-cdi-operator']);
});

test('Argo CD installs nothing before what it needs, in the cluster that it runs in', () => {
  const applications = delivering(outputOf({ ...EVERYTHING, delivery: ARGO_CD }), 'Application');
  const wave = (name: string) => Number(applications[`flux-system-management-${name}`].metadata.annotations['argocd.argoproj.io/sync-wave']);
  const order: [string, string][] = [
    ['cert-manager', 'cluster-api-operator'], ['cert-manager', 'kamaji-crds'], ['cert-manager', 'kamaji-etcd-issuers'],
    ['kamaji-etcd-issuers', 'etcd-default'], ['kamaji-crds', 'etcd-default'], ['etcd-default', 'etcd-default-guard'], ['etcd-default-guard', 'kamaji'],
    ['kamaji', 'etcd-acme'], ['etcd-acme', 'etcd-acme-guard'],
    ['kamaji', 'kamaji-data-stores'], ['kamaji', 'cluster-api-providers'], ['cluster-api-operator', 'cluster-api-providers'],
    ['kubevirt-operator', 'kubevirt'], ['cdi-operator', 'cdi'],
  ];

  for (const [first, second] of order) expect([first, second, wave(first) < wave(second)]).toEqual([first, second, true]);
  for (const { spec } of Object.values(applications)) expect(spec.destination.server).toBe('https://kubernetes.default.svc');
});

test('no custom resource is in one apply with what defines it', () => {
  const output = outputOf(EVERYTHING);
  const kinds = (file: string) => new Set(output[file].map(({ kind }) => kind));

  expect([...new Set(deliveringAll(output).map(({ kind }) => kind))].sort()).toEqual(['GitRepository', 'HelmRelease', 'HelmRepository', 'Kustomization']);
  expect(kinds('delivered/kubevirt/manifests.yaml')).toEqual(new Set(['KubeVirt']));
  expect(kinds('delivered/cdi/manifests.yaml')).toEqual(new Set(['CDI']));
  expect(kinds('delivered/kamaji-data-stores/manifests.yaml')).toEqual(new Set(['DataStore']));
  expect(kinds('delivered/kubevirt-operator/kustomization.yaml')).toEqual(new Set(['Kustomization']));
});

test('what is installed outlives what installs it', () => {
  const output = outputOf(EVERYTHING);
  const objects = Object.entries(output).filter(([file]) => !file.endsWith('kustomization.yaml')).flatMap(([, found]) => found);

  // Tenants need neither a Job that has done its work nor backups that are no longer declared.
  for (const { kind, metadata } of objects.filter((object) => !['CronJob', 'Job'].includes(object.kind))) {
    expect([kind, metadata.name, metadata.annotations]).toEqual([kind, metadata.name, expect.objectContaining({
      'kustomize.toolkit.fluxcd.io/prune': 'disabled', 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    })]);
  }
});

test('charts get only values that they read', () => {
  for (const [name, { spec }] of Object.entries(delivering(outputOf(EVERYTHING), 'HelmRelease'))) {
    const chart = spec.chart.spec.chart.split('/').pop();
    expect([name, unknownKeys({ chart, repository: '', chartVersion: '', releaseName: '', namespace: '', values: spec.values })]).toEqual([name, []]);
  }
});

test('every provider has its namespace in front of it', () => {
  const manifests = manifestsOf(outputOf(EVERYTHING), 'cluster-api-providers');

  for (const [index, { kind, metadata }] of manifests.entries()) {
    if (!kind.endsWith('Provider')) continue;
    const namespace = manifests.findIndex((object) => object.kind === 'Namespace' && object.metadata.name === metadata.namespace);
    expect([kind, metadata.name, namespace >= 0 && namespace < index]).toEqual([kind, metadata.name, true]);
  }
});

test('options of providers arrive', () => {
  const manifests = manifestsOf(outputOf(EVERYTHING), 'cluster-api-providers');
  const specOf = (kind: string, name: string) => manifests.find((object) => object.kind === kind && object.metadata.name === name)!.spec;
  const gates = { ClusterTopology: true, MachineTaintPropagation: true };

  expect(specOf('CoreProvider', 'cluster-api')).toEqual({
    version: 'v1.14.2',
    configSecret: { name: 'github', namespace: 'capi-system' },
    deployment: {
      replicas: 2,
      containers: [{
        name: 'manager', imageUrl: 'registry.example.com/capi/core:v1.14.2', resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
      }],
      imagePullSecrets: [{ name: 'pull' }],
      nodeSelector: { role: 'infra' },
      tolerations: [{ key: 'infra' }],
    },
    manager: { featureGates: gates, additionalArgs: { '--sync-period': '5m' }, verbosity: 1 },
  });
  expect(specOf('BootstrapProvider', 'kubeadm').manager.featureGates).toEqual(gates);
  expect(specOf('ControlPlaneProvider', 'kubeadm').manager.featureGates).toEqual(gates);
  expect(specOf('ControlPlaneProvider', 'kamaji').manager.featureGates).toEqual({ DynamicInfrastructureClusterPatch: true });
  expect(specOf('InfrastructureProvider', 'kubevirt')).toMatchObject({
    fetchConfig: { oci: 'registry.example.com/providers/kubevirt' }, manager: { featureGates: { MachinePool: false } },
  });
  expect(specOf('InfrastructureProvider', 'vultr')).toEqual({ version: 'v0.4.0', configSecret: { name: 'vultr', namespace: 'vultr-system' } });
});

test('the kubeadm bootstrap provider may read Kamaji control planes, where the Kamaji provider leaves it to others', () => {
  const rbac = (version?: string) => manifestsOf(outputOf({ clusterApi: ClusterApiInstallation.operator({ version }) }), 'cluster-api-providers')
    .filter(({ kind }) => kind.startsWith('ClusterRole'));

  expect(rbac('v1.13.1')).toEqual([]);
  expect(rbac()).toEqual([
    expect.objectContaining({ rules: [{ apiGroups: ['controlplane.cluster.x-k8s.io'], resources: ['kamajicontrolplanes'], verbs: ['get', 'list', 'watch'] }] }),
    expect.objectContaining({ subjects: [{ kind: 'ServiceAccount', name: 'capi-kubeadm-bootstrap-manager', namespace: 'capi-kubeadm-bootstrap-system' }] }),
  ]);
});

test('Kamaji is read from the tag of its release, without its own etcd and definitions', () => {
  const { spec } = delivering(outputOf(), 'HelmRelease')['management-kamaji'];

  expect(spec.chart.spec).toMatchObject({ chart: './charts/kamaji', sourceRef: { kind: 'GitRepository' }, reconcileStrategy: 'Revision' });
  expect(spec.install.crds).toBe('Skip');
  expect(spec.values).toMatchObject({ 'defaultDatastoreName': 'default', 'image': { tag: '26.8.2-edge' }, 'kamaji-etcd': { deploy: false } });
});

test('a release of Kamaji of the older form is a tag like any other', () => {
  const output = outputOf({ kamaji: KamajiInstallation.chart({ version: 'edge-26.2.4' }) });

  expect(Object.values(delivering(output, 'GitRepository')).map(({ spec }) => spec.ref)).toEqual([{ tag: 'edge-26.2.4' }]);
});

test('a packaged Kamaji takes the place of the tag, in one version with its definitions', () => {
  const releases = delivering(outputOf({ kamaji: KamajiInstallation.chart({ repository: 'https://charts.example.com', chartVersion: '26.8.2' }) }), 'HelmRelease');

  for (const name of ['kamaji', 'kamaji-crds']) {
    expect(releases[`management-${name}`].spec.chart.spec).toMatchObject({ chart: name, version: '26.8.2', sourceRef: { kind: 'HelmRepository' } });
  }
});

test('an etcd has certificates of cert-manager, and room beside its database', () => {
  const { spec } = delivering(outputOf(withEtcd({ size: Size.gibibytes(5), storageClass: 'local' })), 'HelmRelease')['management-etcd-default'];

  expect(spec.values).toMatchObject({
    datastore: { enabled: false, name: 'default' },
    fullnameOverride: 'etcd-default',
    selfSignedCertificates: { enabled: false },
    certManager: { enabled: true, issuerRef: { kind: 'Issuer', name: 'kamaji-etcd-self-signed' } },
    persistentVolumeClaim: { size: '5Gi', storageClassName: 'local' },
    quotaBackendBytes: `${2 * 1024 ** 3}`,
  });
});

test('the manager of Kamaji is not throttled, unless the user limits it', () => {
  const limits = (options: KamajiInstallationOptions = {}) => (
    delivering(outputOf({ kamaji: KamajiInstallation.chart(options) }), 'HelmRelease')['management-kamaji'].spec.values.resources.limits);

  expect(limits()).toEqual({ cpu: null, memory: '512Mi' });
  expect(delivering(outputOf({}), 'HelmRelease')['management-kamaji'].spec.values.resources.requests).toEqual({ memory: '512Mi' });
  expect(limits({ resources: { limits: { cpu: '2' } } })).toEqual({ cpu: '2', memory: '512Mi' });
});

test('Kamaji has no default DataStore where all of them are databases of others', () => {
  const output = outputOf({ kamaji: KamajiInstallation.chart({ dataStores: [KamajiDataStore.postgreSql('sql', { endpoints: ['sql:5432'], ...BASIC })] }) });

  expect(delivering(output, 'HelmRelease')['management-kamaji'].spec.values.defaultDatastoreName).toBe('');
  expect(manifestsOf(output, 'kamaji-data-stores')[0].spec).toEqual({
    driver: 'PostgreSQL',
    endpoints: ['sql:5432'],
    basicAuth: {
      username: { secretReference: { ...SECRET, keyPath: 'user' } },
      password: { secretReference: { ...SECRET, keyPath: 'password' } },
    },
  });
});

test('KubeVirt has the gates that used features need, and no others', () => {
  const gatesOf = (kubevirt: KubevirtInstallation) => (
    manifestsOf(outputOf({ kubevirt }), 'kubevirt')[0].spec.configuration.developerConfiguration?.featureGates);

  expect(gatesOf(KubevirtInstallation.operator({ operator: REMOTE }))).toEqual(['HotplugVolumes']);
  expect(gatesOf(KubevirtInstallation.operator({ operator: REMOTE, hotplugVolumes: false }))).toBeUndefined();
  expect(gatesOf(EVERYTHING.kubevirt)).toEqual(['CPUManager', 'HostDevices', 'HotplugVolumes', 'Snapshot']);
});

test('an operator of a release is fetched at its version', () => {
  const output = outputOf({ kubevirt: KubevirtInstallation.operator({ operator: REMOTE, version: 'v1.8.4' }) });

  expect(output['delivered/kubevirt-operator/kustomization.yaml'][0].resources)
    .toEqual(['https://github.com/kubevirt/kubevirt/releases/download/v1.8.4/kubevirt-operator.yaml']);
});

test('what somebody else installs is left alone, and nothing waits for it', () => {
  const output = outputOf({
    certManager: CertManagerInstallation.existing(),
    clusterApi: ClusterApiInstallation.existing(),
    kamaji: KamajiInstallation.existing({ dataStores: [KamajiDataStore.etcd('acme')] }),
    kubevirt: KubevirtInstallation.operator({ operator: OperatorManifest.existing() }),
    cdi: CdiInstallation.existing(),
  });

  expect(Object.keys(delivering(output, 'HelmRelease'))).toEqual(['management-etcd-acme']);
  expect(dependsOn(delivering(output, 'HelmRelease')['management-etcd-acme'])).toEqual([]);
  expect(Object.keys(delivering(output, 'Kustomization')).sort()).toEqual(['management-etcd-acme-data-store', 'management-etcd-acme-guard', 'management-kamaji-etcd-issuers', 'management-kubevirt']);
});

test('a provider that is switched off is not installed', () => {
  const clusterApi = ClusterApiInstallation.operator({ helmAddon: { enabled: false } });

  expect(manifestsOf(outputOf({ clusterApi }), 'cluster-api-providers').map(({ kind }) => kind)).not.toContain('AddonProvider');
});

test('tenants learn what is installed', () => {
  const capabilities = capabilitiesOf({
    ...EVERYTHING, capabilities: { dataStores: ['legacy'], tenantLimit: { 'requests.cpu': '40' } },
  });

  expect(capabilities).toEqual({
    clusterApiVersion: pinnedVersion('clusterApi'),
    kamajiVersion: '26.8.2-edge',
    controlPlaneProviders: { kamaji: pinnedVersion('kamajiProvider'), kubeadm: pinnedVersion('clusterApi') },
    infrastructureProviders: { kubevirt: pinnedVersion('kubevirtProvider'), vultr: 'v0.4.0' },
    dataStores: ['acme', 'default', 'far', 'legacy', 'maria', 'nats', 'sql'],
    dataStorePeers: {
      ...Object.fromEntries([['acme', 'etcd-acme'], ['default', 'kamaji-etcd']].map(([name, namespace]) => [name, [IsolationPeer.pods({
        namespace, podLabels: { 'app.kubernetes.io/instance': `etcd-${name}` }, ports: [IsolationPort.tcp(2379)],
      })]])),
      maria: [IsolationPeer.cidr('fd00::1/128', { ports: [IsolationPort.tcp(3306)] })],
      sql: [IsolationPeer.cidr('10.0.0.1/32', { ports: [IsolationPort.tcp(5432)] })],
      // By name, outside the management cluster.
      far: [],
      nats: [],
    },
    controlPlaneWebhookPeers: [kamajiWebhook()],
    dataStoreLimits: { acme: 50, default: 50 },
    deviceNames: ['kubevirt.io/storage', 'nvidia.com/AD102GL_L40S', 'nvidia.com/NVIDIA_A40-12Q'],
    kubevirtFeatureGates: expect.arrayContaining(['CPUManager', 'HostDevices', 'HotplugVolumes', 'LiveMigration']),
    kubevirtSizing: { cpuAllocationRatio: 4, memoryOvercommit: 120 },
    tenantLimit: { 'requests.cpu': '40' },
  });
});

test('what is stated goes beside what is installed, and what is undefined is not stated', () => {
  const capabilities = capabilitiesOf({
    ...EVERYTHING,
    capabilities: { infrastructureProviders: { metal3: 'v1.12.0' }, deviceNames: undefined, kubevirtSizing: { cpuAllocationRatio: 4 } },
  });

  expect(capabilities.infrastructureProviders).toMatchObject({ metal3: 'v1.12.0', vultr: 'v0.4.0' });
  expect(capabilities.deviceNames).toContain('nvidia.com/NVIDIA_A40-12Q');
  expect(capabilities.kubevirtSizing).toEqual({ cpuAllocationRatio: 4, memoryOvercommit: 120 });
});

test('a provider is known by where it is published, and what nobody here installs is not known', () => {
  const infrastructureProviders = (clusterApi: ClusterApiInstallation) => capabilitiesOf({ ...EVERYTHING, clusterApi }).infrastructureProviders;
  const vultr = {
    kind: ProviderKind.INFRASTRUCTURE,
    name: 'vultr',
    version: 'v0.3.0',
    url: 'https://github.com/vultr/cluster-api-provider-vultr/releases/download/v0.3.0/infrastructure-components.yaml',
  };

  expect(infrastructureProviders(ClusterApiInstallation.operator({ furtherProviders: [vultr] }))).toMatchObject({ 'vultr-vultr': 'v0.3.0' });
  expect(infrastructureProviders(ClusterApiInstallation.operator({ furtherProviders: [{ ...vultr, version: 'latest' }] }))).toBeUndefined();
  expect(infrastructureProviders(ClusterApiInstallation.existing())).toBeUndefined();
});

test('a data store behind a Service is reached in the namespace of the Service', () => {
  const store = KamajiDataStore.mySql('maria', { endpoints: ['maria-0.maria.databases.svc.cluster.local:3306', 'maria.other.svc:3306'], ...BASIC });
  const kamaji = KamajiInstallation.existing({ dataStores: [store] });
  const capabilities = capabilitiesOf({ kamaji });

  expect(capabilities.dataStorePeers).toEqual({ maria: [IsolationPeer.pods({ namespace: 'databases' }), IsolationPeer.pods({ namespace: 'other' })] });
});

test('a client port of its own is the one that control planes are let through to', () => {
  const kamaji = KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default', { values: { clientPort: 3379 } })] });
  const capabilities = capabilitiesOf({ kamaji, capabilities: { dataStorePeers: { legacy: [] } } });

  expect(capabilities.dataStorePeers).toMatchObject({ default: [{ ports: [{ port: 3379 }] }], legacy: [] });
});

test('a control plane on machines wants the provider for it', () => {
  const found = problemsIn((app) => {
    const management = manage(app);
    exampleCluster(app, {
      managementCluster: management,
      controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1' }) }) }),
    });
  });

  expect(found.map(({ path, id }) => [path, id])).toContainEqual(['acme', 'TC-MANAGEMENT-CONTROL-PLANE-PROVIDER']);
});

test('what is stated is looked at without a tenant', () => {
  expect(refused({ capabilities: { kubernetesVersions: ['banana'] } }).map(({ id, text }) => [id, text.split(':')[0]])).toEqual([
    ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'capabilities.kubernetesVersions[0]'],
  ]);
});

test('objects can be patched', () => {
  const app = new GitOpsApp({ outdir: os.tmpdir(), quiet: true });
  const management = manage(app, EVERYTHING);

  expect(management.providers[0].kind).toBe('CoreProvider');
  expect(management.dataStores.map(({ name }) => name)).toEqual(['default', 'acme', 'far', 'sql', 'maria', 'nats']);
  expect([management.kubevirt?.kind, management.cdi?.kind]).toEqual(['KubeVirt', 'CDI']);
});

test('synthesizing twice gives the same', () => {
  expect(outputOf(EVERYTHING)).toEqual(outputOf(EVERYTHING));
});

test('a cluster with a catalog has its versions, and others that it states', () => {
  const pins = [KUBEVIRT, KAMAJI, CLUSTER_API, CLUSTER_API_OPERATOR_CHART, KAMAJI_ETCD_CHART] as { until?: Readonly<Record<string, string>> }[];
  const former = ['v1.8.1', '26.7.2-edge', 'v1.13.1', '0.28.1', '0.17.1'];
  pins.forEach((pin, index) => { pin.until = { 2026.08: former[index] }; });
  try {
    const output = outputOf({
      versions: Versions.of('2026.08'), kamaji: KamajiInstallation.chart({ version: '26.7.3-edge', dataStores: [KamajiDataStore.etcd('default')] }),
    });
    const versionsOf = (name: string) => manifestsOf(output, name).map(({ spec }) => spec?.version as string).filter((version) => version);

    expect(versionsOf('cluster-api-providers')).toContain('v1.13.1');
    expect(versionsOf('cluster-api-providers')).not.toContain('v1.14.2');
    expect(JSON.stringify(output)).toContain('/kubevirt/releases/download/v1.8.1/');
    expect(delivering(output, 'HelmRelease')['management-cluster-api-operator'].spec.chart.spec.version).toBe('0.28.1');
    expect(delivering(output, 'HelmRelease')['management-etcd-default'].spec.chart.spec.version).toBe('0.17.1');
    expect(delivering(output, 'HelmRelease')['management-kamaji'].spec.values.image.tag).toBe('26.7.3-edge');
  } finally {
    pins.forEach((pin) => { delete pin.until; });
  }
});

test('a cluster without a catalog is warned of', () => {
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  outputOf({});
  outputOf({ versions: Versions.newest() });

  expect(warn.mock.calls.filter(([, { code }]) => code === 'TC-MANAGEMENT-VERSIONS-UNSET')).toHaveLength(1);
  warn.mockRestore();
});

test.each([[undefined, '512Mi', 4], [20, '512Mi', 4], [21, '768Mi', 8], [200, '2Gi', 16], [2000, '4608Mi', 32]])(
  'with %s tenants, Kamaji has %s and %d workers', (tenants, memory, workers) => {
    const output = outputOf({ tenants });
    const { values } = delivering(output, 'HelmRelease')['management-kamaji'].spec;
    const args = manifestsOf(output, 'cluster-api-providers').find(({ metadata }) => metadata.name === 'kamaji')!.spec.manager.additionalArgs;

    expect(values.resources).toEqual({ limits: { cpu: null, memory }, requests: { memory } });
    expect(values.extraArgs).toEqual([`--max-concurrent-tcp-reconciles=${workers}`, '--certificate-expiration-deadline=720h']);
    expect(args).toEqual({ '--max-concurrent-reconciles': `${workers}` });
  },
);

test('the tenants of the app count, unless a number is stated', () => {
  const settings = (tenants: number | undefined, more: number) => {
    const app = Testing.app();
    const hall = manage(app, { tenants });
    for (let index = 0; index < more; index++) exampleCluster(app, { managementCluster: hall }, `acme-${index}`);
    const release = hall.node.findAll().filter(ApiObject.isApiObject).find(({ kind, name }) => kind === 'HelmRelease' && name === 'management-kamaji');
    return release?.toJson().spec.values.resources.limits.memory;
  };

  expect(settings(undefined, 21)).toBe('768Mi');
  expect(settings(100, 21)).toBe('1280Mi');
});
