import { clusterClassYaml, healthCheckYaml, topologyYaml, workerClassYaml } from '../../../../../src/manifests/rules/cluster-api/example-manifests';
import { KUBEVIRT_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubevirt/provider';
import {
  cloudControllerManager, cluster, DEVICES, domainWith, ExampleParts, INSTANCE, kubevirtCluster, machineDeployment, machineTemplate,
  persistentMachine,
} from '../../../../../src/manifests/systems/kubevirt/rules/examples';
import { findings, testRules } from '../../../rules/rules-under-test';

testRules(KUBEVIRT_MANIFEST_RULES);

const MACHINE = 'spec.template.spec.virtualMachineTemplate.spec';
const DOMAIN = `${MACHINE}.template.spec.domain`;

function found(text: string): string[] {
  return findings(KUBEVIRT_MANIFEST_RULES, text).map((finding) => finding.split(':')[0]);
}

const withDisk = (name: string): string => DEVICES.replace('                  interfaces', `                    - {name: ${name}, disk: {bus: virtio}}\n                  interfaces`);

test.each<[string, ExampleParts, string[]]>([
  ['a volume without disk, which gets one', { instance: `${INSTANCE}                - {name: data, emptyDisk: {capacity: 1Gi}}\n` }, []],
  ['a volume that is there twice', { instance: `${INSTANCE}                - {name: root, emptyDisk: {capacity: 1Gi}}\n` }, [`TC-TRAP-KUBEVIRT-DISKS ${MACHINE}.template.spec.volumes.1.name`]],
  ['a volume that needs no disk', { instance: `${INSTANCE}                - {name: memory, memoryDump: {claimName: dump}}\n` }, []],
  ['a volume that is a file system', { domain: domainWith(`${DEVICES}                  filesystems: [{name: data, virtiofs: {}}]\n`), instance: `${INSTANCE}                - {name: data, configMap: {name: data}}\n` }, []],
  ['a disk that is there twice', { domain: domainWith(withDisk('root')) }, [`TC-TRAP-KUBEVIRT-DISKS ${DOMAIN}.devices.disks.1.name`]],
  ['the disk of the provider', { domain: domainWith(withDisk('cloudinitvolume')) }, [`TC-TRAP-KUBEVIRT-CLOUD-INIT ${DOMAIN}.devices.disks.1.name`]],
  ['a DataVolume that a claim stands for', { instance: INSTANCE.replace('dataVolume: {name: root}', 'persistentVolumeClaim: {claimName: root}') }, []],
  ['two sources', { machine: persistentMachine().replace('source: {registry', 'source: {blank: {}, registry') }, [`TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC ${MACHINE}.dataVolumeTemplates.0.spec`]],
  ['a source that the claim has', { machine: persistentMachine().replace(/source: .*/, 'storage_: {}').replace('storage_: {}', 'sourceRef: {kind: DataSource, name: images}') }, []],
  ['a place in the order of disks below 0', { domain: domainWith(DEVICES.replace('name: root,', 'name: root, bootOrder: -1,')) }, [`TC-ADMIT-KUBEVIRT-COUNT ${DOMAIN}.devices.disks.0.bootOrder`]],
  ['more threads than there are numbers', { domain: domainWith(DEVICES, '                memory: {guest: 16Gi}\n                ioThreads: {supplementalPoolThreadCount: 4294967296}\n') }, [`TC-ADMIT-KUBEVIRT-COUNT ${DOMAIN}.ioThreads.supplementalPoolThreadCount`]],
  ['running and runStrategy', { machine: persistentMachine('          runStrategy: Always\n          running: true\n') }, [`TC-TRAP-KUBEVIRT-RUN-STRATEGY ${MACHINE}.runStrategy`]],
  ['running alone', { machine: persistentMachine('          running: true\n') }, []],
  ['a machine that waits to be received', { machine: persistentMachine('          runStrategy: WaitAsReceiver\n') }, [`TC-TRAP-KUBEVIRT-RUN-STRATEGY ${MACHINE}.runStrategy`]],
  ['an always running machine on a disk', { machine: persistentMachine('          runStrategy: Always\n') }, []],
  ['requests beside an instance type', {
    machine: `          instancetype: {name: u1.xlarge}\n${persistentMachine()}`, domain: domainWith(DEVICES, '                resources: {limits: {cpu: 4}}\n'),
  }, [`TC-TRAP-KUBEVIRT-SIZING ${MACHINE}.instancetype`]],
  ['a model beside an instance type', {
    machine: `          instancetype: {name: u1.xlarge}\n${persistentMachine()}`, domain: domainWith(DEVICES, '                cpu: {model: host-passthrough}\n'),
  }, []],
  ['secure boot with SMM', { domain: domainWith(DEVICES, '                memory: {guest: 16Gi}\n                features: {smm: {}}\n                firmware: {bootloader: {efi: {}}}\n') }, []],
  ['secure boot with SMM switched off', { domain: domainWith(DEVICES, '                memory: {guest: 16Gi}\n                features: {smm: {enabled: false}}\n                firmware: {bootloader: {efi: {}}}\n') }, [`TC-TRAP-KUBEVIRT-SECURE-BOOT ${DOMAIN}.firmware.bootloader.efi`]],
  ['no memory, and no instance type', { domain: domainWith(DEVICES, '                cpu: {cores: 4}\n') }, [`TC-TRAP-KUBEVIRT-MEMORY ${DOMAIN}.memory.guest`]],
  ['an instance type, which has memory', { machine: `          instancetype: {name: u1.xlarge}\n${persistentMachine()}`, domain: domainWith(DEVICES, '') }, []],
  ['huge pages', { domain: domainWith(DEVICES, '                memory: {hugepages: {pageSize: 1Gi}}\n') }, []],
  ['a limit of memory, which is the request, too', { domain: domainWith(DEVICES, '                resources: {limits: {memory: 4Gi}}\n') }, []],
  ['no interfaces and no networks', { domain: domainWith(DEVICES.slice(0, DEVICES.indexOf('                  interfaces'))), instance: INSTANCE.slice(INSTANCE.indexOf('              volumes')) }, []],
  ['block sizes that fit', { domain: domainWith(DEVICES.replace('bus: virtio}', 'bus: virtio}, blockSize: {custom: {logical: 512, physical: 4096}}')) }, []],
  ['a logical block above the physical one', { domain: domainWith(DEVICES.replace('bus: virtio}', 'bus: virtio}, blockSize: {custom: {logical: 4096, physical: 512}}')) }, [`TC-TRAP-KUBEVIRT-BLOCK-SIZE ${DOMAIN}.devices.disks.0.blockSize.custom.logical`]],
  ['two bindings', { domain: domainWith(DEVICES.replace('bridge: {}', 'bridge: {}, sriov: {}')) }, [`TC-TRAP-KUBEVIRT-BINDING ${DOMAIN}.devices.interfaces.0`]],
  ['no binding', { domain: domainWith(DEVICES.replace(', bridge: {}', '')) }, [`TC-TRAP-KUBEVIRT-BINDING ${DOMAIN}.devices.interfaces.0`]],
  ['the binding of a plug-in', { domain: domainWith(DEVICES.replace('bridge: {}', 'binding: {name: passt}')) }, []],
  ['a binding for the pod network on another one', {
    domain: domainWith(DEVICES.replace('bridge: {}', 'masquerade: {}')), instance: INSTANCE.replace('pod: {}', 'multus: {networkName: a}'),
  }, [`TC-TRAP-KUBEVIRT-BINDING ${DOMAIN}.devices.interfaces.0.masquerade`, `TC-TRAP-KUBEVIRT-MASQUERADE ${DOMAIN}.devices.interfaces.0.masquerade`]],
  ['two pod networks', {
    domain: domainWith(`${DEVICES}                    - {name: second, bridge: {}}\n`), instance: INSTANCE.replace('              volumes', '                - {name: second, pod: {}}\n              volumes'),
  }, [`TC-TRAP-KUBEVIRT-NETWORKS ${MACHINE}.template.spec.networks.1`]],
  ['an interface with a dot in its name', {
    domain: domainWith(DEVICES.replace('name: default', 'name: pod.a')), instance: INSTANCE.replace('name: default', 'name: pod.a'),
  }, [`TC-TRAP-KUBEVIRT-NETWORKS ${DOMAIN}.devices.interfaces.0.name`]],
  ['a CD drive on another bus', { domain: domainWith(DEVICES.replace('disk: {bus: virtio}', 'cdrom: {bus: ide}')) }, [`TC-TRAP-KUBEVIRT-DISK-BUS ${DOMAIN}.devices.disks.0.cdrom.bus`]],
])('%s', (_, parts, expected) => {
  expect(found(machineTemplate(parts))).toEqual(expected);
});

/** Findings in a VirtualMachine, and in a VirtualMachineInstance of the same domain. */
function inMachines(domain: string, instance: string, machine = 'runStrategy: Halted'): [machine: string[], instance: string[]] {
  const spec = `{domain: ${domain}, ${instance}}`;
  return [
    found(`apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: t}\nspec: {${machine}, template: {spec: ${spec}}}\n`),
    found(`apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\nmetadata: {name: a, namespace: t}\nspec: ${spec}\n`),
  ];
}

test.each<[domain: string, instance: string, places: string[]]>([
  ['{memory: {guest: 1Gi}, devices: {}}', 'volumes: []', []],
  ['{memory: {guest: 1Gi}, devices: {disks: [{name: a, disk: {bus: nvme}}]}}', 'volumes: [{name: a, emptyDisk: {capacity: 1Gi}}]', ['DISKS domain.devices.disks.0.disk.bus']],
  ['{memory: {guest: 1Gi}, devices: {disks: [{name: a, disk: {}}]}}', 'volumes: []', ['DISKS domain.devices.disks.0.name']],
  ['{memory: {guest: 1Gi}, devices: {disks: [{name: cloudinitvolume, disk: {}}]}}', 'volumes: []', ['DISKS domain.devices.disks.0.name']],
  ['{memory: {guest: 1Gi}, devices: {disks: [{name: a, cdrom: {bus: sata}}]}}', 'volumes: []', []],
  ['{memory: {guest: 1Gi}, devices: {disks: [{name: cloudinitvolume, disk: {}}]}}', 'volumes: [{name: cloudinitvolume, cloudInitNoCloud: {userData: a}}]', []],
  ['{memory: {guest: 1Gi}, devices: {interfaces: [{name: a, bridge: {}}]}}', 'networks: [{name: b, pod: {}}]',
    ['NETWORKS domain.devices.interfaces.0.name', 'NETWORKS networks.0.name']],
  ['{memory: {guest: 1Gi}, devices: {interfaces: [{name: a, masquerade: {}}]}}', 'networks: [{name: a, pod: {}}]', []],
  ['{memory: {guest: 1Gi}, devices: {}, firmware: {bootloader: {efi: {}}}}', 'volumes: []', ['SETTINGS domain.firmware.bootloader.efi']],
])('a virtual machine of KubeVirt with %s and %s', (domain, instance, places) => {
  const at = (path: string) => places.map((place) => `TC-ADMIT-VM-${place.replace(' ', ` ${path}`)}`);
  expect(inMachines(domain, instance)).toEqual([at('spec.template.spec.'), at('spec.')]);
});

test.each<[machine: string, found: string[]]>([
  ['runStrategy: WaitAsReceiver', []],
  ['running: false', []],
  ['instancetype: {name: u1.medium}', ['TC-ADMIT-VM-SETTINGS spec.instancetype', 'TC-ADMIT-VM-SETTINGS spec.runStrategy']],
  ['runStrategy: Sometimes', ['TC-ADMIT-VM-SETTINGS spec.runStrategy']],
  ['runStrategy: Halted, dataVolumeTemplates: [{metadata: {name: b}, spec: {storage: {}, source: {blank: {}}}}]', ['TC-ADMIT-VM-DATA-VOLUMES spec.dataVolumeTemplates.0.metadata.name']],
])('a VirtualMachine with %s', (machine, expected) => {
  expect(inMachines('{memory: {guest: 1Gi}, devices: {}}', 'volumes: []', machine)[0]).toEqual(expected);
});

test('a machine without memory is stored, and cannot run', () => {
  expect(inMachines('{devices: {}}', 'volumes: []')).toEqual([
    ['TC-TRAP-KUBEVIRT-MEMORY spec.template.spec.domain.memory.guest'], ['TC-ADMIT-VM-SETTINGS spec.domain.memory.guest'],
  ]);
});

test('a machine is looked at where its fields are', () => {
  const machine = machineTemplate({ machine: persistentMachine('') }).replace('KubevirtMachineTemplate', 'KubevirtMachine')
    .replace('  template:\n    spec:\n      virtualMachineBootstrapCheck', '      virtualMachineBootstrapCheck');

  expect(found(machine)).toEqual(['TC-TRAP-KUBEVIRT-RUN-STRATEGY spec.virtualMachineTemplate.spec.runStrategy']);
});

test.each([
  ['whatever its machines are sized by', machineTemplate(), '0', ['TC-TRAP-KUBEVIRT-SCALE-FROM-ZERO metadata.annotations']],
  ['whose template is somewhere else', '', '0', ['TC-TRAP-KUBEVIRT-SCALE-FROM-ZERO metadata.annotations']],
  ['that keeps a machine', machineTemplate(), '1', []],
])('a pool %s tells the autoscaler what its nodes offer, if it may have none', (_, template, least, expected) => {
  const annotations = (capacity: string): string => `  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "${least}"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "5"
    capacity.cluster-autoscaler.kubernetes.io/cpu: "4"
${capacity}`;

  expect(found(template + machineDeployment('acme-general', annotations('')))).toEqual(expected);
  expect(found(template + machineDeployment('acme-general', annotations('    capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi\n')))).toEqual([]);
});

test('the annotation is for clusters that Kamaji serves', () => {
  expect(found(kubevirtCluster('') + cluster('KubeadmControlPlane'))).toEqual([]);
  expect(found(kubevirtCluster(''))).toEqual([]);
});

test('the annotation is in what clusters of a class get', () => {
  const template = (metadata: string): string => `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtClusterTemplate
metadata: {name: small, namespace: tenant-acme, annotations: {cluster.x-k8s.io/managed-by: kamaji}}
spec: {template: {${metadata}spec: {}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: small, namespace: tenant-acme}
spec:
  infrastructure: {templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, kind: KubevirtClusterTemplate, name: small}}
  controlPlane: {templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1alpha2, kind: KamajiControlPlaneTemplate, name: small}}
`;

  expect(found(template(''))).toEqual(['TC-TRAP-KUBEVIRT-MANAGED-BY spec.template.metadata.annotations']);
  expect(found(template('metadata: {annotations: {cluster.x-k8s.io/managed-by: kamaji}}, '))).toEqual([]);
});

test('only a load balancer leads to a control plane in another cluster', () => {
  const elsewhere = (more: string): string => kubevirtCluster(`spec: {infraClusterSecretRef: {name: edge, namespace: tenant-acme}${more}}\n`);

  expect(found(elsewhere(''))).toEqual(['TC-TRAP-KUBEVIRT-SERVICE-TYPE spec.controlPlaneServiceTemplate.spec.type']);
  expect(found(elsewhere(', controlPlaneServiceTemplate: {spec: {type: LoadBalancer}}'))).toEqual([]);
  expect(found(elsewhere(', controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}'))).toEqual([]);
});

test('an empty Service template is none', () => {
  expect(found(kubevirtCluster('  annotations: {cluster.x-k8s.io/managed-by: kamaji}\nspec: {controlPlaneServiceTemplate: {metadata: {}, spec: {}}}\n'))).toEqual([]);
});

test('names of pools whose machines are not known are not judged', () => {
  expect(found(machineDeployment(`acme-${'general-'.repeat(5)}pool`))).toEqual([]);
});

test('machines of another namespace are found where the cloud controller manager is told of it', () => {
  const elsewhere = machineTemplate().replace('      virtualMachineTemplate:\n', '      virtualMachineTemplate:\n        metadata: {namespace: machines}\n');
  const config = '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cloud-config, namespace: tenant-acme}\ndata: {cloud-config: "namespace: machines"}\n';

  expect(found(elsewhere)).toEqual([]);
  expect(found(`${elsewhere}---\n${cloudControllerManager('acme')}`)).toEqual(['TC-TRAP-KUBEVIRT-MACHINE-NAMESPACE spec.template.spec.virtualMachineTemplate.metadata.namespace']);
  expect(found(`${elsewhere}---\n${cloudControllerManager('acme')}${config}`)).toEqual([]);
});

describe('the limit of a health check', () => {
  const BOUND = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
  const fixed = (count: number) => machineDeployment('acme-general').replace('spec:\n', `spec:\n  replicas: ${count}\n`);
  const between = (least: number, most: number) => machineDeployment('acme-general', `  annotations: {"${BOUND}-min-size": "${least}", "${BOUND}-max-size": "${most}"}\n`);
  const limited = (limit: string) => healthCheckYaml(`remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: ${limit}`);
  const inV1beta1 = (limit: string) => healthCheckYaml(`maxUnhealthy: ${limit}`).replace('v1beta2', 'v1beta1');

  test.each([
    [fixed(1), '1', false], [fixed(2), '1', true], [fixed(2), '50%', true], [fixed(2), '2', false], [fixed(2), '100%', false],
    [fixed(3), '40%', true], [fixed(3), '67%', false], [fixed(5), '2', true], [fixed(5), '3', false], [fixed(0), '1', false],
    [between(1, 10), '1', true], [between(1, 10), '4', true], [between(1, 10), '5', false], [between(3, 100), '60%', true], [between(3, 100), '67%', false],
    // No machine is ever replaced, which another rule finds.
    [fixed(2), '40%', false],
    // Nothing is known of the size, and other machines share no host.
    [fixed(4).replace('replicas: 4', 'replicas: "4"'), '1', false],
    [fixed(4).replace('KubevirtMachineTemplate', 'VultrMachineTemplate'), '1', false],
  ])('allows the machines of one of two hosts: %#', (pool, limit, isFound) => {
    for (const check of [limited(limit), inV1beta1(limit)]) {
      const ids = found(`${machineTemplate()}${pool}---\n${check}`).filter((line) => line.includes('HOST-LOSS'));
      expect(ids).toHaveLength(isFound ? 1 : 0);
    }
  });

  test.each([
    // The hosts are counted: 9 machines are 3 on each of 3 hosts.
    ['3', '2', true], ['3', '3', false], ['9', '1', false], ['1', '8', true], ['1', '9', false],
    // No number of hosts: one of two.
    ['0', '4', true], ['many', '4', true], ['many', '5', false],
  ])('allows the machines of one of %s hosts, with a limit of %s', (hosts, limit, isFound) => {
    const check = limited(limit).replace('metadata:\n', `metadata:\n  annotations:\n    cdk8s-cluster-api/hosts: "${hosts}"\n`);

    expect(found(`${machineTemplate()}${fixed(9)}---\n${check}`).filter((line) => line.includes('HOST-LOSS'))).toHaveLength(isFound ? 1 : 0);
  });

  test.each<[hosts: string, size: string, rollout: string, isFound: boolean]>([
    ['3', 'replicas: 3', 'rollingUpdate: {maxSurge: 1}', true], ['4', 'replicas: 3', 'rollingUpdate: {maxSurge: 1}', false], ['3', 'replicas: 3', 'rollingUpdate: {maxSurge: 0}', false],
    ['5', 'replicas: 4', 'rollingUpdate: {maxSurge: 50%}', true], ['6', 'replicas: 4', 'rollingUpdate: {maxSurge: 50%}', false],
    // Without maxSurge, the webhook writes 1; nothing surges OnDelete.
    ['3', 'replicas: 3', 'type: RollingUpdate', true], ['3', 'replicas: 3', 'type: OnDelete', false],
    ['many', 'replicas: 9', 'type: RollingUpdate', false], ['1', 'replicas: 0', 'type: RollingUpdate', false],
  ])('of which there are %s, for machines that must be spread: %s, %s', (hosts, size, rollout, isFound) => {
    const spread = machineTemplate({ instance: `              topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}]\n${INSTANCE}` });
    const check = limited('2').replace('metadata:\n', `metadata:\n  annotations:\n    cdk8s-cluster-api/hosts: "${hosts}"\n`);
    const text = spread + fixed(4).replace('  replicas: 4\n', `  ${size}\n  rollout: {strategy: {${rollout}}}\n`);

    expect(found(`${text}---\n${check}`).filter((line) => line.includes('HOST-SPREAD'))).toHaveLength(isFound ? 1 : 0);
    expect(found(`${text.replace('DoNotSchedule', 'ScheduleAnyway')}---\n${check}`).filter((line) => line.includes('HOST-SPREAD'))).toEqual([]);
  });

  const pool = (more: string) => `workers:\n  machineDeployments:\n    - class: worker\n      name: general\n${more.replace(/^/gm, '      ')}`;
  const inCheck = (limit: string) => `healthCheck:\n  checks:\n    nodeStartupTimeoutSeconds: 1200\n  remediation:\n    triggerIf:\n      unhealthyLessThanOrEqualTo: ${limit}`;
  const topology = (ofCluster: string, ofClass = '', templateKind = 'KubevirtMachineTemplate') => (
    `${topologyYaml(pool(ofCluster))}---\n${clusterClassYaml(workerClassYaml(ofClass, templateKind))}`);
  const OWN = 'spec.topology.workers.machineDeployments.0.healthCheck.remediation.triggerIf.unhealthyLessThanOrEqualTo';
  const POOL = 'spec.topology.workers.machineDeployments.0';

  test.each<[string, string | undefined]>([
    [topology(`replicas: 4\n${inCheck('1')}`), OWN],
    [topology(`replicas: 4\n${inCheck('2')}`), undefined],
    [topology('replicas: 4', inCheck('1')), POOL],
    [topology('replicas: 4', inCheck('2')), undefined],
    [topology('replicas: 2', inCheck('1')), POOL],
    // The topology replaces what the class has, or switches it off.
    [topology(`replicas: 4\n${inCheck('2')}`, inCheck('1')), undefined],
    [topology(`replicas: 4\n${inCheck('1')}`, inCheck('2')), OWN],
    [topology('replicas: 4\nhealthCheck: {enabled: false}', inCheck('1')), undefined],
    [topology('replicas: 4\nhealthCheck: {enabled: true}', inCheck('1')), POOL],
    [topology(`metadata: {annotations: {"${BOUND}-min-size": "1", "${BOUND}-max-size": "10"}}`, inCheck('4')), POOL],
    [topology('', `metadata: {annotations: {"${BOUND}-min-size": "1", "${BOUND}-max-size": "10"}}\n${inCheck('4')}`), POOL],
    [topology('replicas: 4', inCheck('1'), 'VultrMachineTemplate'), undefined],
    // Without the class, the kind of the machines is unknown.
    [topologyYaml(pool(`replicas: 4\n${inCheck('1')}`)), undefined],
  ])('in a topology or its class: %#', (text, path) => {
    expect(found(text).filter((line) => line.includes('HOST-LOSS'))).toEqual(path === undefined ? [] : [`TC-TRAP-KUBEVIRT-HOST-LOSS ${path}`]);
  });

  test('is no limit where there is a range', () => {
    expect(found(`${machineTemplate()}${fixed(4)}---\n${limited('1')}`)).toEqual(['TC-TRAP-KUBEVIRT-HOST-LOSS spec.remediation.triggerIf.unhealthyLessThanOrEqualTo']);
    expect(found(`${machineTemplate()}${fixed(4)}---\n${healthCheckYaml('remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: 1\n    unhealthyInRange: "[1-4]"')}`)).toEqual([]);
  });
});

test.each<[what: string, userData: string, found: boolean]>([
  ['YAML of cloud-init', 'packages: [tmux]', true],
  ['YAML of cloud-init with its first line', '#cloud-config\n        packages: [tmux]', false],
  ['a configuration of an operating system without cloud-init', 'version: v1alpha1\n        machine: {type: worker}', false],
])('user data of a virtual machine: %s', (_, userData, isFound) => {
  const text = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: bastion, namespace: shop}
spec:
  domain: {memory: {guest: 1Gi}, devices: {disks: [{name: setup, disk: {bus: virtio}}]}}
  volumes:
  - name: setup
    cloudInitNoCloud:
      userData: |
        ${userData}
`;
  expect(found(text).some((finding) => finding.startsWith('TC-TRAP-KUBEVIRT-USER-DATA'))).toBe(isFound);
});
