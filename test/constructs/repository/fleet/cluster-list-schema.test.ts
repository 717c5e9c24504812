import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import * as jsYaml from 'js-yaml';
import { listIn, said } from './fleets';
import { FIXED_KEYS } from '../../../../src/constructs/repository/fleet/listed-cluster';
import { amount } from '../../../support/sample';

const SCHEMA = JSON.parse(readFileSync(join(__dirname, '../../../../docs/clusters.schema.json'), 'utf8')) as { items: { properties: object } };

// Editors know further keywords.
const matches = new Ajv({ strict: false }).compile(SCHEMA);

const WARNINGS = /TC-FLEET-UNUSED|TC-CLUSTER-VERSION-NEWER/;

/** Problems of a list. */
function refusals(list: unknown): string[] {
  return said(listIn('clusters.json', JSON.stringify(list))).filter((text) => !WARNINGS.test(text));
}

test('the schema has the fields that a list has', () => {
  expect(Object.keys(SCHEMA.items.properties).sort()).toEqual([...FIXED_KEYS, 'labels'].sort());
});

const LONG = 'a'.repeat(57);

describe('what a list accepts, its schema accepts', () => {
  test.each<[string, unknown]>([
    ['no cluster', []],
    ['a name', [{ name: 'acme' }]],
    ['every field', [{
      name: 'acme',
      namespace: '1-acme',
      profile: 'plain',
      ring: 'main',
      region: 'hall a',
      network: 'vrf',
      kubernetesVersion: 'v1.35.1',
      versions: '2026.08',
      decommission: true,
      hibernation: 'pools',
      labels: { 'tier': 'gold', 'example.com/cost-center': '' },
      pool: { size: 3, zones: ['a', 'b'] },
      gpus: '2',
    }]],
    ['fields without a value', [{ name: 'acme', namespace: null, ring: null, labels: null, decommission: null, hibernation: null, versions: null }]],
    ['labels by column', [{ 'name': 'acme', 'labels.tier': 'gold' }]],
    ['labels without a value', [{ name: 'acme', labels: { tier: null } }]],
    ['flags of spreadsheets', [{ name: 'acme', decommission: 'FALSE' }, { name: 'blue', decommission: 'True' }]],
    ['a long name with a namespace', [{ name: LONG, namespace: 'long' }]],
  ])('%s', (_, list) => {
    expect([refusals(list), matches(list)]).toEqual([[], true]);
  });
});

describe('what a list refuses, its schema refuses', () => {
  test.each<[string, unknown]>([
    ['an object', { name: 'acme' }],
    ['a name alone', ['acme']],
    ['no name', [{ ring: 'main' }]],
    ['a name without a value', [{ name: null }]],
    ['a number as name', [{ name: 7 }]],
    ['capitals', [{ name: 'Acme' }]],
    ['a name that begins with a digit', [{ name: '1-acme' }]],
    ['a name that its namespace cannot have', [{ name: LONG }]],
    ['a name that no object can have', [{ name: 'a'.repeat(64), namespace: 'long' }]],
    ['a namespace with a dot', [{ name: 'acme', namespace: 'tenants.acme' }]],
    ['a number as version', [{ name: 'acme', kubernetesVersion: 1.35 }]],
    ['a minor version', [{ name: 'acme', kubernetesVersion: '1.35' }]],
    ['a version that is too old', [{ name: 'acme', kubernetesVersion: '1.30.1' }]],
    ['a pre-release', [{ name: 'acme', kubernetesVersion: '1.35.0-rc.1' }]],
    ['a number as catalog', [{ name: 'acme', versions: 2026.08 }]],
    ['an unknown catalog', [{ name: 'acme', versions: '2026.07' }]],
    ['yes as flag', [{ name: 'acme', decommission: 'yes' }]],
    ['an unknown sleep', [{ name: 'acme', hibernation: 'deep' }]],
    ['a list of labels', [{ name: 'acme', labels: ['gold'] }]],
    ['a number as label', [{ name: 'acme', labels: { tier: 1 } }]],
    ['a label with a blank', [{ name: 'acme', labels: { tier: 'g d' } }]],
    ['a label with a blank, by column', [{ 'name': 'acme', 'labels.tier': 'g d' }]],
    ['a key of two slashes', [{ name: 'acme', labels: { 'a/b/c': 'gold' } }]],
  ])('%s', (_, list) => {
    expect([refusals(list).length > 0, matches(list)]).toEqual([true, false]);
  });
});

test('both agree on random names, namespaces, versions and labels', () => {
  const text = (alphabet: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength });
  const number = fc.constantFrom('0', '1', '9', '30', '33', '34', '35', '36', '37', '40', '99', '100', '07');
  const entry = fc.record({
    name: text('ab1-.A', 5),
    namespace: text('ab1-.A', 5),
    kubernetesVersion: fc.tuple(fc.constantFrom('', 'v', 'V'), fc.constantFrom('1', '1', '1', '2'), number, number).map(([v, ...numbers]) => `${v}${numbers.join('.')}`),
    labels: fc.dictionary(text('ab1-./_A', 5), text('a1-._ A/', 4), { maxKeys: 1 }),
  }, { requiredKeys: ['name'] });
  // A cluster of the first ring may run any Kubernetes.
  fc.assert(fc.property(entry, (cluster) => {
    const list = [{ ...cluster, ring: 'canary' }];
    expect([list, matches(list)]).toEqual([list, refusals(list).length === 0]);
  }), { numRuns: amount(300, 60) });
});

describe('the documentation', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/fleet.md'), 'utf8');

  test('has entries that match', () => {
    const lists = [...page.matchAll(/^```yaml\n(# yaml-language-server[^\n]*\n- name:[^]*?)^```/gm)].map(([, text]) => jsYaml.load(text));
    expect(lists.map((list) => [matches(list), matches.errors])).toEqual([[true, null]]);
  });

  test('names the schema as the package has it', () => {
    const [, path] = /\$schema=node_modules\/cdk8s-cluster-api\/(\S+)/.exec(page)!;
    expect(path).toBe('docs/clusters.schema.json');
    expect(readFileSync(join(__dirname, '../../../../.npmignore'), 'utf8')).toContain(`\n!/${path}\n`);
  });

  test('extends it by profiles', () => {
    const [, text] = /^```json\n([^]*?)^```/m.exec(page)!;
    const own = JSON.parse(text) as { allOf: { $ref: string }[] };
    const extended = new Ajv({ strict: false, schemas: { [own.allOf[0].$ref]: SCHEMA } }).compile(own);
    expect([[{ name: 'acme', profile: 'gpu' }], [{ name: 'acme', profile: 'gp' }], [{ name: 'Acme' }]].map((list) => extended(list))).toEqual([true, false, false]);
  });
});
