import { madeApplications } from './made-applications';
import { ManifestObject } from '../manifests/manifest-object';
import { ChangeEffect, Effect, EffectsOf, effectsOfFields, groupEffects, ObjectUpdate } from '../rules/changes/effects';
import { sameValue } from '../rules/changes/same-value';
import { fieldAt, stringAt } from '../values/fields';

const FIELDS = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.destination': Effect.REDIRECTED,
  'spec.source': { effect: Effect.RELEASE, word: 'source' },
  'spec.source.helm.valuesObject': { effect: Effect.RELEASE, word: 'values' },
  'spec.source.targetRevision': { effect: Effect.RELEASE, word: 'version' },
  'spec.sources': { effect: Effect.RELEASE, word: 'sources' },
});

/**
 * Effects of a change of an Application.
 *
 * Sources: argoproj/argo-cd docs/operator-manual/application.yaml, docs/user-guide/auto_sync.md.
 */
export function applicationEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { before, after } = update;
  const [old, now] = [before, after].map(clusterOf);
  const elsewhere = old === now ? [] : [`applied to ${now}; what it applied to ${old} stays there`];
  const prunes = fieldAt(after, 'spec', 'syncPolicy', 'automated', 'prune') === true;
  const isOther = ['repoURL', 'path'].some((field) => !sameValue(fieldAt(before, 'spec', 'source', field), fieldAt(after, 'spec', 'source', field)));
  return groupEffects([
    ...(elsewhere.length > 0 ? [{ effect: Effect.REDIRECTED, reasons: elsewhere }] : []),
    ...FIELDS(update),
    ...(isOther && prunes ? [{ effect: Effect.RELEASE, reasons: ['what the former source alone has is deleted'] }] : []),
  ]);
}

/** Effects of a change of an ApplicationSet: where it makes Applications of values that stand in it, these tell what happens. */
export const applicationSetEffects: EffectsOf = (update) => {
  const isKnown = [update.before, update.after].every((set) => madeApplications(set));
  return effectsOfFields({ metadata: Effect.IN_PLACE, spec: isKnown ? Effect.IN_PLACE : Effect.UNKNOWN })(update);
};

function clusterOf(application: ManifestObject): string {
  const [name, server] = ['name', 'server'].map((field) => stringAt(application, 'spec', 'destination', field));
  return name === undefined ? server ?? 'no cluster' : `the cluster ${name}`;
}
