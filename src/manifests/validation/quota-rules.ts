import { loadsIn } from './namespace-loads';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, MACHINE_DEPLOYMENT } from '../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, poolYaml } from '../rules/cluster-api/example-manifests';
import { documents, edited } from '../rules/example-text';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { ContainerLimits, MUST_BE_SET, needOf, PodLoad, podLoad, silentContainers } from '../rules/pod-loads';
import { POD_KINDS } from '../rules/pod-objects';
import { partOf, partReference } from '../rules/references/object-references';
import { EPHEMERAL_MACHINE } from '../systems/kubevirt/rules/examples';
import { providers } from '../systems/providers';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, scalarText, stringAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseQuantity, totalText } from '../values/quantity';

const QUOTA = '/ResourceQuota';
const PODS = 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go';

const QUOTA_TEXT = `apiVersion: v1
kind: ResourceQuota
metadata:
  name: acme
  namespace: tenant-acme
spec:
  hard:
    requests.cpu: "2"
`;

const DEPLOYMENT_TEXT = documents(clusterYaml(CLUSTER_PARTS.slice(CLUSTER_PARTS.indexOf('infrastructureRef'))), `apiVersion: apps/v1
kind: Deployment
metadata:
  name: acme-cluster-autoscaler
  namespace: tenant-acme
spec:
  replicas: 2
  selector:
    matchLabels: {app: cluster-autoscaler}
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxSurge: 1}
  template:
    metadata:
      labels: {app: cluster-autoscaler}
    spec:
      containers:
        - name: cluster-autoscaler
          image: registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1
          resources:
            requests: {cpu: 500m, memory: 128Mi}
`);

const LIMIT_RANGE_TEXT = `apiVersion: v1
kind: LimitRange
metadata:
  name: acme
  namespace: tenant-acme
spec:
  limits:
    - type: Container
      default: {cpu: "2"}
`;

const MACHINES_TEXT = documents(
  edited(EPHEMERAL_MACHINE, { 'acme-general-1a2b3c4d': 'acme-general', '16Gi': '8Gi' }),
  poolYaml({ spec: 'replicas: 2\n' }),
);

const SOURCES = `${PODS}; kubevirt/kubevirt pkg/virt-controller/services/renderresources.go; kubevirt/containerized-data-importer doc/scratch-space.md`;

const room: ManifestRule = {
  id: 'TC-TRAP-QUOTA-ROOM',
  title: 'A quota must have room for everything in its namespace at its largest, during a rollout: pods, machines and volumes are missing without an error otherwise.',
  source: SOURCES,
  kinds: [QUOTA],
  trap: true,
  example: { failing: documents(edited(QUOTA_TEXT, { '"2"': '"1"' }), DEPLOYMENT_TEXT), corrected: documents(QUOTA_TEXT, DEPLOYMENT_TEXT) },
  check: (object, index) => roomFindings(object, index, true),
};

/** A warning, since the management cluster may give machines less than they see. */
const machineRoom: ManifestRule = {
  id: 'TC-TRAP-QUOTA-ROOM-MACHINES',
  title: 'A quota of CPU or memory should have room for all machines of its namespace that are pods, at their largest, during a rollout.',
  source: SOURCES,
  kinds: [QUOTA],
  trap: true,
  warning: true,
  example: {
    failing: documents(edited(QUOTA_TEXT, { 'requests.cpu: "2"': 'requests.memory: 16Gi' }), MACHINES_TEXT),
    corrected: documents(edited(QUOTA_TEXT, { 'requests.cpu: "2"': 'requests.memory: 32Gi' }), MACHINES_TEXT),
  },
  check: (object, index) => roomFindings(object, index, false),
};

/** Most pods and machines that a finding names. */
const MOST_NAMED = 100;

function joined(texts: readonly string[]): string {
  const more = texts.length - MOST_NAMED;
  return [...texts.slice(0, MOST_NAMED), ...more > 0 ? [`${more} more`] : []].join('; ');
}

function writtenNeed({ amount, terms }: ReturnType<typeof needOf>): { readonly amount: bigint; readonly text: string } {
  return { amount, text: joined(terms) };
}

/** Keeps what is reckoned of everything in a namespace, whose limits are the same for all of its quotas. */
class OfLoads<T> {
  private readonly known = new WeakMap<readonly PodLoad[], Map<string, T>>();

  /** Returns the result for an entry of a quota. */
  public of(loads: readonly PodLoad[], entry: string, reckon: () => T): T {
    let entries = this.known.get(loads);
    if (!entries) this.known.set(loads, entries = new Map());
    let found = entries.get(entry);
    if (found === undefined) entries.set(entry, found = reckon());
    return found;
  }
}

const NEEDS = new OfLoads<ReturnType<typeof writtenNeed>>();
const SURE_NEEDS = new OfLoads<ReturnType<typeof needOf>>();
const SILENT = new OfLoads<string>();

/** The shares of CPU and memory that virtual machines get depend on more than the manifests of a tenant. */
const SHARED = /(?:^|\.)(?:cpu|memory)$/;

function roomFindings(object: ManifestObject, index: ManifestIndex, isCertain: boolean): Finding[] {
  const hard = hardOf(object, index);
  const loads = Object.keys(hard).length > 0 ? loadsOf(object, hard, index) : [];
  if (loads.length === 0) return [];
  const range = limitsIn(namespaceOf(object), index);
  return Object.entries(hard).flatMap(([resource, given]) => {
    const limit = parseQuantity(scalarText(given));
    const { amount, text } = NEEDS.of(loads, resource, () => writtenNeed(needOf(resource, loads, range)));
    // Nearly always there is room.
    if (limit === undefined || amount <= limit) return [];
    const sureNeed = () => needOf(resource, loads.filter(({ machine }) => !machine), range);
    const sure = SHARED.test(resource) ? SURE_NEEDS.of(loads, resource, sureNeed) : { amount };
    if (isCertain !== sure.amount > limit) return [];
    return [{
      path: ['spec', 'hard', resource],
      message: `the quota is ${String(given)}, and the namespace may need ${totalText(resource, amount)} of ${resource}: ${text}`,
      accepted: `at least ${totalText(resource, amount)}`,
      fix: 'raise the quota, or lower sizes or maxSurge; leave some room for hot-plugged volumes and live migration',
    }];
  });
}

const unset: ManifestRule = {
  id: 'TC-TRAP-QUOTA-UNSET',
  title: 'With a quota of CPU or memory, every container must have that request or limit, or get it from a LimitRange: its pod is refused otherwise.',
  source: `${PODS} (Constraints)`,
  kinds: [QUOTA],
  trap: true,
  example: {
    failing: documents(edited(QUOTA_TEXT, { 'requests.cpu: "2"': 'limits.cpu: "40"' }), DEPLOYMENT_TEXT),
    corrected: documents(edited(QUOTA_TEXT, { 'requests.cpu: "2"': 'limits.cpu: "40"' }), DEPLOYMENT_TEXT, LIMIT_RANGE_TEXT),
  },
  check: (object, index) => {
    const hard = limitsOfAll(object);
    const entries = Object.keys(hard).filter((entry) => Object.hasOwn(MUST_BE_SET, entry));
    if (entries.length === 0) return [];
    const loads = holdsClusters(namespaceOf(object), index) ? loadsOf(object, hard, index) : workloadsOf(namespaceOf(object), index);
    return entries.flatMap((entry) => {
      const silent = SILENT.of(loads, entry, () => joined(silentContainers(entry, loads, limitsIn(namespaceOf(object), index))));
      const [side, resource] = MUST_BE_SET[entry];
      return silent === '' ? [] : [{
        path: ['spec', 'hard', entry],
        message: `a pod is refused unless all its containers have a ${side.slice(0, -1)} of ${resource}, and these have none: ${silent}`,
        fix: 'give them one, write a default into a LimitRange of the namespace, or leave the entry out',
      }];
    });
  },
};

const unstated: ManifestRule = {
  id: 'TC-TRAP-QUOTA-UNSTATED',
  title: 'A quota of CPU or memory should have a LimitRange beside it where a hosted control plane is not among the manifests: its containers have no requests and limits unless they are written.',
  source: `${PODS} (Constraints)`,
  kinds: [QUOTA],
  trap: true,
  warning: true,
  example: {
    failing: documents(edited(QUOTA_TEXT, { 'requests.cpu: "2"': 'limits.cpu: "40"' }), clusterYaml(CLUSTER_PARTS)),
    corrected: documents(edited(QUOTA_TEXT, { 'requests.cpu: "2"': 'limits.cpu: "40"' }), clusterYaml(CLUSTER_PARTS), LIMIT_RANGE_TEXT),
  },
  check: (object, index) => {
    const range = limitsIn(namespaceOf(object), index);
    const [entry] = Object.keys(hardOf(object, index)).filter((one) => {
      if (!Object.hasOwn(MUST_BE_SET, one)) return false;
      const [side, resource] = MUST_BE_SET[one];
      return (side === 'limits' ? range.default : range.defaultRequest)[resource] === undefined;
    });
    const cluster = entry === undefined ? undefined : hostedElsewhere(CLUSTERS.find(index, namespaceOf(object)), index);
    return !cluster ? [] : [{
      path: ['spec', 'hard', entry],
      message: `with this entry pods are refused that do not state a ${MUST_BE_SET[entry][0].slice(0, -1)} of ${MUST_BE_SET[entry][1]}, and the control plane of "${stringAt(cluster, 'metadata', 'name')}" runs as pods of this namespace`,
      fix: 'make sure that all its containers have one, or write a default into a LimitRange of the namespace',
    }];
  },
};

/** Quotas of namespaces with clusters. */
export const QUOTA_RULES: readonly ManifestRule[] = [room, machineRoom, unset, unstated];

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [namespaceOf(cluster)]);

const HOSTED = new WeakMap<readonly ManifestObject[], { readonly cluster: ManifestObject | undefined }>();

/** The first Cluster of a namespace with a control plane in pods that is not among the manifests. */
function hostedElsewhere(clusters: readonly ManifestObject[], index: ManifestIndex): ManifestObject | undefined {
  let hosted = HOSTED.get(clusters);
  if (!hosted) HOSTED.set(clusters, hosted = { cluster: clusters.find((one) => isHostedElsewhere(one, index)) });
  return hosted.cluster;
}

/** True if pods of the namespace are a control plane that is not among the manifests. */
function isHostedElsewhere(cluster: ManifestObject, index: ManifestIndex): boolean {
  const kind = partReference(cluster, 'controlPlaneRef')?.kind ?? '';
  return providers().some(({ controlPlanePods = {} }) => Object.hasOwn(controlPlanePods, kind)) && !partOf(cluster, 'controlPlaneRef', index);
}

const WORKLOADS = new Lookup(POD_KINDS, (workload) => [namespaceOf(workload)]);
const WORKLOAD_LOADS = new WeakMap<readonly ManifestObject[], readonly PodLoad[]>();

const NAMESPACES = new Lookup(['/Namespace'], (namespace) => [nameOf(namespace)]);

/** The pods of a namespace without clusters. Clusters in several folders may have namespaces of one name, and then it is not known whose a pod is. */
function workloadsOf(namespace: string | undefined, index: ManifestIndex): readonly PodLoad[] {
  if (NAMESPACES.find(index, namespace).length > 1) return [];
  const workloads = WORKLOADS.find(index, namespace);
  let loads = WORKLOAD_LOADS.get(workloads);
  if (!loads) WORKLOAD_LOADS.set(workloads, loads = workloads.flatMap((workload) => podLoad(workload) ?? []));
  return loads;
}

function holdsClusters(namespace: string | undefined, index: ManifestIndex): boolean {
  return CLUSTERS.find(index, namespace).length > 0 || POOLS.find(index, namespace).length > 0;
}

/** Limits of a quota where there is a cluster. */
function hardOf(quota: ManifestObject, index: ManifestIndex): Fields {
  return holdsClusters(namespaceOf(quota), index) ? limitsOfAll(quota) : {};
}

/** Limits of a quota; none for one of some pods only. Manifests without a namespace may be for several. */
function limitsOfAll(quota: ManifestObject): Fields {
  if (namespaceOf(quota) === undefined) return {};
  const hard = fieldAt(quota, 'spec', 'hard');
  const isPartial = listAt(quota, 'spec', 'scopes').length > 0 || isSet(quota, 'spec', 'scopeSelector');
  return isFields(hard) && !isPartial ? hard : {};
}

const RANGES = new Lookup(['/LimitRange'], (range) => [namespaceOf(range)]);

/** Returns the defaults of containers in a namespace, completed as the API server does (kubernetes/kubernetes pkg/apis/core/v1/defaults.go). */
export function limitsIn(namespace: string | undefined, index: ManifestIndex): ContainerLimits {
  const ranges = RANGES.find(index, namespace);
  let limits = LIMITS.get(ranges);
  if (!limits) LIMITS.set(ranges, limits = limitsOf(ranges));
  return limits;
}

const LIMITS = new WeakMap<readonly ManifestObject[], ContainerLimits>();

function limitsOf(ranges: readonly ManifestObject[]): ContainerLimits {
  const entries = ranges.flatMap((range) => objectsAt(range, 'spec', 'limits').map(([limit]) => limit))
    .filter(({ type }) => type === 'Container');
  const merged = (field: string): Readonly<Record<string, string>> => Object.fromEntries(entries.flatMap((entry) => {
    const amounts = entry[field];
    return isFields(amounts) ? Object.entries(amounts).map(([resource, amount]) => [resource, scalarText(amount)]) : [];
  }));
  const [min, max] = [merged('min'), merged('max')];
  const limits = { ...max, ...merged('default') };
  return { default: limits, defaultRequest: { ...min, ...limits, ...merged('defaultRequest') }, min, max };
}

const POOLS = new Lookup([MACHINE_DEPLOYMENT], (pool) => [namespaceOf(pool)]);
const LOADS = new WeakMap<ManifestIndex, Map<string, PodLoad[]>>();

/** Lists what runs in the namespace of a quota, as far as it is read. */
function loadsOf(quota: ManifestObject, hard: Fields, index: ManifestIndex): PodLoad[] {
  const namespace = namespaceOf(quota);
  const limited = { cpu: hard['limits.cpu'] !== undefined, memory: hard['limits.memory'] !== undefined };
  let known = LOADS.get(index);
  if (!known) LOADS.set(index, known = new Map());
  const key = JSON.stringify([namespace, limited]);
  let loads = known.get(key);
  if (!loads) known.set(key, loads = loadsIn(namespace, limited, index));
  return loads;
}
