import { App, JsonPatch, Size, Testing } from 'cdk8s';
import { Flannel } from '../../../../src/constructs/addons/cni/flannel';
import { ProviderChart } from '../../../../src/constructs/addons/provider-chart';
import { TenantSecret } from '../../../../src/constructs/addons/tenant-secret';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { ControlPlaneEndpoint } from '../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import * as openstack from '../../../../src/constructs/infrastructures/openstack';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster, Manifest } from '../../../support/clusters';
import { problemsIn } from '../../../support/problems';

const { OpenStackApiServer, OpenStackNetwork, OpenStackResource, OpenStackSecurityGroups, OpenStackManagedGroup } = openstack;

const KUBE_VIP = ControlPlaneEndpoint.kubeVip({ address: '10.6.0.5', image: 'registry.example.com/kube-vip:v1.0.1' });
const ID = '0f9b7a52-4ae6-4b0f-8a0c-1f2d3c4b5a69';

interface Page {
  readonly infrastructure?: Partial<openstack.OpenStackInfrastructureProps>;
  readonly machine?: Partial<openstack.OpenStackMachineProps>;
  readonly cluster?: Partial<TenantClusterProps>;
  readonly replicas?: number;
  readonly hosted?: boolean;
  readonly failureDomain?: string;
  readonly endpoint?: ControlPlaneEndpoint;
}

/** Cluster `acme` in OpenStack with a pool `general`. */
function page(app: App, { infrastructure, machine, cluster, replicas = 3, hosted = false, failureDomain, endpoint }: Page = {}): TenantCluster {
  const node = new openstack.OpenStackMachine({
    flavor: 'm1.large', image: OpenStackResource.named('ubuntu-2404'), capacity: { cpu: 4, memory: Size.gibibytes(8) }, ...machine,
  });
  const tenant = exampleCluster(app, {
    infrastructure: new openstack.OpenStackInfrastructure({
      identity: openstack.OpenStackIdentity.secret({ name: 'acme-clouds', cloudName: 'openstack' }),
      network: OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }),
      ...infrastructure,
    }),
    controlPlane: hosted ? new KamajiControlPlane({ dataStore: 'default' }) : new KubeadmControlPlane({ replicas, machine: node, endpoint }),
    bootstrap: new KubeadmBootstrap(),
    delivery: new FluxDelivery(),
    ...cluster,
  });
  tenant.addNodePool('general', { machine: node, size: PoolSize.between(0, 3), failureDomain });
  return tenant;
}

function written(given: Page = {}): Manifest[] {
  const app = Testing.app();
  page(app, given);
  return app.charts.flatMap((chart) => Testing.synth(chart) as Manifest[]);
}

const only = (objects: Manifest[], kind: string, name = /./): Manifest => (
  objects.find((object) => object.kind === kind && name.test(object.metadata.name))!);
const cluster = (given: Page = {}) => only(written(given), 'OpenStackCluster');
const template = (machine: Page['machine']) => only(written({ machine }), 'OpenStackMachineTemplate', /general/).spec.template.spec;
/** Problems, as `id property`: a page of machines has no others on the control plane. */
const problems = (given: Page) => problemsIn((app) => page(app, { hosted: given.machine !== undefined, ...given })).map(({ id, text }) => `${id} ${text.split(': ')[0]}`);

test('the provider makes a load balancer for a control plane on machines', () => {
  const { apiVersion, metadata, spec } = cluster();

  expect(apiVersion).toBe('infrastructure.cluster.x-k8s.io/v1beta1');
  expect(metadata.name).toBe('acme');
  expect(spec).toEqual({
    identityRef: { type: 'Secret', name: 'acme-clouds', cloudName: 'openstack' },
    managedSubnets: [{ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }],
    apiServerLoadBalancer: { enabled: true },
    managedSecurityGroups: { allowAllInClusterTraffic: true },
  });
});

test('Kamaji writes the address of its control planes', () => {
  const { metadata, spec } = cluster({ hosted: true });

  expect(spec).toMatchObject({ disableAPIServerFloatingIP: true });
  for (const field of ['apiServerLoadBalancer', 'apiServerFixedIP', 'apiServerPort', 'controlPlaneEndpoint']) expect(spec).not.toHaveProperty(field);
  // The provider would leave the object alone.
  expect(metadata.annotations).not.toHaveProperty('cluster.x-k8s.io/managed-by');
});

test('every option of the infrastructure reaches the object', () => {
  const { spec } = cluster({
    infrastructure: {
      identity: openstack.OpenStackIdentity.clusterIdentity({ name: 'tenants', cloudName: 'openstack', region: 'RegionOne' }),
      network: OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'], router: OpenStackResource.id(ID) }),
      externalNetwork: OpenStackResource.tagged('external'),
      apiServer: OpenStackApiServer.loadBalancer({
        floatingIp: '203.0.113.7', allowedCidrs: ['198.51.100.0/24'], octaviaProvider: 'amphora',
      }),
      securityGroups: OpenStackSecurityGroups.managed({
        allowAllInClusterTraffic: false,
        allNodes: [{ name: 'BGP', protocol: 'tcp', portRangeMin: 179, portRangeMax: 179, remoteManagedGroups: [OpenStackManagedGroup.WORKER] }],
        controlPlane: [{ name: 'SSH', protocol: 'tcp', portRangeMin: 22, portRangeMax: 22, remoteIpPrefix: '198.51.100.0/24' }],
        workers: [{ name: 'all', ipv6: true }],
      }),
      controlPlaneAvailabilityZones: ['az1'],
      tags: ['acme'],
    },
  });

  expect(spec).toEqual({
    identityRef: { type: 'ClusterIdentity', name: 'tenants', cloudName: 'openstack', region: 'RegionOne' },
    managedSubnets: [{ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }],
    router: { id: ID },
    externalNetwork: { filter: { tags: ['external'] } },
    apiServerLoadBalancer: { enabled: true, allowedCIDRs: ['198.51.100.0/24'], provider: 'amphora' },
    apiServerFloatingIP: '203.0.113.7',
    managedSecurityGroups: {
      allowAllInClusterTraffic: false,
      allNodesSecurityGroupRules: [
        { name: 'BGP', direction: 'ingress', etherType: 'IPv4', protocol: 'tcp', portRangeMin: 179, portRangeMax: 179, remoteManagedGroups: ['worker'] },
      ],
      controlPlaneNodesSecurityGroupRules: [
        { name: 'SSH', direction: 'ingress', etherType: 'IPv4', protocol: 'tcp', portRangeMin: 22, portRangeMax: 22, remoteIPPrefix: '198.51.100.0/24' },
      ],
      workerNodesSecurityGroupRules: [{ name: 'all', direction: 'ingress', etherType: 'IPv6' }],
    },
    controlPlaneAvailabilityZones: ['az1'],
    tags: ['acme'],
  });
});

test('closed security groups let the ports of the pod network pass between machines, and open ones name none', () => {
  const groups = (allowAllInClusterTraffic: boolean) => cluster({
    infrastructure: { securityGroups: OpenStackSecurityGroups.managed({ allowAllInClusterTraffic }) }, cluster: { cni: new Flannel() },
  }).spec.managedSecurityGroups;

  expect(groups(true)).toEqual({ allowAllInClusterTraffic: true });
  expect(groups(false)).toEqual({
    allowAllInClusterTraffic: false,
    allNodesSecurityGroupRules: [{
      name: 'tunnels of Flannel, udp 8473',
      direction: 'ingress',
      etherType: 'IPv4',
      protocol: 'udp',
      portRangeMin: 8473,
      portRangeMax: 8473,
      remoteManagedGroups: ['controlplane', 'worker'],
    }],
  });
});

describe('security groups of pods with IPv6 addresses', () => {
  interface Written {
    readonly etherType: string;
    readonly protocol?: string;
    readonly portRangeMin?: number;
    readonly portRangeMax?: number;
    readonly remoteManagedGroups?: string[];
  }
  const text = ({ etherType, protocol, portRangeMin, portRangeMax, remoteManagedGroups }: Written): string => (
    [etherType, protocol, portRangeMin, portRangeMax === portRangeMin ? undefined : portRangeMax, remoteManagedGroups?.join('+')].filter((part) => part !== undefined).join(' '));
  const rules = (allowAllInClusterTraffic: boolean, podCidrs: string[], network: openstack.OpenStackNetwork) => {
    const { managedSecurityGroups } = cluster({
      infrastructure: {
        network,
        securityGroups: OpenStackSecurityGroups.managed({
          allowAllInClusterTraffic, workers: [{ name: 'HTTPS', protocol: 'tcp', portRangeMin: 443, portRangeMax: 443 }],
        }),
      },
      cluster: { cni: new Flannel(), podCidrs, serviceCidrs: podCidrs.map((cidr) => (cidr.includes(':') ? 'fd00:2::/112' : '10.2.0.0/16')) },
    }).spec as { managedSecurityGroups: Record<string, unknown> };
    return Object.entries(managedSecurityGroups).flatMap(([list, given]) => (
      Array.isArray(given) ? (given as Written[]).map((rule) => `${list.replace('SecurityGroupRules', '')} ${text(rule)}`) : []));
  };
  const EXISTING = OpenStackNetwork.existing({ network: OpenStackResource.named('acme') });
  const DUAL = ['10.1.0.0/16', 'fd00:1::/56'];

  test('have the rules of the provider for IPv6, too', () => {
    expect(rules(true, DUAL, EXISTING)).toEqual([
      'allNodes IPv6 controlplane+worker', 'controlPlaneNodes IPv6 tcp 6443', 'workerNodes IPv4 tcp 443',
    ]);
    expect(rules(false, DUAL, EXISTING)).toEqual([
      'allNodes IPv4 udp 8473 controlplane+worker',
      'allNodes IPv6 udp 8473 controlplane+worker',
      'allNodes IPv6 tcp 10250 controlplane+worker',
      'controlPlaneNodes IPv6 tcp 6443',
      'controlPlaneNodes IPv6 tcp 2379 2380 controlplane',
      'workerNodes IPv4 tcp 443',
      'workerNodes IPv6 tcp 30000 32767 controlplane+worker',
      'workerNodes IPv6 udp 30000 32767 controlplane+worker',
    ]);
  });

  test('have no rule of IPv4 where there is IPv6 alone', () => {
    expect(rules(false, ['fd00:1::/56'], EXISTING).filter((rule) => rule.startsWith('allNodes'))).toEqual([
      'allNodes IPv6 udp 8473 controlplane+worker', 'allNodes IPv6 tcp 10250 controlplane+worker',
    ]);
  });

  test('have no rule of IPv6 in a network that the provider creates, which is of IPv4', () => {
    expect(rules(false, DUAL, OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }))).toEqual([
      'allNodes IPv4 udp 8473 controlplane+worker', 'workerNodes IPv4 tcp 443',
    ]);
  });
});

test.each<[string, Page, object]>([
  ['a network that exists', {
    infrastructure: {
      network: OpenStackNetwork.existing({
        network: OpenStackResource.named('acme'), subnets: [OpenStackResource.filter({ cidr: '10.6.0.0/24' })],
      }),
    },
  }, { network: { filter: { name: 'acme' } }, subnets: [{ filter: { cidr: '10.6.0.0/24' } }] }],
  ['an internal load balancer', { infrastructure: { apiServer: OpenStackApiServer.loadBalancer({ internal: true }) } }, {
    apiServerLoadBalancer: { enabled: true }, disableAPIServerFloatingIP: true,
  }],
  ['a floating IP of one machine', { replicas: 1, infrastructure: { apiServer: OpenStackApiServer.floatingIp('203.0.113.7') } }, { apiServerFloatingIP: '203.0.113.7' }],
  ['an endpoint by kube-vip', { endpoint: KUBE_VIP, machine: { ports: [{ allowedAddresses: ['10.6.0.5'] }] } }, {
    disableAPIServerFloatingIP: true, controlPlaneEndpoint: { host: '10.6.0.5', port: 6443 },
  }],
  ['an endpoint that exists', { endpoint: ControlPlaneEndpoint.external({ host: 'api.example.com' }) }, {
    disableAPIServerFloatingIP: true, controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
  }],
  // The definition accepts nothing else.
  ['no external network', { infrastructure: { disableExternalNetwork: true } }, { disableExternalNetwork: true, disableAPIServerFloatingIP: true }],
])('%s', (_, given, expected) => {
  expect(cluster(given).spec).toMatchObject(expected);
});

test('machines whose port does not allow the address of kube-vip are refused', () => {
  expect(problems({ endpoint: KUBE_VIP, hosted: false })).toEqual(['TC-TRAP-OPENSTACK-VIRTUAL-ADDRESS controlPlane.machine.ports']);
});

test('every option of a machine reaches the template', () => {
  expect(template({
    image: OpenStackResource.imageRef('ubuntu-2404'),
    sshKeyName: 'platform',
    rootVolume: { size: Size.gibibytes(50), type: 'ssd', machineZone: true },
    serverGroup: OpenStackResource.id(ID),
    securityGroups: [OpenStackResource.named('web')],
    ports: [
      { allowedAddresses: ['10.6.0.5'] },
      { network: OpenStackResource.named('storage'), disablePortSecurity: true },
      { network: OpenStackResource.named('dmz'), securityGroups: [OpenStackResource.named('dmz')] },
    ],
    tags: ['worker'],
  })).toEqual({
    flavor: 'm1.large',
    image: { imageRef: { name: 'ubuntu-2404' } },
    sshKeyName: 'platform',
    rootVolume: { sizeGiB: 50, type: 'ssd', availabilityZone: { from: 'Machine' } },
    serverGroup: { id: ID },
    securityGroups: [{ filter: { name: 'web' } }],
    ports: [
      { allowedAddressPairs: [{ ipAddress: '10.6.0.5' }] },
      { network: { filter: { name: 'storage' } }, disablePortSecurity: true },
      { network: { filter: { name: 'dmz' } }, securityGroups: [{ filter: { name: 'dmz' } }] },
    ],
    tags: ['worker'],
  });
});

test('the size of a machine lets its pool grow from zero', () => {
  const { metadata } = only(written(), 'MachineDeployment');

  expect(metadata.annotations).toMatchObject({ 'capacity.cluster-autoscaler.kubernetes.io/cpu': '3600m' });
});

test('kubelets state the provider ID of their server, with every bootstrap', () => {
  const objects = written();
  const registration = {
    name: '{{ v1.local_hostname }}',
    kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }, { name: 'provider-id', value: 'openstack:///{{ ds.meta_data.uuid }}' }],
  };

  expect(only(objects, 'KubeadmConfigTemplate').spec.template.spec.joinConfiguration.nodeRegistration).toMatchObject(registration);
  const { initConfiguration, joinConfiguration } = only(objects, 'KubeadmControlPlane').spec.kubeadmConfigSpec;
  expect([initConfiguration.nodeRegistration, joinConfiguration.nodeRegistration]).toMatchObject([registration, registration]);
});

test('the failure domain of a pool is an availability zone', () => {
  const infrastructure = { availabilityZones: ['az1', 'az2'] };

  expect(only(written({ infrastructure, failureDomain: 'az2' }), 'MachineDeployment').spec.template.spec.failureDomain).toBe('az2');
  expect(problems({ infrastructure, failureDomain: 'az3' })).toEqual(['TC-POOL-FAILURE-DOMAIN failureDomain']);
});

describe('programs in the tenant', () => {
  const releases = (given: Page) => written(given).filter(({ kind }) => kind === 'HelmRelease')
    .map(({ spec }) => [spec.chart.spec.chart, spec.chart.spec.version, spec.values] as [string, string, Manifest]).filter(([chart]) => chart.startsWith('openstack'));
  const CLASSES = [{ name: 'ssd', parameters: { type: 'ssd', availability: 'az1' }, isDefault: true }];

  test('the cloud controller manager runs where the control plane has its machines', () => {
    const [[chart, version, values]] = releases({});

    expect([chart, version]).toEqual(['openstack-cloud-controller-manager', '2.35.0']);
    expect(values).toMatchObject({ secret: { create: false, name: 'cloud-config' }, cluster: { name: 'tenant-acme.acme' } });
    expect(values).not.toHaveProperty('nodeSelector');
  });

  test('it runs on all nodes where the control plane has none', () => {
    expect(releases({ hosted: true })[0][2].nodeSelector).toEqual({ 'node-role.kubernetes.io/control-plane': null });
  });

  test('charts follow Kubernetes, and are never newer', () => {
    const versions = ['1.33.4', '1.34.2', '1.36.1'].map((kubernetesVersion) => releases({ cluster: { kubernetesVersion }, infrastructure: { storageClasses: CLASSES } })
      .map(([, version]) => version));

    expect(versions).toEqual([['2.33.1', '2.33.1'], ['2.34.3', '2.34.2'], ['2.36.0', '2.36.0']]);
  });

  test('storage classes bring the driver of Cinder', () => {
    const objects = written({ infrastructure: { storageClasses: CLASSES, csiDriver: ProviderChart.of({ values: { logVerbosityLevel: 4 } }) } });
    const driver = objects.find(({ kind, spec }) => kind === 'HelmRelease' && spec.chart.spec.chart === 'openstack-cinder-csi')!;

    expect(driver.spec.values).toMatchObject({
      storageClass: { enabled: false }, secret: { enabled: true, create: false, hostMount: false }, logVerbosityLevel: 4,
    });
    expect(JSON.stringify(objects)).toContain('csi-attacher:v4.10.0');
  });

  test('a set carries their configuration', () => {
    const sets = (cloudConfig?: TenantSecret) => written({ infrastructure: { cloudConfig } })
      .filter(({ kind, metadata }) => kind === 'ClusterResourceSet' && /cloud/.test(metadata.name)).map(({ spec }) => spec.resources[0].name);

    expect(sets()).toEqual(['acme-tenant-cloud-config']);
    expect(sets(TenantSecret.carried({ secretName: 'clouds', name: 'cloud' }))).toEqual(['clouds']);
    expect(sets(TenantSecret.inTenant('cloud-config'))).toEqual([]);
  });

  test('what the user installs is left out, and its configuration', () => {
    const given = { infrastructure: { cloudControllerManager: ProviderChart.external() } };

    expect(releases(given)).toEqual([]);
    expect(written(given).filter(({ kind }) => kind === 'ClusterResourceSet')).toEqual([]);
  });
});

describe('what a server or a controller would refuse is refused', () => {
  const existing = (network: openstack.OpenStackExistingNetwork): Page => ({ infrastructure: { network: OpenStackNetwork.existing(network) } });
  const rule = (given: object): Page => ({ infrastructure: { securityGroups: OpenStackSecurityGroups.managed({ allNodes: [{ name: 'a', ...given }] }) } });
  const three = [1, 2, 3].map((digit) => OpenStackResource.id(ID.replace(/.$/, `${digit}`)));

  test.each<[string, Page, string]>([
    ['an id that is a name', { infrastructure: { externalNetwork: OpenStackResource.id('public') } }, 'TC-ADMIT-FIELD-VALUE infrastructure.externalNetwork'],
    ['an empty filter', { machine: { image: OpenStackResource.filter({}) } }, 'TC-ADMIT-FIELD-VALUE machine.image'],
    ['a filter of another resource', { infrastructure: { externalNetwork: OpenStackResource.filter({ cidr: '10.0.0.0/8' }) } }, 'TC-ADMIT-FIELD-RELEASE infrastructure.externalNetwork'],
    ['a server group by tags', { machine: { serverGroup: OpenStackResource.tagged('a') } }, 'TC-ADMIT-FIELD-RELEASE machine.serverGroup'],
    ['an image in place of a network', { infrastructure: { externalNetwork: OpenStackResource.imageRef('a') } }, 'TC-ADMIT-FIELD-RELEASE infrastructure.externalNetwork'],
    ['a tag with a comma', { infrastructure: { externalNetwork: OpenStackResource.tagged('a,b') } }, 'TC-ADMIT-FIELD-VALUE infrastructure.externalNetwork'],
    ['a flavor without a name', { machine: { flavor: '' } }, 'TC-ADMIT-FIELD-VALUE machine.flavor'],
    ['half a GiB', { machine: { rootVolume: { size: Size.mebibytes(51712) } } }, 'TC-ADMIT-FIELD-TYPE machine.rootVolume.size'],
    ['no GiB', { machine: { rootVolume: { size: Size.gibibytes(0) } } }, 'TC-ADMIT-FIELD-VALUE machine.rootVolume.size'],
    ['an entry without a name', { infrastructure: { identity: openstack.OpenStackIdentity.secret({ name: 'a', cloudName: '' }) } }, 'TC-ADMIT-FIELD-VALUE infrastructure.identity'],
    ['three subnets', existing({ subnets: three }), 'TC-ADMIT-FIELD-VALUE infrastructure.network'],
    ['no network', existing({}), 'TC-TRAP-OPENSTACK-NETWORK infrastructure.network'],
    ['a tag twice', { infrastructure: { tags: ['a', 'a'] } }, 'TC-ADMIT-FIELD-DUPLICATE infrastructure.tags[1]'],
    ['two remote ends', rule({ remoteManagedGroups: [OpenStackManagedGroup.WORKER], remoteIpPrefix: '10.0.0.0/8' }), 'TC-ADMIT-OPENSTACK-SECURITY-GROUP-RULE infrastructure.securityGroups'],
    ['the group of a bastion', rule({ remoteManagedGroups: [OpenStackManagedGroup.BASTION] }), 'TC-TRAP-OPENSTACK-SECURITY-GROUP-RULE infrastructure.securityGroups'],
    ['security groups of an open port', { machine: { ports: [{ disablePortSecurity: true, securityGroups: [OpenStackResource.named('a')] }] } }, 'TC-TRAP-OPENSTACK-MACHINE machine.ports[0].securityGroups'],
    ['an address beside Kamaji\'s', { hosted: true, infrastructure: { apiServer: OpenStackApiServer.loadBalancer() } }, 'TC-OPENSTACK-API-SERVER infrastructure.apiServer'],
    ['an address beside that of the control plane', {
      endpoint: ControlPlaneEndpoint.external({ host: 'api.example.com' }), infrastructure: { apiServer: OpenStackApiServer.loadBalancer() },
    }, 'TC-OPENSTACK-API-SERVER infrastructure.apiServer'],
    ['no provider', { cluster: { managementCluster: new ImportedManagementCluster({ infrastructureProviders: { kubevirt: 'v0.11.0' } }) } }, 'TC-MANAGEMENT-INFRASTRUCTURE-PROVIDER infrastructure'],
    ['ranges that overlap', { cluster: { podCidrs: ['10.6.0.0/16'] } }, 'TC-NETWORK-OVERLAP podCidrs'],
  ])('%s', (_, given, expected) => {
    expect(problems(given)).toEqual([expected]);
  });

  test.each<[string, string, unknown, string]>([
    ['a provider ID', '/spec/template/spec/providerID', 'openstack:///a', 'TC-ADMIT-OPENSTACK-PROVIDER-ID'],
    ['an unknown field', '/spec/template/spec/flavour', 'm1.large', 'TC-ADMIT-FIELD-UNKNOWN'],
  ])('a patch: %s', (_, path, value, expected) => {
    expect(problemsIn((app) => {
      const tenant = page(app);
      tenant.nodePools[0].machineTemplate.addJsonPatch(JsonPatch.add(path, value));
    }).map(({ id }) => id)).toEqual([expected]);
  });
});
