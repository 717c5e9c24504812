import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../../objects/manifest-object';
import { isKept } from '../../../objects/prune-annotations';
import { changeWords, isUpdate } from '../../../rules/changes/kept-fields';
import { othersStay } from '../../../rules/changes/kept-objects';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { CLUSTER_RESOURCE_SET } from '../../../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, resourceSetYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText, documents } from '../../../rules/example-text';
import { Lookup } from '../../../rules/manifest-index';
import { holdsState } from '../../../rules/stateful-kinds';
import { fieldAt, isFilled, sameValue, stringAt } from '../../../values/fields';
import { HELM_RELEASE, kubeconfigCluster, KUSTOMIZATION, namedChart } from '../deliveries';

const KUBECONFIG = ['spec', 'kubeConfig'];

const CLUSTER: TransitionRule = {
  id: 'TC-CHANGE-FLUX-CLUSTER',
  title: 'A HelmRelease or Kustomization must not turn to another cluster: what it has applied stays behind, and is applied over what runs in the other cluster.',
  source: 'fluxcd/helm-controller v1.6.3 internal/action/verify.go (ReleaseTargetChanged); fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (kubeConfig); '
    + 'fluxcd/flux2 issue 5003',
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  trap: true,
  example: changedText(HELM_RELEASE_TEXT, { '  kubeConfig:\n    secretRef: {name: acme-kubeconfig, key: value}\n': '' }, { 'v1.20.0': 'v1.20.1' }),
  check: (change) => {
    const { before, after } = change;
    if (!before || !after || isSameCluster(before, after)) return [];
    const isRelease = groupKind(after) === HELM_RELEASE;
    const [what, rest, action] = isRelease ? ['the release', 'the release that it installed', 'installs'] : ['its objects', 'what it applied', 'applies'];
    return [{
      path: isFilled(after, ...KUBECONFIG) ? [...KUBECONFIG, stringAt(after, ...KUBECONFIG, 'secretRef', 'name') === undefined ? 'configMapRef' : 'secretRef'] : KUBECONFIG,
      message: `Flux ${action} ${what} in ${clusterWords(after)}, over what runs there; ${rest} in ${clusterWords(before)} stays, and nothing updates or deletes it`,
      fix: `keep spec.kubeConfig; to move it, remove the ${isRelease ? 'HelmRelease' : 'Kustomization'} in a commit before, so that Flux ${isRelease ? 'uninstalls the release' : 'deletes the objects'}`,
    }];
  },
};

const NAMESPACE: TransitionRule = {
  id: 'TC-CHANGE-FLUX-NAMESPACE',
  title: 'Target namespace, name prefix and suffix of a Kustomization must not change: Flux creates all its objects a second time, and prunes the first, Clusters included.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (target namespace, name prefix and suffix, prune), v1.9.4',
  kinds: [KUSTOMIZATION],
  trap: true,
  example: changedText(`${KUSTOMIZATION_TEXT}  targetNamespace: team-a\n`, { 'targetNamespace: team-a': 'targetNamespace: team-b' }, { 'interval: 10m': 'interval: 5m' }),
  check: (change) => (isUpdate(change) ? (['targetNamespace', 'namePrefix', 'nameSuffix'] as const).flatMap((field) => {
    const [old, now] = [change.before, change.after].map((object) => stringAt(object, 'spec', field));
    const first = fieldAt(change.after, 'spec', 'prune') === true ? 'deletes the first, Clusters and their machines included' : 'leaves the first behind';
    return old === now ? [] : [{
      path: ['spec', field],
      message: `${changeWords(old, now)}: Flux creates every object of the folder under the other name or namespace, and ${first}`,
      fix: 'keep it, and make another Kustomization for another place',
    }];
  }) : []),
};

const FOLDER: TransitionRule = {
  id: 'TC-CHANGE-FLUX-FOLDER',
  title: 'The folder of a Kustomization that prunes should change only if the new one has the same objects: Flux deletes those that it does not have, Clusters and Namespaces included.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (path, prune), v1.9.4',
  kinds: [KUSTOMIZATION],
  warning: true,
  example: changedText(KUSTOMIZATION_TEXT, { './tenants/acme': './tenants/beta' }, { './tenants/acme': 'tenants/acme/' }),
  check: ({ before, after }) => {
    if (!before || !after || fieldAt(after, 'spec', 'prune') !== true) return [];
    const [old, now] = [before, after].map((object) => folderOf(object));
    return (['path', 'sourceRef'] as const).filter((field) => !sameValue(old[field], now[field])).map((field) => ({
      path: ['spec', field],
      message: `${field === 'path' ? changeWords(old.path, now.path) : 'it is another source now'}: Flux deletes what the folder there does not have`,
      fix: 'compare the two folders, or set prune: false until the change is applied',
    }));
  },
};

/** Folder that a Kustomization applies; a path may be written in several ways. */
function folderOf(kustomization: ManifestObject): { readonly path: string; readonly sourceRef: readonly (string | undefined)[] } {
  return {
    path: (stringAt(kustomization, 'spec', 'path') ?? '').replace(/^\.?\/+|(?<!\/)\/+$/g, ''),
    sourceRef: [
      ...['kind', 'name'].map((field) => stringAt(kustomization, 'spec', 'sourceRef', field)),
      stringAt(kustomization, 'spec', 'sourceRef', 'namespace') ?? namespaceOf(kustomization),
    ],
  };
}

/** True if both go to one cluster: a Secret of Cluster API or Kamaji has several keys, all for the cluster that it is named after. */
function isSameCluster(before: ManifestObject, after: ManifestObject): boolean {
  const [old, now] = [before, after].map((object) => fieldAt(object, ...KUBECONFIG));
  if (sameValue(old ?? {}, now ?? {})) return true;
  const [former, later] = [before, after].map((object) => kubeconfigCluster(object));
  return former !== undefined && former === later;
}

function clusterWords(object: ManifestObject): string {
  const [secret, key, access] = [['secretRef', 'name'], ['secretRef', 'key'], ['configMapRef', 'name']].map((path) => stringAt(object, ...KUBECONFIG, ...path));
  if (secret !== undefined) return `the cluster of the Secret "${secret}"${key === undefined ? '' : ` (key "${key}")`}`;
  return access === undefined ? 'the cluster that Flux runs in' : `the cluster of the ConfigMap "${access}"`;
}

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
  check: ({ before, after, old, now }) => {
    if (!before || !after || stringAt(after, 'spec', 'upgrade', 'chartNameChangeStrategy') === 'InPlaceUpdate') return [];
    // In a Git repository it is a folder, which has the name of the chart by custom.
    const [former, later] = [namedChart(before, old), namedChart(after, now)].map(({ chart }) => chart?.split('/').at(-1));
    return former === undefined || later === undefined || former === later ? [] : [{
      path: isFilled(after, 'spec', 'chartRef') ? ['spec', 'chartRef'] : CHART,
      message: changeWords(former, later),
      fix: 'set spec.upgrade.chartNameChangeStrategy to InPlaceUpdate, or plan that what the chart installs goes and comes back',
    }];
  },
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
    // A suspended one uninstalls nothing.
    if (!before || after || fieldAt(before, 'spec', 'suspend') === true) return [];
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

const CLUSTER_TEXT = clusterYaml(CLUSTER_PARTS);

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-FLUX-REMOVED',
  title: 'A Kustomization of clusters, machines or volumes must be suspended before it goes, if what it applies is to stay: Flux deletes that with it.',
  source: 'fluxcd/kustomize-controller v1.9.4 internal/controller/kustomization_controller.go (finalizerShouldDeleteResources)',
  kinds: [KUSTOMIZATION],
  trap: true,
  example: {
    before: documents(KUSTOMIZATION_TEXT.replace(/ {2}kubeConfig:\n.*\n/, ''), CLUSTER_TEXT),
    failing: CLUSTER_TEXT,
    corrected: documents(`${KUSTOMIZATION_TEXT.replace(/ {2}kubeConfig:\n.*\n/, '')}  suspend: true\n`, CLUSTER_TEXT),
  },
  check: ({ before, after, old, now }) => {
    // In another cluster there are no Clusters, and manifests that go with it are meant to be deleted.
    if (!before || after || isKept(before) || !prunesWhenDeleted(before) || isFilled(before, ...KUBECONFIG)) return [];
    if (!holdsState(old) || FOLDERS.find(now, ...folderKey(before)).length > 0 || !othersStay(old, now, KUSTOMIZATION)) return [];
    return [{
      path: [],
      message: `it is gone, and the manifests of ${stringAt(before, 'spec', 'path') ?? 'its folder'} are not: Flux deletes what it has applied, Clusters and their machines included`,
      fix: 'put it back with spec.suspend: true or deletionPolicy: Orphan, and take it out once Flux has applied that; or remove the manifests with it',
    }];
  },
};

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

/** Place in which Helm keeps a release, as Flux fills it in. */
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

/** Rules for changes of Kustomizations and HelmReleases. */
export const DELIVERY_CHANGES: readonly TransitionRule[] = [RELEASE_PLACE, CHART_NAME, RENAMED, CARRIER, REMOVED, CLUSTER, NAMESPACE, FOLDER];
