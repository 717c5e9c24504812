import { CatalogueAddon, checkServiceAnnotations } from './catalogue-addon';
import { Problem, Rule } from '../../../manifests/values/problem';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

const RETIRED_RULE: Rule = {
  id: 'TC-ADDON-RETIRED',
  title: 'The project of an addon should still release security fixes.',
  source: 'kubernetes/ingress-nginx README.md',
  warning: true,
};

/** Reported for every cluster that has it. */
const RETIRED: Problem = {
  rule: RETIRED_RULE,
  message: 'ingress-nginx is retired: since March 2026 it gets no releases and no security fixes',
  fix: 'use Traefik, which reads most of its annotations, or a Gateway API controller',
};

/** Options of ingress-nginx. */
export interface IngressNginxProps extends BundledAddonProps {
  /**
   * Replicas (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * True if Ingresses that name no class are ingress-nginx's (`TC-ADDON-EXCLUSIVE`).
   *
   * @default false
   */
  readonly defaultClass?: boolean;

  /**
   * Annotations of the Service of type LoadBalancer, for its load balancer implementation (`TC-ADDON-REFUSED-ANNOTATION`).
   *
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };

  /**
   * True if cert-manager issues the certificate of the webhook, in place of Jobs that run at every install and upgrade. It is installed
   * before: add `CertManager` (`TC-ADDON-REQUIREMENT`).
   *
   * @default false
   */
  readonly certManager?: boolean;
}

/**
 * The community's Ingress controller on NGINX, for tenants that have it already.
 *
 * The project is retired: since March 2026 there are no releases and no security fixes, and it advises against new installations: a
 * warning. `Traefik` reads most of its annotations and takes its place.
 *
 * Rule: `TC-ADDON-RETIRED`. Source: kubernetes/ingress-nginx README.md; kubernetes/ingress-nginx charts/ingress-nginx 4.15.1.
 *
 * @example
 * acme.addAddon(new IngressNginx({ replicas: 2, defaultClass: true }));
 */
export class IngressNginx extends CatalogueAddon {
  public constructor(props: IngressNginxProps = {}) {
    const { replicas, defaultClass = false, serviceAnnotations, certManager } = props;
    super({
      chart: 'ingress-nginx',
      name: 'ingress-nginx',
      namespace: 'ingress-nginx',
      provides: [AddonCapability.INGRESS, ...(defaultClass ? [AddonCapability.DEFAULT_INGRESS_CLASS] : [])],
      requires: certManager ? [AddonCapability.CERTIFICATES] : [],
      tolerations: { 'controller.tolerations': [], 'controller.admissionWebhooks.patch.tolerations': [] },
      check: (context) => [
        ...checkReplicas('replicas', replicas), ...checkServiceAnnotations(serviceAnnotations, context), RETIRED,
      ],
      values: () => ({
        controller: {
          replicaCount: replicas,
          ingressClassResource: { default: defaultClass },
          service: { annotations: serviceAnnotations },
          admissionWebhooks: certManager ? { certManager: { enabled: true } } : undefined,
        },
      }),
    }, props);
  }
}
