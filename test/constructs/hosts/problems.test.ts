import { ApiObject, Duration } from 'cdk8s';
import { BALANCERS, hosts, kubeVip, MASTERS, problems, problemsAmong, PROPS } from './clusters';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { AddonCapability } from '../../../src/constructs/contracts/addon';
import { KubeletOptions } from '../../../src/constructs/contracts/node-pool/kubelet';
import { KubeadmEncryptionAlgorithm } from '../../../src/constructs/control-planes/kubeadm/control-plane/certificates';
import { KubeadmEtcd } from '../../../src/constructs/control-planes/kubeadm/control-plane/etcd';
import { KubeadmCluster } from '../../../src/constructs/hosts/kubeadm-cluster';
import { KubeadmClusterProps } from '../../../src/constructs/hosts/kubeadm-cluster-props';
import { KubeadmNode } from '../../../src/constructs/hosts/kubeadm-node';
import { KubeadmPlatform, KubeadmPlatformConfig } from '../../../src/constructs/hosts/kubeadm-platform';
import { KubeadmLoadBalancer } from '../../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { TaintEffect } from '../../../src/manifests/values/taints';
import { problemsIn } from '../../support/problems';
import { rulesOfTopic } from '../../support/topic-rules';

/** A cloud that forgets its cloud controller manager. */
class Cloud extends KubeadmPlatform {
  public readonly externalCloudProvider = true;

  public config(): KubeadmPlatformConfig {
    return { nodeFiles: [{ path: '/etc/cloud.conf', content: '' }] };
  }
}

const PORT = { controlPlaneEndpoint: 'api.example.com:8443' };
const DUAL = { podCidrs: ['10.1.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.2.0.0/20', 'fd00:2::/112'] };
const PEM = '-----BEGIN EC PRIVATE KEY-----\nMHc=\n-----END EC PRIVATE KEY-----\n';

/** A cluster with one worker. */
function worker(options: Partial<KubeadmNode>): Partial<KubeadmClusterProps> {
  return { workers: [{ name: 'worker01', address: '192.168.10.31', ...options }] };
}

function manager(name: string): HelmAddon {
  return new HelmAddon(name, { chart: name, repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'kube-system', provides: ['cloud-controller-manager'] });
}

const CASES: [id: string, props: Partial<KubeadmClusterProps>, texts: string[]][] = [
  ['TC-KUBEADM-CLUSTER-NAME', { name: 'My_Cluster' }, ['name: "My_Cluster"']],
  ['TC-CLUSTER-VERSION', { kubernetesVersion: '1.34' }, ['kubernetesVersion: "1.34"']],
  ['TC-CLUSTER-VERSION', { kubernetesVersion: '1.17.0' }, ['feature gates of 1.17', '1.34.x']],
  ['TC-CLUSTER-NAMESPACE', { deliveryNamespace: 'Flux' }, ['deliveryNamespace']],

  ['TC-KUBEADM-CLUSTER-ENDPOINT', { controlPlaneEndpoint: 'api.example.com' }, ['controlPlaneEndpoint: "api.example.com" is not a host and a port']],
  ['TC-KUBEADM-CLUSTER-ENDPOINT', { controlPlaneEndpoint: '192.168.10.99:6443' }, ['its host is 192.168.10.99', '192.168.10.10']],
  ['TC-KUBEADM-CLUSTER-NODE-COUNT', { controlPlaneNodes: [] }, ['has no node']],
  ['TC-KUBEADM-CLUSTER-NODE-COUNT', { controlPlaneNodes: MASTERS.slice(0, 2) }, ['2 members of etcd', 'odd numbers']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', worker({ name: '' }), ['workers[0].name']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', worker({ name: 'Worker01' }), ['workers[0].name: "Worker01"', 'lower case']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', worker({ name: 'a'.repeat(64) }), ['workers[0].name', '63']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', worker({ name: 'master02' }), ['"master02" is already the name of controlPlaneNodes[1]']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', { loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], name: 'master01' }, BALANCERS[1]] }) }, ['loadBalancer.hosts[0].name: "master01" is already the name of controlPlaneNodes[0]']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', worker({ name: 'addons' }), ['already uses the name "addons"']],
  ['TC-KUBEADM-CLUSTER-NODE-NAME', worker({ name: 'hosts.md' }), ['already uses the name "hosts.md"']],
  ['TC-KUBEADM-CLUSTER-NODE-ZONE', worker({ zone: 'a\nb' }), ['workers[0].zone']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', worker({ address: 'worker01' }), ['workers[0].address: "worker01" is not an IP address']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', worker({ secondAddress: '192.168.10.32' }), ['workers[0].secondAddress: it is an IPv4 address, as address is']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', worker({ secondAddress: 'none' }), ['workers[0].secondAddress: "none" is not an IP address']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', { workers: ['31', '32'].map((end) => ({ name: `w${end}`, address: `192.168.10.${end}`, secondAddress: 'fd00:10::31' })) }, ['workers[1].secondAddress: fd00:10::31 is an address of "w31", too']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', { ...DUAL, ...worker({ secondAddress: 'fd00:1::5' }) }, ['fd00:1::5 is in fd00:1::/56']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', worker({ address: '192.168.10.22' }), ['192.168.10.22 is the address of "master02" already']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', { loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], address: '192.168.10.21' }, BALANCERS[1]] }) }, ['loadBalancer.hosts[0].address', 'is the address of "master01" already']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', worker({ address: '10.244.3.4' }), ['10.244.3.4 is in 10.244.0.0/16']],
  ['TC-KUBEADM-CLUSTER-NODE-ADDRESS', worker({ address: 'fd00::31' }), ['it is an IPv6 address, and Services are IPv4 first']],
  ['TC-KUBEADM-CLUSTER-LABEL', worker({ labels: { 'a b': 'c' } }), ['workers[0].labels["a b"]']],
  ['TC-KUBEADM-CLUSTER-LABEL', worker({ labels: { 'node-role.kubernetes.io/worker': '' } }), ['the kubelet may not set the label']],
  ['TC-KUBEADM-CLUSTER-TAINT', worker({ taints: [{ key: 'a b', effect: TaintEffect.NO_SCHEDULE }] }), ['workers[0].taints[0]']],
  ['TC-KUBEADM-CLUSTER-TAINT', worker({ taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: TaintEffect.NO_SCHEDULE }] }), ['belongs to control plane nodes']],
  ['TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT', worker({ kubeletExtraArgs: [{ name: 'no-such-flag', value: '1' }] }), ['workers[0].kubeletExtraArgs[0]', 'has no flag --no-such-flag']],
  ['TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT', worker({ kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }] }), ['the platform of the cluster decides it']],
  ['TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT', worker({ kubeletExtraArgs: [{ name: 'hostname-override', value: 'x' }] }), ['from the name of the node']],
  ['TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT', worker({ kubeletExtraArgs: [{ name: 'v', value: '4' }, { name: 'v', value: '5' }] }), ['kubeletExtraArgs[1]', 'twice']],
  ['TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT', worker({ kubelet: { maxPods: 80 }, kubeletExtraArgs: [{ name: 'max-pods', value: '90' }] }), ['it would override maxPods']],
  ['TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT', worker({ kubeletExtraArgs: [{ name: 'root-dir', value: '/a b' }] }), ['white space']],
  ['TC-POOL-MAX-PODS', worker({ kubelet: { maxPods: 0 } }), ['workers[0].kubelet.maxPods: 0']],
  ['TC-POOL-MAX-PODS', { kubelet: { maxPods: -1 } }, ['kubelet.maxPods: -1']],

  // Nodes would stay tainted, or never get their addresses.
  ['TC-KUBEADM-CLUSTER-CLOUD-PROVIDER', { platform: new Cloud() }, ['platform: kubelets register with --cloud-provider=external', 'stay tainted']],

  ['TC-KUBEADM-CLUSTER-FILE', { files: [{ path: 'etc/a', content: '' }] }, ['files[0].path: "etc/a"']],
  ['TC-KUBEADM-CLUSTER-FILE', { files: [{ path: '/etc/../a', content: '' }] }, ['files[0].path', 'shortest form']],
  ['TC-KUBEADM-CLUSTER-FILE', { files: [{ path: '/etc/a b;reboot', content: '' }] }, ['files[0].path']],
  ['TC-KUBEADM-CLUSTER-FILE', { files: [{ path: '/etc/a', content: '', permissions: '644' }] }, ['files[0].permissions: "644"']],
  ['TC-KUBEADM-CLUSTER-FILE', { files: [{ path: '/etc/a', content: '', owner: 'root' }] }, ['files[0].owner: "root"']],
  ['TC-KUBEADM-CLUSTER-FILE', worker({ files: [{ path: '/etc/a.key', content: PEM }] }), ['workers[0].files[0].content: it contains a private key']],
  ['TC-KUBEADM-CLUSTER-FILE', { loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], files: [{ path: 'a', content: '' }] }, BALANCERS[1]] }) }, ['loadBalancer.hosts[0].files[0].path']],
  ['TC-KUBEADM-CLUSTER-FILE-TAKEN', worker({ files: [{ path: '/etc/a', content: '' }, { path: '/etc/a', content: '' }] }), ['workers[0].files[1]: "/etc/a" of "worker01" is already written by workers[0].files[0]']],
  ['TC-KUBEADM-CLUSTER-FILE-TAKEN', worker({ files: [{ path: '/etc/kubernetes/kubeadm/join.yaml', content: '' }] }), ['is already written by kubeadm']],
  ['TC-KUBEADM-CLUSTER-FILE-TAKEN', worker({ files: [{ path: '/etc/kubernetes/kubelet.conf', content: '' }] }), ['already written by kubeadm, which fails if the file exists']],
  ['TC-KUBEADM-CLUSTER-FILE-TAKEN', { loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], files: [{ path: '/etc/haproxy/haproxy.cfg', content: '' }] }, BALANCERS[1]] }) }, ['already written by loadBalancer']],

  ['TC-KUBEADM-CLUSTER-LB-HOSTS', { loadBalancer: hosts({ hosts: BALANCERS.slice(0, 1) }) }, ['has one host, and fails with it']],
  ['TC-KUBEADM-CLUSTER-LB-HOSTS', { loadBalancer: hosts({ hosts: [] }) }, ['has no host']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ vip: '192.168.11.10' }) }, ['loadBalancer.vip: "192.168.11.10" is not an address of a host in 192.168.10.0/24']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ vip: '192.168.10.0' }) }, ['loadBalancer.vip']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ vip: '192.168.10.255' }) }, ['loadBalancer.vip']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ vip: 'vip' }) }, ['loadBalancer.vip']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ vip: '192.168.10.12' }) }, ['192.168.10.12 is the address of "lb02"']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ vip: '192.168.10.23' }) }, ['192.168.10.23 is the address of "master03"']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ subnet: '192.168.10.5/24' }) }, ['loadBalancer.subnet: "192.168.10.5/24"']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: hosts({ hosts: [BALANCERS[0], { name: 'lb02', address: '192.168.20.12' }] }) }, ['"lb02" has the address 192.168.20.12, which is not in 192.168.10.0/24']],
  ['TC-KUBEADM-CLUSTER-LB-VIP', { loadBalancer: kubeVip({ vip: '192.168.10.21' }) }, ['the address of "master01"']],
  ['TC-KUBEADM-CLUSTER-LB-ROUTER-ID', { loadBalancer: hosts({ virtualRouterId: 0 }) }, ['0 is not a virtual router id', '1 to 255']],
  ['TC-KUBEADM-CLUSTER-LB-ROUTER-ID', { loadBalancer: hosts({ virtualRouterId: 256 }) }, ['256']],
  ['TC-KUBEADM-CLUSTER-LB-PRIORITY', { loadBalancer: hosts({ hosts: BALANCERS.map((host) => ({ ...host, priority: 100 })) }) }, ['hosts[1].priority: 100 is the priority of "lb01" too', 'two masters']],
  ['TC-KUBEADM-CLUSTER-LB-PRIORITY', { loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], priority: 255 }, { ...BALANCERS[1], priority: 254 }] }) }, ['hosts[0].priority: 255']],
  ['TC-KUBEADM-CLUSTER-LB-PRIORITY', { loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], priority: 10 }, { ...BALANCERS[1], priority: 2 }] }) }, ['hosts[1].priority: a failed check takes 9 from 2', 'from 10']],
  ['TC-KUBEADM-CLUSTER-LB-INTERFACE', { loadBalancer: hosts({ networkInterface: 'ens 192' }) }, ['loadBalancer.networkInterface: "ens 192"']],
  ['TC-KUBEADM-CLUSTER-LB-INTERFACE', { loadBalancer: kubeVip({ networkInterface: 'a'.repeat(16) }) }, ['loadBalancer.networkInterface']],
  ['TC-KUBEADM-CLUSTER-LB-INTERFACE', { loadBalancer: hosts({ networkInterface: 'e}' }) }, ['loadBalancer.networkInterface']],
  ['TC-KUBEADM-CLUSTER-LB-PORT', { ...PORT, loadBalancer: kubeVip() }, ['its port is 8443, but the API servers listen on 6443']],
  ['TC-KUBEADM-CLUSTER-LB-PORT', { apiServerPort: 70000 }, ['apiServerPort: 70000']],
  ['TC-KUBEADM-CLUSTER-LB-IMAGE', { loadBalancer: kubeVip({ image: 'https://kube-vip:1' }) }, ['loadBalancer.image']],
  ['TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY', { certificateValidity: Duration.hours(12) }, ['certificateValidity: certificates that are valid for 0.5 days']],
  ['TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY', { caCertificateValidity: Duration.days(Infinity) }, ['caCertificateValidity: certificates cannot be valid for Infinity days']],
  ['TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY', { caCertificateValidity: Duration.days(120_000) }, ['caCertificateValidity: certificates cannot be valid for 120000 days', '106751']],
  ['TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY', { caCertificateValidity: Duration.days(364) }, ['certificateValidity: certificates of 365 days would outlive their authority, which is valid for 364 days']],

  // Rules that a KubeadmControlPlane is checked by as well.
  ['TC-KUBEADM-CP-ARGUMENT', { apiServer: { extraArgs: [{ name: 'cloud-provider', value: 'external' }] } }, ['apiServer.extraArgs[0]', 'only kubelets']],
  ['TC-KUBEADM-CP-ARGUMENT', { controllerManager: { extraArgs: [{ name: 'cloud-provider', value: 'external' }] } }, ['controllerManager.extraArgs[0]', 'only kubelets']],
  ['TC-KUBEADM-CP-ARGUMENT', { controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size', value: '26' }] } }, ['nodeCidrMaskSizes of the cluster sets it']],
  ['TC-KUBEADM-CP-ARGUMENT', { scheduler: { extraArgs: [{ name: 'v', value: '4' }, { name: 'v', value: '5' }] } }, ['scheduler.extraArgs[1]', 'twice']],
  ['TC-KUBEADM-CP-ARGUMENT', { apiServer: { featureGates: { Wathclist: true } } }, ['apiServer.featureGates.Wathclist']],
  ['TC-KUBEADM-CP-ARGUMENT', { apiServer: { extraArgs: [{ name: 'oidc-issuer-url', value: 'https://id.example.com' }] } }, ['apiServer.extraArgs[0]', '--oidc-client-id']],
  ['TC-KUBEADM-CP-ARGUMENT', { apiServer: { extraArgs: [{ name: 'disable-admission-plugins', value: 'NodeRestriction' }] } }, ['apiServer.extraArgs[0]']],
  ['TC-KUBEADM-CP-ARGUMENT', { apiServer: { extraArgs: [{ name: 'anonymous-auth', value: 'false' }] } }, ['apiServer.extraArgs[0]']],
  ['TC-KUBEADM-CP-CERTIFICATE-NAME', { certSans: ['api.example.com:6443'] }, ['certSans[0]', 'has a port']],
  ['TC-KUBEADM-CP-ENCRYPTION-ALGORITHM', { kubernetesVersion: '1.33.2', encryptionAlgorithm: KubeadmEncryptionAlgorithm.ECDSA_P384 }, ['encryptionAlgorithm']],
  ['TC-KUBEADM-CP-ETCD-ENDPOINT', { etcd: KubeadmEtcd.external({ endpoints: ['http://etcd:2379'] }) }, ['etcd.endpoints[0]']],
  ['TC-KUBEADM-CP-IMAGE', { imageRepository: 'https://registry.example.com' }, ['imageRepository']],
  ['TC-KUBEADM-CP-KUBE-PROXY', { cni: new Cilium(), kubeProxy: true }, ['kubeProxy']],
  ['TC-KUBEADM-CP-KUBEADM-FEATURE-GATE', { kubeadmFeatureGates: { NoSuchGate: true } }, ['kubeadmFeatureGates.NoSuchGate']],
  ['TC-KUBEADM-CRI-SOCKET', { criSocket: '/run/containerd/containerd.sock' }, ['criSocket: "/run/containerd/containerd.sock"']],
  ['TC-KUBEADM-JOIN-OPTION', { skipPhases: [''] }, ['skipPhases[0]']],
  ['TC-KUBEADM-JOIN-OPTION', { initSkipPhases: [' '] }, ['initSkipPhases[0]']],
  ['TC-KUBEADM-TIMEOUT', { timeouts: { discovery: Duration.millis(1500) } }, ['timeouts.discovery']],
  ['TC-KUBEADM-TIMEOUT', { controlPlaneTimeouts: { etcdApiCall: Duration.seconds(0) } }, ['controlPlaneTimeouts.etcdApiCall']],

  ['TC-NETWORK-OVERLAP', { podCidrs: ['10.96.0.0/16'] }, ['10.96.0.0/16']],
  ['TC-NETWORK-OVERLAP', { machineCidrs: ['10.0.0.0/8'], serviceCidrs: ['192.168.200.0/24'] }, ['podCidrs', '10.0.0.0/8']],
  ['TC-NETWORK-CIDR', { machineCidrs: ['192.168.10.1/24'] }, ['machineCidrs[0]']],
  ['TC-NETWORK-SERVICE-SIZE', { serviceCidrs: ['10.0.0.0/9'], podCidrs: ['172.16.0.0/16'] }, ['serviceCidrs[0]', '/12']],
  ['TC-NETWORK-POD-CAPACITY', { podCidrs: ['10.244.0.0/22'] }, ['the cluster has 5 nodes', 'has room for 4', 'a /24 for each node']],
  ['TC-NETWORK-NODE-MASK', { nodeCidrMaskSizes: [24, 64] }, ['nodeCidrMaskSizes', 'is 2']],
  ['TC-POOL-MAX-PODS', { nodeCidrMaskSizes: [26] }, ['kubelet.maxPods', '110 pods', 'addresses for 61']],
  ['TC-NETWORK-SERVICE-DOMAIN', { serviceDomain: 'cluster' }, ['serviceDomain']],
];

test.each(CASES)('%s: %j', (id, props, texts) => {
  const found = problems(props);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['ha', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('TC-KUBEADM-CLUSTER-CLOUD-PROVIDER: a cloud controller manager without a platform', () => {
  expect(problems({ cni: new Calico() }, (cluster) => cluster.addAddon(manager('ccm')))).toEqual([
    { path: 'ha', id: 'TC-KUBEADM-CLUSTER-CLOUD-PROVIDER', text: expect.stringContaining('"ccm" is a cloud controller manager, but kubelets register without') },
  ]);
  expect(problems({ cni: new Calico(), platform: new Cloud() }, (cluster) => cluster.addAddon(manager('ccm')))).toEqual([]);
});

test('TC-KUBEADM-CLUSTER-APP: an app that writes manifests alone', () => {
  expect(problemsIn((app) => new KubeadmCluster(app, 'ha', PROPS))).toEqual([
    { path: 'ha', id: 'TC-KUBEADM-CLUSTER-APP', text: expect.stringContaining('make the app a GitOpsApp') },
  ]);
});

test('TC-KUBEADM-CLUSTER-HELM: a chart in a Git repository', () => {
  const addon = new (class extends HelmAddon {
    public override bind(...args: Parameters<HelmAddon['bind']>) {
      return { charts: super.bind(...args).charts!.map((chart) => ({ ...chart, repository: 'https://git.example.com/a.git', gitPath: 'charts/a', version: 'v1.0.0' })) };
    }
  })('a', { chart: 'a', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'a' });

  expect(problems({ cni: new Calico() }, (cluster) => cluster.addAddon(addon))).toEqual([
    { path: 'ha', id: 'TC-KUBEADM-CLUSTER-HELM', text: expect.stringContaining('charts["a"].gitPath') },
  ]);
});

test('what is delivered is checked as by every delivery', () => {
  const chart = new HelmAddon('a', { chart: 'a', repository: 'ftp://charts.example.com', chartVersion: '^1', namespace: 'a' });
  const found = problems({ cni: new Calico() }, (cluster) => {
    cluster.addAddon(chart);
    new ApiObject(cluster.workloads, 'S', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'a' }, stringData: { key: 'x' } });
    new ApiObject(cluster.workloads, 'C', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
  });

  expect(found.map(({ id }) => id).sort()).toEqual(['TC-DELIVERY-CHART-VERSION', 'TC-DELIVERY-MANIFEST-NAMESPACE', 'TC-DELIVERY-REPOSITORY', 'TC-DELIVERY-SECRET']);
});

test('a pod network as an addon', () => {
  expect(problems({}, (cluster) => cluster.addAddon(new Calico())).map(({ id }) => id)).toEqual(['TC-CLUSTER-CNI']);
});

describe('two clusters of an app', () => {
  const second = (props: Partial<KubeadmClusterProps>) => problemsAmong((app) => {
    new KubeadmCluster(app, 'one', PROPS);
    new KubeadmCluster(app, 'two', {
      ...PROPS,
      loadBalancer: hosts({ virtualRouterId: 52, vip: '192.168.10.110', hosts: [{ name: 'lb11', address: '192.168.10.111' }, { name: 'lb12', address: '192.168.10.112' }] }),
      controlPlaneNodes: [{ name: 'master11', address: '192.168.10.121' }],
      workers: [],
      ...props,
    });
  });

  test('may share a subnet', () => {
    expect(second({})).toEqual([]);
  });

  test.each<[string, Partial<KubeadmClusterProps>, string]>([
    ['TC-KUBEADM-CLUSTER-NAME', { name: 'one' }, '"one" is the name of one already'],
    ['TC-KUBEADM-CLUSTER-LB-ROUTER-ID', { loadBalancer: hosts({ vip: '192.168.10.110', hosts: [{ name: 'lb11', address: '192.168.10.111' }, { name: 'lb12', address: '192.168.10.112' }] }) }, 'one has the same one in the same subnet'],
    ['TC-KUBEADM-CLUSTER-NODE-NAME', { workers: [PROPS.workers![1]] }, 'workers[0].name: the host "worker02" at 192.168.10.32 is already in the cluster one'],
  ])('%s', (id, props, text) => {
    const found = second(props);

    expect(found.map((problem) => [problem.path, problem.id])).toEqual([['two', id]]);
    expect(found[0].text).toContain(text);
  });
});

describe('the kubelet of one node', () => {
  const soft = (threshold: string) => ({ evictionSoft: { 'memory.available': { threshold, gracePeriod: Duration.minutes(1) } } });
  const found = (shared: KubeletOptions, own: KubeletOptions) => problems({ kubelet: shared, ...worker({ kubelet: own }) }).map(({ id, text }) => `${id} ${text}`);

  test('is held to the thresholds of the cluster that it does not replace', () => {
    const late = [expect.stringContaining('TC-POOL-EVICTION-ORDER workers[0].kubelet.evictionSoft["memory.available"]: the soft threshold')];

    expect(found({ evictionHard: { 'memory.available': '10%' } }, soft('8%'))).toEqual(late);
    expect(found(soft('12%'), { evictionHard: { 'memory.available': '15%' } })).toEqual(late);
    expect(found({ evictionHard: { 'memory.available': '5%' } }, soft('6%'))).toEqual([]);
    expect(found({ evictionHard: { 'memory.available': '10%' } }, { ...soft('8%'), evictionHard: { 'memory.available': '5%' } })).toEqual([]);
  });

  test('is not blamed for faults of the cluster\'s', () => {
    expect(found({ evictionHard: { 'memory.free': '10%' } }, { maxPods: 50 })).toEqual([expect.stringMatching(/^\S+ kubelet\.evictionHard\["memory\.free"\]/)]);
  });
});

/** Warnings that name a rule, of a cluster without problems. */
function warnings(rule: string, props: Partial<KubeadmClusterProps>, fill: (cluster: KubeadmCluster) => void = () => undefined): string[] {
  const emit = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  try {
    expect(problems(props, fill)).toEqual([]);
    return emit.mock.calls.map(([text]) => String(text)).filter((text) => text.includes(rule));
  } finally {
    emit.mockRestore();
  }
}

describe('nodes of a cluster with both address families', () => {
  const second = (nodes: readonly KubeadmNode[]) => nodes.map((node, index) => ({ ...node, secondAddress: `fd00:${node.name.startsWith('m') ? 10 : 11}::${index + 1}` }));
  const [PLANE, WORKERS] = [second(MASTERS), second(PROPS.workers!)];

  test('are warned of where they announce one', () => {
    expect(warnings('NODE-FAMILY', { ...DUAL, controlPlaneNodes: PLANE })).toEqual([expect.stringMatching(/workers\[0\]\.secondAddress: pods and Services have IPv4 and IPv6 addresses, and worker01, worker02 only one/)]);
  });

  test('are accepted with both, with an argument of the user, and with a cloud', () => {
    const argument = { kubeletExtraArgs: [{ name: 'node-ip', value: '192.168.10.31,fd00:10::31' }] };
    expect(warnings('NODE-FAMILY', { ...DUAL, controlPlaneNodes: PLANE, workers: WORKERS })).toEqual([]);
    expect(warnings('NODE-FAMILY', { ...DUAL, controlPlaneNodes: PLANE, workers: [{ ...PROPS.workers![0], ...argument }] })).toEqual([]);
    expect(warnings('NODE-FAMILY', { ...DUAL, platform: new Cloud(), cni: new Cilium() }, (cluster) => cluster.addAddon(manager('manager')))).toEqual([]);
    expect(warnings('NODE-FAMILY', {})).toEqual([]);
  });
});

describe('a Service of type LoadBalancer', () => {
  const warned = (props: Partial<KubeadmClusterProps>, spec: object, fill: (cluster: KubeadmCluster) => void = () => undefined) => (
    warnings('LOAD-BALANCER', { cni: new Cilium(), ...props }, (cluster) => {
      new ApiObject(cluster.workloads, 'Service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { ...spec, ports: [{ port: 80 }] } });
      fill(cluster);
    }));
  const type = 'LoadBalancer';

  test('is warned of where nothing publishes it', () => {
    expect(warned({}, { type })).toEqual([expect.stringMatching(/\[ha\] TC-KUBEADM-CLUSTER-LOAD-BALANCER workloads: nothing in the cluster publishes the Service "web"/)]);
  });

  test('is accepted with an addon that publishes it, with a class, and so are other types', () => {
    const provides = [AddonCapability.DEFAULT_LOAD_BALANCER];
    const publisher = new HelmAddon('lb', { chart: 'lb', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'kube-system', provides });
    expect(warned({}, { type }, (cluster) => cluster.addAddon(publisher))).toEqual([]);
    expect(warned({}, { type, loadBalancerClass: 'example.com/lb' })).toEqual([]);
    expect(warned({}, { type: 'NodePort' })).toEqual([]);
    expect(warned({ platform: new Cloud() }, { type }, (cluster) => cluster.addAddon(manager('manager')))).toEqual([]);
  });
});

test('every rule has a negative test', () => {
  const elsewhere = ['TC-KUBEADM-CLUSTER-APP', 'TC-KUBEADM-CLUSTER-HELM', 'TC-KUBEADM-CLUSTER-LOAD-BALANCER', 'TC-KUBEADM-CLUSTER-NODE-FAMILY'];
  const tested = new Set([...CASES.map(([id]) => id), ...elsewhere]);

  expect(rulesOfTopic('Clusters on existing machines').filter((id) => !tested.has(id))).toEqual([]);
});

test('good clusters are accepted', () => {
  expect(problems()).toEqual([]);
  expect(problems({ controlPlaneNodes: MASTERS.slice(0, 2), etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'] }) })).toEqual([]);
  expect(problems({ controlPlaneNodes: MASTERS.slice(0, 1), workers: [] })).toEqual([]);
  expect(problems({ loadBalancer: kubeVip({ image: 'registry.example.com/kube-vip@sha256:' + 'a'.repeat(64) }) })).toEqual([]);
  expect(problems({ loadBalancer: KubeadmLoadBalancer.external() })).toEqual([]);
  // Smaller ranges have room for more nodes; a pod network that assigns addresses by itself sets no limit to pods.
  expect(problems({ podCidrs: ['10.244.0.0/22'], nodeCidrMaskSizes: [26], kubelet: { maxPods: 61 } })).toEqual([]);
  expect(problems({ cni: new Calico(), kubelet: { maxPods: 500 } })).toEqual([]);
  expect(problems({ loadBalancer: hosts({ vip: 'fd00::10', subnet: 'fd00::/64', hosts: BALANCERS.map(({ name }, index) => ({ name, address: `fd00::1${index + 1}` })) }) })
    .map(({ id }) => id)).toEqual(['TC-KUBEADM-CLUSTER-NODE-ADDRESS', 'TC-KUBEADM-CLUSTER-NODE-ADDRESS']);
});
