import { HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from './rules/flux-kinds';
import { Effect, EffectsOf, effectsOfFields } from '../rules/changes/effects';

const SOURCE = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.chart': { effect: Effect.RELEASE, word: 'chart' },
  'spec.ref': { effect: Effect.RELEASE, word: 'version' },
  'spec.url': { effect: Effect.RELEASE, word: 'source' },
  'spec.version': { effect: Effect.RELEASE, word: 'version' },
});

/**
 * What Flux does when an object changes that delivers.
 *
 * Source: fluxcd/helm-controller docs/spec/v2/helmreleases.md (a release is upgraded when chart or values change).
 */
export const DELIVERY_EFFECTS: Readonly<Record<string, EffectsOf>> = {
  [HELM_RELEASE]: effectsOfFields({
    'metadata': Effect.IN_PLACE,
    'spec': Effect.IN_PLACE,
    'spec.chart': { effect: Effect.RELEASE, word: 'chart' },
    'spec.chart.spec.version': { effect: Effect.RELEASE, word: 'version' },
    'spec.chartRef': { effect: Effect.RELEASE, word: 'chart' },
    'spec.kubeConfig': Effect.UNKNOWN,
    'spec.postRenderers': { effect: Effect.RELEASE, word: 'postRenderers' },
    'spec.releaseName': Effect.UNKNOWN,
    'spec.storageNamespace': Effect.UNKNOWN,
    'spec.targetNamespace': Effect.UNKNOWN,
    'spec.values': { effect: Effect.RELEASE, word: 'values' },
    'spec.valuesFrom': { effect: Effect.RELEASE, word: 'valuesFrom' },
  }),
  [KUSTOMIZATION]: effectsOfFields({
    'metadata': Effect.IN_PLACE,
    'spec': Effect.IN_PLACE,
    'spec.kubeConfig': Effect.UNKNOWN,
    'spec.path': { effect: Effect.RELEASE, word: 'path' },
    'spec.postBuild': { effect: Effect.RELEASE, word: 'postBuild' },
    'spec.sourceRef': { effect: Effect.RELEASE, word: 'source' },
    'spec.targetNamespace': Effect.UNKNOWN,
  }),
  [HELM_CHART]: SOURCE,
  [HELM_REPOSITORY]: SOURCE,
  [OCI_REPOSITORY]: SOURCE,
};
