import { GATEWAY, Goods, ofKind, tenantChart, written } from './delivered';
import { HelmCrdPolicy } from '../../../../src/constructs/contracts/helm-chart';
import { ArgoCdDelivery } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ArgoCdDeliveryProps } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery-props';
import { ArgoCdDestination } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-destination';
import { SchemaValidator } from '../../../manifests/schema/validate';

const GIT = { repoUrl: 'git@git.example.com:team/fleet.git', targetRevision: 'main', path: 'tenants' };

function applicationOf(props: ArgoCdDeliveryProps = {}, chart = {}, goods: Goods = {}) {
  return ofKind('Application', new ArgoCdDelivery(props), { charts: { 'cert-manager': chart }, ...goods })[0];
}

test('a chart becomes an Application in the namespace of Argo CD', () => {
  expect(applicationOf({}, { values: { crds: { enabled: true } } })).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'tenant-acme-acme-cert-manager',
      namespace: 'argocd',
      labels: { 'cluster.x-k8s.io/cluster-name': 'acme' },
      annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' },
    },
    spec: {
      destination: { name: 'tenant-acme-acme', namespace: 'cert-manager' },
      project: 'default',
      source: {
        chart: 'cert-manager',
        helm: { releaseName: 'cert-manager', valuesObject: { crds: { enabled: true } } },
        repoURL: 'https://charts.jetstack.io',
        targetRevision: 'v1.21.1',
      },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { backoff: { duration: '30s', factor: 2, maxDuration: '5m' }, limit: -1, refresh: true },
        syncOptions: ['CreateNamespace=true', 'ServerSideApply=true', 'RespectIgnoreDifferences=true'],
      },
    },
  });
});

test('the properties of the delivery arrive', () => {
  const { metadata, spec } = applicationOf({ namespace: 'gitops', project: 'tenants', selfHeal: false, cascadeDeletion: true });
  expect(metadata).toMatchObject({ namespace: 'gitops', finalizers: ['resources-finalizer.argocd.argoproj.io'] });
  expect(spec).toMatchObject({ project: 'tenants', syncPolicy: { automated: { selfHeal: false } } });
  expect(applicationOf().metadata).not.toHaveProperty('finalizers');
});

test.each([
  [ArgoCdDestination.NAMESPACED_NAME, { name: 'tenant-acme-acme' }],
  [ArgoCdDestination.CLUSTER_NAME, { name: 'acme' }],
  [ArgoCdDestination.named('other'), { name: 'other' }],
  [ArgoCdDestination.server('https://acme.tenant-acme.svc:6443'), { server: 'https://acme.tenant-acme.svc:6443' }],
])('destination %#', (destination, expected) => {
  expect(applicationOf({ destination }).spec.destination).toEqual({ ...expected, namespace: 'cert-manager' });
});

test('a registry is given without scheme, as Argo CD wants it', () => {
  expect(applicationOf({}, GATEWAY).spec.source).toEqual({
    chart: 'gateway-helm', helm: { releaseName: 'eg' }, repoURL: 'docker.io/envoyproxy', targetRevision: 'v1.9.0',
  });
});

test('a chart says what differs', () => {
  const { spec } = applicationOf({}, { crds: HelmCrdPolicy.SKIP, namespaceLabels: { a: 'b' }, values: {} });
  expect(spec.source.helm).toEqual({ releaseName: 'cert-manager', skipCrds: true });
  expect(spec.syncPolicy.syncOptions).not.toContain('CreateNamespace=true');
});

test('an Application of a tenant is in no wave: an earlier one would wait for machines that wait for it', () => {
  const applications = ofKind('Application', new ArgoCdDelivery({ manifestSource: GIT }), {
    charts: { app: {}, cni: {} }, manifests: { config: tenantChart('a') }, after: { app: ['cni'], config: ['cni'] },
  });
  expect(applications.map(({ metadata }) => metadata.name)).toEqual(['tenant-acme-acme-app', 'tenant-acme-acme-cni', 'tenant-acme-acme-config']);
  for (const { metadata } of applications) expect(Object.keys(metadata.annotations)).not.toContain('argocd.argoproj.io/sync-wave');
});

test('suspended, nothing is synced by itself', () => {
  expect(applicationOf({ suspend: true }).spec.syncPolicy).not.toHaveProperty('automated');
  expect(applicationOf({ suspend: false })).toEqual(applicationOf());
});

test('manifests are read from a repository when there is one; without any there is nothing to read', () => {
  const manifests = { workloads: tenantChart('a'), none: tenantChart() };
  const [{ metadata, spec }, ...others] = written(new ArgoCdDelivery({ manifestSource: GIT }), { manifests });
  expect(others).toEqual([]);
  expect(metadata.name).toBe('tenant-acme-acme-workloads');
  expect(spec).toMatchObject({
    destination: { name: 'tenant-acme-acme' },
    source: { repoURL: GIT.repoUrl, targetRevision: 'main', path: 'tenants/clusters/tenant-acme/acme/delivered/workloads' },
    syncPolicy: { syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true'] },
  });
  expect(spec.destination).not.toHaveProperty('namespace');
});

test('manifests of a Git repository are applied on the server\'s side at their tag, and stay', () => {
  expect(written(new ArgoCdDelivery(), { gitManifests: { 'gateway-api': { path: './config/crd/' } } })).toMatchObject([{
    kind: 'Application',
    metadata: { name: 'tenant-acme-acme-gateway-api', namespace: 'argocd' },
    spec: {
      source: { path: 'config/crd', repoURL: 'https://github.com/kubernetes-sigs/gateway-api', targetRevision: 'v1.6.1' },
      syncPolicy: { automated: { prune: false, selfHeal: true }, syncOptions: expect.arrayContaining(['ServerSideApply=true']) },
    },
  }]);
});

test('manifests without a repository are carried by Cluster API', () => {
  expect(written(new ArgoCdDelivery(), { manifests: { workloads: tenantChart('a') } }).map(({ kind }) => kind)).toEqual(['ClusterResourceSet', 'ConfigMap']);
});

test('a server accepts everything and adds nothing', () => {
  const validator = SchemaValidator.load();
  const delivery = new ArgoCdDelivery({ manifestSource: GIT, cascadeDeletion: true, destination: ArgoCdDestination.server('https://192.0.2.1:6443') });
  const objects = written(delivery, { charts: { a: { values: { a: 1 } }, b: GATEWAY }, manifests: { c: tenantChart('x') } });
  expect(objects).toHaveLength(3);
  for (const object of objects) {
    expect([object.metadata.name, validator.validate(object)]).toEqual([object.metadata.name, []]);
    expect([object.metadata.name, validator.missingDefaults(object)]).toEqual([object.metadata.name, []]);
  }
});
