import { Chart, Duration, JsonPatch, Testing } from 'cdk8s';
import { validateApp } from '../../../../../src/constructs/app/validation/attached-validation';
import { FileContentFormat, FileEncoding } from '../../../../../src/constructs/contracts/bootstrap-file';
import { MirrorCapability } from '../../../../../src/constructs/contracts/company-network/node-network';
import { NodeName } from '../../../../../src/constructs/contracts/node-name';
import { PoolContext } from '../../../../../src/constructs/contracts/node-pool/pool-context';
import { PartitionTable, PartitionType } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/disk-setup';
import { KubeadmBootstrap } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmBootstrapProps } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { TaintEffect } from '../../../../../src/manifests/values/taints';
import { poolContext } from '../../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../../support/problems';

/** The manifest that a bootstrap strategy makes for the pool `acme-general`. */
export function manifestOf(props: KubeadmBootstrapProps = {}, context: Partial<PoolContext> = {}): any {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'tenant-acme' });
  return new KubeadmBootstrap(props).bind(chart, poolContext(context)).template.toJson();
}

/** The part of it that Cluster API copies to each machine. */
export function configOf(props: KubeadmBootstrapProps = {}, context: Partial<PoolContext> = {}): any {
  return manifestOf(props, context).spec.template.spec;
}

/** Problems of a bootstrap, with a template that was patched afterwards. */
export function problemsOf(props: KubeadmBootstrapProps, context: Partial<PoolContext> = {}, patches: readonly JsonPatch[] = []): ReportedProblem[] {
  return problemsIn((app) => {
    validateApp(app);
    new KubeadmBootstrap(props).bind(new Chart(app, 'test', { namespace: 'tenant-acme' }), poolContext(context)).template.addJsonPatch(...patches);
  });
}

/** A public key as `ssh-keygen` prints it. */
export const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ops@example.com';

/** Two self-signed certificates of nobody. */
export const CERTIFICATES = [
  `-----BEGIN CERTIFICATE-----
MIIBijCCATGgAwIBAgIUUTrznM91oIIfrYCaF2B8NaFE1x4wCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPRXhhbXBsZSBSb290IENBMCAXDTI2MTEyMTA5MzEzNFoYDzIx
MjYxMDI4MDkzMTM0WjAaMRgwFgYDVQQDDA9FeGFtcGxlIFJvb3QgQ0EwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAASVfUiPn/5kJ/zuAbzr3uHT1sZzAGiXUrxxvbHA
RCM1gFpbLDFlyUTSCzY0wXQwG3nVQDvyZ3ULqb89yWWB5AH9o1MwUTAdBgNVHQ4E
FgQUa3tbUt5SIcov9ZV3KN0bZNp2sbEwHwYDVR0jBBgwFoAUa3tbUt5SIcov9ZV3
KN0bZNp2sbEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBR0wOw
1Pzq4ye3rxXnYHAE4qpWHrPRdOy9pVfeDePT+wIgJ/avhPhNXKG6Ks7iLRyLbZ9T
yfBDjp/eWfwalrUhXgM=
-----END CERTIFICATE-----
`,
  `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUG08VlcihWPZ64rKDKepBKJw2J7gwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOU2Vjb25kIFJvb3QgQ0EwIBcNMjYxMTIxMDkzMTM0WhgPMjEy
NjEwMjgwOTMxMzRaMBkxFzAVBgNVBAMMDlNlY29uZCBSb290IENBMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAElX1Ij5/+ZCf87gG8697h09bGcwBol1K8cb2xwEQj
NYBaWywxZclE0gs2NMF0MBt51UA78md1C6m/PcllgeQB/aNTMFEwHQYDVR0OBBYE
FGt7W1LeUiHKL/WVdyjdG2TadrGxMB8GA1UdIwQYMBaAFGt7W1LeUiHKL/WVdyjd
G2TadrGxMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgRJSKsZ5Q
a3tr7vyKnfmCNnKNxeVEykEgfUr4G1aPmeYCIQCEz+3HNajLXF19iIpPPb+/8tM2
O8Sy6pVmagwLc5svUw==
-----END CERTIFICATE-----
`,
];

/** Every property in use. */
export const MAXIMAL: KubeadmBootstrapProps = {
  nodeName: NodeName.METADATA_HOSTNAME,
  criSocket: 'unix:///run/crio/crio.sock',
  kubeletExtraArgs: [{ name: 'v', value: '2' }, { name: 'node-ip', value: '{{ ds.meta_data.local_ipv4 }}' }],
  ignorePreflightErrors: ['FileExisting-conntrack'],
  skipPhases: ['preflight'],
  timeouts: {
    discovery: Duration.minutes(10),
    tlsBootstrap: Duration.minutes(10),
    kubeletHealthCheck: Duration.minutes(5),
    kubernetesApiCall: Duration.minutes(2),
  },
  verbosity: 5,
  files: [
    { path: '/etc/motd', content: 'welcome\n', owner: 'root:root', permissions: '0644', append: true },
    { path: '/etc/example.conf', secret: { name: 'example', key: 'example.conf' } },
    { path: '/etc/example.bin', content: 'AAECAw==', encoding: FileEncoding.BASE64 },
    { path: '/etc/example.gz', content: 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=', encoding: FileEncoding.GZIP_BASE64 },
    { path: '/etc/version', content: '{{ .controlPlane.version }}', contentFormat: FileContentFormat.TEMPLATE },
    { path: '/etc/kubernetes/patches/kubeletconfiguration1+merge.yaml', content: 'maxPods: 50\n' },
  ],
  bootCommands: ['modprobe br_netfilter'],
  preKubeadmCommands: ['echo "{{ ds.meta_data.instance_id }}"'],
  postKubeadmCommands: ['touch /var/lib/joined'],
  users: [{
    name: 'ops',
    sshAuthorizedKeys: [SSH_KEY],
    sudo: 'ALL=(ALL) NOPASSWD:ALL',
    shell: '/bin/bash',
    groups: ['adm', 'systemd-journal'],
    primaryGroup: 'ops',
    homeDir: '/home/ops',
    lockPassword: true,
    inactive: false,
    gecos: 'Operations',
    passwordFrom: { name: 'ops', key: 'hash' },
  }],
  ntp: { servers: ['ntp.example.com', '192.0.2.1'], enabled: true },
  diskSetup: {
    partitions: [
      { device: '/dev/vdb', layout: true, overwrite: true, table: PartitionTable.MBR },
      {
        device: '/dev/vdc',
        table: PartitionTable.GPT,
        shares: [
          { percentage: 60 }, { percentage: 20, partitionType: PartitionType.LVM },
          { percentage: 20, partitionType: PartitionType.guid('0FC63DAF-8483-4772-8E79-3D69D8477DE4') },
        ],
      },
    ],
    filesystems: [{ device: '/dev/vdb', filesystem: 'xfs', label: 'data', partition: '1', overwrite: true, replaceFs: 'ntfs', extraOpts: ['-K'] }],
  },
  mounts: [{ device: 'LABEL=data', path: '/var/lib/containerd', filesystem: 'xfs', options: ['defaults', 'nofail'] }, { device: '/dev/vdc', path: 'none' }],
  registryMirrors: [
    {
      registry: 'docker.io',
      endpoints: ['https://mirror.example.com/v2/hub', 'http://192.0.2.5:5000/v2/hub'],
      capabilities: [MirrorCapability.PULL],
      caSecret: { name: 'mirror-ca', key: 'ca.crt' },
      skipVerify: false,
      overridePath: true,
    },
    { registry: 'registry.example.com:5000', endpoints: ['https://mirror.example.com'] },
    { registry: '_default', endpoints: ['https://mirror.example.com'] },
  ],
  httpProxy: { httpProxy: 'http://proxy.example.com:3128', httpsProxy: 'http://proxy.example.com:3128', noProxy: ['.example.com', '10.0.0.0/8'] },
  trustedCas: [{ name: 'example-root', certificate: CERTIFICATES[0] }, { name: 'second-root', certificate: CERTIFICATES[1] }],
};

/** A pool that uses all that a pool hands to its bootstrap strategy. */
export const MAXIMAL_POOL: Partial<PoolContext> = {
  nodeLabels: { 'example.com/zone': 'b', 'example.com/class': 'gpu' },
  taints: [
    { key: 'example.com/dedicated', value: 'gpu', effect: TaintEffect.NO_SCHEDULE },
    { key: 'example.com/slow', effect: TaintEffect.PREFER_NO_SCHEDULE },
  ],
  kubeletConfiguration: { maxPods: 60, evictionHard: { 'nodefs.available': '10%', 'memory.available': '7%' } },
};
