import { KubeadmHost, KubeadmHostRole } from './hosts/host-bundle';
import { RequiredSecret } from './kubeadm-platform';
import { ResolvedCluster } from './resolved-cluster';
import { CREDENTIALS_FILE, CREDENTIALS_SCRIPT, INIT_SCRIPT, JOIN_SCRIPT } from './scripts';
import { parseIp } from '../network/ip-address';

/**
 * What there is, and the steps to a running cluster, for the person who takes them.
 *
 * @param cluster the cluster
 * @param hosts its hosts
 * @param addons path of the script that installs the addons, if there are any
 */
export function overview(cluster: ResolvedCluster, hosts: readonly KubeadmHost[], addons: string | undefined): string {
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
    ...nodeNeeds(hosts),
    '',
    '## Starting the cluster',
    '',
    ...steps(cluster, hosts, addons).map((step, index) => `${index + 1}. ${step}`),
    '',
    'Nothing here is secret: tokens, keys and Secrets are made on the hosts and in the cluster, and stay there.',
  ].join('\n')}\n`;
}

function hostTable(hosts: readonly KubeadmHost[]): string[] {
  const zones = hosts.some(({ zone }) => zone !== undefined);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['Host', 'Role', 'Address', ...(zones ? ['Zone'] : [])]),
    row(['---', '---', '---', ...(zones ? ['---'] : [])]),
    ...hosts.map(({ name, role, address, zone }) => row([name, role, address, ...(zones ? [zone ?? ''] : [])])),
  ];
}

function nodeNeeds(hosts: readonly KubeadmHost[]): string[] {
  const packages = [...new Set(hosts.flatMap((host) => host.packages))].sort();
  return [
    'Nodes have containerd, kubeadm and the kubelet of that version, and what kubeadm\'s preflight checks ask for.',
    ...(packages.length > 0 ? [`Load balancers need the packages ${packages.join(', ')}; cloud-init installs them.`] : []),
  ];
}

function steps(cluster: ResolvedCluster, hosts: readonly KubeadmHost[], addons: string | undefined): string[] {
  const named = (role: KubeadmHostRole) => hosts.filter((host) => host.role === role).map((host) => host.name);
  const [first] = named(KubeadmHostRole.FIRST_CONTROL_PLANE);
  const { secrets = [] } = cluster.platform;
  return [
    ...endpointSteps(cluster),
    'Put the files of every host into place.',
    `On ${first}, run \`${INIT_SCRIPT}\`.`,
    ...joinSteps(first, named(KubeadmHostRole.CONTROL_PLANE), 'control-plane'),
    ...joinSteps(first, named(KubeadmHostRole.WORKER), 'worker'),
    ...(addons === undefined && secrets.length === 0 ? [] : [`Copy \`/etc/kubernetes/admin.conf\` of ${first} to where kubectl and Helm are, and name it in \`KUBECONFIG\`.`]),
    ...secrets.map(secretStep),
    ...(addons === undefined ? [] : [`There, run \`${addons}\`. It installs the addons in their order; run it again when they have changed.`]),
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

function secretStep({ namespace, name, keys }: RequiredSecret): string {
  const files = keys.map((key) => `--from-file=${key}=FILE`).join(' ');
  return `Make the Secret \`${name}\`: \`kubectl --namespace ${namespace} create secret generic ${name} ${files}\`. The files hold the values alone, without a line break at the end.`;
}
