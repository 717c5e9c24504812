import { App, Chart, Testing } from 'cdk8s';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import {
  KubevirtCloudControllerManager,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import {
  ControlPlaneServiceType, KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { SchemaValidator } from '../../../manifests/schema/validate';
import { clusterContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';

const KUBEADM = clusterContext({ controlPlane: { apiServerPort: 6443 } });

function clusterOf(props?: KubevirtInfrastructureProps, context = clusterContext()): any {
  return new KubevirtInfrastructure(props).bind(new Chart(Testing.app(), 'chart', { namespace: context.namespace }), context).resource.toJson();
}

function problems(props: KubevirtInfrastructureProps, context = clusterContext()): ReportedProblem[] {
  return problemsIn((app: App) => {
    validateApp(app);
    new KubevirtInfrastructure(props).bind(new Chart(app, 'acme', { namespace: context.namespace }), context);
  });
}

test('the infrastructure object has the name of the cluster, no spec, and outlives its place in the repository', () => {
  expect(clusterOf()).toEqual({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'KubevirtCluster',
    metadata: {
      name: 'acme',
      namespace: 'tenant-acme',
      annotations: {
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'cluster.x-k8s.io/managed-by': 'kamaji',
        'helm.sh/resource-policy': 'keep',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      },
    },
  });
});

test('the construct of the object is called Resource', () => {
  const chart = new Chart(Testing.app(), 'chart');
  expect(new KubevirtInfrastructure().bind(chart, clusterContext()).resource.node.id).toBe('Resource');
});

test('the provider makes the endpoint where the control plane does not', () => {
  expect(clusterOf({}, KUBEADM).metadata.annotations).not.toHaveProperty('cluster.x-k8s.io/managed-by');
});

test('the kubeconfig of an external cluster is looked for in the namespace of the tenant cluster', () => {
  expect(clusterOf({ infraClusterSecretRef: { name: 'edge' } }).spec).toEqual({ infraClusterSecretRef: { name: 'edge', namespace: 'tenant-acme' } });
  expect(clusterOf({ infraClusterSecretRef: { name: 'edge', namespace: 'infra' } }).spec.infraClusterSecretRef.namespace).toBe('infra');
});

test('the Service of control plane machines is published as asked for', () => {
  const controlPlaneService = { type: ControlPlaneServiceType.LOAD_BALANCER, annotations: { 'metallb.io/address-pool': 'public' } };
  expect(clusterOf({ controlPlaneService }, KUBEADM).spec).toEqual({
    controlPlaneServiceTemplate: { metadata: { annotations: { 'metallb.io/address-pool': 'public' } }, spec: { type: 'LoadBalancer' } },
  });
  expect(clusterOf({ controlPlaneService: {} }, KUBEADM).spec).toEqual({ controlPlaneServiceTemplate: { spec: { type: 'ClusterIP' } } });
});

test('the ranges of the infrastructure cluster are reserved; texts that are none are left to the error', () => {
  const { capabilities } = new KubevirtInfrastructure({ infraClusterCidrs: ['10.42.0.0/16', 'nonsense', 'fd00:42::/48'] });
  expect(capabilities).toMatchObject({ clusterKind: 'KubevirtCluster', reservedCidrs: ['10.42.0.0/16', 'fd00:42::/48'] });
  expect(new KubevirtInfrastructure().capabilities.reservedCidrs).toBeUndefined();
});

test('a server accepts the object and adds nothing to it', () => {
  const validator = SchemaValidator.load();
  const objects = [
    clusterOf(),
    clusterOf({ infraClusterSecretRef: { name: 'edge' }, controlPlaneService: { labels: { team: 'a' } } }, KUBEADM),
  ];
  for (const object of objects) {
    expect(validator.validate(object)).toEqual([]);
    expect(validator.missingDefaults(object)).toEqual([]);
  }
});

test.each<[string, KubevirtInfrastructureProps, string[], typeof KUBEADM]>([
  ['TC-KUBEVIRT-INFRA-CIDR', { infraClusterCidrs: ['10.42.0.0/16', '10.43.0.1/16'] }, ['infraClusterCidrs[1]', '"10.43.0.0/16"'], KUBEADM],
  ['TC-KUBEVIRT-INFRA-CIDR', { infraClusterCidrs: ['10.42.0.0'] }, ['infraClusterCidrs[0]', '"10.42.0.0"'], KUBEADM],
  ['TC-KUBEVIRT-OBJECT-NAME', { infraClusterSecretRef: { name: 'Edge' } }, ['infraClusterSecretRef.name', '"Edge"'], clusterContext()],
  ['TC-KUBEVIRT-OBJECT-NAME', { infraClusterSecretRef: { name: 'edge', namespace: '' } }, ['infraClusterSecretRef.namespace'], clusterContext()],
  ['TC-KUBEVIRT-OBJECT-NAME', { infraClusterSecretRef: { name: 'edge', namespace: 'a.b' }, cloudControllerManager: KubevirtCloudControllerManager.none() }, ['infraClusterSecretRef.namespace', '"a.b"'], clusterContext()],
  ['TC-TRAP-KUBEVIRT-MANAGED-FIELDS', { controlPlaneService: {} }, ['infrastructure.controlPlaneService: ', 'managed by kamaji'], clusterContext()],
  ['TC-TRAP-KUBEVIRT-SERVICE-TYPE', { infraClusterSecretRef: { name: 'edge' }, controlPlaneService: {} }, ['infrastructure.controlPlaneService.type: ', 'another cluster'], KUBEADM],
  ['TC-KUBEVIRT-LABEL', { controlPlaneService: { labels: { team: 'a b' } } }, ['controlPlaneService.labels.team', '"a b"'], KUBEADM],
  ['TC-KUBEVIRT-ANNOTATION', { controlPlaneService: { annotations: { 'a b': '' } } }, ['controlPlaneService.annotations["a b"]'], KUBEADM],
])('%s: %j', (id, props, texts, context) => {
  const found = problems(props, context);
  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});
