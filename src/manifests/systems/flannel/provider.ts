import { ManifestObject } from '../../objects/manifest-object';
import { readText } from '../../objects/manifest-text';
import { Provider } from '../../rules/provider';
import { PodNetworkFacts, PodNetworkSettings, ReleaseValues } from '../../rules/tenant-charts';
import { fieldAt, numberAt, stringAt } from '../../values/fields';

const PORT = 8472;

/** Defaults of flannel-io/flannel chart/kube-flannel/values.yaml, v0.28.9. */
function read(values: ReleaseValues): PodNetworkSettings {
  const [ipv4, ipv6] = [values.text(['podCidr'], '10.244.0.0/16'), values.text(['podCidrv6'], '')];
  const [backend, port, mtu] = [values.text(['flannel', 'backend'], 'vxlan'), values.text(['flannel', 'backendPort'], '0'), values.text(['flannel', 'mtu'], '0')];
  return {
    replacesKubeProxy: { path: ['spec'], value: false },
    keepsAddresses: false,
    ...ipv4 && ipv6 && { pools: { path: ipv4.path, value: [ipv4.value, ipv6.value].filter((text) => text !== '') } },
    ...backend?.value === 'vxlan' && port && { tunnel: { path: port.path, value: { protocol: 'vxlan', port: Number(port.value) || PORT } } },
    ...mtu && Number(mtu.value) > 0 && { mtu: { ...mtu, value: Number(mtu.value) } },
  };
}

/** The file that Flannel reads, in its ConfigMap (flannel-io/flannel Documentation/configuration.md). */
function readConfig(object: ManifestObject): PodNetworkSettings | undefined {
  const text = stringAt(object, 'data', 'net-conf.json');
  const config = text === undefined ? undefined : readText(text).documents[0]?.value;
  const pools = [stringAt(config, 'Network'), stringAt(config, 'IPv6Network')].filter((one) => one !== undefined);
  if (pools.length === 0) return undefined;
  const path = ['data', 'net-conf.json'];
  return {
    replacesKubeProxy: { path, value: false },
    keepsAddresses: false,
    pools: { path, value: pools },
    ...stringAt(config, 'Backend', 'Type') === 'vxlan' && { tunnel: { path, value: { protocol: 'vxlan', port: numberAt(fieldAt(config, 'Backend'), 'Port') ?? PORT } } },
  };
}

const FLANNEL_NETWORK: PodNetworkFacts = {
  title: 'Flannel',
  chart: 'flannel',
  read,
  objects: { '/ConfigMap': readConfig },
  order: 'any',
  outside: 'Flannel ends with an error on a node whose range is not in its own',
};

/** Flannel. */
export const FLANNEL: Provider = { name: 'flannel', title: 'Flannel', kinds: [], podNetworks: [FLANNEL_NETWORK] };
