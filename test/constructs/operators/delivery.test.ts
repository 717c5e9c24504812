import { App, Chart, Testing } from 'cdk8s';
import { operatorErrors } from './built-in';
import { foo } from './definitions';
import { LEAST } from './operators';
import { ManifestAddon } from '../../../src/constructs/addons/manifest-addon';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { ClusterResourceSetDelivery } from '../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { Operator } from '../../../src/constructs/operators/controller/operator';
import { MetricsCertificate } from '../../../src/constructs/operators/controller/operator-certificate';
import { Permission } from '../../../src/constructs/operators/controller/permission';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { SchemaValidator } from '../../manifests/schema/validate';
import { exampleCluster, Manifest } from '../../support/clusters';
import { parse, synthesize } from '../../support/outputs';
import { problemsOf } from '../../support/problems';

const FOO = foo();

/** The type and its controller. */
class FooController extends ManifestAddon {
  public constructor() {
    super('foo-controller', { requires: [] });
  }

  protected define(tenant: Chart): void {
    const type = new CustomResourceType(tenant, 'foo', FOO);
    new Operator(tenant, 'foo-operator', {
      ...LEAST,
      namespace: 'foo-system',
      createNamespace: true,
      watchAllNamespaces: true,
      permissions: [Permission.watches(type.resourceType), Permission.updatesStatus(type.resourceType)],
    });
  }
}

/** Objects of the type, after it. */
class Foos extends ManifestAddon {
  public constructor(controller: FooController, private readonly replicas = 2) {
    super('foos', { requires: [], after: [controller] });
  }

  protected define(tenant: Chart, { name }: ClusterContext): void {
    CustomResourceType.instanceOf(tenant, 'first', FOO, { metadata: { namespace: 'default' }, spec: { deploymentName: name, replicas: this.replicas } });
  }
}

const controller = new FooController();
const INSTALLED = ['CustomResourceDefinition', 'Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Deployment'];
const INSTANCE = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'first', namespace: 'default' }, spec: { deploymentName: 'acme', replicas: 2 } };

function kinds(objects: readonly Manifest[]): string[] {
  return objects.map(({ kind }) => kind);
}

test('Flux applies the objects of a type after its definition and controller are there', () => {
  const { management, tenants } = synthesize((app) => {
    const cluster = exampleCluster(app, { delivery: new FluxDelivery({ manifestSource: { name: 'fleet' } }) });
    cluster.addAddon(new Foos(controller));
    cluster.addAddon(controller);
  });
  const files = Object.fromEntries(Object.entries(tenants).map(([file, text]) => [file.split('/')[4], parse(text)]));
  const kustomizations = parse(management).filter(({ kind }) => kind === 'Kustomization');

  expect(kinds(files['foo-controller']).sort()).toEqual([...INSTALLED].sort());
  expect(files['foo-controller'].flatMap(operatorErrors)).toEqual([]);
  expect(files.foos).toEqual([INSTANCE]);
  expect(kustomizations.find(({ metadata }) => metadata.name === 'acme-foos').spec.dependsOn).toEqual([{ name: 'acme-foo-controller' }]);
});

test('a ClusterResourceSet carries the definition before the controller, and the objects apart', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app, { delivery: new ClusterResourceSetDelivery() });
  cluster.addAddon(controller);
  cluster.addAddon(new Foos(controller));
  const objects = parse(app.synthYaml());
  const carried = (name: string) => parse(objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data['manifests.yaml']);

  expect(kinds(carried('acme-foo-controller.1')).slice(0, 2)).toEqual(['Namespace', 'CustomResourceDefinition']);
  expect(kinds(carried('acme-foo-controller.1')).sort()).toEqual([...INSTALLED].sort());
  expect(carried('acme-foos.1')).toEqual([INSTANCE]);
});

/** The type and its controller, with all that people, Prometheus and the network want to know of them. */
class GuardedController extends ManifestAddon {
  public constructor() {
    super('foo-controller', { requires: [] });
  }

  protected define(tenant: Chart): void {
    const type = new CustomResourceType(tenant, 'foo', foo({ userRoles: { aggregate: true } }));
    new Operator(tenant, 'foo-operator', {
      ...LEAST,
      namespace: 'foo-system',
      permissions: [Permission.reconciles(type.resourceType)],
      replicas: 2,
      leaderElection: {},
      metrics: { certificate: MetricsCertificate.secret('metrics'), serviceMonitor: {} },
      networkPolicy: {},
    });
  }
}

test('what guards a controller is delivered with it, as a tenant takes it', () => {
  const validator = SchemaValidator.load();
  const { tenants } = synthesize((app) => {
    exampleCluster(app, { delivery: new FluxDelivery({ manifestSource: { name: 'fleet' } }) }).addAddon(new GuardedController());
  });
  const objects = Object.entries(tenants).filter(([file]) => file.includes('foo-controller')).flatMap(([, text]) => parse(text));

  expect(kinds(objects)).toEqual(expect.arrayContaining(['NetworkPolicy', 'ServiceMonitor']));
  expect(objects.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['foo-admin-role', 'foo-viewer-role']));
  expect(objects.flatMap((object) => [...operatorErrors(object), ...validator.validate(object)])).toEqual([]);
});

test('what is wrong in an addon is reported under its cluster', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app, { delivery: new ClusterResourceSetDelivery() });
  cluster.addAddon(controller);
  cluster.addAddon(new Foos(controller, 11));

  expect(problemsOf(app)).toMatchObject([{ path: 'acme', id: 'TC-CRD-INSTANCE', text: expect.stringContaining('spec.replicas: 11 is too large') }]);
});

test('the user\'s own chart takes them too', () => {
  const app: App = Testing.app();
  const cluster = exampleCluster(app, { delivery: new ClusterResourceSetDelivery() });
  const type = new CustomResourceType(cluster.workloads, 'foo', FOO);
  new Operator(cluster.workloads, 'foo-operator', { ...LEAST, namespace: 'foo-system' });
  type.instance(cluster.workloads, 'first', { metadata: { namespace: 'default' }, spec: { deploymentName: 'a' } });

  expect(problemsOf(app)).toEqual([]);
});
