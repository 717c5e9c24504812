import { ADMISSION } from './admission';
import { AUTOSCALED_REQUESTS } from './autoscaled-requests';
import { AUTOSCALING } from './autoscaling';
import { BACKEND_PORTS } from './backend-ports';
import { BOUND_ACCOUNTS } from './bound-accounts';
import { CLOUD_CONFIGS } from './cloud-configs';
import { CLOUD_CONTROLLERS } from './cloud-controllers';
import { CONTAINERS } from './containers';
import { CSI_SIDECARS } from './csi-sidecars';
import { DEFAULT_CLASSES } from './default-classes';
import { DEFINITIONS } from './definitions';
import { DISRUPTION_BUDGETS } from './disruption';
import { ENCRYPTION } from './encryption';
import { ENDPOINTS } from './endpoints';
import { KONNECTIVITY } from './konnectivity';
import { LEADER_ELECTION } from './leader-election';
import { NAME_LOOKUPS } from './name-lookups';
import { NAMESPACE_SELECTORS } from './namespace-selectors';
import { NAMESPACES } from './namespaces';
import { NETWORK } from './network';
import { OWN_WEBHOOKS } from './own-webhooks';
import { PERMISSIONS } from './permissions';
import { POD_PRIORITIES } from './pod-priorities';
import { POD_SECURITY } from './pod-security';
import { PODS } from './pods';
import { PROBE_PORTS } from './probe-ports';
import { PROGRAM_ARGUMENTS } from './program-arguments';
import { ROLLOUT_VOLUMES } from './rollout-volumes';
import { SCHEDULING } from './scheduling';
import { SELECTED_LABELS } from './selected-labels';
import { SPREAD_SELECTORS } from './spread-selectors';
import { STATEFUL_SERVICES } from './stateful-services';
import { STATIC_VOLUMES } from './static-volumes';
import { STORAGE, VOLUMES } from './storage';
import { STORAGE_CLASSES } from './storage-classes';
import { STORAGE_DRIVERS } from './storage-drivers';
import { TARGET_PORTS } from './target-ports';
import { WAITING_VOLUMES } from './waiting-volumes';
import { WEBHOOK_SERVICES } from './webhook-services';
import { WORKLOADS } from './workloads';
import { groupOf, ManifestObject } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { contentsOf, ofOneObject } from '../rules/of-one-object';
import { structureOf } from '../rules/structure/structures';
import { SchemaNode } from '../schema/schema-node';
import { isFields } from '../values/fields';

/**
 * An object of one of Kubernetes' own kinds as a server reads it: Go makes an empty map of null in a list of maps, and an empty text of null in a
 * list or a map of texts. Most objects are read as they are.
 */
const asRead = ofOneObject((object: ManifestObject): ManifestObject => {
  if (!contentsOf(object).null) return object;
  const apiVersion = String(object.apiVersion);
  const root = structureOf(groupOf(object), String(object.kind))?.versions.get(apiVersion.slice(apiVersion.indexOf('/') + 1));
  return root ? valueAsRead(root, object) as ManifestObject : object;
});

function valueAsRead(node: SchemaNode | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => entryAsRead(node?.items, entry));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  if (!isFields(value) || !node) return value;
  const changed = Object.keys(value).flatMap((key): [string, unknown][] => {
    const field = node.fields?.get(key);
    const read = field ? valueAsRead(field, value[key]) : entryAsRead(node.values, value[key]);
    return read === value[key] ? [] : [[key, read]];
  });
  return changed.length > 0 ? { ...value, ...Object.fromEntries(changed) } : value;
}

function entryAsRead(node: SchemaNode | undefined, entry: unknown): unknown {
  if (entry !== null) return valueAsRead(node, entry);
  return node?.type === 'object' ? {} : node?.type === 'string' ? '' : entry;
}

/** Rules of the API server's admission for built-in kinds, beyond their schemas. */
export const KUBERNETES_RULES: readonly ManifestRule[] = [
  ...CONTAINERS, ...VOLUMES, ...PODS, ...SCHEDULING, ...WORKLOADS, ...STORAGE, ...PERMISSIONS,
  ...NETWORK, ...ENDPOINTS, ...NAMESPACES, ...DEFINITIONS, ...ADMISSION, ...PROGRAM_ARGUMENTS, ...CLOUD_CONTROLLERS, ...CSI_SIDECARS,
  ...STORAGE_DRIVERS,
  ...CLOUD_CONFIGS, ...KONNECTIVITY, ...DEFAULT_CLASSES, ...ENCRYPTION, ...DISRUPTION_BUDGETS,
  ...AUTOSCALING, ...ROLLOUT_VOLUMES, ...STORAGE_CLASSES, ...SELECTED_LABELS, ...BACKEND_PORTS, ...TARGET_PORTS,
  ...POD_SECURITY, ...LEADER_ELECTION, ...WEBHOOK_SERVICES, ...PROBE_PORTS, ...STATIC_VOLUMES, ...BOUND_ACCOUNTS,
  ...NAMESPACE_SELECTORS, ...STATEFUL_SERVICES, ...AUTOSCALED_REQUESTS, ...SPREAD_SELECTORS, ...WAITING_VOLUMES, ...OWN_WEBHOOKS,
  ...NAME_LOOKUPS, ...POD_PRIORITIES,
].map((rule) => ({ ...rule, check: (object, index) => rule.check(asRead(object), index) }));
