import { Yaml } from 'cdk8s';
import { isPinned, parseImageReference } from '../../../../manifests/values/image-reference';

/** Name of the pod, and of its file without the ending. */
export const KUBE_VIP = 'kube-vip';

/** The file of the static pod. */
const KUBE_VIP_FILE = `/etc/kubernetes/manifests/${KUBE_VIP}.yaml`;

const KUBECONFIG = '/etc/kubernetes/admin.conf';

/**
 * Shell function that replaces the kubeconfig of kube-vip. Since Kubernetes 1.29, admin.conf has no rights until `kubeadm init` grants them
 * (kubernetes/kubernetes CHANGELOG/CHANGELOG-1.29.md), and super-admin.conf has. A kubelet ignores files whose names start with a dot.
 */
export const KUBE_VIP_READS = `manifests=/etc/kubernetes/manifests
kube_vip_reads() {
  sed "s#path: /etc/kubernetes/.*admin.conf#path: /etc/kubernetes/$1#" "$manifests/kube-vip.yaml" > "$manifests/.kube-vip.yaml"
  chmod 0600 "$manifests/.kube-vip.yaml"
  mv "$manifests/.kube-vip.yaml" "$manifests/kube-vip.yaml"
}`;

/** Announcement of the address by BGP. */
export interface KubeVipSpeaker {
  /** Number of the own autonomous system. */
  readonly as: number;

  /** The routers, in the form of kube-vip. */
  readonly peers: readonly string[];

  /** Network interface whose address is the router id. */
  readonly routerInterface: string;
}

/** A kube-vip on a node of the control plane. */
export interface KubeVipPod {
  readonly address: string;
  readonly port: number;
  readonly image: string;

  /** Network interface that gets the address. Default: that of the default route. */
  readonly networkInterface?: string;

  /** Identity in the leader election. Default: the name of the node. */
  readonly nodeName?: string;

  /** Default: the leader announces the address in its layer 2 network. */
  readonly bgp?: KubeVipSpeaker;
}

/** A file of a machine. */
interface PodFile {
  readonly path: string;
  readonly content: string;
  readonly permissions: string;
}

/** A variable of the container. */
interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

/**
 * kube-vip as a static pod in the network of the host. The leader carries the address.
 *
 * Sources: kube-vip/kube-vip pkg/kubevip/config_generator.go, config_envvar.go,
 * kubernetes.io/docs/tasks/configure-pod-container/static-pod.
 */
export function kubeVipFile(pod: KubeVipPod): PodFile {
  const volume = 'file-0';
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: KUBE_VIP, namespace: 'kube-system' },
    spec: {
      containers: [{
        name: KUBE_VIP,
        image: pod.image,
        imagePullPolicy: 'IfNotPresent',
        args: ['manager'],
        env: variables(pod),
        resources: { requests: { cpu: '25m', memory: '64Mi' } },
        securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } },
        volumeMounts: [{ name: volume, mountPath: KUBECONFIG, readOnly: true }],
      }],
      // It reaches the API server of its node by a name that is in the certificate.
      hostAliases: [{ ip: '127.0.0.1', hostnames: ['kubernetes'] }],
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      volumes: [{ name: volume, hostPath: { path: KUBECONFIG, type: 'File' } }],
    },
  };
  // As with the files of kubeadm in this folder, only root can read it.
  return { path: KUBE_VIP_FILE, content: Yaml.stringify(manifest), permissions: '0600' };
}

function variables({ address, port, networkInterface, nodeName, bgp }: KubeVipPod): Variable[] {
  const texts = (values: { readonly [name: string]: string }): Variable[] => Object.entries(values).map(([name, value]) => ({ name, value }));
  return [
    ...texts({ vip_arp: bgp ? 'false' : 'true', port: `${port}` }),
    // Identity in the leader election; some releases default to the name of the machine, which may differ.
    { name: 'vip_nodename', ...(nodeName === undefined ? { valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } } : { value: nodeName }) },
    ...(networkInterface === undefined ? [] : texts({ vip_interface: networkInterface })),
    ...texts({
      vip_subnet: address.includes(':') ? '128' : '32',
      cp_enable: 'true',
      cp_namespace: 'kube-system',
      vip_leaderelection: 'true',
      vip_leasename: 'plndr-cp-lock',
      vip_leaseduration: '5',
      vip_renewdeadline: '3',
      vip_retryperiod: '1',
      ...(bgp && { bgp_enable: 'true', bgp_as: `${bgp.as}`, bgp_routerinterface: bgp.routerInterface, bgp_peers: bgp.peers.join(',') }),
      address,
    }),
  ];
}

/** True if an image has a fixed version. */
export function isFixedImage(image: string): boolean {
  const reference = parseImageReference(image);
  return reference !== undefined && isPinned(reference);
}

/** True if a network interface may have the name (torvalds/linux net/core/dev.c, dev_valid_name). */
export function isInterfaceName(name: string): boolean {
  return /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,15}$/.test(name);
}
