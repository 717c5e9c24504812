import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { deliveryLoad } from '../../../../src/manifests/systems/flux/delivery-load';
import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from '../../../../src/manifests/systems/flux/rules/examples';
import { objectsIn } from '../../rules/rules-under-test';

const REPOSITORY = 'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: a, namespace: b}\nspec: {interval: 10m, url: https://charts.example.com}\n';

function load(...texts: string[]) {
  return deliveryLoad(new ManifestIndex(objectsIn(texts.join('---\n'))));
}

test.each([
  ['nothing', [], { objects: 0, fetchesAnHour: 0, comparisonsAnHour: 0, waitingWorkers: 0 }],
  ['a repository', [REPOSITORY], { objects: 1, fetchesAnHour: 6, comparisonsAnHour: 0, waitingWorkers: 0 }],
  ['a repository of a registry, which is not read', [`${REPOSITORY.replace('interval: 10m', 'type: oci, interval: 10m')}`], { objects: 0, fetchesAnHour: 0 }],
  ['a release that waits five minutes, and is tried again after 30 seconds', [HELM_RELEASE_TEXT], { objects: 1, comparisonsAnHour: 6, waitingWorkers: 0.91 }],
  ['a release that does not wait', [HELM_RELEASE_TEXT.replace('install:\n', 'install:\n    disableWait: true\n')], { comparisonsAnHour: 6, waitingWorkers: 0 }],
  ['a suspended one', [`${HELM_RELEASE_TEXT}  suspend: true\n`], { objects: 0, comparisonsAnHour: 0, waitingWorkers: 0 }],
  ['a folder', [KUSTOMIZATION_TEXT], { objects: 1, comparisonsAnHour: 6, waitingWorkers: 0 }],
  ['a folder that waits', [`${KUSTOMIZATION_TEXT}  wait: true\n  timeout: 30s\n  retryInterval: 1m\n`], { waitingWorkers: 0.33 }],
  ['a folder with health checks and defaults', [`${KUSTOMIZATION_TEXT}  healthChecks: [{kind: Cluster, name: acme}]\n`], { waitingWorkers: 0.49 }],
  ['less than Flux waits', [`${KUSTOMIZATION_TEXT}  wait: true\n  timeout: 1s\n  retryInterval: 30s\n`], { waitingWorkers: 0.5 }],
])('%s', (_, texts, expected) => {
  expect(load(...texts)).toMatchObject(expected);
});
