import { KUBEVIRT_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubevirt/provider';
import { BOOT_DISK } from '../../../../../src/manifests/systems/kubevirt/rules/disks';
import { DEVICES, domainWith, INSTANCE, machineDeployment, machineTemplate } from '../../../../../src/manifests/systems/kubevirt/rules/examples';
import { detailsIn, findings } from '../../../rules/rules-under-test';

const ALWAYS = '          runStrategy: Always\n          dataVolumeTemplates: [{metadata: {name: data}, spec: {source: {blank: {}}, storage: {}}}]\n';
const INTERFACES = '                  interfaces';

/** Disks and volumes of a machine that starts from an image, or from its second disk. */
function machine(disks: string, volumes: string): string {
  return machineTemplate({
    machine: ALWAYS,
    domain: domainWith(DEVICES.replace('                    - {name: root, disk: {bus: virtio}}\n', disks === '' ? '                    []\n' : `                    ${disks}\n`)),
    instance: INSTANCE.replace('- {name: root, dataVolume: {name: root}}', volumes),
  });
}

const ids = (text: string) => findings(KUBEVIRT_MANIFEST_RULES, text).map((line) => line.split(' ')[0]);
const IMAGE = '- {name: root, containerDisk: {image: a}}';
const DATA = '- {name: data, dataVolume: {name: data}}';
const ROOT_DISK = '- {name: root, disk: {bus: virtio}}';
const DATA_DISK = '- {name: data, disk: {bus: virtio}}';
const VOLUMES = `${IMAGE}\n                ${DATA}`;
const both = (one: string, other: string) => `${one}\n                    ${other}`;

test.each([
  ['the image first, and a disk for data', both(ROOT_DISK, DATA_DISK), true],
  ['the image second', both(DATA_DISK, ROOT_DISK), false],
  ['the image second, and first in the order', both(DATA_DISK, '- {name: root, bootOrder: 1, disk: {bus: virtio}}'), true],
  ['the image first, and last in the order', both('- {name: root, bootOrder: 2, disk: {bus: virtio}}', '- {name: data, bootOrder: 1, disk: {bus: virtio}}'), false],
  ['the image in a drive', both('- {name: root, cdrom: {bus: sata}}', DATA_DISK), false],
  ['disks that KubeVirt adds', '', true],
])('%s', (_, disks, isFound) => {
  expect(ids(machine(disks, VOLUMES))).toEqual(isFound ? ['TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT'] : []);
});

test('it is warned of, because the templates of the provider have such disks on purpose', () => {
  expect(BOOT_DISK.warning).toBe(true);
});

test('an image over a claim is lost as well, and nobody judges what starts over the network', () => {
  const ephemeral = machine(both(ROOT_DISK, DATA_DISK), VOLUMES.replace('containerDisk: {image: a}', 'ephemeral: {persistentVolumeClaim: {claimName: a}}'));
  const overNetwork = machine(both(ROOT_DISK, DATA_DISK), VOLUMES).replace('{name: default, bridge: {}}', '{name: default, bootOrder: 1, bridge: {}}');

  expect(ids(ephemeral)).toEqual(['TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT']);
  expect(ids(overNetwork)).toEqual([]);
});

test('what is lost is said of nodes, and of members of etcd', () => {
  const template = machine(both(ROOT_DISK, DATA_DISK), VOLUMES);
  const controlPlane = `---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec: {machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtMachineTemplate, name: acme-general-1a2b3c4d}}}}
`;

  expect(detailsIn(KUBEVIRT_MANIFEST_RULES, template + machineDeployment('acme-general'))).toEqual([
    expect.objectContaining({ message: expect.stringContaining('the node that it was'), fix: expect.stringContaining('runStrategy to Once') }),
  ]);
  expect(detailsIn(KUBEVIRT_MANIFEST_RULES, template + controlPlane)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('etcd'), fix: expect.not.stringContaining('Once') }),
  ]);
});

test('a misspelt name of a volume, a disk or a network is recognized', () => {
  const misspelt = machineTemplate({ domain: domainWith(DEVICES.replace('name: root', 'name: rooot').replace(`${INTERFACES}:\n                    - {name: default`, `${INTERFACES}:\n                    - {name: defalut`)) });

  expect(detailsIn(KUBEVIRT_MANIFEST_RULES, misspelt).map(({ fix }) => fix)).toEqual([
    'write "root" if that volume is meant, or add the volume',
    'write "default" if that network is meant, or add the network',
    'write "defalut" if that interface is meant, or add the interface',
  ]);
});
