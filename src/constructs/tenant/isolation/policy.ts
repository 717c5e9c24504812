import { labelSelector } from '../../../manifests/values/labels';
import { IsolationPort, PeerChoice } from '../../contracts/capabilities/isolation-peer';

/** Labels that select pods. */
export type PodLabels = { readonly [key: string]: string };

/** Traffic that a policy allows. */
export interface TrafficRule {
  /** Peers of the traffic; all if absent. */
  readonly peers?: readonly PeerChoice[];
  /** Destination ports; all if absent. */
  readonly ports?: readonly IsolationPort[];
}

/** A network policy of any engine. Traffic that no rule allows is dropped, in both directions. */
export interface Policy {
  /** Purpose of the policy; its object is named `<cluster>-<purpose>`. */
  readonly purpose: string;
  /** The pods that it holds for; all pods of the namespace if empty. */
  readonly pods: PodLabels;
  /** Allowed incoming traffic. */
  readonly ingress: readonly TrafficRule[];
  /** Allowed outgoing traffic. */
  readonly egress: readonly TrafficRule[];
}

/** All traffic is allowed. */
export const EVERYTHING: readonly TrafficRule[] = [{}];

/** `spec` of a NetworkPolicy. */
export function networkPolicySpec(policy: Policy): object {
  return {
    podSelector: labelSelector(policy.pods),
    policyTypes: ['Ingress', 'Egress'],
    ...(policy.ingress.length > 0 && { ingress: policy.ingress.map((rule) => ruleOf('from', rule)) }),
    ...(policy.egress.length > 0 && { egress: policy.egress.map((rule) => ruleOf('to', rule)) }),
  };
}

function ruleOf(direction: 'from' | 'to', { peers, ports }: TrafficRule): object {
  return {
    ...(peers && { [direction]: peers.map(peerOf) }),
    ...(ports && { ports: ports.map(({ protocol, port }) => ({ protocol, port })) }),
  };
}

function peerOf({ cidr, pods }: PeerChoice): object {
  if (cidr) return { ipBlock: { cidr: cidr.cidr, ...(cidr.except.length > 0 && { except: cidr.except }) } };
  return {
    ...(pods?.namespaceLabels && { namespaceSelector: labelSelector(pods.namespaceLabels) }),
    podSelector: labelSelector(pods?.podLabels ?? {}),
  };
}

const POD_NAMESPACE = 'k8s:io.kubernetes.pod.namespace';
const NAMESPACE_LABEL = 'k8s:io.cilium.k8s.namespace.labels.';

/**
 * `spec` of a CiliumNetworkPolicy.
 *
 * A direction without rules would not be limited at all; one empty rule lets nothing through
 * (docs.cilium.io/en/stable/security/policy/language, default deny).
 */
export function ciliumPolicySpec(policy: Policy): object {
  return {
    endpointSelector: labelSelector(policy.pods),
    ingress: policy.ingress.length > 0 ? policy.ingress.flatMap((rule) => rulesOf('from', rule)) : [{}],
    egress: policy.egress.length > 0 ? policy.egress.flatMap((rule) => rulesOf('to', rule)) : [{}],
  };
}

/** One rule for each kind of peer: kinds within one rule would have to hold all at once. */
function rulesOf(direction: 'from' | 'to', { peers, ports }: TrafficRule): object[] {
  const toPorts = ports && [{ ports: ports.map(({ port, protocol }) => ({ port: `${port}`, protocol })) }];
  const sides: [name: string, list: object | undefined][] = peers
    ? [['Endpoints', listOf(peers, endpointsOf)], ['CIDRSet', listOf(peers, cidrOf)], ['Entities', listOf(peers, ({ entity }) => entity)]]
    : [['Entities', ['all']]];
  return sides.filter(([, list]) => list !== undefined).map(([name, list]) => ({ [`${direction}${name}`]: list, ...(toPorts && { toPorts }) }));
}

function listOf<T>(peers: readonly PeerChoice[], write: (peer: PeerChoice) => T | undefined): T[] | undefined {
  const list = peers.map(write).filter((item) => item !== undefined);
  return list.length > 0 ? list : undefined;
}

function cidrOf({ cidr }: PeerChoice): object | undefined {
  return cidr && { cidr: cidr.cidr, ...(cidr.except.length > 0 && { except: cidr.except }) };
}

function endpointsOf({ pods }: PeerChoice): object | undefined {
  if (!pods) return undefined;
  const { namespaceLabels, podLabels } = pods;
  if (!namespaceLabels) return labelSelector(podLabels);
  const labels = Object.fromEntries(Object.entries(namespaceLabels).map(([key, value]) => [namespaceKey(key), value]));
  // Without a word about the namespace, Cilium means the policy's own.
  const anyNamespace = labels[POD_NAMESPACE] === undefined && { matchExpressions: [{ key: POD_NAMESPACE, operator: 'Exists' }] };
  return { ...labelSelector({ ...labels, ...podLabels }), ...anyNamespace };
}

function namespaceKey(key: string): string {
  return key === 'kubernetes.io/metadata.name' ? POD_NAMESPACE : `${NAMESPACE_LABEL}${key}`;
}
