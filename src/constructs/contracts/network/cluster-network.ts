import {
  checkCidrFamilies, checkNodePrefixLength, checkPodCidr, checkRange, checkSameFamilies, checkServiceCidr, Cidr,
  DEFAULT_NODE_PREFIX_LENGTH, DNS_SERVICE_INDEX, podsInNodeRange,
} from '../../../manifests/values/cidr';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { ClusterNetwork } from '../cluster-context';

// Not Kubernetes' usual 10.244.0.0/16 and 10.96.0.0/16: the management cluster that the machines run in may well use those.
// kubernetes-sigs/cluster-api-provider-kubevirt templates/cluster-template.yaml has these two for the same reason.
const DEFAULT_POD_CIDR = '10.243.0.0/16';
const DEFAULT_SERVICE_CIDR = '10.95.0.0/16';
const DEFAULT_SERVICE_DOMAIN = 'cluster.local';

/** The networks in the properties of a cluster. */
interface NetworkOptions {
  readonly podCidrs?: string[];
  readonly nodeCidrMaskSizes?: number[];
  readonly serviceCidrs?: string[];
  readonly serviceDomain?: string;
}

/**
 * The networks of a cluster, with defaults filled in and what follows from them.
 *
 * @param options properties of the user
 * @param apiServerPort port of the API server
 * @param addresses assignment of addresses to pods, if it is known
 */
export function resolveNetwork(options: NetworkOptions, apiServerPort: number, addresses?: AddressSource): ClusterNetwork {
  const { podCidrs = [DEFAULT_POD_CIDR], serviceCidrs = [DEFAULT_SERVICE_CIDR] } = options;
  const nodeCidrMaskSizes = options.nodeCidrMaskSizes ?? defaultNodeMasks(podCidrs);
  return {
    podCidrs,
    nodeCidrMaskSizes,
    podsPerNode: addresses?.assignsAddressBlocks ? undefined : podsPerNode({ podCidrs, nodeCidrMaskSizes }),
    serviceCidrs,
    serviceDomain: options.serviceDomain ?? DEFAULT_SERVICE_DOMAIN,
    dnsServiceIps: serviceCidrs.map((text) => Cidr.parse(text)?.nth(DNS_SERVICE_INDEX)).filter((ip) => ip !== undefined),
    apiServerPort,
  };
}

/** Surroundings of the networks of a cluster. */
interface NetworkSurroundings {
  /** Ranges that the machines see beside the cluster's own. */
  readonly reservedCidrs: string[];
  /** True if the control plane passes two address families on. */
  readonly dualStack: boolean;
  readonly kubernetesVersion: KubernetesVersion;
  /** True if kubeadm sets up the control plane. */
  readonly kubeadm: boolean;
  /** Host that the API server is published at, where it is known. */
  readonly apiServerHost?: string;
}

const SERVICE_SIZE_RULE: Rule = {
  id: 'TC-NETWORK-SERVICE-SIZE',
  title: 'The range of Services must have room for the DNS Service, and up to Kubernetes 1.33, or with kubeadm, at most 20 host bits.',
  source: 'k8s.io/kubernetes cmd/kube-apiserver/app/options/validation.go, cmd/kubeadm/app/apis/kubeadm/validation (ValidateServiceSubnetSize)',
};

/** Checks the networks of a cluster, alone and against each other. */
export function checkNetwork(network: ClusterNetwork, around: NetworkSurroundings): Problem[] {
  const domain = checkDomain(network.serviceDomain);
  const lists = [...checkList('podCidrs', network.podCidrs), ...checkList('serviceCidrs', network.serviceCidrs)];
  if (lists.length > 0) return [...lists, ...domain];
  const minor = around.kubernetesVersion.minorVersion;
  return [
    ...domain,
    ...checkFamilies(network, around.dualStack),
    ...checkNodeMasks(network),
    ...network.serviceCidrs.flatMap((text, index) => (
      problemIf(SERVICE_SIZE_RULE, `serviceCidrs[${index}]`, checkServiceCidr(text, { minor, kubeadm: around.kubeadm }), 'choose a prefix length in these bounds')
    )),
    ...checkOverlaps(network, around.reservedCidrs),
    ...checkApiServerHost(network, around.apiServerHost),
  ];
}

function cidrs(texts: string[]): Cidr[] {
  return texts.map((text) => Cidr.parse(text)).filter((cidr) => cidr !== undefined);
}

const NETWORK_FAMILIES_RULE: Rule = {
  id: 'TC-NETWORK-FAMILIES',
  title: 'Pods and Services must have one range each, or one for each address family, in the same order.',
  source: 'clastix/kamaji charts/kamaji/crds (TenantControlPlane)',
};

/** Rule for ranges of addresses. */
export const NETWORK_CIDR_RULE: Rule = {
  id: 'TC-NETWORK-CIDR',
  title: 'A range must be its first address and a prefix length, and pods and Services must have none of loopback, link-local or multicast addresses.',
  source: 'kubernetes-sigs/cluster-api core/webhooks/admission/cluster.go; RFC 6890 and IANA\'s special-purpose address registries',
};

function checkList(property: string, texts: string[]): Problem[] {
  const grammar = texts.flatMap((text, index): Problem[] => {
    const fault = checkRange(text);
    return fault ? [{ rule: NETWORK_CIDR_RULE, property: `${property}[${index}]`, message: fault, fix: 'choose a private range, and write its first address and its prefix length' }] : [];
  });
  const families = grammar.length === 0 ? checkCidrFamilies(texts) : undefined;
  return families ? [{ rule: NETWORK_FAMILIES_RULE, property, message: families, fix: 'give one range, or one for each address family' }] : grammar;
}

const NETWORK_SERVICE_DOMAIN_RULE: Rule = {
  id: 'TC-NETWORK-SERVICE-DOMAIN',
  title: 'The service domain must be a DNS name with a dot.',
  source: 'clastix/kamaji charts/kamaji/crds (TenantControlPlane)',
};

function checkDomain(serviceDomain: string): Problem[] {
  const fault = checkDnsSubdomain(serviceDomain) ?? (serviceDomain.includes('.') ? undefined : `"${serviceDomain}" has no dot, which the control plane refuses`);
  return fault ? [{ rule: NETWORK_SERVICE_DOMAIN_RULE, property: 'serviceDomain', message: fault, fix: 'use a domain such as "cluster.local"' }] : [];
}

/** Rule for control planes that do not pass two address families on. */
export const NETWORK_DUAL_STACK_RULE: Rule = {
  id: 'TC-NETWORK-DUAL-STACK',
  title: 'Two address families require a control plane that passes both on.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji v0.20.0 controllers/kamajicontrolplane_controller_tcp.go',
};

function checkFamilies(network: ClusterNetwork, dualStack: boolean): Problem[] {
  const fault = checkSameFamilies(network.podCidrs, network.serviceCidrs);
  if (fault !== undefined) {
    return [{ rule: NETWORK_FAMILIES_RULE, property: 'serviceCidrs', message: fault, fix: 'give both lists the same families, the primary one first' }];
  }
  return dualStack || network.podCidrs.length < 2 ? [] : [{
    rule: NETWORK_DUAL_STACK_RULE,
    property: 'podCidrs',
    message: 'the control plane hands on only the first range, and drops the second without a word',
    accepted: 'one range of pods and one of Services',
    fix: 'keep the ranges of one address family',
  }];
}

function checkOverlaps(network: ClusterNetwork, reservedCidrs: string[]): Problem[] {
  const own = [
    ...cidrs(network.podCidrs).map((cidr) => ({ property: 'podCidrs', cidr })),
    ...cidrs(network.serviceCidrs).map((cidr) => ({ property: 'serviceCidrs', cidr })),
  ];
  const reserved = cidrs(reservedCidrs);
  return own.flatMap(({ property, cidr }, index) => [
    ...own.slice(index + 1).filter((other) => other.cidr.overlaps(cidr)).map((other) => overlap(other.property, other.cidr, `${property} ${cidr}`)),
    ...reserved.filter((other) => other.overlaps(cidr)).map((other) => overlap(property, cidr, `${other}, which the machines' own network uses`)),
  ]);
}

const NETWORK_OVERLAP_RULE: Rule = {
  id: 'TC-NETWORK-OVERLAP',
  title: 'Pods, Services, the machines\' own network and the API server must have no address in common.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md',
};

/** Nodes would look for the API server among the pods or Services of their own cluster. */
function checkApiServerHost({ podCidrs, serviceCidrs }: ClusterNetwork, host: string | undefined): Problem[] {
  if (host === undefined) return [];
  const lists = { podCidrs, serviceCidrs };
  return Object.entries(lists).flatMap(([property, texts]) => cidrs(texts).filter((cidr) => cidr.contains(host)).map((cidr) => ({
    rule: NETWORK_OVERLAP_RULE,
    property,
    message: `${cidr} holds ${host}, the address of the API server, so that nodes would look for it inside of the cluster`,
    accepted: 'ranges without a common address',
    fix: 'choose another range, or another address for the API server',
  })));
}

function overlap(property: string, cidr: Cidr, other: string): Problem {
  return {
    rule: NETWORK_OVERLAP_RULE, property, message: `${cidr} overlaps with ${other}`, accepted: 'ranges without a common address', fix: 'choose another range',
  };
}

/** Assignment of addresses to pods. */
export interface AddressSource {
  /** True if nodes get as many addresses as they need, instead of those of the one range that Kubernetes gives them. */
  readonly assignsAddressBlocks: boolean;
}

/** The ranges of pods, and the parts of them that one node gets. */
type PodRanges = Pick<ClusterNetwork, 'podCidrs' | 'nodeCidrMaskSizes'>;

/** Default prefix lengths of the pod ranges of one node. */
function defaultNodeMasks(podCidrs: string[]): number[] {
  return podCidrs.map((text) => DEFAULT_NODE_PREFIX_LENGTH[Cidr.parse(text)?.family ?? 'IPv4']);
}

/** Rule for the number of nodes that the pod ranges have room for. */
export const NETWORK_POD_CAPACITY_RULE: Rule = {
  id: 'TC-NETWORK-POD-CAPACITY',
  title: 'The range of pods must hold a block for every node that the pools may grow to.',
  source: 'k8s.io/kubernetes pkg/controller/nodeipam',
};

/** Number of nodes that the pod ranges have room for. */
export function nodesWithin(network: PodRanges): number {
  return Math.min(...nodeRanges(network).map(({ cidr, length }) => 2 ** (length - cidr.prefixLength)));
}

/** Number of pods of one node that get an address of their own; undefined if no range is valid. */
export function podsPerNode(network: PodRanges): number | undefined {
  const pods = nodeRanges(network).map(({ cidr, length }) => podsInNodeRange(length, cidr.family));
  return pods.length === 0 ? undefined : Math.min(...pods);
}

/** The parts of the pod ranges that one node gets, for messages: `/24`, or `/24 and /64`. */
export function nodeRangeText(network: PodRanges): string {
  return nodeRanges(network).map(({ length }) => `/${length}`).join(' and ');
}

/**
 * Flags of kube-controller-manager that give each node its part of the pod ranges; none for the default.
 *
 * The flags are those for one family: they hold with one range and with two, and kubeadm reads no other (kubernetes/kubernetes
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

const NETWORK_NODE_MASK_RULE: Rule = {
  id: 'TC-NETWORK-NODE-MASK',
  title: 'Each range of pods must have one prefix length for the part of a node, which leaves addresses for pods.',
  source: 'k8s.io/kubernetes cmd/kube-controller-manager/app/core.go',
};

const NETWORK_POD_SIZE_RULE: Rule = {
  id: 'TC-NETWORK-POD-SIZE',
  title: 'The range of pods must hold at least one node\'s block, and at most 65,536.',
  source: 'k8s.io/kubernetes cmd/kubeadm/app/apis/kubeadm/validation (ValidatePodSubnetNodeMask)',
};

/** Checks the parts that one node gets of the pod ranges, which are CIDR blocks. */
export function checkNodeMasks({ podCidrs, nodeCidrMaskSizes }: PodRanges): Problem[] {
  if (nodeCidrMaskSizes.length !== podCidrs.length) {
    return [{
      rule: NETWORK_NODE_MASK_RULE,
      property: 'nodeCidrMaskSizes',
      message: `the number of prefix lengths is ${nodeCidrMaskSizes.length}, and that of pod ranges ${podCidrs.length}`,
      accepted: 'one for each entry of podCidrs, in its order',
      fix: 'give as many, or leave it out',
    }];
  }
  return podCidrs.flatMap((text, index): Problem[] => {
    const length = nodeCidrMaskSizes[index];
    const fault = checkNodePrefixLength(length, Cidr.parse(text)?.family ?? 'IPv4');
    if (fault) return [{ rule: NETWORK_NODE_MASK_RULE, property: `nodeCidrMaskSizes[${index}]`, message: fault, fix: 'leave each node enough addresses for its pods' }];
    const misfit = checkPodCidr(text, length);
    return misfit ? [{
      rule: NETWORK_POD_SIZE_RULE, property: `podCidrs[${index}]`, message: misfit, fix: 'choose a prefix length in these bounds, or another one in nodeCidrMaskSizes',
    }] : [];
  });
}

/** The valid ranges, with the prefix length of a node's part. */
function nodeRanges({ podCidrs, nodeCidrMaskSizes }: PodRanges): { readonly cidr: Cidr; readonly length: number }[] {
  return podCidrs.flatMap((text, index) => {
    const cidr = Cidr.parse(text);
    const length = nodeCidrMaskSizes[index];
    return cidr && length !== undefined && checkNodePrefixLength(length, cidr.family) === undefined ? [{ cidr, length }] : [];
  });
}
