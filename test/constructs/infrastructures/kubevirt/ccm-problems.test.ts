import { App, Chart, Duration, Size, Testing } from 'cdk8s';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import {
  KubevirtCloudControllerManager, KubevirtCloudControllerManagerOptions, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { SecretRef } from '../../../../src/manifests/values/secret-ref';
import { exampleCluster, poolProps } from '../../../support/clusters';
import { clusterContext } from '../../../support/contexts';
import { problemsIn, problemsOf, ReportedProblem } from '../../../support/problems';

/** A cluster of an app: name, namespace, what its cloud controller manager does, where its machines run. */
type Declared = [name: string, namespace: string, options: KubevirtCloudControllerManagerOptions, infraClusterSecretRef?: SecretRef];

function problems(...clusters: Declared[]): ReportedProblem[] {
  return problemsIn((app: App) => clusters.forEach(([name, namespace, options, infraClusterSecretRef]) => {
    validateApp(app);
    const infrastructure = new KubevirtInfrastructure({ infraClusterSecretRef, cloudControllerManager: KubevirtCloudControllerManager.of(options) });
    infrastructure.bind(new Chart(app, `${namespace}-${name}`, { namespace }), clusterContext({ name, namespace, management: MANAGEMENT }));
  }));
}

const LOCAL = { loadBalancers: KubevirtLoadBalancers.localTraffic() };
const local = (...machineCidrs: string[]): KubevirtCloudControllerManagerOptions => (
  { loadBalancers: KubevirtLoadBalancers.localTraffic({ machineCidrs }) }
);
const MANAGEMENT = { nodeCidrs: ['192.168.7.0/24'], serviceCidrs: ['10.43.0.0/16'], podCidrs: ['10.42.0.0/16', 'fd00:42::/48'] };
const EDGE = { name: 'edge' };
const seconds = Duration.seconds;

const CASES: [id: string, options: KubevirtCloudControllerManagerOptions, texts: string[], infra?: SecretRef][] = [
  ['TC-KUBEVIRT-CCM-IDLE', { initializeNodes: false, loadBalancers: KubevirtLoadBalancers.none() }, ['infrastructure.cloudControllerManager:', 'KubevirtCloudControllerManager.none()']],
  ['TC-KUBEVIRT-CCM-ZONES', { initializeNodes: false, zones: true }, ['infrastructure.cloudControllerManager.zones:']],
  ['TC-KUBEVIRT-CCM-POLL', { loadBalancers: KubevirtLoadBalancers.allNodes({ creationPollInterval: seconds(0) }) }, ['loadBalancers.creationPollInterval: 0 seconds']],
  ['TC-KUBEVIRT-CCM-POLL', { loadBalancers: KubevirtLoadBalancers.allNodes({ creationPollTimeout: Duration.millis(60_500) }) }, ['loadBalancers.creationPollTimeout: 60.5 seconds']],
  ['TC-KUBEVIRT-CCM-POLL', { loadBalancers: KubevirtLoadBalancers.selectorless({ creationPollInterval: seconds(61) }) }, ['after 61 seconds', 'after 60 seconds']],
  ['TC-KUBEVIRT-CCM-INFRA-LABEL', { infraLabels: { a: 'b c' } }, ['infraLabels.a', '"b c"']],
  ['TC-KUBEVIRT-CCM-INFRA-LABEL', { infraLabels: { 'cluster.x-k8s.io/cluster-name': 'other' } }, ['infraLabels["cluster.x-k8s.io/cluster-name"]']],
  ['TC-KUBEVIRT-CCM-INFRA-CLUSTER', { infraNamespace: 'vms' }, ['cloudControllerManager.infraNamespace', 'management cluster']],
  ['TC-KUBEVIRT-CCM-INFRA-CLUSTER', { infraKubeconfig: { name: 'a', key: 'b' } }, ['cloudControllerManager.infraKubeconfig', 'management cluster']],
  ['TC-KUBEVIRT-CCM-INFRA-CLUSTER', {}, ['infraKubeconfig', 'Secret "edge" is in namespace "infra"', '"tenant-acme"'], { name: 'edge', namespace: 'infra' }],
  ['TC-KUBEVIRT-CCM-INFRA-CLUSTER', { infraNamespace: 'a.b' }, ['infraNamespace', '"a.b"'], EDGE],
  ['TC-KUBEVIRT-CCM-IMAGE-VERSION', { ...LOCAL, image: 'registry.example.com/ccm:v0.5.1' }, ['image', 'v0.5.1', 'older than 0.6']],
  ['TC-KUBEVIRT-CCM-IMAGE-VERSION', { loadBalancers: KubevirtLoadBalancers.selectorless(), image: 'registry.example.com/ccm:v0.5.1' }, ['v0.5.1']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('192.0.2.7/24'), ['loadBalancers.machineCidrs[0]', '"192.0.2.0/24"']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('192.0.2.0/24', '192.168.0.0/16'), ['loadBalancers.machineCidrs[1]: "192.168.0.0/16" overlaps with 192.168.7.0/24, where nodes']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('10.43.7.0/24'), ['overlaps with 10.43.0.0/16']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('10.42.0.0/16'), ['overlaps with 10.42.0.0/16', 'leave machineCidrs out for machines on the pod network']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('fd00:42::/64'), ['overlaps with fd00:42::/48']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('0.0.0.0/0'), ['"0.0.0.0/0" is larger than the network of a tenant', 'at least 8 bits']],
  ['TC-KUBEVIRT-CCM-MACHINE-CIDR', local('fc00::/7'), ['"fc00::/7" is larger', 'at least 32 bits']],
  ['TC-CONTROLLER-OBJECT-NAME', { infraKubeconfig: { name: 'A', key: 'b' } }, ['infraKubeconfig.name', '"A"'], EDGE],
  ['TC-ADMIT-KUBERNETES-POD', { nodeSelector: { zone: 'a b' } }, ['infrastructure.cloudControllerManager.nodeSelector.zone: "a b"']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'cluster-name', value: 'other' }] }, ['extraArgs[0]', 'it is the name of the cluster']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'leader_elect', value: 'false' }] }, ['its Lease is in the tenant']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'cloud-provider-gce-lb-src-cidrs', value: 'a' }] }, ['kubevirt-cloud-controller-manager 0.6 has no flag']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', { image: 'registry.example.com/ccm:latest' }, ['infrastructure.cloudControllerManager.image']],
];

test.each(CASES)('%s: %j', (id, options, texts, ...[infra]) => {
  const found = problems(['acme', 'tenant-acme', options, infra]);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['tenant-acme-acme', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

describe('TC-KUBEVIRT-CCM-GUEST-ADDRESS', () => {
  const found = (loadBalancers: KubevirtLoadBalancers | undefined, primaryNetwork?: PrimaryNetwork): ReportedProblem[] => {
    const app = Testing.app();
    const infrastructure = new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers }) });
    const cluster = exampleCluster(app, { infrastructure });
    const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/os/ubuntu:v1.35.4' });
    cluster.addNodePool('general', poolProps({ machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk, network: primaryNetwork }) }));
    return problemsOf(app);
  };
  const LAN = PrimaryNetwork.multus({ networkName: 'lan' });

  test('refuses local traffic to addresses that guests choose', () => {
    for (const network of [LAN, PrimaryNetwork.multus({ networkName: 'lan', replacesPodNetwork: true })]) {
      const [problem, ...others] = found(KubevirtLoadBalancers.localTraffic(), network);

      expect([problem.path, problem.id, others]).toEqual(['acme', 'TC-KUBEVIRT-CCM-GUEST-ADDRESS', []]);
      expect(problem.text).toContain('infrastructure.cloudControllerManager.loadBalancers: load balancers lead to the address that a machine reports, and on the network "lan"');
      expect(problem.text).toContain('localTraffic({ machineCidrs: […] })');
    }
  });

  test('accepts it on the pod network, and with the ranges of the network', () => {
    expect(found(KubevirtLoadBalancers.localTraffic())).toEqual([]);
    expect(found(KubevirtLoadBalancers.localTraffic({ machineCidrs: ['192.0.2.0/24'] }), LAN)).toEqual([]);
    expect(found(undefined, LAN)).toEqual([]);
  });
});

describe('a namespace of machines that clusters share', () => {
  test('is no place for local traffic, whoever came first', () => {
    for (const clusters of [[['a', 'shared', LOCAL], ['b', 'shared', {}]], [['b', 'shared', {}], ['a', 'shared', LOCAL]]] as Declared[][]) {
      const found = problems(...clusters);

      expect(found.map(({ path, id }) => [path, id])).toEqual([['shared-a', 'TC-KUBEVIRT-CCM-SHARED-NAMESPACE']]);
      expect(found[0].text).toContain('infrastructure.cloudControllerManager.loadBalancers: the machines of shared/b are in the same namespace');
    }
  });

  test('may be in another cluster', () => {
    const edge = (namespace: string): SecretRef => ({ name: 'edge', namespace });
    const options = { infraKubeconfig: { name: 'edge', key: 'kubeconfig' } };

    expect(problems(['a', 'one', { ...LOCAL, ...options }, edge('infra')], ['b', 'two', options, edge('infra')]).map(({ id }) => id)).toEqual(['TC-KUBEVIRT-CCM-SHARED-NAMESPACE']);
    expect(problems(['a', 'one', { ...LOCAL, ...options, infraNamespace: 'vms' }, edge('infra')], ['b', 'two', options, edge('infra')])).toEqual([]);
    expect(problems(['a', 'one', LOCAL, edge('one')], ['b', 'two', LOCAL, edge('two')])).toEqual([]);
  });

  test('is fine without, and a namespace for each cluster always', () => {
    expect(problems(['a', 'shared', {}], ['b', 'shared', {}])).toEqual([]);
    expect(problems(['a', 'one', LOCAL], ['b', 'two', LOCAL])).toEqual([]);
  });
});

describe('ranges of machines', () => {
  test('are those of one tenant', () => {
    const found = problems(['a', 'one', local('192.0.2.0/24')], ['b', 'two', local('198.51.100.0/24', '192.0.2.128/25')], ['c', 'three', local('203.0.113.0/24')]);

    expect(found.map(({ path, id }) => [path, id])).toEqual([['two-b', 'TC-KUBEVIRT-CCM-MACHINE-CIDR']]);
    expect(found[0].text).toContain('loadBalancers.machineCidrs[1]: "192.0.2.128/25" overlaps with 192.0.2.0/24, where machines of one/a are');
  });

  test('may be the same in other clusters', () => {
    const options = { ...local('192.0.2.0/24'), infraKubeconfig: { name: 'edge', key: 'kubeconfig' } };

    expect(problems(['a', 'one', local('192.0.2.0/24')], ['b', 'two', options, { name: 'edge', namespace: 'two' }])).toEqual([]);
  });
});

test('good options are accepted', () => {
  expect(problems(['acme', 'tenant-acme', { ...LOCAL, zones: true, infraLabels: { team: 'a' }, extraArgs: [{ name: 'v', value: '2' }] }])).toEqual([]);
  expect(problems(['acme', 'tenant-acme', { image: 'registry.example.com/ccm:v0.5.1' }])).toEqual([]);
  expect(problems(['acme', 'tenant-acme', { ...LOCAL, image: 'registry.example.com/ccm:own' }])).toEqual([]);
});
