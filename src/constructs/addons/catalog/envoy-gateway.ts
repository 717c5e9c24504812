import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of Envoy Gateway. */
export interface EnvoyGatewayProps extends BundledAddonProps {
  /**
   * Number of replicas of the controller; it manages the proxies itself (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/**
 * Envoy Gateway, an implementation of the Gateway API. The definitions are installed before it: add `GatewayApi`, whose `envoyGateway` is
 * on.
 *
 * The controller looks once, when it starts, which definitions there are. Flux cannot order its chart after them: on a cluster that runs
 * already, add `GatewayApi` in a commit before, or restart the Deployment `envoy-gateway`.
 *
 * A GatewayClass with the controller `gateway.envoyproxy.io/gatewayclass-controller` belongs into the cluster's `workloads`. Source:
 * envoyproxy/gateway charts/gateway-helm v1.9.0.
 *
 * Rule: `TC-ADDON-REQUIREMENT`. Source: envoyproxy/gateway internal/provider/kubernetes/controller.go, v1.9.0.
 *
 * @example
 * acme.addAddon(new GatewayApi({ envoyGateway: true }));
 * acme.addAddon(new EnvoyGateway({ replicas: 2 }));
 */
export class EnvoyGateway extends CatalogueAddon {
  public constructor(props: EnvoyGatewayProps = {}) {
    super({
      chart: 'gateway-helm',
      name: 'envoy-gateway',
      namespace: 'envoy-gateway-system',
      requires: [AddonCapability.GATEWAY_API],
      tolerations: { 'deployment.pod.tolerations': [], 'certgen.job.tolerations': [] },
      check: () => checkReplicas('replicas', props.replicas),
      values: ({ network }) => ({
        // They are those of GatewayApi.
        crds: { enabled: false },
        deployment: { replicas: props.replicas },
        kubernetesClusterDomain: network.serviceDomain,
      }),
    }, props);
  }
}
