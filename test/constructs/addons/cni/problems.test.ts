import { dualStack, inside, unknown } from './contexts';
import { Calico, CalicoDataplane } from '../../../../src/constructs/addons/cni/calico';
import { Cilium, CiliumTunnel } from '../../../../src/constructs/addons/cni/cilium';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { Flannel } from '../../../../src/constructs/addons/cni/flannel';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { problemsOf } from '../bound';

const CONTRADICTIONS: [cni: Cni, ...texts: string[]][] = [
  [new Cilium({ values: { kubeProxyReplacement: false } }), 'cilium.values.kubeProxyReplacement: it is false, but kubeProxyReplacement sets it to true', 'leaves kube-proxy out'],
  [new Cilium({ values: { kubeProxyReplacement: null } }), 'cilium.values.kubeProxyReplacement: it is null', 'remove the key from values'],
  [new Cilium({ kubeProxyReplacement: false, values: { kubeProxyReplacement: 'true' } }), 'it is "true", but kubeProxyReplacement sets it to false'],
  [new Cilium({ values: { gatewayAPI: { enabled: true } } }), 'cilium.values.gatewayAPI.enabled', 'set gatewayApi'],
  [new Cilium({ values: { ipv4: { enabled: false } } }), 'cilium.values.ipv4.enabled', 'podCidrs of the cluster'],
  [new Cilium({ values: { ipv6: { enabled: true } } }), 'cilium.values.ipv6.enabled', 'podCidrs of the cluster'],
  [new Cilium({ tunnelPort: 8480, values: { tunnelPort: 8472 } }), 'cilium.values.tunnelPort: it is 8472, but tunnelPort sets it to 8480'],
  [new Cilium({ tunnel: CiliumTunnel.GENEVE, values: { tunnelProtocol: 'vxlan' } }), 'cilium.values.tunnelProtocol', 'set tunnel'],
  [new Cilium({ mtu: 1350, values: { MTU: 1400 } }), 'cilium.values.MTU', '1350'],
  [new Cilium({ hubble: true, values: { hubble: { enabled: false } } }), 'cilium.values.hubble.enabled', 'set hubble'],
  [new Cilium({ operatorReplicas: 2, values: { operator: { replicas: 1 } } }), 'cilium.values.operator.replicas', 'set operatorReplicas'],
  [new Calico({ values: { installation: { calicoNetwork: { linuxDataplane: 'BPF' } } } }), 'calico.values.installation.calicoNetwork.linuxDataplane: it is "BPF", but dataplane sets it to "Iptables"'],
  [new Calico({ dataplane: CalicoDataplane.NFTABLES, values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } } }), '"Nftables"', 'set dataplane'],
  [new Calico({ mtu: 1350, values: { installation: { calicoNetwork: { mtu: 1400 } } } }), 'calicoNetwork.mtu', 'set mtu'],
  [new Calico({ tunnelPort: 8480, values: { defaultFelixConfiguration: { vxlanPort: 4789 } } }), 'vxlanPort', 'set tunnelPort'],
  [new Calico({ apiServer: true, values: { apiServer: { enabled: false } } }), 'calico.values.apiServer.enabled'],
  [new Calico({ flowLogs: true, values: { goldmane: { enabled: false } } }), 'calico.values.goldmane.enabled', 'set flowLogs'],
  [new Calico({ flowLogs: false, values: { whisker: { enabled: true } } }), 'calico.values.whisker.enabled', 'set flowLogs'],
  [new Flannel({ values: { podCidr: '10.244.0.0/16' } }), 'flannel.values.podCidr: it is "10.244.0.0/16", but podCidrs of the cluster sets it to "10.243.0.0/16"'],
  [new Flannel({ values: { podCidrv6: 'fd00::/56' } }), 'flannel.values.podCidrv6'],
  [new Flannel({ tunnelPort: 8480, values: { flannel: { backendPort: 8472 } } }), 'flannel.values.flannel.backendPort'],
  [new Flannel({ mtu: 1350, values: { flannel: { mtu: 1400 } } }), 'flannel.values.flannel.mtu'],
  [new Flannel({ networkPolicy: true, values: { netpol: { enabled: false } } }), 'flannel.values.netpol.enabled', 'set networkPolicy'],
];

/** Machines at addresses that are not known before they start. */
const VPC = { clusterKind: 'OtherCluster', internalIpFamilies: ['IPv4'] };

type Case = [id: string, cni: Cni, context: Partial<ClusterContext>, ...texts: string[]];

const KUBEADM = { ...unknown, controlPlane: { apiServerPort: 6443 } };
const CASES: Case[] = [
  ['TC-CNI-API-SERVER-ADDRESS', new Cilium(), unknown, 'cilium.kubeProxyReplacement: ',
    'Fix: give the exposure of the control plane a fixed address or host name, or let kube-proxy run: write kubeProxyReplacement: false.'],
  ['TC-CNI-API-SERVER-ADDRESS', new Cilium(), KUBEADM, ' Fix: let kube-proxy run: write kubeProxyReplacement: false.'],
  ['TC-CNI-API-SERVER-ADDRESS', new Calico({ dataplane: CalicoDataplane.BPF }), unknown, 'calico.dataplane'],
  ...[0, 575, 1350.5, 65536].map((mtu): Case => ['TC-CNI-MTU', new Cilium({ mtu }), inside, `cilium.mtu: ${mtu} is no MTU`]),
  ['TC-CNI-MTU', new Cilium({ mtu: 1279 }), { ...inside, ...dualStack }, 'from 1280'],
  ['TC-CNI-MTU', new Calico({ mtu: 1 }), inside, 'calico.mtu'],
  ['TC-CNI-MTU', new Flannel({ mtu: 100 }), inside, 'flannel.mtu'],
  ['TC-CNI-PORT', new Cilium({ tunnelPort: 70000 }), inside, 'cilium.tunnelPort: 70000'],
  ['TC-CNI-PORT', new Calico({ tunnelPort: 0 }), inside, 'calico.tunnelPort'],
  ['TC-CNI-PORT', new Flannel({ tunnelPort: 1.5 }), inside, 'flannel.tunnelPort'],
  ['TC-CNI-INTERFACE', new Flannel(), { ...inside, infrastructure: VPC }, 'flannel.values.flannel.args: nodes reach each other at their InternalIP',
    "values: { flannel: { args: ['--ip-masq', '--kube-subnet-mgr', '--iface-can-reach=ADDRESS'] } }"],
  ['TC-CNI-GATEWAY-API', new Cilium({ kubeProxyReplacement: false, gatewayApi: true }), inside, 'cilium.gatewayApi: it is true and kubeProxyReplacement is false'],
  ...[0, 1.5].map((operatorReplicas): Case => ['TC-ADDON-COUNT', new Cilium({ operatorReplicas }), inside, `operatorReplicas: ${operatorReplicas} is not a number`]),
  ['TC-ADDON-TOLERATION', new Cilium({ tolerations: [{}] }), inside, 'cilium.tolerations[0].operator: there is no key'],
  ['TC-ADDON-TOLERATION', new Calico({ tolerations: [{}] }), inside, 'calico.tolerations[0]'],
  ...CONTRADICTIONS.map(([cni, ...texts]): Case => ['TC-CNI-VALUES', cni, inside, ...texts]),
];

test.each(CASES)('%s: %#', (id, cni, context, ...texts) => {
  const found = problemsOf(cni, context);
  expect(found.map((problem) => problem.id)).toEqual([id]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test.each<Cni>([
  new Cilium({ mtu: 1279 }),
  new Cilium({ gatewayApi: true }),
  new Cilium({ values: { kubeProxyReplacement: 'true', tunnelPort: 8472, MTU: 1400, hubble: { enabled: true, relay: { enabled: true } }, routingMode: 'native' } }),
  new Cilium({ tunnelPort: 8480, values: { tunnelPort: '8480', ipv6: { enabled: false } } }),
  new Calico({ values: { installation: { calicoNetwork: { mtu: 1400 } }, apiServer: { enabled: false }, goldmane: { enabled: true } } }),
  new Flannel({ values: { podCidr: '10.243.0.0/16', netpol: { enabled: true }, flannel: { mtu: 1400 } } }),
])('%# what no property says, and what it says as well, is left to the values', (cni) => {
  expect(problemsOf(cni, inside)).toEqual([]);
});
