import { KUBEADM_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubeadm/provider';
import { detailsIn, findings } from '../../../rules/rules-under-test';

/** The same spec in each of the four kinds that hold one, with the path that it has there. */
const HOLDERS: readonly (readonly [kind: string, path: string, wrap: (spec: string) => string])[] = [
  ['bootstrap.cluster.x-k8s.io/KubeadmConfig', 'spec', (spec) => spec],
  ['bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate', 'spec.template.spec', (spec) => `{template: {spec: ${spec}}}`],
  ['controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'spec.kubeadmConfigSpec', (spec) => `{version: v1.35.4, kubeadmConfigSpec: ${spec}}`],
  ['controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate', 'spec.template.spec.kubeadmConfigSpec', (spec) => `{template: {spec: {kubeadmConfigSpec: ${spec}}}}`],
];

function holding([groupKind, , wrap]: typeof HOLDERS[number], spec: string, version = 'v1beta2'): string {
  const [group, kind] = groupKind.split('/');
  return `apiVersion: ${group}/${version}\nkind: ${kind}\nmetadata: {name: a, namespace: t}\nspec: ${wrap(spec)}\n`;
}

function found(text: string): string[] {
  return findings(KUBEADM_MANIFEST_RULES, text).map((line) => line.split(':')[0].replace('TC-ADMIT-KUBEADM-', ''));
}

const PARTITIONS = (fields: string) => `{diskSetup: {partitions: [{device: /dev/vdb, ${fields}}]}}`;

describe.each(HOLDERS)('%s', (kind, path, wrap) => {
  const holder = [kind, path, wrap] as const;

  test.each([
    ['{files: [{path: /a, content: b}, {path: /b, contentFrom: {secret: {name: a, key: b}}}]}', []],
    ['{files: [{path: /a, content: b, contentFrom: {secret: {name: a, key: b}}}]}', ['FILE-SOURCE', 'files.0']],
    ['{files: [{path: /a, content: "", contentFrom: {secret: {name: a, key: b}}}]}', []],
    ['{files: [{path: /a}, {path: /b}, {path: /a}, {path: /a}]}', ['FILE-PATH', 'files.2.path', 'FILE-PATH', 'files.3.path']],
    ['{users: [{name: a, passwd: b, passwdFrom: {secret: {name: a, key: b}}}]}', ['USER-PASSWORD', 'users.0']],
    ['{joinConfiguration: {discovery: {file: {kubeConfig: {user: {exec: {command: a}, authProvider: {name: b}}}}}}}', ['DISCOVERY-USER', 'joinConfiguration.discovery.file.kubeConfig.user']],
    [PARTITIONS('layout: true'), []],
    [PARTITIONS('layout: false'), []],
    [PARTITIONS('overwrite: true'), ['DISK-LAYOUT', 'diskSetup.partitions.0']],
    [PARTITIONS('layout: true, diskLayout: [{percentage: 1}]'), ['DISK-LAYOUT', 'diskSetup.partitions.0']],
    [PARTITIONS('diskLayout: [{percentage: 100}]'), []],
    [PARTITIONS('diskLayout: [{percentage: 100}, {percentage: 1}]'), ['DISK-SHARES', 'diskSetup.partitions.0.diskLayout']],
    [PARTITIONS('tableType: gpt, diskLayout: [{percentage: 1, partitionType: 0FC63DAF-8483-4772-8E79-3D69D8477DE4}]'), []],
    [PARTITIONS('diskLayout: [{percentage: 1, partitionType: 0FC63DAF-8483-4772-8E79-3D69D8477DE4}]'), ['TC-TRAP-KUBEADM-PARTITION-TYPE', 'diskSetup.partitions.0.diskLayout.0.partitionType']],
    [PARTITIONS('diskLayout: [{percentage: 1, partitionType: linux}]'), ['PARTITION-TYPE', 'diskSetup.partitions.0.diskLayout.0.partitionType']],
    ['{format: cloud-config, bootCommands: [a]}', []],
    ['{ignition: {containerLinuxConfig: {strict: true}}}', ['IGNITION-GATE', 'ignition', 'IGNITION-FORMAT', 'format']],
    ['{format: ignition, users: [{name: a, inactive: true}, {name: b, inactive: false}]}', ['IGNITION-GATE', 'format', 'IGNITION-FIELD', 'users.0.inactive']],
    ['{format: ignition, files: [{path: /a, encoding: base64}, {path: /b, encoding: gzip}]}', ['IGNITION-GATE', 'format', 'IGNITION-FIELD', 'files.1.encoding']],
    ['{format: ignition, diskSetup: {partitions: [{layout: true, tableType: gpt}, {layout: true, tableType: mbr}]}}', ['IGNITION-GATE', 'format', 'IGNITION-FIELD', 'diskSetup.partitions.1.tableType']],
    ['{format: ignition, diskSetup: {filesystems: [{replaceFS: a, partition: b}]}}', ['IGNITION-GATE', 'format', 'IGNITION-FIELD', 'diskSetup.filesystems.0.replaceFS', 'IGNITION-FIELD', 'diskSetup.filesystems.0.partition']],
    ['{joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: v, value: "1"}, {name: v, value: "2"}]}}}', ['ARGUMENT', 'joinConfiguration.nodeRegistration.kubeletExtraArgs.1.name']],
    ['{clusterConfiguration: {etcd: {local: {extraArgs: [{name: a, value: "1"}, {name: a, value: "2"}]}}}}', ['ARGUMENT', 'clusterConfiguration.etcd.local.extraArgs.1.name']],
  ])('%s', (spec, expected) => {
    const lines = expected.flatMap((id, index) => (index % 2 === 0 ? [`${id} ${path}.${expected[index + 1]}`] : []));

    expect(found(holding(holder, spec))).toEqual(lines);
  });

  test('v1beta1 has other demands', () => {
    expect(found(holding(holder, PARTITIONS('layout: true, diskLayout: [{percentage: 1}]'), 'v1beta1'))).toEqual([]);
    expect(found(holding(holder, '{clusterConfiguration: {clusterName: a, networking: {podSubnet: b}}, useExperimentalRetryJoin: true}', 'v1beta1'))).toEqual(
      ['clusterConfiguration.clusterName', 'clusterConfiguration.networking.podSubnet', 'useExperimentalRetryJoin'].map((field) => `TC-TRAP-KUBEADM-REMOVED-FIELD ${path}.${field}`),
    );
  });
});

describe('arguments', () => {
  const [, template, controlPlane] = HOLDERS;
  const kubelet = (name: string, value: string) => `{joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: ${name}, value: "${value}"}]}}}`;
  const pool = (version: string) => `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: a, namespace: t}
spec: {template: {spec: {version: ${version}, bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: a}}}}}
`;

  test.each([
    ['cloud-provider', 'external', true],
    ['node-ip', '{{ ds.meta_data.local_ipv4 }}', true],
    ['v', '${VERBOSITY}', true],
    ['v', 'loud', false],
    ['no-such-flag', 'true', false],
    ['--v', '2', false],
    ['node-labels', 'example.com/a=b,topology.kubernetes.io/zone=c', true],
    ['node-labels', 'node-role.kubernetes.io/worker=', false],
  ])('kubelet --%s=%s', (name, value, isTaken) => {
    expect(found(holding(template, kubelet(name, value)))).toHaveLength(isTaken ? 0 : 1);
  });

  test('the version of the machines decides', () => {
    const controllers = '{clusterConfiguration: {controllerManager: {extraArgs: [{name: min-compatibility-version, value: "1.34"}]}}}';
    const ofVersion = (version: string) => found(holding(controlPlane, controllers).replace('v1.35.4', version));

    expect(ofVersion('v1.35.4')).toEqual([]);
    expect(ofVersion('v1.34.4')).toEqual(['TC-TRAP-KUBEADM-ARGUMENT spec.kubeadmConfigSpec.clusterConfiguration.controllerManager.extraArgs.0']);

    const gone = holding(template, kubelet('pod-infra-container-image', 'a'));

    expect(found(gone + pool('v1.34.4'))).toEqual([]);
    expect(found(gone + pool('v1.35.4'))).toHaveLength(1);
    // With pools of two versions, or none, a flag of any version is taken.
    expect(found(gone + pool('v1.34.4') + pool('v1.35.4').replace('name: a, namespace', 'name: b, namespace'))).toEqual([]);
    expect(found(gone)).toEqual([]);
    // Nothing is known of what is newer.
    expect(found(holding(template, kubelet('no-such-flag', 'a')) + pool('v1.99.0'))).toEqual([]);
    expect(found(holding(template, kubelet('no-such-flag', 'a')) + pool('v1.35.4'))).toHaveLength(1);
  });

  test('maps of v1beta1', () => {
    const spec = '{joinConfiguration: {nodeRegistration: {kubeletExtraArgs: {v: "2", no-such-flag: "1"}}}}';

    expect(found(holding(template, spec, 'v1beta1'))).toEqual(['TC-TRAP-KUBEADM-ARGUMENT spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs.no-such-flag']);
  });
});

test('networks that kubeadm was told are told to the Cluster', () => {
  const text = holding(HOLDERS[0], '{clusterConfiguration: {networking: {podSubnet: a, serviceSubnet: b, dnsDomain: c}}}', 'v1beta1');

  expect(detailsIn(KUBEADM_MANIFEST_RULES, text).map(({ fix }) => /spec\.clusterNetwork\.[\w.]+/.exec(fix)?.[0])).toEqual([
    'spec.clusterNetwork.pods.cidrBlocks', 'spec.clusterNetwork.services.cidrBlocks', 'spec.clusterNetwork.serviceDomain',
  ]);
});
