import { dualStack, inside, outside, unknown } from './contexts';
import { Cilium, CiliumTunnel } from '../../../../src/constructs/addons/cni/cilium';
import { TolerationOperator } from '../../../../src/manifests/values/taints';
import { clusterContext } from '../../../support/contexts';
import { chartsOf, problemsOf, valuesOf } from '../bound';
import { unknownKeys } from '../chart-keys';

test('the default: in place of kube-proxy, tunnels on a port of their own', () => {
  const [chart, ...others] = chartsOf(new Cilium(), inside);

  expect(others).toEqual([]);
  expect(chart).toEqual({
    chart: 'cilium',
    repository: 'https://helm.cilium.io',
    chartVersion: '1.20.0',
    releaseName: 'cilium',
    namespace: 'kube-system',
    values: {
      kubeProxyReplacement: true,
      kubeProxyReplacementHealthzBindAddr: '0.0.0.0:10256',
      rollOutCiliumPods: true,
      k8sServiceHost: 'acme.tenant-acme.svc',
      k8sServicePort: 6443,
      ipam: { mode: 'kubernetes' },
      ipv4: { enabled: true },
      ipv6: { enabled: false },
      routingMode: 'tunnel',
      tunnelProtocol: 'vxlan',
      tunnelPort: 8473,
      operator: { replicas: 1 },
      hubble: { enabled: false },
    },
  });
  expect(problemsOf(new Cilium(), inside)).toEqual([]);
});

test('tolerations reach the Jobs that make the certificates of Hubble, where there are any', () => {
  const tolerations = [{ key: 'team', operator: TolerationOperator.EXISTS }];

  expect(valuesOf(new Cilium({ hubble: true, tolerations }), inside)).toMatchObject({ certgen: { tolerations } });
  expect(valuesOf(new Cilium({ tolerations }), inside).certgen).toBeUndefined();
  expect(valuesOf(new Cilium({ hubble: true }), inside).certgen).toBeUndefined();
});

test('it is a pod network that enforces policies, and waits for nobody', () => {
  expect(new Cilium()).toMatchObject({ name: 'cilium', provides: ['pod-network', 'network-policy'], requires: [], replacesKubeProxy: true });
  expect(new Cilium({ kubeProxyReplacement: false }).replacesKubeProxy).toBe(false);
  expect(new Cilium({ gatewayApi: true }).requires).toEqual(['gateway-api']);
});

test('elsewhere than in the management cluster the API server is at its published address', () => {
  expect(valuesOf(new Cilium(), outside)).toMatchObject({ k8sServiceHost: '192.0.2.10', k8sServicePort: 443 });
});

test('beside kube-proxy it needs no address', () => {
  const addon = new Cilium({ kubeProxyReplacement: false });
  const context = { ...unknown, kubeProxyReplaced: false };

  expect(problemsOf(addon, context)).toEqual([]);
  expect(valuesOf(addon, context)).toMatchObject({ kubeProxyReplacement: false });
  expect(Object.keys(valuesOf(addon, context))).not.toEqual(expect.arrayContaining(['k8sServiceHost']));
});

test('tunnels run over IPv6 where the cluster has no IPv4', () => {
  const ipv6 = { network: { ...clusterContext().network, podCidrs: ['fd00:10::/56'] } };

  expect(valuesOf(new Cilium(), { ...inside, ...ipv6 })).toMatchObject({ ipv4: { enabled: false }, underlayProtocol: 'ipv6' });
  expect(chartsOf(new Cilium(), { ...inside, ...ipv6 }).flatMap(unknownKeys)).toEqual([]);
  expect(valuesOf(new Cilium(), { ...inside, ...dualStack })).not.toHaveProperty('underlayProtocol', 'ipv6');
});

test('what is chosen reaches the values, under keys that the chart has', () => {
  const addon = new Cilium({
    mtu: 1350,
    tunnel: CiliumTunnel.GENEVE,
    tunnelPort: 6082,
    hubble: true,
    gatewayApi: true,
    operatorReplicas: 2,
    tolerations: [{ key: 'team', operator: TolerationOperator.EXISTS }],
  });

  expect(valuesOf(addon, { ...inside, ...dualStack })).toMatchObject({
    MTU: 1350,
    tunnelProtocol: 'geneve',
    tunnelPort: 6082,
    ipv4: { enabled: true },
    ipv6: { enabled: true },
    hubble: { enabled: true, tls: { auto: { enabled: true, method: 'cronJob' } } },
    gatewayAPI: { enabled: true, gatewayClass: { create: 'true' } },
    operator: {
      replicas: 2,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
        { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' },
        { key: 'team', operator: 'Exists' },
      ],
    },
  });
  expect(chartsOf(addon, { ...inside, ...dualStack }).flatMap(unknownKeys)).toEqual([]);
});

test('the user\'s values come last, and name, namespace, repository and version are his', () => {
  const [chart] = chartsOf(new Cilium({
    name: 'net',
    namespace: 'cilium',
    chartVersion: '1.19.6',
    repository: 'oci://mirror.example.com/charts',
    values: { operator: { replicas: 3 }, ipam: { mode: null }, bpf: { masquerade: true } },
  }), inside);

  expect(chart).toMatchObject({
    repository: 'oci://mirror.example.com/charts',
    chartVersion: '1.19.6',
    releaseName: 'net',
    namespace: 'cilium',
    namespaceLabels: { 'pod-security.kubernetes.io/enforce': 'privileged' },
    values: { operator: { replicas: 3 }, ipam: { mode: null }, bpf: { masquerade: true } },
  });
});
