import { deliveryOf } from './deliveries';
import { DriftCause, LoneObject } from './drift-model';
import { roleOf } from './field-drift';
import { KnownWriters } from './known-writers';
import { FieldOwner, FieldOwners } from './managed-fields';
import { objectKey } from '../landscape/file-appliers';
import { LiveObjects } from '../landscape/live-objects';
import { knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { isKept } from '../objects/prune-annotations';
import { CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { providers } from '../systems/providers';
import { madeSecrets } from '../validation/references/source-keys';
import { objectsAt, stringAt } from '../values/fields';

/** Kinds whose objects the parts of Kubernetes make by themselves. */
const SERVER_KINDS: readonly string[] = [
  '/Endpoints', '/Event', 'events.k8s.io/Event', 'coordination.k8s.io/Lease', 'discovery.k8s.io/EndpointSlice', 'apps/ControllerRevision',
];

/** Objects that each namespace gets: kubernetes/kubernetes pkg/controller/serviceaccount, pkg/controller/certificates/rootcacertpublisher. */
const SERVER_OBJECTS: readonly string[] = ['/ServiceAccount default', '/ConfigMap kube-root-ca.crt'];

/** Types of Secrets that programs make for themselves. */
const SECRET_TYPES: Readonly<Record<string, string>> = {
  'kubernetes.io/service-account-token': 'a token of Kubernetes',
  'helm.sh/release.v1': 'a release of Helm',
  'cluster.x-k8s.io/secret': 'a Secret of Cluster API',
};

/** Living objects that no manifest has: who made them. */
export class LoneObjects {
  private readonly made: ReadonlyMap<string, string>;

  /**
   * @param writers the programs that are known
   * @param live the objects of the cluster
   * @param manifests the manifests
   * @param deliveries the deliveries that have applied living objects of the manifests
   */
  public constructor(
    private readonly writers: KnownWriters, private readonly live: LiveObjects, private readonly manifests: ManifestIndex,
    private readonly deliveries: ReadonlySet<string>, objects: readonly ManifestObject[],
  ) {
    this.made = new Map(objects.flatMap(madeBy));
  }

  /** The reason that an object lives without a manifest. */
  public of(living: ManifestObject): Pick<LoneObject, 'cause' | 'why' | 'outcome'> {
    const normal = (why: string) => ({ cause: DriftCause.CONTROLLER, why });
    const [[owner] = []] = objectsAt(living, 'metadata', 'ownerReferences');
    if (owner) return normal(`made by ${stringAt(owner, 'kind')} ${stringAt(owner, 'name')}`);
    const kind = groupKind(living);
    if (SERVER_KINDS.includes(kind) || SERVER_OBJECTS.includes(`${kind} ${nameOf(living)}`)) return { cause: DriftCause.SERVER, why: 'made by Kubernetes' };
    const type = kind === '/Secret' ? SECRET_TYPES[String(living.type)] : undefined;
    if (type !== undefined) return normal(type);
    const maker = this.made.get(objectKey(living));
    if (maker !== undefined) return normal(`made of ${maker}`);
    if (kind === '/Secret' && madeSecrets(this.manifests).get(namespaceOf(living) ?? '')?.has(nameOf(living) ?? '')) return normal('made for a control plane');
    return this.delivered(living) ?? this.written(living);
  }

  /** An object with the mark of a delivery. */
  private delivered(living: ManifestObject): Pick<LoneObject, 'cause' | 'why' | 'outcome'> | undefined {
    const delivery = deliveryOf(living, this.live, this.manifests);
    if (delivery && !this.deliveries.has(delivery.key)) return { cause: DriftCause.CONTROLLER, why: `applied by ${delivery.words}, whose manifests are not these` };
    const isTemplate = /Template$/.test(knownKind(groupKind(living))?.role ?? '');
    if (isTemplate && isKept(living)) return { cause: DriftCause.CONTROLLER, why: 'a former template, which is marked against pruning' };
    if (delivery) {
      const fate = this.live.fateOf(living);
      return {
        cause: DriftCause.NOT_APPLIED,
        why: `${delivery.words} applied it, and the manifests do not have it any more`,
        outcome: isKept(living) ? 'stays: it is marked against pruning' : fate?.because ?? `${delivery.words} deletes it if it prunes`,
      };
    }
    const release = stringAt(living, 'metadata', 'annotations', 'meta.helm.sh/release-name');
    return release === undefined ? undefined : { cause: DriftCause.CONTROLLER, why: `of the Helm release ${release}` };
  }

  /** An object that no delivery has marked, by the program that wrote it first. */
  private written(living: ManifestObject): Pick<LoneObject, 'cause' | 'why' | 'outcome'> {
    const [first] = [...new FieldOwners(living).writers].sort(byTime);
    const cluster = stringAt(living, 'metadata', 'labels', CLUSTER_NAME_LABEL);
    if (!first) return { cause: DriftCause.UNKNOWN, why: 'the dump does not say who made it' };
    const manager = this.writers.manager(first.manager);
    const role = roleOf(first, manager, undefined);
    const words = `${first.manager}${first.time === undefined ? '' : `, ${first.time}`}`;
    const outcome = 'stays, since nothing deletes it';
    switch (role) {
      case 'controller':
      case 'autoscaler': return { cause: DriftCause.CONTROLLER, why: `made by ${manager!.title}${cluster === undefined ? '' : ` for the cluster ${cluster}`}` };
      case 'hand': return { cause: DriftCause.HAND, why: `made by hand: ${words}`, outcome };
      case 'delivery': return { cause: DriftCause.HAND, why: `applied from other manifests: ${words}`, outcome };
      default: return { cause: DriftCause.UNKNOWN, why: `made by ${words}, which is not known`, outcome };
    }
  }
}

function byTime(one: FieldOwner, other: FieldOwner): number {
  return (one.time ?? '').localeCompare(other.time ?? '');
}

/** The objects that controllers make of an object. */
function madeBy(object: ManifestObject): (readonly [string, string])[] {
  const made = providers().flatMap(({ makes }) => makes?.[groupKind(object)]?.(object) ?? []);
  return made.map((one) => [objectKey(one), `${String(object.kind)} ${nameOf(object)}`] as const);
}
