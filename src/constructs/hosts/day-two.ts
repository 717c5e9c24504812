import { etcdExec, KUBECTL, MANIFESTS, numbered, resetCommand, STOPPED, stopCommand } from './commands';
import { backUpEtcd, restoreEtcd } from './etcd-backup';
import { kubeletPatch } from './kubeadm-files';
import { KubeadmHost, KubeadmHostRole } from './kubeadm-host';
import { LoadBalancerDesign } from './load-balancer/load-balancer-design';
import { ResolvedCluster } from './resolved-cluster';
import { CREDENTIALS_SCRIPT, INIT_FILE, INIT_SCRIPT, JOIN_SCRIPT, READY_SCRIPT } from './scripts';
import { PATCHES_DIRECTORY } from '../../manifests/systems/kubeadm/node-files';

const VALIDITY_DAYS = 365;

/** Pods with data of their own, which go with the pod, are among the addons: kubectl refuses to evict them otherwise. */
const DRAIN = `${KUBECTL} drain NAME --ignore-daemonsets --delete-emptydir-data`;

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
    ...section('Change the configuration', reconfiguration(cluster, first)),
    ...section('Back up etcd', stacked ? backUpEtcd(cluster, first) : [
      'Back up your etcd as its documentation describes. Keep a copy of `/etc/kubernetes/pki` of one control plane node with it: it is secret.',
    ]),
    ...(stacked ? section('Restore etcd', restoreEtcd(cluster, first)) : []),
    ...section('Add a host', addition(cluster, named(KubeadmHostRole.LOAD_BALANCER))),
    ...section('Replace a host', replacement(cluster, first, named(KubeadmHostRole.LOAD_BALANCER))),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...lines];
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

function renewal(cluster: ResolvedCluster): string[] {
  const { props } = cluster;
  const { certificateValidity, etcd, loadBalancer: { _design: { adminPods = [] } } } = props;
  const days = certificateValidity?.toDays({ integral: false }) ?? VALIDITY_DAYS;
  return [
    `Certificates of the control plane expire after ${Math.floor(days)} days. \`kubeadm upgrade\` renews them. Without an upgrade in this time, on one control`,
    'plane node after the other:',
    '',
    ...numbered([
      'Run `kubeadm certs check-expiration`, and `kubeadm certs renew all`.',
      `Restart the control plane: \`${stopCommand(cluster, ...adminPods)}\`, wait for 20 seconds, and move the files back with \`mv ${STOPPED}/*.yaml ${MANIFESTS}/\`.`,
      `Run \`${READY_SCRIPT}\`, and go on with the next node only when it has ended without an error. It asks the API server${etcd?._external ? '' : ' and etcd'} of this node;`
        + ` requests to \`${props.controlPlaneEndpoint}\` would be answered by another one.`,
    ]),
    '',
    'Then copy `/etc/kubernetes/admin.conf` again to where kubectl and Helm run. Kubelets renew their own certificates.',
  ];
}

function upgrade(cluster: ResolvedCluster, first: string): string[] {
  const { props, workers, kubernetesVersion } = cluster;
  const { adminPods = [] } = props.loadBalancer._design;
  const patched = [...props.controlPlaneNodes, ...workers].filter((node) => kubeletPatch(node)).map(({ name }) => name);
  const perNode = (command: string, ready: string): string => `run \`install.sh\`, install the new kubeadm, run \`${command}\`, drain the node (\`${DRAIN}\`),`
    + ` install the new kubelet, run \`systemctl daemon-reload && systemctl restart kubelet\`, \`${ready}\`, and \`${KUBECTL} uncordon NAME\`.`;
  return [
    `Raise \`kubernetesVersion\` in the page by one minor version at a time; this page is for ${kubernetesVersion}, and so is the list of what hosts need, above: see`,
    'that each node has it before its turn. Back up etcd first. Then node by node, the next one only when the commands of the last have ended without an error:',
    '',
    ...numbered([
      `${first}: ${perNode(`kubeadm upgrade apply ${kubernetesVersion}`, READY_SCRIPT)}`,
      `The other control plane nodes, one after the other: ${perNode('kubeadm upgrade node', READY_SCRIPT)}`,
      `The workers, one after the other: ${perNode('kubeadm upgrade node', `${KUBECTL} wait --for=condition=Ready --timeout=5m node/NAME`)}`,
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

/**
 * Steps that bring changes of the page to a running cluster. `kubeadm upgrade node` writes the static pods and the kubelet's configuration
 * anew from what is uploaded, and goes back where a component does not become ready (cmd/kubeadm/app/phases/upgrade/staticpods.go).
 */
function reconfiguration(cluster: ResolvedCluster, first: string): string[] {
  const { props, workers } = cluster;
  const patched = [...props.controlPlaneNodes, ...workers].some((node) => kubeletPatch(node));
  const command = `kubeadm upgrade node${patched ? ` --patches ${PATCHES_DIRECTORY}` : ''}`;
  return [
    'A running cluster does not read these files: `install.sh` alone changes nothing that kubeadm has set up. For components of the control plane, etcd, CoreDNS and',
    'options of all kubelets:',
    '',
    ...numbered([
      `On ${first}, run \`install.sh\` and \`kubeadm init phase upload-config all --config ${INIT_FILE}\`.`,
      `On every control plane node, one after the other, run \`install.sh\`, \`${command}\`, \`systemctl restart kubelet\` and \`${READY_SCRIPT}\`.`,
      `On every worker, one after the other, run \`install.sh\`, \`${command}\` and \`systemctl restart kubelet\`.`,
    ]),
    '',
    '- **certSans**: on every control plane node, before step 2, remove `apiserver.crt` and `apiserver.key` in `/etc/kubernetes/pki`, and run `kubeadm init phase certs apiserver`'
      + ` with \`--config\` and a copy of \`${INIT_FILE}\` of ${first} in which \`advertiseAddress\` is that of the node.`,
    '- **Labels and taints of a node**: kubelets set them once; change them with kubectl, too. **kubeletExtraArgs**: change them in `/var/lib/kubelet/kubeadm-flags.env`'
      + ' of the node, too, and restart the kubelet.',
    '- **controlPlaneEndpoint, podCidrs, serviceCidrs, serviceDomain**, and the place of etcd\'s data: they stay as they are.',
  ];
}

function addition({ props: { etcd, loadBalancer: { _design: design } } }: ResolvedCluster, balancers: readonly string[]): string[] {
  return [
    'Add it to the end of `workers` or `controlPlaneNodes` in the page. Then:',
    '',
    ...numbered([
      'See that the host has what it needs, and put its files into place.',
      `Join it as when the cluster was started: \`${CREDENTIALS_SCRIPT}\` and \`${JOIN_SCRIPT}\`. Of the control plane one host at a time: run \`${READY_SCRIPT}\` on it before the next one.`,
    ]),
    ...(etcd?._external ? [] : ['', 'Of an even number of members, etcd stands still when half are lost: of two, when one is. Join the one that makes their number odd without delay.']),
    ...afterwards('After a control plane node was added, ', design, balancers),
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
    `- **Control plane node**, one at a time: ${leave} Then \`${KUBECTL} delete node NAME\`, join the new host, and run \`${READY_SCRIPT}\` on it.`,
    `- **${first}**: as any control plane node. Put another node of the control plane first in \`controlPlaneNodes\`: run its \`install.sh\`, and it prints credentials`
      + ` (\`${CREDENTIALS_SCRIPT}\`, \`${INIT_FILE}\`). Never run \`${INIT_SCRIPT}\` there.`,
    ...(balancers.length > 0 ? [
      `- **Load balancer** (${balancers.join(', ')}): put the new host in the place of the old one, and run \`install.sh\` on every load balancer: they know each other by`
        + ' address. Replace them one at a time; the virtual address moves.',
    ] : []),
    ...afterwards('After a control plane node was replaced, ', design, balancers),
  ];
}

/** The step after a change of control plane nodes: load balancers know them by address. */
function afterwards(after: string, design: LoadBalancerDesign, balancers: readonly string[]): string[] {
  if (design.vip === undefined) return ['', `${after}change the targets of your load balancer.`];
  return balancers.length > 0 ? ['', `${after}run \`install.sh\` on every load balancer: HAProxy knows the nodes by address.`] : [];
}
