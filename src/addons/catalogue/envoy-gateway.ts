import { AddonCapability } from '../addon-capability';
import { BundledAddonProps } from '../bundled-addon-props';
import { CatalogueAddon } from './catalogue-addon';
import { checkReplicas } from './checks';

/** What can be chosen about Envoy Gateway. */
export interface EnvoyGatewayProps extends BundledAddonProps {
  /**
   * Replicas of the controller; the proxies are its own matter (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/**
 * Envoy Gateway, an implementation of the Gateway API. The definitions are installed before it: add `GatewayApi`, whose `envoyGateway` is
 * on (`TC-ADDON-REQUIREMENT`).
 *
 * A GatewayClass with the controller `gateway.envoyproxy.io/gatewayclass-controller` belongs into the cluster's `workloads`. Source:
 * envoyproxy/gateway charts/gateway-helm v1.9.0.
 */
export class EnvoyGateway extends CatalogueAddon {
  /**
   * @param props what differs from the defaults
   */
  public constructor(props: EnvoyGatewayProps = {}) {
    super({
      chart: 'gateway-helm',
      name: 'envoy-gateway',
      namespace: 'envoy-gateway-system',
      requires: [AddonCapability.GATEWAY_API],
      tolerations: { 'deployment.pod.tolerations': [], 'certgen.job.tolerations': [] },
      check: () => checkReplicas('replicas', props.replicas),
      values: ({ network }) => ({
        // They are upgraded by the chart of GatewayApi only.
        crds: { enabled: false },
        deployment: { replicas: props.replicas },
        kubernetesClusterDomain: network.serviceDomain,
      }),
    }, props);
  }
}
