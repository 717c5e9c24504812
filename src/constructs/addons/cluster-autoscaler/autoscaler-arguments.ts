import { Duration } from 'cdk8s';
import { ClusterAutoscalerOptions } from './cluster-autoscaler';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { goDuration } from '../../../manifests/values/go-duration';
import { ClusterIdentity } from '../../contracts/api-server-address';
import { TENANT_KUBECONFIG } from '../controllers/tenant-kubeconfig';

/** Namespace in the tenant for the autoscaler's Lease, status, and the priorities of its expander. */
const TENANT_NAMESPACE = 'kube-system';

/** An option, its flag, and the values that the flag is given with. */
type OptionFlag = readonly [option: keyof ClusterAutoscalerOptions, flag: string, values: (options: ClusterAutoscalerOptions) => readonly string[]];

const FLAGS: readonly OptionFlag[] = [
  ['expanders', 'expander', ({ expanders = [] }) => (expanders.length === 0 ? [] : [expanders.join(',')])],
  ['scanInterval', 'scan-interval', ({ scanInterval }) => duration(scanInterval)],
  ['kubeClientQps', 'kube-client-qps', ({ kubeClientQps }) => text(kubeClientQps)],
  ['kubeClientBurst', 'kube-client-burst', ({ kubeClientBurst }) => text(kubeClientBurst)],
  ['balanceSimilarNodeGroups', 'balance-similar-node-groups', ({ balanceSimilarNodeGroups }) => text(balanceSimilarNodeGroups)],
  ['balancingIgnoredLabels', 'balancing-ignore-label', ({ balancingIgnoredLabels = [] }) => balancingIgnoredLabels],
  ['newPodScaleUpDelay', 'new-pod-scale-up-delay', ({ newPodScaleUpDelay }) => duration(newPodScaleUpDelay)],
  ['maxNodesTotal', 'max-nodes-total', ({ maxNodesTotal }) => text(maxNodesTotal)],
  ['scaleDown', 'scale-down-enabled', ({ scaleDown }) => text(scaleDown)],
  ['scaleDownUnneededTime', 'scale-down-unneeded-time', ({ scaleDownUnneededTime }) => duration(scaleDownUnneededTime)],
  ['scaleDownUnreadyTime', 'scale-down-unready-time', ({ scaleDownUnreadyTime }) => duration(scaleDownUnreadyTime)],
  ['scaleDownDelayAfterAdd', 'scale-down-delay-after-add', ({ scaleDownDelayAfterAdd }) => duration(scaleDownDelayAfterAdd)],
  ['scaleDownDelayAfterDelete', 'scale-down-delay-after-delete', ({ scaleDownDelayAfterDelete }) => duration(scaleDownDelayAfterDelete)],
  ['scaleDownDelayAfterFailure', 'scale-down-delay-after-failure', ({ scaleDownDelayAfterFailure }) => duration(scaleDownDelayAfterFailure)],
  ['scaleDownUtilizationThreshold', 'scale-down-utilization-threshold', ({ scaleDownUtilizationThreshold }) => text(scaleDownUtilizationThreshold)],
  ['scaleDownGpuUtilizationThreshold', 'scale-down-gpu-utilization-threshold', ({ scaleDownGpuUtilizationThreshold }) => text(scaleDownGpuUtilizationThreshold)],
  ['maxScaleDownParallelism', 'max-scale-down-parallelism', ({ maxScaleDownParallelism }) => text(maxScaleDownParallelism)],
  ['maxGracefulTermination', 'max-graceful-termination-sec', ({ maxGracefulTermination }) => text(maxGracefulTermination?.toSeconds({ integral: false }))],
  ['ignoreDaemonSetsUtilization', 'ignore-daemonsets-utilization', ({ ignoreDaemonSetsUtilization }) => text(ignoreDaemonSetsUtilization)],
  ['skipNodesWithLocalStorage', 'skip-nodes-with-local-storage', ({ skipNodesWithLocalStorage }) => text(skipNodesWithLocalStorage)],
  ['skipNodesWithSystemPods', 'skip-nodes-with-system-pods', ({ skipNodesWithSystemPods }) => text(skipNodesWithSystemPods)],
];

/** Requests a second: a base, more for each autoscaled pool, and a limit that keeps one tenant from loading the management cluster's API server. */
const QPS = { base: 10, perPool: 10, limit: 100 };

/** Flags that no option changes, with the reason. */
const FIXED: Readonly<Record<string, string>> = {
  'address': 'its probes ask at the default port',
  'cloud-config': 'it reaches the management cluster through its service account',
  'cloud-provider': 'its pools are those of Cluster API',
  'clusterapi-cloud-config-authoritative': 'it reaches the management cluster through its service account',
  'enforce-node-group-min-size': 'the minimum of a pool is one',
  'kubeconfig': 'it works on the tenant',
  'kubernetes': 'it works on the tenant',
  'leader-elect': 'an update starts a second instance before the first one is gone',
  'max-node-provision-time': 'each pool has its own, size.options.maxNodeProvisionTime',
  'namespace': 'it is the namespace of its Lease and status in the tenant',
  'node-group-auto-discovery': 'its pools are those of the cluster',
  'nodes': 'its pools are those of the cluster',
};

/** Flags that extra arguments cannot carry, each with the reason. */
export function managedFlags(property: string): Readonly<Record<string, string>> {
  return { ...FIXED, ...Object.fromEntries(FLAGS.map(([option, flag]) => [flag, `${property}.${option} sets it`])) };
}

/**
 * The options with defaults for the request rates.
 *
 * The autoscaler's own default is 5 a second for each of its clients (client-go rest.DefaultQPS). Each loop reads the size of a pool about
 * 20 times, and while a pool is empty it asks for all API groups about 20 times, in two requests each (kubernetes/autoscaler
 * cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go, cluster-autoscaler-1.34.5): with 9 pools one loop took a minute.
 */
export function withClientRate(options: ClusterAutoscalerOptions, autoscaledPools: number): ClusterAutoscalerOptions {
  const kubeClientQps = options.kubeClientQps ?? Math.min(QPS.base + QPS.perPool * autoscaledPools, QPS.limit);
  return { ...options, kubeClientQps, kubeClientBurst: options.kubeClientBurst ?? 2 * kubeClientQps };
}

/**
 * The autoscaler's command line: the tenant by its kubeconfig, the management cluster by the service account of the pod
 * (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md), the options, the user's own arguments in their order.
 */
export function autoscalerArguments(cluster: ClusterIdentity, options: ClusterAutoscalerOptions): ComponentArgument[] {
  return [
    { name: 'cloud-provider', value: 'clusterapi' },
    { name: 'kubeconfig', value: TENANT_KUBECONFIG },
    { name: 'clusterapi-cloud-config-authoritative', value: 'true' },
    { name: 'node-group-auto-discovery', value: `clusterapi:namespace=${cluster.namespace},clusterName=${cluster.name}` },
    { name: 'namespace', value: TENANT_NAMESPACE },
    { name: 'enforce-node-group-min-size', value: 'true' },
    { name: 'leader-elect', value: 'true' },
    ...FLAGS.flatMap(([, name, values]) => values(options).map((value) => ({ name, value }))),
    ...options.extraArgs ?? [],
  ];
}

function text(value: boolean | number | undefined): string[] {
  return value === undefined ? [] : [`${value}`];
}

function duration(value: Duration | undefined): string[] {
  return value ? [goDuration(value)] : [];
}
