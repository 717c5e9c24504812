import { dualStack, inside, unknown } from './contexts';
import { Calico, CalicoDataplane } from '../../../../src/constructs/addons/cni/calico';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { TolerationOperator } from '../../../../src/manifests/values/taints';
import { chartsOf, problemsOf, valuesOf } from '../bound';
import { unknownKeys } from '../chart-keys';

// All fields that the operator and the schema of the Installation would fill in (tigera/operator pkg/controller/ippool/defaults.go).
const POOL = {
  name: 'default-ipv4-ippool',
  cidr: '10.243.0.0/16',
  blockSize: 26,
  encapsulation: 'VXLAN',
  natOutgoing: 'Enabled',
  nodeSelector: 'all()',
  allowedUses: ['Workload', 'Tunnel'],
  assignmentMode: 'Automatic',
  disableBGPExport: false,
  disableNewAllocations: false,
};

test('the default: definitions first, then the operator with tunnels on a port of their own', () => {
  const place = {
    repository: 'https://docs.tigera.io/calico/charts',
    chartVersion: 'v3.32.1',
    namespace: 'tigera-operator',
    namespaceLabels: { 'pod-security.kubernetes.io/enforce': 'privileged' },
  };

  expect(chartsOf(new Calico())).toEqual([
    { ...place, chart: 'crd.projectcalico.org.v1', releaseName: 'calico-crds' },
    {
      ...place,
      chart: 'tigera-operator',
      releaseName: 'calico',
      values: {
        installation: {
          calicoNetwork: {
            bgp: 'Disabled',
            linuxDataplane: 'Iptables',
            ipPools: [POOL],
          },
        },
        defaultFelixConfiguration: { enabled: true, vxlanPort: 8473 },
        apiServer: { enabled: true },
        goldmane: { enabled: false },
        whisker: { enabled: false },
      },
    },
  ]);
  expect(new Calico()).toMatchObject({ provides: ['pod-network', 'network-policy'], requires: [], replacesKubeProxy: false });
  expect(problemsOf(new Calico(), { ...unknown, kubeProxyReplaced: false })).toEqual([]);
});

test('nodes are found at their InternalIP, in the families in which that is known', () => {
  const detection = (internalIpFamilies: string[], addon = new Calico(), context: Partial<ClusterContext> = dualStack) => {
    const { calicoNetwork } = valuesOf(addon, { ...context, infrastructure: { clusterKind: 'OtherCluster', internalIpFamilies } }).installation;
    return Object.entries(calicoNetwork).filter(([key, value]) => key.startsWith('nodeAddressAutodetection') && value !== undefined);
  };
  // The operator has stored firstFound where Calico ran without a method, and refuses two.
  const internal = { firstFound: false, kubernetes: 'NodeInternalIP' };

  expect(detection(['IPv4', 'IPv6'])).toEqual([['nodeAddressAutodetectionV4', internal], ['nodeAddressAutodetectionV6', internal]]);
  expect(detection(['IPv6'])).toEqual([['nodeAddressAutodetectionV6', internal]]);
  expect(detection(['IPv4', 'IPv6'], new Calico(), {})).toEqual([['nodeAddressAutodetectionV4', internal]]);
  expect(detection([])).toEqual([]);

  const chosen = new Calico({ values: { installation: { calicoNetwork: { nodeAddressAutodetectionV4: { cidrs: ['10.0.0.0/8'] } } } } });
  expect(detection(['IPv4', 'IPv6'], chosen)).toEqual([['nodeAddressAutodetectionV6', internal], ['nodeAddressAutodetectionV4', { cidrs: ['10.0.0.0/8'] }]]);
});

test('programs in the kernel replace kube-proxy, and are told the API server\'s address', () => {
  const addon = new Calico({ dataplane: CalicoDataplane.BPF });

  expect(addon.replacesKubeProxy).toBe(true);
  expect(valuesOf(addon, inside)).toMatchObject({
    installation: { calicoNetwork: { linuxDataplane: 'BPF' } },
    kubernetesServiceEndpoint: { host: 'acme.tenant-acme.svc', port: '6443' },
  });
  expect(problemsOf(addon, inside)).toEqual([]);
});

test('what is chosen reaches the values of the operator, under keys that the chart has', () => {
  const addon = new Calico({
    mtu: 1350,
    tunnelPort: 6789,
    apiServer: false,
    flowLogs: true,
    tolerations: [{ key: 'team', operator: TolerationOperator.EXISTS }],
    values: { installation: { controlPlaneReplicas: 1 } },
  });
  const values = valuesOf(addon, dualStack);

  expect(values).toMatchObject({
    installation: { controlPlaneTolerations: [{ key: 'team', operator: 'Exists' }], controlPlaneReplicas: 1, calicoNetwork: { mtu: 1350 } },
    defaultFelixConfiguration: { vxlanPort: 6789 },
    apiServer: { enabled: false },
    goldmane: { enabled: true },
    whisker: { enabled: true },
  });
  expect(values.installation.calicoNetwork.ipPools).toEqual([
    { ...POOL, cidr: '10.1.0.0/16' },
    { ...POOL, name: 'default-ipv6-ippool', cidr: 'fd00:1::/56', blockSize: 122 },
  ]);
  expect(chartsOf(addon, dualStack)[0].values).toBeUndefined();
  expect(chartsOf(addon, dualStack).flatMap(unknownKeys)).toEqual([]);
});

test('blocks are no larger than what the cluster gives a node', () => {
  const blockSizes = (nodeCidrMaskSizes: number[]) => valuesOf(new Calico(), { network: { ...dualStack.network!, nodeCidrMaskSizes } })
    .installation.calicoNetwork.ipPools.map(({ blockSize }: { blockSize: number }) => blockSize);

  expect(blockSizes([28, 124])).toEqual([28, 124]);
  expect(blockSizes([20, 64])).toEqual([26, 122]);
});
