import { CatalogueAddon, checkServiceAnnotations } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of Traefik. */
export interface TraefikProps extends BundledAddonProps {
  /**
   * Replicas (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * True if Ingresses that name no class are Traefik's (`TC-ADDON-EXCLUSIVE`).
   *
   * @default true
   */
  readonly defaultClass?: boolean;

  /**
   * True if Traefik implements the Gateway API as well, with a Gateway and a GatewayClass of its own. The definitions are installed before
   * it: add `GatewayApi` (`TC-ADDON-REQUIREMENT`).
   *
   * @default false
   */
  readonly gatewayApi?: boolean;

  /**
   * Annotations of the Service of type LoadBalancer, for its load balancer implementation (`TC-ADDON-REFUSED-ANNOTATION`).
   *
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };
}

/**
 * Traefik, which leads traffic to Ingresses and its own routes. Source: traefik/traefik-helm-chart traefik v41.3.0.
 *
 * @example
 * acme.addAddon(new Traefik({ replicas: 2, defaultClass: true }));
 */
export class Traefik extends CatalogueAddon {
  public constructor(props: TraefikProps = {}) {
    const { replicas, defaultClass = true, gatewayApi, serviceAnnotations } = props;
    super({
      chart: 'traefik',
      name: 'traefik',
      namespace: 'traefik',
      provides: [AddonCapability.INGRESS, ...(defaultClass ? [AddonCapability.DEFAULT_INGRESS_CLASS] : [])],
      requires: gatewayApi ? [AddonCapability.GATEWAY_API] : [],
      tolerations: { tolerations: [] },
      check: (context) => [...checkReplicas('replicas', replicas), ...checkServiceAnnotations(serviceAnnotations, context)],
      values: () => ({
        deployment: { replicas },
        ingressClass: { enabled: true, isDefaultClass: defaultClass },
        providers: gatewayApi ? { kubernetesGateway: { enabled: true } } : undefined,
        service: { annotations: serviceAnnotations },
      }),
    }, props);
  }
}
