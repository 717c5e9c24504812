import { chartOf, HELM_CHART, HELM_RELEASE, KUSTOMIZATION, namedChart } from './deliveries';
import { inPlace, SOURCE_EFFECTS } from './source-effects';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { withoutSecrets } from '../../objects/secret-values';
import { ChangeEffect, Effect, EffectsOf, effectsOfFields, FieldEffects, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, sameValue, stringAt } from '../../values/fields';

/**
 * Effects of fields of Flux's objects, by kind.
 *
 * Sources: fluxcd/helm-controller internal/reconcile/state.go (DetermineReleaseState), v1.6.3; fluxcd/kustomize-controller
 * docs/spec/v1/kustomizations.md, v1.9.4.
 */
export const DELIVERY_FIELDS: Readonly<Record<string, FieldEffects>> = {
  [HELM_RELEASE]: {
    ...inPlace(
      'dependsOn', 'driftDetection', 'healthCheckExprs', 'install', 'interval', 'maxHistory', 'persistentClient', 'rollback', 'serviceAccountName', 'suspend',
      'test', 'timeout', 'uninstall', 'upgrade', 'waitStrategy',
    ),
    'spec.chart': { effect: Effect.RELEASE, word: 'chart' },
    'spec.chart.metadata': { effect: Effect.IN_PLACE, word: 'chart metadata' },
    'spec.chart.spec.interval': { effect: Effect.IN_PLACE, word: 'chart interval' },
    'spec.chart.spec.verify': { effect: Effect.IN_PLACE, word: 'chart verification' },
    'spec.chart.spec.version': { effect: Effect.RELEASE, word: 'version' },
    'spec.chartRef': { effect: Effect.RELEASE, word: 'chart' },
    'spec.commonMetadata': { effect: Effect.RELEASE, word: 'commonMetadata' },
    'spec.postRenderers': { effect: Effect.RELEASE, word: 'postRenderers' },
    'spec.values': { effect: Effect.RELEASE, word: 'values' },
    'spec.valuesFrom': { effect: Effect.RELEASE, word: 'valuesFrom' },
  },
  [KUSTOMIZATION]: {
    ...inPlace(
      'commonMetadata', 'deletionPolicy', 'dependsOn', 'force', 'healthCheckExprs', 'healthChecks', 'ignore', 'interval', 'prune', 'retryInterval', 'serviceAccountName',
      'suspend', 'timeout', 'wait',
    ),
    'spec.buildMetadata': { effect: Effect.RELEASE, word: 'buildMetadata' },
    'spec.components': { effect: Effect.UNKNOWN, word: 'components' },
    'spec.decryption': { effect: Effect.RELEASE, word: 'decryption' },
    'spec.images': { effect: Effect.RELEASE, word: 'images' },
    'spec.patches': { effect: Effect.UNKNOWN, word: 'patches' },
    'spec.path': { effect: Effect.RELEASE, word: 'path' },
    'spec.postBuild': { effect: Effect.RELEASE, word: 'postBuild' },
    'spec.postBuild.substituteFrom': { effect: Effect.UNKNOWN, word: 'postBuild.substituteFrom' },
    'spec.sourceRef': { effect: Effect.UNKNOWN, word: 'source' },
  },
  [HELM_CHART]: {
    ...inPlace('ignoreMissingValuesFiles', 'interval', 'suspend', 'verify'),
    'spec.chart': { effect: Effect.RELEASE, word: 'chart' },
    'spec.reconcileStrategy': { effect: Effect.RELEASE, word: 'reconcileStrategy' },
    'spec.sourceRef': { effect: Effect.RELEASE, word: 'source' },
    'spec.valuesFiles': { effect: Effect.RELEASE, word: 'valuesFiles' },
    'spec.version': { effect: Effect.RELEASE, word: 'version' },
  },
};

/** Fields of a Kustomization whose effects are those of the objects that were built with them. */
const BUILT: FieldEffects = {
  ...DELIVERY_FIELDS[KUSTOMIZATION],
  'spec.components': { effect: Effect.RELEASE, word: 'components' },
  'spec.namePrefix': { effect: Effect.RELEASE, word: 'namePrefix' },
  'spec.nameSuffix': { effect: Effect.RELEASE, word: 'nameSuffix' },
  'spec.patches': { effect: Effect.RELEASE, word: 'patches' },
};

/** Fields of a Kustomization whose effects are those of the objects in its folder, if these were read as it applies them. */
const READ: FieldEffects = Object.fromEntries(['path', 'postBuild', 'postBuild.substitute'].map((field) => [`spec.${field}`, { effect: Effect.IN_PLACE, word: field }]));

function folderEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const fields = update.isBuilt ? BUILT : DELIVERY_FIELDS[KUSTOMIZATION];
  return effectsOfFields(update.isRead?.(update.after) ? { ...fields, ...READ } : fields)(update);
}

/** Fields that decide where something is delivered to. */
const PLACE: readonly string[] = ['kubeConfig', 'releaseName', 'storageNamespace', 'targetNamespace'];

/** Kinds that tell others of what happens, or write to Git what another commit then delivers. */
const BESIDE: readonly string[] = [
  ...['Alert', 'Provider', 'Receiver'].map((kind) => `notification.toolkit.fluxcd.io/${kind}`),
  ...['ImagePolicy', 'ImageRepository', 'ImageUpdateAutomation'].map((kind) => `image.toolkit.fluxcd.io/${kind}`),
];

/** Effects of a changed delivery of Flux, or of a changed source of charts and manifests. */
export const DELIVERY_EFFECTS: Readonly<Record<string, EffectsOf>> = {
  ...Object.fromEntries(Object.entries(DELIVERY_FIELDS).map(([kind, fields]) => [kind, effectsOfFields(fields)])),
  [HELM_RELEASE]: withPlaces(releasePlaces, releaseEffects(effectsOfFields(DELIVERY_FIELDS[HELM_RELEASE]))),
  [KUSTOMIZATION]: withPlaces(folderPlaces, folderEffects),
  ...SOURCE_EFFECTS,
  // fluxcd/notification-controller docs/spec/v1beta3, v1.9.0; fluxcd/image-automation-controller docs/spec/v1/imageupdateautomations.md, v1.2.0.
  ...Object.fromEntries(BESIDE.map((kind) => [kind, effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE })])),
};

/**
 * Effects on a release. By which objects it finds its chart makes no difference: a chart that is the same is not installed again.
 *
 * Source: fluxcd/helm-controller internal/action/verify.go (VerifyRelease, ReleaseTargetChanged), internal/reconcile/helmchart_template.go, v1.6.3.
 */
function releaseEffects(effects: EffectsOf): EffectsOf {
  return (update) => {
    const [before, after] = [withChart(update.before, update.old), withChart(update.after, update.now)];
    if (!before || !after) return effects(update);
    const found = effects({ ...update, before, after });
    return found.length > 0 ? found : [{ effect: Effect.IN_PLACE, reasons: ['source of the chart'] }];
  };
}

/** A release with the chart itself in place of references, without secrets of its address; undefined if what it refers to is not among the manifests. */
function withChart(release: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const url = stringAt(withoutSecrets(chartOf(release, index).source), 'spec', 'url');
  if (url === undefined) return undefined;
  const { chartRef, chart, ...spec } = release.spec as Record<string, unknown>;
  return { ...release, spec: { ...spec, chart: { metadata: fieldAt(chart, 'metadata'), spec: { ...namedChart(release, index), url } } } };
}

/** Effects of fields, and what it means that something is delivered elsewhere. */
function withPlaces(places: (update: ObjectUpdate) => readonly ChangeEffect[], effects: EffectsOf): EffectsOf {
  return (update) => {
    // Spellings of one path are no change.
    const same = pathOf(update.before) === pathOf(update.after) ? [...PLACE, 'path'] : PLACE;
    const others = { ...update, before: without(same, update.before), after: without(same, update.after) };
    return groupEffects([...places(update), ...otherKeys(update), ...effects(others)]);
  };
}

function without(fields: readonly string[], object: ManifestObject): ManifestObject {
  if (!isFields(object.spec)) return object;
  return { ...object, spec: Object.fromEntries(Object.entries(object.spec).filter(([field]) => !fields.includes(field))) };
}

/** Another key of the same Secret. */
function otherKeys({ before, after }: ObjectUpdate): ChangeEffect[] {
  const [old, now] = [before, after].map((object) => fieldAt(object, 'spec', 'kubeConfig'));
  if (sameValue(old, now) || clusterOf(before) !== clusterOf(after)) return [];
  return [{ effect: Effect.UNKNOWN, reasons: [`another kubeconfig of ${clusterOf(after).replace('the cluster of ', '')}, which may be for another cluster`] }];
}

function pathOf(object: ManifestObject): string {
  const path = stringAt(object, 'spec', 'path') ?? '';
  return `./${path.split('/').filter((part) => part !== '' && part !== '.').join('/')}`;
}

/**
 * Effects of a release that is installed elsewhere, or uninstalled first.
 *
 * Source: fluxcd/helm-controller internal/action/verify.go (ReleaseTargetChanged, which does not compare clusters),
 * internal/controller/helmrelease_controller.go:376 (chartNameChangeStrategy), v1.6.3.
 */
function releasePlaces({ before, after, old: formerly, now: index }: ObjectUpdate): ChangeEffect[] {
  const [old, now] = [before, after].map(clusterOf);
  if (old !== now) return [redirected(`installed in ${now}; the release in ${old} stays there, and nothing updates or removes it`)];
  const [was, is] = [before, after].map(releaseOf);
  const [former, later] = [chartName(before, formerly), chartName(after, index)];
  const isOther = former !== undefined && later !== undefined && former !== later;
  if (isOther && stringAt(after, 'spec', 'upgrade', 'chartNameChangeStrategy') !== 'InPlaceUpdate') {
    return [{ effect: Effect.DELETED, reasons: [`${releaseWords(was)} of chart ${former} is uninstalled, then chart ${later} is installed`] }];
  }
  return sameValue(was, is) ? [] : [redirected(`${releaseWords(was)} is uninstalled, then ${releaseWords(is)} is installed`)];
}

/** Name of a chart; in a Git repository it is a folder, which has that name by custom. */
function chartName(release: ManifestObject, index: ManifestIndex): string | undefined {
  return namedChart(release, index).chart?.split('/').at(-1);
}

function releaseOf(object: ManifestObject) {
  const [target, storage, release] = ['targetNamespace', 'storageNamespace', 'releaseName'].map((field) => stringAt(object, 'spec', field));
  const own = namespaceOf(object);
  return {
    name: release ?? (target === undefined ? nameOf(object) : `${target}-${nameOf(object)}`), namespace: target ?? own, storage: storage ?? own,
  };
}

function releaseWords({ name, namespace, storage }: ReturnType<typeof releaseOf>): string {
  return `release ${name} in namespace ${namespace}${storage === namespace ? '' : ` (stored in ${storage})`}`;
}

/**
 * Effects of a folder that is applied elsewhere, and of the pruning because of the change.
 *
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (prune: what the new state does not have, in the cluster of
 * kubeConfig), v1.9.4.
 */
function folderPlaces({ before, after, isRead }: ObjectUpdate): ChangeEffect[] {
  const [old, now] = [before, after].map(clusterOf);
  const elsewhere = old === now ? [] : [redirected(`applied to ${now}; what it applied to ${old} stays there`)];
  const keeps = fieldAt(after, 'spec', 'prune') !== true;
  const [was, is] = [before, after].map((object) => stringAt(object, 'spec', 'targetNamespace'));
  const namespaces = was === is ? [] : [redirected(`applied ${is === undefined ? 'to the namespaces of its manifests' : `to namespace ${is}`}; `
    + `what it applied ${was === undefined ? 'to other namespaces' : `to namespace ${was}`} ${keeps || old !== now ? 'stays' : 'is deleted, if it is not marked against pruning'}`)];
  const isOther = [
    ...pathOf(before) === pathOf(after) ? [] : ['path'],
    ...sameValue(fieldAt(before, 'spec', 'sourceRef'), fieldAt(after, 'spec', 'sourceRef')) ? [] : ['sourceRef'],
  ];
  const pruned = isOther.length === 0 || keeps || (isOther[0] === 'path' && isOther.length === 1 && isRead?.(after)) ? [] : [{ effect: Effect.RELEASE, reasons: [`what the former ${isOther.includes('sourceRef') ? 'source' : 'path'} alone has is deleted`] }];
  return [...elsewhere, ...namespaces, ...pruned];
}

function redirected(reason: string): ChangeEffect {
  return { effect: Effect.REDIRECTED, reasons: [reason] };
}

/** The cluster that something is delivered to, by what stands for it. */
function clusterOf(object: ManifestObject): string {
  const config = fieldAt(object, 'spec', 'kubeConfig');
  const named = (['secretRef', 'configMapRef'] as const).flatMap((field) => {
    const name = stringAt(config, field, 'name');
    return name === undefined ? [] : [`the cluster of ${field === 'secretRef' ? 'Secret' : 'ConfigMap'} ${name}`];
  });
  return named[0] ?? 'the management cluster';
}
