import { networkConsequences } from './network-consequences';
import { DECISIVE_KINDS, volumeClaims } from './tenant-objects';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChangeConsequences, Consequence } from '../../rules/changes/consequences';
import { Effect } from '../../rules/changes/effects';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { endlessReplacements } from '../../rules/cluster-api/health-check-times';
import { HEALTH_CHECK_KINDS } from '../../rules/cluster-api/health-checks';
import { isCluster } from '../../rules/cluster-api/whole-clusters';
import { DEFINITION } from '../../rules/structure/kind-definitions';
import { providers } from '../../systems/providers';
import { fieldAt, sameValue, stringAt } from '../../values/fields';
import { Difference } from '../paired-objects';
import { ComparedCluster } from '../part-effects';
import { ChangeKind } from '../plan-model';
import { namesWords } from '../plan-words';

/** Kinds that go with everything in them, also beside a Cluster that goes. */
const CONTAINERS: readonly string[] = ['/Namespace', '/PersistentVolumeClaim'];

/** Consequences of what becomes of one object. */
export function objectConsequences(difference: Difference, effects: ReadonlySet<Effect>, cluster: ComparedCluster): ChangeConsequences {
  const { comparison, old, isDeleted } = cluster;
  const { before, after, shown, notApplied, alsoIn, machines } = difference;
  if (shown.stays || notApplied !== undefined || machines || alsoIn !== undefined) return {};
  const kind = groupKind((after ?? before)!);
  if (shown.change === ChangeKind.MOVED) {
    return isCluster(before!) ? { lost: [{ what: 'all objects in the API server', detail: 'if the former owner comes first' }] } : {};
  }
  // A Cluster that goes takes along what belongs to it.
  if (isDeleted && !after && !isCluster(before!) && !CONTAINERS.includes(kind)) return {};
  const change = { before, after, old: comparison.old, now: comparison.now };
  if (!after && isCluster(before!)) return clusterConsequences(volumeClaims(comparison.oldOwners.tenantObjects(old?.id, DECISIVE_KINDS)));
  const known = providers().map(({ consequences }) => consequences?.[kind]).find((found) => found !== undefined);
  if (known) return known(change, effects);
  const found = after ? updateConsequences(change, kind) : removalConsequences(before!, kind);
  return { ...found, down: [...networkConsequences(difference, effects, cluster), ...found.down ?? []] };
}

/**
 * Nodes are not drained when a cluster goes, and nothing deletes the objects in its API server, so that the controllers of load balancers and
 * volumes are not told.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (isDeleteNodeAllowed), v1.14.2.
 *
 * @param claims the claims for volumes that are known
 */
function clusterConsequences(claims: readonly string[]): ChangeConsequences {
  return {
    lost: [
      { what: 'all objects in the API server' },
      ...claims.length === 0 ? [] : [{ what: `claims for volumes of ${namesWords(claims)}`, detail: 'the volumes stay behind without them, or go' }],
    ],
    felt: ['nodes are not drained', 'load balancers and volumes that its controllers made may stay behind'],
  };
}

function removalConsequences(object: ManifestObject, kind: string): ChangeConsequences {
  const name = [namespaceOf(object), nameOf(object)].filter((part) => part !== undefined).join('/');
  const known = knownKind(kind);
  if (known?.role === 'controlPlane') return { lost: [{ what: 'all objects in the API server' }] };
  if (kind === '/Namespace') return { lost: [{ what: `everything in namespace ${name}` }] };
  if (kind === '/PersistentVolumeClaim') return { lost: [{ what: `volume of claim ${name}`, detail: 'unless its class retains it' }] };
  if (kind === DEFINITION) return { lost: [{ what: `all objects of kind ${stringAt(object, 'spec', 'names', 'kind') ?? name}` }] };
  if (known?.holdsState && known.role === undefined) return { lost: [{ what: `${String(object.kind)} ${name} with its data` }] };
  return { down: loadBalancer(object, undefined) };
}

function updateConsequences({ before, after }: ManifestChange, kind: string): ChangeConsequences {
  const former = before ? endlessReplacements(before) : [];
  const endless = HEALTH_CHECK_KINDS.includes(kind) ? endlessReplacements(after!).filter((message) => !former.includes(message)) : [];
  return {
    down: [
      ...before ? loadBalancer(before, after) : [],
      ...endless.map((detail) => ({ what: 'new machines', detail })),
    ],
    ...(kind === CLUSTER && isMoved(before, after!) && { felt: ['nodes and kubeconfigs keep the former address of the API server'] }),
  };
}

/** True if a Cluster gets another address: its sources are those of TC-CHANGE-CLUSTER-ENDPOINT. */
function isMoved(before: ManifestObject | undefined, after: ManifestObject): boolean {
  const [was, is] = [before, after].map((object) => fieldAt(object, 'spec', 'controlPlaneEndpoint'));
  return stringAt(was, 'host') !== undefined && stringAt(is, 'host') !== undefined && !sameValue(was, is);
}

/** A Service that has no load balancer any more. */
function loadBalancer(before: ManifestObject, after: ManifestObject | undefined): Consequence[] {
  const [was, is] = [before, after].map((object) => object && groupKind(object) === '/Service' && stringAt(object, 'spec', 'type') === 'LoadBalancer');
  return was && !is ? [{ what: `load balancer ${namespaceOf(before) ?? ''}/${nameOf(before)}`, detail: 'its address is given back' }] : [];
}
