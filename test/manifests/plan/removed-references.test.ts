import { CLUSTER, controlPlane, Fields, newPool } from './foreign-objects';
import { planned } from './tenant-pages';
import { Effect } from '../../../src/manifests/rules/changes/effects';

function object(apiVersion: string, kind: string, name: string, more: Fields): Fields {
  return { apiVersion, kind, metadata: { name, namespace: 'default' }, ...more };
}

const flux = (kind: string, spec: Fields) => object('kustomize.toolkit.fluxcd.io/v1', kind, 'apps', { spec: { path: 'apps', ...spec } });
const secret = (name: string) => object('v1', 'Secret', name, { data: { a: 'YQ==' } });
const GIT = object('source.toolkit.fluxcd.io/v1', 'GitRepository', 'fleet', { spec: { url: 'https://git.example.com/a', secretRef: { name: 'git' } } });
const CLOUD = object('infrastructure.cluster.x-k8s.io/v1beta1', 'OpenStackCluster', 'acme', { spec: { identityRef: { name: 'cloud', cloudName: 'a' } } });
const EXTERNAL = object('external-secrets.io/v1', 'ExternalSecret', 'credentials', { spec: { target: { name: 'cloud' } } });
const sealed = (annotations: Fields) => object('bitnami.com/v1alpha1', 'SealedSecret', 'cloud', { spec: { template: { metadata: { annotations } } } });
const BOOTSTRAP = object('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', 'acme-md-0', { spec: { template: { spec: {} } } });

/** Failures of the objects that stay, when one is removed. */
function failures(removed: Fields, ...others: readonly Fields[]): readonly string[] {
  const { clusters, shared } = planned([removed, ...others], [...others]);
  return [...clusters.flatMap(({ parts }) => parts), ...shared]
    .flatMap(({ effects }) => effects.filter(({ effect }) => effect === Effect.FAILING).flatMap(({ reasons }) => reasons));
}

test.each<[what: string, removed: Fields, user: Fields, failure: string]>([
  ['the source of a Kustomization', GIT, flux('Kustomization', { sourceRef: { kind: 'GitRepository', name: 'fleet' } }),
    'GitRepository fleet is gone, and Kustomization apps names it in spec.sourceRef'],
  ['the credentials of a source', secret('git'), GIT, 'Secret git is gone, and GitRepository fleet names it in spec.secretRef'],
  ['variables', object('v1', 'ConfigMap', 'vars', { data: { a: 'b' } }), flux('Kustomization', { postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'vars' }] } }),
    'ConfigMap vars is gone, and Kustomization apps names it in spec.postBuild.substituteFrom[0]'],
  ['an account', object('v1', 'ServiceAccount', 'deployer', {}), flux('Kustomization', { serviceAccountName: 'deployer' }),
    'ServiceAccount deployer is gone, and Kustomization apps names it in spec.serviceAccountName'],
  ['credentials of an infrastructure', secret('cloud'), CLOUD, 'Secret cloud is gone, and OpenStackCluster acme names it in spec.identityRef'],
  ['the maker of credentials', EXTERNAL, CLOUD,
    'Secret cloud is gone, which ExternalSecret credentials has made, and OpenStackCluster acme names it in spec.identityRef'],
  ['the encrypted form of credentials', sealed({}), CLOUD,
    'Secret cloud is gone, which SealedSecret cloud has made, and OpenStackCluster acme names it in spec.identityRef'],
  ['a bootstrap template', BOOTSTRAP, newPool(), 'KubeadmConfigTemplate acme-md-0 is gone, and MachineDeployment acme-md-0 names it in spec.template.spec.bootstrap.configRef'],
])('an object that stays fails without %s', (_, removed, user, failure) => {
  expect(failures(removed, user)).toEqual([failure]);
  expect(failures(removed)).toEqual([]);
});

test.each<[what: string, removed: Fields, others: readonly Fields[]]>([
  ['values that are optional', secret('vars'), [flux('Kustomization', { postBuild: { substituteFrom: [{ kind: 'Secret', name: 'vars', optional: true }] } })]],
  ['a Secret that another object makes', secret('cloud'), [CLOUD, EXTERNAL]],
  ['the encrypted form of a Secret that stays', sealed({ 'sealedsecrets.bitnami.com/skip-set-owner-references': 'true' }), [CLOUD]],
  ['a Secret that a certificate makes', secret('tls'), [
    object('cert-manager.io/v1', 'Certificate', 'web', { spec: { secretName: 'tls' } }), object('networking.k8s.io/v1', 'Ingress', 'web', { spec: { tls: [{ secretName: 'tls' }] } }),
  ]],
  ['a kubeconfig that Cluster API makes', secret('acme-kubeconfig'), [CLUSTER, controlPlane(), flux('Kustomization', { kubeConfig: { secretRef: { name: 'acme-kubeconfig' } } })]],
  ['an object of another namespace', { ...secret('git'), metadata: { name: 'git', namespace: 'other' } }, [GIT]],
  ['an object of another group', object('example.com/v1', 'KubeadmConfigTemplate', 'acme-md-0', {}), [newPool()]],
  ['the target of a patch', secret('a'), [flux('Kustomization', { patches: [{ target: { kind: 'Secret', name: 'a' }, patch: 'b' }] })]],
])('%s is no loss', (_, removed, others) => {
  expect(failures(removed, ...others)).toEqual([]);
});

test('Secrets that other objects make are no loss', () => {
  const names = Array.from({ length: 3 }, (_, index) => `credentials-${index}`);
  const makers = names.map((name) => object('external-secrets.io/v1', 'ExternalSecret', name, {}));
  const { shared } = planned([...names.map(secret), ...makers], makers);
  expect(shared.flatMap(({ effects }) => effects.filter(({ effect }) => effect === Effect.FAILING))).toEqual([]);
});
