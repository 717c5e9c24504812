import { ApiObject, Duration, Lazy } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { AutoscalerExpander, ClusterAutoscaler, ClusterAutoscalerOptions, NodeArchitecture } from './cluster-autoscaler';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { compareReleases } from '../../../manifests/values/component-facts';
import { goDuration, parseGoDuration } from '../../../manifests/values/go-duration';
import { releaseOf } from '../../../manifests/values/image-reference';
import { checkLabelKey } from '../../../manifests/values/labels';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { CLUSTER_AUTOSCALER, imageName, releaseFor } from '../../../manifests/values/versions';
import { Problems } from '../../app/problems/problems';
import { ClusterContext, ClusterIdentity } from '../../contracts/cluster-context';
import { checkController, checkPodCapabilities } from '../controllers/controller-checks';
import { addTenantController } from '../controllers/tenant-controller';
import { TENANT_KUBECONFIG, TENANT_KUBECONFIG_MOUNT } from '../controllers/tenant-kubeconfig';

const NAME = 'cluster-autoscaler';

/** CPU and memory limit of kubernetes/autoscaler cluster-autoscaler/cloudprovider/aws/examples, memory of kubernetes/kubernetes cluster/gce/manifests. */
const RESOURCES: ResourceRequirements = { requests: { cpu: '100m', memory: '300Mi' }, limits: { memory: '600Mi' } };

/** Without it the autoscaler logs an error (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go). */
const ARCHITECTURE_VARIABLE = 'CAPI_SCALE_ZERO_DEFAULT_ARCH';

/** The cluster's pools, as input of the autoscaler. */
interface ScaledPools {
  /** Machine templates of all pools. */
  readonly templates: readonly ApiObject[];

  /** Number of the pools that it sizes. */
  readonly autoscaled: number;
}

/**
 * Adds the cluster autoscaler of one tenant cluster, unless it is disabled.
 *
 * @param scope the parent construct of the objects; the id `Deployment` is among them
 * @param context the cluster
 * @param autoscaler its option
 * @param pools the cluster's pools, asked for when the manifest is written
 * @returns the Deployment
 */
export function addClusterAutoscaler(
  scope: Construct, context: ClusterContext, autoscaler: ClusterAutoscaler, pools: () => ScaledPools,
): ApiObject | undefined {
  if (!autoscaler.enabled) return undefined;
  const { options } = autoscaler;
  const problems = Problems.of(scope);
  [...checkAutoscaler(options, context), ...checkPodCapabilities(AUTOSCALER_PROPERTY, options, context)].forEach((problem) => problems.add(problem));
  return addTenantController(scope, context, {
    name: NAME,
    property: AUTOSCALER_PROPERTY,
    options,
    permissions: Lazy.any({ produce: () => autoscalerPermissions(pools().templates) }),
    leaderElection: true,
    containers: [{
      name: NAME,
      image: options.image ?? imageName(releaseFor(CLUSTER_AUTOSCALER, context.kubernetesVersion), context.versions),
      // The image has a command and no entry point, so that arguments alone would replace it.
      command: ['/cluster-autoscaler'],
      args: () => autoscalerArguments(context, withScanInterval(withClientRate(options, pools().autoscaled), context.management?.tenants)),
      env: [{ name: ARCHITECTURE_VARIABLE, value: options.architecture ?? NodeArchitecture.AMD64 }],
      resources: options.resources ?? RESOURCES,
      health: { path: '/health-check', port: 8085, scheme: 'HTTP' },
      volumeMounts: [TENANT_KUBECONFIG_MOUNT],
    }],
  });
}

const CLUSTER_API = 'cluster.x-k8s.io';
const WATCH = ['list', 'watch'];

/**
 * The rights of the autoscaler in the management cluster, in the namespace of its cluster.
 *
 * Source: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi clusterapi_controller.go, clusterapi_unstructured.go. It
 * watches every scalable kind that is served, marks the machines that shall go, and sizes the MachineDeployments; MachineSets that belong
 * to one are left alone. Only a machine that it marks is read by `get` (cluster-autoscaler-1.33.6 to 1.36.1). The right to watch machine
 * templates is always granted: without it the autoscaler waits forever.
 *
 * @param templates machine templates of the pools
 */
function autoscalerPermissions(templates: readonly ApiObject[]): k8s.PolicyRule[] {
  return [
    { apiGroups: [CLUSTER_API], resources: ['machinedeployments', 'machinepools', 'machines', 'machinesets'], verbs: WATCH },
    { apiGroups: [CLUSTER_API], resources: ['machines'], verbs: ['get', 'update'] },
    { apiGroups: [CLUSTER_API], resources: ['machinedeployments/scale'], verbs: ['get', 'patch'] },
    ...templatePermissions(templates),
  ];
}

function templatePermissions(templates: readonly ApiObject[]): k8s.PolicyRule[] {
  const groups = new Map<string, Set<string>>();
  for (const template of templates) {
    const resources = groups.get(template.apiGroup) ?? new Set<string>();
    groups.set(template.apiGroup, resources.add(resourceOf(template.kind)));
  }
  return [...groups.keys()].sort().map((group) => ({ apiGroups: [group], resources: [...groups.get(group)!].sort(), verbs: WATCH }));
}

/** The resource name that the autoscaler derives from a kind: it knows one plural form only. */
function resourceOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

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
function managedFlags(property: string): Readonly<Record<string, string>> {
  return { ...FIXED, ...Object.fromEntries(FLAGS.map(([option, flag]) => [flag, `${property}.${option} sets it`])) };
}

/**
 * The options with defaults for the request rates.
 *
 * The autoscaler's own default is 5 a second for each of its clients (client-go rest.DefaultQPS). Each loop reads the size of a pool about
 * 20 times, and while a pool is empty it asks for all API groups about 20 times, in two requests each (kubernetes/autoscaler
 * cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go, cluster-autoscaler-1.34.5): with 9 pools one loop took a minute.
 */
function withClientRate(options: ClusterAutoscalerOptions, autoscaledPools: number): ClusterAutoscalerOptions {
  const kubeClientQps = options.kubeClientQps ?? Math.min(QPS.base + QPS.perPool * autoscaledPools, QPS.limit);
  return { ...options, kubeClientQps, kubeClientBurst: options.kubeClientBurst ?? 2 * kubeClientQps };
}

/**
 * The options with the interval of scans: beside many others, each autoscaler asks the API server of the management cluster less often.
 *
 * An autoscaler with two pools sends it two to three requests a second at its own interval of 10 seconds, so that 200 of them send 500.
 */
function withScanInterval(options: ClusterAutoscalerOptions, tenants = 0): ClusterAutoscalerOptions {
  if (options.scanInterval || tenants <= 50) return options;
  return { ...options, scanInterval: Duration.seconds(tenants <= 100 ? 20 : 30) };
}

/**
 * The autoscaler's command line: the tenant by its kubeconfig, the management cluster by the service account of the pod
 * (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md), the options, the user's own arguments in their order.
 */
function autoscalerArguments(cluster: ClusterIdentity, options: ClusterAutoscalerOptions): ComponentArgument[] {
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

/** Name of the property of a cluster that holds the options. */
const AUTOSCALER_PROPERTY = 'clusterAutoscaler';

const MAX_INT32 = 2 ** 31 - 1;

/** The first release that looks for the version which serves a machine template; of its patches, 1.35.0 does not. */
const FINDS_VERSIONS_SINCE = '1.35';

/** Checks the options of the autoscaler, and the management cluster that it runs in. */
function checkAutoscaler(options: ClusterAutoscalerOptions, { kubernetesVersion, versions, management }: ClusterContext): Problem[] {
  const release = releaseOf(options.image ?? imageName(releaseFor(CLUSTER_AUTOSCALER, kubernetesVersion), versions));
  return [
    ...checkExpanders(options),
    ...checkDurations(options),
    ...checkShare('scaleDownUtilizationThreshold', options.scaleDownUtilizationThreshold),
    ...checkShare('scaleDownGpuUtilizationThreshold', options.scaleDownGpuUtilizationThreshold),
    ...checkCount('kubeClientQps', options.kubeClientQps, 1),
    ...checkCount('kubeClientBurst', options.kubeClientBurst, 1),
    ...checkCount('maxNodesTotal', options.maxNodesTotal, 0),
    ...checkCount('maxScaleDownParallelism', options.maxScaleDownParallelism, 1),
    ...checkIgnoredLabels(options),
    ...checkProviders(Object.keys(management?.infrastructureProviders ?? {}), release ?? kubernetesVersion.minorVersion),
    ...checkController(AUTOSCALER_PROPERTY, options, { component: 'cluster-autoscaler', release, managed: managedFlags(AUTOSCALER_PROPERTY) }),
  ];
}

const EXPANDER_RULE: Rule = {
  id: 'TC-AUTOSCALER-EXPANDER',
  title: 'Expanders must be unique, and none may follow random, which leaves only one pool.',
  source: 'kubernetes/autoscaler cluster-autoscaler/expander/factory/expander_factory.go',
};

function checkExpanders({ expanders = [] }: ClusterAutoscalerOptions): Problem[] {
  const rule = EXPANDER_RULE;
  const random = expanders.indexOf(AutoscalerExpander.RANDOM);
  return expanders.flatMap((expander, index): Problem[] => {
    const property = `${AUTOSCALER_PROPERTY}.expanders[${index}]`;
    if (expanders.indexOf(expander) < index) {
      return [{
        rule, property, message: `the expander ${expander} is already at position ${expanders.indexOf(expander)}`, fix: 'remove one of the two',
      }];
    }
    return random === -1 || index <= random ? [] : [{
      rule, property, message: `random leaves one pool, so that ${expander} has nothing to choose, and the autoscaler exits`, fix: 'write random last, or leave it out',
    }];
  });
}

function checkDurations(options: ClusterAutoscalerOptions): Problem[] {
  const times: readonly (readonly [property: string, time: Duration | undefined])[] = [
    ['newPodScaleUpDelay', options.newPodScaleUpDelay],
    ['scaleDownUnneededTime', options.scaleDownUnneededTime],
    ['scaleDownUnreadyTime', options.scaleDownUnreadyTime],
    ['scaleDownDelayAfterAdd', options.scaleDownDelayAfterAdd],
    ['scaleDownDelayAfterDelete', options.scaleDownDelayAfterDelete],
    ['scaleDownDelayAfterFailure', options.scaleDownDelayAfterFailure],
    ['scanInterval', options.scanInterval],
  ];
  const graceful = options.maxGracefulTermination?.toSeconds({ integral: false });
  return [
    ...times.filter(([, time]) => time && parseGoDuration(goDuration(time)) === undefined)
      .map(([property, time]) => durationProblem(property, `${time!.toMilliseconds()} ms is not a time of the autoscaler`, 'times of up to 292 years')),
    ...(options.scanInterval?.toMilliseconds() === 0 ? [durationProblem('scanInterval', 'the autoscaler would look at the cluster without a break', 'more than 0')] : []),
    ...(graceful !== undefined && !(Number.isInteger(graceful) && graceful <= MAX_INT32)
      ? [durationProblem('maxGracefulTermination', `${graceful} seconds is not a time that the autoscaler can wait`, `whole seconds up to ${MAX_INT32}`)] : []),
  ];
}

const DURATION_RULE: Rule = {
  id: 'TC-AUTOSCALER-DURATION',
  title: 'Times of the autoscaler must fit into 64 bits. Times in seconds must be whole seconds, and the scan interval must be positive.',
  source: 'kubernetes/autoscaler cluster-autoscaler/FAQ.md',
};

function durationProblem(property: string, message: string, accepted: string): Problem {
  return { rule: DURATION_RULE, property: `${AUTOSCALER_PROPERTY}.${property}`, message, accepted, fix: 'correct the time, or leave it out' };
}

const SHARE_RULE: Rule = {
  id: 'TC-AUTOSCALER-SHARE',
  title: 'Thresholds of utilization must be between 0 and 1.',
  source: 'kubernetes/autoscaler cluster-autoscaler/FAQ.md',
};

function checkShare(property: string, share: number | undefined): Problem[] {
  return share === undefined || (share >= 0 && share <= 1) ? [] : [{
    rule: SHARE_RULE, property: `${AUTOSCALER_PROPERTY}.${property}`, message: `${share} is not a share`, accepted: '0 to 1', fix: 'write 50 % as 0.5',
  }];
}

const COUNT_RULE: Rule = {
  id: 'TC-AUTOSCALER-COUNT',
  title: 'Numbers of nodes, of requests per second and of parallel actions must be whole numbers, and fit into 32 bits.',
  source: 'kubernetes/autoscaler cluster-autoscaler/FAQ.md',
};

function checkCount(property: string, count: number | undefined, smallest: number): Problem[] {
  return count === undefined || (Number.isInteger(count) && count >= smallest && count <= MAX_INT32) ? [] : [{
    rule: COUNT_RULE,
    property: `${AUTOSCALER_PROPERTY}.${property}`,
    message: `${count} is not such a number`,
    accepted: `whole numbers from ${smallest} to ${MAX_INT32}`,
    fix: 'correct the number, or leave it out',
  }];
}

const PROVIDERS_RULE: Rule = {
  id: 'TC-AUTOSCALER-PROVIDERS',
  title: 'An autoscaler before 1.35.1 needs a management cluster with one infrastructure provider, or with providers that prefer the same API version.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go (readInfrastructureReferenceResource), '
      + 'cluster-autoscaler-1.34.5 and 1.35.1; kubernetes/autoscaler issue 6490',
  warning: true,
};

function checkProviders(providers: readonly string[], release: string): Problem[] {
  return providers.length < 2 || compareReleases(release, FINDS_VERSIONS_SINCE) >= 0 ? [] : [{
    rule: PROVIDERS_RULE,
    property: AUTOSCALER_PROPERTY,
    message: `the management cluster has the infrastructure providers ${[...providers].sort().join(', ')}, and an autoscaler ${release} reads machine templates `
      + 'in the one version that the API server prefers for all of them. If the templates of this cluster are not served in it, the autoscaler waits for ever: '
      + 'its pod is ready, and the ConfigMap cluster-autoscaler-status in kube-system of the tenant stays at "Initializing"',
    fix: `raise the cluster to Kubernetes ${FINDS_VERSIONS_SINCE}, or use a management cluster with one infrastructure provider; if the providers serve the same versions, `
      + 'nothing is to be done',
  }];
}

const IGNORED_LABEL_RULE: Rule = {
  id: 'TC-AUTOSCALER-IGNORED-LABEL',
  title: 'Labels to ignore in the comparison of pools must be label keys, and need balanceSimilarNodeGroups.',
  source: 'kubernetes/autoscaler cluster-autoscaler/processors/nodegroupset/compare_nodegroups.go',
};

function checkIgnoredLabels({ balanceSimilarNodeGroups, balancingIgnoredLabels = [] }: ClusterAutoscalerOptions): Problem[] {
  const property = `${AUTOSCALER_PROPERTY}.balancingIgnoredLabels`;
  if (balancingIgnoredLabels.length > 0 && !balanceSimilarNodeGroups) {
    return [{
      rule: IGNORED_LABEL_RULE, property, message: 'pools are not compared', fix: 'set balanceSimilarNodeGroups: true, or leave the labels out',
    }];
  }
  return balancingIgnoredLabels.flatMap((key, index) => {
    const message = checkLabelKey(key);
    return message === undefined ? [] : [{ rule: IGNORED_LABEL_RULE, property: `${property}[${index}]`, message, fix: 'write the key of a label of nodes' }];
  });
}
