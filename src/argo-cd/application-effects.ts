import { Effect, effectsOfFields } from '../rules/changes/effects';

/**
 * What Argo CD does when an Application changes.
 *
 * Source: argoproj/argo-cd docs/operator-manual/application.yaml.
 */
export const applicationEffects = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.destination': Effect.UNKNOWN,
  'spec.source': { effect: Effect.RELEASE, word: 'source' },
  'spec.source.helm.valuesObject': { effect: Effect.RELEASE, word: 'values' },
  'spec.source.targetRevision': { effect: Effect.RELEASE, word: 'version' },
  'spec.sources': { effect: Effect.RELEASE, word: 'sources' },
});
