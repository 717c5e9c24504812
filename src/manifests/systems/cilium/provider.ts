import { BGP_RULES, PROXY_MODE } from './advertisements';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { inPlaceKinds } from '../../rules/changes/effects';
import { Provider } from '../../rules/provider';
import { PodNetworkFacts, PodNetworkSettings, ReleaseValues, Setting } from '../../rules/tenant-charts';
import { fieldAt, isFields } from '../../values/fields';

/** Ways in which pods get addresses of the ranges that Kubernetes gives nodes, and of pools of the operator. */
const NODE_RANGES = 'kubernetes';
const POOLS: readonly string[] = ['cluster-pool', 'cluster-pool-v2beta'];

const PORTS: Readonly<Record<string, number>> = { vxlan: 8472, geneve: 6081 };

/** Chained behind another plug-in, Cilium gives pods no addresses; `portmap` is behind Cilium. */
const OWN_CHAIN: readonly string[] = ['', 'none', 'portmap'];

/** Values of the chart that the keys of the agent's ConfigMap stand for (cilium/cilium install/kubernetes/cilium/templates/cilium-configmap.yaml). */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'cluster-pool-ipv4-cidr': ['ipam', 'operator', 'clusterPoolIPv4PodCIDRList'],
  'cluster-pool-ipv4-mask-size': ['ipam', 'operator', 'clusterPoolIPv4MaskSize'],
  'cluster-pool-ipv6-cidr': ['ipam', 'operator', 'clusterPoolIPv6PodCIDRList'],
  'cluster-pool-ipv6-mask-size': ['ipam', 'operator', 'clusterPoolIPv6MaskSize'],
  'cni-chaining-mode': ['cni', 'chainingMode'],
  'enable-ipv4': ['ipv4', 'enabled'],
  'enable-ipv6': ['ipv6', 'enabled'],
  'ipam': ['ipam', 'mode'],
  'kube-proxy-replacement': ['kubeProxyReplacement'],
  'mtu': ['MTU'],
  'routing-mode': ['routingMode'],
  'tunnel-port': ['tunnelPort'],
  'tunnel-protocol': ['tunnelProtocol'],
};

/** Defaults of cilium/charts, 1.14 to 1.20; without the chart the agent has the same ones. */
function read(values: ReleaseValues): PodNetworkSettings {
  const replacement = values.text(['kubeProxyReplacement'], 'false');
  const mode = values.text(['ipam', 'mode'], 'cluster-pool');
  const isOwn = OWN_CHAIN.includes(values.text(['cni', 'chainingMode'], '')?.value ?? '?');
  const families = { IPv4: switched(values, 'ipv4', 'true'), IPv6: switched(values, 'ipv6', 'false') };
  const mtu = values.text(['MTU'], '0');
  return {
    // Before 1.14: strict, partial, probe, disabled.
    ...replacement && { replacesKubeProxy: { ...replacement, value: ['true', 'strict'].includes(replacement.value) } },
    apiServer: apiServer(values),
    ...isOwn && mode && {
      addressing: mode,
      usesNodeRanges: mode.value === NODE_RANGES,
      pools: pools(values, mode, families.IPv4?.value, families.IPv6?.value),
      keepsAddresses: false,
    },
    nodePrefixLengths: prefixLengths(values),
    families: { ...families.IPv4 && { IPv4: families.IPv4 }, ...families.IPv6 && { IPv6: families.IPv6 } },
    tunnel: tunnel(values),
    ...mtu && Number(mtu.value) > 0 && { mtu: { ...mtu, value: Number(mtu.value) } },
  };
}

function switched(values: ReleaseValues, family: string, byDefault: string): Setting<boolean> | undefined {
  const found = values.text([family, 'enabled'], byDefault);
  return found && { ...found, value: found.value === 'true' };
}

/** "auto" reads the address from a ConfigMap of kubeadm. */
function apiServer(values: ReleaseValues): PodNetworkSettings['apiServer'] {
  const [host, port, reference] = [['k8sServiceHost'], ['k8sServicePort'], ['k8sServiceHostRef', 'name']].map((path) => values.text(path, ''));
  if (!host || !port || !reference || host.value === 'auto' || reference.value !== '') return undefined;
  return { path: host.path, value: { host: host.value, port: port.value } };
}

function pools(values: ReleaseValues, mode: Setting<string>, hasIpv4 = true, hasIpv6 = false): PodNetworkSettings['pools'] {
  if (mode.value === NODE_RANGES) return { path: mode.path, value: [] };
  if (!POOLS.includes(mode.value)) return undefined;
  const ipv4 = values.list(['ipam', 'operator', 'clusterPoolIPv4PodCIDRList'], ['10.0.0.0/8']);
  const ipv6 = values.list(['ipam', 'operator', 'clusterPoolIPv6PodCIDRList'], ['fd00::/104']);
  return ipv4 && ipv6 && { path: hasIpv4 ? ipv4.path : ipv6.path, value: [...hasIpv4 ? ipv4.value : [], ...hasIpv6 ? ipv6.value : []] };
}

function prefixLengths(values: ReleaseValues): PodNetworkSettings['nodePrefixLengths'] {
  const sizes = { IPv4: values.text(['ipam', 'operator', 'clusterPoolIPv4MaskSize'], '24'), IPv6: values.text(['ipam', 'operator', 'clusterPoolIPv6MaskSize'], '120') };
  return Object.fromEntries(Object.entries(sizes).flatMap(([family, size]) => (size ? [[family, { ...size, value: Number(size.value) }]] : [])));
}

/** Without a mode there are tunnels. */
function tunnel(values: ReleaseValues): PodNetworkSettings['tunnel'] {
  const [mode, protocol, port] = [values.text(['routingMode'], ''), values.text(['tunnelProtocol'], ''), values.text(['tunnelPort'], '0')];
  if (!mode || !protocol || !port || mode.value === 'native') return undefined;
  const name = protocol.value === '' ? 'vxlan' : protocol.value;
  return { path: port.path, value: { protocol: name, port: Number(port.value) || PORTS[name] } };
}

/** The settings in the ConfigMap of the agents. */
function readConfig(object: ManifestObject): PodNetworkSettings | undefined {
  const data = fieldAt(object, 'data');
  if (nameOf(object) !== 'cilium-config' || !isFields(data) || data.ipam === undefined) return undefined;
  const layers = Object.entries(data).filter(([key]) => Object.hasOwn(KEYS, key)).map(([key, value]) => ({
    path: ['data', key],
    isWhole: true,
    values: KEYS[key].reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>,
  }));
  // The address of the API server is in the environment of the agents.
  return { ...read(new ReleaseValues([...layers, { path: ['data'], values: {}, isWhole: true }])), apiServer: undefined };
}

const CILIUM_NETWORK: PodNetworkFacts = {
  title: 'Cilium',
  chart: 'cilium',
  read,
  objects: { '/ConfigMap': readConfig },
  order: 'ascending',
  // Its "Upgrade Guide": only between consecutive minor releases, there and back.
  steps: { most: 1, mostBack: 1 },
};

/** Cilium. */
export const CILIUM: Provider = {
  name: 'cilium',
  title: 'Cilium',
  kinds: [],
  podNetworks: [CILIUM_NETWORK],
  rules: BGP_RULES,
  chartRules: [PROXY_MODE],
  // cilium/cilium pkg/policy/k8s/cilium_network_policy.go (onUpsert): agents judge connections by the rules that are there.
  effects: inPlaceKinds('cilium.io', 'CiliumClusterwideNetworkPolicy', 'CiliumNetworkPolicy'),
};
