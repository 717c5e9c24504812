import { Opening } from './load-balancer/load-balancer-design';
import { apiServersOf, familiesOf, ResolvedCluster } from './resolved-cluster';
import { printable } from '../../manifests/values/printable';
import { CONTAINERD_SOCKET } from '../control-planes/kubeadm/bootstrap/kubeadm-config';

/** Default range of Kubernetes (kube-apiserver --service-node-port-range). */
const NODE_PORTS = '30000-32767';

/** First minor whose kubelets refuse cgroup v1 (pkg/kubelet/apis/config/v1beta1/defaults.go, FailCgroupV1). */
const CGROUP_V2_SINCE = 35;

/** Last minor whose kubelets accept a runtime that does not report its cgroup driver (cmd/kubelet/app/server.go, getCgroupDriverFromCRI). */
const LAST_WITH_CONTAINERD_1 = 37;

/** A row of a table in Markdown; what is in its cells stays in them. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => printable(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

/**
 * Requirements of hosts and firewalls that no file meets, as lines of Markdown.
 *
 * Sources: kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm,
 * kubernetes.io/docs/setup/production-environment/container-runtimes, kubernetes.io/docs/reference/networking/ports-and-protocols.
 *
 * @param cluster the cluster
 * @param packages packages of load balancers
 */
export function requirements(cluster: ResolvedCluster, packages: readonly string[]): string[] {
  return [
    'Nodes need:',
    '',
    ...needs(cluster).map((need) => `- ${printable(need)}`),
    '',
    'Their kernel modules and settings come with their files.',
    ...(packages.length > 0 ? [`Load balancers need the packages ${packages.join(', ')}; cloud-init installs them. Where SELinux is on, their files set its booleans.`] : []),
    '',
    'Firewalls and security groups let pass:',
    '',
    tableRow(['To', 'What', 'From']),
    tableRow(['---', '---', '---']),
    ...openings(cluster).map(({ to, what, from }) => tableRow([to, what, from])),
  ];
}

function needs(cluster: ResolvedCluster): string[] {
  const { props, kubernetesVersion, platform } = cluster;
  return [
    `kubeadm, the kubelet and kubectl of version ${kubernetesVersion}, and a hostname, MAC address and product_uuid that no other node has`,
    ...runtimeNeeds(cluster),
    'clocks that are synchronized, by chrony or systemd-timesyncd: certificates, etcd and credentials for joining depend on the time',
    'where SELinux is enforcing, a container runtime that is set up for it (package `container-selinux`); kubeadm\'s own documentation makes it permissive',
    ...(props.kubelet?.configuration?.failSwapOn === false ? [] : ['no swap: `swapoff -a`, and no line for it in `/etc/fstab`']),
    ...(familiesOf(cluster).includes('IPv6') ? ['where IPv6 routes come by router advertisements, `net.ipv6.conf.INTERFACE.accept_ra = 2`: a machine that forwards ignores them otherwise'] : []),
    ...platform.nodeRequirements ?? [],
    'what else kubeadm\'s preflight checks ask for',
  ];
}

function runtimeNeeds({ props, kubernetesVersion: { minor } }: ResolvedCluster): string[] {
  const inContainerd = (props.criSocket ?? CONTAINERD_SOCKET) === CONTAINERD_SOCKET;
  return [
    inContainerd
      ? 'containerd with CRI switched on (some packages have it in `disabled_plugins`) and the cgroup driver of systemd (`SystemdCgroup = true`)'
      : `a container runtime at \`${props.criSocket}\` that has the cgroup driver of systemd`,
    ...(inContainerd && minor >= LAST_WITH_CONTAINERD_1 ? [`containerd 2 before Kubernetes 1.${LAST_WITH_CONTAINERD_1 + 1}: its kubelets ask the runtime for the cgroup driver, which containerd 1 does not report`] : []),
    ...(minor >= CGROUP_V2_SINCE && props.kubelet?.configuration?.failCgroupV1 !== false
      ? ['cgroup v2, without which the kubelet does not start: `stat -fc %T /sys/fs/cgroup` prints `cgroup2fs`'] : []),
  ];
}

function openings(cluster: ResolvedCluster): Opening[] {
  const { props: { loadBalancer: { _design: design }, etcd, apiServer } } = cluster;
  const nodePorts = apiServer?.extraArgs?.find(({ name }) => name === 'service-node-port-range')?.value ?? NODE_PORTS;
  return [
    ...design.openings(apiServersOf(cluster)),
    ...(etcd?._external ? [] : [{ to: 'control plane', what: 'TCP 2379-2380 (etcd)', from: 'control plane' }]),
    { to: 'all nodes', what: 'TCP 10250 (kubelets)', from: 'control plane' },
    ...podNetworkOpenings(cluster),
    { to: 'all nodes', what: `TCP and UDP ${nodePorts} (Services of type NodePort and LoadBalancer)`, from: 'their clients' },
  ];
}

function podNetworkOpenings({ props: { cni } }: ResolvedCluster): Opening[] {
  const what = cni?.peerPorts.map(({ protocol, port, purpose }) => `${protocol} ${port} (${purpose})`) ?? [];
  const between = { to: 'all nodes', from: 'all nodes' };
  return what.length > 0 ? what.map((one) => ({ ...between, what: one })) : [{ ...between, what: 'what the pod network uses, as its documentation says' }];
}
