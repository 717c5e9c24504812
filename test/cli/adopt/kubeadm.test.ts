import { adoptAndProve } from './adopting';
import { MACHINES } from './inputs';
import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** The control plane of the cluster, in the newest version of its API. */
const CONTROL_PLANE = `
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: hall, namespace: tenant-hall}
spec:
  replicas: 3
  version: v1.35.4
  rollout: {before: {certificatesExpiryDays: 21}, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}
  remediation: {maxRetry: 5, retryPeriodSeconds: 600}
  kubeadmConfigSpec:
    clusterConfiguration:
      imageRepository: registry.example.com/k8s
      apiServer:
        certSANs: [api.hall.example.com]
        extraArgs: [{name: audit-log-maxage, value: '30'}, {name: audit-log-path, value: /var/log/audit/audit.log}]
        extraVolumes: [{name: audit, hostPath: /var/log/audit, mountPath: /var/log/audit, readOnly: false, pathType: DirectoryOrCreate}]
      controllerManager: {extraArgs: [{name: cloud-provider, value: external}]}
      etcd: {local: {dataDir: /var/lib/etcd/data, extraArgs: [{name: quota-backend-bytes, value: '8589934592'}]}}
    initConfiguration: {nodeRegistration: REGISTRATION, skipPhases: [mark-control-plane]}
    joinConfiguration: {nodeRegistration: REGISTRATION}
    files: [{path: /etc/hall/motd, content: hall, owner: 'root:root', permissions: '0644'}]
    preKubeadmCommands: [systemctl restart containerd]
    ntp: {enabled: true, servers: [ntp.example.com]}
  machineTemplate:
    spec:
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: hall-control-plane}
      deletion: {nodeDrainTimeoutSeconds: 900}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: hall-control-plane, namespace: tenant-hall}
spec:
  clusterName: hall
  selector: {matchLabels: {cluster.x-k8s.io/control-plane: ''}}
  checks: {nodeStartupTimeoutSeconds: 1500, unhealthyNodeConditions: [{type: Ready, status: Unknown, timeoutSeconds: 300}]}
  remediation: {triggerIf: {unhealthyLessThanOrEqualTo: 1}}
`.replaceAll('REGISTRATION', '{criSocket: \'unix:///run/crio/crio.sock\', name: \'{{ ds.meta_data.hostname }}\', taints: [], kubeletExtraArgs: ARGUMENTS}');

/** The options of the machines of the pool. */
const POOL = `
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: hall-md-0, namespace: tenant-hall}
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          name: '{{ ds.meta_data.hostname }}'
          kubeletExtraArgs: POOL_ARGUMENTS
          taints: [{key: example.com/batch, value: 'yes', effect: NoSchedule}]
          ignorePreflightErrors: [FileExisting-conntrack]
      bootCommands: [modprobe br_netfilter]
      postKubeadmCommands: [touch /run/joined]
      users: [{name: ops, groups: 'adm, sudo', sudo: 'ALL=(ALL) NOPASSWD:ALL', passwdFrom: {secret: {name: ops, key: hash}}, lockPassword: false}]
      mounts: [[/dev/vdb, /var/lib/containerd, ext4, 'defaults,noatime'], [/dev/vdc, /data]]
      diskSetup:
        partitions: [{device: /dev/vdb, layout: true, overwrite: true, tableType: gpt}]
        filesystems: [{device: /dev/vdb, filesystem: ext4, label: containers, overwrite: false}]
      files:
      - {path: /etc/kubernetes/registry.json, contentFrom: {secret: {name: registry, key: config}}, permissions: '0600'}
      - {path: /etc/hall/rack, content: cmFjay0xCg==, encoding: base64, permissions: '0644', append: true}
`;

/** The cluster with what the infrastructure of the library asks of each node, and further arguments of kubelets. */
function cluster(poolArguments: string, { controlPlane = CONTROL_PLANE, pool = POOL } = {}): string {
  const [, ...documents] = `\n---\n${MACHINES}`.split('\n---\n');
  const kept = documents.filter((text) => !/kind: (KubeadmControlPlane|KubeadmConfigTemplate)\n/.test(text));
  const ofNodes = "{name: cloud-provider, value: external}, {name: provider-id, value: 'openstack:///{{ ds.meta_data.uuid }}'}";
  return [...kept, controlPlane, pool].join('\n---\n')
    .replace('KubeadmControlPlane, name: hall-control-plane', 'KubeadmControlPlane, name: hall')
    .replaceAll(/(?<!POOL_)ARGUMENTS/g, `[${ofNodes}]`).replaceAll('POOL_ARGUMENTS', poolArguments.replace('NODES', ofNodes));
}

test('a control plane and a pool that kubeadm sets up become their classes', async () => {
  workplace.write({ 'old/hall.yaml': cluster('[NODES, {name: node-labels, value: example.com/rack=r1}, {name: v, value: \'2\'}]') });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/hall.ts');

  expect(adopted.out).toContain('9 objects: 9 made by pages (9 by a class of their own');
  for (const line of [
    "certSans: ['api.hall.example.com'],",
    "{ name: 'audit-log-path', value: '/var/log/audit/audit.log' },",
    'pathType: KubeadmHostPathType.DIRECTORY_OR_CREATE,',
    "imageRepository: 'registry.example.com/k8s',",
    "criSocket: 'unix:///run/crio/crio.sock',",
    "initSkipPhases: ['mark-control-plane'],",
    'taints: [],',
    "ntp: { servers: ['ntp.example.com'] },",
    'rollout: { beforeCertificateExpiry: Duration.days(21) },',
    'remediation: { maxRetry: 5, retryPeriod: Duration.minutes(10) },',
    'nodeDrainTimeout: Duration.minutes(15),',
    "kubeletExtraArgs: [{ name: 'v', value: '2' }],",
    "labels: { 'example.com/rack': 'r1' },",
    "taints: [{ key: 'example.com/batch', value: 'yes', effect: TaintEffect.NO_SCHEDULE }],",
    "groups: ['adm', 'sudo'],",
    "passwordFrom: { name: 'ops', key: 'hash' },",
    "{ device: '/dev/vdb', path: '/var/lib/containerd', filesystem: 'ext4', options: ['defaults', 'noatime'] },",
    'encoding: FileEncoding.BASE64,',
    'kubelet: { defaults: false },',
  ]) expect(page).toContain(line);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test('a property that the class refuses becomes a patch, and the others stay properties', async () => {
  workplace.write({ 'old/hall.yaml': cluster('[NODES]') });
  const { proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/hall.ts');

  expect(page).not.toContain('controllerManager: {');
  expect(page).toContain("JsonPatch.add('/spec/kubeadmConfigSpec/clusterConfiguration/controllerManager', {");
  expect(page).toContain('new KubeadmControlPlane({');
  expect(proof.code).toBe(ExitCode.OK);
});

test('arguments in another order than that of the class are one patch', async () => {
  workplace.write({ 'old/hall.yaml': cluster('[{name: v, value: \'2\'}, NODES]') });
  const { proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/hall.ts');

  expect(page).not.toContain('kubeletExtraArgs: [');
  expect(page.match(/'\/spec\/template\/spec\/joinConfiguration\/nodeRegistration\/kubeletExtraArgs/g)).toHaveLength(1);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

const KUBELET_FILE = (fields: object) => `\n      - {path: '/etc/kubernetes/patches/kubeletconfiguration+strategic.json', owner: 'root:root', permissions: '0644', content: ${
  JSON.stringify(`${JSON.stringify({ apiVersion: 'kubelet.config.k8s.io/v1beta1', ...fields }, null, 2)}\n`)}}`;

test.each([
  ['beside the defaults', {
    evictionHard: { 'imagefs.available': '15%', 'imagefs.inodesFree': '5%', 'memory.available': '500Mi', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%' },
    kind: 'KubeletConfiguration',
  }, "kubelet: { evictionHard: { 'memory.available': '500Mi' } },"],
  ['in place of the defaults', { kind: 'KubeletConfiguration', kubeReserved: { cpu: '1' }, serializeImagePulls: false },
    "kubelet: { defaults: false, kubeReserved: { cpu: '1' }, configuration: { serializeImagePulls: false } },"],
])('the configuration of kubelets that the library writes is read %s', async (_, fields, line) => {
  const pool = POOL.replace('      files:', `      files:${KUBELET_FILE(fields)}`)
    .replace('      joinConfiguration:', '      joinConfiguration:\n        patches: {directory: /etc/kubernetes/patches}');
  workplace.write({ 'old/hall.yaml': cluster('[NODES]', { pool }) });
  const { proof } = await adoptAndProve(workplace, 'old');

  expect(workplace.read('app/tenants/hall.ts')).toContain(line);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});
