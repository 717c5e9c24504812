import { groupKind, ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { ClusterTarget, Delivery, DeliveryFacts } from '../../rules/provider';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../values/fields';

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
const CASCADE = 'resources-finalizer.argocd.argoproj.io';

/** What delivers with Argo CD. */
export const DELIVERIES: readonly DeliveryFacts[] = [{
  kind: APPLICATION,
  installsChart: 'maybe',
  isForTenant: (object) => stringAt(object, 'spec', 'destination', 'server') !== OWN_SERVER && stringAt(object, 'spec', 'destination', 'name') !== OWN_NAME,
  target: (object): ClusterTarget => ({
    by: 'registration', server: stringAt(object, 'spec', 'destination', 'server'), name: stringAt(object, 'spec', 'destination', 'name'),
  }),
  read: readApplication,
  folders: (object) => objectSources(object).filter(({ source }) => stringAt(source, 'chart') === undefined).map(({ source }) => ({
    path: stringAt(source, 'path') ?? '', source: stringAt(source, 'repoURL'), flat: fieldAt(source, 'directory', 'recurse') !== true,
  })),
  keepsRemoved,
}];

/** Sources: argoproj/argo-cd docs/user-guide/app_deletion.md, docs/user-guide/auto_sync.md. */
function keepsRemoved(object: ManifestObject, after: ManifestObject | undefined): boolean {
  if (!after) return !listAt(object, 'metadata', 'finalizers').some((finalizer) => String(finalizer).startsWith(CASCADE));
  const automated = fieldAt(after, 'spec', 'syncPolicy', 'automated');
  return fieldAt(automated, 'prune') !== true || fieldAt(automated, 'enabled') === false;
}

/** Values of charts that an Application does not hold as fields. */
export function valuesElsewhere(application: ManifestObject): string[] {
  return objectSources(application).flatMap(({ source }) => ['values', 'parameters', 'valueFiles', 'fileParameters']
    .filter((field) => isSet(source, 'helm', field)).map((field) => `has spec.source.helm.${field}, which may name other images`));
}

function readApplication(object: ManifestObject): Delivery {
  const sources = objectSources(object).map(({ source }) => source);
  const charts = sources.filter((source) => stringAt(source, 'chart') !== undefined);
  const paths = sources.map((source) => stringAt(source, 'path')).filter((path) => path !== undefined);
  return {
    targetNamespace: stringAt(object, 'spec', 'destination', 'namespace'),
    ...(charts.length === 1 && { chart: stringAt(charts[0], 'chart'), version: stringAt(charts[0], 'targetRevision') }),
    ...(charts.length === 0 && paths.length === 1 && { path: paths[0] }),
  };
}

const PLACEHOLDER = /\{\{\s*\.?([\w.-]+)\s*\}\}/g;

/**
 * The Applications that Argo CD makes of an ApplicationSet whose elements stand in it.
 *
 * Sources: argoproj/argo-cd docs/operator-manual/applicationset/Generators-List.md, docs/operator-manual/applicationset/Application-Deletion.md.
 *
 * @returns undefined if elements come from somewhere else, or the template does more than fill in their values
 */
export function madeApplications(set: ManifestObject): ManifestObject[] | undefined {
  const generators = listAt(set, 'spec', 'generators');
  const template = fieldAt(set, 'spec', 'template');
  if (!isFields(template) || isSet(set, 'spec', 'templatePatch') || !generators.every(isList)) return undefined;
  const made = generators.flatMap((generator) => objectsAt(generator, 'list', 'elements').map(([element]) => filledIn(template, element) as Fields));
  if (JSON.stringify(made).includes('{{')) return undefined;
  const cascades = fieldAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') !== true;
  const isKept = ['create-only', 'create-update'].includes(stringAt(set, 'spec', 'syncPolicy', 'applicationsSync') ?? '');
  return made.map(({ metadata, spec }) => ({
    apiVersion: set.apiVersion,
    kind: APPLICATION.slice(APPLICATION.indexOf('/') + 1),
    metadata: {
      ...metadata as Fields,
      namespace: namespaceOf(set),
      finalizers: cascades ? [CASCADE] : [],
      ...(isKept && { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } }),
    },
    spec,
  }));
}

function isList(generator: unknown): boolean {
  return isFields(generator) && Object.keys(generator).join() === 'list' && Array.isArray(fieldAt(generator, 'list', 'elements'))
    && !isSet(generator, 'list', 'elementsYaml') && !isSet(generator, 'list', 'template');
}

/** A template with the values of an element. A placeholder without a value stays. */
function filledIn(value: unknown, element: Fields): unknown {
  if (typeof value === 'string') {
    return value.replace(PLACEHOLDER, (whole, path: string) => {
      const found = fieldAt(element, ...path.split('.')) ?? element[path];
      return typeof found === 'string' || typeof found === 'number' ? String(found) : whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, element));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, element)]));
}
