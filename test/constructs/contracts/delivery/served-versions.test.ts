import { ApiObject, Testing } from 'cdk8s';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

/** Problems of a cluster with one object in its workloads. */
function problemsWith(apiVersion: string, kind: string, kubernetesVersion: string): string[] {
  const app = Testing.app();
  const cluster = exampleCluster(app, { kubernetesVersion, delivery: new FluxDelivery() });
  new ApiObject(cluster.workloads, 'Object', { apiVersion, kind, metadata: { name: 'example' }, spec: {} });
  return problemsOf(app).filter(({ id }) => id === 'TC-DELIVERY-SERVED-VERSION').map(({ path, text }) => `${path}: ${text}`);
}

describe('API versions that a tenant does not serve', () => {
  test('one that is gone', () => {
    expect(problemsWith('networking.k8s.io/v1beta1', 'ServiceCIDR', '1.36.3')).toEqual([]);
    expect(problemsWith('networking.k8s.io/v1beta1', 'ServiceCIDR', '1.37.2')).toEqual([
      'acme: manifests["workloads"]: the ServiceCIDR "example" is of networking.k8s.io/v1beta1, which Kubernetes 1.37 does not serve: it is gone since 1.37. '
      + 'Fix: write a newer version of the kind (kubernetes.io/docs/reference/using-api/deprecation-guide).',
    ]);
  });

  test('one that comes later', () => {
    expect(problemsWith('certificates.k8s.io/v1', 'ClusterTrustBundle', '1.37.0')).toEqual([]);
    expect(problemsWith('certificates.k8s.io/v1', 'ClusterTrustBundle', '1.35.4')).toEqual([
      'acme: manifests["workloads"]: the ClusterTrustBundle "example" is of certificates.k8s.io/v1, which Kubernetes 1.35 does not serve: it came with 1.37. '
      + 'Fix: write an older version of the kind, or raise kubernetesVersion to 1.37.',
    ]);
  });

  test('what all serve, and what none serves, is left to the rules for manifests', () => {
    expect(problemsWith('apps/v1', 'Deployment', '1.35.4')).toEqual([]);
    expect(problemsWith('apps/v1beta1', 'Deployment', '1.35.4')).toEqual([]);
    expect(problemsWith('example.com/v1', 'Deployment', '1.35.4')).toEqual([]);
  });
});
