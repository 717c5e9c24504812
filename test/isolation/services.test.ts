import { Chart, Testing } from 'cdk8s';
import { kubevirtContext, problems } from './bound';
import { NetworkIsolation } from '../../src/isolation/network-isolation';
import { ServiceIsolation, ServiceIsolationOptions } from '../../src/isolation/service-isolation';
import { TenantIsolation } from '../../src/isolation/tenant-isolation';
import { KubevirtCloudControllerManager } from '../../src/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtLoadBalancers } from '../../src/kubevirt/cloud-controller-manager/kubevirt-load-balancers';
import { KubevirtInfrastructure, KubevirtInfrastructureProps } from '../../src/kubevirt/kubevirt-infrastructure';
import { WARNINGS } from '../../src/problems/warnings';
import { strategyScope } from '../../src/synth/strategy-scope';
import { exampleCluster, Manifest } from '../support/clusters';
import { problemsOf } from '../support/problems';

const NETWORK = NetworkIsolation.none();
const PUBLISHING = kubevirtContext({ infrastructure: { clusterKind: 'KubevirtCluster', inManagementCluster: true, servicePublisher: 'cloud-controller-manager' } });

/** What an isolation without network policies writes, by kind; the conformance suite asks a real server about it. */
function objectsOf(services?: ServiceIsolation, context = PUBLISHING): { [kind: string]: Manifest } {
  const chart = new Chart(Testing.app(), 'acme', { namespace: context.namespace });
  new TenantIsolation({ network: NETWORK, services }).bind(strategyScope(chart, 'Isolation'), context);
  return Object.fromEntries((chart.toJson() as Manifest[]).map((manifest) => [manifest.kind, manifest]));
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

test('annotations and addresses are allowed on request', () => {
  const [, , address, , annotations] = expressions({ annotations: ['example.com/pool'], loadBalancerIps: ['192.0.2.7', '198.51.100.0/24'] });

  expect(annotations).toContain('key in ["argocd.argoproj.io/tracking-id", "example.com/pool", "kubectl.kubernetes.io/last-applied-configuration", ');
  expect(address).toContain(' || object.spec.loadBalancerIP in ["192.0.2.7"] || (isIP(object.spec.loadBalancerIP) && cidr("198.51.100.0/24").containsIP(object.spec.loadBalancerIP))');
  expect(expressions().join()).not.toMatch(/isIP|spec\.loadBalancerIP in/);
});

test.each<[what: string, options: ServiceIsolationOptions, property: string, text: string]>([
  ['no key', { annotations: ['example.com/pool', 'a b'] }, 'isolation.services.annotations[1]', '"a b"'],
  ['a pattern in place of a key', { annotations: ['metallb.io/*'] }, 'isolation.services.annotations[0]', '"metallb.io/*"'],
  ['no address', { loadBalancerIps: ['192.0.2.300'] }, 'isolation.services.loadBalancerIps[0]', '"192.0.2.300"'],
  ['host bits', { loadBalancerIps: ['192.0.2.7/24'] }, 'isolation.services.loadBalancerIps[0]', '"192.0.2.0/24"'],
])('TC-ISOLATION-SERVICES: %s', (_, options, property, text) => {
  const found = problems({ network: NETWORK, services: ServiceIsolation.admissionPolicy(options) }, PUBLISHING);

  expect(found.map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-ISOLATION-SERVICES']]);
  expect(found[0].text).toContain(`${property}: `);
  expect(found[0].text).toContain(text);
});

test('none is made on request, and none where no Service is published in the management cluster', () => {
  expect(objectsOf(ServiceIsolation.none())).toEqual({});
  expect(objectsOf(undefined, kubevirtContext())).toEqual({});
});

test.each<[what: string, props: KubevirtInfrastructureProps, publisher: string | undefined]>([
  ['the management cluster', {}, 'cloud-controller-manager'],
  ['another cluster', { infraClusterSecretRef: { name: 'edge' } }, undefined],
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

  test('does not warn with an isolation, or where no Service is published', () => {
    expect(warnings(new KubevirtInfrastructure(), new TenantIsolation({ network: NETWORK }))).toEqual([]);
    expect(warnings(new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.none() }))).toEqual([]);
  });
});
