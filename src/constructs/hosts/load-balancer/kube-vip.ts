import { Yaml } from 'cdk8s';
import { ApiServers, endpointOpening, LoadBalancerDesign, PORT_RULE } from './load-balancer-design';
import { checkVirtualAddress, KubeadmVirtualAddress } from './virtual-address';
import { isPinned, parseImageReference } from '../../../manifests/values/image-reference';
import { Problem, Rule } from '../../../manifests/values/problem';
import { HostFile } from '../host-file';
import { ownFiles } from '../kubeadm-host';

/** kube-vip on the nodes of the control plane. */
export interface KubeVipOptions extends KubeadmVirtualAddress {
  /** Image of kube-vip, with a tag or digest (`TC-KUBEADM-CLUSTER-LB-IMAGE`). */
  readonly image: string;
}

const NAME = 'kube-vip';
const KUBECONFIG = '/etc/kubernetes/admin.conf';

/**
 * Commands of the first node around `kubeadm init`: since Kubernetes 1.29, admin.conf has no rights until `kubeadm init` grants them
 * (kubernetes/kubernetes CHANGELOG/CHANGELOG-1.29.md). If an API server already runs, kubeadm fails, and kube-vip stays unchanged. A
 * kubelet ignores files whose names start with a dot.
 */
const WITH_SUPER_ADMIN = `# Until admin.conf has its rights, kube-vip has super-admin.conf.
manifests=/etc/kubernetes/manifests
kube_vip_reads() {
  sed "s#path: /etc/kubernetes/.*admin.conf#path: /etc/kubernetes/$1#" "$manifests/kube-vip.yaml" > "$manifests/.kube-vip.yaml"
  chmod 0600 "$manifests/.kube-vip.yaml"
  mv "$manifests/.kube-vip.yaml" "$manifests/kube-vip.yaml"
}

if [ ! -e "$manifests/kube-apiserver.yaml" ]; then
  if [ ! -r "$manifests/kube-vip.yaml" ]; then
    echo "$manifests/kube-vip.yaml is not there: run install.sh first, after kubeadm reset again" >&2
    exit 1
  fi
  trap 'kube_vip_reads admin.conf' EXIT
  trap 'exit 1' HUP INT TERM
  kube_vip_reads super-admin.conf
fi`;

/** kube-vip as a static pod of the control plane: the leader carries the virtual address. */
export function kubeVip(options: KubeVipOptions): LoadBalancerDesign {
  const { vip, image } = options;
  return {
    vip,
    beforeInit: [WITH_SUPER_ADMIN],
    // Pods that are not the leader never exit, and could not take over the address after their certificate has expired.
    adminPods: [NAME],
    check: ({ endpoint, port, nodes }) => [
      ...checkVirtualAddress(options, nodes, [], endpoint),
      ...checkImage('loadBalancer.image', image),
      ...(endpoint.port === port ? [] : [{
        rule: PORT_RULE, property: 'controlPlaneEndpoint', message: `its port is ${endpoint.port}, but the API servers listen on ${port}`, accepted: `${port}`, fix: 'use one port for both: kube-vip only moves an address, and does not listen on a port',
      }]),
    ],
    // Its address is that of an API server, so the endpoint and the API servers share a port.
    openings: (servers) => [{ ...endpointOpening('control plane', servers), what: `TCP ${servers.port} (API servers and endpoint)` }],
    nodeSetup: (servers, name) => ({ files: ownFiles('loadBalancer', [kubeVipPod(options, servers, name)]) }),
  };
}

/**
 * kube-vip as a static pod in the network of the host.
 *
 * Sources: kube-vip/kube-vip pkg/kubevip/config_generator.go, config_envvar.go,
 * kubernetes.io/docs/tasks/configure-pod-container/static-pod.
 */
function kubeVipPod({ vip, networkInterface, image }: KubeVipOptions, { port }: ApiServers, nodeName: string): HostFile {
  const env = {
    vip_arp: 'true',
    port: `${port}`,
    // Identity in the leader election; some releases default to the name of the machine, which may differ.
    vip_nodename: nodeName,
    vip_interface: networkInterface,
    vip_subnet: vip.includes(':') ? '128' : '32',
    cp_enable: 'true',
    cp_namespace: 'kube-system',
    vip_leaderelection: 'true',
    vip_leasename: 'plndr-cp-lock',
    vip_leaseduration: '5',
    vip_renewdeadline: '3',
    vip_retryperiod: '1',
    address: vip,
  };
  const volume = 'file-0';
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME, namespace: 'kube-system' },
    spec: {
      containers: [{
        name: NAME,
        image,
        imagePullPolicy: 'IfNotPresent',
        args: ['manager'],
        env: Object.entries(env).map(([name, value]) => ({ name, value })),
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
  return { path: `/etc/kubernetes/manifests/${NAME}.yaml`, content: Yaml.stringify(manifest), permissions: '0600' };
}

const IMAGE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-IMAGE',
  title: 'Images of static pods must have a digest, or a tag other than latest.',
  source: 'kubernetes.io/docs/concepts/containers/images',
};

function checkImage(property: string, image: string): Problem[] {
  const reference = parseImageReference(image);
  return reference && isPinned(reference) ? [] : [{
    rule: IMAGE_RULE, property, message: `"${image}" is not an image of a fixed version`, accepted: 'images with a tag other than latest, or a digest', fix: 'name the version that you have tested',
  }];
}
