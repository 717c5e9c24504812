import { CatalogueAddon } from './catalogue-addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of the External Secrets Operator. */
export interface ExternalSecretsProps extends BundledAddonProps {
  /**
   * Replicas of the operator, of which one works, and of its webhook (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/**
 * The External Secrets Operator, which makes Secrets from what external stores hold. Stores and ExternalSecrets of
 * `external-secrets.io/v1` belong into the cluster's `workloads`.
 *
 * Uninstalling it removes its definitions, and with them every ExternalSecret of the tenant. Source: external-secrets/external-secrets
 * deploy/charts/external-secrets 2.9.0.
 *
 * @example
 * acme.addAddon(new ExternalSecrets({ replicas: 2 }));
 */
export class ExternalSecrets extends CatalogueAddon {
  public constructor(props: ExternalSecretsProps = {}) {
    const { replicas = 1 } = props;
    super({
      chart: 'external-secrets',
      name: 'external-secrets',
      namespace: 'external-secrets',
      tolerations: { 'tolerations': [], 'webhook.tolerations': [], 'certController.tolerations': [] },
      check: () => checkReplicas('replicas', replicas),
      values: () => ({ installCRDs: true, replicaCount: replicas, leaderElect: replicas > 1, webhook: { replicaCount: replicas } }),
    }, props);
  }
}
