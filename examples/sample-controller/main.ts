// Kubernetes' own example of a controller (github.com/kubernetes/sample-controller) as it would run in a cluster: a type `Foo`, one
// object of it, and the controller, which makes a Deployment of nginx for each Foo and writes how many of its pods are up.
//
// The definition and the controller are one file, the Foo another one, to be applied once the definition is established: until then
// the API server knows no Foo. In a tenant cluster each of them would be an addon (`ManifestAddon`), the second one `after` the first.

import { App, Chart } from 'cdk8s';
import { operators } from 'cdk8s-cluster-api';

const app = new App();

const controller = new Chart(app, 'controller', { namespace: 'sample-controller', disableResourceNameHashes: true });

const foo = new operators.CustomResourceType(controller, 'foo', {
  group: 'samplecontroller.k8s.io',
  kind: 'Foo',
  // Groups that end in k8s.io belong to the Kubernetes community, whose API server wants to know who approved the type.
  apiApproved: 'unapproved, an example to learn from',
  versions: [{
    name: 'v1alpha1',
    schema: operators.Schema.object({
      properties: {
        spec: operators.Schema.object({
          // Stricter than the definition of the example itself: its controller passes over a Foo without a name in silence.
          required: ['deploymentName'],
          properties: {
            deploymentName: operators.Schema.string({ minLength: 1 }),
            replicas: operators.Schema.integer({ minimum: 1, maximum: 10 }),
          },
        }),
        // With a field `status` comes the status subresource, which the controller writes to.
        status: operators.Schema.object({ properties: { availableReplicas: operators.Schema.integer() } }),
      },
    }),
  }],
});

new operators.Operator(controller, 'sample-controller', {
  // There is no published image: build the program of tag v0.36.2, and name the image that you made of it.
  image: 'registry.example.com/sample-controller:v0.36.2',
  createNamespace: true,
  // The program follows all namespaces and has no leader election: one pod, which is gone before the next one starts.
  watchAllNamespaces: true,
  permissions: [
    operators.Permission.watches(foo.resourceType),
    operators.Permission.updatesStatus(foo.resourceType),
    operators.Permission.updatesFinalizers(foo.resourceType),
    operators.Permission.owns(operators.ResourceType.DEPLOYMENTS),
    operators.Permission.emitsEvents(),
  ],
});

const foos = new Chart(app, 'foos', { namespace: 'default', disableResourceNameHashes: true });

foo.instance(foos, 'example-foo', { spec: { deploymentName: 'example-foo', replicas: 1 } });

app.synth();
