import { ApiObject, Chart } from 'cdk8s';
import { DELIVERY_RULES } from './rules';
import { Problem } from '../validation/problem';

/** A manifest as it is written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly data?: object;
  readonly stringData?: object;
  readonly items?: readonly Manifest[];
}

/** What a chart for the tenant holds, and what is wrong with it. */
export interface TenantManifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly Problem[];
}

/** Kinds that live in a namespace, of those that Kubernetes brings; of others only a server knows. */
const NAMESPACED_KINDS: ReadonlySet<string> = new Set([
  'v1/ConfigMap', 'v1/Endpoints', 'v1/LimitRange', 'v1/PersistentVolumeClaim', 'v1/Pod', 'v1/ReplicationController', 'v1/ResourceQuota',
  'v1/Secret', 'v1/Service', 'v1/ServiceAccount',
  'apps/v1/DaemonSet', 'apps/v1/Deployment', 'apps/v1/ReplicaSet', 'apps/v1/StatefulSet',
  'autoscaling/v2/HorizontalPodAutoscaler', 'batch/v1/CronJob', 'batch/v1/Job', 'coordination.k8s.io/v1/Lease', 'discovery.k8s.io/v1/EndpointSlice',
  'networking.k8s.io/v1/Ingress', 'networking.k8s.io/v1/NetworkPolicy', 'policy/v1/PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1/Role', 'rbac.authorization.k8s.io/v1/RoleBinding',
]);

/** Renders the objects of a chart, and of charts in it, with everything that was added up to now. */
export function renderManifests(chart: Chart, property: string): TenantManifests {
  try {
    const manifests = apiObjects(chart).map((object): Manifest => object.toJson());
    return { manifests, problems: manifests.flatMap((manifest) => checkManifest(manifest, property)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { manifests: [], problems: [{ rule: DELIVERY_RULES.manifest, property, message, fix: 'correct the object' }] };
  }
}

/** The objects of a chart, and of charts in it. */
export function apiObjects(chart: Chart): ApiObject[] {
  return chart.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
}

/** How people call an object. */
export function describe({ kind, metadata }: Manifest): string {
  return `the ${kind} "${metadata?.name}"${metadata?.namespace === undefined ? '' : ` in namespace "${metadata.namespace}"`}`;
}

function checkManifest(manifest: Manifest, property: string): Problem[] {
  return [
    ...checkSecret(manifest, property),
    ...checkNamespace(manifest, property),
    ...(manifest.kind === 'List' ? (manifest.items ?? []).flatMap((item) => checkManifest(item, property)) : []),
  ];
}

function checkSecret(manifest: Manifest, property: string): Problem[] {
  const { apiVersion, kind, data = {}, stringData = {} } = manifest;
  const keys = Object.keys({ ...data, ...stringData });
  if (apiVersion !== 'v1' || kind !== 'Secret' || keys.length === 0) return [];
  return [{
    rule: DELIVERY_RULES.secret,
    property,
    message: `${describe(manifest)} has content (${keys.join(', ')}), which would be readable in the output`,
    fix: 'let it be made in the tenant, e.g. by an ExternalSecret or a SealedSecret',
  }];
}

function checkNamespace(manifest: Manifest, property: string): Problem[] {
  const { apiVersion, kind, metadata } = manifest;
  if (metadata?.namespace !== undefined || !NAMESPACED_KINDS.has(`${apiVersion}/${kind}`)) return [];
  return [{
    rule: DELIVERY_RULES.manifestNamespace,
    property,
    message: `${describe(manifest)} names no namespace`,
    fix: 'set metadata.namespace, or the namespace of the chart that it is in',
  }];
}
