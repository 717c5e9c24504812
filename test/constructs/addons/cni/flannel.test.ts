import { dualStack } from './contexts';
import { Flannel } from '../../../../src/constructs/addons/cni/flannel';
import { chartsOf, valuesOf } from '../bound';
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
