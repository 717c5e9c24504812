import { operatorErrors } from './built-in';
import { only } from './operators';
import { structuralErrors } from '../../manifests/schema/structural';
import { JsonObject } from '../../manifests/schema/structural-schema';
import { Manifest } from '../../support/clusters';
import { runExample } from '../../support/examples';
import { parse } from '../../support/outputs';

const FILES = runExample('sample-controller');
const CONTROLLER = parse(FILES['controller.k8s.yaml']);
const FOOS = parse(FILES['foos.k8s.yaml']);

test('the example is the definition and the controller in one file, and one Foo in another', () => {
  expect(Object.keys(FILES)).toEqual(['controller.k8s.yaml', 'foos.k8s.yaml']);
  expect(CONTROLLER.map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Deployment']);
  expect(CONTROLLER.flatMap(operatorErrors)).toEqual([]);
});

test('the definition is that of kubernetes/sample-controller with the status subresource, and asks for the name that the controller needs', () => {
  const { metadata, spec } = only(CONTROLLER, 'CustomResourceDefinition');

  expect(metadata.name).toBe('foos.samplecontroller.k8s.io');
  expect(metadata.annotations['api-approved.kubernetes.io']).toMatch(/^unapproved/);
  expect(spec).toMatchObject({ group: 'samplecontroller.k8s.io', names: { kind: 'Foo', plural: 'foos' }, scope: 'Namespaced' });
  expect(spec.versions).toEqual([{
    name: 'v1alpha1',
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { deploymentName: { type: 'string', minLength: 1 }, replicas: { type: 'integer', minimum: 1, maximum: 10 } },
            required: ['deploymentName'],
          },
          status: { type: 'object', properties: { availableReplicas: { type: 'integer' } } },
        },
      },
    },
    subresources: { status: {} },
  }]);
});

test('the controller has exactly the rights that its program uses, and may record events by either API', () => {
  expect(only(CONTROLLER, 'ClusterRole').rules).toEqual([
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'get', 'list', 'update', 'watch'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['samplecontroller.k8s.io'], resources: ['foos'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['samplecontroller.k8s.io'], resources: ['foos/finalizers', 'foos/status'], verbs: ['update'] },
  ]);
});

test('one pod runs, without arguments, ports and probes, which the program does not have', () => {
  const { replicas, strategy, template } = only(CONTROLLER, 'Deployment').spec;
  const [container]: Manifest[] = template.spec.containers;

  expect({ replicas, strategy }).toEqual({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(Object.keys(container).sort()).toEqual(['image', 'imagePullPolicy', 'name', 'resources', 'securityContext']);
});

test('the Foo is one that the definition takes, with the most replicas, too', () => {
  const { schema } = only(CONTROLLER, 'CustomResourceDefinition').spec.versions[0];
  const errors = (spec: JsonObject) => structuralErrors({ ...FOOS[0], spec }, schema.openAPIV3Schema, { scope: 'Namespaced' });

  expect(FOOS).toEqual([{
    apiVersion: 'samplecontroller.k8s.io/v1alpha1', kind: 'Foo', metadata: { name: 'example-foo', namespace: 'default' }, spec: { deploymentName: 'example-foo', replicas: 1 },
  }]);
  expect(errors(FOOS[0].spec)).toEqual([]);
  expect(errors({ deploymentName: 'my-foo', replicas: 10 })).toEqual([]);
  expect(errors({ deploymentName: 'my-foo', replicas: 11 })).toHaveLength(1);
  expect(errors({ deploymentName: 'my-foo', replicas: 0 })).toHaveLength(1);
  expect(errors({ deploymentName: '', replicas: 1 })).toHaveLength(1);
  expect(errors({ replicas: 1 })).toHaveLength(1);
});
