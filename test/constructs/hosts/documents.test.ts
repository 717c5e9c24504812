import { Duration } from 'cdk8s';
import { documents, filesOf, kubeVip, MASTERS, PROPS, Written } from './clusters';
import { documentFaults } from './kubeadm-schema';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { KubeletOptions } from '../../../src/constructs/contracts/node-pool/kubelet';
import { KubeadmCoreDns } from '../../../src/constructs/control-planes/kubeadm/control-plane/addons';
import { KubeadmEncryptionAlgorithm } from '../../../src/constructs/control-planes/kubeadm/control-plane/certificates';
import { KubeadmEtcd } from '../../../src/constructs/control-planes/kubeadm/control-plane/etcd';
import { KubeadmHostPathType } from '../../../src/constructs/control-planes/kubeadm/control-plane/volumes';
import { KubeadmClusterProps } from '../../../src/constructs/hosts/kubeadm-cluster-props';
import { TaintEffect } from '../../../src/manifests/values/taints';
import { Manifest } from '../../support/clusters';
import { readFiles, withExample } from '../../support/examples';

const INIT = 'files/etc/kubernetes/kubeadm/init.yaml';
const JOIN = 'files/etc/kubernetes/kubeadm/join.yaml';
const PATCH = 'files/etc/kubernetes/patches/kubeletconfiguration+strategic.yaml';

/** Everything that can be said to kubeadm. */
const EVERYTHING: Partial<KubeadmClusterProps> = {
  name: 'complete',
  podCidrs: ['10.1.0.0/16', 'fd00:1::/56'],
  serviceCidrs: ['10.2.0.0/20', 'fd00:2::/112'],
  serviceDomain: 'k8s.example.com',
  apiServerPort: 7443,
  certSans: ['*.example.com', '203.0.113.7'],
  apiServer: {
    extraArgs: [{ name: 'audit-log-path', value: '/var/log/audit.log' }, { name: 'audit-log-maxage', value: '30' }],
    featureGates: { MutatingAdmissionPolicy: true },
    extraVolumes: [{ name: 'audit', hostPath: '/var/log', mountPath: '/var/log', readOnly: false, pathType: KubeadmHostPathType.DIRECTORY }],
    extraEnvs: { GOGC: '80' },
  },
  controllerManager: { extraArgs: [{ name: 'terminated-pod-gc-threshold', value: '100' }] },
  scheduler: { extraEnvs: { GOGC: '90' } },
  etcd: KubeadmEtcd.stacked({
    imageRepository: 'registry.example.com/k8s',
    imageTag: '3.6.5-0',
    dataDir: '/data/etcd',
    extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }],
    serverCertSans: ['etcd.example.com'],
    peerCertSans: ['peer.example.com'],
  }),
  kubeadmFeatureGates: { NodeLocalCRISocket: true },
  imageRepository: 'registry.example.com/k8s',
  coreDns: KubeadmCoreDns.managed({ imageRepository: 'registry.example.com/coredns', imageTag: 'v1.12.1' }),
  certificateValidity: Duration.days(90),
  caCertificateValidity: Duration.days(1825),
  encryptionAlgorithm: KubeadmEncryptionAlgorithm.ECDSA_P384,
  kubelet: { maxPods: 80, configuration: { shutdownGracePeriod: '60s' } },
  criSocket: 'unix:///run/crio/crio.sock',
  ignorePreflightErrors: ['NumCPU'],
  initSkipPhases: ['addon/coredns'],
  skipPhases: ['preflight'],
  timeouts: {
    discovery: Duration.minutes(3),
    tlsBootstrap: Duration.minutes(6),
    kubeletHealthCheck: Duration.minutes(2),
    kubernetesApiCall: Duration.seconds(90),
  },
  controlPlaneTimeouts: { componentHealthCheck: Duration.minutes(8), etcdApiCall: Duration.minutes(1) },
  workers: [{
    name: 'worker01',
    address: '192.168.10.31',
    labels: { 'example.com/disk': 'ssd', 'example.com/area': 'a' },
    taints: [{ key: 'example.com/dedicated', value: 'team-a', effect: TaintEffect.NO_SCHEDULE }, { key: 'example.com/x', effect: TaintEffect.NO_EXECUTE }],
    kubelet: { maxPods: 200 },
    kubeletExtraArgs: [{ name: 'v', value: '4' }],
  }],
};

function documentsOf(written: Written): { file: string; document: Manifest }[] {
  return Object.entries(written).filter(([file]) => /files\/etc\/kubernetes\/(kubeadm|patches)\//.test(file))
    .flatMap(([file, content]) => documents(content).map((document) => ({ file, document })));
}

function faultsOf(written: Written): string[] {
  return documentsOf(written).flatMap(({ file, document }) => documentFaults(document).map((fault) => `${file}: ${fault}`));
}

test('the first node has what the cluster is started with', () => {
  const files = filesOf();

  expect(documents(files[`master01/${INIT}`])).toEqual([
    {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'InitConfiguration',
      bootstrapTokens: [{ ttl: '15m0s' }],
      localAPIEndpoint: { advertiseAddress: '192.168.10.21', bindPort: 6443 },
      nodeRegistration: { name: 'master01', criSocket: 'unix:///var/run/containerd/containerd.sock', kubeletExtraArgs: [{ name: 'node-ip', value: '192.168.10.21' }] },
    },
    {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      clusterName: 'ha',
      kubernetesVersion: 'v1.34.1',
      controlPlaneEndpoint: 'api.example.com:6443',
      networking: { dnsDomain: 'cluster.local', podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/16' },
      apiServer: { certSANs: ['192.168.10.10'] },
    },
    {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      evictionHard: { 'memory.available': '7%', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%', 'imagefs.available': '15%', 'imagefs.inodesFree': '5%' },
    },
  ]);
  expect(Object.keys(files).filter((file) => file.endsWith('/init.yaml'))).toEqual([`master01/${INIT}`]);
});

test('the others have what they join with, and nothing secret in it', () => {
  const files = filesOf();
  const discovery = { bootstrapToken: { apiServerEndpoint: 'api.example.com:6443', token: '@KUBEADM_TOKEN@', caCertHashes: ['@KUBEADM_CA_CERT_HASH@'] } };

  expect(documents(files[`master03/${JOIN}`])).toEqual([{
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    discovery,
    controlPlane: { localAPIEndpoint: { advertiseAddress: '192.168.10.23', bindPort: 6443 }, certificateKey: '@KUBEADM_CERTIFICATE_KEY@' },
    nodeRegistration: { name: 'master03', criSocket: 'unix:///var/run/containerd/containerd.sock', kubeletExtraArgs: [{ name: 'node-ip', value: '192.168.10.23' }] },
  }]);
  expect(documents(files[`worker02/${JOIN}`])).toEqual([{
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    discovery,
    nodeRegistration: { name: 'worker02', criSocket: 'unix:///var/run/containerd/containerd.sock', kubeletExtraArgs: [{ name: 'node-ip', value: '192.168.10.32' }] },
  }]);
  expect(files[`master01/${JOIN}`]).toBeUndefined();
});

test('everything that is said reaches the field that it is for', () => {
  const files = filesOf(EVERYTHING);
  const written = (file: string) => files[`complete/${file}`];
  const [init, cluster, kubelet] = documents(written(`master01/${INIT}`));
  const [worker] = documents(written(`worker01/${JOIN}`));
  const timeouts = {
    controlPlaneComponentHealthCheck: '8m0s', discovery: '3m0s', etcdAPICall: '1m0s', kubeletHealthCheck: '2m0s', kubernetesAPICall: '1m30s', tlsBootstrap: '6m0s',
  };

  expect(init).toMatchObject({ localAPIEndpoint: { bindPort: 7443 }, skipPhases: ['addon/coredns'], timeouts });
  expect(init.nodeRegistration).toMatchObject({ criSocket: 'unix:///run/crio/crio.sock', ignorePreflightErrors: ['NumCPU'] });
  expect(cluster).toEqual({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: 'complete',
    kubernetesVersion: 'v1.34.1',
    controlPlaneEndpoint: 'api.example.com:6443',
    networking: { dnsDomain: 'k8s.example.com', podSubnet: '10.1.0.0/16,fd00:1::/56', serviceSubnet: '10.2.0.0/20,fd00:2::/112' },
    apiServer: {
      certSANs: ['192.168.10.10', '*.example.com', '203.0.113.7'],
      extraArgs: [{ name: 'feature-gates', value: 'MutatingAdmissionPolicy=true' }, { name: 'audit-log-path', value: '/var/log/audit.log' }, { name: 'audit-log-maxage', value: '30' }],
      extraEnvs: [{ name: 'GOGC', value: '80' }],
      extraVolumes: [{ name: 'audit', hostPath: '/var/log', mountPath: '/var/log', readOnly: false, pathType: 'Directory' }],
    },
    controllerManager: { extraArgs: [{ name: 'terminated-pod-gc-threshold', value: '100' }] },
    scheduler: { extraEnvs: [{ name: 'GOGC', value: '90' }] },
    etcd: {
      local: {
        dataDir: '/data/etcd',
        imageRepository: 'registry.example.com/k8s',
        imageTag: '3.6.5-0',
        extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }],
        serverCertSANs: ['etcd.example.com'],
        peerCertSANs: ['peer.example.com'],
      },
    },
    dns: { imageRepository: 'registry.example.com/coredns', imageTag: 'v1.12.1' },
    featureGates: { NodeLocalCRISocket: true },
    imageRepository: 'registry.example.com/k8s',
    certificateValidityPeriod: '2160h0m0s',
    caCertificateValidityPeriod: '43800h0m0s',
    encryptionAlgorithm: 'ECDSA-P384',
  });
  expect(kubelet).toMatchObject({ maxPods: 80, shutdownGracePeriod: '60s' });
  expect(worker).toMatchObject({ skipPhases: ['preflight'], timeouts, patches: { directory: '/etc/kubernetes/patches' } });
  expect(worker.nodeRegistration).toMatchObject({
    kubeletExtraArgs: [{ name: 'node-ip', value: '192.168.10.31' }, { name: 'node-labels', value: 'example.com/area=a,example.com/disk=ssd' }, { name: 'v', value: '4' }],
    taints: [{ key: 'example.com/dedicated', value: 'team-a', effect: 'NoSchedule' }, { key: 'example.com/x', effect: 'NoExecute' }],
  });
  expect(documents(written(`worker01/${PATCH}`))[0]).toMatchObject({ kind: 'KubeletConfiguration', maxPods: 200 });
});

describe('what one kubelet does differently', () => {
  const shared = { evictionHard: { 'memory.available': '10%' }, systemReserved: { cpu: '200m' } };
  const written = (kubelet: KubeletOptions) => {
    const files = filesOf({ kubelet: shared, workers: [{ name: 'w', address: '192.168.10.31', kubelet }] });
    const patch = files[`w/${PATCH}`];
    return { patch: patch && documents(patch)[0], directory: documents(files[`w/${JOIN}`])[0].patches };
  };
  const head = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };

  test.each<[string, KubeletOptions, object]>([
    ['number of pods', { maxPods: 200 }, { maxPods: 200 }],
    ['threshold', { evictionHard: { 'nodefs.available': '8%' } }, { evictionHard: { 'nodefs.available': '8%' } }],
    ['reservation', { kubeReserved: { memory: '1Gi' }, evictionHard: {} }, { kubeReserved: { memory: '1Gi' } }],
    ['field of its own', { configuration: { shutdownGracePeriod: '60s' } }, { shutdownGracePeriod: '60s' }],
    ['soft threshold', { evictionSoft: { 'memory.available': { threshold: '15%', gracePeriod: Duration.minutes(2) } } }, {
      evictionSoft: { 'memory.available': '15%' }, evictionSoftGracePeriod: { 'memory.available': '2m0s' },
    }],
  ])('%s: the rest stays as the cluster has it', (_what, kubelet, fields) => {
    expect(written(kubelet)).toEqual({ patch: { ...head, ...fields }, directory: { directory: '/etc/kubernetes/patches' } });
  });

  test.each<[string, KubeletOptions]>([['nothing', {}], ['empty maps', { evictionHard: {}, systemReserved: {}, configuration: {} }]])('%s: there is no patch', (_what, kubelet) => {
    expect(written(kubelet)).toEqual({ patch: undefined, directory: undefined });
  });
});

test('a control plane without taints, an etcd elsewhere, and a pod network in place of kube-proxy', () => {
  const files = filesOf({
    controlPlaneNodes: [{ ...MASTERS[0], taints: [] }, MASTERS[1]],
    etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'] }),
    cni: new Cilium(),
    coreDns: KubeadmCoreDns.none(),
  });
  const [init, cluster] = documents(files[`master01/${INIT}`]);

  expect(init.nodeRegistration.taints).toEqual([]);
  expect(cluster.etcd.external.endpoints).toEqual(['https://etcd.example.com:2379']);
  expect(cluster.proxy).toEqual({ disabled: true });
  expect(cluster.dns).toEqual({ disabled: true });
});

test('smaller ranges of nodes reach the controller manager', () => {
  const files = filesOf({ podCidrs: ['10.244.0.0/22'], nodeCidrMaskSizes: [26], kubelet: { maxPods: 61 } });

  expect(documents(files[`master01/${INIT}`])[1].controllerManager).toEqual({ extraArgs: [{ name: 'node-cidr-mask-size-ipv4', value: '26' }] });
});

test('a node with addresses of both families announces both', () => {
  const node = { name: 'w', address: '192.168.10.31', secondAddress: 'fd00:10::31' };
  const ranges = { podCidrs: ['10.1.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.2.0.0/20', 'fd00:2::/112'] };
  const files = filesOf({ ...ranges, controlPlaneNodes: MASTERS.map((master, index) => ({ ...master, secondAddress: `fd00:10::2${index}` })), workers: [node], cni: new Calico() });

  expect(documents(files[`w/${JOIN}`])[0].nodeRegistration.kubeletExtraArgs).toEqual([{ name: 'node-ip', value: '192.168.10.31,fd00:10::31' }]);
  expect(files['hosts.md'].text).toContain('| w | worker | 192.168.10.31, fd00:10::31 |');
  expect(files['addons/03-calico.values.yaml'].text).toMatch(/nodeAddressAutodetectionV4:\n.*\n.*NodeInternalIP\n.*nodeAddressAutodetectionV6:\n.*\n.*NodeInternalIP/);
});

test('an address that the user gives to the kubelet stays', () => {
  const files = filesOf({ workers: [{ name: 'w', address: '192.168.10.31', kubeletExtraArgs: [{ name: 'node-ip', value: '10.9.8.7' }] }] });

  expect(documents(files[`w/${JOIN}`])[0].nodeRegistration.kubeletExtraArgs).toEqual([{ name: 'node-ip', value: '10.9.8.7' }]);
});

test('a virtual address that is the endpoint is no further name of the certificate', () => {
  const files = filesOf({ controlPlaneEndpoint: '192.168.10.10:6443' });

  expect(documents(files[`master01/${INIT}`])[1].apiServer).toBeUndefined();
});

test.each<[string, Partial<KubeadmClusterProps>]>([
  ['the smallest cluster', {}],
  ['everything', EVERYTHING],
  ['kube-vip', { loadBalancer: kubeVip(), cni: new Calico() }],
  ['an external etcd', { etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'] }) }],
])('kubeadm knows every field: %s', (_what, props) => {
  const written = filesOf(props);
  const kinds = new Set(documentsOf(written).map(({ document }) => document.kind));

  expect(kinds).toEqual(new Set(['InitConfiguration', 'ClusterConfiguration', 'KubeletConfiguration', 'JoinConfiguration']));
  expect(faultsOf(written)).toEqual([]);
});

test('kubeadm knows every field of the example', () => {
  const files = withExample('nifcloud-ha', readFiles);
  const written = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, { text, mode: '' }]));

  expect(documentsOf(written)).toHaveLength(3 + 2 + 6);
  expect(faultsOf(written)).toEqual([]);
});

describe('the table of kubeadm\'s fields finds', () => {
  const [init, cluster, kubelet] = documents(filesOf(PROPS)[`master01/${INIT}`]);

  test.each<[string, Manifest, string[]]>([
    ['a field that it does not know', { ...cluster, controlPlaneEndPoint: 'x' }, ['ClusterConfiguration controlPlaneEndPoint: there is no field']],
    ['one deep down', { ...init, nodeRegistration: { ...init.nodeRegistration, kubeletExtraArg: [] } }, ['InitConfiguration nodeRegistration.kubeletExtraArg: there is no field']],
    ['one of an older version', { ...cluster, apiServer: { timeoutForControlPlane: '4m0s' } }, ['apiServer.timeoutForControlPlane: there is no field']],
    ['arguments as an object', { ...cluster, scheduler: { extraArgs: { v: '4' } } }, ['scheduler.extraArgs: an object with v is not a list']],
    ['an older version', { ...init, apiVersion: 'kubeadm.k8s.io/v1beta3' }, ['kubeadm.k8s.io/v1beta3 InitConfiguration is no document']],
    ['a missing field', { ...cluster, networking: undefined }, ['networking']],
    ['a field that the kubelet does not know', { ...kubelet, maxPod: 3 }, ['KubeletConfiguration maxPod']],
    ['another kind', { ...init, kind: 'ConfigMap' }, ['no document of kubeadm']],
  ])('%s', (_what, document, texts) => {
    const found = documentFaults(document);

    expect(found).toHaveLength(1);
    for (const text of texts) expect(found[0]).toContain(text);
  });
});
