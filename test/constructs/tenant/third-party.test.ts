import { ApiObject, ApiObjectMetadata, JsonPatch, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { ControlPlaneConfig } from '../../../src/constructs/contracts/control-plane';
import { InfrastructureConfig } from '../../../src/constructs/contracts/infrastructure';
import { keepOnPrune } from '../../../src/manifests/objects/prune-annotations';
import { byKind, exampleCluster, problemsOfCluster } from '../../support/clusters';
import { ExampleControlPlane, ExampleInfrastructure } from '../../support/strategies';

/** An infrastructure that makes some object, of a plain class of cdk8s. */
class SomeInfrastructure extends ExampleInfrastructure {
  public constructor(private readonly object: ApiObjectMetadata & { readonly kind?: string }) {
    super();
  }

  public override bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { kind = 'ExampleCluster', name = context.name, namespace, annotations } = this.object;
    const resource = new ApiObject(scope, 'Resource', { apiVersion: 'infrastructure.example.com/v1', kind, metadata: { name, namespace, annotations } });
    return { resource };
  }
}

/** A control plane that makes an object of another name. */
class MisnamedControlPlane extends ExampleControlPlane {
  public override bind(scope: Construct, _context: ClusterContext): ControlPlaneConfig {
    const kind = { apiVersion: 'controlplane.example.com/v1', kind: 'ExampleControlPlane' };
    return { resource: new ApiObject(scope, 'Resource', { ...kind, metadata: { name: 'other' } }) };
  }
}

/** A control plane on machines, whose object names its template as it is called at that moment. */
class MachinesControlPlane extends ExampleControlPlane {
  public override bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
    const machineTemplate = new ApiObject(scope, 'Template', {
      apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleMachineTemplate', metadata: { name: 'machines' }, spec: { size: 4 },
    });
    const { kind, name } = machineTemplate;
    const resource = new ApiObject(scope, 'Resource', {
      apiVersion: 'controlplane.example.com/v1',
      kind: 'ExampleControlPlane',
      metadata: { name: context.name },
      spec: { infrastructureTemplate: { kind, name }, further: [{ kind, name }, { kind: 'Other', name }] },
    });
    return { resource, machines: { machineTemplate } };
  }
}

test('the template of a control plane\'s machines is named after its content, and the references to it follow', () => {
  const cluster = exampleCluster(Testing.app(), { controlPlane: new MachinesControlPlane() });
  cluster.controlPlaneMachines!.machineTemplate.addJsonPatch(JsonPatch.replace('/spec/size', 8));
  const { ExampleMachineTemplate: template, ExampleControlPlane: plane } = byKind(cluster);
  const { kind, metadata: { name, annotations } } = template;

  expect(name).toMatch(/^acme-control-plane-[0-9a-f]{8}$/);
  expect(name).toBe(cluster.controlPlaneMachines!.machineTemplate.name);
  expect(annotations).toEqual(keepOnPrune());
  expect(plane.spec).toEqual({ infrastructureTemplate: { kind, name }, further: [{ kind, name }, { kind: 'Other', name: 'machines' }] });
});

test('what a strategy makes is kept when it leaves the source', () => {
  const manifests = byKind(exampleCluster(Testing.app(), { infrastructure: new SomeInfrastructure({}) }));

  expect(manifests.ExampleControlPlane.metadata.annotations).toEqual(keepOnPrune());
  expect(manifests.ExampleCluster.metadata.annotations).toEqual(keepOnPrune());
});

test('marks of the strategy itself stay', () => {
  const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=false', 'example.com/a': 'b' };
  const { ExampleCluster } = byKind(exampleCluster(Testing.app(), { infrastructure: new SomeInfrastructure({ annotations }) }));

  expect(ExampleCluster.metadata.annotations).toEqual({ ...keepOnPrune(), ...annotations });
});

test.each([
  ['of another kind', { kind: 'OtherCluster' }, 'the OtherCluster "acme" in namespace "tenant-acme", and the cluster has the ExampleCluster "acme" in namespace "tenant-acme"'],
  ['of another name', { name: 'shared' }, 'the ExampleCluster "shared"'],
  ['in another namespace', { namespace: 'elsewhere' }, 'in namespace "elsewhere"'],
])('an infrastructure object %s is refused', (_what, object, text) => {
  expect(problemsOfCluster({ infrastructure: new SomeInfrastructure(object) })).toEqual([
    { path: 'acme', id: 'TC-CLUSTER-RESOURCE', text: expect.stringMatching(/^infrastructure: .* Fix: correct the objects that bind of the strategy makes/) },
  ]);
  expect(problemsOfCluster({ infrastructure: new SomeInfrastructure(object) })[0].text).toContain(text);
});

test('a control plane of another name is refused', () => {
  expect(problemsOfCluster({ controlPlane: new MisnamedControlPlane() })).toMatchObject([{ id: 'TC-CLUSTER-RESOURCE', text: expect.stringContaining('controlPlane: ') }]);
});
