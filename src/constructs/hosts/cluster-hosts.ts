import { ADDONS_FOLDER } from './command-line-delivery';
import { checkHostFiles } from './host-file';
import { initFiles, joinFiles } from './kubeadm-files';
import { HostSetup, KubeadmHost, KubeadmHostRole, ownFiles, userFiles } from './kubeadm-host';
import { checkNode, KubeadmNode, setsNodeIp } from './kubeadm-node';
import { AddressedHost } from './load-balancer/load-balancer-design';
import { OVERVIEW } from './overview';
import { apiServersOf, familiesOf, ResolvedCluster } from './resolved-cluster';
import { Cidr } from '../../manifests/values/cidr';
import { checkDnsSubdomain, DNS_LABEL_MAX_LENGTH } from '../../manifests/values/dns';
import { IpFamily, isSameIp, parseIp } from '../../manifests/values/ip-address';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';

/** The hosts of a cluster with all their files: load balancers, control plane, workers. */
export function hostsOf(cluster: ResolvedCluster): KubeadmHost[] {
  const { props, workers } = cluster;
  const { loadBalancer: { _design: design }, controlPlaneNodes } = props;
  const servers = apiServersOf(cluster);
  const kernel = kernelSettings(familiesOf(cluster));
  return [
    ...(design.hosts ?? []).map((host) => KubeadmHost._of(
      { ...host, role: KubeadmHostRole.LOAD_BALANCER },
      // A design with hosts has hostSetup.
      [design.hostSetup!(servers, host.name), { files: host.files }],
    )),
    ...controlPlaneNodes.map((node, index) => KubeadmHost._of(
      { ...node, role: index === 0 ? KubeadmHostRole.FIRST_CONTROL_PLANE : KubeadmHostRole.CONTROL_PLANE },
      [
        kernel,
        { files: ownFiles('kubeadm', index === 0 ? initFiles(cluster, node) : joinFiles(cluster, node, true)) },
        ...(design.nodeSetup ? [design.nodeSetup(servers, node.name)] : []),
        ...furtherFiles(cluster, node, `controlPlaneNodes[${index}]`),
      ],
    )),
    ...workers.map((node, index) => KubeadmHost._of(
      { ...node, role: KubeadmHostRole.WORKER },
      [kernel, { files: ownFiles('kubeadm', joinFiles(cluster, node, false)) }, ...furtherFiles(cluster, node, `workers[${index}]`)],
    )),
  ];
}

function furtherFiles({ props, platform }: ResolvedCluster, node: KubeadmNode, property: string): HostSetup[] {
  return [
    { files: ownFiles('platform', platform.nodeFiles ?? []), commands: platform.nodeCommands },
    { files: [...userFiles('files', props.files), ...userFiles(`${property}.files`, node.files)] },
  ];
}

const MODULES = ['overlay', 'br_netfilter'];
const MODULES_FILE = '/etc/modules-load.d/kubernetes.conf';

// sysctl reads the files in alphabetical order: those of a distribution start with a number, and come first.
const SETTINGS_FILE = '/etc/sysctl.d/kubernetes.conf';

const SETTINGS: Readonly<Record<IpFamily, readonly string[]>> = {
  IPv4: ['net.bridge.bridge-nf-call-iptables', 'net.ipv4.ip_forward'],
  IPv6: ['net.bridge.bridge-nf-call-ip6tables', 'net.ipv6.conf.all.forwarding', 'net.ipv6.conf.default.forwarding'],
};

/**
 * Kernel settings of a node, applied at once and after each start: overlay file systems for images, and filtering and forwarding of pod
 * packets. kubeadm's preflight checks test the latter.
 *
 * Sources: kubernetes.io/docs/setup/production-environment/container-runtimes (network configuration),
 * kubernetes/kubernetes cmd/kubeadm/app/preflight/checks.go, freedesktop.org/software/systemd/man (modules-load.d, sysctl.d).
 *
 * @param families address families of pods and Services
 */
function kernelSettings(families: readonly IpFamily[]): HostSetup {
  const settings = [...new Set(families)].sort().flatMap((family) => SETTINGS[family]);
  return {
    files: ownFiles('kubeadm', [
      { path: MODULES_FILE, content: MODULES.map((name) => `${name}\n`).join('') },
      { path: SETTINGS_FILE, content: settings.map((name) => `${name} = 1\n`).join('') },
    ]),
    commands: [`modprobe -a ${MODULES.join(' ')}`, `sysctl -p ${SETTINGS_FILE}`],
  };
}

/** A host and the path of its property. */
interface PlacedHost<T extends AddressedHost = AddressedHost> {
  readonly property: string;
  readonly host: T;
}

/** The nodes with their properties. */
function placedNodes({ props, workers }: ResolvedCluster): PlacedHost<KubeadmNode>[] {
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
  const [placed, nodes] = [placedHosts(cluster), placedNodes(cluster)];
  const { props: { kubelet = {}, files }, kubernetesVersion, network: { podsPerNode } } = cluster;
  return [
    ...placed.flatMap((one, index) => [...checkName(one, placed.slice(0, index)), ...checkAddress(one, placed.slice(0, index), cluster)]),
    ...nodes.flatMap((one, index) => checkSecondAddress(one, placed, nodes.slice(0, index), cluster)),
    ...checkNodeFamilies(cluster),
    ...nodes.flatMap(({ property, host }) => checkNode(host, property, { kubernetesVersion, kubelet, podsPerNode })),
    ...checkHostFiles('files', files),
    ...hosts.flatMap((host) => host._check()),
  ];
}

const VALIDATION = 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go';

const NODE_NAME_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-NODE-NAME',
  title: 'The name of a host must be a DNS name of at most 63 characters, and unique in the cluster. A machine must be in one cluster only.',
  source: VALIDATION,
};

function checkName({ property, host }: PlacedHost, before: readonly PlacedHost[]): Problem[] {
  const at = { rule: NODE_NAME_RULE, property: `${property}.name` };
  const fault = checkDnsSubdomain(host.name, DNS_LABEL_MAX_LENGTH);
  if (fault !== undefined) return [{ ...at, message: fault, fix: 'use the name of the machine in its cloud, in lower case' }];
  if (host.name === ADDONS_FOLDER || host.name === OVERVIEW) {
    return [{ ...at, message: `the folder of the cluster already uses the name "${host.name}", which the host's folder would get`, fix: 'rename the host' }];
  }
  const other = before.find((one) => one.host.name === host.name);
  return other ? [{ ...at, message: `"${host.name}" is already the name of ${other.property}`, fix: 'give every host its own name and machine' }] : [];
}

const NODE_ADDRESS_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-NODE-ADDRESS',
  title: 'The address of a host must be unique, in the address family of Services, and outside of the ranges of pods and Services.',
  source: VALIDATION,
};

function checkAddress({ property, host: { address } }: PlacedHost, before: readonly PlacedHost[], { network }: ResolvedCluster): Problem[] {
  const at = { rule: NODE_ADDRESS_RULE, property: `${property}.address` };
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

function checkSecondAddress(
  { property, host: { address, secondAddress } }: PlacedHost<KubeadmNode>, placed: readonly PlacedHost[], before: readonly PlacedHost<KubeadmNode>[],
  { network, externalCloudProvider }: ResolvedCluster,
): Problem[] {
  if (secondAddress === undefined) return [];
  const at = { rule: NODE_ADDRESS_RULE, property: `${property}.secondAddress` };
  const [first, second] = [address, secondAddress].map(parseIp);
  if (second === undefined) return [{ ...at, message: `"${secondAddress}" is not an IP address`, accepted: 'addresses such as "fd00:10::11"', fix: 'write the other address of the host' }];
  const other = placed.find((one) => one.property !== property && isSameIp(one.host.address, secondAddress))
    ?? before.find(({ host }) => isSameIp(host.secondAddress ?? '', secondAddress));
  const range = [...network.podCidrs, ...network.serviceCidrs].find((text) => Cidr.parse(text)?.contains(secondAddress));
  return [
    ...(externalCloudProvider ? [{ ...at, message: 'the cloud controller manager sets the addresses of nodes, and the kubelet announces none', fix: 'remove it' }] : []),
    ...(first?.family === second.family ? [{ ...at, message: `it is an ${second.family} address, as address is`, fix: 'write the address of the other family' }] : []),
    ...(other ? [{ ...at, message: `${secondAddress} is an address of "${other.host.name}", too`, fix: 'give every host its own address' }] : []),
    ...(range === undefined ? [] : [{ ...at, message: `${secondAddress} is in ${range}, the addresses of pods or Services`, fix: 'choose other podCidrs or serviceCidrs' }]),
  ];
}

const NODE_FAMILY_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-NODE-FAMILY',
  title: 'Nodes of a cluster with IPv4 and IPv6 need an address of each: pods in the network of the host get their addresses from the node.',
  source: 'kubernetes.io/docs/concepts/services-networking/dual-stack (--node-ip), kubernetes/kubernetes cmd/kubelet/app/options/options.go',
  warning: true,
};

/** Warns about nodes that announce one address family of two. With a cloud, its controller manager decides. */
function checkNodeFamilies(cluster: ResolvedCluster): Problem[] {
  if (cluster.externalCloudProvider || new Set(familiesOf(cluster)).size < 2) return [];
  const one = placedNodes(cluster).filter(({ host }) => host.secondAddress === undefined && !setsNodeIp(host));
  return one.length === 0 ? [] : [{
    rule: NODE_FAMILY_RULE,
    property: `${one[0].property}.secondAddress`,
    message: `pods and Services have IPv4 and IPv6 addresses, and ${one.map(({ host }) => host.name).join(', ')} only one of them`,
    fix: 'give each node its address of the other family in secondAddress',
  }];
}

/** Checks that a machine is in one cluster of the app only. */
export function checkMachineTaken({ property, host }: PlacedHost, owner: string | undefined): Problem[] {
  return problemIf(
    NODE_NAME_RULE, `${property}.name`,
    owner === undefined ? undefined : `the host "${host.name}" at ${host.address} is already in the cluster ${owner}`,
    'give every cluster its own machines',
  );
}
