import { Chart, Testing } from 'cdk8s';
import { kubevirtContext, MANAGEMENT, problems } from './bound';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import {
  KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { NetworkIsolation } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { ServiceIsolation, ServiceIsolationOptions } from '../../../../src/constructs/tenant/isolation/service-isolation';
import { InfraClusterIsolation, TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { celEnvironment } from '../../../../src/manifests/cel/environment';
import { celMap } from '../../../../src/manifests/cel/values';
import { joinName } from '../../../../src/manifests/values/object-name';
import { exampleCluster, Manifest } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

const NETWORK = NetworkIsolation.none();
const quota = { 'services.loadbalancers': 'unlimited', 'services.nodeports': 'unlimited' };
const PUBLISHING = kubevirtContext({ infrastructure: { clusterKind: 'KubevirtCluster', inManagementCluster: true, servicePublisher: 'cloud-controller-manager' } });

/** Objects of an isolation without network policies, by kind; the conformance suite asks a real server about it. */
function objectsOf(services?: ServiceIsolation, context = PUBLISHING): { [kind: string]: Manifest } {
  const chart = new Chart(Testing.app(), 'acme', { namespace: context.namespace });
  new TenantIsolation({ network: NETWORK, services, quota }).bind(strategyScope(chart, 'Isolation'), context);
  return Object.fromEntries((chart.toJson() as Manifest[]).map((manifest) => [manifest.kind, manifest]));
}

/** A cluster whose controller writes EndpointSlices, too. */
function publishingEndpoints(publishedEndpointCidrs: string[], management = MANAGEMENT): ClusterContext {
  return kubevirtContext({ infrastructure: { ...PUBLISHING.infrastructure, publishedEndpointCidrs }, management });
}

const environment = celEnvironment();
for (const name of ['object', 'oldObject', 'variables']) environment.registerVariable(name, 'dyn');

function celValue(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(celValue);
  return typeof value === 'object' && value !== null ? celMap(Object.entries(value).map(([key, field]) => [key, celValue(field)])) : value;
}

/** The messages of a policy about an object. */
function refusals({ spec }: Manifest, object: unknown, oldObject: unknown = null): string[] {
  const seen = { object: celValue(object), oldObject: celValue(oldObject) };
  const variables = celMap(spec.variables.map(({ name, expression }: Manifest) => [name, environment.parse(expression)(seen)]));
  return spec.validations.filter(({ expression }: Manifest) => environment.parse(expression)({ ...seen, variables }) !== true)
    .map(({ message }: Manifest) => message);
}

function policy(options?: ServiceIsolationOptions): Manifest {
  return objectsOf(options && ServiceIsolation.admissionPolicy(options)).ValidatingAdmissionPolicy;
}

function expressions(options?: ServiceIsolationOptions): string[] {
  const { validations, variables } = policy(options).spec;
  return [...validations, ...variables].map(({ expression }) => expression);
}

test('a policy is made for what the cloud controller manager of the tenant writes', () => {
  const objects = objectsOf();

  expect(Object.keys(objects)).toEqual(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
  expect(Object.values(objects).map(({ metadata }) => metadata)).toEqual(Array(2).fill({ name: 'tenant-acme.acme.published-services' }));
  expect(policy().spec).toMatchObject({
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [{ apiGroups: [''], resources: ['services'], operations: ['CREATE', 'UPDATE'] }] },
    matchConditions: [{ expression: 'request.userInfo.username == "system:serviceaccount:tenant-acme:acme-cloud-controller-manager"' }],
  });
  expect(objects.ValidatingAdmissionPolicyBinding.spec).toEqual({
    policyName: 'tenant-acme.acme.published-services', validationActions: ['Deny'],
  });
});

test('annotations that are not allowed are dropped on request, before they would be refused', () => {
  const objects = objectsOf(ServiceIsolation.admissionPolicy({ dropAnnotations: true, annotations: ['example.com/pool'] }));
  const { ValidatingAdmissionPolicy: refusing, MutatingAdmissionPolicy: dropping, MutatingAdmissionPolicyBinding: binding } = objects;

  expect(Object.keys(objects)).toHaveLength(4);
  expect(dropping.spec).toMatchObject({
    failurePolicy: 'Fail',
    matchConstraints: refusing.spec.matchConstraints,
    matchConditions: refusing.spec.matchConditions,
    variables: refusing.spec.variables,
    reinvocationPolicy: 'Never',
  });
  expect(dropping.spec.mutations).toEqual([{ patchType: 'JSONPatch', jsonPatch: { expression: expect.stringContaining('op: "remove"') } }]);
  expect(binding.spec).toEqual({ policyName: 'tenant-acme.acme.published-services' });
});

describe('the tracking id of Argo CD', () => {
  const LONG = 'a-namespace-with-a-name-of-thirty-six-x';
  const longContext = { ...PUBLISHING, namespace: LONG, name: 'and-a-cluster-with-a-long-name' };
  const refused = (id: string, context = PUBLISHING, options?: ServiceIsolationOptions): boolean => {
    const services = ServiceIsolation.admissionPolicy(options);
    const tracked = { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': id } }, spec: { type: 'LoadBalancer' } };
    return refusals(objectsOf(services, context).ValidatingAdmissionPolicy, tracked).length > 0;
  };

  test.each<[what: string, id: string]>([
    ['an Application that delivers into the tenant', 'tenant-acme-acme-traefik:/Service:traefik/traefik'],
    ['such an Application outside the namespace of Argo CD', 'apps_tenant-acme-acme-traefik:/Service:traefik/traefik'],
  ])('may name %s', (_, id) => {
    expect(refused(id)).toBe(false);
  });

  test.each<[what: string, id: string]>([
    ['an Application of the platform', 'cert-manager:/Service:x/y'],
    ['the Application that applies the objects of this cluster', 'tenant-acme-acme:/Service:tenant-acme/a0'],
    ['an Application of another tenant', 'tenant-blue-blue-traefik:/Service:traefik/traefik'],
    ['an Application whose namespace only looks like its name', 'blue:tenant-acme-acme-traefik:/Service'],
    ['nothing', 'tenant-acme-acme-traefik'],
  ])('must not name %s', (_, id) => {
    expect(refused(id)).toBe(true);
    expect(refused(id, PUBLISHING, { annotations: ['argocd.argoproj.io/tracking-id'] })).toBe(false);
  });

  test('may name an Application whose name is shortened', () => {
    const application = joinName(longContext.namespace, longContext.name, 'traefik');

    expect(application).not.toContain('traefik');
    expect(refused(`${application}:/Service:traefik/traefik`, longContext)).toBe(false);
    expect(refused(`${LONG.slice(0, 30)}:/Service:traefik/traefik`, longContext)).toBe(true);
  });
});

test('annotations and addresses are allowed on request', () => {
  const [, , address, , , , annotations] = expressions({ annotations: ['example.com/pool'], loadBalancerIps: ['192.0.2.7', '198.51.100.0/24'] });

  expect(annotations).toContain('key in ["example.com/pool", "kubectl.kubernetes.io/last-applied-configuration", ');
  expect(address).toContain(' || object.spec.loadBalancerIP in ["192.0.2.7"] || (isIP(object.spec.loadBalancerIP) && cidr("198.51.100.0/24").containsIP(object.spec.loadBalancerIP))');
  expect(expressions().join()).not.toMatch(/isIP|spec\.loadBalancerIP in/);
});

test.each<[what: string, options: ServiceIsolationOptions, property: string, text: string]>([
  ['no key', { annotations: ['example.com/pool', 'a b'] }, 'isolation.services.annotations[1]', '"a b"'],
  ['a pattern in place of a key', { annotations: ['metallb.io/*'] }, 'isolation.services.annotations[0]', '"metallb.io/*"'],
  ['no address', { loadBalancerIps: ['192.0.2.300'] }, 'isolation.services.loadBalancerIps[0]', '"192.0.2.300"'],
  ['no number of ports', { maximumPorts: 0 }, 'isolation.services.maximumPorts', '0 is not'],
  ['ports without end', { maximumPorts: 1001 }, 'isolation.services.maximumPorts', 'from 1 to 1000'],
  ['host bits', { loadBalancerIps: ['192.0.2.7/24'] }, 'isolation.services.loadBalancerIps[0]', '"192.0.2.0/24"'],
])('TC-ISOLATION-SERVICES: %s', (_, options, property, text) => {
  const found = problems({ network: NETWORK, services: ServiceIsolation.admissionPolicy(options) }, PUBLISHING);

  expect(found.map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-ISOLATION-SERVICES']]);
  expect(found[0].text).toContain(`${property}: `);
  expect(found[0].text).toContain(text);
});

describe('Services', () => {
  const service = (spec: Manifest, annotations?: Manifest): Manifest => ({ metadata: { name: 'a0', ...(annotations && { annotations }) }, spec: { type: 'LoadBalancer', ...spec } });
  const ports = (count: number): Manifest[] => Array.from({ length: count }, (_, index) => ({ port: index + 1, nodePort: 30100 + index }));
  const MANY = 'a Service of a tenant must not have more than 16 ports';
  const HEALTH = 'a Service of a tenant must not set healthCheckNodePort to a port from 30000 to 30085';

  test.each<[what: string, refused: string[], object: Manifest, old?: Manifest]>([
    ['nothing special', [], service({ ports: ports(2), healthCheckNodePort: 31999, externalTrafficPolicy: 'Local' })],
    ['as many ports as allowed', [], service({ ports: ports(16) })],
    ['all node ports', [MANY], service({ ports: ports(2600) })],
    ['one more port than before', [MANY], service({ ports: ports(21) }), service({ ports: ports(20) })],
    ['more ports than allowed, from before', [], service({ ports: ports(20) }), service({ ports: ports(20) })],
    ['fewer ports than before', [], service({ ports: ports(17) }), service({ ports: ports(20) })],
    ['a port that is kept for Services with fixed ones', [HEALTH], service({ ports: ports(1), healthCheckNodePort: 30000 })],
    ['another such port', [HEALTH], service({ ports: ports(1), healthCheckNodePort: 30085 }), service({ ports: ports(1), healthCheckNodePort: 30084 })],
    ['such a port from before', [], service({ ports: ports(1), healthCheckNodePort: 30085 }), service({ ports: ports(3), healthCheckNodePort: 30085 })],
    ['external addresses', ['a Service of a tenant must not set externalIPs'], service({ ports: ports(1), externalIPs: ['192.0.2.1'] })],
    ['external addresses of others', [], service({ ports: ports(1), externalIPs: ['192.0.2.1'] }), service({ externalIPs: ['192.0.2.1', '192.0.2.2'] })],
    ['an annotation', ['a Service of a tenant must not set annotations that are not allowed'], service({ ports: ports(1) }, { 'metallb.io/loadBalancerIPs': '192.0.2.1' })],
    ['an annotation of others', [], service({}, { 'example.com/pool': 'a' }), service({}, { 'example.com/pool': 'a' })],
    ['another type', ['a Service of a tenant must be of type LoadBalancer'], { metadata: {}, spec: { type: 'NodePort' } }],
  ])('with %s', (_, refused, object, ...[old]) => {
    expect(refusals(policy(), object, old)).toEqual(refused);
  });

  test('may have more ports on request', () => {
    expect(refusals(policy({ maximumPorts: 100 }), service({ ports: ports(100) }))).toEqual([]);
    expect(refusals(policy({ maximumPorts: 1 }), service({ ports: ports(2) }))).toEqual(['a Service of a tenant must not have more than 1 ports']);
  });
});

describe('EndpointSlices', () => {
  const NAME = 'a0123456789abcdef0123456789abcde';
  const LABELS = { 'kubernetes.io/service-name': NAME, 'cluster.x-k8s.io/cluster-name': 'acme' };
  const slice = (addresses: string[], labels: Manifest = LABELS): Manifest => (
    { metadata: { labels }, endpoints: addresses.map((address) => ({ addresses: [address] })) }
  );
  const SERVICE = 'an EndpointSlice of a tenant must belong to a Service that is published for it';
  const ADDRESS = 'an EndpointSlice of a tenant must have addresses of its machines only, in 10.42.0.0/16';
  const endpointPolicy = (context = publishingEndpoints([])): Manifest => {
    const chart = new Chart(Testing.app(), 'acme', { namespace: context.namespace });
    return new TenantIsolation({ network: NETWORK }).bind(strategyScope(chart, 'Isolation'), context).endpointPolicy!.toJson();
  };

  test('are limited where a controller writes them, by a policy of their own', () => {
    const kinds = (context: ClusterContext, services?: ServiceIsolation): string[] => {
      const chart = new Chart(Testing.app(), 'acme', { namespace: context.namespace });
      new TenantIsolation({ network: NETWORK, services, quota }).bind(strategyScope(chart, 'Isolation'), context);
      return (chart.toJson() as Manifest[]).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    };

    expect(kinds(publishingEndpoints([]))).toEqual(['services', 'endpoints'].flatMap((what) => (
      ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'].map((kind) => `${kind} tenant-acme.acme.published-${what}`)
    )));
    expect(kinds(PUBLISHING)).toHaveLength(2);
    expect(kinds(publishingEndpoints([]), ServiceIsolation.none())).toEqual([]);
    expect(endpointPolicy().spec).toMatchObject({
      matchConstraints: { resourceRules: [{ apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], operations: ['CREATE', 'UPDATE'] }] },
      matchConditions: [{ expression: 'request.userInfo.username == "system:serviceaccount:tenant-acme:acme-cloud-controller-manager"' }],
    });
  });

  test.each<[what: string, refused: string[], object: Manifest, old?: Manifest]>([
    ['machines', [], slice(['10.42.1.7', '10.42.9.9'])],
    ['no endpoints', [], { metadata: { labels: LABELS } }],
    ['no endpoints, as the API server has them', [], { metadata: { labels: LABELS }, endpoints: null }, { metadata: { labels: LABELS }, endpoints: null }],
    ['endpoints where none were', [ADDRESS], slice(['8.8.8.8']), { metadata: { labels: LABELS }, endpoints: null }],
    ['a node', [ADDRESS], slice(['10.42.1.7', '192.168.7.10'])],
    ['a Service', [ADDRESS], slice(['10.43.0.1'])],
    ['the Internet', [ADDRESS], slice(['8.8.8.8'])],
    ['another family', [ADDRESS], slice(['fd00:42::1'])],
    ['a name', [ADDRESS], slice(['api.example.com'])],
    ['an address from before', [], slice(['192.168.7.10', '10.42.1.7']), slice(['192.168.7.10'])],
    ['another address than before', [ADDRESS], slice(['192.168.7.11']), slice(['192.168.7.10'])],
    ['a Service of the control plane', [SERVICE], slice(['10.42.1.7'], { ...LABELS, 'kubernetes.io/service-name': 'acme' })],
    ['no Service', [SERVICE], slice(['10.42.1.7'], { 'cluster.x-k8s.io/cluster-name': 'acme' })],
    ['another cluster', [SERVICE], slice(['10.42.1.7'], { ...LABELS, 'cluster.x-k8s.io/cluster-name': 'blue' })],
    ['no labels', [SERVICE], { metadata: {}, endpoints: [] }],
  ])('of %s', (_, refused, object, ...[old]) => {
    expect(refusals(endpointPolicy(), object, old)).toEqual(refused);
  });

  test('may have addresses of a network that is stated', () => {
    const stated = endpointPolicy(publishingEndpoints(['192.0.2.0/24', 'fd00:9::/64']));

    expect(refusals(stated, slice(['192.0.2.7', 'fd00:9::7']))).toEqual([]);
    expect(refusals(stated, slice(['10.42.1.7']))).toHaveLength(1);
  });

  test('TC-ISOLATION-ENDPOINTS-UNKNOWN: ranges of machines that nobody states', () => {
    const found = problems({ network: NETWORK }, publishingEndpoints([], { ...MANAGEMENT, podCidrs: undefined }));

    expect(found.map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-ISOLATION-ENDPOINTS-UNKNOWN']]);
    expect(found[0].text).toContain('isolation.services: load balancers of the tenant lead to addresses of machines');
    expect(problems({ network: NETWORK, services: ServiceIsolation.none() }, publishingEndpoints([], {}))).toEqual([]);
    expect(problems({ network: NETWORK }, publishingEndpoints(['192.0.2.0/24'], {}))).toEqual([]);
  });

  test.each<[what: string, loadBalancers: KubevirtLoadBalancers | undefined, cidrs: string[] | undefined]>([
    ['all nodes', undefined, undefined],
    ['local traffic', KubevirtLoadBalancers.localTraffic(), []],
    ['local traffic on a network of its own', KubevirtLoadBalancers.localTraffic({ machineCidrs: ['192.0.2.0/24'] }), ['192.0.2.0/24']],
  ])('KubeVirt with %s', (_, loadBalancers, cidrs) => {
    const infrastructure = new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers }) });

    expect(infrastructure.capabilities.publishedEndpointCidrs).toEqual(cidrs);
  });
});

describe('machines in another cluster', () => {
  const elsewhere = (loadBalancers?: KubevirtLoadBalancers): ClusterContext => kubevirtContext({
    infrastructure: new KubevirtInfrastructure({
      infraClusterSecretRef: { name: 'edge' }, cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers }),
    }).capabilities,
  });
  const EXTERNAL = InfraClusterIsolation.external('platform/edge');

  test('TC-ISOLATION-INFRA-CLUSTER: nothing is stated of what keeps the tenant apart there', () => {
    for (const context of [elsewhere(), elsewhere(KubevirtLoadBalancers.none()), elsewhere(KubevirtLoadBalancers.localTraffic())]) {
      const found = problems({}, context);

      expect(found.map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-ISOLATION-INFRA-CLUSTER']]);
      expect(found[0].text).toContain('isolation.infraCluster: another cluster runs the machines, and nothing of this isolation is there');
      expect(found[0].text).toContain('InfraClusterIsolation.external(');
    }
  });

  test('TC-ISOLATION-INFRA-CLUSTER: no reason', () => {
    expect(problems({ infraCluster: InfraClusterIsolation.external(' ') }, elsewhere()).map(({ id, text }) => `${id} ${text}`)).toEqual([
      expect.stringMatching(/^TC-ISOLATION-INFRA-CLUSTER isolation\.infraCluster: the reason is empty/),
    ]);
  });

  test('TC-ISOLATION-INFRA-CLUSTER: no other cluster', () => {
    expect(problems({ network: NETWORK, infraCluster: EXTERNAL }, kubevirtContext()).map(({ id, text }) => `${id} ${text}`)).toEqual([
      expect.stringMatching(/^TC-ISOLATION-INFRA-CLUSTER isolation\.infraCluster: no other cluster than the management cluster runs the machines.*remove infraCluster/),
    ]);
  });

  test('are kept apart by other means, and get nothing in the management cluster', () => {
    const context = elsewhere(KubevirtLoadBalancers.localTraffic());
    const chart = new Chart(Testing.app(), 'acme', { namespace: context.namespace });
    new TenantIsolation({ network: NETWORK, infraCluster: EXTERNAL }).bind(strategyScope(chart, 'Isolation'), context);

    expect(chart.toJson()).toEqual([]);
    expect(problems({ infraCluster: EXTERNAL }, context)).toEqual([]);
  });
});

test('none is made on request, and none where no Service is published in the management cluster', () => {
  expect(objectsOf(ServiceIsolation.none())).toEqual({});
  expect(objectsOf(undefined, kubevirtContext())).toEqual({});
});

test.each<[what: string, props: KubevirtInfrastructureProps, publisher: string | undefined]>([
  ['the management cluster', {}, 'cloud-controller-manager'],
  ['another cluster', { infraClusterSecretRef: { name: 'edge' } }, 'cloud-controller-manager'],
  ['no load balancers', { cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }) }, undefined],
  ['no cloud controller manager', { cloudControllerManager: KubevirtCloudControllerManager.none() }, undefined],
])('KubeVirt with %s', (_, props, publisher) => {
  expect(new KubevirtInfrastructure(props).capabilities.servicePublisher).toBe(publisher);
});

describe('TC-ISOLATION-SERVICES-OPEN', () => {
  function warnings(infrastructure: KubevirtInfrastructure, isolation?: TenantIsolation): string[] {
    const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
    try {
      const app = Testing.app();
      for (const name of ['acme', 'blue']) exampleCluster(app, { infrastructure, isolation, namespace: `tenant-${name}` }, name);
      problemsOf(app);
      return warn.mock.calls.map(([text]) => text as string).filter((text) => text.includes('TC-ISOLATION-SERVICES-OPEN'));
    } finally {
      warn.mockRestore();
    }
  }

  test('warns once of an infrastructure whose tenants have no isolation', () => {
    expect(warnings(new KubevirtInfrastructure())).toEqual([
      expect.stringMatching(/^\[acme\] TC-ISOLATION-SERVICES-OPEN isolation: Services of type LoadBalancer .*externalIPs.*Fix: write isolation: new TenantIsolation\(\)/),
    ]);
  });

  test('warns of another cluster that runs the machines', () => {
    expect(warnings(new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'edge' } }))).toEqual([
      expect.stringMatching(/into the cluster that runs the machines, .*Fix: write isolation: new TenantIsolation\(\{ infraCluster: InfraClusterIsolation\.external/),
    ]);
  });

  test('does not warn with an isolation, or where no Service is published', () => {
    expect(warnings(new KubevirtInfrastructure(), new TenantIsolation({ network: NETWORK }))).toEqual([]);
    expect(warnings(new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.none() }))).toEqual([]);
  });
});
