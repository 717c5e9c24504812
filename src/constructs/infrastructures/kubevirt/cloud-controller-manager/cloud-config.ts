import { Duration, Yaml } from 'cdk8s';
import { KubevirtCloudControllerManagerOptions } from './kubevirt-cloud-controller-manager';
import { KubevirtLoadBalancerOptions, KubevirtLoadBalancers } from './kubevirt-load-balancers';

const POLL_INTERVAL = Duration.seconds(5);
const POLL_TIMEOUT = Duration.minutes(1);

/** The cluster that runs the machines, as seen from the pod. */
export interface InfraAccess {
  /** File with its kubeconfig; absent where that is the management cluster. */
  readonly kubeconfig?: string;

  /** Namespace of the virtual machines; absent where the kubeconfig says it. */
  readonly namespace?: string;
}

/** How Services of type LoadBalancer are published. */
export function loadBalancersOf({ loadBalancers }: KubevirtCloudControllerManagerOptions): KubevirtLoadBalancers {
  return loadBalancers ?? KubevirtLoadBalancers.allNodes();
}

/** Interval and timeout in seconds. */
export function pollSeconds({ creationPollInterval, creationPollTimeout }: KubevirtLoadBalancerOptions): { interval: number; timeout: number } {
  return {
    interval: (creationPollInterval ?? POLL_INTERVAL).toSeconds({ integral: false }),
    timeout: (creationPollTimeout ?? POLL_TIMEOUT).toSeconds({ integral: false }),
  };
}

/**
 * The file that the cloud controller manager is configured by (kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go). Keys that it does
 * not know are ignored without a word, and zones are on unless they are switched off.
 */
export function cloudConfig(options: KubevirtCloudControllerManagerOptions, infra: InfraAccess): string {
  const { _mode: mode, _options: polling } = loadBalancersOf(options);
  const { interval, timeout } = pollSeconds(polling);
  const labels = Object.entries(options.infraLabels ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return Yaml.stringify({
    ...infra,
    ...(labels.length > 0 && { infraLabels: Object.fromEntries(labels) }),
    instancesV2: { enabled: options.initializeNodes ?? true, zoneAndRegionEnabled: options.zones ?? false },
    loadBalancer: mode.enabled === false ? mode : { enabled: true, creationPollInterval: interval, creationPollTimeout: timeout, ...mode },
  });
}
