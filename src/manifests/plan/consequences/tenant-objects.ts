import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { selects } from '../../rules/label-selectors';
import { amountOf } from '../../values/counts';
import { fieldAt, Fields, isFields, isSet, listAt, numberAt, stringAt } from '../../values/fields';

const BUDGET = 'policy/PodDisruptionBudget';
const SCALED_KINDS: readonly string[] = ['apps/Deployment', 'apps/StatefulSet', 'apps/ReplicaSet'];
const AUTOSCALER = 'autoscaling/HorizontalPodAutoscaler';

/** Provisioners of volumes on the disks of a node: their projects' charts and deployments. */
const LOCAL_PROVISIONERS: readonly string[] = [
  'kubernetes.io/no-provisioner', 'local.csi.openebs.io', 'openebs.io/local', 'rancher.io/local-path', 'topolvm.io', 'zfs.csi.openebs.io',
];

const CLAIM = '/PersistentVolumeClaim';

/** Kinds of a tenant that decide what its workloads notice when nodes go. */
export const DECISIVE_KINDS: ReadonlySet<string> = new Set([
  BUDGET, ...SCALED_KINDS, AUTOSCALER, CLAIM, '/PersistentVolume', 'storage.k8s.io/StorageClass',
]);

/**
 * The PodDisruptionBudgets of a tenant that allow no eviction while all pods run.
 *
 * Source: kubernetes/kubernetes pkg/controller/disruption/disruption.go (getExpectedPodCount), v1.35.0.
 *
 * @param objects objects of the tenant
 */
export function blockingBudgets(objects: readonly ManifestObject[]): string[] {
  return objects.filter((object) => groupKind(object) === BUDGET && allowsNone(object, objects)).map(fullName);
}

function allowsNone(budget: ManifestObject, objects: readonly ManifestObject[]): boolean {
  const [most, least] = ['maxUnavailable', 'minAvailable'].map((field) => fieldAt(budget, 'spec', field));
  if (most !== undefined) return amountOf(most, 100, Math.ceil) === 0;
  if (amountOf(least, 100, Math.ceil) === 100 && typeof least === 'string') return true;
  const replicas = podsOf(budget, objects);
  return replicas !== undefined && amountOf(least, replicas, Math.ceil) >= replicas;
}

/** The number of pods that a budget is for; undefined if it is not known. */
function podsOf(budget: ManifestObject, objects: readonly ManifestObject[]): number | undefined {
  const near = objects.filter((object) => namespaceOf(object) === namespaceOf(budget));
  const found = near.filter((object) => SCALED_KINDS.includes(groupKind(object)) && selects(fieldAt(budget, 'spec', 'selector'), podLabels(object)));
  const isScaled = (object: ManifestObject) => near.some((other) => groupKind(other) === AUTOSCALER
    && stringAt(other, 'spec', 'scaleTargetRef', 'kind') === object.kind && stringAt(other, 'spec', 'scaleTargetRef', 'name') === nameOf(object));
  if (found.length === 0 || found.some(isScaled)) return undefined;
  return found.reduce((all, object) => all + (numberAt(object, 'spec', 'replicas') ?? 1), 0);
}

function podLabels(object: ManifestObject): Fields {
  const labels = fieldAt(object, 'spec', 'template', 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}

/**
 * Volumes of a tenant that are on the disks of its nodes.
 *
 * @param objects objects of the tenant
 */
export function localVolumes(objects: readonly ManifestObject[]): string[] {
  return objects.flatMap((object) => {
    const kind = groupKind(object);
    if (kind === '/PersistentVolume' && (isSet(object, 'spec', 'local') || isSet(object, 'spec', 'hostPath'))) return [`PersistentVolume ${nameOf(object)}`];
    const isLocal = kind === 'storage.k8s.io/StorageClass' && LOCAL_PROVISIONERS.includes(stringAt(object, 'provisioner') ?? '');
    return isLocal ? [`volumes of StorageClass ${nameOf(object)}`] : [];
  });
}

/** Claims of a tenant for volumes, also those that StatefulSets make. */
export function volumeClaims(objects: readonly ManifestObject[]): string[] {
  return objects.flatMap((object) => {
    if (groupKind(object) === CLAIM) return [fullName(object)];
    return listAt(object, 'spec', 'volumeClaimTemplates').length > 0 ? [`StatefulSet ${fullName(object)}`] : [];
  });
}

function fullName(object: ManifestObject): string {
  return [namespaceOf(object), nameOf(object)].filter((part) => part !== undefined).join('/');
}
