import { Size, Testing } from 'cdk8s';
import { Calico } from '../../../../src/constructs/addons/cni/calico';
import { HelmAddon } from '../../../../src/constructs/addons/helm-addon';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { tenantCharts } from '../../../../src/constructs/app/tenant-trees';
import { DiyCloud } from '../../../../src/constructs/blueprints/diy-cloud';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { CompanyNetwork, CompanyNetworkProps, PrivateChartRepository } from '../../../../src/constructs/contracts/company-network/company-network';
import { Delivery } from '../../../../src/constructs/contracts/delivery/delivery';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { ArgoCdDelivery } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { ImageSources } from '../../../../src/constructs/images/image-sources';
import { KubevirtCsiDriver } from '../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import {
  ContainerDiskOptions, RegistryDiskOptions, RegistryPullMethod, RootDisk,
} from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { GitOpsApp } from '../../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { Manifest } from '../../../support/clusters';
import { KNOWN_CAPABILITIES, knownManagementCluster } from '../../../support/management';
import { problemsOf } from '../../../support/problems';
import { ExampleBootstrap } from '../../../support/strategies';
import { CERTIFICATES } from '../../control-planes/kubeadm/bootstrap/bound';
import { outputOf } from '../../management/managed';

const IMAGE = 'registry.example.com/nodes/ubuntu-24.04:v1.35.4';

const EVERYTHING: CompanyNetworkProps = {
  registries: [{ registry: 'registry.example.com', pullSecret: 'registry', importSecret: 'registry-import' }],
  chartRepositories: [{ repository: 'oci://registry.example.com/charts', secretName: 'charts', certSecretName: 'charts-ca' }],
  httpProxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
  trustedCas: [{ name: 'acme-root', certificate: CERTIFICATES[0] }],
  registryMirrors: [{ registry: 'docker.io', endpoints: ['https://mirror.example.com'] }],
  ntp: { servers: ['ntp.example.com'] },
};

const containerDisk = (options: Partial<ContainerDiskOptions> = {}) => RootDisk.containerDisk({ image: IMAGE, ...options });
const registryDisk = (options: Partial<RegistryDiskOptions> = {}) => RootDisk.registry({ url: `docker://${IMAGE}`, size: Size.gibibytes(40), ...options });

interface Parts {
  readonly app?: CompanyNetwork;
  readonly repository?: string;
  readonly cluster?: Partial<TenantClusterProps>;
  readonly disk?: RootDisk;
  readonly pool?: Partial<NodePoolProps>;
}

function tenant({ app: network, repository = 'oci://registry.example.com/charts/team-a', cluster, disk = containerDisk(), pool }: Parts): TenantCluster {
  const app = network ? new GitOpsApp({ outdir: Testing.app().outdir, companyNetwork: network, quiet: true }) : Testing.app();
  const acme = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({
      storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
      csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2' }),
    }),
    cni: new Calico(),
    delivery: new FluxDelivery(),
    ...cluster,
  });
  const machine = new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: disk });
  acme.addNodePool('general', { machine, size: PoolSize.between(1, 3), ...pool });
  acme.addAddon(new HelmAddon('shop', { chart: 'shop', repository, chartVersion: '1.2.3', namespace: 'shop', images: [] }));
  return acme;
}

/** The objects of the management cluster, by kind and name, and to the tenant by kind. */
function manifests(parts: Parts): { [object: string]: Manifest } {
  const acme = tenant(parts);
  const inTenant = tenantCharts(acme).flatMap((chart) => chart.toJson() as Manifest[]);
  return {
    ...Object.fromEntries(inTenant.map((manifest) => [`tenant ${manifest.kind}`, manifest])),
    ...Object.fromEntries(acme.toJson().flatMap((manifest: Manifest) => [[manifest.kind, manifest], [`${manifest.kind} ${manifest.metadata.name}`, manifest]])),
  };
}

function problems(parts: Parts): string[] {
  return problemsOf(tenant(parts).node.root as GitOpsApp).map(({ path, id, text }) => `${path} ${id} ${text}`);
}

const network = (props: CompanyNetworkProps = EVERYTHING) => new CompanyNetwork(props);
const machineOf = (written: { [object: string]: Manifest }) => written.KubevirtMachineTemplate.spec.template.spec.virtualMachineTemplate.spec;
const containerOf = (written: { [object: string]: Manifest }) => machineOf(written).template.spec.volumes[0].containerDisk;
const importOf = (written: { [object: string]: Manifest }) => machineOf(written).dataVolumeTemplates[0].spec.source;
const nodesOf = (written: { [object: string]: Manifest }) => written.KubeadmConfigTemplate.spec.template.spec;
const fileOf = (spec: Manifest, path: string) => spec.files?.find((file: Manifest) => file.path === path)?.content;

const PROXY = '/etc/systemd/system/containerd.service.d/http-proxy.conf';
const CSI = 'Deployment acme-csi-driver';
const MIRROR = '/etc/containerd/certs.d/docker.io/hosts.toml';

describe('a network that is given to the app', () => {
  const written = manifests({ app: network() });

  test('reaches the machines', () => {
    const nodes = nodesOf(written);

    expect(nodes.ntp).toEqual({ enabled: true, servers: ['ntp.example.com'] });
    expect(fileOf(nodes, '/usr/local/share/ca-certificates/acme-root.crt')).toBe(CERTIFICATES[0]);
    expect(fileOf(nodes, MIRROR)).toContain('[host."https://mirror.example.com"]');
    expect(nodes.preKubeadmCommands).toEqual([
      '/usr/local/sbin/cdk8s-cluster-api-trusted-cas || exit 1', '/usr/local/sbin/cdk8s-cluster-api-http-proxy || exit 1',
      '/usr/local/sbin/cdk8s-cluster-api-registry-mirrors || exit 1',
    ]);
  });

  test('excepts API server, pods and Services from the proxy', () => {
    expect(fileOf(nodesOf(written), PROXY)).toBe([
      '[Service]', 'Environment="HTTPS_PROXY=http://proxy.example.com:3128"',
      'Environment="NO_PROXY=localhost,127.0.0.1,::1,10.243.0.0/16,10.95.0.0/16,.svc,.cluster.local,.example.com"', '',
    ].join('\n'));
    expect(fileOf(nodesOf(written), '/usr/local/sbin/cdk8s-cluster-api-http-proxy')).toContain('apiServerEndpoint');
  });

  test('has disks, controllers and nodes log in', () => {
    expect(containerOf(written)).toEqual({ image: IMAGE, imagePullSecret: 'registry' });
    const controllers = Object.entries(written).filter(([object]) => object.startsWith('Deployment '));
    expect(controllers).toHaveLength(3);
    for (const [, { spec }] of controllers) expect(spec.template.spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(written['tenant DaemonSet'].spec.template.spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
  });

  test('has charts come from private repositories', () => {
    expect(written['OCIRepository acme-shop'].spec).toMatchObject({ secretRef: { name: 'charts' }, certSecretRef: { name: 'charts-ca' } });
  });

  test('is refused nowhere', () => {
    expect(problems({ app: network() })).toEqual([]);
  });
});

test('without a network nothing of it is written', () => {
  const written = manifests({});

  expect(written.ConfigMap?.metadata.name).not.toBe('acme-trusted-cas');
  expect(JSON.stringify(written)).not.toMatch(/imagePullSecret|http-proxy|trusted-ca|certConfigMap|secretRef":\{"name":"charts/);
  expect(manifests({ app: network({}) })).toEqual(written);
});

test('the nearest one counts: that of the tenant, of the management cluster, of the app', () => {
  const named = (name: string) => network({ registries: [{ registry: 'registry.example.com', pullSecret: name }] });
  const hall = new ImportedManagementCluster({ ...KNOWN_CAPABILITIES, companyNetwork: named('hall') });
  const secretOf = (cluster: Partial<TenantClusterProps>) => containerOf(manifests({ app: named('app'), cluster })).imagePullSecret;

  expect(secretOf({})).toBe('app');
  expect(secretOf({ managementCluster: knownManagementCluster() })).toBe('app');
  expect(secretOf({ managementCluster: hall })).toBe('hall');
  expect(secretOf({ managementCluster: hall, companyNetwork: named('tenant') })).toBe('tenant');
});

test('an own property replaces what the network has', () => {
  const bootstrap = new KubeadmBootstrap({ httpProxy: { httpProxy: 'http://other.example.com:3128' }, trustedCas: [], registryMirrors: undefined });
  const written = manifests({
    app: network(),
    disk: containerDisk({ imagePullSecret: 'own' }),
    pool: { bootstrap },
    cluster: {
      infrastructure: new KubevirtInfrastructure({
        storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
        csiDriver: KubevirtCsiDriver.of({ image: IMAGE, imagePullSecrets: [], node: { imagePullSecrets: ['node'] } }),
      }),
      delivery: new FluxDelivery({ repositories: [{ repository: 'oci://registry.example.com/charts/team-a', secretName: 'own' }] }),
    },
  });
  const nodes = nodesOf(written);

  expect(fileOf(nodes, PROXY)).toContain('Environment="HTTP_PROXY=http://other.example.com:3128"');
  expect(fileOf(nodes, PROXY)).not.toContain('HTTPS_PROXY');
  expect(nodes.files.map(({ path }: Manifest) => path).filter((path: string) => path.includes('ca'))).not.toContain('/usr/local/share/ca-certificates/acme-root.crt');
  expect(fileOf(nodes, MIRROR)).toBeDefined();
  expect(nodes.ntp.servers).toEqual(['ntp.example.com']);
  expect(containerOf(written).imagePullSecret).toBe('own');
  expect(Object.keys(written)).toContain(CSI);
  expect(written[CSI].spec.template.spec.imagePullSecrets).toBeUndefined();
  expect(written['tenant DaemonSet'].spec.template.spec.imagePullSecrets).toEqual([{ name: 'node' }]);
  expect(written['OCIRepository acme-shop'].spec.secretRef).toEqual({ name: 'own' });
  expect(written['OCIRepository acme-shop'].spec.certSecretRef).toBeUndefined();
});

test('the longest registry that an image is in counts, and an image of another one needs no login', () => {
  const registries = [
    { registry: 'registry.example.com', pullSecret: 'all' }, { registry: 'registry.example.com/nodes', pullSecret: 'nodes' },
    { registry: 'registry.example.com/node', pullSecret: 'node' },
  ];
  const secretOf = (image: string) => network({ registries }).registryOf(image)?.pullSecret;

  expect([IMAGE, 'registry.example.com/other:1', 'registry.example.com:5000/nodes/a:1', 'quay.io/a:1'].map(secretOf)).toEqual(['nodes', 'all', undefined, undefined]);
  expect(network({ registries }).pullSecrets).toEqual(['all', 'nodes', 'node']);
});

test('registries and repositories are found in every form in which images and charts name them', () => {
  const known = network({
    registries: [{ registry: 'Registry.example.com:443/nodes', pullSecret: 'nodes' }, { registry: 'index.docker.io', pullSecret: 'hub' }],
    chartRepositories: [
      { repository: 'https://Charts.example.com', secretName: 'charts' }, { repository: 'https://charts.example.com/public' }, { repository: 'oci://registry.example.com:443', secretName: 'oci' },
    ],
  });
  const secretOf = (repository: string) => known.chartRepositoryOf(repository)?.secretName;

  expect([IMAGE, 'registry.example.com:443/nodes/a:1', 'busybox', 'acme/a:1', 'docker.io/acme/a:1', 'registry.example.com:5000/nodes/a:1'].map((image) => known.registryOf(image)?.pullSecret))
    .toEqual(['nodes', 'nodes', 'hub', 'hub', 'hub', undefined]);
  expect(['https://charts.example.com:443/a/', 'https://charts.example.com/public', 'oci://registry.example.com/charts', 'https://charts.example.com:8443'].map(secretOf))
    .toEqual(['charts', undefined, 'oci', undefined]);
  expect(problems({ app: known })).toEqual([]);
});

test('an image that is moved is pulled from where it is then', () => {
  const images = new ImageSources({ imageRegistry: 'registry.example.com/mirror' });
  const written = manifests({ app: network(), cluster: { images }, disk: containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.35.4' }) });

  expect(containerOf(written)).toEqual({ image: 'registry.example.com/mirror/capk/ubuntu-2404-container-disk:v1.35.4', imagePullSecret: 'registry' });
});

describe('a disk that CDI imports', () => {
  test('has a Secret and authorities of its own', () => {
    const written = manifests({ app: network(), disk: registryDisk() });

    expect(importOf(written)).toEqual({ registry: { url: `docker://${IMAGE}`, secretRef: 'registry-import', certConfigMap: 'acme-trusted-cas' } });
    expect(written['ConfigMap acme-trusted-cas']).toMatchObject({ metadata: { namespace: 'tenant-acme' }, data: { 'acme-root.crt': CERTIFICATES[0] } });
  });

  test('trusts the authorities on a web server, too', () => {
    const http = RootDisk.http({ url: 'https://images.example.com/a.qcow2', size: Size.gibibytes(40) });

    expect(importOf(manifests({ app: network(), disk: http }))).toEqual({ http: { url: 'https://images.example.com/a.qcow2', certConfigMap: 'acme-trusted-cas' } });
  });

  test('is pulled by the host without either', () => {
    expect(importOf(manifests({ app: network(), disk: registryDisk({ pullMethod: RegistryPullMethod.NODE }) })))
      .toEqual({ registry: { url: `docker://${IMAGE}`, pullMethod: 'node' } });
  });

  test('is refused if only a pull secret is known', () => {
    const app = network({ registries: [{ registry: 'registry.example.com', pullSecret: 'registry' }] });

    expect(problems({ app, disk: registryDisk() })).toEqual([
      'acme/general TC-COMPANY-NETWORK-IMPORT-SECRET machine.rootDisk.secretRef: registry.example.com requires a login, and CDI does not read the '
      + 'pull secret "registry" of companyNetwork. Accepted: the name of a Secret with the keys accessKeyId and secretKey. Fix: name it in '
      + 'importSecret of the registry or in secretRef of the disk, or set pullMethod: RegistryPullMethod.NODE.',
    ]);
    expect(problems({ app, disk: registryDisk({ pullMethod: RegistryPullMethod.NODE }) })).toEqual([]);
    expect(problems({ app, disk: registryDisk({ secretRef: 'own' }) })).toEqual([]);
    expect(problems({ app, disk: registryDisk({ url: 'docker://quay.io/acme/ubuntu:v1' }) })).toEqual([]);
  });

  test('in another cluster finds no ConfigMap of this one', () => {
    const written = manifests({
      app: network(), disk: registryDisk(), cluster: { infrastructure: new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'infra' } }) },
    });

    expect(importOf(written).registry.certConfigMap).toBeUndefined();
    expect(written['ConfigMap acme-trusted-cas']).toBeUndefined();
  });
});

test('machines of a control plane are set up as well', () => {
  const machine = new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: registryDisk() });
  const controlPlane = new KubeadmControlPlane({ machine });
  const written = manifests({ app: network(), cluster: { controlPlane } });
  const nodes = written.KubeadmControlPlane.spec.kubeadmConfigSpec;

  expect(nodes.ntp.servers).toEqual(['ntp.example.com']);
  expect(fileOf(nodes, PROXY)).toContain('proxy.example.com');
});

test('a bootstrap that cannot set up machines for the network is refused', () => {
  const pool = { bootstrap: new ExampleBootstrap() };

  expect(problems({ app: network(), pool }).filter((text) => text.includes('COMPANY'))).toEqual([expect.stringMatching(
    /^acme\/general TC-COMPANY-NETWORK-BOOTSTRAP bootstrap: ExampleBootstrap does not apply the proxy, certificate authorities, mirrors and time servers/,
  )]);
  expect(problems({ app: network({ registries: EVERYTHING.registries }), pool }).filter((text) => text.includes('COMPANY'))).toEqual([]);
});

test('a HelmChartProxy logs in', () => {
  const written = manifests({ app: network(), cluster: { delivery: new HelmChartProxyDelivery() } });

  expect(written['HelmChartProxy acme-shop'].spec).toMatchObject({
    credentials: { secret: { name: 'charts', namespace: 'tenant-acme' }, key: 'config.json' }, tlsConfig: { caSecret: { name: 'charts-ca', namespace: 'tenant-acme' } },
  });
});

test('a HelmChartProxy that would have to log in to an https repository is refused', () => {
  const repository = 'https://charts.example.com';
  const found = (chartRepositories: PrivateChartRepository[], delivery: Delivery = new HelmChartProxyDelivery()) => (
    problems({ app: network({ chartRepositories }), repository: `${repository}/team-a`, cluster: { delivery } })
  );

  expect(found([{ repository, secretName: 'charts' }])).toEqual([
    'acme TC-DELIVERY-CHART-UNSUPPORTED charts["shop"]: the Helm chart "shop" comes from an https repository, for which '
    + 'companyNetwork.chartRepositories has the Secret "charts", and a HelmChartProxy can log in to OCI registries only. Fix: name an OCI registry '
    + 'that has the chart, or deliver with FluxDelivery.',
  ]);
  expect(found([{ repository, secretName: 'charts' }], new FluxDelivery())).toEqual([]);
  expect(found([{ repository, secretName: 'charts' }], new HelmChartProxyDelivery({ repositories: [{ repository: `${repository}/team-a`, caSecretName: 'ca' }] }))).toEqual([]);
  expect(found([{ repository, certSecretName: 'charts-ca' }])).toEqual([]);
});

test('Argo CD, which has Secrets of its own, is warned of', () => {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  expect(problems({ app: network(), cluster: { delivery: new ArgoCdDelivery() } })).toEqual([]);
  const warned = emitted.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('COMPANY'));
  emitted.mockRestore();

  expect(warned).toEqual([expect.stringMatching(/TC-COMPANY-NETWORK-DELIVERY companyNetwork\.chartRepositories: the chart "shop" comes from oci:\/\/registry\.example\.com\/charts, .*argocd\.argoproj\.io\/secret-type/)]);
});

test.each<[string, CompanyNetworkProps, string]>([
  ['a broken certificate', { trustedCas: [{ name: 'acme-root', certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' }] }, 'TC-KUBEADM-CA-CERTIFICATE companyNetwork.trustedCas[0].certificate'],
  ['a proxy with a password', { httpProxy: { httpsProxy: 'http://a:b@proxy.example.com' } }, 'TC-KUBEADM-PROXY-URL companyNetwork.httpProxy.httpsProxy'],
  ['a proxy without address', { httpProxy: {} }, 'TC-KUBEADM-PROXY-URL companyNetwork.httpProxy'],
  ['an exception with a scheme', { httpProxy: { httpProxy: 'http://proxy.example.com', noProxy: ['a,b'] } }, 'TC-KUBEADM-NO-PROXY companyNetwork.httpProxy.noProxy[0]'],
  ['a mirror without endpoint', { registryMirrors: [{ registry: 'docker.io', endpoints: [] }] }, 'TC-KUBEADM-MIRROR-ENDPOINT companyNetwork.registryMirrors[0].endpoints'],
  ['a time server with a port', { ntp: { servers: ['ntp.example.com:123'] } }, 'TC-KUBEADM-NTP-SERVERS companyNetwork.ntp.servers[0]'],
  ['a registry with a scheme', { registries: [{ registry: 'https://registry.example.com', pullSecret: 'a' }] }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[0].registry'],
  ['a registry without a dot', { registries: [{ registry: 'registry', pullSecret: 'a' }] }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[0].registry'],
  ['a registry with a slash at the end', { registries: [{ registry: 'registry.example.com/', pullSecret: 'a' }] }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[0].registry'],
  ['a registry twice', { registries: ['a', 'b'].map((pullSecret) => ({ registry: 'registry.example.com', pullSecret })) }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[1].registry'],
  ['a registry twice, in two forms', { registries: ['registry.example.com', 'Registry.example.com:443'].map((registry) => ({ registry, pullSecret: 'a' })) }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[1].registry'],
  ['an authority twice', { trustedCas: CERTIFICATES.map((certificate) => ({ name: 'acme-root', certificate })) }, 'TC-KUBEADM-CA-NAME companyNetwork.trustedCas[1].name'],
  ['a mirror twice', { registryMirrors: ['a', 'b'].map((host) => ({ registry: 'docker.io', endpoints: [`https://${host}.example.com`] })) }, 'TC-KUBEADM-MIRROR-REGISTRY companyNetwork.registryMirrors[1].registry'],
  ['a repository without Secret', { chartRepositories: [{ repository: 'https://a.example.com' }] }, 'TC-DELIVERY-REPOSITORY-ACCESS companyNetwork.chartRepositories[0]: the entry has no Secret, and therefore no effect'],
  ['a Secret with a wrong name', { registries: [{ registry: 'registry.example.com', pullSecret: 'A b' }] }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[0].pullSecret'],
  ['an import Secret with a wrong name', { registries: [{ registry: 'registry.example.com', pullSecret: 'a', importSecret: '' }] }, 'TC-COMPANY-NETWORK-REGISTRY companyNetwork.registries[0].importSecret'],
  ['a repository that is none', { chartRepositories: [{ repository: 'registry.example.com', secretName: 'a' }] }, 'TC-DELIVERY-REPOSITORY companyNetwork.chartRepositories[0].repository'],
  ['a repository twice', { chartRepositories: ['oci://a.example.com', 'oci://a.example.com:443/'].map((repository) => ({ repository, secretName: 'a' })) }, 'TC-DELIVERY-REPOSITORY-ACCESS companyNetwork.chartRepositories[1].repository'],
])('%s is refused once, by the cluster', (_what, props, text) => {
  expect(problems({ app: network(props) })).toEqual([expect.stringContaining(`acme ${text}`)]);
});

test('a blueprint has it', () => {
  const acme = new DiyCloud(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    managementCluster: knownManagementCluster(),
    nodeImage: IMAGE,
    infraStorageClass: 'replicated',
    dataStore: 'default',
    csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
    companyNetwork: network(),
  });

  expect(acme._context.companyNetwork?.pullSecrets).toEqual(['registry']);
});

test('a management cluster has its components log in, and CDI use the proxy', () => {
  const output = outputOf({ companyNetwork: network(), capabilities: { podCidrs: ['10.244.0.0/16'], serviceCidrs: ['10.96.0.0/16'] } });
  const all = Object.values(output).flat();
  const secrets = [{ name: 'registry' }];
  const release = (name: string) => all.find(({ kind, metadata }) => kind === 'HelmRelease' && metadata.name.endsWith(name)).spec.values;
  const one = (kind: string) => all.find((object) => object.kind === kind);

  expect(release('cert-manager').global.imagePullSecrets).toEqual(secrets);
  expect(release('-kamaji').imagePullSecrets).toEqual(secrets);
  for (const kind of ['CoreProvider', 'BootstrapProvider', 'ControlPlaneProvider', 'InfrastructureProvider']) {
    expect(one(kind).spec.deployment.imagePullSecrets).toEqual(secrets);
  }
  expect(one('KubeVirt').spec.imagePullSecrets).toEqual(secrets);
  expect(one('CDI').spec.config).toMatchObject({
    imagePullSecrets: secrets,
    importProxy: {
      HTTPSProxy: 'http://proxy.example.com:3128',
      noProxy: 'localhost,127.0.0.1,::1,.svc,.cluster.local,10.244.0.0/16,10.96.0.0/16,.example.com',
      trustedCAProxy: 'trusted-cas',
    },
  });
  expect(all.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'trusted-cas')).toMatchObject({
    metadata: { namespace: 'cdi' }, data: { 'acme-root.crt': CERTIFICATES[0] },
  });
});
