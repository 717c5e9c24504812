import { Testing } from 'cdk8s';
import { exampleFleet, exampleProfile, listIn, said, saying } from './fleets';
import { ClusterList } from '../../../../src/constructs/repository/fleet/cluster-list';

const CSV = 'name,ring,labels.tier,pool.size\n acme , canary,gold,3\nblue,,,\n';
const YAML = '- name: acme\n  ring: canary\n  labels: {tier: gold}\n  pool: {size: 3}\n- name: blue\n';
const JSON_TEXT = '[\n{"name": "acme", "ring": "canary", "labels": {"tier": "gold"}, "pool": {"size": 3}},\n{"name": "blue"}\n]\n';

/** Values of each cluster as a profile sees them. */
function told(list: ClusterList): unknown[] {
  const clusters: unknown[] = [];
  const profile = exampleProfile((cluster) => {
    const { name, namespace, ring, labels } = cluster;
    clusters.push({ name, namespace, ring, labels, size: cluster.integer('pool.size', { default: 1 }), sized: cluster.has('pool.size') });
    return {};
  });
  exampleFleet(Testing.app(), list, { profiles: { plain: profile } });
  return clusters;
}

describe('a list says the same', () => {
  const expected = [
    { name: 'acme', namespace: 'tenant-acme', ring: 'canary', labels: { tier: 'gold' }, size: 3, sized: true },
    { name: 'blue', namespace: 'tenant-blue', ring: 'main', labels: {}, size: 1, sized: false },
  ];

  test.each<[string, () => ClusterList]>([
    ['as CSV', () => listIn('clusters.csv', CSV)],
    ['as CSV of a spreadsheet', () => listIn('clusters.CSV', `\ufeff${CSV.replace(/\n/g, '\r\n')}`)],
    ['as YAML', () => listIn('clusters.yaml', YAML)],
    ['as YAML with columns', () => listIn('clusters.yml', YAML.replace('pool: {size: 3}', 'pool.size: 3').replace('labels: {tier: gold}', 'labels.tier: gold'))],
    ['as JSON', () => listIn('clusters.json', JSON_TEXT)],
    ['in the program', () => ClusterList.of([{ name: 'acme', ring: 'canary', labels: { tier: 'gold' }, values: { pool: { size: 3 } } }, { name: 'blue' }])],
    ['in several parts', () => ClusterList.concat(listIn('a.csv', CSV.replace(/blue.*\n/, '')), listIn('b.yaml', '- name: blue\n'))],
  ])('%s', (_how, list) => {
    expect(told(list())).toEqual(expected);
    expect(said(list(), { ignoredValues: ['pool.size'] })).toEqual([]);
  });
});

test('a list may be empty', () => {
  expect([listIn('a.csv', 'name\n'), listIn('a.yaml', '[]\n'), ClusterList.of([])].map((list) => said(list))).toEqual([[], [], []]);
});

describe('TC-FLEET-FILE: ', () => {
  test.each<[string, ClusterList, unknown[]]>([
    ['there is no file', ClusterList.fromFile('missing/clusters.csv'), [saying('fleet TC-FLEET-FILE missing/clusters.csv:', 'ENOENT')]],
    ['there is a folder', ClusterList.fromFile('test/fleet'), [saying('fleet TC-FLEET-FILE test/fleet:', '"fleet" has no extension of a list', '.csv, .yaml, .yml, .json')]],
    ['it has another extension', listIn('clusters.xlsx', ''), [saying('fleet TC-FLEET-FILE clusters.xlsx:', '"clusters.xlsx"')]],
    ['it is of another encoding', listIn('clusters.csv', Buffer.from('\ufeffname\n', 'utf16le')), [saying('fleet TC-FLEET-FILE clusters.csv:', 'the file is UTF-16')]],
    ['nothing is in a table', listIn('clusters.csv', '\n'), [saying('fleet TC-FLEET-FILE clusters.csv:', 'begin with a header')]],
    ['nothing is in YAML', listIn('clusters.yaml', '# later\n'), [saying('fleet TC-FLEET-FILE clusters.yaml:', '- name: acme')]],
    ['quotes are wrong, in two lines', listIn('clusters.csv', 'name\na"b\n"a"b\n'), [
      saying('fleet TC-FLEET-FILE clusters.csv:2:', 'contains a double quote'), saying('fleet TC-FLEET-FILE clusters.csv:3:', 'follows the closing quote'),
    ]],
    ['it is no YAML', listIn('clusters.yaml', '- name: acme\n- name: "blue\n'), [saying('fleet TC-FLEET-FILE clusters.yaml:3:', 'is no YAML')]],
    ['it is no list', listIn('clusters.yaml', 'clusters:\n- name: acme\n'), [saying('fleet TC-FLEET-FILE clusters.yaml:1:', 'the document is not a list')]],
    ['it is two lists', listIn('clusters.yaml', '- name: acme\n---\n- name: blue\n'), [saying('fleet TC-FLEET-FILE clusters.yaml:3:', 'second document')]],
    ['an entry is not an object', listIn('clusters.json', '[\n{"name": "acme"},\n"blue"\n]'), [saying('fleet TC-FLEET-FILE clusters.json:3:', 'entry 2 is not an object')]],
  ])('%s', (_what, list, expected) => {
    expect(said(list)).toEqual(expected);
  });
});

describe('TC-FLEET-COLUMN: ', () => {
  test.each<[string, ClusterList, unknown[]]>([
    ['no column for names', listIn('clusters.csv', 'Name,ring\nacme,main\n'), [saying('fleet TC-FLEET-COLUMN clusters.csv:1:', 'column "name" is missing', '"Name", "ring"')]],
    ['other separators', listIn('clusters.csv', 'name;ring\nacme;main\n'), [saying('fleet TC-FLEET-COLUMN clusters.csv:1:', 'separated by ";"', 'commas')]],
    ['a column twice', listIn('clusters.csv', 'name,ring, ring\n'), [saying('fleet TC-FLEET-COLUMN clusters.csv:1:', '"ring" is the name of columns 2 and 3')]],
    ['a column without a name', listIn('clusters.csv', 'name,\n'), [saying('fleet TC-FLEET-COLUMN clusters.csv:1:', 'column 2 has no name')]],
    ['one column for all labels', listIn('clusters.csv', 'name,labels\n'), [saying('fleet TC-FLEET-COLUMN clusters.csv:1:', '"labels.tier"')]],
    ['rows of other lengths', listIn('clusters.csv', 'name,ring\nacme\nblue,main\nred,main,x\n'), [
      saying('fleet TC-FLEET-COLUMN clusters.csv:2:', 'the row has 1 cell, the header has 2'), saying('fleet TC-FLEET-COLUMN clusters.csv:4:', 'the row has 3 cells'),
    ]],
    ['a key in two ways', listIn('clusters.yaml', '- name: acme\n  pool: {size: 3}\n  pool.size: 4\n'), [
      saying('fleet TC-FLEET-COLUMN clusters.yaml:3 pool.size:', 'is also set in clusters.yaml:2'), saying('fleet TC-FLEET-UNUSED clusters.yaml:2 pool.size:'),
    ]],
    ['in the program', ClusterList.of([{ name: 'acme', values: { 'a.b': 1, 'a': { b: 2 } } }]), [
      saying('fleet TC-FLEET-COLUMN clusters[0] a.b:'), saying('fleet TC-FLEET-UNUSED clusters[0] a.b:'),
    ]],
  ])('%s', (_what, list, expected) => {
    expect(said(list)).toEqual(expected);
  });
});

test('rows of nothing but commas and blanks are empty lines', () => {
  const list = (text: string): ClusterList => listIn('clusters.csv', text);
  expect(said(list(',,\nname,ring\n,\n  \nacme,main\n , \n,,,\n'))).toEqual([]);
  expect(said(list('name,ring\n,\nacme,mian\n'))).toEqual([saying('fleet TC-FLEET-RING clusters.csv:3 ring:')]);
  expect(told(list('name,ring\n,\nacme,main\n,,\n'))).toHaveLength(1);
});

test('numbers that are none are shown as what they are', () => {
  expect(said(listIn('clusters.yaml', '- name: .inf\n- name: acme\n  ring: .nan\n- name: blue\n  ring: [-.inf, 1]\n'))).toEqual([
    saying('fleet TC-FLEET-VALUE clusters.yaml:1 name:', 'Infinity'), saying('fleet TC-FLEET-VALUE clusters.yaml:3 ring:', 'NaN'),
    saying('fleet TC-FLEET-VALUE clusters.yaml:5 ring:', '["-Infinity",1]'),
  ]);
});

test('lines are those of the value, also behind cells of several lines', () => {
  const csv = listIn('clusters.csv', 'name,note,ring\nacme,"two\nlines",canry\n\nblue,,mian\n');
  const yaml = listIn('clusters.yaml', '# clusters\n- name: acme\n  ring: canry\n\n- name: blue\n  labels:\n    tier: g d\n');
  expect(said(csv, { ignoredValues: ['note'] })).toEqual([
    saying('fleet TC-FLEET-RING clusters.csv:3 ring:', 'the ring "canry" does not exist', 'did you mean "canary"?'), saying('fleet TC-FLEET-RING clusters.csv:5 ring:', '"main"?'),
  ]);
  expect(said(yaml)).toEqual([saying('fleet TC-FLEET-RING clusters.yaml:3 ring:'), saying('fleet TC-CLUSTER-LABEL clusters.yaml:7 labels.tier:', '"g d"')]);
});

test('everything that is wrong is said at once', () => {
  const list = listIn('clusters.csv', 'name,profile,kubernetesVersion\nAcme,plain,\n,plain,\nblue,plan,1.35\nblue,plain,1.35.4\nblue,plain,\n');
  expect(said(list)).toEqual([
    saying('fleet TC-CLUSTER-NAME clusters.csv:2 name:'),
    saying('fleet TC-FLEET-MISSING clusters.csv:3 name:'),
    saying('fleet TC-FLEET-PROFILE clusters.csv:4 profile:', 'the profile "plan" does not exist', 'did you mean "plain"?'),
    saying('fleet TC-CLUSTER-VERSION clusters.csv:4 kubernetesVersion:'),
    saying('fleet TC-FLEET-CLUSTER-TAKEN clusters.csv:6 name:', 'is already defined in clusters.csv:5'),
  ]);
});
