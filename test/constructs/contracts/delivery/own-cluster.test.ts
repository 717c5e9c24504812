import { CERT_MANAGER, Goods, ofKind, tenantChart, Written } from './delivered';
import { HelmChart } from '../../../../src/constructs/contracts/helm-chart';
import { ArgoCdDelivery } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ArgoCdDestination } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-destination';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { SchemaValidator } from '../../../manifests/schema/validate';

const OWN: Goods['context'] = { name: 'management', namespace: 'flux-system', kubeconfigs: undefined };
const GIT: Partial<HelmChart> = { chart: 'kamaji', repository: 'https://github.com/clastix/kamaji', chartVersion: '26.8.2-edge', gitPath: './charts/kamaji/' };

function destinationOf(destination: ArgoCdDestination | undefined, context: Goods['context']): Written {
  return ofKind('Application', new ArgoCdDelivery({ destination }), { charts: { x: CERT_MANAGER }, context })[0].spec.destination;
}

describe('the management cluster itself', () => {
  test('Flux needs no kubeconfig for it', () => {
    const delivery = new FluxDelivery({ manifestSource: { name: 'fleet' } });
    const goods = { charts: { x: CERT_MANAGER }, manifests: { y: tenantChart('a') }, context: OWN };

    for (const kind of ['HelmRelease', 'Kustomization']) {
      const [{ metadata, spec }] = ofKind(kind, delivery, goods);
      expect([metadata.namespace, spec.kubeConfig]).toEqual(['flux-system', undefined]);
    }
  });

  test('waits for what a Kustomization applied, and keeps it when the Kustomization goes, unlike a tenant', () => {
    const delivery = new FluxDelivery({ manifestSource: { name: 'fleet' } });
    const deletionPolicy = (context?: Goods['context']) => ofKind('Kustomization', delivery, { manifests: { y: tenantChart('a') }, context })[0].spec.deletionPolicy;

    expect(ofKind('Kustomization', delivery, { manifests: { y: tenantChart('a') }, context: OWN })[0].spec.wait).toBe(true);
    expect(deletionPolicy(OWN)).toBe('Orphan');
    expect(deletionPolicy()).toBeUndefined();
  });

  test.each([
    ['no destination', undefined], ['the namespaced name', ArgoCdDestination.NAMESPACED_NAME], ['the name', ArgoCdDestination.CLUSTER_NAME],
  ])('is Argo CD\'s own cluster with %s', (_what, destination) => {
    expect(destinationOf(destination, OWN)).toEqual({ server: 'https://kubernetes.default.svc', namespace: 'cert-manager' });
  });

  test('is where an Argo CD elsewhere is told it is', () => {
    expect(destinationOf(ArgoCdDestination.named('hall-1'), OWN)).toEqual({ name: 'hall-1', namespace: 'cert-manager' });
  });

  test('gets the Applications of Argo CD in waves: the longest way counts', () => {
    const goods = {
      charts: { app: CERT_MANAGER, db: CERT_MANAGER, cni: CERT_MANAGER },
      manifests: { config: tenantChart('a') },
      after: { app: ['cni', 'db'], db: ['config'], config: ['cni'] },
      context: OWN,
    };
    const git = { repoUrl: 'https://git.example.com/fleet.git', targetRevision: 'main' };
    const applications = ofKind('Application', new ArgoCdDelivery({ manifestSource: git }), goods);

    expect(applications.map(({ metadata }) => [metadata.name, metadata.annotations['argocd.argoproj.io/sync-wave']])).toEqual([
      ['flux-system-management-app', '23'], ['flux-system-management-db', '22'], ['flux-system-management-cni', '20'],
      ['flux-system-management-config', '21'],
    ]);
  });

  test('is nothing to a tenant', () => {
    expect(destinationOf(undefined, {})).toEqual({ name: 'tenant-acme-acme', namespace: 'cert-manager' });
  });
});

describe('a chart of a Git repository', () => {
  test('is built by Flux from the tag, and again with every other tag', () => {
    const goods = { charts: { x: GIT } };
    const delivery = new FluxDelivery({ repositories: [{ repository: GIT.repository!, secretName: 'git' }] });
    const [release] = ofKind('HelmRelease', delivery, goods);
    const [repository] = ofKind('GitRepository', delivery, goods);

    expect(release.spec.chart.spec).toEqual({
      chart: './charts/kamaji', reconcileStrategy: 'Revision', sourceRef: { kind: 'GitRepository', name: repository.metadata.name }, version: '*',
    });
    expect(repository.spec).toMatchObject({ url: GIT.repository, ref: { tag: '26.8.2-edge' }, secretRef: { name: 'git' } });
    const validator = SchemaValidator.load();
    for (const object of [release, repository]) {
      expect([object.kind, validator.validate(object), validator.missingDefaults(object)]).toEqual([object.kind, [], []]);
    }
  });

  test('shares its repository with the other charts of the tag, and with them only', () => {
    const goods = { charts: { crds: { ...GIT, chart: 'kamaji-crds', gitPath: 'charts/kamaji-crds' }, x: GIT, old: { ...GIT, chartVersion: '26.2.4-edge' } } };
    const releases = ofKind('HelmRelease', new FluxDelivery(), goods);
    const repositories = ofKind('GitRepository', new FluxDelivery(), goods);

    expect(releases.map(({ metadata, spec }) => [metadata.name, spec.chart.spec.sourceRef.name])).toEqual([
      ['acme-crds', 'acme-crds'], ['acme-x', 'acme-crds'], ['acme-old', 'acme-old'],
    ]);
    expect(repositories.map(({ metadata, spec }) => [metadata.name, spec.ref.tag])).toEqual([['acme-crds', '26.8.2-edge'], ['acme-old', '26.2.4-edge']]);
  });

  test('is built by Argo CD from the tag', () => {
    const [{ spec }] = ofKind('Application', new ArgoCdDelivery(), { charts: { x: { ...GIT, values: { a: 1 } } } });

    expect(spec.source).toEqual({
      path: 'charts/kamaji', repoURL: GIT.repository, targetRevision: '26.8.2-edge', helm: { releaseName: 'cert-manager', valuesObject: { a: 1 } },
    });
  });
});
