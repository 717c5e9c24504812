import { parse } from 'yaml';
import { dualStack } from './contexts';
import { Flannel } from '../../../../src/constructs/addons/cni/flannel';
import { KubeadmLoadBalancer } from '../../../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { filesOf } from '../../hosts/clusters';
import { chartsOf, problemsOf, valuesOf } from '../bound';
import { unknownKeys } from '../chart-keys';

test('the default: the pod range, and tunnels on a port of their own', () => {
  expect(chartsOf(new Flannel())).toEqual([{
    chart: 'flannel',
    repository: 'https://flannel-io.github.io/flannel',
    chartVersion: 'v0.28.9',
    releaseName: 'flannel',
    namespace: 'kube-flannel',
    namespaceLabels: { 'pod-security.kubernetes.io/enforce': 'privileged' },
    values: { podCidr: '10.243.0.0/16', flannel: { backend: 'vxlan', backendPort: 8473 } },
  }]);
  expect(new Flannel()).toMatchObject({ provides: ['pod-network'], requires: [], replacesKubeProxy: false });
});

test('what is chosen reaches the values, under keys that the chart has', () => {
  const addon = new Flannel({ mtu: 1400, tunnelPort: 1234, networkPolicy: true });

  expect(addon.provides).toEqual(['pod-network', 'network-policy']);
  expect(valuesOf(addon, dualStack)).toEqual({
    podCidr: '10.1.0.0/16', podCidrv6: 'fd00:1::/56', flannel: { backend: 'vxlan', backendPort: 1234, mtu: 1400 }, netpol: { enabled: true },
  });
  expect(chartsOf(addon, dualStack).flatMap(unknownKeys)).toEqual([]);
});

test('IPv6 alone', () => {
  const network = { ...dualStack.network!, podCidrs: ['fd00:1::/56'] };

  expect(valuesOf(new Flannel(), { network })).toMatchObject({ podCidr: '', podCidrv6: 'fd00:1::/56' });
});

describe('where nodes reach each other in a network of their own', () => {
  const infrastructure = { clusterKind: 'OtherCluster', internalIpFamilies: ['IPv4'] };
  const known = { infrastructure: { ...infrastructure, knownNodeAddress: '192.168.10.21' } };

  test('it takes the interface by which the known node is reached, and on that node the one with the address', () => {
    expect(valuesOf(new Flannel(), known).flannel.args).toEqual(['--ip-masq', '--kube-subnet-mgr', '--iface=192.168.10.21', '--iface-can-reach=192.168.10.21']);
    expect(chartsOf(new Flannel(), known).flatMap(unknownKeys)).toEqual([]);
  });

  test('arguments of the user win', () => {
    const args = ['--ip-masq', '--kube-subnet-mgr', '--iface-can-reach=10.7.0.1'];
    const addon = new Flannel({ values: { flannel: { args } } });

    for (const context of [known, { infrastructure }]) expect(valuesOf(addon, context).flannel.args).toEqual(args);
    expect(problemsOf(addon, { infrastructure })).toEqual([]);
  });

  test('hosts name an address of their first node, in the family of pods that Flannel looks for', () => {
    const args = (props: object) => {
      const files = filesOf({ cni: new Flannel(), ...props });
      return parse(files[Object.keys(files).find((file) => file.endsWith('flannel.values.yaml'))!].text).flannel.args?.slice(2);
    };
    const six = { podCidrs: ['fd00:1::/56', '10.1.0.0/16'], serviceCidrs: ['fd00:2::/112', '10.2.0.0/20'], loadBalancer: KubeadmLoadBalancer.external(), workers: [] };
    const nodes = [{ name: 'a', address: 'fd00:10::1', secondAddress: '192.168.10.1' }];

    expect(args({})).toEqual(['--iface=192.168.10.21', '--iface-can-reach=192.168.10.21']);
    expect(args({ ...six, controlPlaneNodes: nodes })).toEqual(['--iface=192.168.10.1', '--iface-can-reach=192.168.10.1']);
  });
});
