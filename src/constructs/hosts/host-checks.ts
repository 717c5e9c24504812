import { ADDONS_FOLDER, OVERVIEW } from './cluster-files';
import { checkKubeletArguments } from './config/kubelet-arguments';
import { KubeadmHost } from './files/host-bundle';
import { checkHostFile, HostFile } from './files/host-file';
import { KubeadmNode } from './kubeadm-node';
import { AddressedHost } from './load-balancer/load-balancer-design';
import { ResolvedCluster } from './resolved-cluster';
import { KUBEADM_CLUSTER_RULES } from './rules';
import { Cidr } from '../../manifests/values/cidr';
import { checkDnsSubdomain, DNS_LABEL_MAX_LENGTH } from '../../manifests/values/dns';
import { isSameIp, parseIp } from '../../manifests/values/ip-address';
import { checkLabelValue } from '../../manifests/values/labels';
import { Problem, problemIf, problemsOf } from '../../manifests/values/problem';
import { checkTaints } from '../../manifests/values/taints';
import { KubeletOptions } from '../contracts/node-pool/kubelet';
import { checkKubelet } from '../contracts/node-pool/kubelet-configuration';

/** A host and the path of its property. */
export interface PlacedHost<T extends AddressedHost = AddressedHost> {
  readonly property: string;
  readonly host: T;
}

/** The nodes with their properties. */
export function placedNodes({ props, workers }: ResolvedCluster): PlacedHost<KubeadmNode>[] {
  return [
    ...props.controlPlaneNodes.map((host, index) => ({ property: `controlPlaneNodes[${index}]`, host })),
    ...workers.map((host, index) => ({ property: `workers[${index}]`, host })),
  ];
}

/** All hosts with their properties; dedicated load balancers come after the nodes, which they must not be. */
export function placedHosts(cluster: ResolvedCluster): PlacedHost[] {
  const balancers = cluster.props.loadBalancer._design.hosts ?? [];
  return [...placedNodes(cluster), ...balancers.map((host, index) => ({ property: `loadBalancer.hosts[${index}]`, host }))];
}

/** Checks the names, addresses and options of all hosts. */
export function checkHosts(cluster: ResolvedCluster, hosts: readonly KubeadmHost[]): Problem[] {
  const placed = placedHosts(cluster);
  return [
    ...placed.flatMap((one, index) => [...checkName(one, placed.slice(0, index)), ...checkAddress(one, placed.slice(0, index), cluster)]),
    ...placedNodes(cluster).flatMap(({ property, host }) => checkNode(host, property, cluster)),
    ...checkFiles('files', cluster.props.files),
    ...hosts.flatMap((host) => host._check()),
  ];
}

function checkName({ property, host }: PlacedHost, before: readonly PlacedHost[]): Problem[] {
  const at = { rule: KUBEADM_CLUSTER_RULES.nodeName, property: `${property}.name` };
  const fault = checkDnsSubdomain(host.name, DNS_LABEL_MAX_LENGTH);
  if (fault !== undefined) return [{ ...at, message: fault, fix: 'use the name of the machine in its cloud, in lower case' }];
  if (host.name === ADDONS_FOLDER || host.name === OVERVIEW) {
    return [{ ...at, message: `the folder of the cluster already uses the name "${host.name}", which the host's folder would get`, fix: 'rename the host' }];
  }
  const other = before.find((one) => one.host.name === host.name);
  return other ? [{ ...at, message: `"${host.name}" is already the name of ${other.property}`, fix: 'give every host its own name and machine' }] : [];
}

function checkAddress({ property, host: { address } }: PlacedHost, before: readonly PlacedHost[], { network }: ResolvedCluster): Problem[] {
  const at = { rule: KUBEADM_CLUSTER_RULES.nodeAddress, property: `${property}.address` };
  const ip = parseIp(address);
  if (ip === undefined) return [{ ...at, message: `"${address}" is not an IP address`, accepted: 'addresses such as "192.168.10.11"', fix: 'write the address by which the other hosts reach it' }];
  const family = Cidr.parse(network.serviceCidrs[0])?.family;
  const other = before.find(({ host }) => isSameIp(host.address, address));
  const range = [...network.podCidrs, ...network.serviceCidrs].find((text) => Cidr.parse(text)?.contains(address));
  return [
    ...(other ? [{ ...at, message: `${address} is the address of "${other.host.name}" already`, fix: 'give every host its own address and machine' }] : []),
    ...(range === undefined ? [] : [{ ...at, message: `${address} is in ${range}, the addresses of pods or Services`, fix: 'choose other podCidrs or serviceCidrs' }]),
    ...(family === undefined || ip.family === family ? [] : [{
      ...at, message: `it is an ${ip.family} address, and Services are ${family} first`, fix: 'write the other address of the host, or put the families of podCidrs and serviceCidrs into the other order',
    }]),
  ];
}

function checkNode(node: KubeadmNode, property: string, cluster: ResolvedCluster): Problem[] {
  const { kubelet, taints = [], files, zone } = node;
  const controlPlane = property.startsWith('controlPlaneNodes');
  return [
    ...problemIf(
      KUBEADM_CLUSTER_RULES.nodeZone, `${property}.zone`, zone === undefined ? undefined : checkLabelValue(zone), 'write the name that the platform gives the zone',
    ),
    ...checkKubeletArguments(node, property, cluster),
    ...problemsOf(KUBEADM_CLUSTER_RULES.taint, `${property}.taints`, checkTaints(taints, { workers: !controlPlane })),
    ...(kubelet ? checkNodeKubelet(kubelet, cluster) : []).map((problem) => ({ ...problem, property: `${property}.${problem.property}` })),
    ...checkFiles(`${property}.files`, files),
  ];
}

/** Thresholds of the cluster also apply to a node that does not replace them; faulty thresholds are reported at the cluster. */
function checkNodeKubelet(kubelet: KubeletOptions, { props, network, kubernetesVersion: { minorVersion } }: ResolvedCluster): Problem[] {
  const { kubelet: shared = {} } = props;
  const { evictionHard, evictionSoft } = checkKubelet(shared, undefined, minorVersion).length === 0 ? shared : {};
  return checkKubelet({
    ...kubelet,
    evictionHard: { ...evictionHard, ...kubelet.evictionHard },
    evictionSoft: { ...evictionSoft, ...kubelet.evictionSoft },
  }, undefined, minorVersion, network.podsPerNode);
}

function checkFiles(property: string, files: readonly HostFile[] = []): Problem[] {
  return files.flatMap((file, index) => checkHostFile(file, `${property}[${index}]`));
}

/** Checks that a machine is in one cluster of the app only. */
export function checkMachineTaken({ property, host }: PlacedHost, owner: string | undefined): Problem[] {
  return problemIf(
    KUBEADM_CLUSTER_RULES.nodeName, `${property}.name`,
    owner === undefined ? undefined : `the host "${host.name}" at ${host.address} is already in the cluster ${owner}`,
    'give every cluster its own machines',
  );
}
