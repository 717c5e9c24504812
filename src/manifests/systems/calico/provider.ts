import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { Provider } from '../../rules/provider';
import { PodNetworkFacts, PodNetworkSettings, ReleaseValues } from '../../rules/tenant-charts';
import { fieldAt, isFields, objectsAt, stringAt } from '../../values/fields';

const NETWORK = ['installation', 'calicoNetwork'] as const;

/** Defaults of tigera/operator pkg/controller/ippool/defaults.go; a pool without an encapsulation has tunnels of IPIP. */
function read(values: ReleaseValues): PodNetworkSettings {
  const dataplane = values.text([...NETWORK, 'linuxDataplane'], 'Iptables');
  const given = values.setting([...NETWORK, 'ipPools'], []);
  const pools = given && objectsAt({ given: given.value }, 'given').map(([pool]) => pool);
  const type = values.text(['installation', 'cni', 'type'], 'Calico');
  const mtu = values.text([...NETWORK, 'mtu'], '0');
  const port = values.text(['defaultFelixConfiguration', 'vxlanPort'], '4789');
  const [host, endpointPort] = [values.text(['kubernetesServiceEndpoint', 'host'], ''), values.text(['kubernetesServiceEndpoint', 'port'], '6443')];
  return {
    ...dataplane && { replacesKubeProxy: { ...dataplane, value: dataplane.value === 'BPF' } },
    ...host && endpointPort && { apiServer: { path: host.path, value: { host: host.value, port: endpointPort.value } } },
    ...given && pools && type?.value === 'Calico' && { pools: { path: given.path, value: pools.flatMap((pool) => stringAt(pool, 'cidr') ?? []) } },
    ...given && pools && port && pools.some((pool) => String(pool.encapsulation).startsWith('VXLAN'))
      && { tunnel: { path: port.path, value: { protocol: 'vxlan', port: Number(port.value) } } },
    ...mtu && Number(mtu.value) > 0 && { mtu: { ...mtu, value: Number(mtu.value) } },
  };
}

/** The operator's object, which has the values of the chart. */
function readInstallation(object: ManifestObject): PodNetworkSettings | undefined {
  const spec = fieldAt(object, 'spec');
  if (!isFields(spec)) return undefined;
  const settings = read(new ReleaseValues([{ path: ['spec', 'calicoNetwork'], values: { installation: spec }, isWhole: true }]));
  // The port of tunnels and the address of the API server stand in other objects.
  return { ...settings, tunnel: undefined, apiServer: undefined };
}

/** A pool of Calico without its operator, which has no other pool then. */
function readPool(object: ManifestObject): PodNetworkSettings | undefined {
  const cidr = stringAt(object, 'spec', 'cidr');
  return cidr === undefined || fieldAt(object, 'spec', 'disabled') === true ? undefined : { pools: { path: ['spec', 'cidr'], value: [cidr] } };
}

/** The agent of Calico without its operator. A range that is not set is that of kubeadm. */
function readAgent(object: ManifestObject): PodNetworkSettings | undefined {
  if (nameOf(object) !== 'calico-node') return undefined;
  const path = ['spec', 'template', 'spec', 'containers'];
  const variables = new Map(objectsAt(object, ...path).flatMap(([container, at]) => objectsAt(container, 'env')
    .map(([variable, position]) => [stringAt(variable, 'name'), { path: [...path, at, 'env', position, 'value'], value: stringAt(variable, 'value') ?? '' }] as const)));
  const [pool, bpf] = ['CALICO_IPV4POOL_CIDR', 'FELIX_BPFENABLED'].map((name) => variables.get(name));
  return {
    replacesKubeProxy: { path: bpf?.path ?? path, value: bpf?.value === 'true' },
    ...pool && pool.value !== '' && { pools: { ...pool, value: [pool.value] } },
  };
}

const CALICO_NETWORK: PodNetworkFacts = {
  title: 'Calico',
  chart: 'tigera-operator',
  read,
  objects: {
    'apps/DaemonSet': readAgent,
    'operator.tigera.io/Installation': readInstallation,
    'crd.projectcalico.org/IPPool': readPool,
    'projectcalico.org/IPPool': readPool,
  },
  order: 'any',
};

/** Calico. */
export const CALICO: Provider = {
  name: 'calico',
  title: 'Calico',
  kinds: [],
  namespaces: { 'calico-system': 'Calico runs there', 'tigera-operator': 'the operator of Calico runs there' },
  podNetworks: [CALICO_NETWORK],
};
