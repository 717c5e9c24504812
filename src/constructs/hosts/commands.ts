import { ResolvedCluster } from './resolved-cluster';
import { CONTAINERD_SOCKET } from '../control-planes/kubeadm/bootstrap/kubeadm-config';

/** Folder of the static pods of a node. */
export const MANIFESTS = '/etc/kubernetes/manifests';

/** Folder of static pods that are stopped. */
export const STOPPED = '/etc/kubernetes/stopped';

const CONTROL_PLANE = 'kube-apiserver kube-controller-manager kube-scheduler';
/** kubectl with the administrator's rights. Its kubeconfig leads to the endpoint of the cluster, not to the API server of a node. */
export const KUBECTL = 'kubectl --kubeconfig /etc/kubernetes/admin.conf';

const ETCD_CREDENTIALS = '--endpoints https://127.0.0.1:2379 --cacert /etc/kubernetes/pki/etcd/ca.crt'
  + ' --cert /etc/kubernetes/pki/etcd/healthcheck-client.crt --key /etc/kubernetes/pki/etcd/healthcheck-client.key';

/** A command of etcdctl on the member of a node, by the API server that `kubectl` asks. */
export function etcdExec(node: string, command: string, kubectl: string = KUBECTL): string {
  return `${kubectl} --namespace kube-system exec etcd-${node} -- etcdctl ${ETCD_CREDENTIALS} ${command}`;
}

/** Steps as a numbered list. */
export function numbered(steps: readonly string[], first = 1): string[] {
  return steps.map((step, index) => `${first + index}. ${step}`);
}

/** The command that undoes kubeadm's work on a host. */
export function resetCommand({ props: { criSocket = CONTAINERD_SOCKET } }: ResolvedCluster): string {
  return `kubeadm reset --force${criSocket === CONTAINERD_SOCKET ? '' : ` --cri-socket ${criSocket}`}`;
}

/** Moves the static pods of the control plane, and others, out of the folder that the kubelet reads. */
export function stopCommand({ props: { etcd } }: ResolvedCluster, ...others: string[]): string {
  const names = [...(etcd?._external ? [] : ['etcd']), CONTROL_PLANE, ...others].join(' ');
  return `mkdir -p ${STOPPED} && for name in ${names}; do mv ${MANIFESTS}/$name.yaml ${STOPPED}/; done`;
}
