import { ManifestObject } from '../../objects/manifest-object';
import { parseIntOrPercent } from '../../values/counts';
import { fieldAt, stringAt } from '../../values/fields';

/** True if a rollout of a pool or control plane makes a machine before it removes one, in v1beta1 and v1beta2. */
export function surges(owner: ManifestObject): boolean {
  const strategies = [['rollout', 'strategy'], ['strategy'], ['rolloutStrategy']].map((path) => fieldAt(owner, 'spec', ...path)).filter((strategy) => strategy !== undefined);
  if (strategies.some((strategy) => stringAt(strategy, 'type') === 'OnDelete')) return false;
  const surge = strategies.map((strategy) => fieldAt(strategy, 'rollingUpdate', 'maxSurge')).find((value) => value !== undefined) ?? 1;
  return parseIntOrPercent(surge)?.amount !== 0;
}
