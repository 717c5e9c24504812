import { Duration, JsonPatch } from 'cdk8s';
import { CERTIFICATES, problemsOf, SSH_KEY } from './bound';
import {
  BootstrapFile, FileContentFormat, FileEncoding,
} from '../../../../../src/constructs/contracts/bootstrap-file';
import { NodeName } from '../../../../../src/constructs/contracts/node-name';
import { PoolContext } from '../../../../../src/constructs/contracts/node-pool/pool-context';
import { PartitionTable, PartitionType } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/disk-setup';
import { KubeadmBootstrapProps } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { clusterContext } from '../../../../support/contexts';

interface Case {
  readonly props?: KubeadmBootstrapProps;
  readonly context?: Partial<PoolContext>;
  readonly patches?: JsonPatch[];
  readonly id: string;
  readonly says: string[];
}

const file = (given: Partial<BootstrapFile>): KubeadmBootstrapProps => ({ files: [{ path: '/a', ...given }] });
const long = 'x'.repeat(10241);
const PRIVATE_KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nTOPSECRET\n-----END OPENSSH PRIVATE KEY-----';

const FORBIDDING: Partial<PoolContext> = {
  cluster: clusterContext({ infrastructure: { clusterKind: 'ExampleCluster', forbiddenUserData: [{ text: 'runcmd:', reason: 'it would be torn apart' }] } }),
};

const CASES: { [name: string]: Case } = {
  'too many files, the library\'s own counted': {
    props: { files: Array.from({ length: 199 }, (_, index) => ({ path: `/f${index}`, content: 'x' })), registryMirrors: [{ registry: 'a.io', endpoints: ['http://b'] }] },
    id: 'TC-ADMIT-FIELD-VALUE',
    says: ['bootstrap.files: it has 201 entries', 'at most 200'],
  },
  'too many phases': { props: { skipPhases: Array.from({ length: 51 }, (_, index) => `phase-${index}`) }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.skipPhases: it has 51 entries'] },
  'text that YAML reads otherwise': {
    props: { users: [{ name: 'a', gecos: 'Jane: root' }] },
    id: 'TC-KUBEADM-PLAIN-TEXT',
    says: ['bootstrap.users[0].gecos', '"Jane: root" has ": "'],
  },
  'a mount option that YAML reads otherwise': {
    props: { mounts: [{ device: '*x', path: '/x' }] },
    id: 'TC-KUBEADM-PLAIN-TEXT',
    says: ['bootstrap.mounts[0].device', '"*x" starts with "*"'],
  },
  'a number as an argument of mkfs': {
    props: { diskSetup: { filesystems: [{ device: '/dev/vdb', filesystem: 'ext4', extraOpts: ['-b', '4096'] }] } },
    id: 'TC-KUBEADM-PLAIN-TEXT',
    says: ['bootstrap.diskSetup.filesystems[0].extraOpts[1]', '"4096"', '"-b4096"'],
  },
  'a comment of Jinja in a file': {
    props: file({ content: 'echo ${#list[@]}' }), id: 'TC-KUBEADM-JINJA', says: ['bootstrap.files[0].content', '"{#"', 'base64'],
  },
  'an open tag of Jinja in a command': {
    props: { preKubeadmCommands: ['true', 'docker ps --format {{.Names'] }, id: 'TC-KUBEADM-JINJA', says: ['bootstrap.preKubeadmCommands[1]', '"{{"', '{% raw %}'],
  },
  'a comment of Jinja in an argument': {
    props: { kubeletExtraArgs: [{ name: 'node-ip', value: '{#' }] }, id: 'TC-KUBEADM-JINJA', says: ['bootstrap.kubeletExtraArgs[0].value'],
  },
  'a comment of Jinja in the name of a check': {
    props: { ignorePreflightErrors: ['Swap', '{# x'] }, id: 'TC-KUBEADM-JINJA', says: ['bootstrap.ignorePreflightErrors[1]'],
  },
  'a comment of Jinja in the kubelet options': {
    context: { kubeletConfiguration: { systemCgroups: '{#' } }, id: 'TC-KUBEADM-JINJA', says: ['kubelet: the text has "{#"'],
  },
  'a comment of Jinja in a patch': {
    patches: [JsonPatch.add('/spec/template/spec/postKubeadmCommands', ['true', '{#'])], id: 'TC-KUBEADM-JINJA', says: ['spec.template.spec.postKubeadmCommands[1]'],
  },
  'the name of a Secret': {
    props: file({ secret: { name: 'A_b', key: 'k' } }), id: 'TC-KUBEADM-SECRET-REF', says: ['bootstrap.files[0].secret.name', '"A_b"'],
  },
  'the key of a Secret': {
    props: { users: [{ name: 'a', passwordFrom: { name: 's', key: 'a/b' } }] }, id: 'TC-KUBEADM-SECRET-REF', says: ['bootstrap.users[0].passwordFrom.key', '"a/b"'],
  },
  'a key of a Secret that is a folder': {
    props: file({ secret: { name: 's', key: '..' } }), id: 'TC-KUBEADM-SECRET-REF', says: ['bootstrap.files[0].secret.key', '".."'],
  },
  'more than a Secret holds': {
    props: { files: Array.from({ length: 110 }, (_, index) => ({ path: `/f${index}`, content: `${'x'.repeat(9600)}` })) },
    id: 'TC-KUBEADM-DATA-SIZE',
    says: ['bootstrap: files and commands are 1056660 bytes together', 'at most 1048576'],
  },
  'a file that the provider would take apart': {
    props: file({ content: 'before\nruncmd: x' }),
    context: FORBIDDING,
    id: 'TC-KUBEADM-FORBIDDEN-TEXT',
    says: ['bootstrap.files[0].content: it contains "runcmd:": it would be torn apart', 'base64'],
  },
  'a boot command that the provider would take apart': {
    props: { bootCommands: ['true', 'echo runcmd:'] },
    context: FORBIDDING,
    id: 'TC-KUBEADM-FORBIDDEN-TEXT',
    says: ['bootstrap.bootCommands[1]: it contains "runcmd:"', 'break the text up with quotes, which the shell removes: r""uncmd:'],
  },
  'an argument that the provider would take apart': {
    props: { kubeletExtraArgs: [{ name: 'node-ip', value: 'runcmd:' }] },
    context: FORBIDDING,
    id: 'TC-KUBEADM-FORBIDDEN-TEXT',
    says: ['bootstrap.kubeletExtraArgs[0].value', 'choose a value'],
  },
  'kubelet options that the provider would take apart': {
    context: { ...FORBIDDING, kubeletConfiguration: { systemCgroups: 'runcmd:' } }, id: 'TC-KUBEADM-FORBIDDEN-TEXT', says: ['kubelet: it contains', 'choose a value'],
  },
  'another format': { patches: [JsonPatch.add('/spec/template/spec/format', 'ignition')], id: 'TC-KUBEADM-FORMAT', says: ['spec.template.spec.format: "ignition"'] },
  'a name that is no entry': {
    props: { nodeName: NodeName.fromInstanceData('ds.x }} {{ y') }, id: 'TC-KUBEADM-NODE-NAME', says: ['bootstrap.nodeName: "ds.x }} {{ y" is not an entry'],
  },
  'a name that several machines have': {
    props: { nodeName: NodeName.fromInstanceData('v1.region') }, id: 'TC-KUBEADM-NODE-NAME', says: ['bootstrap.nodeName: "v1.region" may be the same'],
  },
  'an empty command': { props: { bootCommands: ['true', ''] }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.bootCommands[1]: it is empty'] },
  'a long command': { props: { postKubeadmCommands: [long] }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.postKubeadmCommands[0]: it has 10241 characters', 'at most 10240'] },
  'a socket without scheme': { props: { criSocket: '/run/crio.sock' }, id: 'TC-KUBEADM-CRI-SOCKET', says: ['bootstrap.criSocket', '"/run/crio.sock"'] },
  'a nameless check': { props: { ignorePreflightErrors: ['Swap', ' '] }, id: 'TC-KUBEADM-JOIN-OPTION', says: ['bootstrap.ignorePreflightErrors[1]', '" "'] },
  'a nameless phase': { props: { skipPhases: [''] }, id: 'TC-KUBEADM-JOIN-OPTION', says: ['bootstrap.skipPhases[0]'] },
  'half a second': { props: { timeouts: { discovery: Duration.millis(500) } }, id: 'TC-KUBEADM-TIMEOUT', says: ['bootstrap.timeouts.discovery', '0.5 seconds'] },
  'a log level': { props: { verbosity: 1.5 }, id: 'TC-ADMIT-FIELD-TYPE', says: ['bootstrap.verbosity', '1.5'] },
  'a log level below 0': { props: { verbosity: -1 }, id: 'TC-KUBEADM-VERBOSITY', says: ['bootstrap.verbosity: -1'] },
  'a long name of a phase': { props: { skipPhases: ['x'.repeat(257)] }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.skipPhases[0]: it has 257 characters'] },
  'a long remark': { props: { users: [{ name: 'a', gecos: 'x'.repeat(257) }] }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.users[0].gecos: it has 257 characters'] },
  'a long mount option': { props: { mounts: [{ device: '/dev/vdb', path: '/x', options: ['x'.repeat(513)] }] }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.mounts[0].options: it has 513 characters'] },
  'an unknown flag': {
    props: { kubeletExtraArgs: [{ name: 'node-iq', value: '192.0.2.1' }] }, id: 'TC-TRAP-KUBEADM-ARGUMENT', says: ['bootstrap.kubeletExtraArgs[0]', '--node-iq', 'did you mean node-ip'],
  },
  'a repeated flag': {
    props: { kubeletExtraArgs: [{ name: 'v', value: '1' }, { name: 'v', value: '2' }] }, id: 'TC-ADMIT-KUBEADM-ARGUMENT', says: ['bootstrap.kubeletExtraArgs[1].name', '"v" is listed twice'],
  },
  'a flag over a field of the pool': {
    props: { kubeletExtraArgs: [{ name: 'max-pods', value: '20' }] },
    context: { kubeletConfiguration: { maxPods: 60 } },
    id: 'TC-KUBEADM-KUBELET-ARGUMENT',
    says: ['override maxPods'],
  },
  'a long argument': {
    props: { kubeletExtraArgs: [{ name: 'vmodule', value: `a=1,${'b=2,'.repeat(260)}c=3` }] },
    id: 'TC-ADMIT-FIELD-VALUE',
    says: ['bootstrap.kubeletExtraArgs[0].value', '1047 characters'],
  },
  'an argument that falls apart': {
    props: { kubeletExtraArgs: [{ name: 'v', value: '2' }, { name: 'node-ip', value: '{{ ds.meta_data.ip }} 192.0.2.1' }] },
    id: 'TC-KUBEADM-KUBELET-ARGUMENT-TEXT',
    says: ['bootstrap.kubeletExtraArgs[1].value', 'white space'],
  },
  'many labels': {
    context: { nodeLabels: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`example.com/label-${index + 10}`, 'y'.repeat(20)])) },
    id: 'TC-ADMIT-FIELD-VALUE',
    says: ['labels: it has 1259 characters'],
  },
  'no source': { props: file({}), id: 'TC-KUBEADM-FILE-SOURCE', says: ['bootstrap.files[0]:', '"/a" has neither'] },
  'two sources': { props: file({ content: 'x', secret: { name: 's', key: 'k' } }), id: 'TC-ADMIT-KUBEADM-FILE-SOURCE', says: ['bootstrap.files[0]: the file has both'] },
  'no content': { props: file({ content: '' }), id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.files[0].content', 'empty'] },
  'long content': { props: file({ content: long }), id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.files[0].content: it has 10241 characters'] },
  'a long configuration of the kubelet': {
    context: { kubeletConfiguration: { allowedUnsafeSysctls: Array.from({ length: 1000 }, (_, index) => `net.${index}`) } },
    id: 'TC-ADMIT-FIELD-VALUE',
    says: ['kubelet.configuration: it has 15008 characters'],
  },
  'indented content': { props: file({ content: '  a\nb' }), id: 'TC-KUBEADM-FILE-TEXT', says: ['bootstrap.files[0].content', 'starts with a space', 'FileEncoding.BASE64'] },
  'content that is not base64': { props: file({ content: 'a b', encoding: FileEncoding.BASE64 }), id: 'TC-KUBEADM-FILE-ENCODING', says: ['not base64'] },
  'content that is not gzip': { props: file({ content: 'AAEC', encoding: FileEncoding.GZIP_BASE64 }), id: 'TC-KUBEADM-FILE-ENCODING', says: ['not of gzip'] },
  'a private key in a file': { props: file({ content: PRIVATE_KEY }), id: 'TC-KUBEADM-FILE-PRIVATE-KEY', says: ['"/a" holds a private key'] },
  'a relative path': { props: file({ path: 'etc/x', content: 'x' }), id: 'TC-KUBEADM-FILE-PATH', says: ['bootstrap.files[0].path', '"etc/x" is not an absolute path'] },
  'a roundabout path': { props: file({ path: '/etc/../x/', content: 'x' }), id: 'TC-KUBEADM-FILE-PATH', says: ['"/etc/../x/"', 'write "/x"'] },
  'a long path': { props: file({ path: `/${'x'.repeat(512)}`, content: 'x' }), id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.files[0].path: it has 513 characters'] },
  'two files at one path': {
    props: { files: [{ path: '/a', content: 'x' }, { path: '/a', content: 'y' }] },
    id: 'TC-ADMIT-KUBEADM-FILE-PATH',
    says: ['bootstrap.files[1].path: "/a" is already the path of another file'],
  },
  'a file that kubeadm writes': { props: file({ path: '/etc/kubernetes/kubelet.conf', content: 'x' }), id: 'TC-KUBEADM-FILE-PATH-TAKEN', says: ['by kubeadm, which does not join'] },
  'a file that Cluster API writes': { props: file({ path: '/run/kubeadm/kubeadm-join-config.yaml', content: 'x' }), id: 'TC-KUBEADM-FILE-PATH-TAKEN', says: ['by Cluster API'] },
  'a file that a mirror writes': {
    props: { ...file({ path: '/etc/containerd/certs.d/a.io/hosts.toml', content: 'x' }), registryMirrors: [{ registry: 'a.io', endpoints: ['http://b'] }] },
    id: 'TC-ADMIT-KUBEADM-FILE-PATH',
    says: ['bootstrap.files[0].path: "/etc/containerd/certs.d/a.io/hosts.toml" is already'],
  },
  'the patch of the kubelet': {
    props: file({ path: '/etc/kubernetes/patches/kubeletconfiguration+strategic.json', content: 'x' }),
    context: { kubeletConfiguration: { maxPods: 60 } },
    id: 'TC-ADMIT-KUBEADM-FILE-PATH',
    says: ['bootstrap.files[0].path:'],
  },
  'permissions': { props: file({ content: 'x', permissions: 'rw-' }), id: 'TC-KUBEADM-FILE-PERMISSIONS', says: ['bootstrap.files[0].permissions', '"rw-"'] },
  'a long owner': { props: file({ content: 'x', owner: 'r'.repeat(257) }), id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.files[0].owner: it has 257 characters'] },
  'an owner': { props: file({ content: 'x', owner: 'root root' }), id: 'TC-KUBEADM-FILE-OWNER', says: ['bootstrap.files[0].owner', '"root root"'] },
  'a login name': { props: { users: [{ name: 'Ops' }] }, id: 'TC-KUBEADM-USER-NAME', says: ['bootstrap.users[0].name', '"Ops"'] },
  'a login name that is a truth value': { props: { users: [{ name: 'no' }] }, id: 'TC-KUBEADM-USER-NAME', says: ['"no" reads as'] },
  'a user twice': { props: { users: [{ name: 'a' }, { name: 'a' }] }, id: 'TC-KUBEADM-USER-NAME', says: ['bootstrap.users[1].name', '"a" is there twice'] },
  'a private key as a public one': { props: { users: [{ name: 'a', sshAuthorizedKeys: [PRIVATE_KEY] }] }, id: 'TC-KUBEADM-SSH-KEY', says: ['bootstrap.users[0].sshAuthorizedKeys[0]', 'a private key'] },
  'a cut key': { props: { users: [{ name: 'a', sshAuthorizedKeys: [SSH_KEY.replace('AAAAC3', '')] }] }, id: 'TC-KUBEADM-SSH-KEY', says: ['not one of type ssh-ed25519'] },
  'a key of another kind': { props: { users: [{ name: 'a', sshAuthorizedKeys: ['ssh-dss AAAA'] }] }, id: 'TC-KUBEADM-SSH-KEY', says: ['not a public key of OpenSSH'] },
  'two keys in one': { props: { users: [{ name: 'a', sshAuthorizedKeys: [`${SSH_KEY}\n${SSH_KEY}`] }] }, id: 'TC-KUBEADM-SSH-KEY', says: ['line break'] },
  'a long key': { props: { users: [{ name: 'a', sshAuthorizedKeys: [`${SSH_KEY}${'x'.repeat(2048)}`] }] }, id: 'TC-ADMIT-FIELD-VALUE', says: ['bootstrap.users[0].sshAuthorizedKeys[0]:', 'at most 2048'] },
  'no time server': { props: { ntp: {} }, id: 'TC-KUBEADM-NTP-SERVERS', says: ['bootstrap.ntp.servers', 'no time server'] },
  'a time server with a port': { props: { ntp: { servers: ['a.example.com', 'b:123'] } }, id: 'TC-KUBEADM-NTP-SERVERS', says: ['bootstrap.ntp.servers[1]', '"b:123"'] },
  'a mount point': { props: { mounts: [{ device: '/dev/vdb', path: 'data' }] }, id: 'TC-KUBEADM-MOUNT-PATH', says: ['bootstrap.mounts[0].path', '"data"'] },
  'one mount over another': {
    props: { mounts: [{ device: '/dev/vdb', path: '/data' }, { device: '/dev/vdc', path: '/data' }] }, id: 'TC-KUBEADM-MOUNT-PATH', says: ['bootstrap.mounts[1].path', 'second entry'],
  },
  'a disk without layout': { props: { diskSetup: { partitions: [{ device: '/dev/vdb' }] } }, id: 'TC-ADMIT-KUBEADM-DISK-LAYOUT', says: ['bootstrap.diskSetup.partitions[0]:', 'neither'] },
  'a disk with two layouts': {
    props: { diskSetup: { partitions: [{ device: '/dev/vdb', layout: true, shares: [{ percentage: 10 }] }] } }, id: 'TC-ADMIT-KUBEADM-DISK-LAYOUT', says: ['both'],
  },
  'shares of more than a disk': {
    props: { diskSetup: { partitions: [{ device: '/dev/vdb', shares: [{ percentage: 60 }, { percentage: 50 }] }] } },
    id: 'TC-ADMIT-KUBEADM-DISK-SHARES',
    says: ['bootstrap.diskSetup.partitions[0].shares: the shares are 110% together'],
  },
  'half a percent': {
    props: { diskSetup: { partitions: [{ device: '/dev/vdb', shares: [{ percentage: 0.5 }] }] } },
    id: 'TC-ADMIT-FIELD-TYPE',
    says: ['bootstrap.diskSetup.partitions[0].shares[0].percentage: 0.5 is not a whole number'],
  },
  'a disk twice': {
    props: { diskSetup: { partitions: [{ device: '/dev/vdb', layout: true }, { device: '/dev/vdb', layout: false }] } },
    id: 'TC-KUBEADM-DISK-DEVICE-TAKEN',
    says: ['bootstrap.diskSetup.partitions[1].device', '"/dev/vdb" is there twice'],
  },
  'an unknown partition type': {
    props: { diskSetup: { partitions: [{ device: '/dev/vdb', table: PartitionTable.GPT, shares: [{ percentage: 10, partitionType: PartitionType.of('ZFS') }] }] } },
    id: 'TC-ADMIT-KUBEADM-PARTITION-TYPE',
    says: ['bootstrap.diskSetup.partitions[0].shares[0].partitionType', '"ZFS"'],
  },
  'a GUID without GPT': {
    props: { diskSetup: { partitions: [{ device: '/dev/vdb', shares: [{ percentage: 10, partitionType: PartitionType.guid('0FC63DAF-8483-4772-8E79-3D69D8477DE4') }] }] } },
    id: 'TC-TRAP-KUBEADM-PARTITION-TYPE',
    says: ['bootstrap.diskSetup.partitions[0].shares[0].partitionType', 'which only a GPT has'],
  },
  'a registry with a path': {
    props: { registryMirrors: [{ registry: 'docker.io/library', endpoints: ['http://a'] }] }, id: 'TC-KUBEADM-MIRROR-REGISTRY', says: ['bootstrap.registryMirrors[0].registry', '"docker.io/library"'],
  },
  'a registry twice': {
    props: { registryMirrors: [{ registry: 'a.io', endpoints: ['http://b'] }, { registry: 'a.io', endpoints: ['http://c'] }] },
    id: 'TC-KUBEADM-MIRROR-REGISTRY',
    says: ['bootstrap.registryMirrors[1].registry: "a.io" has another entry. Fix: join the endpoints of the two in one entry.'],
  },
  'a registry in upper case': {
    props: { registryMirrors: [{ registry: 'A.io', endpoints: ['http://b'] }] },
    id: 'TC-KUBEADM-MIRROR-REGISTRY',
    says: ['bootstrap.registryMirrors[0].registry: containerd finds no mirror below "A.io": it looks for "a.io". Fix: write "a.io".'],
  },
  'Docker Hub by its old name': {
    props: { registryMirrors: [{ registry: 'index.docker.io', endpoints: ['http://b'] }] }, id: 'TC-KUBEADM-MIRROR-REGISTRY', says: ['write "docker.io"'],
  },
  'a registry with the default port': {
    props: { registryMirrors: [{ registry: 'a.io:443', endpoints: ['http://b'] }] }, id: 'TC-KUBEADM-MIRROR-REGISTRY', says: ['write "a.io"'],
  },
  'a part of Docker Hub\'s path': {
    props: { registryMirrors: [{ registry: 'library', endpoints: ['http://b'] }] }, id: 'TC-KUBEADM-MIRROR-REGISTRY', says: ['"library" is not the name of a registry. Accepted: a host with a dot or a port'],
  },
  'no endpoint': { props: { registryMirrors: [{ registry: 'a.io', endpoints: [] }] }, id: 'TC-KUBEADM-MIRROR-ENDPOINT', says: ['bootstrap.registryMirrors[0].endpoints', '"a.io" has no endpoint'] },
  'an endpoint twice': { props: { registryMirrors: [{ registry: 'a.io', endpoints: ['http://b', 'http://b'] }] }, id: 'TC-KUBEADM-MIRROR-ENDPOINT', says: ['endpoints[1]', 'twice'] },
  'an endpoint without the path that it should have': {
    props: { registryMirrors: [{ registry: 'a.io', endpoints: ['http://b/v2/c', 'http://b/'], overridePath: true }] },
    id: 'TC-KUBEADM-MIRROR-ENDPOINT',
    says: ['endpoints[1]: "http://b/" has no path'],
  },
  'an endpoint without scheme': { props: { registryMirrors: [{ registry: 'a.io', endpoints: ['b.example.com'] }] }, id: 'TC-KUBEADM-MIRROR-ENDPOINT', says: ['"b.example.com" is not a URL'] },
  'an endpoint that would leave its quotes': {
    props: { registryMirrors: [{ registry: 'a.io', endpoints: ['https://b/"]\nx = "'] }] }, id: 'TC-KUBEADM-MIRROR-ENDPOINT', says: ['characters that a URL writes as %XX'],
  },
  'an endpoint with a password': { props: { registryMirrors: [{ registry: 'a.io', endpoints: ['https://u:TOPSECRET@b'] }] }, id: 'TC-KUBEADM-MIRROR-ENDPOINT', says: ['credentials'] },
  'no proxy': { props: { httpProxy: {} }, id: 'TC-KUBEADM-PROXY-URL', says: ['bootstrap.httpProxy: no proxy is named'] },
  'a proxy without scheme': { props: { httpProxy: { httpProxy: 'proxy:3128' } }, id: 'TC-KUBEADM-PROXY-URL', says: ['bootstrap.httpProxy.httpProxy', '"proxy:3128"'] },
  'a proxy with a password': {
    props: { httpProxy: { httpsProxy: 'http://u:TOPSECRET@proxy:3128' } }, id: 'TC-KUBEADM-PROXY-URL', says: ['bootstrap.httpProxy.httpsProxy', 'credentials', 'Secret'],
  },
  'two exceptions in one': { props: { httpProxy: { httpProxy: 'http://p', noProxy: ['a,b'] } }, id: 'TC-KUBEADM-NO-PROXY', says: ['bootstrap.httpProxy.noProxy[0]', '"a,b"'] },
  'the name of a certificate': { props: { trustedCas: [{ name: 'A', certificate: CERTIFICATES[0] }] }, id: 'TC-KUBEADM-CA-NAME', says: ['bootstrap.trustedCas[0].name', '"A"'] },
  'a certificate\'s name twice': {
    props: { trustedCas: [{ name: 'a', certificate: CERTIFICATES[0] }, { name: 'a', certificate: CERTIFICATES[1] }] },
    id: 'TC-KUBEADM-CA-NAME',
    says: ['bootstrap.trustedCas[1].name: "a" is the name of another certificate'],
  },
  'text that is no certificate': { props: { trustedCas: [{ name: 'a', certificate: 'TOPSECRET' }] }, id: 'TC-KUBEADM-CA-CERTIFICATE', says: ['bootstrap.trustedCas[0].certificate', 'not a certificate'] },
  'a broken certificate': {
    props: { trustedCas: [{ name: 'a', certificate: CERTIFICATES[0].replace('MIIB', 'MIIC') }] }, id: 'TC-KUBEADM-CA-CERTIFICATE', says: ['not a certificate'],
  },
  'two certificates': { props: { trustedCas: [{ name: 'a', certificate: CERTIFICATES.join('') }] }, id: 'TC-KUBEADM-CA-CERTIFICATE', says: ['2 certificates', 'an entry of each'] },
  'a private key beside a certificate': {
    props: { trustedCas: [{ name: 'a', certificate: `${CERTIFICATES[0]}${PRIVATE_KEY}` }] }, id: 'TC-KUBEADM-CA-CERTIFICATE', says: ['holds a private key'],
  },
};

test.each(Object.entries(CASES))('%s is refused', (_, { props = {}, context = {}, patches, id, says }) => {
  const problems = problemsOf(props, context, patches);
  const found = problems.filter((problem) => problem.id === id);
  expect(problems.map((problem) => problem.id)).toContain(id);
  expect(found.map((problem) => problem.path)).toEqual(found.map(() => 'test'));
  for (const part of says) {
    expect(found.map((problem) => problem.text).join('\n')).toContain(part);
  }
  expect(JSON.stringify(problems)).not.toContain('TOPSECRET');
});

test.each(['bootstrap-kubeconfig', 'cloud-provider', 'config', 'container-runtime-endpoint', 'hostname-override', 'kubeconfig', 'node-labels', 'register-with-taints'])(
  'nobody else sets --%s', (name) => {
    expect(problemsOf({ kubeletExtraArgs: [{ name, value: 'x' }] })).toMatchObject([
      { id: 'TC-KUBEADM-KUBELET-ARGUMENT', text: expect.stringMatching(`bootstrap.kubeletExtraArgs\\[0\\]: kubelet cannot be given --${name}, because `) },
    ]);
  });

test('one mistake is one problem', () => {
  expect(problemsOf({ diskSetup: { partitions: [{ device: '/dev/vdb', shares: [{ percentage: 101 }] }] } })).toMatchObject([{ id: 'TC-ADMIT-FIELD-VALUE', text: expect.stringMatching(/^bootstrap\.diskSetup\.partitions\[0\]\.shares\[0\]\.percentage: 101 is too large/) }]);
  expect(problemsOf({ trustedCas: [{ name: 'a', certificate: CERTIFICATES[0] }, { name: 'a', certificate: CERTIFICATES[1] }] })).toHaveLength(1);
  expect(problemsOf(file({ content: long, encoding: FileEncoding.BASE64 }))).toHaveLength(1);
  expect(problemsOf({ mounts: [{ device: '{#', path: '/x' }], criSocket: 'unix:///{#' }).map(({ id }) => id).sort()).toEqual(['TC-KUBEADM-CRI-SOCKET', 'TC-KUBEADM-PLAIN-TEXT']);
  expect(problemsOf({ kubeletExtraArgs: [{ name: 'node-ip', value: '{{ x' }] })).toHaveLength(1);
  expect(problemsOf(file({ path: '/{#', content: 'x' }))).toHaveLength(1);
});

test('a command counts from the user\'s first one', () => {
  expect(problemsOf({ preKubeadmCommands: ['true', ''], trustedCas: [{ name: 'a', certificate: CERTIFICATES[0] }] })).toMatchObject([{ id: 'TC-ADMIT-FIELD-VALUE', text: expect.stringMatching(/^bootstrap\.preKubeadmCommands\[1\]: it is empty/) }]);
});

test('a Go template may have tags of its own', () => {
  expect(problemsOf(file({ content: '{{/* {# */}}', contentFormat: FileContentFormat.TEMPLATE }))).toEqual([]);
});

test('deprecated flags still work', () => {
  expect(problemsOf({ kubeletExtraArgs: [{ name: 'max-pods', value: '20' }] })).toEqual([]);
});

test.each([
  SSH_KEY, SSH_KEY.replace(' ops@example.com', ''), `from="192.0.2.0/24" ${SSH_KEY}`,
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMu+8myDWrM7dFUICVtIOURgQg9dhm4ARd0uwFl2KzpYxtjqf84YOwnLna5/3e67QPVmuFVdVcvUuZrhng+e9pQ= a',
])('a public key is taken: %s', (key) => {
  expect(problemsOf({ users: [{ name: 'a', sshAuthorizedKeys: [key] }] })).toEqual([]);
});
