import { Construct } from 'constructs';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { OperatorNetworkPolicy } from './operator-network-policy';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { webhooksOf } from './webhook-objects';
import { labelSelector } from '../../../manifests/values/label-selector';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/** Makes the NetworkPolicy. */
export function addNetworkPolicy(scope: Construct, identity: OperatorIdentity, policy: OperatorNetworkPolicy, props: OperatorProps): void {
  const { name, namespace, labels } = identity;
  const { metrics, webhooks } = props;
  const { metricsNamespaceLabels = { metrics: 'enabled' }, webhookNamespaceLabels } = policy;
  // kubebuilder's policy for webhooks names the port of the Service; policies are about the pod's.
  const allowed = [
    ...(metrics ? [['metricsNamespaceLabels', allow(metricsOf(metrics).port, metricsNamespaceLabels)] as const] : []),
    ...(webhooks ? [['webhookNamespaceLabels', allow(webhooksOf(webhooks).port, webhookNamespaceLabels)] as const] : []),
  ];
  const object = new TypedApiObject(scope, 'NetworkPolicy', { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }, {
    metadata: { name, namespace, labels },
    spec: { podSelector: { matchLabels: selectorOf(name) }, policyTypes: ['Ingress'], ...(allowed.length > 0 && { ingress: allowed.map(([, rule]) => rule) }) },
  });
  FieldSources.record(object, scope, Object.fromEntries(allowed.map(([property], index) => (
    [`spec.ingress[${index}].from[0].namespaceSelector.matchLabels.**`, `networkPolicy.${property}.**`]))) as { [field: string]: string });
}

function allow(port: number, namespaceLabels: { readonly [key: string]: string } | undefined): object {
  return {
    ...(namespaceLabels && { from: [{ namespaceSelector: labelSelector(namespaceLabels), podSelector: {} }] }),
    ports: [{ port, protocol: 'TCP' }],
  };
}

/** Checks that labels of namespaces are set only with the metrics or webhooks that they allow access to. */
export function checkNetworkPolicy({ networkPolicy, metrics, webhooks }: OperatorProps): Problem[] {
  const { metricsNamespaceLabels, webhookNamespaceLabels } = networkPolicy ?? {};
  return [
    ...problemIf(OPERATOR_RULES.networkPolicy, 'networkPolicy.metricsNamespaceLabels', metricsNamespaceLabels && !metrics ? 'there are no metrics' : undefined, 'leave it out'),
    ...problemIf(OPERATOR_RULES.networkPolicy, 'networkPolicy.webhookNamespaceLabels', webhookNamespaceLabels && !webhooks ? 'there are no webhooks' : undefined, 'leave it out'),
  ];
}
