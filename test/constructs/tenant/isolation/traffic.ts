import { Cidr } from '../../../../src/manifests/values/cidr';

type Labels = { readonly [key: string]: string };

/** One end of a connection: a pod of the management cluster, or an address that is none. */
export interface Endpoint {
  readonly ip: string;
  readonly namespace?: string;
  readonly labels?: Labels;
}

/** A connection. */
export interface Connection {
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly port: number;
  readonly protocol?: string;
}

/** True if NetworkPolicies let a connection through, at both ends (kubernetes.io/docs/concepts/services-networking/network-policies). */
export function lets(policies: readonly any[], connection: Connection): boolean {
  return passes(policies, connection, 'egress') && passes(policies, connection, 'ingress');
}

function passes(policies: readonly any[], connection: Connection, side: 'egress' | 'ingress'): boolean {
  const [own, other] = side === 'egress' ? [connection.from, connection.to] : [connection.to, connection.from];
  const type = side === 'egress' ? 'Egress' : 'Ingress';
  const bound = policies.filter(({ metadata, spec }) => (
    own.namespace === metadata.namespace && selects(spec.podSelector, own.labels) && spec.policyTypes.includes(type)
  ));
  if (bound.length === 0) return true;
  return bound.some(({ metadata, spec }) => (spec[side] ?? []).some((rule: any) => {
    const peers = side === 'egress' ? rule.to : rule.from;
    const ports = rule.ports as { port: number; protocol: string }[] | undefined;
    return (!peers || peers.some((peer: any) => isPeer(peer, other, metadata.namespace)))
      && (!ports || ports.some(({ port, protocol }) => port === connection.port && protocol === (connection.protocol ?? 'TCP')));
  }));
}

function isPeer(peer: any, other: Endpoint, namespace: string): boolean {
  if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock;
    return Cidr.parse(cidr)!.contains(other.ip) && !except.some((text: string) => Cidr.parse(text)!.contains(other.ip));
  }
  if (other.namespace === undefined) return false;
  const inNamespace = peer.namespaceSelector
    ? selects(peer.namespaceSelector, { 'kubernetes.io/metadata.name': other.namespace })
    : other.namespace === namespace;
  return inNamespace && selects(peer.podSelector, other.labels);
}

function selects(selector: { matchLabels?: Labels }, labels: Labels = {}): boolean {
  return Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
}
