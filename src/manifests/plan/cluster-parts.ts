import { Difference } from './paired-objects';
import { PartKind } from './plan-model';
import { WORKLOAD_KINDS } from '../landscape/controllers';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, MACHINE_HEALTH_CHECK, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { machineOwnersOf, referrersOf } from '../rules/references/object-references';
import { deliveryFacts } from '../validation/providers';
import { fieldAt, isFields } from '../values/fields';

/** The part of a cluster that an object is of. */
export interface PartOf {
  readonly part: PartKind;
  readonly name: string;

  /** `group/Kind` of the object that the part is about; empty for workloads, of any kind. */
  readonly kind: string;
}

/** Tells which part of its cluster a differing object is of. */
export function partOf({ before, after, machines, owners, shown }: Omit<Difference, 'files'>, old: ManifestIndex, now: ManifestIndex): PartOf {
  if (machines) return partOf({ [after ? 'after' : 'before']: machines, owners, shown: { ...shown, inTenant: false } }, old, now);
  if (shown.inTenant) return { part: PartKind.WORKLOADS, name: '', kind: '' };
  const [object, index] = after ? [after, now] : [before!, old];
  if (owners.length > 1) return ownPart(object);
  return poolOf(object, index) ?? (before && poolOf(before, old)) ?? partByKind(object, index);
}

/** The pool or control plane that an object belongs to, by what names it. */
function poolOf(object: ManifestObject, index: ManifestIndex): PartOf | undefined {
  const kind = groupKind(object);
  if (POOL_KINDS.includes(kind)) return poolPart(object);
  if (kind === MACHINE_HEALTH_CHECK) return watchedPool(object, index);
  for (const owner of machineOwnersOf(object, index)) {
    if (POOL_KINDS.includes(groupKind(owner))) return poolPart(owner);
    if (isControlPlaneOfCluster(owner, index)) return { part: PartKind.CONTROL_PLANE, name: '', kind: groupKind(owner) };
  }
  return undefined;
}

function partByKind(object: ManifestObject, index: ManifestIndex): PartOf {
  const kind = groupKind(object);
  if (isControlPlaneOfCluster(object, index)) return { part: PartKind.CONTROL_PLANE, name: '', kind };
  if (kind === CLUSTER || referrersOf(object, index, CLUSTER).length > 0) return { part: PartKind.CLUSTER, name: '', kind: CLUSTER };
  return ownPart(object);
}

/** The part that an object is by itself. */
function ownPart(object: ManifestObject): PartOf {
  const name = nameOf(object) ?? '';
  const kind = groupKind(object);
  if (deliveryFacts(object)) return { part: PartKind.ADDON, name, kind };
  if (WORKLOAD_KINDS.includes(kind)) return { part: PartKind.CONTROLLER, name, kind };
  return { part: PartKind.OTHER, name: String(object.kind), kind };
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
  return watched.length === 1 ? poolPart(watched[0]) : undefined;
}

function poolPart(pool: ManifestObject): PartOf {
  return { part: PartKind.POOL, name: nameOf(pool) ?? '', kind: groupKind(pool) };
}
