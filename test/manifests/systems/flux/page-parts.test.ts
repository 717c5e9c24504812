import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { PageParts } from '../../../../src/manifests/rules/page-parts';
import { PAGE_PARTS } from '../../../../src/manifests/systems/flux/page-parts';
import { HELM_RELEASE_TEXT } from '../../../../src/manifests/systems/flux/rules/examples';
import { objectsIn } from '../../rules/rules-under-test';

const CLUSTER_TEXT = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: tenant-acme}\n';
const REPOSITORY_TEXT = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: jetstack, namespace: tenant-acme}
spec: {url: https://charts.jetstack.io}
`;

test.each<[string, string, boolean]>([
  ['without a strategy', '{}', false],
  ['that is retried', '{strategy: {name: RetryOnFailure}, remediation: {retries: -1}}', false],
  ['that is remediated without retries', '{strategy: {name: RemediateOnFailure}}', false],
  ['with retries', '{remediation: {retries: 3}}', true],
  ['with retries for ever', '{strategy: {name: RemediateOnFailure}, remediation: {retries: -1}}', true],
  ['that is uninstalled at last', '{remediation: {remediateLastFailure: true}}', true],
])('an installation %s', (_, install, isReinstalled) => {
  const release = HELM_RELEASE_TEXT.replace(/ {2}install:[^]*$/, `  install: ${install}\n`);
  const objects = objectsIn([CLUSTER_TEXT, REPOSITORY_TEXT, release].join('---\n'));
  const [cluster] = objects;
  const part = PAGE_PARTS.delivery!({ cluster, index: new ManifestIndex(objects) } as Parameters<Required<PageParts>['delivery']>[0])!;

  expect(part.addons).toHaveLength(1);
  expect(JSON.stringify(part.addons[0].addon).includes('HelmInstallFailurePolicy.REINSTALL')).toBe(isReinstalled);
});
