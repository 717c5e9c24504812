import { ADDONS_FOLDER, InstallStep, namespaceFile } from './command-line-delivery';
import { dayTwo } from './day-two';
import { KubeadmHost, KubeadmHostRole } from './kubeadm-host';
import { RequiredSecret } from './kubeadm-platform';
import { Opening } from './load-balancer/load-balancer-design';
import { apiServersOf, familiesOf, ResolvedCluster } from './resolved-cluster';
import { CREDENTIALS_FILE, CREDENTIALS_SCRIPT, INIT_SCRIPT, JOIN_SCRIPT } from './scripts';
import { parseIp } from '../../manifests/values/ip-address';
import { printable } from '../../manifests/values/printable';
import { CONTAINERD_SOCKET } from '../control-planes/kubeadm/bootstrap/kubeadm-config';
import { externalEtcdFiles } from '../control-planes/kubeadm/control-plane/etcd';

/** Namespaces of every cluster (kubernetes.io/docs/concepts/overview/working-with-objects/namespaces). */
const ALWAYS_THERE = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Name of the overview. */
export const OVERVIEW = 'hosts.md';

/**
 * The overview page: the hosts, and the steps of the administrator to a running cluster.
 *
 * @param cluster the cluster
 * @param hosts its hosts
 * @param install the steps that install the addons
 */
export function overview(cluster: ResolvedCluster, hosts: readonly KubeadmHost[], install: readonly InstallStep[]): string {
  const { name, kubernetesVersion, props } = cluster;
  return `${[
    `# Cluster ${name}`,
    '',
    `Kubernetes ${kubernetesVersion}, reached at \`${props.controlPlaneEndpoint}\`.`,
    '',
    ...hostTable(hosts),
    '',
    'Every host has a folder here. `cloud-config.yaml` is the user data that a new machine gets its files from. On a machine that is there',
    'already, `install.sh` puts the same files into place, with owner and permissions: copy the folder to the host and run it as root. It may be',
    'run again.',
    '',
    '## What hosts need',
    '',
    ...requirements(cluster, [...new Set(hosts.flatMap(({ packages }) => packages))].sort()),
    '',
    '## Starting the cluster',
    '',
    ...steps(cluster, hosts, install).map((step, index) => `${index + 1}. ${step}`),
    ...dayTwo(cluster, hosts),
    '',
    'Nothing here is secret: tokens, keys and Secrets are made on the hosts and in the cluster, and stay there.',
  ].join('\n')}\n`;
}

function hostTable(hosts: readonly KubeadmHost[]): string[] {
  const zones = hosts.some(({ zone }) => zone !== undefined);
  return [
    tableRow(['Host', 'Role', 'Address', ...(zones ? ['Zone'] : [])]),
    tableRow(['---', '---', '---', ...(zones ? ['---'] : [])]),
    ...hosts.map(({ name, role, address, zone }) => tableRow([name, role, address, ...(zones ? [zone ?? ''] : [])])),
  ];
}

function steps(cluster: ResolvedCluster, hosts: readonly KubeadmHost[], install: readonly InstallStep[]): string[] {
  const named = (role: KubeadmHostRole) => hosts.filter((host) => host.role === role).map((host) => host.name);
  const [first] = named(KubeadmHostRole.FIRST_CONTROL_PLANE);
  const { secrets = [] } = cluster.platform;
  return [
    ...endpointSteps(cluster),
    'See that every host has what it needs, and put its files into place.',
    ...etcdSteps(first, cluster),
    `On ${first}, run \`${INIT_SCRIPT}\`.`,
    ...joinSteps(first, named(KubeadmHostRole.CONTROL_PLANE), 'control-plane'),
    ...joinSteps(first, named(KubeadmHostRole.WORKER), 'worker'),
    ...(install.length === 0 && secrets.length === 0 ? [] : [`Copy \`/etc/kubernetes/admin.conf\` of ${first} to where kubectl and Helm are, and name it in \`KUBECONFIG\`.`]),
    ...namespaceSteps(secrets, install),
    ...secrets.map(secretStep),
    ...(install.length === 0 ? [] : [`There, run \`${ADDONS_FOLDER}/install.sh\`. It installs the addons in their order; run it again when they have changed.`]),
  ];
}

function endpointSteps({ endpoint, props }: ResolvedCluster): string[] {
  const { vip } = props.loadBalancer._design;
  const target = vip ?? 'your load balancer';
  return [
    ...(parseIp(endpoint.host) === undefined ? [`Let the DNS name \`${endpoint.host}\` lead to ${target}.`] : []),
    ...(vip === undefined ? [`Let your load balancer pass TCP connections to \`${props.controlPlaneEndpoint}\` on to the API servers of the control plane.`] : []),
  ];
}

function joinSteps(first: string, names: readonly string[], kind: 'control-plane' | 'worker'): string[] {
  if (names.length === 0) return [];
  const each = names.length === 1 ? `For ${names[0]}` : `One after the other, for ${names.join(', ')}`;
  return [
    `${each}: run \`${CREDENTIALS_SCRIPT} ${kind}\` on ${first}, put what it prints into \`${CREDENTIALS_FILE}\` of the host, for root alone to read, and run \`${JOIN_SCRIPT}\` there.`
      + ' What was printed is good for two hours, for several hosts.',
  ];
}

/** kubeadm copies them to nodes that join the control plane (kubernetes/kubernetes cmd/kubeadm/app/phases/copycerts/copycerts.go). */
function etcdSteps(first: string, { props: { etcd } }: ResolvedCluster): string[] {
  if (!etcd?._external) return [];
  const { caFile, certFile, keyFile } = externalEtcdFiles(etcd._external);
  return [
    `On ${first}, put the certificate of etcd's authority into \`${caFile}\`, and the certificate and key that the API servers show etcd into`
      + ` \`${certFile}\` and \`${keyFile}\`, the key for root alone to read. The rest of the control plane gets them as it joins.`,
  ];
}

/** Secrets need their namespaces before the addons' script creates them. */
function namespaceSteps(secrets: readonly RequiredSecret[], install: readonly InstallStep[]): string[] {
  const needed = [...new Set(secrets.map(({ namespace }) => namespace))].filter((namespace) => !ALWAYS_THERE.includes(namespace));
  const { path, namespaces } = namespaceFile(install) ?? { path: '', namespaces: [] };
  return [
    ...(needed.some((namespace) => namespaces.includes(namespace))
      ? [`Make the namespaces: \`kubectl apply --server-side --force-conflicts --filename ${ADDONS_FOLDER}/${path}\`.`] : []),
    ...needed.filter((namespace) => !namespaces.includes(namespace)).map((namespace) => `Make the namespace \`${namespace}\`: \`kubectl create namespace ${namespace}\`.`),
  ];
}

function secretStep({ namespace, name, keys }: RequiredSecret): string {
  const files = keys.map((key) => `--from-file=${key}=FILE`).join(' ');
  return `Make the Secret \`${name}\`: \`kubectl --namespace ${namespace} create secret generic ${name} ${files}\`. The files hold the values alone, without a line break at the end.`;
}

/** Default range of Kubernetes (kube-apiserver --service-node-port-range). */
const NODE_PORTS = '30000-32767';

/** A row of a table in Markdown; what is in its cells stays in them. */
function tableRow(cells: readonly string[]): string {
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
function requirements(cluster: ResolvedCluster, packages: readonly string[]): string[] {
  return [
    'Nodes need:',
    '',
    ...needs(cluster).map((need) => `- ${printable(need)}`),
    '',
    'Their kernel modules and settings come with their files.',
    ...(packages.length > 0 ? [`Load balancers need the packages ${packages.join(', ')}; cloud-init installs them.`] : []),
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
    `kubeadm and the kubelet of version ${kubernetesVersion}, and a hostname, MAC address and product_uuid that no other node has`,
    (props.criSocket ?? CONTAINERD_SOCKET) === CONTAINERD_SOCKET
      ? 'containerd with CRI switched on (some packages have it in `disabled_plugins`) and the cgroup driver of systemd (`SystemdCgroup = true`)'
      : `a container runtime at \`${props.criSocket}\` that has the cgroup driver of systemd`,
    ...(props.kubelet?.configuration?.failSwapOn === false ? [] : ['no swap: `swapoff -a`, and no line for it in `/etc/fstab`']),
    ...(familiesOf(cluster).includes('IPv6') ? ['where IPv6 routes come by router advertisements, `net.ipv6.conf.INTERFACE.accept_ra = 2`: a machine that forwards ignores them otherwise'] : []),
    ...platform.nodeRequirements ?? [],
    'what else kubeadm\'s preflight checks ask for',
  ];
}

function openings(cluster: ResolvedCluster): Opening[] {
  const { props: { loadBalancer: { _design: design }, etcd, apiServer } } = cluster;
  const nodePorts = apiServer?.extraArgs?.find(({ name }) => name === 'service-node-port-range')?.value ?? NODE_PORTS;
  return [
    ...design.openings(apiServersOf(cluster)),
    ...(etcd?._external ? [] : [{ to: 'control plane', what: 'TCP 2379-2380 (etcd)', from: 'control plane' }]),
    { to: 'all nodes', what: 'TCP 10250 (kubelets)', from: 'control plane' },
    { to: 'all nodes', what: 'what the pod network uses, as its documentation says', from: 'all nodes' },
    { to: 'all nodes', what: `TCP and UDP ${nodePorts} (Services of type NodePort and LoadBalancer)`, from: 'their clients' },
  ];
}
