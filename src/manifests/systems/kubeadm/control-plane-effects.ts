import { ManifestObject } from '../../objects/manifest-object';
import { ChangeEffect, Effect, effectOf, FieldEffects, groupEffects, ObjectUpdate, reason } from '../../rules/changes/effects';
import { FieldChange, fieldChanges, innermostChanges } from '../../rules/changes/field-changes';
import { isRolloutDate, rolloutDateEffect } from '../../rules/changes/rollout-dates';
import { objectReference } from '../../rules/references/object-references';
import { fieldAt, FieldPath, isFields, numberAt, sameValue, stringAt } from '../../values/fields';
import { parseSemanticVersion } from '../../values/semantic-version';

const SPEC: FieldPath = ['spec', 'kubeadmConfigSpec'];

/** Paths of the template of the machines, in v1beta2 and v1beta1. */
const TEMPLATES: readonly (readonly string[])[] = [['spec', 'machineTemplate', 'spec', 'infrastructureRef'], ['spec', 'machineTemplate', 'infrastructureRef']];

/** A gate that Cluster API opens where no value is set, from 1.31 to 1.35: controlplane/kubeadm/pkg/desiredstate/desired_state.go, DefaultFeatureGates. */
const DEFAULT_GATE = [...SPEC, 'clusterConfiguration', 'featureGates', 'ControlPlaneKubeletLocalMode'];
const DEFAULT_GATE_MINORS = { first: 31, last: 35 };

/**
 * Sources: kubernetes-sigs/cluster-api controlplane/kubeadm/pkg/filters.go, v1.14.2 (UpToDate, matchesMachineSpec, PrepareKubeadmConfigsForDiff).
 */
const EFFECTS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'spec.version': { effect: Effect.MACHINES, word: 'version' },
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.machineTemplate': { effect: Effect.IN_PLACE, word: 'machine' },
  'spec.machineNaming': { effect: Effect.LATER, word: 'names of machines' },
  'spec.machineNamingStrategy': { effect: Effect.LATER, word: 'names of machines' },
  'spec.remediation': { effect: Effect.IN_PLACE, word: 'remediation' },
  'spec.remediationStrategy': { effect: Effect.IN_PLACE, word: 'remediation' },
  'spec.rollout.before': { effect: Effect.IN_PLACE, word: 'rollout before' },
  'spec.rolloutBefore': { effect: Effect.IN_PLACE, word: 'rollout before' },
  'spec.rollout.strategy': { effect: Effect.IN_PLACE, word: 'rollout' },
  'spec.rolloutStrategy': { effect: Effect.IN_PLACE, word: 'rollout' },
  'spec.kubeadmConfigSpec': { effect: Effect.MACHINES },
  'spec.kubeadmConfigSpec.clusterConfiguration.apiServer.timeoutForControlPlane': { effect: Effect.LATER, word: 'timeout of components' },
  'spec.kubeadmConfigSpec.clusterConfiguration.controlPlaneEndpoint': { effect: Effect.LATER, word: 'controlPlaneEndpoint' },
  'spec.kubeadmConfigSpec.clusterConfiguration.dns': { effect: Effect.IN_PLACE, word: 'CoreDNS' },
  'spec.kubeadmConfigSpec.joinConfiguration.discovery': { effect: Effect.LATER, word: 'discovery' },
  // It is stored beside the other timeouts, which are compared.
  'spec.kubeadmConfigSpec.joinConfiguration.discovery.timeout': Effect.MACHINES,
  'spec.kubeadmConfigSpec.joinConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds': { effect: Effect.LATER, word: 'timeout of components' },
  'spec.kubeadmConfigSpec.initConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds': { effect: Effect.LATER, word: 'timeout of components' },
};

/** Effects of a changed KubeadmControlPlane. */
export function kubeadmControlPlaneEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { before, after, templateReasons } = update;
  const [old, now] = [before, after].map(templateOf);
  const rotated = old?.kind !== now?.kind || old?.name !== now?.name;
  const changes = fieldChanges(before, after).flatMap(innermostChanges)
    .filter(({ path }) => !TEMPLATES.some((template) => startsWith(path, template)));
  return groupEffects([
    ...(rotated ? [{ effect: Effect.MACHINES, reasons: templateReasons(old, now) }] : []),
    ...configurationEffects(before, changes.filter((change) => !isRolloutDate(change)), rotated),
    ...changes.filter(isRolloutDate).map((change) => rolloutDateEffect(change, numberAt(before, 'spec', 'replicas') ?? 1)),
  ]);
}

function templateOf(object: ManifestObject) {
  return TEMPLATES.map((path) => objectReference(fieldAt(object, ...path))).find((reference) => reference !== undefined);
}

/**
 * The first machine was made from `initConfiguration`, and all others from `joinConfiguration`. Where only one of the two changes, machines of
 * the other one stay; which machine was the first, and whether it is still there, no manifest tells.
 */
function configurationEffects(before: ManifestObject, changes: readonly FieldChange[], rotated: boolean): ChangeEffect[] {
  const effects = changes.map((change) => {
    const known = effectOf(EFFECTS, change);
    const word = known?.word === undefined ? undefined : { ...known, path: shortPath(known.path) };
    const effect = isDefaultGate(before, change) ? Effect.IN_PLACE : known?.effect ?? Effect.UNKNOWN;
    return { change, effect, reasons: [reason({ ...change, path: shortPath(change.path) }, word)] };
  });
  const replacing = effects.filter(({ effect }) => effect === Effect.MACHINES).map(({ change }) => part(change.path));
  const machines = rotated ? undefined : partlyReplaced(before, replacing);
  return effects.map(({ effect, reasons }) => {
    if (effect !== Effect.MACHINES || !machines) return { effect, reasons };
    return machines.maximum === 0 ? { effect: Effect.LATER, reasons } : { effect, reasons, machines };
  });
}

/** True if a change sets what Cluster API sets, or leaves it to Cluster API. */
function isDefaultGate(object: ManifestObject, { path, before, after }: FieldChange): boolean {
  const minor = parseSemanticVersion(stringAt(object, 'spec', 'version') ?? '')?.minor ?? 0;
  return path.length === DEFAULT_GATE.length && startsWith(path, DEFAULT_GATE) && [before, after].every((value) => value !== false)
    && minor >= DEFAULT_GATE_MINORS.first && minor <= DEFAULT_GATE_MINORS.last;
}

function part(path: FieldPath): 'init' | 'join' | 'both' {
  if (!startsWith(path, SPEC)) return 'both';
  return path[SPEC.length] === 'initConfiguration' ? 'init' : path[SPEC.length] === 'joinConfiguration' ? 'join' : 'both';
}

function partlyReplaced(before: ManifestObject, parts: readonly ('init' | 'join' | 'both')[]): { minimum: number; maximum: number } | undefined {
  if (parts.length === 0 || parts.includes('both') || (parts.includes('init') && parts.includes('join'))) return undefined;
  const replicas = numberAt(before, 'spec', 'replicas') ?? 1;
  if (parts.includes('join')) return { minimum: replicas - 1, maximum: replicas };
  return { minimum: 0, maximum: isSameForInitAndJoin(before) ? 0 : 1 };
}

/** True if the first machine is the same as one that joined, as far as they are compared. */
function isSameForInitAndJoin(object: ManifestObject): boolean {
  const [init, join] = ['initConfiguration', 'joinConfiguration'].map((name) => fieldAt(object, ...SPEC, name));
  const pairs = [
    ...['nodeRegistration', 'patches', 'skipPhases'].map((name) => [fieldAt(init, name), fieldAt(join, name)]),
    [init, join].map((configuration) => comparedTimeouts(fieldAt(configuration, 'timeouts'))),
    [fieldAt(init, 'localAPIEndpoint'), fieldAt(join, 'controlPlane', 'localAPIEndpoint')],
  ];
  return pairs.every(([one, other]) => sameValue(one, other));
}

function comparedTimeouts(timeouts: unknown): unknown {
  const { controlPlaneComponentHealthCheckSeconds: _, ...compared } = isFields(timeouts) ? timeouts : {};
  return compared;
}

function shortPath(path: FieldPath): FieldPath {
  return startsWith(path, SPEC) ? path.slice(SPEC.length) : path.slice(1);
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((name, index) => path[index] === name);
}
