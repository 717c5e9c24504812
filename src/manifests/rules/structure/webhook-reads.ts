import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isFields } from '../../values/fields';
import { CLUSTER_NAME_LABEL } from '../cluster-api/cluster-api-kinds';

/** What a mutating webhook writes into objects of a kind, before the server compares them with their schema. */
interface WebhookWrites {
  /** Fields that are filled in where nothing is written, or nothing that says anything. */
  readonly filledIn?: readonly string[];

  /** Fields whose strings a webhook always replaces. */
  readonly overwritten?: readonly string[];
}

const NAME_LABEL = placeOf('metadata', 'labels', CLUSTER_NAME_LABEL);
const TYPE = placeOf('spec', 'rollout', 'strategy', 'type');
const ROLLING = placeOf('spec', 'rollout', 'strategy', 'rollingUpdate');
const STRATEGY = placeOf('spec', 'strategy');
const REPLICAS = placeOf('spec', 'replicas');
const MAX_SURGE = placeOf('spec', 'rollout', 'strategy', 'rollingUpdate', 'maxSurge');
const MAX_UNAVAILABLE = placeOf('spec', 'rollout', 'strategy', 'rollingUpdate', 'maxUnavailable');
const STARTUP_TIMEOUT = placeOf('spec', 'checks', 'nodeStartupTimeoutSeconds');
const DELETION_TIMEOUT = placeOf('spec', 'deletion', 'nodeDeletionTimeoutSeconds');
const POOL_DELETION_TIMEOUT = placeOf('spec', 'template', 'spec', 'deletion', 'nodeDeletionTimeoutSeconds');

/** Fields that hold strings. */
const TEXTS: readonly string[] = [STRATEGY, TYPE];

/** Fields that hold numbers; all others hold objects. */
const NUMBERS: readonly string[] = [REPLICAS, MAX_SURGE, MAX_UNAVAILABLE, STARTUP_TIMEOUT, DELETION_TIMEOUT, POOL_DELETION_TIMEOUT];

const ROLLOUT: readonly string[] = [
  placeOf('spec', 'rollout'), placeOf('spec', 'rollout', 'strategy'), ROLLING, TYPE, MAX_SURGE,
];
const POOL: readonly string[] = [
  REPLICAS, placeOf('spec', 'selector'), placeOf('spec', 'selector', 'matchLabels'), placeOf('spec', 'template', 'metadata'),
  placeOf('spec', 'template', 'metadata', 'labels'),
];

/**
 * What webhooks of Cluster API write, by `group/Kind`, as far as a schema or a rule says something of it.
 *
 * Source: kubernetes-sigs/cluster-api core/webhooks/admission, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (Default); a server with
 * these webhooks takes the objects without the fields.
 */
const WRITES: Readonly<Record<string, WebhookWrites>> = {
  'addons.cluster.x-k8s.io/ClusterResourceSet': { filledIn: [STRATEGY] },
  'cluster.x-k8s.io/Machine': { filledIn: [placeOf('spec', 'deletion'), DELETION_TIMEOUT], overwritten: [NAME_LABEL] },
  'cluster.x-k8s.io/MachineDeployment': { filledIn: [...POOL, ...ROLLOUT, MAX_UNAVAILABLE], overwritten: [NAME_LABEL] },
  'cluster.x-k8s.io/MachineHealthCheck': { filledIn: [placeOf('spec', 'checks'), STARTUP_TIMEOUT], overwritten: [NAME_LABEL] },
  'cluster.x-k8s.io/MachinePool': {
    filledIn: [REPLICAS, placeOf('spec', 'template', 'spec', 'deletion'), POOL_DELETION_TIMEOUT], overwritten: [NAME_LABEL],
  },
  'cluster.x-k8s.io/MachineSet': { filledIn: POOL, overwritten: [NAME_LABEL] },
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': { filledIn: [REPLICAS, ...ROLLOUT], overwritten: [TYPE] },
};

/** True if a mutating webhook overwrites the field, so that an invalid value never reaches validation. */
export function isWrittenOver(object: ManifestObject, path: FieldPath): boolean {
  const kind = groupKind(object);
  if (!Object.hasOwn(WRITES, kind)) return false;
  const { filledIn = [], overwritten = [] } = WRITES[kind];
  const [place, value] = [placeOf(...path), fieldAt(object, ...path.map(String))];
  if (overwritten.includes(place) && typeof value === 'string') return true;
  if (!filledIn.includes(place) || ([ROLLING, MAX_SURGE, MAX_UNAVAILABLE].includes(place) && !isRolling(object))) return false;
  if (value === undefined || value === null) return true;
  if (NUMBERS.includes(place)) return false;
  return TEXTS.includes(place) ? value === '' : isFields(value) && Object.values(value).every((inner) => inner === null);
}

const MAPS_OF_STRINGS: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels']);

/**
 * True if null never reaches validation: a webhook that changes anything writes a map of strings back with empty strings, and an object of another
 * version than the webhook's is converted to that one and back, which drops null.
 *
 * Source: kubernetes-sigs/controller-runtime pkg/webhook/admission/defaulter_custom.go (Handle, dropSchemeRemovals), kubernetes/kubernetes
 * staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go.
 */
export function isNullReplaced(object: ManifestObject, path: FieldPath): boolean {
  const kind = groupKind(object);
  const { filledIn = [], overwritten } = Object.hasOwn(WRITES, kind) ? WRITES[kind] : {};
  if (!overwritten || typeof path.at(-1) !== 'string' || fieldAt(object, ...path) !== null) return false;
  if (!String(object.apiVersion).endsWith('/v1beta2')) return true;
  return MAPS_OF_STRINGS.has(String(path.at(-2))) && (isUnlabeled(object, overwritten) || filledIn.some((place) => isFilledIn(object, place)));
}

/** True if a webhook sets the label of the cluster. */
function isUnlabeled(object: ManifestObject, overwritten: readonly string[]): boolean {
  return overwritten.includes(NAME_LABEL) && fieldAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL) !== fieldAt(object, 'spec', 'clusterName');
}

/** True if a webhook fills in a text or a number. */
function isFilledIn(object: ManifestObject, place: string): boolean {
  if (![...TEXTS, ...NUMBERS].includes(place) || ([MAX_SURGE, MAX_UNAVAILABLE].includes(place) && !isRolling(object))) return false;
  const value = fieldAt(object, ...JSON.parse(place) as string[]);
  return value === undefined || value === null || value === '';
}

/** True if the strategy of a rollout is, or becomes, one that has bounds; that of a control plane always does. */
function isRolling(object: ManifestObject): boolean {
  const type = fieldAt(object, 'spec', 'rollout', 'strategy', 'type');
  return groupKind(object) !== 'cluster.x-k8s.io/MachineDeployment' || type === undefined || type === null || type === '' || type === 'RollingUpdate';
}

function placeOf(...path: FieldPath): string {
  return JSON.stringify(path);
}

/**
 * Kinds whose objects a mutating webhook reads into Go's types before the server compares them with their schema.
 *
 * Source: kubernetes-sigs/cluster-api {core,bootstrap/kubeadm,controlplane/kubeadm}/config/webhook/manifests.yaml.
 */
const READ_FIRST: ReadonlySet<string> = new Set([
  'addons.cluster.x-k8s.io/ClusterResourceSet', 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate', 'cluster.x-k8s.io/Cluster', 'cluster.x-k8s.io/Machine',
  'cluster.x-k8s.io/MachineDeployment', 'cluster.x-k8s.io/MachineHealthCheck', 'cluster.x-k8s.io/MachinePool', 'cluster.x-k8s.io/MachineSet',
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'runtime.cluster.x-k8s.io/ExtensionConfig',
]);

/** Kinds, beside those of providers, whose objects only a validating webhook reads, when the server has written the times (the same files). */
const READ_LATER: ReadonlySet<string> = new Set([
  'cluster.x-k8s.io/ClusterClass', 'cluster.x-k8s.io/MachineDrainRule', 'ipam.cluster.x-k8s.io/IPAddress', 'ipam.cluster.x-k8s.io/IPAddressClaim',
]);

/** True if any webhook reads the objects of a kind into Go's types. */
export function isRead(object: ManifestObject): boolean {
  const kind = groupKind(object);
  return isReadFirst(object) || READ_LATER.has(kind) || (knownKind(kind)?.validatedByWebhook ?? false);
}

/** True if a mutating webhook reads the objects of a kind into Go's types, before the server has looked at them. */
export function isReadFirst(object: ManifestObject): boolean {
  return READ_FIRST.has(groupKind(object));
}
