import { kubeletPatch } from './kubeadm-files';
import { KubeadmHost, KubeadmHostRole } from './kubeadm-host';
import { LoadBalancerDesign } from './load-balancer/load-balancer-design';
import { ResolvedCluster } from './resolved-cluster';
import { CREDENTIALS_SCRIPT, INIT_FILE, INIT_SCRIPT, JOIN_SCRIPT } from './scripts';
import { PATCHES_DIRECTORY } from '../../manifests/systems/kubeadm/node-files';
import { parseIp } from '../../manifests/values/ip-address';
import { CONTAINERD_SOCKET } from '../control-planes/kubeadm/bootstrap/kubeadm-config';

const MANIFESTS = '/etc/kubernetes/manifests';
const STOPPED = '/etc/kubernetes/stopped';
const CONTROL_PLANE = 'kube-apiserver kube-controller-manager kube-scheduler';
const ETCD_DATA = '/var/lib/etcd';
const VALIDITY_DAYS = 365;
const KUBECTL = 'kubectl --kubeconfig /etc/kubernetes/admin.conf';
/** Pods with data of their own, which go with the pod, are among the addons: kubectl refuses to evict them otherwise. */
const DRAIN = `${KUBECTL} drain NAME --ignore-daemonsets --delete-emptydir-data`;
const ETCD_CREDENTIALS = '--endpoints https://127.0.0.1:2379 --cacert /etc/kubernetes/pki/etcd/ca.crt'
  + ' --cert /etc/kubernetes/pki/etcd/healthcheck-client.crt --key /etc/kubernetes/pki/etcd/healthcheck-client.key';

/**
 * Guides for failed steps, and for the maintenance of a running cluster, as lines of Markdown.
 *
 * Sources: kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-reset, docs/tasks/administer-cluster/kubeadm (kubeadm-certs,
 * kubeadm-upgrade, upgrading-linux-nodes), docs/tasks/administer-cluster/configure-upgrade-etcd, etcd.io/docs/v3.6/op-guide/recovery.
 *
 * @param cluster the cluster
 * @param hosts its hosts
 */
export function dayTwo(cluster: ResolvedCluster, hosts: readonly KubeadmHost[]): string[] {
  const named = (...roles: readonly KubeadmHostRole[]): string[] => hosts.filter(({ role }) => roles.includes(role)).map(({ name }) => name);
  const [first] = named(KubeadmHostRole.FIRST_CONTROL_PLANE);
  const stacked = !cluster.props.etcd?._external;
  return [
    ...section('When a step fails', failedSteps(cluster, first)),
    ...section('Renew certificates', renewal(cluster)),
    ...section('Upgrade Kubernetes', upgrade(cluster, first)),
    ...section('Back up etcd', stacked ? backup(cluster, first) : [
      'Back up your etcd as its documentation describes. Keep a copy of `/etc/kubernetes/pki` of one control plane node with it: it is secret.',
    ]),
    ...(stacked ? section('Restore etcd', restore(cluster, first)) : []),
    ...section('Replace a host', replacement(cluster, first, named(KubeadmHostRole.LOAD_BALANCER))),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...lines];
}

function numbered(steps: readonly string[]): string[] {
  return steps.map((step, index) => `${index + 1}. ${step}`);
}

function resetCommand({ props: { criSocket = CONTAINERD_SOCKET } }: ResolvedCluster): string {
  return `kubeadm reset --force${criSocket === CONTAINERD_SOCKET ? '' : ` --cri-socket ${criSocket}`}`;
}

function failedSteps(cluster: ResolvedCluster, first: string): string[] {
  return [
    `kubeadm does not continue after a failure: it refuses a host on which \`${INIT_SCRIPT}\` or \`${JOIN_SCRIPT}\` has started before. Correct the cause,`,
    'and on the same host:',
    '',
    ...numbered([
      `Run \`${resetCommand(cluster)}\`. It removes what kubeadm has written, static pods included, and a control plane node from etcd.`,
      'Remove `/etc/cni/net.d` and restart the host: kubeadm leaves the configuration of the pod network, and rules of iptables.',
      'Run `install.sh` of the host.',
      `On ${first}, run \`${INIT_SCRIPT}\` again. On any other host, delete its node if it is there, \`${KUBECTL} delete node NAME\`, and run`
        + ` \`${JOIN_SCRIPT}\` again. Credentials of a failed join are kept; print new ones after two hours.`,
    ]),
    '',
    `Never reset ${first} once other nodes have joined: it would start a second cluster. Replace it instead, see below.`,
    ...(cluster.props.etcd?._external ? ['Before the cluster is started again, delete what it has written to the external etcd.'] : []),
  ];
}

/** Moves the static pods of the control plane, and others, out of the folder that the kubelet reads. */
function stopCommand({ props: { etcd } }: ResolvedCluster, ...others: string[]): string {
  const names = [...(etcd?._external ? [] : ['etcd']), CONTROL_PLANE, ...others].join(' ');
  return `mkdir -p ${STOPPED} && for name in ${names}; do mv ${MANIFESTS}/$name.yaml ${STOPPED}/; done`;
}

function renewal(cluster: ResolvedCluster): string[] {
  const { certificateValidity, loadBalancer: { _design: { adminPods = [] } } } = cluster.props;
  const days = certificateValidity?.toDays({ integral: false }) ?? VALIDITY_DAYS;
  return [
    `Certificates of the control plane expire after ${Math.floor(days)} days. \`kubeadm upgrade\` renews them. Without an upgrade in this time, on one control`,
    'plane node after the other:',
    '',
    ...numbered([
      'Run `kubeadm certs check-expiration`, and `kubeadm certs renew all`.',
      `Restart the control plane: \`${stopCommand(cluster, ...adminPods)}\`, wait for 20 seconds, and move the files back with \`mv ${STOPPED}/*.yaml ${MANIFESTS}/\`.`,
      `Wait until \`${KUBECTL} get --raw /readyz\` answers on this node before the next one.`,
    ]),
    '',
    'Then copy `/etc/kubernetes/admin.conf` again to where kubectl and Helm run. Kubelets renew their own certificates.',
  ];
}

function upgrade(cluster: ResolvedCluster, first: string): string[] {
  const { props, workers, kubernetesVersion } = cluster;
  const { adminPods = [] } = props.loadBalancer._design;
  const patched = [...props.controlPlaneNodes, ...workers].filter((node) => kubeletPatch(node)).map(({ name }) => name);
  const perNode = (command: string): string => `install the new kubeadm, run \`${command}\`, drain the node (\`${DRAIN}\`), install`
    + ` the new kubelet, run \`systemctl daemon-reload && systemctl restart kubelet\`, and \`${KUBECTL} uncordon NAME\`.`;
  return [
    `Raise \`kubernetesVersion\` in the page by one minor version at a time; this page is for ${kubernetesVersion}. Back up etcd first. Then node by node, each`,
    'one ready before the next:',
    '',
    ...numbered([
      `${first}: ${perNode(`kubeadm upgrade apply ${kubernetesVersion}`)}`,
      `The other control plane nodes, one after the other: ${perNode('kubeadm upgrade node')}`,
      `The workers, one after the other: ${perNode('kubeadm upgrade node')}`,
      'Run `install.sh` of each node: nodes that join later read its files.',
    ]),
    '',
    ...(adminPods.length > 0 ? [
      `\`kubeadm upgrade\` renews \`admin.conf\`, and ${adminPods.join(', ')} reads it only when it starts: on each control plane node, move its file out of \`${MANIFESTS}\``
        + ' for 20 seconds, and back.', '',
    ] : []),
    ...(patched.length > 0 ? [`Add \`--patches ${PATCHES_DIRECTORY}\` to \`kubeadm upgrade\` on ${patched.join(', ')}: without it the kubelet loses the settings of its node.`, ''] : []),
    'Workers drain from a host with kubectl: they have no `admin.conf`. Upgrade the addons with `addons/install.sh`, in versions that support both releases.',
  ];
}

function dataDirectory({ props: { etcd } }: ResolvedCluster): string {
  return etcd?._stacked?.dataDir ?? ETCD_DATA;
}

function etcdExec(node: string, command: string): string {
  return `${KUBECTL} --namespace kube-system exec etcd-${node} -- etcdctl ${ETCD_CREDENTIALS} ${command}`;
}

function backup(cluster: ResolvedCluster, first: string): string[] {
  const file = `${dataDirectory(cluster)}/snapshot.db`;
  return [
    `On ${first}, or with its name replaced on any other control plane node:`,
    '',
    '```sh',
    etcdExec(first, `snapshot save ${file}`),
    '```',
    '',
    `Move \`${file}\` to another place, with a copy of \`/etc/kubernetes/pki\`. Both are secret: they hold every Secret of the cluster, and its keys.`,
  ];
}

function restore(cluster: ResolvedCluster, first: string): string[] {
  const data = dataDirectory(cluster);
  const { address } = cluster.props.controlPlaneNodes[0] ?? { address: '' };
  const peer = `https://${parseIp(address)?.family === 'IPv6' ? `[${address}]` : address}:2380`;
  return [
    'Only if more than half of the members of etcd are lost, or the data is wrong. What was written after the backup is lost.',
    '',
    ...numbered([
      `On every control plane node, stop the control plane: \`${stopCommand(cluster)}\`.`
        + ' Wait until `crictl ps` shows none of it.',
      `On ${first}, with \`etcdutl\` of the release of its etcd: \`mv ${data} ${data}.old && etcdutl snapshot restore SNAPSHOT --data-dir ${data} --name ${first}`
        + ` --initial-cluster ${first}=${peer} --initial-advertise-peer-urls ${peer} --bump-revision 1000000000 --mark-compacted\`. Raised revisions`
        + ' keep controllers from going on with what they had read before.',
      `On ${first}, start it again: \`mv ${STOPPED}/*.yaml ${MANIFESTS}/\`. etcd has one member now.`,
      `Every other control plane node, one after the other: \`${resetCommand(cluster)}\`, \`rm -rf ${data} ${STOPPED}\`, \`${KUBECTL} delete node NAME\` on ${first},`
        + ' `install.sh`, and join it again.',
      'Restart the kubelets of the workers: `systemctl restart kubelet`.',
    ]),
  ];
}

function replacement(cluster: ResolvedCluster, first: string, balancers: readonly string[]): string[] {
  const { etcd, loadBalancer: { _design: design } } = cluster.props;
  const reset = `\`${resetCommand(cluster)}\``;
  const member = `${etcdExec('NAME', 'member list')}`;
  const leave = !etcd?._external
    ? `${reset} on it removes its member from etcd. If the host is lost, remove the member from another control plane node: find its id with \`${member}\`,`
      + ' and run the same with `member remove ID`.'
    : `${reset} on it, unless the host is lost.`;
  return [
    'A new host gets a name and an address of its own in the page. Put its files into place before anything else.',
    '',
    `- **Worker**: \`${DRAIN}\`, \`${KUBECTL} delete node NAME\`, ${reset} on the old host. Join the new one.`,
    `- **Control plane node**, one at a time: ${leave} Then \`${KUBECTL} delete node NAME\`, and join the new host.`,
    `- **${first}**: as any control plane node. Put another node of the control plane first in \`controlPlaneNodes\`: run its \`install.sh\`, and it prints credentials`
      + ` (\`${CREDENTIALS_SCRIPT}\`, \`${INIT_FILE}\`). Never run \`${INIT_SCRIPT}\` there.`,
    ...(balancers.length > 0 ? [
      `- **Load balancer** (${balancers.join(', ')}): put the new host in the place of the old one, and run \`install.sh\` on every load balancer: they know each other by`
        + ' address. Replace them one at a time; the virtual address moves.',
    ] : []),
    ...afterwards(design, balancers),
  ];
}

/** The step after a replaced control plane node: load balancers know its nodes by address. */
function afterwards(design: LoadBalancerDesign, balancers: readonly string[]): string[] {
  const after = 'After a control plane node was replaced, ';
  if (design.vip === undefined) return ['', `${after}change the targets of your load balancer.`];
  if (design.claim === undefined) return [];
  return ['', `${after}run \`install.sh\` on every ${balancers.length > 0 ? 'load balancer' : 'control plane node'}: HAProxy knows the nodes by address.`];
}
