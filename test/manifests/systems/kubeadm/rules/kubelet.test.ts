import { indented } from '../../../../../src/manifests/rules/example-text';
import { KUBEADM_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubeadm/provider';
import { findings } from '../../../rules/rules-under-test';

const FOLDER = '/etc/kubernetes/patches';

function template(spec: string, version = 'v1beta2'): string {
  return `apiVersion: bootstrap.cluster.x-k8s.io/${version}
kind: KubeadmConfigTemplate
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  template:
    spec:
${indented(spec, 6)}`;
}

function file(path: string, content: string): string {
  return `  - path: ${path}\n    content: |\n${indented(content, 6)}`;
}

function patch(content: string, name = 'kubeletconfiguration.yaml'): string {
  return template(`joinConfiguration: {patches: {directory: ${FOLDER}}}\nfiles:\n${file(`${FOLDER}/${name}`, content)}`);
}

function controlPlane(version: string, content: string): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  version: ${version}
  machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AnyMachineTemplate, name: acme}}}
  kubeadmConfigSpec:
    initConfiguration: {patches: {directory: ${FOLDER}}}
    joinConfiguration: {patches: {directory: ${FOLDER}}}
    files:
${indented(file(`${FOLDER}/kubeletconfiguration.yaml`, content), 4)}`;
}

/** Ids without what they begin with, and the end of the path. */
function found(text: string): string[] {
  return findings(KUBEADM_MANIFEST_RULES, text).map((line) => line.replace(/^TC-TRAP-(\S+) (?:spec\.(?:template\.spec\.|kubeadmConfigSpec\.)?)?([^:]*): .*$/, '$1 $2'));
}

const AT = 'files.0.content.';

test.each<[string, string[]]>([
  ['imageGCLowThresholdPercent: 90', [`KUBELET-VALUE ${AT}imageGCLowThresholdPercent`]],
  ['imageGCHighThresholdPercent: 80', [`KUBELET-VALUE ${AT}imageGCHighThresholdPercent`]],
  ['imageGCHighThresholdPercent: 90', []],
  ['imageGCHighThresholdPercent: 101', [`KUBELET-VALUE ${AT}imageGCHighThresholdPercent`]],
  ['imageMaximumGCAge: 1m', [`KUBELET-VALUE ${AT}imageMaximumGCAge`]],
  ['imageMaximumGCAge: 24h', []],
  ['shutdownGracePeriodCriticalPods: 10s', [`KUBELET-VALUE ${AT}shutdownGracePeriodCriticalPods`]],
  ['shutdownGracePeriod: 500ms', [`KUBELET-VALUE ${AT}shutdownGracePeriod`]],
  ['shutdownGracePeriod: 60s\nshutdownGracePeriodCriticalPods: 10s', []],
  ['shutdownGracePeriod: 60s\nshutdownGracePeriodByPodPriority: [{priority: 0, shutdownGracePeriodSeconds: 10}]', [`KUBELET-VALUE ${AT}shutdownGracePeriodByPodPriority`]],
  ['serializeImagePulls: true\nmaxParallelImagePulls: 4', [`KUBELET-VALUE ${AT}maxParallelImagePulls`]],
  ['maxParallelImagePulls: 4', []],
  ['registryPullQPS: -1', [`KUBELET-VALUE ${AT}registryPullQPS`]],
  ['maxPods: 0', []],
  ['cpuManagerPolicy: static', [`KUBELET-VALUE ${AT}cpuManagerPolicy`]],
  ['cpuManagerPolicy: static\nkubeReserved: {cpu: 500m}', []],
  ['cpuManagerPolicy: static\nreservedSystemCPUs: "0"', []],
  ['cpuManagerPolicyOptions: {full-pcpus-only: "true"}', [`KUBELET-VALUE ${AT}cpuManagerPolicyOptions`]],
  ['reservedSystemCPUs: 0-\nsystemReservedCgroup: /system.slice', [`KUBELET-VALUE ${AT}reservedSystemCPUs`, `KUBELET-VALUE ${AT}reservedSystemCPUs`]],
  ['memoryManagerPolicy: Static', [`KUBELET-VALUE ${AT}memoryManagerPolicy`]],
  ['reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}, {numaNode: 0, limits: {memory: 2Gi, cpu: 1}}]', [
    `KUBELET-VALUE ${AT}reservedMemory.1.limits.memory`, `KUBELET-VALUE ${AT}reservedMemory.1.limits.cpu`,
  ]],
  ['topologyManagerPolicy: single-numa', [`KUBELET-VALUE ${AT}topologyManagerPolicy`]],
  ['memorySwap: {swapBehavior: UnlimitedSwap}', [`KUBELET-VALUE ${AT}memorySwap.swapBehavior`]],
  ['enforceNodeAllocatable: [pods, system-reserved]', [`KUBELET-VALUE ${AT}enforceNodeAllocatable.1`]],
  ['enforceNodeAllocatable: [pods, system-reserved]\nsystemReservedCgroup: /system.slice', []],
  ['cgroupsPerQOS: false', [`KUBELET-VALUE ${AT}cgroupsPerQOS`]],
  ['cgroupsPerQOS: false\nenforceNodeAllocatable: []', []],
  ['nodeLeaseDurationSeconds: 400', [`KUBELET-VALUE ${AT}nodeLeaseDurationSeconds`]],
  ['cgroupDriver: cgroupsfs', [`KUBELET-VALUE ${AT}cgroupDriver`]],
  ['tlsMinVersion: TLS1.2', [`KUBELET-VALUE ${AT}tlsMinVersion`]],
  ['tlsCipherSuites: [ECDHE-RSA-AES128-GCM-SHA256]', [`KUBELET-VALUE ${AT}tlsCipherSuites.0`]],
  ['registerWithTaints: [{key: gpu, effect: NoRun}]', [`KUBELET-VALUE ${AT}registerWithTaints.0`]],
  ['evictionHard: {memory.available: 7, nodefs.available: 110%}', [`KUBELET-FIELD ${AT}evictionHard.memory.available`, `KUBELET-EVICTION ${AT}evictionHard.nodefs.available`]],
  ['evictionSoft: {memory.available: 500Mi}', [`KUBELET-EVICTION ${AT}evictionSoft.memory.available`]],
  ['evictionSoft: {memory.available: 500Mi}\nevictionSoftGracePeriod: {memory.available: 1m30s}\nevictionHard: {memory.available: 1Gi}', [
    `KUBELET-EVICTION ${AT}evictionSoft.memory.available`,
  ]],
  ['systemReserved: {memory: 1GB}', [`KUBELET-RESERVATION ${AT}systemReserved.memory`]],
  ['systemReserved: {disk: 1Gi}', [`KUBELET-RESERVATION ${AT}systemReserved.disk`]],
  ['featureGates: {NoSuchGate: true}', [`KUBELET-FIELD ${AT}featureGates.NoSuchGate`]],
  ['kind: KubeletConfig', [`KUBELET-FIELD ${AT}kind`]],
  ["maxPods: '{{ ds.meta_data.pods }}'", []],
  ['no: [yaml', []],
])('%j', (fields, expected) => {
  expect(found(patch(fields))).toEqual(expected);
});

test('a field and a gate of one minor', () => {
  expect(found(controlPlane('v1.34.1', 'crashLoopBackOff: {maxContainerRestartPeriod: 60s}'))).toEqual([`KUBELET-VALUE ${AT}crashLoopBackOff.maxContainerRestartPeriod`]);
  expect(found(controlPlane('v1.35.4', 'crashLoopBackOff: {maxContainerRestartPeriod: 60s}'))).toEqual([]);
  expect(found(controlPlane('v1.34.1', 'memoryReservationPolicy: None'))).toEqual([`KUBELET-FIELD ${AT}memoryReservationPolicy`]);
  expect(found(controlPlane('v1.34.1', 'featureGates: {KubeletCrashLoopBackOffMax: true}\ncrashLoopBackOff: {maxContainerRestartPeriod: 60s}'))).toEqual([]);
});

test('patches of one machine count together, and arguments before them', () => {
  const files = [file(`${FOLDER}/kubeletconfiguration0.json`, '{"imageGCHighThresholdPercent": 70}'), file(`${FOLDER}/kubeletconfiguration1+merge.yaml`, 'imageGCLowThresholdPercent: 60')];
  const both = template(`joinConfiguration: {patches: {directory: ${FOLDER}}}\nfiles:\n${files.join('')}`);
  const argument = both.replace('joinConfiguration: {', 'joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: image-gc-high-threshold, value: "50"}]}, ');

  expect(found(both)).toEqual([]);
  expect(found(argument)).toEqual(['KUBELET-VALUE files.1.content.imageGCLowThresholdPercent']);
});

test('operations of a JSON patch', () => {
  expect(found(patch('[{"op": "add", "path": "/maxPodz", "value": 1}, {"op": "replace", "path": "/evictionHard", "value": {"memory": "1Gi"}}]', 'kubeletconfiguration+json.json'))).toEqual([
    `KUBELET-FIELD ${AT}maxPodz`, `KUBELET-EVICTION ${AT}evictionHard.memory`,
  ]);
});

test.each(['v1beta1', 'v1beta2'])('arguments in %s', (version) => {
  const args: [string, string][] = [['eviction-hard', 'memory.availble<100Mi'], ['cpu-manager-policy', 'static'], ['system-reserved', 'ram=1Gi']];
  const text = version === 'v1beta1' ? `{${args.map(([name, value]) => `${name}: "${value}"`).join(', ')}}`
    : `[${args.map(([name, value]) => `{name: ${name}, value: "${value}"}`).join(', ')}]`;
  const paths = args.map(([name], index) => `joinConfiguration.nodeRegistration.kubeletExtraArgs.${version === 'v1beta1' ? name : index}`);

  expect(found(template(`joinConfiguration: {nodeRegistration: {kubeletExtraArgs: ${text}}}`, version))).toEqual([
    `KUBELET-VALUE ${paths[1]}`, `KUBELET-EVICTION ${paths[0]}`, `KUBELET-RESERVATION ${paths[2]}`,
  ]);
});

test('taints in an argument', () => {
  const text = (value: string) => template(`joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: register-with-taints, value: "${value}"}]}}`);

  expect(found(text('gpu=true:NoSchedule,cpu:NoExecute'))).toEqual([]);
  expect(found(text('gpu=true:NoRun'))).toEqual(['KUBELET-VALUE joinConfiguration.nodeRegistration.kubeletExtraArgs.0']);
});

test('a configuration in a file, in base64 and on its own', () => {
  const text = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: -1\n';
  const encoded = `files: [{path: /etc/kubelet.yaml, encoding: base64, content: ${Buffer.from(text).toString('base64')}}]`;

  expect(found(template(`files:\n${file('/var/lib/kubelet/config.yaml', text)}`))).toEqual([`KUBELET-VALUE ${AT}maxPods`]);
  expect(found(template(encoded))).toEqual([`KUBELET-VALUE ${AT}maxPods`]);
  expect(found(text)).toEqual(['KUBELET-VALUE maxPods']);
  expect(found(`apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.34.1\n---\n${text.replace('maxPods: -1', 'memoryReservationPolicy: None')}`))
    .toEqual(['KUBELET-FIELD memoryReservationPolicy']);
});

test.each<[string, string[]]>([
  ['kube-scheduler+strategc.yaml', ['KUBEADM-PATCH-FILE files.0.path']],
  ['kubelet.yaml', ['KUBEADM-PATCH-FILE files.0.path']],
  ['kube-apiserver0+json.yml', ['KUBEADM-PATCH-FILE files.0.path']],
  ['kube-apiserver0+merge.yaml', []],
])('a patch named %s', (name, expected) => {
  expect(found(patch('spec: {}', name))).toEqual(expected);
});

test('a patch in a folder that kubeadm is not told of', () => {
  expect(found(template(`files:\n${file(`${FOLDER}/kubeletconfiguration.yaml`, 'maxPods: 60')}`))).toEqual(['KUBEADM-PATCH-FILE files.0.path']);
});

test('a folder without patches', () => {
  const empty = `joinConfiguration: {patches: {directory: ${FOLDER}/}}\n`;

  expect(found(template(empty))).toEqual(['KUBEADM-PATCHES-MISSING joinConfiguration.patches.directory']);
  expect(found(template(`${empty}preKubeadmCommands: [/opt/write-patches.sh]`))).toEqual([]);
});
