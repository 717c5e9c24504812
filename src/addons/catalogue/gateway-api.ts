import { AddonCapability } from '../addon-capability';
import { BundledAddonProps } from '../bundled-addon-props';
import { CatalogueAddon } from './catalogue-addon';

/** Which definitions of the Gateway API are installed. */
export enum GatewayApiChannel {
  /** What is stable. */
  STANDARD = 'standard',

  /** What is stable, and fields and kinds that may still change or go. Not to be applied over the standard ones. */
  EXPERIMENTAL = 'experimental',
}

/** What can be chosen about the definitions of the Gateway API. */
export interface GatewayApiProps extends BundledAddonProps {
  /**
   * Which definitions are installed. A policy that comes with them refuses experimental ones over standard ones
   * (kubernetes-sigs/gateway-api v1.6.1, `safe-upgrades.gateway.networking.k8s.io`).
   *
   * @default GatewayApiChannel.STANDARD
   */
  readonly channel?: GatewayApiChannel;

  /**
   * Whether the definitions of Envoy Gateway are installed as well, which `EnvoyGateway` needs.
   *
   * @default true
   */
  readonly envoyGateway?: boolean;
}

/**
 * The definitions of the Gateway API, release 1.6.1, and those of Envoy Gateway beside them.
 *
 * Uninstalling it removes them, and with them every Gateway and route of the tenant. Source: envoyproxy/gateway
 * charts/gateway-crds-helm v1.9.0.
 */
export class GatewayApi extends CatalogueAddon {
  /** Capabilities that are there before the chart is installed: none, for it has no pods. */
  public override readonly requires: string[] = [];

  /**
   * @param props what differs from the defaults
   */
  public constructor(props: GatewayApiProps = {}) {
    super({
      chart: 'gateway-crds-helm',
      name: 'gateway-api',
      namespace: 'envoy-gateway-system',
      provides: [AddonCapability.GATEWAY_API],
      tolerations: {},
      values: () => ({
        crds: {
          gatewayAPI: { enabled: true, channel: props.channel ?? GatewayApiChannel.STANDARD },
          envoyGateway: { enabled: props.envoyGateway ?? true },
        },
      }),
    }, props);
  }
}
