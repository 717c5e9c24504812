import { CatalogueAddon } from './catalogue-addon';
import { mergeValues, Values } from '../../../manifests/values/chart-values';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas, TolerationPaths } from '../bundled-addon';

/** Options of cert-manager. */
export interface CertManagerProps extends BundledAddonProps {
  /**
   * True if Gateways get certificates. The definitions of the Gateway API are installed before it: add `GatewayApi`
   * (`TC-ADDON-REQUIREMENT`).
   *
   * @default false
   */
  readonly gatewayApi?: boolean;

  /**
   * Replicas of controller, webhook and CA injector each. While no webhook runs, nothing of cert-manager can be written
   * (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/** Paths of the tolerations in the values of the chart. */
export const CERT_MANAGER_TOLERATIONS: TolerationPaths = { 'tolerations': [], 'webhook.tolerations': [], 'cainjector.tolerations': [] };

/** Values with which cert-manager works wherever it is installed. */
export function certManagerValues(replicas: number | undefined): Values {
  return {
    crds: { enabled: true, keep: true },
    // A hook that waits for the webhook: on nodes that are slow to come it makes an install fail that would have succeeded.
    startupapicheck: { enabled: false },
    replicaCount: replicas,
    webhook: { replicaCount: replicas },
    cainjector: { replicaCount: replicas },
  };
}

/**
 * cert-manager, which issues certificates. Issuers belong into the cluster's `workloads`, which come after it.
 *
 * Its definitions stay when it is uninstalled, and with them all certificates. Source: cert-manager/cert-manager
 * deploy/charts/cert-manager v1.21.1.
 *
 * @example
 * acme.addAddon(new CertManager({ replicas: 2 }));
 */
export class CertManager extends CatalogueAddon {
  public constructor(props: CertManagerProps = {}) {
    const { gatewayApi, replicas } = props;
    super({
      chart: 'cert-manager',
      name: 'cert-manager',
      namespace: 'cert-manager',
      provides: [AddonCapability.CERTIFICATES],
      requires: gatewayApi ? [AddonCapability.GATEWAY_API] : [],
      tolerations: CERT_MANAGER_TOLERATIONS,
      check: () => checkReplicas('replicas', replicas),
      values: () => mergeValues(certManagerValues(replicas), {
        config: gatewayApi ? {
          apiVersion: 'controller.config.cert-manager.io/v1alpha1', kind: 'ControllerConfiguration', gatewayAPI: { enabled: true },
        } : undefined,
      }),
    }, props);
  }
}
