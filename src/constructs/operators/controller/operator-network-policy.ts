/**
 * Access to the pods of an operator: the ports of its metrics and webhooks, and no other. What the pods themselves reach is not
 * limited, and neither is the node that they run on, which asks for their health.
 *
 * Source: kubernetes-sigs/kubebuilder testdata/project-v4/config/network-policy.
 */
export interface OperatorNetworkPolicy {
  /**
   * Labels of the namespaces that may read the metrics; none for all namespaces (`TC-OPERATOR-NETWORK-POLICY`).
   *
   * @default - metrics: enabled
   */
  readonly metricsNamespaceLabels?: { [key: string]: string };

  /**
   * Labels of the namespaces that may call the webhooks; none for all namespaces. The API server calls them, which in most clusters is
   * no pod in a namespace: it is then locked out (`TC-OPERATOR-NETWORK-POLICY`).
   *
   * @default - from everywhere
   */
  readonly webhookNamespaceLabels?: { [key: string]: string };
}
