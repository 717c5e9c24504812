import { ApiObject, Lazy } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { AUTOSCALER_PROPERTY, autoscalerArguments, checkAutoscaler, withClientRate } from './autoscaler-options';
import { ClusterAutoscaler, NodeArchitecture } from './cluster-autoscaler';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { CLUSTER_AUTOSCALER, imageName, releaseFor } from '../../../manifests/values/versions';
import { Problems } from '../../app/problems/problems';
import { ClusterContext } from '../../contracts/cluster-context';
import { checkPodCapabilities } from '../controllers/controller-checks';
import { addTenantController } from '../controllers/tenant-controller';
import { TENANT_KUBECONFIG_MOUNT } from '../controllers/tenant-kubeconfig';

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
      args: () => autoscalerArguments(context, withClientRate(options, pools().autoscaled)),
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
