import { posix } from 'node:path';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChangeEffect, Effect, effectsOfFields, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { DeliveryFacts } from '../../rules/delivery-facts';
import { selects } from '../../rules/label-selectors';
import { ManifestIndex } from '../../rules/manifest-index';
import { RepositoryFiles } from '../../rules/repository-files';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, sameValue, stringAt } from '../../values/fields';

export const BUNDLE = 'fleet.cattle.io/Bundle';
export const GIT_REPO = 'fleet.cattle.io/GitRepo';
export const HELM_OP = 'fleet.cattle.io/HelmOp';
const FLEET_CLUSTER = 'fleet.cattle.io/Cluster';

/** The workspace whose only cluster is the one that Fleet runs in. */
const LOCAL = 'fleet-local';

const OPTIONS_FILE = /^fleet\.ya?ml$/;

/** Paths that are patterns, of which the part before the first one is known. */
const GLOB = /[*?[{]/;

/**
 * The bundles that Fleet makes of folders with options below the paths of a GitRepo; undefined for one with a path that was not read, or with none,
 * which may be of any repository.
 *
 * Sources: rancher/fleet internal/cmd/cli/apply/apply.go (CreateBundles), internal/bundlereader/read.go (bundleFromDir), 3b2c622.
 */
export function madeBundles(repository: ManifestObject, files?: RepositoryFiles): ManifestObject[] | undefined {
  const paths = pathsOf(repository);
  if (!files || isSet(repository, 'spec', 'bundles')) return files ? undefined : [];
  const places = [...files.places, ''];
  const isIn = (place: string, path: string) => (file: string) => isBelow(place === '' ? file : `${place}/${file}`, path);
  const isThere = (path: string) => places.some((place) => [...files.folders].some((folder) => isIn(place, path)(`${folder}/_`)));
  if (paths.length === 0 || !paths.every(isThere)) return undefined;
  const options = [...files.others].filter((file) => OPTIONS_FILE.test(file.slice(file.lastIndexOf('/') + 1)));
  const found = places.map((place) => options.filter((file) => paths.some((path) => isIn(place, path)(file)))).find((some) => some.length > 0) ?? [];
  return found.map((file) => bundleOf(repository, file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '', file, files));
}

function bundleOf(repository: ManifestObject, folder: string, file: string, { contentOf, others }: RepositoryFiles): ManifestObject {
  const [content] = contentOf(file);
  const { name, labels, helm, ...options } = isFields(content) ? content : {};
  const inFolder = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const values = listAt(helm, 'valuesFiles').map(String).filter((path) => others.has(inFolder(path)));
  const flags = ['keepResources', 'paused'].filter((field) => fieldAt(repository, 'spec', field) === true);
  return {
    apiVersion: repository.apiVersion,
    kind: 'Bundle',
    metadata: {
      name: typeof name === 'string' ? name : [nameOf(repository), ...folder.split('/')].join('-'),
      namespace: namespaceOf(repository),
      ...isFields(labels) && { labels },
    },
    spec: {
      targets: fieldAt(repository, 'spec', 'targets'),
      ...options,
      ...Object.fromEntries(flags.map((field) => [field, true])),
      ...isFields(helm) && {
        helm: { ...helm, ...values.length > 0 && { valuesFiles: Object.fromEntries(values.map((path) => [path, contentOf(inFolder(path))[0]])) } },
      },
    },
  };
}

function pathsOf(repository: ManifestObject): string[] {
  return listAt(repository, 'spec', 'paths').map((path) => posix.relative('/', posix.join('/', String(path))));
}

/** True if a file is below a path, which may be a pattern for folders. */
function isBelow(file: string, path: string): boolean {
  if (path === '') return true;
  const [parts, wanted] = [file.split('/'), path.split('/')];
  return parts.length > wanted.length && wanted.every((part, index) => part === parts[index] || (part === '*' && parts[index] !== undefined));
}

const COMMON = {
  installsChart: 'maybe',
  isForTenant: (object: ManifestObject): boolean => namespaceOf(object) !== LOCAL,
  // Of Clusters with Cluster API, the provider for Fleet registers each in its own namespace, with its labels.
  target: (object: ManifestObject) => {
    const [only, ...others] = listAt(object, 'spec', 'targets');
    return others.length === 0 && isSet(only, 'clusterName') ? { by: 'name', name: stringAt(only, 'clusterName') } as const
      : { by: 'selector', selector: others.length === 0 ? fieldAt(only, 'clusterSelector') : undefined, emptySelectsNone: !isFields(fieldAt(only, 'clusterSelector')) } as const;
  },
  // The options with which objects were deployed decide whether they are kept (internal/helmdeployer/delete.go).
  keepsRemoved: (object: ManifestObject): boolean => fieldAt(object, 'spec', 'keepResources') === true,
} satisfies Partial<DeliveryFacts>;

/** Deliveries with a kind of bundle. */
export function bundleFacts(kind: string): DeliveryFacts {
  return {
    kind,
    ...COMMON,
    read: (object) => ({
      suspended: fieldAt(object, 'spec', 'paused') === true,
      chart: stringAt(object, 'spec', 'helm', 'chart'),
      version: stringAt(object, 'spec', 'helm', 'version'),
      targetNamespace: stringAt(object, 'spec', 'namespace') ?? stringAt(object, 'spec', 'defaultNamespace'),
    }),
  };
}

/** Deliveries of folders. */
export const GIT_REPO_FACTS: DeliveryFacts = {
  kind: GIT_REPO,
  ...COMMON,
  read: (object) => ({ suspended: fieldAt(object, 'spec', 'paused') === true, targetNamespace: stringAt(object, 'spec', 'targetNamespace') }),
  folders: (object) => {
    const source = { source: stringAt(object, 'spec', 'repo'), sourceName: `GitRepo ${nameOf(object) ?? ''}`, mayBeOther: true };
    const paths = pathsOf(object);
    return (paths.length === 0 ? [''] : paths).map((path) => {
      const parts = path.split('/');
      const first = parts.findIndex((part) => GLOB.test(part));
      return { path: first < 0 ? path : parts.slice(0, first).join('/'), ...source };
    });
  },
};

/** Options of Fleet itself, and of Helm that change how it waits. */
const BESIDE: readonly string[] = [
  'correctDrift', 'deleteCRDResources', 'deleteNamespace', 'dependsOn', 'diff', 'helm.atomic', 'helm.disableDependencyUpdate', 'helm.force', 'helm.maxHistory',
  'helm.skipSchemaValidation', 'helm.takeOwnership', 'helm.timeoutSeconds', 'helm.waitForJobs', 'helmSecretName', 'ignore', 'insecureSkipTLSVerify', 'keepResources',
  'labels', 'paused', 'pollingInterval', 'rolloutStrategy',
];

const BUNDLE_FIELDS = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  ...Object.fromEntries(BESIDE.map((field) => [`spec.${field}`, Effect.IN_PLACE])),
  'spec.helm': { effect: Effect.RELEASE, word: 'helm' },
  'spec.helm.chart': { effect: Effect.RELEASE, word: 'chart' },
  'spec.helm.releaseName': { effect: Effect.DELETED, word: 'uninstalled after it is installed anew: release name' },
  'spec.helm.values': { effect: Effect.RELEASE, word: 'values' },
  'spec.helm.version': { effect: Effect.RELEASE, word: 'version' },
  'spec.kustomize': { effect: Effect.RELEASE, word: 'kustomize' },
  'spec.namespace': { effect: Effect.DELETED, word: 'uninstalled after it is installed anew: namespace' },
  'spec.defaultNamespace': { effect: Effect.DELETED, word: 'uninstalled after it is installed anew: namespace' },
  'spec.targetCustomizations': { effect: Effect.RELEASE, word: 'customization' },
});

/**
 * Effects of a changed bundle. A release has the namespace and name in its key: of one with another key, the former one is uninstalled.
 *
 * Source: rancher/fleet internal/cmd/agent/deployer/cleanup/cleanup.go (cleanup, releaseKey), 3b2c622.
 */
export function bundleEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  return groupEffects([...targetEffects(update), ...BUNDLE_FIELDS(withoutTargets(update))]);
}

const REPOSITORY_FIELDS = {
  'metadata': Effect.IN_PLACE,
  ...Object.fromEntries([
    'caBundle', 'clientSecretName', 'correctDrift', 'deleteNamespace', 'disablePolling', 'helmRepoURLRegex', 'helmSecretName', 'helmSecretNameForPaths', 'imageScanCommit',
    'imageScanInterval', 'insecureSkipTLSVerify', 'keepResources', 'ociRegistrySecret', 'paused', 'pollingInterval', 'webhookSecret',
  ].map((field) => [`spec.${field}`, Effect.IN_PLACE])),
  'spec.forceSyncGeneration': { effect: Effect.RELEASE, word: 'applied anew:' },
} as const;

/** Fields by which another content is applied, which is not among the files. */
const CONTENT: readonly string[] = ['branch', 'repo', 'revision'];

/** Effects of a changed GitRepo: those of other paths are the effects on the objects and bundles in them, where they were read. */
export function gitRepoEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const isOther = CONTENT.some((field) => !sameValue(fieldAt(update.before, 'spec', field), fieldAt(update.after, 'spec', field)));
  const isRead = update.isBuilt || update.isRead?.(update.after) === true;
  return groupEffects([
    ...isOther ? [{ effect: Effect.UNKNOWN, reasons: ['other content is applied, which is not read, and what it does not have is deleted'] }] : [],
    ...targetEffects(update),
    ...effectsOfFields({ ...REPOSITORY_FIELDS, 'spec.paths': { effect: isRead ? Effect.IN_PLACE : Effect.UNKNOWN, word: 'paths' } })(withoutTargets(update)),
  ]);
}

function withoutTargets<T extends ObjectUpdate>(update: T): T {
  const [before, after] = [update.before, update.after].map((object) => (
    { ...object, spec: Object.fromEntries(Object.entries(isFields(object.spec) ? object.spec : {}).filter(([field]) => field !== 'targets')) }));
  return { ...update, before, after };
}

/** Effects on clusters that are selected newly or no longer. Fleet removes what it has deployed from those that no target is for any more. */
function targetEffects({ before, after, old, now }: ObjectUpdate): ChangeEffect[] {
  if (sameValue(fieldAt(before, 'spec', 'targets'), fieldAt(after, 'spec', 'targets'))) return [];
  const [former, later] = [selectedBy(before, old), selectedBy(after, now)];
  if (!former || !later || former.length + later.length === 0) {
    return [{ effect: Effect.UNKNOWN, reasons: ['it is for other clusters, which are not among the manifests; what it has deployed is removed from those that it is for no longer'] }];
  }
  const known = clustersOf(after, now).map(nameOf);
  const [gone, come] = [former.filter((name) => !later.includes(name) && known.includes(name)), later.filter((name) => !former.includes(name))];
  const keeps = COMMON.keepsRemoved(before);
  return [
    ...gone.length === 0 ? [] : [{
      effect: keeps ? Effect.IN_PLACE : Effect.DELETED, reasons: [`${keeps ? 'stays, without updates, in' : 'withdrawn from'} ${gone.join(', ')}, which it is for no longer`],
    }],
    ...come.length === 0 ? [] : [{ effect: Effect.RELEASE, reasons: [`deployed in ${come.join(', ')}, which it is for from now on`] }],
    ...gone.length + come.length > 0 ? [] : [{ effect: Effect.IN_PLACE, reasons: ['other targets of the same clusters'] }],
  ];
}

/** Names of the clusters that an object is for; undefined where groups of clusters decide. */
function selectedBy(object: ManifestObject, index: ManifestIndex): readonly string[] | undefined {
  const targets = objectsAt(object, 'spec', 'targets').map(([target]) => target);
  if (targets.length === 0 || targets.some((target) => isSet(target, 'clusterGroup') || isSet(target, 'clusterGroupSelector'))) return undefined;
  return clustersOf(object, index).filter((cluster) => targets.some((target) => isTarget(cluster, target))).map((cluster) => nameOf(cluster) ?? '');
}

function isTarget(cluster: ManifestObject, target: Fields): boolean {
  const labels = fieldAt(cluster, 'metadata', 'labels');
  const name = stringAt(target, 'clusterName');
  if (name !== undefined && name !== nameOf(cluster)) return false;
  return isSet(target, 'clusterSelector') ? selects(target.clusterSelector, isFields(labels) ? labels : {}) : name !== undefined;
}

/** The clusters of a workspace, as far as they are written. */
function clustersOf(object: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const registered = index.allIn(FLEET_CLUSTER, namespaceOf(object));
  return registered.length > 0 ? registered : index.allIn(CLUSTER, namespaceOf(object));
}
