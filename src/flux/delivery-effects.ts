import { BUCKET, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from './rules/flux-kinds';
import { Effect, EffectsOf, effectsOfFields, FieldEffects } from '../rules/changes/effects';

/** Fields that change how Flux works, and not what it applies. */
function inPlace(...names: readonly string[]): FieldEffects {
  return Object.fromEntries(['metadata', ...names.map((name) => `spec.${name}`)].map((field) => [field, Effect.IN_PLACE]));
}

/** Source: fluxcd/source-controller docs/spec/v1, v1.9.1. */
const SOURCE: FieldEffects = {
  ...inPlace(
    'accessFrom', 'certSecretRef', 'insecure', 'interval', 'passCredentials', 'provider', 'proxySecretRef', 'secretRef', 'serviceAccountName', 'suspend',
    'timeout', 'type', 'verify',
  ),
  'spec.ignore': { effect: Effect.RELEASE, word: 'ignored files' },
  'spec.include': { effect: Effect.RELEASE, word: 'included sources' },
  'spec.layerSelector': { effect: Effect.RELEASE, word: 'layer' },
  'spec.recurseSubmodules': { effect: Effect.RELEASE, word: 'submodules' },
  'spec.ref': { effect: Effect.RELEASE, word: 'version' },
  'spec.sparseCheckout': { effect: Effect.RELEASE, word: 'folders' },
  'spec.url': { effect: Effect.RELEASE, word: 'source' },
};

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
      'deletionPolicy', 'dependsOn', 'force', 'healthCheckExprs', 'healthChecks', 'ignore', 'interval', 'prune', 'retryInterval', 'serviceAccountName',
      'suspend', 'timeout', 'wait',
    ),
    'spec.buildMetadata': { effect: Effect.RELEASE, word: 'buildMetadata' },
    'spec.commonMetadata': { effect: Effect.RELEASE, word: 'commonMetadata' },
    'spec.components': { effect: Effect.RELEASE, word: 'components' },
    'spec.decryption': { effect: Effect.RELEASE, word: 'decryption' },
    'spec.images': { effect: Effect.RELEASE, word: 'images' },
    'spec.patches': { effect: Effect.RELEASE, word: 'patches' },
    'spec.path': { effect: Effect.RELEASE, word: 'path' },
    'spec.postBuild': { effect: Effect.RELEASE, word: 'postBuild' },
    'spec.sourceRef': { effect: Effect.RELEASE, word: 'source' },
  },
  [HELM_CHART]: {
    ...inPlace('ignoreMissingValuesFiles', 'interval', 'suspend', 'verify'),
    'spec.chart': { effect: Effect.RELEASE, word: 'chart' },
    'spec.reconcileStrategy': { effect: Effect.RELEASE, word: 'reconcileStrategy' },
    'spec.sourceRef': { effect: Effect.RELEASE, word: 'source' },
    'spec.valuesFiles': { effect: Effect.RELEASE, word: 'valuesFiles' },
    'spec.version': { effect: Effect.RELEASE, word: 'version' },
  },
  [BUCKET]: {
    ...SOURCE,
    'spec.bucketName': { effect: Effect.RELEASE, word: 'bucket' },
    'spec.endpoint': { effect: Effect.RELEASE, word: 'endpoint' },
    'spec.prefix': { effect: Effect.RELEASE, word: 'prefix' },
  },
  [GIT_REPOSITORY]: SOURCE,
  [HELM_REPOSITORY]: SOURCE,
  [OCI_REPOSITORY]: SOURCE,
};

/** What Flux does when an object changes that delivers, or that it takes charts and manifests from. */
export const DELIVERY_EFFECTS: Readonly<Record<string, EffectsOf>> = Object.fromEntries(
  Object.entries(DELIVERY_FIELDS).map(([kind, fields]) => [kind, effectsOfFields(fields)]),
);
