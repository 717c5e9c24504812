import { parseAllDocuments } from 'yaml';
import { ManifestObject, nameOf } from '../../../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../../../src/manifests/rules/manifest-index';
import { CONTROLLER_RIGHTS, RIGHTS_CHANGE } from '../../../../../src/manifests/systems/kubevirt/rules/controller-rights';
import { findings } from '../../../rules/rules-under-test';

const RIGHT = CONTROLLER_RIGHTS.example.corrected;
const found = (text: string) => findings([CONTROLLER_RIGHTS], text).map((line) => line.replace('TC-TRAP-KUBEVIRT-CONTROLLER-RIGHTS spec.template.spec.serviceAccountName: ', ''));
const NAMED = 'the ServiceAccount "cloud-controller-manager" is not allowed to ';

test.each([
  ['[create, delete, get, update]', '[get, watch]', 'create, delete and update services in tenant-acme to make load balancers'],
  ['resources: [virtualmachineinstances]', 'resources: [virtualmachines]', 'get virtualmachineinstances.kubevirt.io in tenant-acme to initialize nodes'],
  [', zoneAndRegionEnabled: false', '', 'get nodes to initialize nodes with zone and region (zoneAndRegionEnabled)'],
  ['    instancesV2', '    loadBalancer: {enableEPSController: true}\n    instancesV2', 'list and watch services in tenant-acme to make load balancers; '
    + 'create, delete, list, update and watch endpointslices.discovery.k8s.io in tenant-acme for enableEPSController'],
])('%s -> %s lacks rights', (part, other, message) => {
  expect(found(RIGHT.replace(part, other))).toEqual([NAMED + message]);
});

test.each([
  ['all verbs', '[create, delete, get, update]', '["*"]'],
  ['a role that is elsewhere', 'kind: Role, name: cloud-controller-manager', 'kind: ClusterRole, name: elsewhere'],
  ['the role of administrators', 'kind: Role, name: cloud-controller-manager', 'kind: ClusterRole, name: cluster-admin'],
  ['no binding', 'kind: ServiceAccount, name: cloud-controller-manager', 'kind: ServiceAccount, name: other'],
  ['machines in another cluster', '    instancesV2', '    kubeconfig: /etc/infra\n    instancesV2'],
])('%s is no fault', (_, part, other) => {
  expect(found(RIGHT.replace(part, other).replace(/verbs: \[get, list\]/, 'verbs: [get]'))).toEqual([]);
});

const DRIVER = RIGHT.replace('quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0', 'kubevirt-csi-driver:latest')
  .replace(/args: .*/, 'args: [--infra-cluster-namespace=tenant-acme, --run-node-service=false]');

test('The CSI driver needs rights on disks, machines and, by its sidecars, claims and snapshots', () => {
  const sidecars = (...names: string[]) => DRIVER.replace('      volumes:', `${names.map((name) => `        - {name: ${name}, image: ${name}}\n`).join('')}      volumes:`);

  expect(found(DRIVER)[0]).toBe(`${NAMED}create, delete and get datavolumes.cdi.kubevirt.io in tenant-acme to make volumes; get virtualmachines.kubevirt.io in tenant-acme to attach volumes; `
    + 'update virtualmachines/addvolume.subresources.kubevirt.io in tenant-acme to attach volumes; update virtualmachines/removevolume.subresources.kubevirt.io in tenant-acme to attach volumes');
  expect(found(sidecars('csi-resizer', 'csi-snapshotter'))[0]).toMatch(/get and patch persistentvolumeclaims.*create, delete and get volumesnapshots/);
  expect(found(DRIVER.replace('--run-node-service=false', '--run-controller-service=false'))).toEqual([]);
});

function changes(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => parseAllDocuments(text).map((document) => document.toJSON() as ManifestObject));
  const [oldIndex, nowIndex] = [old, now].map((objects) => new ManifestIndex(objects));
  const named = (kind: unknown, name: string | undefined) => now.find((other) => other.kind === kind && nameOf(other) === name);
  return old.filter(({ kind }) => /^Role/.test(String(kind))).flatMap((object) => {
    return RIGHTS_CHANGE.check({ before: object, after: named(object.kind, nameOf(object)), old: oldIndex, now: nowIndex }).map(({ message }) => `${String(object.kind)}: ${message}`);
  });
}

test('Rights that a change takes are found at the role or the binding', () => {
  const documents = RIGHT.split('---\n');
  const lost = 'Deployment cloud-controller-manager is no longer allowed to ';

  expect(changes(RIGHT, RIGHT.replace('[create, delete, get, update]', '[get, update]'))).toEqual([`Role: ${lost}create and delete services in tenant-acme to make load balancers`]);
  expect(changes(RIGHT, documents.slice(1).join('---\n'))[0]).toMatch(/^Role: .*get virtualmachineinstances.*services/);
  expect(changes(RIGHT, documents.filter((_, index) => index !== 1).join('---\n'))[0]).toMatch(/^RoleBinding: .*get virtualmachineinstances.*services/);
  expect(changes(RIGHT, documents.slice(0, 3).join('---\n'))).toEqual([]);
  expect(changes(RIGHT, RIGHT)).toEqual([]);
  // A permission that it did not have before is no loss.
  expect(changes(RIGHT.replace('[create, delete, get, update]', '[get]'), RIGHT.replace('[create, delete, get, update]', '[update]'))).toEqual([]);
});
