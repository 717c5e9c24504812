import { CatalogueAddon } from './catalogue-addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Namespaces that a cluster needs to recover: pod networks and the system. */
const VITAL_NAMESPACES = ['calico-system', 'kube-flannel', 'kube-node-lease', 'kube-system', 'tigera-operator'];

/** Options of Kyverno. */
export interface KyvernoProps extends BundledAddonProps {
  /**
   * Replicas of the admission controller, which every write that a policy speaks of waits for; 3 where policies must not get in the way
   * of a node's failure (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Namespaces that are exempt from policies, besides Kyverno's own.
   *
   * @default - those of the system and of pod networks: calico-system, kube-flannel, kube-node-lease, kube-system, tigera-operator
   */
  readonly excludedNamespaces?: string[];

  /**
   * True if writes pass unchecked while Kyverno is unreachable, regardless of the policies. The API server of a hosted control plane
   * reaches it by Konnectivity only.
   *
   * @default false
   */
  readonly ignoreFailures?: boolean;
}

/**
 * Kyverno, which checks, changes and makes objects by policies. Source: kyverno/kyverno charts/kyverno 3.9.0.
 *
 * @example
 * acme.addAddon(new Kyverno({ replicas: 3, excludedNamespaces: ['kube-system'] }));
 */
export class Kyverno extends CatalogueAddon {
  public constructor(props: KyvernoProps = {}) {
    const { replicas, excludedNamespaces, ignoreFailures } = props;
    super({
      chart: 'kyverno',
      name: 'kyverno',
      namespace: 'kyverno',
      tolerations: { 'global.tolerations': [], 'webhooksCleanup.tolerations': [], 'crds.migration.tolerations': [] },
      check: () => checkReplicas('replicas', replicas),
      values: () => ({
        admissionController: { replicas },
        config: {
          webhooks: {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: excludedNamespaces ?? VITAL_NAMESPACES }],
            },
          },
        },
        features: ignoreFailures ? { forceFailurePolicyIgnore: { enabled: true } } : undefined,
      }),
    }, props);
  }
}
