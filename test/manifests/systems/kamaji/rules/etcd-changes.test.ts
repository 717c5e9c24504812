import { ManifestObject } from '../../../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../../../src/manifests/rules/manifest-index';
import { ETCD_CHANGES } from '../../../../../src/manifests/systems/kamaji/rules/etcd-changes';
import { registerProviders } from '../../../../../src/manifests/systems/providers';
import { componentRules } from '../../../../../src/manifests/validation/changes/component-changes';

registerProviders();

const RULES = componentRules().filter(({ id }) => ETCD_CHANGES.some((rule) => rule.id === id));

function release(values: object): ManifestObject {
  return { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: 'etcd' }, spec: { chart: { spec: { chart: 'kamaji-etcd' } }, values } };
}

const HERE = { server: 'https://kubernetes.default.svc', namespace: 'kamaji-system' };

function application(valuesObject: object): ManifestObject {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'etcd' }, spec: { destination: HERE, source: { chart: 'kamaji-etcd', helm: { valuesObject } } } };
}

function applicationOfSources(valuesObject: object): ManifestObject {
  const sources = [{ repoURL: 'https://charts.example.com', chart: 'kamaji-etcd', targetRevision: '0.17.0', helm: { valuesObject } }];
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'etcd' }, spec: { destination: HERE, sources } };
}

function releaseOfFolder(values: object): ManifestObject {
  const chart = { spec: { chart: './charts/kamaji-etcd', sourceRef: { kind: 'GitRepository', name: 'kamaji-etcd' } } };
  return { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: 'etcd' }, spec: { chart, values } };
}

function found(before: ManifestObject, after: ManifestObject): string[] {
  const [old, now] = [before, after].map((object) => new ManifestIndex([object]));
  return RULES.flatMap((rule) => rule.check({ before, after, old, now }).map(({ message }) => `${rule.id}: ${message}`));
}

const GIVEN_UP = 'TC-CHANGE-ETCD-DATA-STORE: the release made the DataStore "gold", and Helm deletes it now';

test.each([
  ['Flux', release], ['Flux from a folder of Git', releaseOfFolder], ['Argo CD', application], ['Argo CD with several sources', applicationOfSources],
])('a DataStore that a release of %s gives up', (_tool, write) => {
  const off = write({ datastore: { enabled: false, name: 'gold' } });
  expect(found(write({ datastore: { enabled: true, name: 'gold' } }), off)).toEqual([GIVEN_UP]);
  expect(found(write({ datastore: { name: 'gold' } }), off)).toEqual([GIVEN_UP]);
  expect(found(write({ datastore: { enabled: true, name: 'gold', annotations: { 'helm.sh/resource-policy': 'keep' } } }), off)).toEqual([]);
  expect(found(off, off)).toEqual([]);
});

test('a quota that falls', () => {
  const quota = (bytes?: string | number) => release({ datastore: { enabled: false }, ...(bytes !== undefined && { quotaBackendBytes: bytes }) });

  expect(found(quota('8589934592'), quota('4294967296'))).toEqual(['TC-CHANGE-ETCD-QUOTA: the quota falls from 8589934592 to 4294967296 bytes']);
  expect(found(quota(), quota('4294967296'))).toHaveLength(1);
  expect(found(quota('4294967296'), quota())).toEqual([]);
  expect(found(quota('4294967296'), quota(4294967296))).toEqual([]);
});
