import { JsonPatch } from 'cdk8s';
import { CERTIFICATES, configOf, manifestOf, problemsOf } from './bound';
import { NodeName } from '../../../../../src/constructs/contracts/node-name';
import { PoolContext } from '../../../../../src/constructs/contracts/node-pool/pool-context';
import { mergeNodeSetups, NodeSetup } from '../../../../../src/constructs/contracts/node-setup';
import { BootstrapFormat } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/bootstrap-format';
import { KubeadmBootstrapProps } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { ControlPlaneEndpoint } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { SchemaValidator } from '../../../../manifests/schema/validate';
import { bound, refused } from '../control-plane/bound';

const FORMAT = BootstrapFormat.IGNITION;

/** Options that Ignition has all of. */
const IGNITION: KubeadmBootstrapProps = {
  format: FORMAT,
  kubeletExtraArgs: [{ name: 'v', value: '2' }],
  files: [{ path: '/etc/motd', content: 'not a {# comment\n' }, { path: '/opt/example', content: 'AAECAw==', encoding: undefined }],
  preKubeadmCommands: ['systemctl enable --now containerd'],
  postKubeadmCommands: ['touch /var/lib/joined'],
  users: [{ name: 'ops', sudo: 'ALL=(ALL) NOPASSWD:ALL' }],
  ntp: { servers: ['ntp.example.com'] },
  diskSetup: { filesystems: [{ device: '/dev/vdb', filesystem: 'ext4', label: 'data' }] },
  mounts: [{ device: 'data', path: '/var/lib/containerd', options: ['noatime', 'nodev'] }],
  httpProxy: { httpProxy: 'http://proxy.example.com:3128' },
};

/** Problems of machines with Ignition, apart from the warning of the feature gate. */
function refusals(props: Partial<KubeadmBootstrapProps>, context: Partial<PoolContext> = {}, patches: readonly JsonPatch[] = []): string[] {
  return problemsOf({ format: FORMAT, ...props }, context, patches).map(({ id, text }) => `${id} ${text}`);
}

test('writes what Cluster API writes for Ignition', () => {
  const { format, mounts, files, preKubeadmCommands } = configOf(IGNITION);

  expect(problemsOf(IGNITION)).toEqual([]);
  expect(SchemaValidator.load().validate(manifestOf(IGNITION))).toEqual([]);
  expect(format).toBe('ignition');
  expect(mounts).toEqual([['data', '/var/lib/containerd', 'noatime,nodev']]);
  // /usr cannot be changed there.
  expect(files.map(({ path }: any) => path).filter((path: string) => path.startsWith('/usr'))).toEqual([]);
  expect(preKubeadmCommands).toEqual([...preKubeadmCommands.slice(0, -1).map(() => expect.stringMatching(/^\/opt\/bin\/cdk8s-cluster-api-/)), 'systemctl enable --now containerd']);
});

test('leaves the format of cloud-init unwritten', () => {
  expect(configOf({ format: BootstrapFormat.CLOUD_CONFIG })).toEqual(configOf());
});

test.each<[string, Partial<KubeadmBootstrapProps>, string]>([
  ['the name of a node', { nodeName: NodeName.LOCAL_HOSTNAME }, 'nodeName'],
  ['authorities below /usr', { trustedCas: [{ name: 'example', certificate: CERTIFICATES[0] }] }, 'trustedCas'],
  ['mirrors', { registryMirrors: [{ registry: 'docker.io', endpoints: ['https://mirror.example.com'] }] }, 'registryMirrors'],
  ['an end of a file', { files: [{ path: '/etc/motd', content: 'x', append: true }] }, 'files[0].append'],
  ['shares of a disk', { diskSetup: { partitions: [{ device: '/dev/vdb', shares: [{ percentage: 50 }, { percentage: 50 }] }] } }, 'diskSetup.partitions[0].shares'],
  ['a file system without label', { diskSetup: { filesystems: [{ device: '/dev/vdb', filesystem: 'ext4' }] } }, 'diskSetup.filesystems[0].label'],
  ['a mount of a device', { mounts: [{ device: '/dev/vdb', path: '/data' }] }, 'mounts[0].device'],
  ['the type of a mount', { ...IGNITION, mounts: [{ device: 'data', path: '/data', filesystem: 'ext4' }] }, 'mounts[0].filesystem'],
  ['a template in a command', { preKubeadmCommands: ['echo {{ ds.meta_data.hostname }}'] }, 'preKubeadmCommands[0]'],
  ['a template in a file', { files: [{ path: '/etc/motd', content: 'I am {{ v1.local_hostname }}\n' }] }, 'files[0].content'],
  ['a template in an argument', { kubeletExtraArgs: [{ name: 'provider-id', value: 'x:///{{ ds.meta_data.uuid }}' }] }, 'kubeletExtraArgs[0].value'],
])('refuses %s', (_, props, property) => {
  expect(refusals(props)).toContainEqual(expect.stringContaining(`TC-KUBEADM-IGNITION bootstrap.${property}: `));
});

test('refuses files that Cluster API writes, and what its webhook refuses', () => {
  expect(refusals({ files: [{ path: '/etc/kubeadm.yml', content: 'x' }] })).toEqual([expect.stringContaining('TC-KUBEADM-FILE-PATH-TAKEN bootstrap.files[0].path')]);
  expect(refusals({ bootCommands: ['modprobe br_netfilter'] })).toEqual([expect.stringContaining('TC-ADMIT-KUBEADM-IGNITION-FIELD bootstrap.bootCommands')]);
});

test('refuses an infrastructure that needs instance data', () => {
  expect(refusals({}, { nodeSetup: { address: '{{ ds.meta_data.local_ipv4 }}' } })).toContainEqual(expect.stringContaining('TC-KUBEADM-IGNITION bootstrap.format: the infrastructure takes the address'));
  expect(refusals({}, { nodeSetup: { nodeName: NodeName.METADATA_HOSTNAME } })).toEqual([expect.stringContaining('TC-KUBEADM-IGNITION bootstrap.format: the infrastructure takes the name')]);
  expect(refusals({}, { nodeSetup: { kubeletArguments: { 'provider-id': 'x:///{{ ds.meta_data.uuid }}' } } })).toEqual([
    expect.stringContaining('TC-KUBEADM-IGNITION bootstrap.format: the infrastructure or its machines need a template of instance data in kubeletArguments["provider-id"]'),
  ]);
  // Without a name, kubeadm takes that of the host.
  expect(refusals({}, { nodeSetup: { nodeName: NodeName.LOCAL_HOSTNAME } })).toEqual([]);
  expect(configOf({ format: FORMAT }, { nodeSetup: { nodeName: NodeName.LOCAL_HOSTNAME } }).joinConfiguration.nodeRegistration).not.toHaveProperty('name');
});

describe('parts of infrastructures for Ignition', () => {
  const CLOUD_INIT: NodeSetup = { nodeName: NodeName.METADATA_HOSTNAME, kubeletArguments: { 'cloud-provider': 'external', 'provider-id': 'x:///{{ ds.meta_data.uuid }}' }, preKubeadmCommands: ['echo {{ ds.meta_data.uuid }}'] };
  const ignition = { environmentFile: '/run/metadata/flatcar', nodeName: '${EXAMPLE_NAME}', kubeletArguments: { 'provider-id': 'x:///${EXAMPLE_ID}' }, preKubeadmCommands: ['echo first'] };
  const configIn = (nodeSetup: NodeSetup, props: Partial<KubeadmBootstrapProps> = {}) => configOf({ format: FORMAT, ...props }, { nodeSetup });

  test('take the place of those with instance data', () => {
    const { joinConfiguration: { nodeRegistration }, preKubeadmCommands } = configIn({ ...CLOUD_INIT, ignition });

    expect(refusals({}, { nodeSetup: { ...CLOUD_INIT, ignition } })).toEqual([]);
    expect(nodeRegistration).toMatchObject({
      name: '${EXAMPLE_NAME}', kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }, { name: 'provider-id', value: 'x:///${EXAMPLE_ID}' }],
    });
    expect(preKubeadmCommands).toEqual(['echo first', expect.any(String), expect.any(String), 'mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml']);
  });

  test('leave what they have no part for, and images with cloud-init', () => {
    expect(configIn({ preKubeadmCommands: ['echo both'], ignition: { environmentFile: '/etc/example' } }).preKubeadmCommands).toEqual(['echo both']);
    expect(configOf({}, { nodeSetup: { ...CLOUD_INIT, ignition } })).toEqual(configOf({}, { nodeSetup: CLOUD_INIT }));
    expect(refusals({}, { nodeSetup: { ...CLOUD_INIT, ignition: { ...ignition, kubeletArguments: {} } } })).toEqual([expect.stringContaining('instance data in kubeletArguments["provider-id"]')]);
  });

  test('replace their own variables only', () => {
    const { preKubeadmCommands: [, , replace] } = configIn({ ignition }, { kubeletExtraArgs: [{ name: 'v', value: '${HOME}' }] });
    const text = replace.replace('/etc/kubeadm.yml.tmp', '/dev/stdout').replace('< /etc/kubeadm.yml', '');

    expect(text).toBe('(umask 077 && envsubst \'${EXAMPLE_ID} ${EXAMPLE_NAME}\'  > /dev/stdout)');
  });

  test('of a machine are added to those of its infrastructure, whose machines keep commands of their own', () => {
    const merged = mergeNodeSetups({ preKubeadmCommands: ['echo cloud-init'], ignition }, { preKubeadmCommands: ['echo machine'], ignition: undefined });

    expect(merged.ignition).toMatchObject({ environmentFile: '/run/metadata/flatcar', nodeName: '${EXAMPLE_NAME}', preKubeadmCommands: ['echo first', 'echo machine'] });
    expect(mergeNodeSetups({}, {}).ignition).toBeUndefined();
  });

  test.each([
    [{ environmentFile: 'run/metadata' }, 'environmentFile: "run/metadata" is not an absolute path'],
    [{ environmentFile: '/run/a b' }, 'environmentFile: "/run/a b" is not an absolute path'],
    [{ requiredUnits: ['coreos-metadata'] }, 'requiredUnits[0]: "coreos-metadata" is not the name of a unit'],
    [{ enabledUnits: ['a.service\n[Service]'] }, 'enabledUnits[0]: "a.service\\n[Service]" is not the name of a unit'],
    [{ nodeName: 'worker' }, 'nodeName: "worker" has no variable'],
  ])('are refused: %j', (part, message) => {
    expect(refusals({}, { nodeSetup: { ignition: part } })).toEqual([expect.stringContaining(`TC-KUBEADM-NODE-SETUP machine.nodeSetup.ignition.${message}`)]);
  });
});

test('refuses a patch to the other format', () => {
  expect(refusals({}, {}, [JsonPatch.replace('/spec/template/spec/format', 'cloud-config')])).toEqual([expect.stringContaining('TC-KUBEADM-FORMAT spec.template.spec.format: "cloud-config"')]);
});

test('sets up control planes, too, with kube-vip', () => {
  const endpoint = ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'registry.example.com/kube-vip:v1.2.3' });
  const { problems, spec: { kubeadmConfigSpec } } = bound({ format: FORMAT, endpoint });

  expect(problems).toEqual([]);
  expect(kubeadmConfigSpec.format).toBe('ignition');
  expect(kubeadmConfigSpec.preKubeadmCommands).toEqual(['/opt/bin/cdk8s-cluster-api-kube-vip super-admin.conf || exit 1']);
  expect(kubeadmConfigSpec.postKubeadmCommands).toEqual(['/opt/bin/cdk8s-cluster-api-kube-vip admin.conf']);
  expect(refused({ format: FORMAT, nodeName: NodeName.INSTANCE_ID })).toContainEqual(expect.stringContaining('TC-KUBEADM-IGNITION controlPlane.nodeName'));
});
