import { AddressSource, checkNodeMasks, defaultNodeMasks, podsPerNode } from './node-ranges';
import { NETWORK_RULES } from './rules';
import { checkCidrFamilies, checkRange, checkSameFamilies, checkServiceCidr, Cidr, DNS_SERVICE_INDEX } from '../../../manifests/values/cidr';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem } from '../../../manifests/values/problem';
import { ClusterNetwork } from '../cluster-context';

// Not Kubernetes' usual 10.244.0.0/16 and 10.96.0.0/16: the management cluster that the machines run in may well use those.
// kubernetes-sigs/cluster-api-provider-kubevirt templates/cluster-template.yaml has these two for the same reason.
const DEFAULT_POD_CIDR = '10.243.0.0/16';
const DEFAULT_SERVICE_CIDR = '10.95.0.0/16';
const DEFAULT_SERVICE_DOMAIN = 'cluster.local';

/** The networks as the user gave them. */
export interface NetworkOptions {
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
 * @param addresses who gives pods their addresses, where that is known
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

/** What surrounds the networks of a cluster. */
export interface NetworkSurroundings {
  /** Ranges that the machines see beside the cluster's own. */
  readonly reservedCidrs: string[];
  /** True if the control plane hands on two address families. */
  readonly dualStack: boolean;
  readonly kubernetesVersion: KubernetesVersion;
  /** True if kubeadm sets up the control plane. */
  readonly kubeadm: boolean;
  /** Host that the API server is published at, where it is known. */
  readonly apiServerHost?: string;
}

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
    ...network.serviceCidrs.flatMap((text, index) => sizeProblem('serviceSize', `serviceCidrs[${index}]`, checkServiceCidr(text, { minor, kubeadm: around.kubeadm }))),
    ...checkOverlaps(network, around.reservedCidrs),
    ...checkApiServerHost(network, around.apiServerHost),
  ];
}

function cidrs(texts: string[]): Cidr[] {
  return texts.map((text) => Cidr.parse(text)).filter((cidr) => cidr !== undefined);
}

function checkList(property: string, texts: string[]): Problem[] {
  const grammar = texts.flatMap((text, index): Problem[] => {
    const fault = checkRange(text);
    return fault ? [{ rule: NETWORK_RULES.cidr, property: `${property}[${index}]`, message: fault, fix: 'choose a private range, and write its first address and its prefix length' }] : [];
  });
  const families = grammar.length === 0 ? checkCidrFamilies(texts) : undefined;
  return families ? [{ rule: NETWORK_RULES.families, property, message: families, fix: 'give one range, or one for each address family' }] : grammar;
}

function sizeProblem(rule: 'podSize' | 'serviceSize', property: string, fault: string | undefined): Problem[] {
  return fault ? [{ rule: NETWORK_RULES[rule], property, message: fault, fix: 'choose a prefix length in these bounds' }] : [];
}

function checkDomain(serviceDomain: string): Problem[] {
  const fault = checkDnsSubdomain(serviceDomain) ?? (serviceDomain.includes('.') ? undefined : `"${serviceDomain}" has no dot, which the control plane refuses`);
  return fault ? [{ rule: NETWORK_RULES.serviceDomain, property: 'serviceDomain', message: fault, fix: 'use a domain such as "cluster.local"' }] : [];
}

function checkFamilies(network: ClusterNetwork, dualStack: boolean): Problem[] {
  const fault = checkSameFamilies(network.podCidrs, network.serviceCidrs);
  if (fault !== undefined) {
    return [{ rule: NETWORK_RULES.families, property: 'serviceCidrs', message: fault, fix: 'give both lists the same families, the primary one first' }];
  }
  return dualStack || network.podCidrs.length < 2 ? [] : [{
    rule: NETWORK_RULES.dualStack,
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

/** Nodes would look for the API server among the pods or Services of their own cluster. */
function checkApiServerHost({ podCidrs, serviceCidrs }: ClusterNetwork, host: string | undefined): Problem[] {
  if (host === undefined) return [];
  const lists = { podCidrs, serviceCidrs };
  return Object.entries(lists).flatMap(([property, texts]) => cidrs(texts).filter((cidr) => cidr.contains(host)).map((cidr) => ({
    rule: NETWORK_RULES.overlap,
    property,
    message: `${cidr} holds ${host}, the address of the API server, so that nodes would look for it inside of the cluster`,
    accepted: 'ranges without a common address',
    fix: 'choose another range, or another address for the API server',
  })));
}

function overlap(property: string, cidr: Cidr, other: string): Problem {
  return {
    rule: NETWORK_RULES.overlap, property, message: `${cidr} overlaps with ${other}`, accepted: 'ranges without a common address', fix: 'choose another range',
  };
}
