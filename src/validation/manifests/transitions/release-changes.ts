import { changedText } from './change-examples';
import { changed } from './cluster-changes';
import { changeWords } from './kept-fields';
import { Lookup } from './lookup';
import { TransitionRule } from './transition-rule';
import { ManifestObject, textAt } from '../../../images/manifest-object';
import { HELM_RELEASE_TEXT } from '../flux/examples';
import { HELM_RELEASE } from '../flux/flux-kinds';
import { nameOf, namespaceOf } from '../manifest-fields';

const FLUX_DOCS = 'fluxcd/helm-controller docs/spec/v2/helmreleases.md';
const CHART = ['spec', 'chart', 'spec', 'chart'];

const UPGRADE = { 'v1.20.0': 'v1.20.1' };

const RELEASE_PLACE: TransitionRule = {
  id: 'TC-CHANGE-FLUX-PLACE',
  title: 'A HelmRelease keeps the name and the namespaces of its release: Flux uninstalls it, with all that it holds, and installs it anew.',
  source: FLUX_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  example: changedText(HELM_RELEASE_TEXT, { 'targetNamespace: cert-manager': 'targetNamespace: certificates' }, UPGRADE),
  check: ({ before, after }) => {
    if (!before || !after) return [];
    const [old, now] = [before, after].map(releasePlace);
    return (['targetNamespace', 'storageNamespace', 'releaseName'] as const).flatMap((field) => (old[field] === now[field] ? [] : [{
      path: ['spec', field], message: changeWords(old[field], now[field]), fix: 'keep it, or plan that what the chart installs goes and comes back',
    }]));
  },
};

const CHART_NAME: TransitionRule = {
  id: 'TC-CHANGE-FLUX-CHART',
  title: 'A HelmRelease keeps its chart: for another one Flux uninstalls the release and installs it anew, unless it is told to upgrade in place.',
  source: FLUX_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  example: changedText(HELM_RELEASE_TEXT, { 'chart: cert-manager': 'chart: certificates' }, UPGRADE),
  check: (change) => (textAt(change.after, 'spec', 'upgrade', 'chartNameChangeStrategy') === 'InPlaceUpdate' ? []
    : changed(change, CHART, 'set spec.upgrade.chartNameChangeStrategy to InPlaceUpdate, or plan that what the chart installs goes and comes back')),
};

/** Releases by where Helm keeps them: of two objects with one place, the one that goes takes the release of the other. */
const RELEASES = new Lookup([HELM_RELEASE], placeKey);

const RENAMED: TransitionRule = {
  id: 'TC-CHANGE-FLUX-RENAMED',
  title: 'A HelmRelease keeps its name: when the old object is deleted, Flux uninstalls the release that the new one has taken over.',
  source: FLUX_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  example: changedText(HELM_RELEASE_TEXT, { 'name: acme-cert-manager': 'name: acme-certificates' }, UPGRADE),
  check: ({ before, after, old, now }) => {
    if (!before || after) return [];
    const heir = RELEASES.find(now, ...placeKey(before)).find((release) => !old.find(HELM_RELEASE, namespaceOf(release), nameOf(release)));
    return heir ? [{
      path: [],
      message: `it is gone, and the HelmRelease "${nameOf(heir) ?? ''}" stands for the same release "${releasePlace(before).releaseName}"`,
      fix: 'keep the name, or suspend the old HelmRelease before it goes',
    }] : [];
  },
};

/** Releases of Flux. */
export const RELEASE_CHANGES: readonly TransitionRule[] = [RELEASE_PLACE, CHART_NAME, RENAMED];

/** Where Helm keeps a release, as Flux fills it in. */
function releasePlace(release: ManifestObject) {
  const own = namespaceOf(release);
  const target = textAt(release, 'spec', 'targetNamespace');
  return {
    targetNamespace: target ?? own,
    storageNamespace: textAt(release, 'spec', 'storageNamespace') ?? own,
    releaseName: textAt(release, 'spec', 'releaseName') ?? `${target === undefined ? '' : `${target}-`}${nameOf(release) ?? ''}`,
  };
}

function placeKey(release: ManifestObject): (string | undefined)[] {
  const { storageNamespace, releaseName } = releasePlace(release);
  const cluster = ['secretRef', 'configMapRef'].map((kind) => textAt(release, 'spec', 'kubeConfig', kind, 'name'));
  return [namespaceOf(release), ...cluster, storageNamespace, releaseName];
}
