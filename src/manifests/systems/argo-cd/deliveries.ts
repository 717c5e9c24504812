import { objectSources } from './application-sources';
import { APPLICATION } from './argo-cd-kinds';
import { ManifestObject } from '../../objects/manifest-object';
import { ClusterTarget, Delivery, DeliveryFacts } from '../../rules/provider';
import { fieldAt, isSet, listAt, stringAt } from '../../values/fields';

/** Argo CD's own cluster (argoproj/argo-cd docs/operator-manual/declarative-setup.md). */
export const OWN_SERVER = 'https://kubernetes.default.svc';
export const OWN_NAME = 'in-cluster';

/** The finalizer of an Application with which its objects are deleted along with it, in the foreground or in the background. */
export const CASCADE = 'resources-finalizer.argocd.argoproj.io';

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
