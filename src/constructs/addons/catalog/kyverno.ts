import { CatalogueAddon } from './catalogue-addon';
import { Problem, Rule } from '../../../manifests/values/problem';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Namespaces that a cluster needs to recover: pod networks and the system. */
const VITAL_NAMESPACES = ['calico-system', 'kube-flannel', 'kube-node-lease', 'kube-system', 'tigera-operator'];

/** Options of Kyverno. */
export interface KyvernoProps extends BundledAddonProps {
  /**
   * Replicas of the admission controller, which every write outside of `excludedNamespaces` waits for. With one, the loss of its node
   * blocks these writes until it runs again elsewhere, and a warning says so; 3 are enough (`TC-ADDON-COUNT`, `TC-ADDON-KYVERNO-SINGLE`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Namespaces that are exempt from policies, besides Kyverno's own.
   *
   * @default - those of the system, of pod networks and of volumes: calico-system, kube-flannel, kube-node-lease, kube-system, tigera-operator,
   * and those that the infrastructure names (`recoveryNamespaces`), such as that of KubeVirt's CSI driver
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
      check: () => [...checkReplicas('replicas', replicas), ...checkSingle(replicas, ignoreFailures)],
      values: ({ infrastructure }) => ({
        admissionController: { replicas },
        config: {
          webhooks: {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: excludedNamespaces ?? [...VITAL_NAMESPACES, ...infrastructure.recoveryNamespaces ?? []].sort() }],
            },
          },
        },
        features: ignoreFailures ? { forceFailurePolicyIgnore: { enabled: true } } : undefined,
      }),
    }, props);
  }
}

const SINGLE_RULE: Rule = {
  id: 'TC-ADDON-KYVERNO-SINGLE',
  title: 'Kyverno should have several replicas of its admission controller, or let writes pass while it is unreachable.',
  source: 'kyverno.io/docs/high-availability',
  warning: true,
};

function checkSingle(replicas = 1, ignoreFailures = false): Problem[] {
  return replicas > 1 || ignoreFailures ? [] : [{
    rule: SINGLE_RULE,
    property: 'replicas',
    message: 'there is one replica: while it is away, policies that fail closed block writes outside of the excluded namespaces',
    fix: 'set replicas: 3, or ignoreFailures: true',
  }];
}
