import { App, Chart, Duration, Size, Testing } from 'cdk8s';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { AddressPool } from '../../../../src/constructs/contracts/network/address-pool';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import * as metal3 from '../../../../src/constructs/infrastructures/metal3';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { problemsOf } from '../../../support/problems';

const IMAGE: metal3.Metal3Image = { url: 'https://images.example.com/a.raw', checksum: 'https://images.example.com/a.raw.sha256', checksumType: 'sha256', diskFormat: 'raw' };
const NODES = new metal3.Metal3AddressPool({ name: 'nodes', addresses: ['192.0.2.20-192.0.2.29', '192.0.2.64/28'], prefix: 24, gateway: '192.0.2.1' });

interface Page {
  readonly machine?: Partial<metal3.Metal3MachineProps>;
  readonly infrastructure?: metal3.Metal3InfrastructureProps;
  readonly cluster?: Partial<TenantClusterProps>;
  readonly pool?: Partial<NodePoolProps>;
}

/** A cluster behind Kamaji, with a pool of three hosts. */
function page({ machine, infrastructure, cluster, pool }: Page = {}) {
  const app: App = Testing.app();
  const tenant = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    infrastructure: new metal3.Metal3Infrastructure(infrastructure),
    controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default', exposure: KamajiExposure.loadBalancer({ address: '192.0.2.11' }) }),
    cni: Cni.none(),
    ...cluster,
  });
  tenant.addNodePool('general', { machine: new metal3.Metal3Machine({ image: IMAGE, ...machine }), size: PoolSize.fixed(3), ...pool });
  const manifests = (): any[] => Chart.of(tenant).toJson();
  const find = (kind: string): any => manifests().find((manifest) => manifest.kind === kind);
  return { app, find, manifests, problems: () => problemsOf(app).map(({ id, text }) => `${id} ${text}`) };
}

test('the cluster object has the address of the control plane, and no cloud provider', () => {
  const { find, problems } = page();

  expect(find('Metal3Cluster')).toMatchObject({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    metadata: { name: 'acme', namespace: 'tenant-acme' },
    spec: { cloudProviderEnabled: false, controlPlaneEndpoint: { host: '192.0.2.11', port: 6443 } },
  });
  expect(problems()).toEqual([]);
});

test('failure domains are those that pools may name', () => {
  const infrastructure = { failureDomains: [{ name: 'rack-1' }, { name: 'rack-2', controlPlane: false, attributes: { row: 'a' } }], labelSyncPrefixes: ['example.com', 'rack'] };

  const { find } = page({ infrastructure, pool: { failureDomain: 'rack-1' } });
  expect(find('Metal3Cluster').spec.failureDomains).toEqual([{ name: 'rack-1', controlPlane: true }, { name: 'rack-2', controlPlane: false, attributes: { row: 'a' } }]);
  expect(find('Metal3Cluster').metadata.annotations).toMatchObject({ 'metal3.io/metal3-label-sync-prefixes': 'example.com,rack' });
  expect(find('MachineDeployment').spec.template.spec.failureDomain).toBe('rack-1');
  expect(page({ infrastructure, pool: { failureDomain: 'rack-3' } }).problems()).toEqual([expect.stringMatching(/^TC-POOL-FAILURE-DOMAIN .*rack-3/)]);
  expect(page({ pool: { failureDomain: 'rack-1' } }).problems()).toEqual([expect.stringMatching(/^TC-POOL-FAILURE-DOMAIN .*rack-1/)]);
});

test('kubelets label their nodes, unless a cloud provider finds them', () => {
  const kubelet = (cloudProviderEnabled: boolean) => page({ infrastructure: { cloudProviderEnabled } })
    .find('KubeadmConfigTemplate').spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs as { name: string; value: string }[];

  expect(kubelet(false)).toContainEqual({ name: 'node-labels', value: expect.stringContaining('metal3.io/uuid={{ ds.meta_data.uuid }}') as string });
  expect(JSON.stringify(kubelet(true))).not.toContain('metal3.io/uuid');
  expect(kubelet(true)).toContainEqual({ name: 'cloud-provider', value: 'external' });
});

test('a machine has an image, hosts, and a name of its own', () => {
  const { find } = page({
    machine: { hostSelector: { role: 'worker' }, hostRequirements: [{ key: 'rack', operator: 'in', values: ['a', 'b'] }, { key: 'broken', operator: '!' }] },
  });
  const [template, data] = [find('Metal3MachineTemplate'), find('Metal3DataTemplate')];

  expect(template.spec).toEqual({
    nodeReuse: false,
    template: {
      spec: {
        automatedCleaningMode: 'metadata',
        dataTemplate: { name: data.metadata.name },
        hostSelector: { matchLabels: { role: 'worker' }, matchExpressions: [{ key: 'rack', operator: 'in', values: ['a', 'b'] }, { key: 'broken', operator: '!', values: [] }] },
        image: IMAGE,
      },
    },
  });
  expect(data.spec).toEqual({
    clusterName: 'acme', metaData: { objectNames: ['local-hostname', 'local_hostname', 'name'].map((key) => ({ key, object: 'machine' })) },
  });
  expect(template.metadata.name).toMatch(/^acme-general-[0-9a-f]{8}$/);
  expect(data.metadata.name).toMatch(/^acme-general-[0-9a-f]{8}$/);
  expect(page({ machine: { nodesNamedAfter: metal3.Metal3Object.HOST } }).find('Metal3DataTemplate')).toBeUndefined();
});

test('machines with a data template that exists get it, and must not have other data', () => {
  const { find, problems } = page({ machine: { dataTemplate: 'rack-1' } });

  expect(find('Metal3MachineTemplate').spec.template.spec.dataTemplate).toEqual({ name: 'rack-1' });
  expect(find('Metal3DataTemplate')).toBeUndefined();
  expect(problems()).toEqual([]);
  expect(page({ machine: { dataTemplate: 'rack-1', metadata: {}, nodesNamedAfter: metal3.Metal3Object.HOST } }).problems()).toEqual([
    expect.stringMatching(/^TC-METAL3-DATA-SOURCE .*machine\.dataTemplate: the machines have the Metal3DataTemplate "rack-1", and nodesNamedAfter, metadata as well/),
  ]);
});

test.each([
  ['', /^TC-ADMIT-FIELD-VALUE .*machine\.dataTemplate/],
  ['Rack_1', /^TC-TRAP-METAL3-DATA-NAME .*machine\.dataTemplate: "Rack_1" is not a DNS name/],
])('a data template of the name %p is refused', (dataTemplate, problem) => {
  expect(page({ machine: { dataTemplate } }).problems()).toEqual([expect.stringMatching(problem)]);
});

test('a change of data renames both templates, and one that reaches machines in place renames none', () => {
  const names = (machine: Partial<metal3.Metal3MachineProps>) => ['Metal3MachineTemplate', 'Metal3DataTemplate'].map((kind) => page({ machine }).find(kind).metadata.name as string);
  const [machine, data] = names({});

  expect(names({ metadata: { rack: metal3.Metal3Value.text('a') } })).toEqual([expect.not.stringMatching(machine), expect.not.stringMatching(data)]);
  expect(names({ nodeReuse: true, automatedCleaning: false })).toEqual([machine, data]);
  expect(names({ image: { ...IMAGE, url: 'https://images.example.com/b.raw' } })).toEqual([expect.not.stringMatching(machine), data]);
});

test('values of the metadata, in an order that does not depend on the page', () => {
  const { Metal3Object: From, Metal3Value: Value } = metal3;
  const values = {
    zone: Value.text('a'),
    number: Value.index(1, 2),
    space: Value.namespace(),
    host: Value.objectName(From.HOST),
    rack: Value.label(From.HOST, 'example.com/rack'),
    asset: Value.annotation(From.METAL3_MACHINE, 'example.com/asset'),
    mac: Value.interfaceMac('eno1'),
    boot: Value.bootMac(),
    address: Value.poolAddress(NODES),
    prefix: Value.poolPrefix(NODES),
    gateway: Value.poolGateway(NODES),
    dns: Value.poolDnsServers(NODES),
    name: Value.text('own'),
  };
  const { find, problems } = page({ machine: { metadata: values } });
  const pool = { apiGroup: 'ipam.metal3.io', kind: 'IPPool', name: 'nodes' };

  expect(find('Metal3DataTemplate').spec.metaData).toEqual({
    strings: [{ key: 'name', value: 'own' }, { key: 'zone', value: 'a' }],
    indexes: [{ key: 'number', offset: 1, step: 2 }],
    namespaces: [{ key: 'space' }],
    objectNames: [{ key: 'host', object: 'baremetalhost' }, { key: 'local-hostname', object: 'machine' }, { key: 'local_hostname', object: 'machine' }],
    fromLabels: [{ key: 'rack', object: 'baremetalhost', label: 'example.com/rack' }],
    fromAnnotations: [{ key: 'asset', object: 'metal3machine', annotation: 'example.com/asset' }],
    fromHostInterfaces: [{ key: 'boot', fromBootMAC: true }, { key: 'mac', interface: 'eno1' }],
    ipAddressesFromPool: [{ key: 'address', ...pool }],
    prefixesFromPool: [{ key: 'prefix', ...pool }],
    gatewaysFromPool: [{ key: 'gateway', ...pool }],
    dnsServersFromPool: [{ key: 'dns', ...pool }],
  });
  expect(problems()).toEqual([]);
});

const { Metal3Link: Link, Metal3Network: Network } = metal3;

test('networks get addresses of pools, and routes through their gateways', () => {
  const storage = AddressPool.inCluster({ name: 'storage', addresses: ['198.51.100.20-198.51.100.40'], prefix: 24 });
  const { find, manifests, problems } = page({
    machine: {
      nodeAddressPool: NODES,
      network: {
        links: [
          Link.ethernet({ id: 'eno1', name: 'lan0' }),
          Link.ethernet({ id: 'a', hostInterface: 'ens1f0' }),
          Link.bond({ id: 'bond0', mode: 'active-backup', links: ['a'] }),
          Link.vlan({ id: 'storage', vlanId: 20, link: 'bond0', mtu: 9000 }),
        ],
        networks: [
          Network.ipv4({ link: 'eno1', pool: NODES }), Network.ipv4({ link: 'storage', pool: storage, routes: [{ destination: '203.0.113.0/24', gateway: '198.51.100.1' }] }),
          Network.ipv4Dhcp({ link: 'eno1' }), Network.ipv6Slaac({ link: 'eno1', id: 'v6' }),
        ],
        dnsServers: ['192.0.2.2'],
        dnsPool: NODES,
      },
    },
  });
  const reference = { apiGroup: 'ipam.metal3.io', kind: 'IPPool', name: 'nodes' };

  expect(problems()).toEqual([]);
  expect(find('Metal3DataTemplate').spec.networkData).toEqual({
    links: {
      ethernets: [
        { id: 'eno1', name: 'lan0', mtu: 1500, type: 'phy', macAddress: { fromHostInterface: 'eno1' } },
        { id: 'a', mtu: 1500, type: 'phy', macAddress: { fromHostInterface: 'ens1f0' } },
      ],
      bonds: [{ id: 'bond0', mtu: 1500, bondMode: 'active-backup', bondLinks: ['a'], parameters: [{ name: 'none' }], macAddress: { fromHostInterface: 'ens1f0' } }],
      vlans: [{ id: 'storage', mtu: 9000, vlanID: 20, vlanLink: 'bond0', macAddress: { fromHostInterface: 'ens1f0' } }],
    },
    networks: {
      ipv4: [
        { id: 'eno1', link: 'eno1', fromPoolRef: reference, routes: [{ network: '0.0.0.0', prefix: 0, gateway: { fromPoolRef: reference } }] },
        {
          id: 'storage',
          link: 'storage',
          fromPoolRef: { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'storage' },
          routes: [{ network: '203.0.113.0', prefix: 24, gateway: { string: '198.51.100.1' } }],
        },
      ],
      ipv4DHCP: [{ id: 'eno1', link: 'eno1' }],
      ipv6SLAAC: [{ id: 'v6', link: 'eno1' }],
    },
    services: { dns: ['192.0.2.2'], dnsFromIPPool: 'nodes' },
  });
  expect(find('Metal3DataTemplate').spec.metaData.ipAddressesFromPool).toEqual([{ key: 'node_address', ...reference }]);
  expect(JSON.stringify(find('KubeadmConfigTemplate'))).toContain('{{ ds.meta_data.node_address }}');
  expect(manifests().filter(({ kind }) => kind === 'IPPool').map(({ metadata, spec }) => ({ name: metadata.name, spec }))).toEqual([{
    name: 'nodes',
    spec: {
      namePrefix: 'nodes', pools: [{ start: '192.0.2.20', end: '192.0.2.29' }, { start: '192.0.2.64', end: '192.0.2.79' }], prefix: 24, gateway: '192.0.2.1',
    },
  }]);
});

test('a pool has as many addresses as its ranges, and is not made if it exists', () => {
  expect(NODES.available).toBe(26);
  expect(new metal3.Metal3AddressPool({ name: 'a', addresses: ['192.0.2.9'], prefix: 24 }).available).toBe(1);
  expect(new metal3.Metal3AddressPool({ name: 'a', addresses: ['192.0.2.x'], prefix: 24 }).available).toBeUndefined();
  expect(new metal3.Metal3AddressPool({ name: 'a' }).available).toBeUndefined();
  const used = (pool: metal3.Metal3AddressPool) => page({ machine: { network: { links: [Link.ethernet({ id: 'a' })], networks: [Network.ipv4({ link: 'a', pool })] } } });
  expect(used(new metal3.Metal3AddressPool({ name: 'a' })).find('IPPool')).toBeUndefined();
  expect(used(new metal3.Metal3AddressPool({ name: 'a', addresses: ['192.0.2.9'], prefix: 24, gateway: '192.0.2.1' })).problems()).toEqual([expect.stringMatching(/^TC-TRAP-ADDRESS-POOL-EXHAUSTED .*3/)]);
});

test('rollouts remove a machine first, and unhealthy hosts are rebooted', () => {
  const { find } = page({ machine: { remediation: metal3.Metal3Remediation.reboot({ retryLimit: 2, timeout: Duration.minutes(15) }) } });

  expect(find('MachineDeployment').spec.rollout.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
  expect(find('Metal3RemediationTemplate')).toMatchObject({
    metadata: { name: 'acme-general' }, spec: { template: { spec: { strategy: { type: 'Reboot', retryLimit: 2, timeoutSeconds: 900 } } } },
  });
  expect(find('MachineHealthCheck').spec.remediation.templateRef).toEqual({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'Metal3RemediationTemplate', name: 'acme-general' });
  expect(find('MachineHealthCheck').spec.checks.nodeStartupTimeoutSeconds).toBe(5400);
  const none = page({ machine: { remediation: metal3.Metal3Remediation.none() } });
  expect(none.find('Metal3RemediationTemplate')).toBeUndefined();
  expect(none.find('MachineHealthCheck').spec.remediation.templateRef).toBeUndefined();
});

test('an autoscaled pool from zero knows the size of its hosts', () => {
  const { find, problems } = page({ machine: { capacity: { cpu: 32, memory: Size.gibibytes(256) } }, pool: { size: PoolSize.between(0, 4) } });

  expect(problems()).toEqual([]);
  expect(find('MachineDeployment').metadata.annotations).toMatchObject({ 'capacity.cluster-autoscaler.kubernetes.io/cpu': '31000m' });
});

describe('what the server would refuse is refused, with the property', () => {
  const network = (links: metal3.Metal3Link[], networks: metal3.Metal3Network[] = []) => ({ machine: { network: { links, networks } } });
  const eno1 = Link.ethernet({ id: 'eno1' });

  test.each<[what: string, page: Page, found: RegExp]>([
    ['an image without checksum', { machine: { image: { url: IMAGE.url } } }, /machine\.image/],
    ['an image without scheme', { machine: { image: { ...IMAGE, url: 'images.example.com/a.raw' } } }, /machine\.image\.url/],
    ['no image', { machine: { image: undefined } }, /^TC-ADMIT-METAL3-IMAGE .*machine\.image/],
    ['a format that Ironic does not know', { machine: { image: { ...IMAGE, diskFormat: 'iso' } } }, /machine\.image\.diskFormat/],
    ['a checksum type that Ironic does not know', { machine: { image: { ...IMAGE, checksumType: 'crc32' } } }, /machine\.image\.checksumType/],
    ['an operator of Kubernetes', { machine: { hostRequirements: [{ key: 'a', operator: 'DoesNotExist' }] } }, /^TC-TRAP-METAL3-HOST-SELECTOR .*hostRequirements\[0\]/],
    ['a short reboot', { machine: { remediation: metal3.Metal3Remediation.reboot({ timeout: Duration.seconds(30) }) } }, /machine\.remediation\.timeout/],
    ['no reboot at all', { machine: { remediation: metal3.Metal3Remediation.reboot({ retryLimit: 0 }) } }, /machine\.remediation\.retryLimit/],
    ['a bond of no mode', network([eno1, Link.bond({ id: 'b', mode: 'lacp', links: ['eno1'] })]), /machine\.network\.links/],
    ['an MTU that is too large', network([Link.ethernet({ id: 'a', mtu: 9100 })]), /machine\.network\.links/],
    ['a VLAN of no link', network([eno1, Link.vlan({ id: 'b', vlanId: 20, link: 'eno2' })]), /^TC-TRAP-METAL3-NETWORK-DATA .*machine\.network\.links/],
    ['a network of no link', network([eno1], [Network.ipv4Dhcp({ link: 'eno2' })]), /^TC-TRAP-METAL3-NETWORK-DATA .*machine\.network\.networks/],
    ['a route of no gateway', network([eno1], [Network.ipv4Dhcp({ link: 'eno1', routes: [{ destination: '192.0.2.0/24' }] })]), /^TC-TRAP-METAL3-NETWORK-DATA .*machine\.network\.networks/],
    ['a route to no range', network([eno1], [Network.ipv4Dhcp({ link: 'eno1', routes: [{ destination: 'a', gateway: '192.0.2.1' }] })]), /machine\.network\.networks/],
    ['metadata of no length', { machine: { metadata: { a: metal3.Metal3Value.text('') } } }, /machine\.metadata/],
    ['an address of no control plane', { cluster: { controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }) } }, /^TC-ADMIT-METAL3-ENDPOINT .*controlPlane/],
    [
      'an address that Metal3 would have to make',
      { cluster: { controlPlane: new KubeadmControlPlane({ replicas: 3, machine: new metal3.Metal3Machine({ image: IMAGE }) }) } },
      /^TC-ADMIT-METAL3-ENDPOINT .*controlPlane/,
    ],
    ['a failure domain without a name', { infrastructure: { failureDomains: [{ name: '' }] } }, /infrastructure\.failureDomains\[0\]/],
    [
      'a gateway among the addresses',
      network([eno1], [Network.ipv4({ link: 'eno1', pool: new metal3.Metal3AddressPool({ name: 'a', addresses: ['192.0.2.0/29'], prefix: 24, gateway: '192.0.2.1' }) })]),
      /^TC-TRAP-METAL3-POOL-GATEWAY /,
    ],
    ['an address that is none', network([eno1], [Network.ipv4({ link: 'eno1', pool: new metal3.Metal3AddressPool({ name: 'a', addresses: ['192.0.2.300'], prefix: 24 }) })]), /machine\.network/],
    ['a range that is reversed', network([eno1], [Network.ipv4({ link: 'eno1', pool: new metal3.Metal3AddressPool({ name: 'a', addresses: ['192.0.2.9-192.0.2.2'], prefix: 24 }) })]), /^TC-ADMIT-METAL3-IP-POOL /],
  ])('%s', (_, given, found) => {
    expect(page(given).problems()).toEqual([expect.stringMatching(found)]);
  });
});
