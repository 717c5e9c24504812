import { Policy, TrafficRule } from './policy';
import { labelSelector } from '../../../manifests/values/label-selector';
import { PeerChoice } from '../../contracts/capabilities/isolation-peer';

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
