import { endpointOpening, LoadBalancerDesign, PORT_RULE } from './load-balancer-design';
import { checkVirtualAddress, KubeadmVirtualAddress } from './virtual-address';
import { Problem, Rule } from '../../../manifests/values/problem';
import { isFixedImage, KUBE_VIP, KUBE_VIP_READS, kubeVipFile } from '../../control-planes/kubeadm/kube-vip/kube-vip-pod';
import { ownFiles } from '../kubeadm-host';

/** kube-vip on the nodes of the control plane. */
export interface KubeVipOptions extends KubeadmVirtualAddress {
  /** Image of kube-vip, with a tag or digest (`TC-KUBEADM-CLUSTER-LB-IMAGE`). */
  readonly image: string;
}

/**
 * Commands of the first node around `kubeadm init`. If an API server already runs, kubeadm fails, and kube-vip stays unchanged.
 */
const WITH_SUPER_ADMIN = `# Until admin.conf has its rights, kube-vip has super-admin.conf.
${KUBE_VIP_READS}

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
    adminPods: [KUBE_VIP],
    check: ({ endpoint, port, nodes }) => [
      ...checkVirtualAddress(options, nodes, [], endpoint),
      ...checkImage('loadBalancer.image', image),
      ...(endpoint.port === port ? [] : [{
        rule: PORT_RULE, property: 'controlPlaneEndpoint', message: `its port is ${endpoint.port}, but the API servers listen on ${port}`, accepted: `${port}`, fix: 'use one port for both: kube-vip only moves an address, and does not listen on a port',
      }]),
    ],
    // Its address is that of an API server, so the endpoint and the API servers share a port.
    openings: (servers) => [{ ...endpointOpening('control plane', servers), what: `TCP ${servers.port} (API servers and endpoint)` }],
    nodeSetup: ({ port }, nodeName) => (
      { files: ownFiles('loadBalancer', [kubeVipFile({ address: vip, port, image, networkInterface: options.networkInterface, nodeName })]) }),
  };
}

const IMAGE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-IMAGE',
  title: 'Images of static pods must have a digest, or a tag other than latest.',
  source: 'kubernetes.io/docs/concepts/containers/images',
};

function checkImage(property: string, image: string): Problem[] {
  return isFixedImage(image) ? [] : [{
    rule: IMAGE_RULE, property, message: `"${image}" is not an image of a fixed version`, accepted: 'images with a tag other than latest, or a digest', fix: 'name the version that you have tested',
  }];
}
