import { etcdExec, KUBECTL, MANIFESTS, numbered, resetCommand, STOPPED, stopCommand } from './commands';
import { ResolvedCluster } from './resolved-cluster';
import { INIT_SCRIPT } from './scripts';
import { formatHostPort } from '../../manifests/values/dns';

const ETCD_DATA = '/var/lib/etcd';
const PKI = '/etc/kubernetes/pki';

/** Files from which kubeadm makes all other certificates; tokens of ServiceAccounts are signed with the last two. */
const AUTHORITIES = ['ca.crt', 'ca.key', 'etcd/ca.crt', 'etcd/ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.key', 'sa.pub'];

function dataDirectory({ props: { etcd } }: ResolvedCluster): string {
  return etcd?._stacked?.dataDir ?? ETCD_DATA;
}

/** The backup of stacked etcd, as lines of Markdown. */
export function backUpEtcd(cluster: ResolvedCluster, first: string): string[] {
  const file = `${dataDirectory(cluster)}/snapshot.db`;
  return [
    `On ${first}, or with its name replaced on any other control plane node:`,
    '',
    ...shell(etcdExec(first, `snapshot save ${file}`)),
    '',
    `Move \`${file}\` to another place, with a copy of \`${PKI}\`: without the copy, a cluster whose control plane hosts are all lost cannot be restored. Both are`,
    'secret: they hold every Secret of the cluster, and its keys.',
  ];
}

/**
 * The restore of stacked etcd, for each of its disasters, as lines of Markdown.
 *
 * Sources: etcd.io/docs/v3.6/op-guide/recovery, kubernetes/kubernetes cmd/kubeadm/app/cmd/phases/init/certs.go (authorities that exist are
 * used), cmd/kubeadm/app/preflight/checks.go (DirAvailable).
 */
export function restoreEtcd(cluster: ResolvedCluster, first: string): string[] {
  const data = dataDirectory(cluster);
  const others = cluster.props.controlPlaneNodes.slice(1).map(({ name }) => name);
  return [
    'Only if more than half of the members of etcd are lost, or the data is wrong. What was written after the backup is lost. `etcdutl` is that of the release of etcd',
    `that the cluster runs. If ${first} is lost and another control plane host is not, put that one first in \`controlPlaneNodes\` of the page, and run its \`install.sh\`:`,
    'the new page has its name in the commands below.',
    '',
    ...numbered([
      `On every control plane node, stop the control plane: \`${stopCommand(cluster)}\`.`
        + ' Wait until `crictl ps` shows none of it.',
      `On ${first}, put the backup into the place of the data:`,
    ]),
    '',
    ...restoreCommands(cluster, first).map((line) => `   ${line}`),
    '',
    ...numbered([
      `On ${first}, start it again: \`mv ${STOPPED}/*.yaml ${MANIFESTS}/\`. etcd has one member now.`,
      ...(others.length > 0 ? [
        `Every other control plane node, one after the other: \`${resetCommand(cluster)}\`, \`find ${data} -mindepth 1 -delete\`, \`rm -rf ${STOPPED}\`,`
        + ` \`${KUBECTL} delete node NAME\` on ${first}, \`install.sh\`, and join it again.`,
      ] : []),
      'Restart the kubelets of the workers: `systemctl restart kubelet`.',
      `When all is well, remove \`${data}/member.old\` on ${first}.`,
    ], 3),
    '',
    '### If all control plane hosts or their disks are lost',
    '',
    `With the backup and the copy of the keys, on hosts with the names and addresses of this page, new ones or after \`${resetCommand(cluster)}\`:`,
    '',
    ...numbered([
      'Put the files of every control plane host into place with its `install.sh`.',
      `On ${first}, put ${AUTHORITIES.map((file) => `\`${file}\``).join(', ')} of the copy into \`${PKI}\`, for root alone to read. kubeadm makes all other`
        + ' certificates from them. With other authorities, kubelets and ServiceAccounts of the cluster would be refused.',
      `On ${first}, run the commands of step 2 above.`,
      `On ${first}, run \`${INIT_SCRIPT} --ignore-preflight-errors=DirAvailable-${data.replaceAll('/', '-')}\`. etcd starts with the data that is there.`,
      ...(others.length > 0 ? [`Delete the nodes of the lost hosts, \`${KUBECTL} delete node ${others.join(' ')}\`, and join them as when the cluster was started.`] : []),
      'Restart the kubelets of the workers: `systemctl restart kubelet`.',
    ]),
  ];
}

/**
 * The commands that restore the data of one member. Its folder stays, since it may be a mount point, and etcdutl needs an empty one: so the
 * data is restored beside, and moved. Raised revisions keep controllers from going on with what they had read before.
 */
function restoreCommands(cluster: ResolvedCluster, first: string): string[] {
  const data = dataDirectory(cluster);
  const peer = `https://${formatHostPort(cluster.props.controlPlaneNodes[0]?.address ?? '', 2380)}`;
  return shell(
    `mkdir -p -m 0700 ${data}`,
    `if [ -e ${data}/member ]; then mv ${data}/member ${data}/member.old; fi`,
    `etcdutl snapshot restore SNAPSHOT --data-dir ${data}/restored --name ${first} \\`,
    `  --initial-cluster ${first}=${peer} --initial-advertise-peer-urls ${peer} \\`,
    '  --bump-revision 1000000000 --mark-compacted',
    `mv ${data}/restored/member ${data}/member`,
    `rmdir ${data}/restored`,
  );
}

function shell(...commands: readonly string[]): string[] {
  return ['```sh', ...commands, '```'];
}
