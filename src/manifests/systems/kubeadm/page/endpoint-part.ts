import { valuesIn } from '../../../objects/manifest-text';
import { call, PageCall, PageFields } from '../../../rules/page-expression';
import { objectsAt, stringAt } from '../../../values/fields';

const API_SERVER_PORT = 6443;

const KUBE_VIP_POD = '/etc/kubernetes/manifests/kube-vip.yaml';

/** The script that the library writes beside the pod. */
const KUBE_VIP_SCRIPT = /\/cdk8s-cluster-api-kube-vip$/;

/**
 * The maker of the address of the API server: kube-vip, where the library has written it; another one, where the infrastructure states an
 * address; else the infrastructure.
 *
 * @param configuration kubeadm's configuration of the machines
 * @param stated the address in the infrastructure object
 */
export function endpointPart(configuration: unknown, stated: PageFields | undefined): PageCall | undefined {
  const files = objectsAt(configuration, 'files').map(([file]) => file);
  const pod = files.find((file) => file.path === KUBE_VIP_POD);
  const kubeVip = pod && files.some((file) => KUBE_VIP_SCRIPT.test(stringAt(file, 'path') ?? '')) ? kubeVipOf(stringAt(pod, 'content') ?? '') : undefined;
  if (kubeVip) return kubeVip;
  return stated && call('ControlPlaneEndpoint.external', { host: stated.host, port: stated.port === API_SERVER_PORT ? undefined : stated.port });
}

function kubeVipOf(text: string): PageCall | undefined {
  const [pod] = valuesIn(text);
  const [container] = objectsAt(pod, 'spec', 'containers').map(([one]) => one);
  const variables = new Map(objectsAt(container, 'env').map(([variable]) => [stringAt(variable, 'name'), stringAt(variable, 'value')]));
  const [address, image, as] = [variables.get('address'), stringAt(container, 'image'), variables.get('bgp_as')];
  if (address === undefined || image === undefined) return undefined;
  return call('ControlPlaneEndpoint.kubeVip', {
    address,
    image,
    networkInterface: variables.get(as === undefined ? 'vip_interface' : 'bgp_routerinterface'),
    mode: as === undefined ? undefined : call('KubeVipMode.bgp', { as: Number(as), peers: peersIn(variables.get('bgp_peers') ?? '') }),
  });
}

/** Peers as kube-vip writes them: `address:as:password:multihop`. */
function peersIn(text: string): readonly PageFields[] {
  return text.split(',').flatMap((peer): PageFields[] => {
    const [, bracketed, plain, as, multihop] = /^(?:\[([^\]]*)\]|([^:]*)):(\d+):[^:]*:(true|false)$/.exec(peer) ?? [];
    const address = bracketed ?? plain;
    return address === undefined ? [] : [{ address, as: Number(as), multihop: multihop === 'true' ? true : undefined }];
  });
}
