import { MIN_SIZE } from './autoscaler-annotations';
import {
  CLUSTER, CLUSTER_NAME_LABEL, CLUSTER_RESOURCE_SET, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK,
} from './cluster-api-kinds';
import { healthChecksOf } from './health-check-limits';
import { healthChecks, startupSeconds } from './health-checks';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, isSet, numberAt, stringAt } from '../../values/fields';
import { Alert, AlertsOf, WatchedCluster, DAY, HOUR, MINUTE, promDuration } from '../alerts/alert';
import { conditionMetric, CustomResourceMetric, gaugeMetric, OBJECT_LABELS, stateSetMetric } from '../alerts/custom-resource-metrics';
import { newest, series, SERVICE_ADDRESS, SERVICE_TYPE } from '../alerts/metrics';
import { ManifestIndex } from '../manifest-index';

const TYPES = 'kubernetes-sigs/cluster-api api/core/v1beta2';
const OF_CLUSTER = { cluster_name: ['spec', 'clusterName'], ...OBJECT_LABELS } as const;

// Prefixes and names are those of Cluster API's own configuration (core/config/metrics/crd-metrics-config.yaml), which reads v1beta1.
const CLUSTERS = { kind: CLUSTER, version: 'v1beta2', plural: 'clusters', prefix: 'capi_cluster', labels: OBJECT_LABELS, source: `${TYPES}/cluster_types.go, v1.14.0` };
const POOLS = {
  kind: MACHINE_DEPLOYMENT,
  version: 'v1beta2',
  plural: 'machinedeployments',
  prefix: 'capi_machinedeployment',
  labels: OF_CLUSTER,
  source: `${TYPES}/machinedeployment_types.go, v1.14.0`,
};
const MACHINES = {
  kind: MACHINE,
  version: 'v1beta2',
  plural: 'machines',
  prefix: 'capi_machine',
  labels: {
    ...OF_CLUSTER,
    control_plane_name: ['metadata', 'labels', 'cluster.x-k8s.io/control-plane-name'],
    deployment_name: ['metadata', 'labels', 'cluster.x-k8s.io/deployment-name'],
  },
  source: `${TYPES}/machine_types.go, machine_phase_types.go, v1.14.0`,
} as const;
const HEALTH_CHECKS = {
  kind: MACHINE_HEALTH_CHECK,
  version: 'v1beta2',
  plural: 'machinehealthchecks',
  prefix: 'capi_machinehealthcheck',
  labels: OF_CLUSTER,
  source: `${TYPES}/machinehealthcheck_types.go, v1.14.0`,
};
const CONTROL_PLANES = {
  kind: KUBEADM_CONTROL_PLANE,
  version: 'v1beta2',
  plural: 'kubeadmcontrolplanes',
  prefix: 'capi_kubeadmcontrolplane',
  labels: OBJECT_LABELS,
  source: 'kubernetes-sigs/cluster-api api/controlplane/kubeadm/v1beta2/kubeadm_control_plane_types.go, v1.14.0',
};
const RESOURCE_SETS = {
  kind: CLUSTER_RESOURCE_SET,
  version: 'v1beta2',
  plural: 'clusterresourcesets',
  prefix: 'capi_clusterresourceset',
  labels: OBJECT_LABELS,
  source: 'kubernetes-sigs/cluster-api api/addons/v1beta2/clusterresourceset_types.go, v1.14.0',
};

const CLUSTER_CONDITION = conditionMetric(CLUSTERS);
const POOL_CONDITION = conditionMetric(POOLS);
const POOL_DESIRED = gaugeMetric(POOLS, 'spec_replicas', 'The number of desired machines.', ['spec', 'replicas']);
const POOL_AVAILABLE = gaugeMetric(POOLS, 'status_replicas_available', 'The number of available machines.', ['status', 'availableReplicas'], 'zero');
const POOL_UP_TO_DATE = gaugeMetric(
  POOLS, 'status_replicas_up_to_date', 'The number of machines of the current template.', ['status', 'upToDateReplicas'], 'zero');
const MACHINE_PHASE = stateSetMetric(MACHINES, 'status_phase', 'The phase of the machine.', 'phase', {
  path: ['status', 'phase'],
  list: ['Pending', 'Provisioning', 'Provisioned', 'Running', 'Updating', 'Deleting', 'Deleted', 'Failed', 'Unknown'],
});
const MACHINE_CERTIFICATES = gaugeMetric(
  MACHINES, 'status_certificatesexpirydate', 'The time at which the certificates of a control plane machine end.', ['status', 'certificatesExpiryDate']);
const HEALTH_CHECK_CONDITION = conditionMetric(HEALTH_CHECKS);
const CONTROL_PLANE_CONDITION = conditionMetric(CONTROL_PLANES);
const CONTROL_PLANE_AVAILABLE = gaugeMetric(
  CONTROL_PLANES, 'status_replicas_available', 'The number of available machines.', ['status', 'availableReplicas'], 'zero');
const RESOURCE_SET_CONDITION = conditionMetric(RESOURCE_SETS);

/** Metrics of Cluster API's kinds. */
export const CLUSTER_API_METRICS: readonly CustomResourceMetric[] = [
  CLUSTER_CONDITION, POOL_CONDITION, POOL_DESIRED, POOL_AVAILABLE, POOL_UP_TO_DATE, MACHINE_PHASE, MACHINE_CERTIFICATES, HEALTH_CHECK_CONDITION,
  CONTROL_PLANE_CONDITION, CONTROL_PLANE_AVAILABLE, RESOURCE_SET_CONDITION,
];

/** Time after a declared limit, until the controllers have noticed and reported. */
const MARGIN = 5 * MINUTE;

/** Start-up time of machines without a health check, or with one that sets no limit. */
const USUAL_STARTUP = 20 * MINUTE;

/** Deletion of machines whose drain has no limit. */
const LONG_DELETION = 2 * HOUR;

const STARTING = { in: ['Pending', 'Provisioning', 'Provisioned'] } as const;

// kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go
const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';

function clusterAlerts(object: ManifestObject): Alert[] {
  const of = keyOf(object);
  const condition = (type: string | { readonly in: readonly string[] }, status: string) => newest(CLUSTER_CONDITION, ['namespace', 'name'], { ...of, type, status });
  return [{
    name: 'ControlPlaneDown',
    expr: `${condition({ in: ['ControlPlaneAvailable', 'RemoteConnectionProbe'] }, 'False')} == 1 and ${condition('ControlPlaneInitialized', 'True')} == 1`,
    seconds: MARGIN,
    severity: 'critical',
    summary: `The API server of ${of.name} does not answer, or its control plane is not available.`,
  }, {
    name: 'ClusterNotInitialized',
    expr: `${condition('ControlPlaneInitialized', 'True')} == 0`,
    seconds: USUAL_STARTUP + MARGIN,
    severity: 'warning',
    summary: `The control plane of ${of.name} has not come up.`,
  }, {
    name: 'ClusterNotObserved',
    expr: `absent(${newest(CLUSTER_CONDITION, ['namespace', 'name'], of)})`,
    seconds: 15 * MINUTE,
    severity: 'critical',
    summary: `There are no metrics of ${of.name}: all other alerts of the cluster are silent.`,
  }, {
    name: 'ServiceWithoutAddress',
    expr: `${newest(SERVICE_TYPE, ['namespace', 'service'], { namespace: of.namespace, type: 'LoadBalancer' })} unless on (namespace, service) `
      + newest(SERVICE_ADDRESS, ['namespace', 'service'], { namespace: of.namespace }),
    seconds: 15 * MINUTE,
    severity: 'warning',
    summary: 'The Service {{ $labels.service }} has no address.',
  }];
}

function poolAlerts(object: ManifestObject, index: ManifestIndex, { paused }: WatchedCluster): Alert[] {
  const of = keyOf(object);
  const size = numberAt(object, 'spec', 'replicas') ?? leastSize(object);
  if (paused || isPaused(object)) return [];
  const startup = startupOf(object, index, stringAt(object, 'spec', 'clusterName'));
  const machines = machineAlerts({ deployment_name: of.name, namespace: of.namespace }, of.name, startup, deletionSeconds(object));
  // Nothing of a pool that sleeps is missing, but machines may stay.
  if (size === 0 && fieldAt(object, 'metadata', 'annotations', MIN_SIZE) === undefined) return machines.filter(({ name }) => name === 'MachineNotDeleted');
  const available = newest(POOL_AVAILABLE, ['namespace', 'name'], of);
  const rolling = `${newest(POOL_CONDITION, ['namespace', 'name'], { ...of, type: 'RollingOut', status: 'True' })} == 1`;
  const byHand = stringAt(object, 'spec', 'rollout', 'strategy', 'type') === 'OnDelete';
  const progress = startup + deletionSeconds(object);
  return [
    ...(size === 0 ? [] : [{
      name: 'PoolBelowSize',
      expr: `${available} < ${size} unless on (namespace, name) ${rolling}`,
      seconds: startup + MARGIN,
      severity: 'warning',
      summary: `The pool ${of.name} has {{ $value }} of ${size} nodes.`,
      graph: {
        title: `Nodes of ${of.name}`,
        lines: [['available', available], ['desired', newest(POOL_DESIRED, ['namespace', 'name'], of)]],
        unit: 'none',
        limit: size,
      },
    }, {
      name: 'PoolWithoutNodes',
      expr: `${available} == 0`,
      seconds: startup + MARGIN,
      severity: 'critical',
      summary: `The pool ${of.name} has no node that is available.`,
    }] as const),
    ...(byHand ? [] : [{
      name: 'RolloutStuck',
      // A longer range would reach back to the time before the rollout, in which nothing changed either.
      expr: `${rolling} and on (namespace, name) max by (namespace, name) (changes(${series(POOL_UP_TO_DATE, of)}[${promDuration(MARGIN)}])) == 0`,
      seconds: progress,
      severity: 'warning',
      summary: `The rollout of the pool ${of.name} has replaced no machine in ${promDuration(progress)}.`,
    }] as const),
    ...machines,
  ];
}

/** Labels by which the machines of a pool or a control plane are found. */
type MachineOwner = Partial<Readonly<Record<'control_plane_name' | 'deployment_name' | 'namespace', string>>>;

/** Alerts for machines of a pool or a control plane. */
function machineAlerts(owner: MachineOwner, name: string, startup: number, deletion: number): Alert[] {
  const phase = (match: 'Deleting' | typeof STARTING) => `${newest(MACHINE_PHASE, ['namespace', 'name'], { ...owner, phase: match })} == 1`;
  return [{
    name: 'MachineWithoutNode',
    expr: phase(STARTING),
    seconds: startup,
    severity: 'warning',
    summary: `The machine {{ $labels.name }} of ${name} is no node after ${promDuration(startup)}.`,
    graph: {
      title: `Machines of ${name}`, lines: [['{{phase}}', `sum by (phase) (${newest(MACHINE_PHASE, ['name', 'phase'], owner)}) > 0`]], unit: 'none',
    },
  }, {
    name: 'MachineNotDeleted',
    expr: phase('Deleting'),
    seconds: deletion + MARGIN,
    severity: 'warning',
    summary: `The machine {{ $labels.name }} of ${name} is still being deleted.`,
  }];
}

function healthCheckAlerts(object: ManifestObject, _index: ManifestIndex, { paused }: WatchedCluster): Alert[] {
  const of = keyOf(object);
  return paused || isPaused(object) ? [] : [{
    name: 'RemediationBlocked',
    expr: `${newest(HEALTH_CHECK_CONDITION, ['namespace', 'name'], { ...of, type: 'RemediationAllowed', status: 'False' })} == 1`,
    seconds: MARGIN,
    severity: 'critical',
    summary: `The health check ${of.name} replaces no machine: more are unhealthy than its limit allows.`,
  }];
}

/** Whole days before their end at which certificates must have been renewed. */
const CERTIFICATE_DAYS = 30;

function controlPlaneAlerts(object: ManifestObject, index: ManifestIndex, { paused }: WatchedCluster): Alert[] {
  const of = keyOf(object);
  if (paused || isPaused(object)) return [];
  const size = numberAt(object, 'spec', 'replicas') ?? 1;
  const startup = startupOf(object, index, stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL) ?? of.name);
  const declared = numberAt(object, 'spec', 'rollout', 'before', 'certificatesExpiryDays');
  const days = declared === undefined ? CERTIFICATE_DAYS : Math.max(declared - 2, Math.ceil(declared / 2));
  const owner = { control_plane_name: of.name, namespace: of.namespace };
  const validity = `min by (namespace, name) (${series(MACHINE_CERTIFICATES, owner)}) - time()`;
  const rolling = `${newest(CONTROL_PLANE_CONDITION, ['namespace', 'name'], { ...of, type: 'RollingOut', status: 'True' })} == 1`;
  return [{
    name: 'ControlPlaneBelowSize',
    expr: `${newest(CONTROL_PLANE_AVAILABLE, ['namespace', 'name'], of)} < ${size} unless on (namespace, name) ${rolling}`,
    seconds: startup + MARGIN,
    severity: 'warning',
    summary: `The control plane ${of.name} has {{ $value }} of ${size} machines.`,
  }, {
    name: 'CertificateNearEnd',
    expr: `${validity} < ${days * DAY}`,
    seconds: HOUR,
    severity: 'critical',
    summary: 'The certificates of the machine {{ $labels.name }} end in {{ $value | humanizeDuration }}.',
    graph: { title: `Validity of certificates of ${of.name}`, lines: [['{{name}}', validity]], unit: 's', limit: days * DAY },
  }, ...machineAlerts(owner, of.name, startup, deletionSeconds(object))];
}

function resourceSetAlerts(object: ManifestObject, _index: ManifestIndex, { paused }: WatchedCluster): Alert[] {
  const of = keyOf(object);
  return paused ? [] : [{
    name: 'ReleaseFailing',
    expr: `${newest(RESOURCE_SET_CONDITION, ['namespace', 'name'], { ...of, type: 'ResourcesApplied', status: 'False' })} == 1`,
    seconds: 30 * MINUTE,
    severity: 'warning',
    summary: `The ClusterResourceSet ${of.name} is not applied.`,
  }];
}

/** Alerts by kind. */
export const CLUSTER_API_ALERTS: Readonly<Record<string, AlertsOf>> = {
  [CLUSTER]: clusterAlerts,
  [CLUSTER_RESOURCE_SET]: resourceSetAlerts,
  [KUBEADM_CONTROL_PLANE]: controlPlaneAlerts,
  [MACHINE_DEPLOYMENT]: poolAlerts,
  [MACHINE_HEALTH_CHECK]: healthCheckAlerts,
};

/** Labels that find an object. */
function keyOf(object: ManifestObject): { readonly namespace: string; readonly name: string } {
  return { namespace: namespaceOf(object) ?? '', name: nameOf(object) ?? '' };
}

function isPaused(object: ManifestObject): boolean {
  return isSet(object, 'metadata', 'annotations', PAUSED_ANNOTATION) || fieldAt(object, 'spec', 'paused') === true;
}

/** The least size that an autoscaled pool may have. */
function leastSize(object: ManifestObject): number {
  return Number(stringAt(object, 'metadata', 'annotations', MIN_SIZE) ?? 0);
}

/** The longest start-up time that the health checks of a pool or a control plane grant its machines. */
function startupOf(object: ManifestObject, index: ManifestIndex, cluster: string | undefined): number {
  const times = healthChecksOf(object, index, cluster).flatMap((check) => healthChecks(check).map((place) => startupSeconds(check, place) ?? 0));
  return Math.max(...times.filter((seconds) => seconds > 0), 0) || USUAL_STARTUP;
}

/** Time that a machine may take to be deleted, by the timeouts of its template. Without a timeout, the drain has no end. */
function deletionSeconds(object: ManifestObject): number {
  const path = isSet(object, 'spec', 'machineTemplate') ? ['spec', 'machineTemplate', 'spec', 'deletion'] : ['spec', 'template', 'spec', 'deletion'];
  const [drain, detach] = ['nodeDrainTimeoutSeconds', 'nodeVolumeDetachTimeoutSeconds'].map((field) => numberAt(object, ...path, field) ?? 0);
  return drain > 0 && detach > 0 ? drain + detach : LONG_DELETION;
}
