import { replicasOf, valueOf } from './rules/kamaji-objects';
import { ManifestObject } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { Effect } from '../../rules/changes/effects';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { amountOf } from '../../values/counts';
import { fieldAt, stringAt } from '../../values/fields';

/** Annotation with the time that the Job has which copies the data, and its default (clastix/kamaji cmd/migrate/cmd.go, 26.8.2-edge). */
const TIMEOUT = 'kamaji.clastix.io/migration-timeout';
const DEFAULT_TIMEOUT = '5m';

/**
 * Consequences of changes of a KamajiControlPlane or a TenantControlPlane.
 *
 * Sources: clastix/kamaji internal/builders/controlplane/deployment.go (setStrategy), internal/webhook/handlers/freeze.go,
 * controllers/soot/controllers/migrate.go, internal/resources/datastore/datastore_migrate.go, 26.8.2-edge.
 */
export function controlPlaneConsequences({ before, after }: ManifestChange, effects: ReadonlySet<Effect>): ChangeConsequences {
  if (!after) return { lost: [{ what: 'all objects in the API server', detail: 'they are deleted in the data store' }] };
  if (!before) return {};
  const [was, is] = [before, after].map(replicasOf);
  if (is === 0) return was === 0 ? {} : { down: [{ what: 'API server', detail: 'until replicas is raised again; its data stay' }] };
  if (effects.has(Effect.MOVED)) {
    const timeout = stringAt(after, 'metadata', 'annotations', TIMEOUT) ?? DEFAULT_TIMEOUT;
    return {
      down: [{ what: 'writes to the API server', detail: `until the data are copied, or the move is taken back if that takes longer than ${timeout} (${TIMEOUT})` }],
    };
  }
  const blocked = Object.entries(WRITES).filter(([field]) => !isBlocked(before, field) && isBlocked(after, field)).map(([, words]) => words);
  const down = blocked.length === 0 ? [] : [{ what: blocked.join(', '), detail: 'until writePermissions allows it again' }];
  if (!effects.has(Effect.PODS) || was === 0) return { down };
  return stopsAllPods(after, is) ? { down: [...down, { what: 'API server', detail: 'until its new pods run' }] }
    : { down, felt: ['connections to the API server break once'] };
}

/** Writes that a TenantControlPlane may block (clastix/kamaji controllers/soot/controllers/write_permissions.go, 26.8.2-edge). */
const WRITES: Readonly<Record<string, string>> = {
  blockCreation: 'creation of objects', blockUpdate: 'updates of objects', blockDeletion: 'deletion of objects',
};

function isBlocked(controlPlane: ManifestObject, field: string): boolean {
  return fieldAt(controlPlane, 'spec', 'writePermissions', field) === true;
}

/** True if a rollout may stop all pods before new ones run. Without `rollingUpdate`, all new pods start first. */
function stopsAllPods(controlPlane: ManifestObject, replicas: number): boolean {
  const strategy = valueOf(controlPlane, 'deployment', 'strategy');
  if (stringAt(strategy, 'type') === 'Recreate') return true;
  const rolling = fieldAt(strategy, 'rollingUpdate');
  if (rolling === undefined) return false;
  const [surge, unavailable] = [amountOf(fieldAt(rolling, 'maxSurge') ?? '25%', replicas, Math.ceil), amountOf(fieldAt(rolling, 'maxUnavailable') ?? '25%', replicas, Math.floor)];
  return (surge === 0 && unavailable === 0 ? 1 : unavailable) >= replicas;
}
