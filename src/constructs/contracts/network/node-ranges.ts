import { NETWORK_RULES } from './rules';
import { checkNodePrefixLength, checkPodCidr, Cidr, DEFAULT_NODE_PREFIX_LENGTH, podsInNodeRange } from '../../../manifests/values/cidr';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { Problem } from '../../../manifests/values/problem';
import { ClusterNetwork } from '../cluster-context';

/** Who gives pods their addresses. */
export interface AddressSource {
  /** True if nodes get as many addresses as they need, instead of those of the one range that Kubernetes gives them. */
  readonly assignsAddressBlocks: boolean;
}

/** The ranges of pods, and what of them one node gets. */
type PodRanges = Pick<ClusterNetwork, 'podCidrs' | 'nodeCidrMaskSizes'>;

/** Default prefix lengths of the pod ranges of one node. */
export function defaultNodeMasks(podCidrs: string[]): number[] {
  return podCidrs.map((text) => DEFAULT_NODE_PREFIX_LENGTH[Cidr.parse(text)?.family ?? 'IPv4']);
}

/** How many nodes the pod ranges have room for. */
export function nodesWithin(network: PodRanges): number {
  return Math.min(...nodeRanges(network).map(({ cidr, length }) => 2 ** (length - cidr.prefixLength)));
}

/** How many pods of one node get an address of their own; undefined where no range makes sense. */
export function podsPerNode(network: PodRanges): number | undefined {
  const pods = nodeRanges(network).map(({ cidr, length }) => podsInNodeRange(length, cidr.family));
  return pods.length === 0 ? undefined : Math.min(...pods);
}

/** What one node gets of the pod ranges, for people: `/24`, or `/24 and /64`. */
export function nodeRangeText(network: PodRanges): string {
  return nodeRanges(network).map(({ length }) => `/${length}`).join(' and ');
}

/**
 * Flags of kube-controller-manager that give each node its part of the pod ranges; none where it is the usual one.
 *
 * Those for one family: they hold with one range and with two, and kubeadm reads no other (kubernetes/kubernetes
 * cmd/kube-controller-manager/app/core.go, cmd/kubeadm/app/apis/kubeadm/validation/validation.go).
 */
export function nodeMaskArguments(network: PodRanges): ComponentArgument[] {
  return nodeRanges(network).filter(({ cidr, length }) => length !== DEFAULT_NODE_PREFIX_LENGTH[cidr.family])
    .map(({ cidr, length }) => ({ name: `node-cidr-mask-size-${cidr.family.toLowerCase()}`, value: `${length}` }));
}

/** Flags of kube-controller-manager that the network of the cluster decides, each with the reason. */
export const NODE_MASK_FLAGS: Readonly<Record<string, string>> = Object.fromEntries(
  ['node-cidr-mask-size', 'node-cidr-mask-size-ipv4', 'node-cidr-mask-size-ipv6'].map((name) => [name, 'nodeCidrMaskSizes of the cluster sets it']),
);

/** Checks what one node gets of the pod ranges, which are CIDR blocks, against these. */
export function checkNodeMasks({ podCidrs, nodeCidrMaskSizes }: PodRanges): Problem[] {
  if (nodeCidrMaskSizes.length !== podCidrs.length) {
    return [{
      rule: NETWORK_RULES.nodeMask,
      property: 'nodeCidrMaskSizes',
      message: `the number of prefix lengths is ${nodeCidrMaskSizes.length}, and that of pod ranges ${podCidrs.length}`,
      accepted: 'one for each entry of podCidrs, in its order',
      fix: 'give as many, or leave it out',
    }];
  }
  return podCidrs.flatMap((text, index): Problem[] => {
    const length = nodeCidrMaskSizes[index];
    const fault = checkNodePrefixLength(length, Cidr.parse(text)?.family ?? 'IPv4');
    if (fault) return [{ rule: NETWORK_RULES.nodeMask, property: `nodeCidrMaskSizes[${index}]`, message: fault, fix: 'leave each node enough addresses for its pods' }];
    const misfit = checkPodCidr(text, length);
    return misfit ? [{
      rule: NETWORK_RULES.podSize, property: `podCidrs[${index}]`, message: misfit, fix: 'choose a prefix length in these bounds, or another one in nodeCidrMaskSizes',
    }] : [];
  });
}

/** Those that make sense. */
function nodeRanges({ podCidrs, nodeCidrMaskSizes }: PodRanges): { readonly cidr: Cidr; readonly length: number }[] {
  return podCidrs.flatMap((text, index) => {
    const cidr = Cidr.parse(text);
    const length = nodeCidrMaskSizes[index];
    return cidr && length !== undefined && checkNodePrefixLength(length, cidr.family) === undefined ? [{ cidr, length }] : [];
  });
}
