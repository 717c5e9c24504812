import { madeResources } from './resource-sets';
import { nameOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { Effect, effectsOfFields, ObjectUpdate } from '../../rules/changes/effects';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { Provider } from '../../rules/provider';

const GROUP = 'fluxcd.controlplane.io';
const RESOURCE_SET = `${GROUP}/ResourceSet`;
const INSTANCE = `${GROUP}/FluxInstance`;

/** Effects of a ResourceSet: those of the objects that it makes, where these are known. */
function resourceSetEffects(update: ObjectUpdate) {
  const isKnown = update.isBuilt || [update.before, update.after].every((set) => madeResources(set));
  return effectsOfFields({
    metadata: Effect.IN_PLACE,
    spec: isKnown ? Effect.IN_PLACE : Effect.UNKNOWN,
    ...Object.fromEntries(['commonMetadata', 'dependsOn', 'serviceAccountName', 'wait'].map((field) => [`spec.${field}`, Effect.IN_PLACE])),
  })(update);
}

/** Source: controlplaneio-fluxcd/flux-operator docs/api/v1/fluxinstance.md. */
const INSTANCE_EFFECTS = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec.cluster': { effect: Effect.PODS, word: 'cluster' },
  'spec.commonMetadata': Effect.IN_PLACE,
  'spec.components': { effect: Effect.RELEASE, word: 'components of Flux' },
  'spec.distribution': { effect: Effect.RELEASE, word: 'Flux' },
  'spec.distribution.version': { effect: Effect.RELEASE, word: 'Flux' },
  'spec.kustomize': { effect: Effect.PODS, word: 'patches of Flux' },
  'spec.storage': { effect: Effect.PODS, word: 'storage' },
  'spec.wait': Effect.IN_PLACE,
});

/** Source: controlplaneio-fluxcd/flux-operator internal/controller/fluxinstance_uninstaller.go. */
function instanceConsequences({ before, after }: ManifestChange): ChangeConsequences {
  return before && !after ? { down: [{ what: `Flux of FluxInstance ${nameOf(before)}`, detail: 'it is uninstalled: what it applied stays, and no change is applied' }] } : {};
}

/** The Flux Operator. */
export const FLUX_OPERATOR: Provider = {
  name: 'flux-operator',
  title: 'Flux Operator',
  kinds: [{ kind: RESOURCE_SET }, { kind: INSTANCE }],
  makes: { [RESOURCE_SET]: madeResources },
  effects: { [RESOURCE_SET]: resourceSetEffects, [INSTANCE]: INSTANCE_EFFECTS },
  consequences: { [INSTANCE]: instanceConsequences },
};
