import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { HELM_RELEASE, KUSTOMIZATION } from './flux-kinds';
import { folderOf } from './moved-deliveries';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../../objects/manifest-object';
import { isKept } from '../../../objects/prune-annotations';
import { changed, changeWords } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { CLUSTER_RESOURCE_SET } from '../../../rules/cluster-api/cluster-api-kinds';
import { resourceSetYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText, documents } from '../../../rules/example-text';
import { Lookup } from '../../../rules/manifest-index';
import { fieldAt, stringAt } from '../../../values/fields';

const FLUX_DOCS = 'fluxcd/helm-controller docs/spec/v2/helmreleases.md';
const CHART = ['spec', 'chart', 'spec', 'chart'];

const UPGRADE = { 'v1.20.0': 'v1.20.1' };

const RELEASE_PLACE: TransitionRule = {
  id: 'TC-CHANGE-FLUX-PLACE',
  title: 'Name and namespaces of the release of a HelmRelease must not change: Flux uninstalls the release with all its objects, and installs it again.',
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
  title: 'The chart of a HelmRelease must not change: Flux uninstalls the release and installs it again, unless upgrades in place are enabled.',
  source: FLUX_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  example: changedText(HELM_RELEASE_TEXT, { 'chart: cert-manager': 'chart: certificates' }, UPGRADE),
  check: (change) => (stringAt(change.after, 'spec', 'upgrade', 'chartNameChangeStrategy') === 'InPlaceUpdate' ? []
    : changed(change, CHART, 'set spec.upgrade.chartNameChangeStrategy to InPlaceUpdate, or plan that what the chart installs goes and comes back')),
};

/** Releases by where Helm keeps them: of two objects with one place, the one that goes takes the release of the other. */
const RELEASES = new Lookup([HELM_RELEASE], placeKey);

const RENAMED: TransitionRule = {
  id: 'TC-CHANGE-FLUX-RENAMED',
  title: 'The name of a HelmRelease must not change: when the old object is deleted, Flux uninstalls the release that the new object adopted.',
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

/** Kustomizations by what they apply, and where. */
const FOLDERS = new Lookup([KUSTOMIZATION], folderKey);

const RESOURCE_SET_TEXT = resourceSetYaml('Reconcile', 'acme-addons.1');

const CARRIER: TransitionRule = {
  id: 'TC-CHANGE-FLUX-CARRIER',
  title: 'A Kustomization must be suspended before another object delivers its manifests: Flux deletes what it applied with it, Namespaces and their content included.',
  source: 'fluxcd/kustomize-controller v1.9.4 internal/controller/kustomization_controller.go (finalizerShouldDeleteResources)',
  kinds: [KUSTOMIZATION],
  trap: true,
  example: {
    before: KUSTOMIZATION_TEXT, failing: RESOURCE_SET_TEXT, corrected: documents(`${KUSTOMIZATION_TEXT}  suspend: true\n`, RESOURCE_SET_TEXT),
  },
  check: ({ before, after, old, now }) => {
    if (!before || after || isKept(before) || !prunesWhenDeleted(before)) return [];
    const [namespace, name] = [namespaceOf(before), nameOf(before)];
    const sets = [name, `${name ?? ''}.once`].map((set) => now.find(CLUSTER_RESOURCE_SET, namespace, set)).filter((set) => set !== undefined);
    const heir = [...sets, ...FOLDERS.find(now, ...folderKey(before))]
      .find((object) => !old.find(groupKind(object), namespaceOf(object), nameOf(object)));
    return heir ? [{
      path: [],
      message: `it is gone, and ${objectName(heir)} delivers its manifests: Flux deletes them in the cluster, with all data that goes with them`,
      fix: 'put it back with spec.suspend: true (FluxDelivery: suspend), and take it out once Flux has applied that',
    }] : [];
  },
};

/** What Flux installs and applies. */
export const RELEASE_CHANGES: readonly TransitionRule[] = [RELEASE_PLACE, CHART_NAME, RENAMED, CARRIER];

/** True if Flux deletes what a Kustomization has applied when the Kustomization is deleted. */
function prunesWhenDeleted(kustomization: ManifestObject): boolean {
  if (fieldAt(kustomization, 'spec', 'suspend') === true) return false;
  const policy = stringAt(kustomization, 'spec', 'deletionPolicy') ?? 'MirrorPrune';
  return policy === 'MirrorPrune' ? fieldAt(kustomization, 'spec', 'prune') === true : policy !== 'Orphan';
}

function folderKey(kustomization: ManifestObject): (string | undefined)[] {
  const { path, sourceRef } = folderOf(kustomization);
  return [namespaceOf(kustomization), ...kubeconfig(kustomization), ...sourceRef, path];
}

function kubeconfig(object: ManifestObject): (string | undefined)[] {
  return ['secretRef', 'configMapRef'].map((kind) => stringAt(object, 'spec', 'kubeConfig', kind, 'name'));
}

/** Where Helm keeps a release, as Flux fills it in. */
function releasePlace(release: ManifestObject) {
  const own = namespaceOf(release);
  const target = stringAt(release, 'spec', 'targetNamespace');
  return {
    targetNamespace: target ?? own,
    storageNamespace: stringAt(release, 'spec', 'storageNamespace') ?? own,
    releaseName: stringAt(release, 'spec', 'releaseName') ?? `${target === undefined ? '' : `${target}-`}${nameOf(release) ?? ''}`,
  };
}

function placeKey(release: ManifestObject): (string | undefined)[] {
  const { storageNamespace, releaseName } = releasePlace(release);
  return [namespaceOf(release), ...kubeconfig(release), storageNamespace, releaseName];
}
