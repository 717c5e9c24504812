import { Duration, JsonPatch, Size } from 'cdk8s';
import { bound, machineContext, MACHINE, refused } from './bound';
import { FileEncoding } from '../../../../../src/constructs/contracts/bootstrap-file';
import { NodeName } from '../../../../../src/constructs/contracts/node-name';
import { HealthCheck } from '../../../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../../../src/constructs/contracts/node-pool/machine-count';
import { KubeadmCoreDns } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/addons';
import { KubeadmEncryptionAlgorithm } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/certificates';
import { KubeadmEtcd, KubeadmStackedEtcdOptions } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/etcd';
import { KubeadmControlPlaneProps } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { TaintEffect } from '../../../../../src/manifests/values/taints';
import { ExampleMachine } from '../../../../support/strategies';

const stacked = (options: KubeadmStackedEtcdOptions): Partial<KubeadmControlPlaneProps> => ({ etcd: KubeadmEtcd.stacked(options) });
const external = (endpoints: string[]): Partial<KubeadmControlPlaneProps> => ({ etcd: KubeadmEtcd.external({ endpoints }) });
const apiServer = (name: string, value: string): Partial<KubeadmControlPlaneProps> => ({ apiServer: { extraArgs: [{ name, value }] } });
const volume = (mountPath: string) => ({ name: 'a', hostPath: '/a', mountPath });
const machine = (cpu: number, mebibytes: number) => new ExampleMachine({ cpu, memory: Size.mebibytes(mebibytes) });
const auditLog = (path: string, maxbackup: string) => [{ name: 'audit-log-path', value: path }, { name: 'audit-log-maxbackup', value: maxbackup }];
const MANY = Array.from({ length: 101 }, (_, index) => index);

/** Each line: the rule, a bad value, and what the entry says: the property and what was given. */
const BAD: [string, Partial<KubeadmControlPlaneProps>, string[]][] = [
  ['TC-KUBEADM-CP-INFRASTRUCTURE', { machine: Object.assign(new ExampleMachine(), { infrastructureKind: 'OtherCluster' }) }, ['controlPlane.machine:', 'OtherCluster', 'ExampleCluster']],
  ['TC-KUBEADM-CP-MACHINE-SIZE', { machine: machine(1, 4096) }, ['controlPlane.machine:', '1 CPU']],
  ['TC-KUBEADM-CP-MACHINE-SIZE', { machine: machine(2, 1699) }, ['1699 MiB']],
  ['TC-ADMIT-KCP-REPLICAS', { replicas: 0 }, ['controlPlane.replicas:', '0 machines', 'odd numbers from 1', 'ask for 3']],
  ['TC-ADMIT-FIELD-TYPE', { replicas: 1.5 }, ['controlPlane.replicas: 1.5 is not a whole number']],
  ['TC-ADMIT-KCP-REPLICAS', { replicas: 4 }, ['controlPlane.replicas:', '4 members', 'odd numbers']],
  ['TC-ADMIT-FIELD-VALUE', { replicas: -2, ...external(['https://etcd.example.com:2379']) }, ['controlPlane.replicas: -2 is too small']],
  ['TC-ADMIT-KCP-MAX-SURGE', { rollout: { maxSurge: 2 } }, ['controlPlane.rollout.maxSurge:', '2 machines', '0 and 1']],
  ['TC-ADMIT-FIELD-TYPE', { replicas: 3.5, rollout: { maxSurge: 0 } }, ['controlPlane.replicas: 3.5']],
  ['TC-ADMIT-KCP-MAX-SURGE', { replicas: 1, rollout: { maxSurge: 0 } }, ['one of 1 machines']],
  ['TC-ADMIT-FIELD-VALUE', { rollout: { beforeCertificateExpiry: Duration.days(6) } }, ['controlPlane.rollout.beforeCertificateExpiry: 6 is too small', 'at least 7']],
  ['TC-ADMIT-KCP-ROLLOUT-BEFORE', { rollout: { beforeCertificateExpiry: Duration.days(365) } }, ['controlPlane.rollout.beforeCertificateExpiry:', '365 days', 'fewer than 365']],
  ['TC-ADMIT-FIELD-TYPE', { rollout: { beforeCertificateExpiry: Duration.hours(180) } }, ['controlPlane.rollout.beforeCertificateExpiry: 7.5 is not a whole number']],
  ['TC-ADMIT-FIELD-VALUE', { rollout: { after: 'tomorrow' } }, ['controlPlane.rollout.after:', '"tomorrow"']],
  ['TC-ADMIT-FIELD-VALUE', { rollout: { after: '2026-03-09t09:00:00z' } }, ['controlPlane.rollout.after:', '09t09']],
  ['TC-ADMIT-FIELD-VALUE', { rollout: { after: '2026-13-09T09:00:00Z' } }, ['2026-13-09']],
  ['TC-KUBEADM-CP-REMEDIATION', { remediation: { maxRetry: -1 } }, ['controlPlane.remediation.maxRetry:', '-1 is not']],
  ['TC-ADMIT-FIELD-TYPE', { remediation: { maxRetry: 0.5 } }, ['controlPlane.remediation.maxRetry: 0.5 is not a whole number']],
  ['TC-ADMIT-FIELD-TYPE', { remediation: { retryPeriod: Duration.millis(1500) } }, ['controlPlane.remediation.retryPeriod: 1.5 is not a whole number']],
  ['TC-KUBEADM-CP-IN-FLIGHT', { healthCheck: HealthCheck.of({ maxInFlight: MachineCount.absolute(1) }) }, ['controlPlane.healthCheck.maxInFlight:', 'one at a time']],
  ['TC-ADMIT-FIELD-VALUE', { certificateValidity: Duration.days(1096) }, ['controlPlane.certificateValidity: 1096 is too large', 'at most 1095']],
  ['TC-ADMIT-FIELD-TYPE', { certificateValidity: Duration.hours(36) }, ['controlPlane.certificateValidity: 1.5 is not a whole number']],
  ['TC-ADMIT-FIELD-VALUE', { caCertificateValidity: Duration.days(36501) }, ['controlPlane.caCertificateValidity: 36501 is too large']],
  ['TC-ADMIT-KCP-CERTIFICATE', { caCertificateValidity: Duration.days(300) }, ['controlPlane.certificateValidity: certificates of 365 days', 'at most 300']],
  ['TC-KUBEADM-CP-CERTIFICATE-NAME', { certSans: ['api.example.com:6443'] }, ['controlPlane.certSans[0]:', 'has a port']],
  ['TC-ADMIT-FIELD-VALUE', { certSans: MANY.map((index) => `api-${index}.example.com`) }, ['controlPlane.certSans: it has 101 entries']],
  ['TC-KUBEADM-CP-CERTIFICATE-NAME', stacked({ serverCertSans: ['a b'] }), ['controlPlane.etcd.serverCertSans[0]:']],
  ['TC-KUBEADM-CP-CERTIFICATE-NAME', stacked({ peerCertSans: [''] }), ['controlPlane.etcd.peerCertSans[0]:']],
  ['TC-KUBEADM-CP-IMAGE', { imageRepository: 'https://registry.example.com' }, ['controlPlane.imageRepository:', 'https://']],
  ['TC-KUBEADM-CP-IMAGE', { imageRepository: '' }, ['controlPlane.imageRepository:']],
  ['TC-KUBEADM-CP-IMAGE', stacked({ imageTag: '3.6.6@sha256' }), ['controlPlane.etcd.imageTag:']],
  ['TC-KUBEADM-CP-IMAGE', stacked({ imageRepository: 'registry.example.com/etcd:3.6' }), ['controlPlane.etcd.imageRepository:']],
  ['TC-ADMIT-KCP-IMAGE-TAG', { coreDns: KubeadmCoreDns.managed({ imageTag: 'latest' }) }, ['controlPlane.coreDns.imageTag:', '"latest" is not a version']],
  ['TC-KUBEADM-CP-IMAGE', { coreDns: KubeadmCoreDns.managed({ imageRepository: 'registry/' }) }, ['controlPlane.coreDns.imageRepository:']],
  ['TC-KUBEADM-CP-ETCD-ENDPOINT', external([]), ['controlPlane.etcd.endpoints:', 'no endpoint']],
  ['TC-KUBEADM-CP-ETCD-ENDPOINT', external(['http://etcd.example.com:2379']), ['controlPlane.etcd.endpoints[0]:', 'https']],
  ['TC-KUBEADM-CP-ETCD-ENDPOINT', external(['https://etcd.example.com:2379', 'https://etcd.example.com:2379']), ['controlPlane.etcd.endpoints[1]:', 'there twice']],
  ['TC-KUBEADM-CP-PATH', stacked({ dataDir: 'var/lib/etcd' }), ['controlPlane.etcd.dataDir:', 'var/lib/etcd']],
  ['TC-KUBEADM-CP-PATH', { etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com'], keyFile: '/etc/../key' }) }, ['controlPlane.etcd.keyFile:']],
  ['TC-KUBEADM-CP-PATH', { scheduler: { extraVolumes: [{ name: 'a', hostPath: '/a', mountPath: 'a' }] } }, ['controlPlane.scheduler.extraVolumes[0].mountPath:']],
  ['TC-TRAP-KUBEADM-ARGUMENT', apiServer('audit-log-pth', '/var/log'), ['controlPlane.apiServer.extraArgs[0]:', 'did you mean audit-log-path?']],
  ['TC-TRAP-KUBEADM-OIDC', apiServer('oidc-issuer-url', 'https://id.example.com'), ['controlPlane.apiServer.extraArgs[0]:', 'without --oidc-client-id the API server exits']],
  ['TC-KUBEADM-CP-ARGUMENT', apiServer('secure-port', '443'), ['because the load balancer']],
  ['TC-KUBEADM-CP-ARGUMENT', apiServer('etcd-servers', 'https://etcd.example.com'), ['controlPlane.etcd decides it']],
  ['TC-TRAP-KUBEADM-ARGUMENT', apiServer('tls-curve-preferences', '23'), ['exists from 1.36']],
  ['TC-KUBEADM-CP-ARGUMENT', { apiServer: { featureGates: { WatchList: false }, extraArgs: [{ name: 'feature-gates', value: 'AllAlpha=false' }] } }, ['controlPlane.apiServer.featureGates sets it']],
  ['TC-KUBEADM-CP-ARGUMENT', { controllerManager: { extraArgs: [{ name: 'cloud-provider', value: 'external' }] } }, ['controlPlane.controllerManager.extraArgs[0]:', 'only kubelets']],
  ['TC-KUBEADM-CP-ARGUMENT', { scheduler: { extraArgs: [{ name: 'leader-elect', value: 'false' }] } }, ['controlPlane.scheduler.extraArgs[0]:', 'without a leader']],
  ['TC-ADMIT-KUBEADM-ARGUMENT', { scheduler: { extraArgs: [{ name: 'v', value: '2' }, { name: 'v', value: '3' }] } }, ['controlPlane.scheduler.extraArgs[1]', 'listed twice']],
  ['TC-KUBEADM-CP-ARGUMENT', stacked({ extraArgs: [{ name: 'data-dir', value: '/data' }] }), ['controlPlane.etcd.extraArgs[0]:', 'has a property for it']],
  ['TC-KUBEADM-CP-ARGUMENT', stacked({ extraArgs: [{ name: '--metrics', value: 'basic' }] }), ['is not the name of a flag']],
  ['TC-KUBEADM-CP-ARGUMENT', stacked({ extraArgs: [{ name: 'metrics', value: 'basic' }, { name: 'metrics', value: 'extensive' }] }), ['controlPlane.etcd.extraArgs[1]:', 'there twice']],
  ['TC-ADMIT-FIELD-VALUE', apiServer('service-account-issuer', `https://${'a'.repeat(1017)}`), ['controlPlane.apiServer.extraArgs[0].value: it has 1025 characters']],
  ['TC-ADMIT-FIELD-VALUE', { apiServer: { featureGates: { WatchList: false }, ...apiServer('service-account-issuer', `https://${'a'.repeat(1017)}`).apiServer } }, ['controlPlane.apiServer.extraArgs[0].value: it has 1025 characters']],
  ['TC-ADMIT-FIELD-VALUE', stacked({ extraArgs: MANY.map((index) => ({ name: `flag-${index}`, value: '' })) }), ['controlPlane.etcd.extraArgs: it has 101 entries']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('anonymous-auth', 'false'), ['controlPlane.apiServer.extraArgs[0]:', 'restarted for ever']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', { controllerManager: { extraArgs: [{ name: 'controllers', value: '*,tokencleaner' }] } }, ['leaves out bootstrapsigner']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('enable-admission-plugins', 'PodNodeSelector'), ['add NodeRestriction']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('disable-admission-plugins', 'NodeRestriction'), ['remove NodeRestriction']],
  ['TC-TRAP-KUBEADM-ARGUMENT', { controllerManager: { featureGates: { Wathclist: true } } }, ['controlPlane.controllerManager.featureGates:', '"Wathclist"']],
  ['TC-KUBEADM-CP-KUBEADM-FEATURE-GATE', { kubeadmFeatureGates: { NodeLocalCRISokcet: true } }, ['controlPlane.kubeadmFeatureGates.NodeLocalCRISokcet:', 'did you mean NodeLocalCRISocket?']],
  ['TC-KUBEADM-CP-KUBEADM-FEATURE-GATE', { kubeadmFeatureGates: { ControlPlaneKubeletLocalMode: false } }, ['locked to true in 1.35']],
  ['TC-KUBEADM-CP-KUBEADM-FEATURE-GATE', { kubeadmFeatureGates: { WaitForAllControlPlaneComponents: true } }, ['kubeadm 1.35 has no feature gate']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [{ name: 'k8s-certs', hostPath: '/a', mountPath: '/a' }] } }, ['controlPlane.apiServer.extraVolumes[0].name:', 'a volume of kubeadm']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [{ name: 'a', hostPath: '/a', mountPath: '/a' }, { name: 'a', hostPath: '/b', mountPath: '/b' }] } }, ['there twice']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [{ name: 'A b', hostPath: '/a', mountPath: '/a' }] } }, ['not a DNS label']],
  ['TC-ADMIT-FIELD-VALUE', { apiServer: { extraVolumes: MANY.map((index) => ({ name: `v-${index}`, hostPath: '/a', mountPath: `/${index}` })) } }, ['controlPlane.apiServer.extraVolumes: it has 101 entries']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [volume('/b'), { ...volume('/b'), name: 'c' }] } }, ['controlPlane.apiServer.extraVolumes[1].mountPath:', 'the volume "a" is mounted already']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [volume('/etc/kubernetes/pki')] } }, ['controlPlane.apiServer.extraVolumes[0].mountPath:', 'kubeadm mounts something at "/etc/kubernetes/pki"']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [volume('/etc/pki/tls/certs')] } }, ['kubeadm mounts something']],
  ['TC-KUBEADM-CP-VOLUME', { apiServer: { extraVolumes: [{ ...volume('/b'), name: 'etc-pki-tls-certs' }] } }, ['a volume of kubeadm']],
  ['TC-KUBEADM-CP-VOLUME', { controllerManager: { extraVolumes: [volume('/etc/kubernetes/controller-manager.conf')] } }, ['controlPlane.controllerManager.extraVolumes[0].mountPath:']],
  ['TC-KUBEADM-CP-VOLUME', { controllerManager: { extraArgs: [{ name: 'flex-volume-plugin-dir', value: '/flex' }], extraVolumes: [volume('/flex')] } }, ['"/flex"']],
  ['TC-KUBEADM-CP-VOLUME', { scheduler: { extraVolumes: [volume('/etc/kubernetes/scheduler.conf')] } }, ['controlPlane.scheduler.extraVolumes[0].mountPath:']],
  ['TC-KUBEADM-CP-PATH', { scheduler: { extraVolumes: [volume('/a/')] } }, ['controlPlane.scheduler.extraVolumes[0].mountPath:', '"/a/"']],
  ['TC-TRAP-KUBEADM-ARGUMENT-FILE', apiServer('audit-policy-file', '/etc/kubernetes/audit/policy.yaml'), ['controlPlane.apiServer.extraArgs[0]:', 'no volume of kube-apiserver holds it', 'extraVolumes']],
  ['TC-TRAP-KUBEADM-ARGUMENT-FILE', { apiServer: { extraArgs: [{ name: 'encryption-provider-config', value: '/etc/enc-2/a.yaml' }], extraVolumes: [volume('/etc/enc')] } }, ['/etc/enc-2/a.yaml']],
  ['TC-TRAP-KUBEADM-ARGUMENT-FILE', { scheduler: { extraArgs: [{ name: 'config', value: '/etc/kubernetes/scheduler.yaml' }] } }, ['controlPlane.scheduler.extraArgs[0]:', 'no volume of kube-scheduler']],
  ['TC-KUBEADM-CP-MOUNTED-FILE', { apiServer: { extraArgs: auditLog('/var/log/audit.log', '5') } }, ['controlPlane.apiServer.extraArgs[0]:', 'the audit log is lost']],
  ['TC-KUBEADM-CP-MOUNTED-FILE', { apiServer: { extraArgs: auditLog('/log/audit.log', '5'), extraVolumes: [{ ...volume('/log'), readOnly: true }] } }, ['can only read']],
  ['TC-KUBEADM-CP-AUDIT-LOG', { apiServer: { extraArgs: auditLog('/log/audit.log', '0'), extraVolumes: [volume('/log')] } }, ['controlPlane.apiServer.extraArgs:', 'kept for ever', 'audit-log-maxage']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('authorization-mode', 'AlwaysAllow'), ['controlPlane.apiServer.extraArgs[0]:', 'every client may do everything', 'remove AlwaysAllow']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('authorization_mode', 'Node,RBAC,AlwaysAllow'), ['every client may do everything']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('authorization-mode', 'RBAC'), ['leaves out Node, without which kubelets may do nothing']],
  ['TC-TRAP-KUBEADM-FLAG-VALUE', apiServer('authorization-mode', 'Node,Webhook'), ['leaves out RBAC']],
  ['TC-KUBEADM-CP-ENVIRONMENT', { scheduler: { extraEnvs: { 'A=B': 'c' } } }, ['controlPlane.scheduler.extraEnvs["A=B"]:']],
  ['TC-ADMIT-FIELD-VALUE', { scheduler: { extraEnvs: Object.fromEntries(MANY.map((index) => [`V${index}`, ''])) } }, ['controlPlane.scheduler.extraEnvs: it has 101 entries']],
];

test.each(BAD)('%s: %j', (id, props, says) => {
  const found = refused(props);

  expect(found).toHaveLength(1);
  expect(found[0].startsWith(`${id} `)).toBe(true);
  for (const text of says) expect(found[0]).toContain(text);
});

/** The same for what other rooms demand of options that pools have too: reported as properties of the control plane. */
const SHARED: [string, Partial<KubeadmControlPlaneProps>, string][] = [
  ['TC-KUBEADM-FILE-PATH-TAKEN', { files: [{ path: '/etc/kubernetes/pki/sa.key', content: 'QQ==', encoding: FileEncoding.BASE64 }] }, 'controlPlane.files[0].path: "/etc/kubernetes/pki/sa.key" is already written by Cluster API'],
  ['TC-KUBEADM-FILE-PATH-TAKEN', { files: [{ path: '/etc/kubernetes/manifests/etcd.yaml', content: 'a' }] }, 'controlPlane.files[0].path'],
  ['TC-ADMIT-FIELD-VALUE', { preKubeadmCommands: [''] }, 'controlPlane.preKubeadmCommands[0]:'],
  ['TC-KUBEADM-KUBELET-ARGUMENT', { kubeletExtraArgs: [{ name: 'node-labels', value: 'a=b' }] }, 'controlPlane.kubeletExtraArgs[0]:'],
  ['TC-ADMIT-FIELD-VALUE', { labels: Object.fromEntries(MANY.map((index) => [`example.com/label-${index}`, ''])) }, 'controlPlane.labels:'],
  ['TC-TRAP-KUBEADM-ARGUMENT', { kubeletExtraArgs: [{ name: 'pod-infra-container-image', value: 'pause' }] }, 'controlPlane.kubeletExtraArgs[0]: kubelet 1.35 has no flag --pod-infra-container-image (removed in 1.35)'],
  ['TC-ADMIT-KUBEADM-FILE-PATH', { files: [{ path: '/a', content: 'a' }, { path: '/a', content: 'b' }] }, 'controlPlane.files[1].path: "/a" is already the path of another file'],
  ['TC-KUBEADM-JOIN-OPTION', { initSkipPhases: [' '] }, 'controlPlane.initSkipPhases[0]:'],
  ['TC-KUBEADM-TIMEOUT', { controlPlaneTimeouts: { etcdApiCall: Duration.seconds(0) } }, 'controlPlane.controlPlaneTimeouts.etcdApiCall:'],
  ['TC-KUBEADM-TIMEOUT', { controlPlaneTimeouts: { componentHealthCheck: Duration.millis(1) } }, 'controlPlane.controlPlaneTimeouts.componentHealthCheck:'],
  ['TC-KUBEADM-DATA-SIZE', { files: MANY.map((index) => ({ path: `/etc/example/${index}`, content: `${'a\n'.repeat(5120)}` })) }, 'controlPlane: files and commands'],
  ['TC-KUBEADM-JINJA', { apiServer: { featureGates: { WatchList: false }, extraArgs: [{ name: 'service-account-issuer', value: '/etc/{# x' }] } }, 'controlPlane.apiServer.extraArgs[0].value: the text has "{#"'],
  ['TC-KUBEADM-JINJA', { controllerManager: { extraEnvs: { ZONE: '{{ undefined_thing' } } }, 'controlPlane.controllerManager.extraEnvs["ZONE"]: the text has "{{"'],
  ['TC-KUBEADM-JINJA', { scheduler: { extraVolumes: [volume('/{%')] } }, 'controlPlane.scheduler.extraVolumes[0].mountPath'],
  ['TC-KUBEADM-JINJA', stacked({ extraArgs: [{ name: 'metrics', value: '{{ x' }] }), 'controlPlane.etcd.extraArgs[0].value'],
  ['TC-KUBEADM-JINJA', stacked({ dataDir: '/var/{{' }), 'controlPlane.etcd.dataDir'],
  ['TC-KUBEADM-JINJA', { initSkipPhases: ['{# x'] }, 'controlPlane.initSkipPhases[0]'],
  ['TC-KUBEADM-JINJA', { kubelet: { configuration: { systemCgroups: '{#' } } }, 'controlPlane.kubelet: the text has'],
  ['TC-KUBEADM-NODE-NAME', { nodeName: NodeName.fromInstanceData('hostname') }, 'controlPlane.nodeName: "hostname" is not an entry'],
  ['TC-POOL-LABEL', { labels: { 'kubernetes.io/role': 'x' } }, 'controlPlane.labels["kubernetes.io/role"]:'],
  ['TC-POOL-TAINT', { taints: [{ key: 'node-role.kubernetes.io/master', effect: TaintEffect.NO_SCHEDULE }] }, 'controlPlane.taints[0]:'],
  ['TC-POOL-MAX-PODS', { kubelet: { maxPods: 0 } }, 'controlPlane.kubelet.maxPods:'],
  ['TC-ADMIT-HEALTH-CHECK-STARTUP', { healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.seconds(5) }) }, 'controlPlane.healthCheck.nodeStartupTimeout:'],
  ['TC-ADMIT-FIELD-TYPE', { nodeDrainTimeout: Duration.millis(1) }, 'controlPlane.nodeDrainTimeout: 0.001 is not a whole number'],
  ['TC-POOL-CAPACITY', { machine: machine(0, 4096) }, 'controlPlane.machine.capacity.cpu:'],
];

test.each(SHARED)('what pools are refused is refused here: %s %j', (id, props, says) => {
  const found = refused(props);

  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`${id} ${says}`);
});

test('TC-KUBEADM-CP-NAME: the name of the cluster leaves room for those of machines', () => {
  const named = (name: string) => refused({}, machineContext({ name }));

  expect(named('a'.repeat(43))).toEqual([]);
  expect(named('a'.repeat(44))).toEqual([expect.stringMatching(/^TC-KUBEADM-CP-NAME name: .*58 characters.*a cluster name of 43 characters.*by 1\.$/)]);
});

test('TC-KUBEADM-CP-ENCRYPTION-ALGORITHM: kubeadm must know the algorithm', () => {
  const props = { encryptionAlgorithm: KubeadmEncryptionAlgorithm.ECDSA_P384 };

  expect(refused(props, machineContext({}, '1.34'))).toEqual([]);
  expect(refused(props, machineContext({}, '1.33'))).toEqual([expect.stringContaining('TC-KUBEADM-CP-ENCRYPTION-ALGORITHM controlPlane.encryptionAlgorithm: kubeadm 1.33')]);
});

test.each([[true, true, 'both'], [false, false, 'nothing leads']])('TC-KUBEADM-CP-KUBE-PROXY: kubeProxy %s beside a pod network that replaces it: %s', (kubeProxy, kubeProxyReplaced, says) => {
  expect(refused({ kubeProxy }, machineContext({ kubeProxyReplaced }))).toEqual([expect.stringMatching(new RegExp(`^TC-KUBEADM-CP-KUBE-PROXY controlPlane\\.kubeProxy: .*${says}`))]);
  expect(refused({ kubeProxy }, machineContext({ kubeProxyReplaced: undefined }))).toEqual([]);
});

test('the name that the infrastructure adds to the certificate counts', () => {
  const context = machineContext({ apiServer: { internal: { host: 'acme-lb.tenant-acme.svc', port: 6443 } } });
  const names = MANY.slice(1).map((index) => `api-${index}.example.com`);

  expect(refused({ certSans: names })).toEqual([]);
  expect(refused({ certSans: names }, context)).toEqual([expect.stringContaining('TC-ADMIT-FIELD-VALUE controlPlane.certSans: it has 101 entries')]);
});

test('small machines are taken where kubeadm is told to', () => {
  expect(refused({ machine: machine(1, 1024), ignorePreflightErrors: ['numcpu', 'Mem'] })).toEqual([]);
  expect(refused({ machine: machine(1, 1024), ignorePreflightErrors: ['all'] })).toEqual([]);
});

test('machines of unknown size are not judged', () => {
  expect(refused({ machine: new ExampleMachine() })).toEqual([]);
});

test('files of an external etcd have their writer', () => {
  const found = refused({
    etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'], certFile: '/etc/etcd/client.crt' }),
    files: [{ path: '/etc/etcd/client.crt', content: 'a' }],
  });

  expect(found).toEqual([expect.stringContaining('already written by Cluster API')]);
});

test('Jinja in a name of a certificate is one mistake', () => {
  expect(refused({ certSans: ['{#'] })).toEqual([expect.stringContaining('TC-KUBEADM-CP-CERTIFICATE-NAME controlPlane.certSans[0]')]);
});

test('expressions of Jinja are taken where cloud-init renders them', () => {
  expect(refused({ apiServer: { extraEnvs: { MACHINE: '{{ v1.instance_id }}', RAW: '{% raw %}{{ x{% endraw %}' } } })).toEqual([]);
});

test('TC-KUBEADM-FORBIDDEN-TEXT: what the provider takes apart is not in kubeadm\'s configuration, but may be in commands that follow', () => {
  const context = machineContext({ infrastructure: { clusterKind: 'ExampleCluster', forbiddenUserData: [{ text: 'runcmd:', reason: 'it would be torn apart' }] } });

  expect(refused(apiServer('service-account-jwks-uri', 'https://runcmd:443/'), context)).toEqual([
    expect.stringContaining('TC-KUBEADM-FORBIDDEN-TEXT controlPlane.apiServer.extraArgs[0].value: it contains "runcmd:": it would be torn apart. Fix: choose a value without this text.'),
  ]);
  expect(refused({ preKubeadmCommands: ['echo runcmd:'], postKubeadmCommands: ['echo runcmd:'] }, context)).toEqual([]);
});

test('patches of the object are seen', () => {
  const patched = (patch: JsonPatch) => refused({}, machineContext(), [patch]);
  const unplaced = (patch: JsonPatch) => bound({}, machineContext(), [patch]).problems.map(({ id, text }) => `${id} ${text}`);

  expect(unplaced(JsonPatch.replace('/spec/machineNaming/template', 'acme'))).toEqual([expect.stringMatching(/^TC-ADMIT-MACHINE-NAMING spec\.machineNaming\.template of acme.*: "acme"/)]);
  expect(patched(JsonPatch.remove('/spec/machineNaming'))).toEqual([]);
  expect(patched(JsonPatch.add('/spec/kubeadmConfigSpec/format', 'ignition'))).toEqual([expect.stringContaining('TC-KUBEADM-FORMAT spec.kubeadmConfigSpec.format: "ignition"')]);
  expect(patched(JsonPatch.add('/spec/kubeadmConfigSpec/format', 'cloud-config'))).toEqual([]);
  expect(patched(JsonPatch.add('/spec/kubeadmConfigSpec/clusterConfiguration/certificatesDir', '/{#'))).toEqual([
    expect.stringContaining('TC-KUBEADM-JINJA spec.kubeadmConfigSpec.clusterConfiguration.certificatesDir: the text has "{#"'),
  ]);
  expect(unplaced(JsonPatch.remove('/spec'))).toEqual([expect.stringMatching(/^TC-ADMIT-FIELD-\w+ spec of acme/)]);
});

test.each([['/etc/kubernetes/audit'], ['/etc/kubernetes'], ['/etc/kubernetes/audit/policy.yaml']])('a file is found in a volume at %s', (mountPath) => {
  const extraArgs = [{ name: 'audit-policy-file', value: '/etc/kubernetes/audit/policy.yaml' }];

  expect(refused({ apiServer: { extraArgs, extraVolumes: [volume(mountPath)] } })).toEqual([]);
});

test('files are found in what kubeadm mounts', () => {
  expect(refused(apiServer('kubelet-certificate-authority', '/etc/ssl/certs/example.pem'))).toEqual([]);
  expect(refused(apiServer('authorization-config', '/etc/kubernetes/pki/authorization.yaml'))).toEqual([]);
  expect(refused({
    ...apiServer('kubelet-certificate-authority', '/etc/etcd/tls/ca.crt'),
    etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'], caFile: '/etc/etcd/ca.crt', certFile: '/etc/etcd/tls/client.crt' }),
  })).toEqual([]);
});

test('folders of an external etcd are kubeadm\'s', () => {
  const etcd = KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'], caFile: '/etc/etcd/ca.crt', certFile: '/etc/etcd/tls/client.crt' });

  expect(refused({ etcd, apiServer: { extraVolumes: [volume('/etc/etcd')] } })).toEqual([expect.stringContaining('TC-KUBEADM-CP-VOLUME controlPlane.apiServer.extraVolumes[0].mountPath')]);
  expect(refused({ etcd, apiServer: { extraVolumes: [volume('/etc/etcd/tls')] } })).toEqual([]);
  expect(refused({ etcd, controllerManager: { extraVolumes: [volume('/etc/etcd')] } })).toEqual([]);
});

test('audit logs are limited by age, by number, by Kubernetes 1.36, or not in a file', () => {
  const found = (extraArgs: { name: string; value: string }[], minor: string) => refused({ apiServer: { extraArgs, extraVolumes: [volume('/log')] } }, machineContext({}, minor));
  const path = { name: 'audit-log-path', value: '/log/audit.log' };
  const kept = [expect.stringContaining('TC-KUBEADM-CP-AUDIT-LOG controlPlane.apiServer.extraArgs: the audit log in "/log/audit.log"')];

  expect(found([path], '1.35')).toEqual(kept);
  expect(found([path, { name: 'audit-log-maxsize', value: '100' }], '1.35')).toEqual(kept);
  expect(found([path, { name: 'audit-log-maxage', value: '30' }], '1.35')).toEqual([]);
  expect(found([path, { name: 'audit_log_maxbackup', value: '10' }], '1.35')).toEqual([]);
  expect(found([{ ...path, value: '-' }], '1.35')).toEqual([]);
  expect(found([path], '1.36')).toEqual([]);
  expect(found([path, { name: 'audit-log-maxage', value: '0' }], '1.36')).toEqual([]);
  expect(found([path, { name: 'audit-log-maxage', value: '0' }, { name: 'audit-log-maxbackup', value: '0' }], '1.36')).toEqual(kept);
});

test('all modes of authorization beside Node and RBAC are taken', () => {
  expect(refused(apiServer('authorization-mode', 'Node,RBAC'))).toEqual([]);
  expect(refused(apiServer('authorization-mode', 'Webhook,RBAC,Node'))).toEqual([]);
});

test('all mistakes are told at once', () => {
  const found = refused({ machine: MACHINE, replicas: 2, rollout: { maxSurge: 3 }, certSans: ['*'], kubelet: { maxPods: -1 } });

  expect(found.map((text) => text.split(' ')[0]).sort()).toEqual([
    'TC-ADMIT-KCP-MAX-SURGE', 'TC-ADMIT-KCP-REPLICAS', 'TC-KUBEADM-CP-CERTIFICATE-NAME', 'TC-POOL-MAX-PODS',
  ]);
});
