import { Testing } from 'cdk8s';
import { bound, refused } from './bound';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { KamajiExposure, KamajiServiceType } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KamajiServiceProtocol } from '../../../../src/constructs/control-planes/kamaji/ports';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { exampleCluster } from '../../../support/clusters';
import { knownManagementCluster } from '../../../support/management';
import { problemsOf } from '../../../support/problems';

const network = (exposure: KamajiExposure) => {
  const { spec, problems } = bound({ exposure });
  expect(problems).toEqual([]);
  return spec.network;
};
const port = (exposure: KamajiExposure) => new KamajiControlPlane({ exposure }).capabilities.apiServerPort;

describe('a load balancer', () => {
  test('keeps the list of sources even when it is empty, so that removed ones go', () => {
    expect(network(KamajiExposure.loadBalancer())).toEqual({ serviceType: 'LoadBalancer', loadBalancerConfig: { loadBalancerSourceRanges: [] } });
  });

  test('has port, address, class, sources and the tenant\'s own address', () => {
    const exposure = KamajiExposure.loadBalancer({
      port: 443,
      address: '192.0.2.10',
      advertiseAddress: '198.51.100.7',
      loadBalancerClass: 'tailscale',
      sourceRanges: ['10.0.0.0/8'],
      serviceLabels: { a: 'b' },
      serviceAnnotations: { c: 'd e' },
    });

    expect(port(exposure)).toBe(443);
    expect(network(exposure)).toEqual({
      serviceType: 'LoadBalancer',
      serviceAddress: '192.0.2.10',
      advertiseAddress: '198.51.100.7',
      loadBalancerConfig: { loadBalancerClass: 'tailscale', loadBalancerSourceRanges: ['10.0.0.0/8'] },
      serviceLabels: { a: 'b' },
      serviceAnnotations: { c: 'd e' },
    });
  });
});

describe('a NodePort Service', () => {
  test('carries the API server and konnectivity at the node ports\' own numbers', () => {
    const exposure = KamajiExposure.nodePort({ address: '192.0.2.10', port: 30443, konnectivityPort: 30132 });

    expect(port(exposure)).toBe(30443);
    expect(network(exposure)).toEqual({ serviceType: 'NodePort', serviceAddress: '192.0.2.10' });
    expect(bound({ exposure }).spec.addons.konnectivity.server.port).toBe(30132);
  });

  test('needs no second port without konnectivity', () => {
    const exposure = KamajiExposure.nodePort({ address: '192.0.2.10', port: 30443 });
    expect(refused({ exposure, konnectivity: KamajiKonnectivity.none() })).toEqual([]);
  });
});

test('a ClusterIP Service has no load balancer\'s fields', () => {
  expect(network(KamajiExposure.clusterIp())).toEqual({ serviceType: 'ClusterIP' });
  expect(network(KamajiExposure.clusterIp({ port: 7443, address: '10.1.2.3' }))).toEqual({ serviceType: 'ClusterIP', serviceAddress: '10.1.2.3' });
});

describe('an Ingress', () => {
  test('is named with its port, and leaves the API server at its own', () => {
    const exposure = KamajiExposure.ingress({ hostname: 'acme.example.com' });

    expect(port(exposure)).toBe(6443);
    expect(network(exposure)).toEqual({ serviceType: 'ClusterIP', ingress: { hostname: 'acme.example.com:443' } });
  });

  test('has class, labels and annotations, and a Service that agents can reach', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' };
    expect(network(KamajiExposure.ingress({
      hostname: 'acme.example.com', port: 8443, servicePort: 7443, className: 'nginx', annotations, labels: { a: 'b' }, serviceType: KamajiServiceType.LOAD_BALANCER,
    }))).toEqual({
      serviceType: 'LoadBalancer',
      ingress: { hostname: 'acme.example.com:8443', className: 'nginx', extraAnnotations: annotations, extraLabels: { a: 'b' } },
    });
  });
});

describe('a Gateway', () => {
  test('has one port for the listener, the API server and the name', () => {
    const exposure = KamajiExposure.gateway({ name: 'tenants', namespace: 'gateways', hostname: 'acme.example.com', port: 7443 });

    expect(port(exposure)).toBe(7443);
    expect(network(exposure)).toEqual({
      serviceType: 'ClusterIP',
      gateway: { name: 'tenants', namespace: 'gateways', hostname: 'acme.example.com:7443', sectionName: 'kube-apiserver', port: 7443 },
    });
  });

  test('has the listener that the user names, labels and annotations', () => {
    expect(network(KamajiExposure.gateway({
      name: 'tenants',
      namespace: 'gateways',
      hostname: 'acme.example.com',
      sectionName: 'api',
      labels: { a: 'b' },
      annotations: { c: 'd' },
      serviceType: KamajiServiceType.CLUSTER_IP,
    })).gateway).toMatchObject({ sectionName: 'api', hostname: 'acme.example.com:6443', extraLabels: { a: 'b' }, extraAnnotations: { c: 'd' } });
  });
});

const gateway = { name: 'g', namespace: 'n', hostname: 'h.example.com' };
const loadBalancer = (options: Parameters<typeof KamajiExposure.loadBalancer>[0]) => ({ exposure: KamajiExposure.loadBalancer(options) });
const nodePort = (options: Partial<Parameters<typeof KamajiExposure.nodePort>[0]>) => ({
  exposure: KamajiExposure.nodePort({ address: '192.0.2.10', port: 30443, konnectivityPort: 30132, ...options }),
});

test.each<[string, KamajiControlPlaneProps, string]>([
  ['an API port that the provider cannot read', loadBalancer({ port: 32768 }), 'TC-KAMAJI-API-PORT controlPlane.exposure.port: the API server cannot have port 32768. Accepted: whole numbers from 1 to 32767'],
  ['no port at all', { exposure: KamajiExposure.clusterIp({ port: 0 }) }, 'TC-KAMAJI-API-PORT controlPlane.exposure.port: the API server cannot have port 0'],
  ['a port behind an Ingress that is too high', { exposure: KamajiExposure.ingress({ hostname: 'h.example.com', servicePort: 40000 }) }, 'TC-KAMAJI-API-PORT controlPlane.exposure.servicePort: '],
  ['a listener that is too high', { exposure: KamajiExposure.gateway({ ...gateway, port: 40000 }) }, 'TC-KAMAJI-API-PORT controlPlane.exposure.port: '],
  ['an API port outside of the node ports', nodePort({ port: 6443 }), 'TC-TRAP-KAMAJI-NODE-PORT controlPlane.exposure.port: the API server cannot be reached at port 6443 of a NodePort Service. Accepted: 30000 to 32767'],
  ['a konnectivity port outside of the node ports', nodePort({ konnectivityPort: undefined }), 'TC-TRAP-KAMAJI-NODE-PORT controlPlane.exposure.konnectivityPort: konnectivity cannot be reached at port 8132'],
  ['one node port for both', nodePort({ konnectivityPort: 30443 }), 'TC-TRAP-KAMAJI-PORT-CLASH controlPlane.exposure.konnectivityPort: port 30443 is the one that the API server listens on'],
  ['nodes without an address', nodePort({ address: '' }), 'TC-TRAP-KAMAJI-NODE-PORT-ADDRESS controlPlane.exposure.address: the Service has the type NodePort, and no address is given'],
  ['a host name for an address', loadBalancer({ address: 'lb.example.com' }), 'TC-KAMAJI-ADDRESS controlPlane.exposure.address: "lb.example.com" is not an IP address'],
  ['a host name for the tenant\'s address', { exposure: KamajiExposure.ingress({ hostname: 'h.example.com', advertiseAddress: 'vip' }) }, 'TC-TRAP-KAMAJI-ADVERTISE-ADDRESS controlPlane.exposure.advertiseAddress: "vip" is not an IP address'],
  ['the API server at the controller manager\'s port', loadBalancer({ port: 10257 }), 'TC-TRAP-KAMAJI-PORT-CLASH controlPlane.exposure.port: port 10257 is the one that the controller manager'],
  ['the API server at the scheduler\'s port', { exposure: KamajiExposure.ingress({ hostname: 'h.example.com', servicePort: 10259 }) }, 'TC-TRAP-KAMAJI-PORT-CLASH controlPlane.exposure.servicePort: port 10259 is the one that the scheduler'],
  ['the API server at konnectivity\'s health port', loadBalancer({ port: 8134 }), 'TC-TRAP-KAMAJI-PORT-CLASH controlPlane.exposure.port: port 8134 is the one that konnectivity\'s health check'],
  ['konnectivity at its own administration', { konnectivity: KamajiKonnectivity.managed({ port: 8133 }) }, 'TC-TRAP-KAMAJI-PORT-CLASH controlPlane.konnectivity.port: port 8133 is the one that konnectivity\'s administration'],
  ['konnectivity at the API server\'s port', { konnectivity: KamajiKonnectivity.managed({ port: 6443 }) }, 'TC-TRAP-KAMAJI-PORT-CLASH controlPlane.konnectivity.port: port 6443 is the one that the API server'],
  ['sources that are no blocks', loadBalancer({ sourceRanges: ['10.0.0.1'] }), 'TC-TRAP-KAMAJI-SOURCE-RANGES controlPlane.exposure.sourceRanges[0]: "10.0.0.1" is not a block'],
  ['too many sources', loadBalancer({ sourceRanges: Array.from({ length: 17 }, (_, index) => `10.${index}.0.0/16`) }), 'TC-TRAP-KAMAJI-SOURCE-RANGES controlPlane.exposure.sourceRanges: 17 source ranges are more than Kamaji takes. Accepted: at most 16'],
  ['a class that is no name', loadBalancer({ loadBalancerClass: 'a b' }), 'TC-KAMAJI-LOAD-BALANCER-CLASS controlPlane.exposure.loadBalancerClass: "a b"'],
  ['an Ingress with a port in its name', { exposure: KamajiExposure.ingress({ hostname: 'h.example.com:443' }) }, 'TC-KAMAJI-HOSTNAME controlPlane.exposure.hostname: "h.example.com:443" is not a DNS name'],
  ['an Ingress for every name', { exposure: KamajiExposure.ingress({ hostname: '*.example.com' }) }, 'TC-KAMAJI-HOSTNAME controlPlane.exposure.hostname: "*.example.com" is not a DNS name'],
  ['an Ingress with an address for a name', { exposure: KamajiExposure.ingress({ hostname: '192.0.2.10' }) }, 'TC-KAMAJI-HOSTNAME controlPlane.exposure.hostname: "192.0.2.10" is an IP address'],
  ['an Ingress at an impossible port', { exposure: KamajiExposure.ingress({ hostname: 'h.example.com', port: 70000 }) }, 'TC-KAMAJI-ROUTE controlPlane.exposure.port: 70000 is not a port'],
  ['an Ingress class that is no name', { exposure: KamajiExposure.ingress({ hostname: 'h.example.com', className: 'Nginx' }) }, 'TC-KAMAJI-ROUTE controlPlane.exposure.className: "Nginx" is not a DNS name'],
  ['a Gateway that is no name', { exposure: KamajiExposure.gateway({ ...gateway, name: 'a_b' }) }, 'TC-KAMAJI-ROUTE controlPlane.exposure.name: "a_b" is not a DNS name'],
  ['a namespace that is no name', { exposure: KamajiExposure.gateway({ ...gateway, namespace: 'a.b' }) }, 'TC-KAMAJI-ROUTE controlPlane.exposure.namespace: "a.b" is not a DNS label'],
  ['a listener that is no name', { exposure: KamajiExposure.gateway({ ...gateway, sectionName: '' }) }, 'TC-KAMAJI-ROUTE controlPlane.exposure.sectionName: "" is not a DNS name'],
  ['labels of the Service that are none', loadBalancer({ serviceLabels: { a: 'b c' } }), 'TC-KAMAJI-METADATA controlPlane.exposure.serviceLabels.a: "b c" is not a label value'],
  ['annotations of a route that are none', { exposure: KamajiExposure.gateway({ ...gateway, annotations: { 'a b': '' } }) }, 'TC-KAMAJI-METADATA controlPlane.exposure.annotations["a b"]: '],
  ['a certificate name with a port', { certSans: ['ok.example.com', 'h.example.com:6443'] }, 'TC-TRAP-KAMAJI-CERTIFICATE-NAME controlPlane.certSans[1]: "h.example.com:6443" has a port; accepted is the host alone, "h.example.com"'],
  ['an empty tenant\'s address', { exposure: KamajiExposure.loadBalancer({ advertiseAddress: '' }) }, 'TC-KAMAJI-ADDRESS controlPlane.exposure.advertiseAddress: "" is not an IP address'],
  ['a certificate name that is no address', { certSans: ['10.0.0.256'] }, 'TC-TRAP-KAMAJI-CERTIFICATE-NAME controlPlane.certSans[0]: "10.0.0.256" cannot be a name in a certificate'],
  ['a certificate name that is none', { certSans: ['H_x'] }, 'TC-TRAP-KAMAJI-CERTIFICATE-NAME controlPlane.certSans[0]: "H_x" cannot be a name in a certificate'],
])('%s is refused', (_, props, problem) => {
  expect(refused(props)).toEqual([expect.stringContaining(problem)]);
});

describe('additional ports of the Service', () => {
  test('say what an API server would add', () => {
    expect(bound({ additionalServicePorts: [{ name: 'trustd', port: 50001 }] }).spec.network.additionalServicePorts)
      .toEqual([{ name: 'trustd', port: 50001, targetPort: 50001, protocol: 'TCP' }]);
  });

  test('may share a number under another protocol', () => {
    const udp = KamajiServiceProtocol.UDP;
    expect(refused({ additionalServicePorts: [{ name: 'a', port: 53 }, { name: 'b', port: 53, protocol: udp }, { name: 'c', port: 6443, protocol: udp }] })).toEqual([]);
  });

  test.each([
    [[{ name: 'kube-apiserver', port: 1 }], '[0].name: the name "kube-apiserver" is taken by another port'],
    [[{ name: 'a', port: 1 }, { name: 'a', port: 2 }], '[1].name: the name "a" is taken by another port'],
  ])('%j is refused for a name', (additionalServicePorts, problem) => {
    expect(refused({ additionalServicePorts })).toEqual([expect.stringContaining(`TC-TRAP-KAMAJI-SERVICE-PORT controlPlane.additionalServicePorts${problem}`)]);
  });

  test.each([
    [[{ name: 'A', port: 1 }], '[0].name: "A" is not a DNS label'],
    [[{ name: 'a', port: 1 }, { name: 'b', port: 1 }], '[1].port: port 1 of the Service is taken already'],
    [[{ name: 'a', port: 8132 }], '[0].port: port 8132 of the Service is taken already'],
    [[{ name: 'a', port: 65536 }], '[0].port: 65536 is not a port'],
    [[{ name: 'a', port: 1, targetPort: 0 }], '[0].targetPort: 0 is not a port'],
  ])('%j is refused', (additionalServicePorts, problem) => {
    expect(refused({ additionalServicePorts })).toEqual([expect.stringContaining(`TC-TRAP-KAMAJI-SERVICE-PORT controlPlane.additionalServicePorts${problem}`)]);
  });
});

describe('the address that the API server advertises', () => {
  const IPV6 = { podCidrs: ['fd00:1::/56'], nodeCidrMaskSizes: [64], serviceCidrs: ['fd00:2::/112'], serviceDomain: 'cluster.local', dnsServiceIps: ['fd00:2::a'], apiServerPort: 6443 };

  test.each<[string, KamajiExposure, string]>([
    ['its own', KamajiExposure.loadBalancer({ address: '2001:db8::7' }), 'TC-KAMAJI-ADDRESS controlPlane.exposure.address: "2001:db8::7" is an IPv6 address, the range of Services is IPv4'],
    ['the tenant\'s', KamajiExposure.loadBalancer({ address: '192.0.2.1', advertiseAddress: '2001:db8::7' }), 'TC-KAMAJI-ADDRESS controlPlane.exposure.advertiseAddress: "2001:db8::7" is an IPv6'],
  ])('is of the family of the Services: %s', (_, exposure, problem) => {
    expect(refused({ exposure })).toEqual([expect.stringContaining(problem)]);
    expect(refused({ exposure }, { network: IPV6 })).toEqual([]);
  });

  test('may be of another family where the tenant\'s is not, and where nothing is written behind the Service', () => {
    expect(refused({ exposure: KamajiExposure.loadBalancer({ address: '2001:db8::7', advertiseAddress: '192.0.2.1' }) })).toEqual([]);
    const apiServer = { extraArgs: [{ name: 'endpoint-reconciler-type', value: 'none' }] };
    expect(refused({ exposure: KamajiExposure.clusterIp({ address: '2001:db8::7' }), apiServer })).toEqual([]);
  });
});

describe('an Ingress of the class "nginx"', () => {
  afterEach(() => jest.restoreAllMocks());

  function warned(className: string | undefined, annotations?: { [key: string]: string }): string[] {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(refused({ exposure: KamajiExposure.ingress({ hostname: 'h.example.com', className, annotations }) })).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text));
  }

  test('is warned of unless it passes TLS through', () => {
    const warning = expect.stringMatching(/ TC-KAMAJI-PASSTHROUGH controlPlane\.exposure\.annotations: .* Fix: set nginx\.ingress\.kubernetes\.io\/ssl-passthrough: 'true'/);

    expect(warned('nginx')).toEqual([warning]);
    expect(warned('nginx', { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'false' })).toContainEqual(warning);
  });

  test.each<[string, string | undefined, { [key: string]: string } | undefined]>([
    ['that passes TLS through', 'nginx', { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' }],
    ['of another class', 'haproxy', undefined],
    ['of a class that nobody knows', undefined, undefined],
  ])('%s is not warned of', (_what, className, annotations) => {
    expect(warned(className, annotations)).toEqual([]);
  });
});

test.each([
  ['a node port', KamajiExposure.nodePort({ address: 'node1.example.com', port: 30443, konnectivityPort: 30132 })],
  ['a load balancer', KamajiExposure.loadBalancer({ address: '192.0.2.300' })],
])('an address of %s that is none is not taken for a name that machines would have to be let through to', (_what, exposure) => {
  const app = Testing.app();
  exampleCluster(app, {
    controlPlane: new KamajiControlPlane({ exposure }),
    infrastructure: new KubevirtInfrastructure(),
    isolation: new TenantIsolation(),
    managementCluster: knownManagementCluster(),
  });

  expect(problemsOf(app)).toMatchObject([{ path: 'acme', id: 'TC-KAMAJI-ADDRESS' }]);
});
