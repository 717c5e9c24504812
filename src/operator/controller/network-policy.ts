import { Construct } from 'constructs';
import { labelSelector } from './label-selector';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { webhooksOf } from './webhook-objects';
import { checkLabels } from '../../kubernetes/labels';
import { TypedApiObject } from '../../synth/typed-api-object';
import { Problem, problemIf } from '../../validation/problem';

/**
 * Who may reach the pods of an operator: the ports of its metrics and webhooks, and no other. What the pods themselves reach is not
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

/** Makes the NetworkPolicy. */
export function addNetworkPolicy(scope: Construct, identity: OperatorIdentity, policy: OperatorNetworkPolicy, props: OperatorProps): void {
  const { name, namespace, labels } = identity;
  const { metrics, webhooks } = props;
  const { metricsNamespaceLabels = { metrics: 'enabled' }, webhookNamespaceLabels } = policy;
  // kubebuilder's policy for webhooks names the port of the Service; policies are about the pod's.
  const ingress = [
    ...(metrics ? [allow(metricsOf(metrics).port, metricsNamespaceLabels)] : []),
    ...(webhooks ? [allow(webhooksOf(webhooks).port, webhookNamespaceLabels)] : []),
  ];
  new TypedApiObject(scope, 'NetworkPolicy', { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }, {
    metadata: { name, namespace, labels },
    spec: { podSelector: { matchLabels: selectorOf(name) }, policyTypes: ['Ingress'], ...(ingress.length > 0 && { ingress }) },
  });
}

function allow(port: number, namespaceLabels: { readonly [key: string]: string } | undefined): object {
  return {
    ...(namespaceLabels && { from: [{ namespaceSelector: labelSelector(namespaceLabels), podSelector: {} }] }),
    ports: [{ port, protocol: 'TCP' }],
  };
}

/** Checks the labels of the namespaces, and that they are for something that there is. */
export function checkNetworkPolicy({ networkPolicy, metrics, webhooks }: OperatorProps): Problem[] {
  if (!networkPolicy) return [];
  const { metricsNamespaceLabels, webhookNamespaceLabels } = networkPolicy;
  return [
    ...checkNamespaceLabels('metricsNamespaceLabels', metricsNamespaceLabels, metrics ? undefined : 'there are no metrics'),
    ...checkNamespaceLabels('webhookNamespaceLabels', webhookNamespaceLabels, webhooks ? undefined : 'there are no webhooks'),
  ];
}

function checkNamespaceLabels(name: string, labels: { readonly [key: string]: string } | undefined, needless: string | undefined): Problem[] {
  if (!labels) return [];
  const property = `networkPolicy.${name}`;
  return [
    ...problemIf(OPERATOR_RULES.networkPolicy, property, needless, 'leave it out'),
    ...checkLabels(labels).flatMap(({ key, message }) => problemIf(OPERATOR_RULES.networkPolicy, `${property}["${key}"]`, message, 'correct the label')),
  ];
}
