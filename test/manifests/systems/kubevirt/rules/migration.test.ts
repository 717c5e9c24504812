import { documents, indented } from '../../../../../src/manifests/rules/example-text';
import { MIGRATION } from '../../../../../src/manifests/systems/kubevirt/rules/migration';
import { findings } from '../../../rules/rules-under-test';

interface Machine {
  readonly strategy?: string;
  readonly binding?: string;
  readonly annotation?: boolean;
  readonly domain?: string;
  readonly volume?: string;
  readonly claim?: string;
}

function machineSpec({ strategy = 'LiveMigrate', binding = 'masquerade', annotation = false, domain = '', volume = 'containerDisk: {image: a}', claim }: Machine): string {
  return `runStrategy: Always
${claim === undefined ? '' : `dataVolumeTemplates: [{metadata: {name: root}, spec: {source: {blank: {}}, storage: ${claim}}}]\n`}template:
  metadata: {annotations: {${annotation ? '"kubevirt.io/allow-pod-bridge-network-live-migration": ""' : ''}}}
  spec:
    evictionStrategy: ${strategy}
    domain:
      memory: {guest: 1Gi}
${domain === '' ? '' : `      ${domain}\n`}      devices: {disks: [{name: root, disk: {}}], interfaces: [{name: default, ${binding}: {}}]}
    networks: [{name: default, pod: {}}]
    volumes: [{name: root, ${volume}}]
`;
}

function virtualMachine(machine: Machine): string {
  return `apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: t}\nspec:\n${indented(machineSpec(machine), 2)}`;
}

function template(machine: Machine): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1\nkind: KubevirtMachineTemplate\nmetadata: {name: a, namespace: t}\nspec:\n  template:\n    spec:
      virtualMachineTemplate:\n        spec:\n${indented(machineSpec(machine), 10)}`;
}

function found(text: string): string[] {
  return findings(MIGRATION, text).map((line) => line.replace(/^TC-TRAP-KUBEVIRT-(\S+)-MIGRATION .*$/, '$1'));
}

const DISK = 'dataVolume: {name: root}';
const CLAIM = 'persistentVolumeClaim: {claimName: data}';
const claim = (mode: string) => `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: t}\nspec: {accessModes: [${mode}]}\n`;
const storageClass = (provisioner: string) => `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: ${provisioner}\n`;
const profile = (mode: string) => `apiVersion: cdi.kubevirt.io/v1beta1\nkind: StorageProfile\nmetadata: {name: fast}\nspec: {claimPropertySets: [{accessModes: [${mode}]}]}\n`;
const FAST = { volume: DISK, claim: '{storageClassName: fast, resources: {requests: {storage: 1Gi}}}' };

describe.each([['a VirtualMachine', virtualMachine], ['a KubevirtMachineTemplate', template]])('%s', (_, write) => {
  test.each<[string, Machine, string[], string[]]>([
    ['by masquerade, with a container disk', {}, [], []],
    ['with host-passthrough and dedicated CPUs', { domain: 'cpu: {model: host-passthrough, dedicatedCpuPlacement: true}' }, [], []],
    ['by bridge', { binding: 'bridge' }, [], ['BRIDGE']],
    ['by bridge, which is allowed', { binding: 'bridge', annotation: true }, [], []],
    ['by bridge, if it can', { binding: 'bridge', strategy: 'LiveMigrateIfPossible' }, [], []],
    ['by slirp', { binding: 'slirp' }, [], ['BRIDGE']],
    ['with a disk of one host', { volume: DISK, claim: '{accessModes: [ReadWriteOnce]}' }, [], ['DISK']],
    ['with a shared disk', { volume: DISK, claim: '{accessModes: [ReadWriteMany]}' }, [], []],
    ['with a claim of one host', { volume: CLAIM }, [claim('ReadWriteOnce')], ['DISK']],
    ['with a shared claim', { volume: CLAIM }, [claim('ReadWriteMany')], []],
    ['with a claim that is not read', { volume: CLAIM }, [], []],
    ['with a file of the host', { volume: 'hostDisk: {path: /data/a.img, type: Disk}' }, [], ['DISK']],
    ['of a local class', FAST, [storageClass('rancher.io/local-path')], ['DISK']],
    ['of a class that the importer knows to be shared', FAST, [storageClass('rancher.io/local-path'), profile('ReadWriteMany')], []],
    ['of a class that the importer knows not to be shared', FAST, [storageClass('ceph.example.com'), profile('ReadWriteOnce')], ['DISK']],
    ['of another class', FAST, [storageClass('ceph.example.com')], []],
    ['with encrypted memory', { domain: 'launchSecurity: {sev: {}}' }, [], ['FEATURE']],
  ])('%s', (__, machine, beside, expected) => {
    expect(found(documents(write(machine), ...beside))).toEqual(expected);
  });
});

test('a plain machine is stopped, and the node of one of a cluster is drained', () => {
  expect(findings(MIGRATION, virtualMachine({ strategy: 'External', volume: DISK, claim: '{}' }))).toEqual([]);
  expect(findings(MIGRATION, template({ strategy: 'External', volume: DISK, claim: '{}' }))).toEqual([expect.stringContaining('TC-TRAP-KUBEVIRT-CORDONED-NODE')]);
});
