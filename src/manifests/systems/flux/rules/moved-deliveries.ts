import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { HELM_RELEASE, KUSTOMIZATION } from './flux-kinds';
import { groupKind, ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { changeWords, isUpdate } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { changedText } from '../../../rules/example-text';
import { fieldAt, isFilled, sameValue, stringAt } from '../../../values/fields';
import { kubeconfigCluster } from '../deliveries';

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

/** Deliveries that go to another place than before. */
export const MOVED_DELIVERIES: readonly TransitionRule[] = [CLUSTER, NAMESPACE, FOLDER];

/** Folder that a Kustomization applies; a path may be written in several ways. */
export function folderOf(kustomization: ManifestObject): { readonly path: string; readonly sourceRef: readonly (string | undefined)[] } {
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
