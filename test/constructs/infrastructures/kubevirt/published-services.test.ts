import * as fs from 'node:fs';
import { ApiObject, ApiObjectProps } from 'cdk8s';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { GitOpsApp } from '../../../../src/constructs/repository/gitops-app';
import { ServiceIsolation, ServiceIsolationOptions } from '../../../../src/constructs/tenant/isolation/service-isolation';
import { TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { Workplace } from '../../../cli/run';
import { addCluster, ENTRY_POINTS } from '../../../support/many-clusters';
import { problemsOf } from '../../../support/problems';
import { MANAGEMENT } from '../../tenant/isolation/bound';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

const SERVICE = { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 443 }] };
const HOSTNAME = { 'external-dns.alpha.kubernetes.io/hostname': 'shop.example.com' };

interface Published {
  readonly metadata?: object;
  readonly spec?: object;
  readonly loadBalancers?: KubevirtLoadBalancers;
  readonly services?: ServiceIsolationOptions;
  readonly others?: readonly ApiObjectProps[];
}

/** An app with a Service in a tenant, which its cloud controller manager publishes. */
function appWith({ metadata, spec, loadBalancers, services, others = [] }: Published): GitOpsApp {
  const app = new GitOpsApp({ outdir: workplace.path('dist'), quiet: true, entryPoints: ENTRY_POINTS.flux });
  const tenant = addCluster(app, 'acme', {
    infrastructure: new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers }) }),
    managementCluster: new ImportedManagementCluster(MANAGEMENT),
    isolation: new TenantIsolation({ services: ServiceIsolation.admissionPolicy(services) }),
  });
  new ApiObject(tenant.workloads, 'web', {
    apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop', ...metadata }, spec: { ...SERVICE, ...spec },
  });
  others.forEach((object, index) => new ApiObject(tenant.workloads, `other-${index}`, object));
  return app;
}

test.each<[string, Published, string[]]>([
  ['nothing of these', {}, []],
  ['limits of sources', { spec: { loadBalancerSourceRanges: ['203.0.113.0/24'] } }, ['TC-TRAP-KUBEVIRT-SOURCE-RANGES']],
  ['limits of sources for another controller', { spec: { loadBalancerSourceRanges: ['203.0.113.0/24'], loadBalancerClass: 'example.com/lb' } }, []],
  ['limits of sources where nothing is published', { spec: { loadBalancerSourceRanges: ['203.0.113.0/24'] }, loadBalancers: KubevirtLoadBalancers.none() }, []],
  ['an annotation', { metadata: { annotations: HOSTNAME } }, ['TC-TRAP-KUBEVIRT-SERVICE-REFUSED']],
  ['an annotation that is allowed', { metadata: { annotations: HOSTNAME }, services: { annotations: Object.keys(HOSTNAME) } }, []],
  ['an annotation that is dropped', { metadata: { annotations: HOSTNAME }, services: { dropAnnotations: true } }, []],
  ['addresses', { spec: { externalIPs: ['192.0.2.7'] } }, ['TC-TRAP-KUBEVIRT-SERVICE-REFUSED']],
])('a Service of a tenant with %s', (_, published, rules) => {
  expect(problemsOf(appWith(published)).map(({ id }) => id)).toEqual(rules);
});

test.each<[string, KubevirtLoadBalancers, object, string[]]>([
  ['with a node', KubevirtLoadBalancers.localTraffic(), { nodeName: 'acme-general-0' }, []],
  ['without a node', KubevirtLoadBalancers.localTraffic(), {}, ['TC-TRAP-KUBEVIRT-LOCAL-ENDPOINTS']],
  ['without a node, for another publication', KubevirtLoadBalancers.allNodes(), {}, []],
])('local endpoints %s', (_, loadBalancers, node, rules) => {
  const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'web', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } } };
  const written = { ...slice, addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.10'], ...node }] };
  const mirrored = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [{ addresses: [{ ip: '192.0.2.10', ...node }] }] };
  for (const endpoints of [written, mirrored]) {
    const app = appWith({ loadBalancers, spec: { externalTrafficPolicy: 'Local' }, others: [endpoints] });
    expect(problemsOf(app).map(({ id }) => id)).toEqual(rules);
  }
});

test('manifests of a tenant are judged by the cloud controller manager in the management cluster', async () => {
  appWith({}).synth();
  const file = fs.readdirSync(workplace.path('dist'), { recursive: true, encoding: 'utf8' }).map((name) => `dist/${name}`)
    .find((name) => name.endsWith('.yaml') && workplace.read(name).includes('kind: Service\nmetadata:\n  name: web'))!;
  workplace.write({ [file]: workplace.read(file).replace('spec:\n', 'spec:\n  loadBalancerSourceRanges: [203.0.113.0/24]\n') });

  const { out } = await workplace.run(['validate', '--format', 'json', 'dist']);

  expect((JSON.parse(out) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule)).toEqual(['TC-TRAP-KUBEVIRT-SOURCE-RANGES']);
});
