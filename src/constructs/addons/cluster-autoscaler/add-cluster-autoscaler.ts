import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { autoscalerArguments, withClientRate } from './autoscaler-arguments';
import { AUTOSCALER_PROPERTY, checkAutoscaler } from './autoscaler-checks';
import { autoscalerPermissions } from './autoscaler-permissions';
import { ClusterAutoscaler, NodeArchitecture } from './cluster-autoscaler';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { CLUSTER_AUTOSCALER, imageName, releaseFor } from '../../../manifests/values/versions';
import { Problems } from '../../app/problems/problems';
import { ClusterContext } from '../../contracts/cluster-context';
import { checkControllerOffer } from '../controllers/offer-check';
import { addTenantController } from '../controllers/tenant-controller';
import { TENANT_KUBECONFIG_MOUNT } from '../controllers/tenant-kubeconfig';

const NAME = 'cluster-autoscaler';

/** CPU and memory limit of kubernetes/autoscaler cluster-autoscaler/cloudprovider/aws/examples, memory of kubernetes/kubernetes cluster/gce/manifests. */
const RESOURCES: ResourceRequirements = { requests: { cpu: '100m', memory: '300Mi' }, limits: { memory: '600Mi' } };

/** Without it the autoscaler logs an error (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go). */
const ARCHITECTURE_VARIABLE = 'CAPI_SCALE_ZERO_DEFAULT_ARCH';

/** The cluster's pools, as input of the autoscaler. */
export interface ScaledPools {
  /** Machine templates of all pools. */
  readonly templates: readonly ApiObject[];

  /** Number of the pools that it sizes. */
  readonly autoscaled: number;
}

/**
 * Adds the cluster autoscaler of one tenant cluster, unless it is disabled.
 *
 * @param scope where to put the objects; the id `Deployment` is among them
 * @param context the cluster
 * @param autoscaler whether and how it runs
 * @param pools the cluster's pools, asked for when the manifest is written
 * @returns the Deployment
 */
export function addClusterAutoscaler(
  scope: Construct, context: ClusterContext, autoscaler: ClusterAutoscaler, pools: () => ScaledPools,
): ApiObject | undefined {
  if (!autoscaler.enabled) return undefined;
  const { options } = autoscaler;
  const problems = Problems.of(scope);
  [...checkAutoscaler(options, context), ...checkControllerOffer(AUTOSCALER_PROPERTY, options, context)].forEach((problem) => problems.add(problem));
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
