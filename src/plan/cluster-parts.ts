import { Difference } from './paired-objects';
import { PartKind } from './plan-model';
import { WORKLOAD_KINDS } from '../landscape/controllers';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../manifests/manifest-object';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { machineOwnersOf, referrersOf } from '../rules/references/object-references';
import { deliveryFacts } from '../validation/providers';
import { fieldAt, isFields } from '../values/fields';

export const POOL_KINDS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_POOL];

/** The part of a cluster that an object is of. */
export interface PartOf {
  readonly part: PartKind;
  readonly name: string;
}

/** Tells which part of its cluster a differing object is of. */
export function partOf({ before, after, owners, shown }: Difference, old: ManifestIndex, now: ManifestIndex): PartOf {
  if (shown.inTenant) return { part: PartKind.WORKLOADS, name: '' };
  const [object, index] = after ? [after, now] : [before!, old];
  if (owners.length > 1) return ownPart(object);
  return poolOf(object, index) ?? (before && after === undefined ? undefined : before && poolOf(before, old)) ?? partByKind(object, index);
}

/** The pool or control plane that an object belongs to, by what names it. */
function poolOf(object: ManifestObject, index: ManifestIndex): PartOf | undefined {
  const kind = groupKind(object);
  if (POOL_KINDS.includes(kind)) return { part: PartKind.POOL, name: nameOf(object) ?? '' };
  if (kind === MACHINE_HEALTH_CHECK) return watchedPool(object, index);
  for (const owner of machineOwnersOf(object, index)) {
    if (POOL_KINDS.includes(groupKind(owner))) return { part: PartKind.POOL, name: nameOf(owner) ?? '' };
    if (isControlPlaneOfCluster(owner, index)) return { part: PartKind.CONTROL_PLANE, name: '' };
  }
  return undefined;
}

function partByKind(object: ManifestObject, index: ManifestIndex): PartOf {
  if (groupKind(object) === CLUSTER) return { part: PartKind.CLUSTER, name: '' };
  if (isControlPlaneOfCluster(object, index)) return { part: PartKind.CONTROL_PLANE, name: '' };
  if (referrersOf(object, index, CLUSTER).length > 0) return { part: PartKind.CLUSTER, name: '' };
  return ownPart(object);
}

/** The part that an object is by itself. */
function ownPart(object: ManifestObject): PartOf {
  const name = nameOf(object) ?? '';
  const kind = groupKind(object);
  if (deliveryFacts(object)) return { part: PartKind.ADDON, name };
  if (WORKLOAD_KINDS.includes(kind)) return { part: PartKind.CONTROLLER, name };
  return { part: PartKind.OTHER, name: String(object.kind) };
}

function isControlPlaneOfCluster(object: ManifestObject, index: ManifestIndex): boolean {
  return referrersOf(object, index, CLUSTER).some(({ path }) => path[1] === 'controlPlaneRef');
}

/** The pool whose machines a health check watches. */
function watchedPool(check: ManifestObject, index: ManifestIndex): PartOf | undefined {
  const selector = fieldAt(check, 'spec', 'selector');
  const watched = POOL_KINDS.flatMap((kind) => index.all(kind)).filter((pool) => {
    const labels = fieldAt(pool, 'spec', 'template', 'metadata', 'labels');
    return namespaceOf(pool) === namespaceOf(check) && isFields(selector) && selects(selector, isFields(labels) ? labels : {});
  });
  return watched.length === 1 ? { part: PartKind.POOL, name: nameOf(watched[0]) ?? '' } : undefined;
}
