import { Construct } from 'constructs';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf, OperatorMetrics } from './operator-metrics';
import { webhooksOf } from './operator-webhook';
import { OperatorWebhooks } from './operator-webhook-props';
import { labelSelector } from '../../../manifests/values/labels';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/**
 * Access to the pods of an operator: the ports of its metrics and webhooks, and no other. Their own requests are not limited, nor are the
 * health probes of their node.
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
   * Labels of the namespaces that may call the webhooks; none for all namespaces. In most clusters the API server, which calls them, is no
   * pod in a namespace, and labels lock it out (`TC-OPERATOR-NETWORK-POLICY`).
   *
   * @default - from everywhere
   */
  readonly webhookNamespaceLabels?: { [key: string]: string };
}

/** The properties of an operator that decide its policy. */
interface PolicyProps {
  readonly networkPolicy?: OperatorNetworkPolicy;
  readonly metrics?: OperatorMetrics;
  readonly webhooks?: OperatorWebhooks;
}

/** Adds the NetworkPolicy. */
export function addNetworkPolicy(scope: Construct, { name, namespace, labels }: OperatorIdentity, props: PolicyProps): void {
  const { networkPolicy, metrics, webhooks } = props;
  if (!networkPolicy) return;
  const { metricsNamespaceLabels = { metrics: 'enabled' }, webhookNamespaceLabels } = networkPolicy;
  // kubebuilder's policy for webhooks has the port of the Service, but policies match the port of the pod.
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

const NETWORK_POLICY_RULE: Rule = {
  id: 'TC-OPERATOR-NETWORK-POLICY',
  title: 'A NetworkPolicy must allow namespaces only to existing metrics and webhooks.',
  source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/network-policy',
};

/** Checks that labels of namespaces are set only with the metrics or webhooks that they allow access to. */
export function checkNetworkPolicy({ networkPolicy, metrics, webhooks }: PolicyProps): Problem[] {
  const { metricsNamespaceLabels, webhookNamespaceLabels } = networkPolicy ?? {};
  return [
    ...problemIf(NETWORK_POLICY_RULE, 'networkPolicy.metricsNamespaceLabels', metricsNamespaceLabels && !metrics ? 'there are no metrics' : undefined, 'leave it out'),
    ...problemIf(NETWORK_POLICY_RULE, 'networkPolicy.webhookNamespaceLabels', webhookNamespaceLabels && !webhooks ? 'there are no webhooks' : undefined, 'leave it out'),
  ];
}
