import { BUNDLE, bundleEffects, bundleFacts, GIT_REPO, GIT_REPO_FACTS, gitRepoEffects, HELM_OP, madeBundles } from './bundles';
import { ManifestObject } from '../../objects/manifest-object';
import { chartIn, ImageFacts } from '../../rules/image-facts';
import { Provider } from '../../rules/provider';
import { fieldAt, isFields, stringAt } from '../../values/fields';

const CHARTS: ImageFacts = {
  charts: (object: ManifestObject) => {
    const [repository, chart, version, releaseName] = ['repo', 'chart', 'version', 'releaseName'].map((field) => stringAt(object, 'spec', 'helm', field));
    const values = fieldAt(object, 'spec', 'helm', 'values');
    return chartIn(repository, chart, version, { releaseName, ...isFields(values) && { values } });
  },
};

/** Fleet of Rancher, which deploys folders of repositories and charts in the clusters of a workspace. */
export const FLEET: Provider = {
  name: 'fleet',
  title: 'Fleet',
  kinds: [BUNDLE, GIT_REPO, HELM_OP].map((kind) => ({ kind, managementOnly: true })),
  namespaces: { 'cattle-fleet-system': 'Fleet runs there' },
  deliveries: [GIT_REPO_FACTS, bundleFacts(BUNDLE), bundleFacts(HELM_OP)],
  makes: { [GIT_REPO]: madeBundles },
  images: { [BUNDLE]: CHARTS, [HELM_OP]: CHARTS },
  effects: { [GIT_REPO]: gitRepoEffects, [BUNDLE]: bundleEffects, [HELM_OP]: bundleEffects },
};
