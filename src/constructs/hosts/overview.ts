import { ADDONS_FOLDER, InstallStep, namespaceFile } from './command-line-delivery';
import { dayTwo } from './day-two';
import { KubeadmHost, KubeadmHostRole } from './kubeadm-host';
import { RequiredSecret } from './kubeadm-platform';
import { requirements, tableRow } from './requirements';
import { ResolvedCluster } from './resolved-cluster';
import { CREDENTIALS_FILE, CREDENTIALS_SCRIPT, INIT_SCRIPT, JOIN_SCRIPT } from './scripts';
import { parseIp } from '../../manifests/values/ip-address';
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
    ...hosts.map(({ name, role, address, secondAddress, zone }) => (
      tableRow([name, role, secondAddress === undefined ? address : `${address}, ${secondAddress}`, ...(zones ? [zone ?? ''] : [])]))),
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
