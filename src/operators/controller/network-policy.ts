import { Construct } from 'constructs';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { OperatorNetworkPolicy } from './operator-network-policy';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { webhooksOf } from './webhook-objects';
import { Problem, problemIf } from '../../problems/problem';
import { TypedApiObject } from '../../synth/typed-api-object';
import { labelSelector } from '../../values/label-selector';
import { checkLabels } from '../../values/labels';

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
