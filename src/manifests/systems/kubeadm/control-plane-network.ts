import { ManifestObject } from '../../objects/manifest-object';
import { ControlPlaneNetwork } from '../../rules/cluster-facts';
import { fieldAt, isFields, objectsAt, stringAt, stringsAt } from '../../values/fields';

/** Fields by which a machine may remove or install kube-proxy itself. */
const OWN_STEPS = ['files', 'postKubeadmCommands', 'preKubeadmCommands'];

/**
 * The networks of a cluster that kubeadm sets up. Ranges of the configuration win over those of the Cluster.
 *
 * Source: kubernetes/kubernetes cmd/kubeadm/app/cmd/phases/init/addons.go; kubernetes-sigs/cluster-api
 * bootstrap/kubeadm/internal/controllers/kubeadmconfig_controller.go (reconcileTopLevelObjectSettings).
 */
export function controlPlaneNetwork(controlPlane: ManifestObject): ControlPlaneNetwork {
  const config = fieldAt(controlPlane, 'spec', 'kubeadmConfigSpec');
  const skipped = stringsAt(config, 'initConfiguration', 'skipPhases').map(([phase]) => phase);
  const isSkipped = (phase: string) => skipped.some((one) => one === 'addon' || one === 'addon/all' || one === phase);
  const isOwn = OWN_STEPS.some((field) => JSON.stringify(fieldAt(config, field) ?? '').includes('kube-proxy'));
  const networking = fieldAt(config, 'clusterConfiguration', 'networking');
  const [podCidrs, serviceCidrs] = ['podSubnet', 'serviceSubnet'].map((field) => stringAt(networking, field)?.split(','));
  return {
    kubeProxy: isSkipped('addon/kube-proxy') ? isOwn ? undefined : false : isOwn ? undefined : true,
    dns: !isSkipped('addon/coredns'),
    podCidrs,
    serviceCidrs,
    usualServiceCidr: '10.96.0.0/12',
    nodePrefixLengths: prefixLengths(fieldAt(config, 'clusterConfiguration', 'controllerManager', 'extraArgs')),
  };
}

/** Arguments are a list in v1beta2, and a map before. */
function prefixLengths(given: unknown): ControlPlaneNetwork['nodePrefixLengths'] {
  const named = new Map(isFields(given) ? Object.entries(given) : objectsAt({ given }, 'given').map(([{ name, value }]) => [String(name), value] as const));
  const both = named.get('node-cidr-mask-size');
  const lengths = { IPv4: named.get('node-cidr-mask-size-ipv4') ?? both, IPv6: named.get('node-cidr-mask-size-ipv6') ?? both };
  return Object.fromEntries(Object.entries(lengths).flatMap(([family, text]) => (/^\d+$/.test(String(text)) ? [[family, Number(text)]] : [])));
}
