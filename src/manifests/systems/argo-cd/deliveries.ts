import * as path from 'node:path';
import { globPattern } from './glob-pattern';
import { keepsOut } from './ignored-differences';
import { syncOpenings } from './sync-windows';
import { groupKind, ManifestObject, nameOf } from '../../objects/manifest-object';
import { readText } from '../../objects/manifest-text';
import { isKeptByHelm, TRACKING_ID } from '../../objects/prune-annotations';
import { ChartRender, ClusterTarget, DeliveredFolder, Delivery, DeliveryFacts } from '../../rules/delivery-facts';
import { DEFINITION } from '../../rules/structure/kind-definitions';
import { ValuesLayer } from '../../rules/tenant-charts';
import { nestedValue } from '../../values/chart-values';
import { fieldAt, FieldPath, Fields, isFields, isFilled, isSet, listAt, objectsAt, stringAt } from '../../values/fields';
import { hideSecretParts } from '../../values/secret-text';

export const APPLICATION = 'argoproj.io/Application';
export const APPLICATION_SET = 'argoproj.io/ApplicationSet';

/** A source of an Application, where it stands. */
export interface ApplicationSource {
  readonly path: FieldPath;
  readonly source: Fields;
}

/** The spec of an Application, or that of the Applications that an ApplicationSet makes. */
export function applicationSpec(object: ManifestObject): string[] {
  return groupKind(object) === APPLICATION_SET ? ['spec', 'template', 'spec'] : ['spec'];
}

/**
 * Sources that Argo CD reads objects from: `sources` wins over `source`, and the hydrator over both.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/types.go (GetSources, GetSyncSource), v3.5.1.
 */
export function objectSources(object: ManifestObject): ApplicationSource[] {
  const spec = applicationSpec(object);
  const hydrated = fieldAt(object, ...spec, 'sourceHydrator', 'syncSource');
  if (isFields(hydrated)) {
    const repoURL = stringAt(hydrated, 'repoURL') ?? stringAt(object, ...spec, 'sourceHydrator', 'drySource', 'repoURL');
    return [{ path: [...spec, 'sourceHydrator', 'syncSource'], source: { ...hydrated, repoURL } }];
  }
  const several = objectsAt(object, ...spec, 'sources').map(([source, index]): ApplicationSource => ({ path: [...spec, 'sources', index], source }));
  const one = fieldAt(object, ...spec, 'source');
  if (several.length === 0) return isFields(one) ? [{ path: [...spec, 'source'], source: one }] : [];
  // A source that others refer to by name holds files of values only.
  return several.filter(({ source }) => ['chart', 'path'].some((field) => stringAt(source, field) !== undefined) || stringAt(source, 'ref') === undefined);
}

/** Argo CD's own cluster (argoproj/argo-cd docs/operator-manual/declarative-setup.md). */
export const OWN_SERVER = 'https://kubernetes.default.svc';
export const OWN_NAME = 'in-cluster';

/** The finalizer of an Application with which its objects are deleted along with it, in the foreground or in the background. */
export const CASCADE = 'resources-finalizer.argocd.argoproj.io';

/** Deliveries with Argo CD. */
export const DELIVERIES: readonly DeliveryFacts[] = [{
  kind: APPLICATION,
  installsChart: 'maybe',
  isForTenant: (object) => stringAt(object, 'spec', 'destination', 'server') !== OWN_SERVER && stringAt(object, 'spec', 'destination', 'name') !== OWN_NAME,
  target: (object): ClusterTarget => ({
    by: 'registration', server: stringAt(object, 'spec', 'destination', 'server'), name: stringAt(object, 'spec', 'destination', 'name'),
  }),
  read: readApplication,
  folders: (object) => objectSources(object).filter(({ source }) => stringAt(source, 'chart') === undefined).map(({ source }) => ({
    path: stringAt(source, 'path') ?? '',
    source: stringAt(source, 'repoURL'),
    sourceName: hideSecretParts(stringAt(source, 'repoURL') ?? ''),
    flat: fieldAt(source, 'directory', 'recurse') !== true,
    ...filterOf(source),
  })),
  keepsRemoved,
  // argoproj/argo-cd util/app/path/path.go (app path does not exist), v3.6.1.
  failsWithoutFolder: true,
  leaves,
  asks: (applied, application, after) => removalOption(after ? 'Prune' : 'Delete', applied, after ?? application) === 'confirm',
  stopped: { metadata: { finalizers: [] }, spec: { syncPolicy: { automated: null } } },
  // argoproj/argo-cd gitops-engine/pkg/cache/cluster.go (GetManagedLiveObjs): objects with owner references are not managed.
  leavesOwned: true,
  keepsWithoutManifests: (object) => fieldAt(object, 'spec', 'syncPolicy', 'automated', 'allowEmpty') !== true,
  openings: syncOpenings,
  holds,
  recreates,
  forces,
  keepsOut,
  marks,
  setsBack,
  kustomizes,
  renders,
  valuesFiles,
  layers,
}];

/**
 * The files of a folder that an Application takes.
 *
 * Source: argoproj/argo-cd reposerver/repository/repository.go (getPotentiallyValidManifestFile), v3.6.1.
 */
function filterOf(source: Fields): Pick<DeliveredFolder, 'takes'> {
  const [include, exclude] = ['include', 'exclude'].map((field) => stringAt(source, 'directory', field)).map((pattern) => (pattern ? globPattern(pattern) : undefined));
  return include || exclude ? { takes: (file) => include?.(file) !== false && exclude?.(file) !== true } : {};
}

/**
 * The chart of an Application that is in a folder, if it has one such source.
 *
 * Source: argoproj/argo-cd reposerver/repository/repository.go (helmTemplate), v3.5.1.
 */
function renders(application: ManifestObject): ChartRender | undefined {
  const sources = objectSources(application).filter(({ source }) => stringAt(source, 'path') !== undefined && stringAt(source, 'chart') === undefined);
  if (sources.length !== 1) return undefined;
  const [{ source }] = sources;
  const helm = fieldAt(source, 'helm');
  const text = fieldAt(helm, 'valuesObject') === undefined ? stringAt(helm, 'values') : JSON.stringify(fieldAt(helm, 'valuesObject'));
  return {
    path: stringAt(source, 'path')!,
    source: stringAt(source, 'repoURL'),
    release: stringAt(helm, 'releaseName') ?? nameOf(application) ?? '',
    namespace: stringAt(helm, 'namespace') ?? stringAt(application, 'spec', 'destination', 'namespace'),
    values: [
      // $name is the top of another source of the Application.
      ...listAt(helm, 'valueFiles').map(String).map((file) => ({
        file: file.replace(/^\$[^/]+\//, ''), ofSource: /^\$|^\//.test(file), isOptional: fieldAt(helm, 'ignoreMissingValueFiles') === true,
      })),
      ...text === undefined ? [] : [{ text }],
    ],
    set: objectsAt(helm, 'parameters').map(([one]) => ({ value: `${String(one.name)}=${String(one.value)}`, isString: one.forceString === true })),
    skipsDefinitions: fieldAt(helm, 'skipCrds') === true,
    ...(isSet(helm, 'fileParameters') && { fault: 'its fileParameters are not read' }),
  };
}

/** Files with values: `$name` is the top of another source, and other paths begin at the folder of the chart, or with / at the top. */
function valuesFiles(application: ManifestObject): readonly string[] {
  return objectSources(application).flatMap(({ source }) => listAt(source, 'helm', 'valueFiles').map(String).flatMap((file) => {
    const ofTop = /^(?:\$[^/]+)?\/(.+)$/.exec(file)?.[1];
    const folder = stringAt(source, 'path');
    if (ofTop !== undefined) return [path.posix.normalize(ofTop)];
    return folder === undefined || file.includes('://') ? [] : [path.posix.join(folder, file)];
  }));
}

/**
 * Values of the chart of an Application, if it has one such source.
 *
 * Source: argoproj/argo-cd docs/user-guide/helm.md (order of precedence), v3.5.1.
 */
function layers(application: ManifestObject): readonly ValuesLayer[] | undefined {
  const charts = objectSources(application).filter(({ source }) => stringAt(source, 'chart') !== undefined);
  if (charts.length !== 1) return undefined;
  const [{ source, path: place }] = charts;
  const at = [...place, 'helm'];
  const helm = fieldAt(source, 'helm');
  const [fields, text] = [fieldAt(helm, 'valuesObject'), stringAt(helm, 'values')];
  const read = text === undefined ? undefined : readText(text).documents[0]?.value;
  return [
    ...listAt(helm, 'valueFiles').length > 0 ? [{ path: [...at, 'valueFiles'] }] : [],
    ...isFields(fields) ? [{ path: [...at, 'valuesObject'], values: fields }] : [],
    ...!isFields(fields) && text !== undefined ? [{ path: [...at, 'values'], isWhole: true, ...isFields(read) && { values: read } }] : [],
    ...objectsAt(helm, 'parameters').map(([parameter, position]) => ({
      path: [...at, 'parameters', position, 'value'], isWhole: true, values: parameterValues(parameter),
    })),
    ...listAt(helm, 'fileParameters').length > 0 ? [{ path: [...at, 'fileParameters'] }] : [],
  ];
}

/** A single value as `helm --set` reads it; lists and escapes are left out. */
function parameterValues(parameter: Fields): Fields | undefined {
  const [name, value] = [stringAt(parameter, 'name'), stringAt(parameter, 'value')];
  if (name === undefined || value === undefined || /[[\]{}\\]/.test(name + value)) return undefined;
  return nestedValue(name, value);
}

/** An image as Argo CD writes it: \`old=new:tag@digest\`. */
const IMAGE = /^(?:(?<name>[^=]+)=)?(?<newName>[^@]+?)(?::(?<newTag>[^:/@]+))?(?:@(?<digest>.+))?$/;

/**
 * Fields that an Application with one source writes into the kustomization of its folder.
 *
 * Source: argoproj/argo-cd util/kustomize/kustomize.go (Build), v3.5.1.
 */
function kustomizes(application: ManifestObject): Fields | undefined {
  const sources = objectSources(application);
  const given = sources.length === 1 ? fieldAt(sources[0].source, 'kustomize') : undefined;
  if (!isFields(given)) return undefined;
  const same = ['commonAnnotations', 'components', 'namePrefix', 'nameSuffix', 'namespace', 'patches'].filter((field) => isSet(given, field));
  const images = listAt(given, 'images').flatMap((image) => {
    const { name, newName, newTag, digest } = IMAGE.exec(String(image))?.groups ?? {};
    if (newName === undefined) return [];
    const renamed = name === undefined ? { name: newName } : { name, newName };
    return [{ ...renamed, ...(newTag !== undefined && { newTag }), ...(digest !== undefined && { digest }) }];
  });
  const labels = isFilled(given, 'commonLabels')
    ? [{
      pairs: given.commonLabels,
      includeSelectors: given.labelWithoutSelector !== true,
      includeTemplates: given.labelIncludeTemplates === true,
    }] : [];
  const replicas = objectsAt(given, 'replicas').map(([entry]) => ({ name: entry.name, count: Number(entry.count) }));
  const added = {
    ...Object.fromEntries(same.map((field) => [field, given[field]])),
    ...(images.length > 0 && { images }),
    ...(labels.length > 0 && { labels }),
    ...(replicas.length > 0 && { replicas }),
  };
  return Object.keys(added).length === 0 ? undefined : added;
}

/** True if what an Application installed stays (argoproj/argo-cd docs/user-guide/app_deletion.md, docs/user-guide/auto_sync.md). */
export function keepsRemoved(object: ManifestObject, after: ManifestObject | undefined): boolean {
  if (!after) return !listAt(object, 'metadata', 'finalizers').some((finalizer) => typeof finalizer === 'string' && finalizer.startsWith(CASCADE));
  return fieldAt(after, 'spec', 'syncPolicy', 'automated', 'prune') !== true || !syncsByItself(after);
}

/**
 * True if a sync does not prune an object, or the deletion of its Application leaves it. The option of an object wins over that of its Application.
 *
 * Sources: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go (getSyncTasks, isPruningDisabled), controller/appcontroller.go (shouldBeDeleted), v3.6.1.
 */
function leaves(applied: ManifestObject, application: ManifestObject, after: ManifestObject | undefined): boolean {
  if (after) return isHook(applied) || removalOption('Prune', applied, after) === 'false';
  return removalOption('Delete', applied, application) === 'false' || isKeptByHelm(applied) || groupKind(applied) === DEFINITION;
}

function removalOption(name: 'Prune' | 'Delete', applied: ManifestObject, application: ManifestObject): string | undefined {
  return [...objectOptions(applied), ...listAt(application, 'spec', 'syncPolicy', 'syncOptions').map(String)]
    .find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * True of a hook, which each sync runs, and none prunes.
 *
 * Source: argoproj/argo-cd gitops-engine/pkg/sync/hook/hook.go (IsHook), hook/helm/hook.go, v3.6.1.
 */
function isHook(object: ManifestObject): boolean {
  const [own, ofHelm] = [`${ANNOTATION}/hook`, 'helm.sh/hook'].map((name) => stringAt(object, 'metadata', 'annotations', name));
  return own === undefined ? ofHelm !== undefined && ofHelm !== 'crd-install' : own.trim() !== 'Skip';
}

/** True if an Application applies changes by itself (argoproj/argo-cd docs/user-guide/auto_sync.md). */
function syncsByItself(application: ManifestObject): boolean {
  const automated = fieldAt(application, 'spec', 'syncPolicy', 'automated');
  return isFields(automated) && automated.enabled !== false;
}

const ANNOTATION = 'argocd.argoproj.io';

/**
 * The Application in the tracking id of an object. Its namespace is there where it is not that of Argo CD, which no mark tells.
 *
 * Source: argoproj/argo-cd util/argo/resource_tracking.go (ParseAppInstanceValue), v3.6.0.
 */
function marks(applied: ManifestObject): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace = 'argocd', name] = /^(?:([^_:]+)_)?([^_:]+):/.exec(stringAt(applied, 'metadata', 'annotations', TRACKING_ID) ?? '') ?? [];
  return name === undefined ? undefined : { namespace, name };
}

/** Source: argoproj/argo-cd docs/user-guide/auto_sync.md (automatic self-healing), v3.6.0. */
function setsBack(application: ManifestObject): boolean {
  const automated = fieldAt(application, 'spec', 'syncPolicy', 'automated');
  return fieldAt(automated, 'selfHeal') === true && fieldAt(automated, 'enabled') !== false;
}

/** Phases of a sync in their order. */
const PHASES: readonly string[] = ['PreSync', 'Sync', 'PostSync'];

/** Hooks of Helm by the phase that Argo CD runs them in, if there is no hook of its own. */
const HELM_PHASES: Readonly<Record<string, string>> = { 'pre-install': 'PreSync', 'pre-upgrade': 'PreSync', 'post-install': 'PostSync', 'post-upgrade': 'PostSync' };

/**
 * Parts of a sync that are left out because an object is refused: it ends with the wave in which that happens, of which it prunes first and applies
 * everything. The dry run before it is one of the client, which no webhook sees.
 *
 * Sources: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go (Sync, runTasks, applyObject), sync_tasks.go, syncwaves/waves.go,
 * hook/helm/type.go, v3.6.0.
 */
function holds(refused: ManifestObject, application: ManifestObject): (manifest: ManifestObject, isPruned: boolean) => boolean {
  const isLast = (manifest: ManifestObject) => [
    stringAt(manifest, 'metadata', 'annotations', `${ANNOTATION}/sync-options`) ?? '', ...listAt(application, 'spec', 'syncPolicy', 'syncOptions').map(String),
  ].some((options) => options.split(',').some((option) => option.trim() === 'PruneLast=true'));
  const last = turnOf(refused);
  return (manifest, isPruned) => {
    if (isPruned && isLast(manifest)) return true;
    const [phase, wave] = turnOf(manifest);
    return phase > last[0] || (phase === last[0] && wave > last[1]);
  };
}

/** The sync options in the annotation of an object. */
export function objectOptions(object: ManifestObject): readonly string[] {
  return (stringAt(object, 'metadata', 'annotations', `${ANNOTATION}/sync-options`) ?? '').split(',').map((option) => option.trim());
}

/** True of a kind whose objects a sync with Replace=true updates and never deletes. */
export function isNeverRecreated(kind: string): boolean {
  return kind === 'apiextensions.k8s.io/CustomResourceDefinition' || kind.endsWith('/Namespace');
}

/**
 * True if a sync replaces an object by force. Force is read of the object alone, as it is in the cluster or in Git, and Replace of the Application, too.
 * A sync applies all objects of its Application.
 *
 * Sources: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go (applyObject), controller/sync.go (WithOperationSettings, WithReplace,
 * WithResourceModificationChecker), v3.6.0; kubernetes/kubectl pkg/cmd/replace/replace.go (forceReplace), v0.36.2.
 */
function recreates(application: ManifestObject, manifest: ManifestObject, former: ManifestObject, differs: boolean): boolean {
  if (isNeverRecreated(groupKind(manifest))) return false;
  // By default it is deleted before it runs again.
  const policies = stringAt(former, 'metadata', 'annotations', `${ANNOTATION}/hook-delete-policy`) ?? 'BeforeHookCreation';
  if (isHook(manifest) && isHook(former)) return differs && /BeforeHookCreation|HookSucceeded/.test(policies);
  const ofApplication = listAt(application, 'spec', 'syncPolicy', 'syncOptions');
  if (!differs && ofApplication.includes('ApplyOutOfSyncOnly=true')) return false;
  const own = [manifest, former].flatMap(objectOptions);
  return own.includes('Force=true') && (own.includes('Replace=true') || ofApplication.includes('Replace=true'));
}

/**
 * True if a sync deletes an object whose change is refused, and creates it anew: `kubectl apply --force` does so on the side of the client.
 *
 * Sources: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go (applyObject, shouldUseServerSideApply), v3.6.1; kubernetes/kubectl
 * pkg/cmd/apply/patcher.go (Patch), v0.36.2.
 */
function forces(application: ManifestObject, manifest: ManifestObject, former: ManifestObject): boolean {
  const own = objectOptions(manifest);
  const isServerSide = !own.includes('ServerSideApply=false')
    && [...own, ...listAt(application, 'spec', 'syncPolicy', 'syncOptions')].includes('ServerSideApply=true');
  return !isServerSide && [...own, ...objectOptions(former)].includes('Force=true');
}

/** The phase and wave of a manifest. */
function turnOf(manifest: ManifestObject): readonly [phase: number, wave: number] {
  const annotation = (name: string) => stringAt(manifest, 'metadata', 'annotations', name) ?? '';
  const listed = (name: string) => annotation(name).split(',').map((text) => text.trim());
  const phases = [listed(`${ANNOTATION}/hook`), listed('helm.sh/hook').map((hook) => HELM_PHASES[hook])]
    .map((hooks) => hooks.map((hook) => PHASES.indexOf(hook)).filter((phase) => phase >= 0)).find((found) => found.length > 0);
  const wave = [`${ANNOTATION}/sync-wave`, 'helm.sh/hook-weight'].map(annotation).find((text) => /^[+-]?\d+$/.test(text));
  return [phases ? Math.min(...phases) : PHASES.indexOf('Sync'), Number(wave ?? 0)];
}

/** Values of charts that an Application does not hold as fields. */
export function valuesElsewhere(application: ManifestObject): string[] {
  return objectSources(application).flatMap(({ source }) => ['values', 'parameters', 'valueFiles', 'fileParameters']
    .filter((field) => isSet(source, 'helm', field)).map((field) => `has spec.source.helm.${field}, which may name other images`));
}

function readApplication(object: ManifestObject): Delivery {
  const sources = objectSources(object).map(({ source }) => source);
  const charts = sources.filter((source) => stringAt(source, 'chart') !== undefined);
  const paths = sources.map((source) => stringAt(source, 'path')).filter((folder) => folder !== undefined);
  return {
    isManual: !syncsByItself(object),
    targetNamespace: stringAt(object, 'spec', 'destination', 'namespace'),
    ...(charts.length === 1 && { chart: stringAt(charts[0], 'chart'), version: stringAt(charts[0], 'targetRevision') }),
    ...(charts.length === 0 && paths.length === 1 && { path: paths[0] }),
  };
}
