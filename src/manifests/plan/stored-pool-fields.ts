import { FieldChange, innermostChanges } from '../rules/changes/field-changes';
import { sameValue } from '../values/fields';
import { parseGoDuration } from '../values/go-duration';

/** Fields of v1beta1, and those of v1beta2 that they are stored as; undefined for those that it does not have. */
const STORED_AS: Readonly<Record<string, string | undefined>> = {
  'spec.machineNamingStrategy.template': 'spec.machineNaming.template',
  'spec.minReadySeconds': 'spec.template.spec.minReadySeconds',
  'spec.progressDeadlineSeconds': undefined,
  'spec.revisionHistoryLimit': undefined,
  'spec.rolloutAfter': 'spec.rollout.after',
  'spec.strategy.remediation.maxInFlight': 'spec.remediation.maxInFlight',
  'spec.strategy.rollingUpdate.deletePolicy': 'spec.deletion.order',
  'spec.strategy.rollingUpdate.maxSurge': 'spec.rollout.strategy.rollingUpdate.maxSurge',
  'spec.strategy.rollingUpdate.maxUnavailable': 'spec.rollout.strategy.rollingUpdate.maxUnavailable',
  'spec.strategy.type': 'spec.rollout.strategy.type',
};

/** Durations, which are stored in seconds. */
const TIMEOUT = /^spec\.template\.spec\.(node(?:Drain|VolumeDetach|Deletion)Timeout)$/;

/**
 * What changes in a pool along with the version of the API: fields of both versions are compared by where they are stored.
 *
 * Source: kubernetes-sigs/cluster-api api/core/v1beta1/conversion.go, v1.11.4.
 *
 * @param changes the changed fields
 */
export function storedChanges(changes: readonly FieldChange[]): FieldChange[] {
  const stored = new Map<string, FieldChange>();
  for (const { path, before, after } of changes.flatMap(innermostChanges)) {
    const key = path.join('.');
    const timeout = TIMEOUT.exec(key)?.[1];
    const place = timeout === undefined ? key in STORED_AS ? STORED_AS[key]?.split('.') : path : ['spec', 'template', 'spec', 'deletion', `${timeout}Seconds`];
    if (!place) continue;
    const same = stored.get(place.join('.'));
    const [old, now] = timeout === undefined ? [before, after] : [seconds(before), seconds(after)];
    stored.set(place.join('.'), { path: place, before: old ?? same?.before, after: now ?? same?.after });
  }
  return [...stored.values()].filter(({ before, after }) => !sameValue(before, after));
}

function seconds(duration: unknown): unknown {
  const nanoseconds = typeof duration === 'string' ? parseGoDuration(duration) : undefined;
  return nanoseconds === undefined ? duration : Number(nanoseconds / 1_000_000_000n);
}
