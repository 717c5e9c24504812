import { App, Chart, Duration, Size } from 'cdk8s';
import { objectFields } from '../../../src/constructs/contracts/object-fields';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { formFacts, ObjectForm } from '../../../src/manifests/rules/object-form';
import { call, PageCall } from '../../../src/manifests/rules/page-expression';
import { AdoptedCluster } from '../../../src/manifests/rules/page-parts';

const FORM: ObjectForm = {
  apiVersion: 'infrastructure.example.com/v1',
  kind: 'DepotMachineTemplate',
  className: 'DepotMachine',
  required: ['cpu'],
  properties: {
    cpu: { field: 'size.cpus', as: 'number' },
    memory: { field: 'size.memoryMiB', as: 'MiB' },
    wait: { field: 'waitSeconds', as: 'seconds' },
    linked: { field: 'linked', usual: false },
    racks: { field: 'racks', as: 'texts' },
    disk: { field: 'boot', of: { required: ['device'], properties: { device: 'name', size: { field: 'sizeGiB', as: 'GiB' } } } },
    cards: { field: 'net.cards', each: { required: ['bridge'], properties: { bridge: 'bridge', pools: { field: 'pools', items: true } } } },
  },
};

const PROPS = { cpu: 4, memory: Size.gibibytes(8), wait: Duration.minutes(2), racks: ['a'], disk: { device: 'vda', size: Size.gibibytes(20) }, cards: [{ bridge: 'br0' }] };
const SPEC = {
  size: { cpus: 4, memoryMiB: 8192 }, waitSeconds: 120, linked: false, racks: ['a'], boot: { name: 'vda', sizeGiB: 20 }, net: { cards: [{ bridge: 'br0' }] },
};

function read(spec: object): PageCall | undefined {
  const template: ManifestObject = { apiVersion: FORM.apiVersion, kind: FORM.kind, spec: { template: { spec } } };
  const cluster: AdoptedCluster = { cluster: template, controlPlane: template, infrastructure: template, index: new ManifestIndex([template]) };
  return formFacts(FORM).pageParts!.machines!['infrastructure.example.com/DepotMachineTemplate'](template, cluster, { stored: template });
}

test('an object has the fields of the properties, and the page of the object has the properties', () => {
  expect(objectFields(FORM, PROPS).fields).toEqual(SPEC);
  expect(read(SPEC)).toMatchObject({
    name: 'DepotMachine',
    args: [{
      cpu: 4,
      memory: call('Size.gibibytes', 8),
      wait: call('Duration.minutes', 2),
      racks: ['a'],
      disk: { device: 'vda', size: call('Size.gibibytes', 20) },
      cards: [{ bridge: 'br0' }],
    }],
  });
});

test('fields of the class replace those of properties, and an empty list is left out', () => {
  const chart = new Chart(new App(), 'depot');

  expect(objectFields(FORM, { cpu: 2, racks: [], cards: [] }, { 'size.cpus': undefined, 'owner': chart.node.id }).fields).toEqual({ linked: false, owner: 'depot' });
});

test('problems and plans name the properties', () => {
  expect(objectFields(FORM, PROPS).properties).toMatchObject({
    'size.memoryMiB': 'memory',
    'linked.**': 'linked.**',
    'boot': 'disk',
    'boot.sizeGiB': 'disk.size',
    'net.cards[*].bridge.**': 'cards[*].bridge.**',
    'net.cards[*].pools[*]': 'cards[*].pools[*]',
  });
  expect(formFacts(FORM).templateWords).toEqual({
    'infrastructure.example.com/DepotMachineTemplate': expect.objectContaining({ 'template.spec': 'machine', 'template.spec.boot.sizeGiB': 'disk.size', 'template.spec.net.cards': 'cards' }),
  });
});

test.each([
  ['no number', { size: { cpus: '${CPUS}' } }],
  ['nothing', {}],
])('no page is read of %s where a number must be', (_, spec) => {
  expect(read(spec)).toBeUndefined();
});

test.each([
  ['a variable for a list', { racks: '${RACKS}' }],
  ['a disk without its device', { boot: { sizeGiB: 20 } }],
  ['a card without its bridge', { net: { cards: [{ bridge: 'br0' }, {}] } }],
])('%s becomes no property', (_, spec) => {
  const { racks, disk, cards } = read({ ...spec, size: { cpus: 4 } })!.args[0] as Record<string, unknown>;

  expect({ racks, disk, cards }).toEqual({});
});
