import { Testing } from 'cdk8s';
import { exampleFleet, exampleProfile, listIn, said, saying } from './fleets';
import { FleetCluster } from '../../../../src/constructs/repository/fleet/fleet-cluster';
import { FleetProps } from '../../../../src/constructs/repository/fleet/fleet-props';

/** Result of reading the values of a cluster. */
function reading<T>(values: object, read: (cluster: FleetCluster) => T, props: Partial<FleetProps> = {}): T {
  const results: T[] = [];
  const profile = exampleProfile((cluster) => {
    results.push(read(cluster));
    return {};
  });
  exampleFleet(Testing.app(), [{ name: 'acme', values: { ...values } }], { profiles: { plain: profile }, ...props });
  return results[0];
}

/** Problems and warnings of a cluster of a file, by a profile that reads something of it. */
function saidOf(file: string, text: string, read: (cluster: FleetCluster) => unknown, props: Partial<FleetProps> = {}): string[] {
  const profile = exampleProfile((cluster) => {
    read(cluster);
    return {};
  });
  return said(listIn(file, text), { profiles: { plain: profile }, ...props });
}

test.each<[string, unknown, (cluster: FleetCluster) => unknown, unknown]>([
  ['a string', 'x', (cluster) => cluster.text('key'), 'x'],
  ['one of some texts', 'x', (cluster) => cluster.text('key', { oneOf: ['w', 'x'] }), 'x'],
  ['texts', 'x; y;', (cluster) => cluster.texts('key'), ['x', 'y']],
  ['texts of a list', ['x', 'y'], (cluster) => cluster.texts('key', { oneOf: ['x', 'y'] }), ['x', 'y']],
  ['a number', 0, (cluster) => cluster.integer('key'), 0],
  ['a string that is a number', '-12', (cluster) => cluster.integer('key', { min: -12, max: -12 }), -12],
  ['a flag', false, (cluster) => cluster.flag('key'), false],
  ['a flag of a spreadsheet', 'TRUE', (cluster) => cluster.flag('key'), true],
  ['a size', '1536Mi', (cluster) => cluster.size('key').toMebibytes(), 1536],
  ['a size in TiB', '2Ti', (cluster) => cluster.size('key').toGibibytes(), 2048],
  ['ranges', '10.0.0.0/16;fd00::/48', (cluster) => cluster.cidrs('key'), ['10.0.0.0/16', 'fd00::/48']],
  ['ranges of a list', ['10.0.0.0/16'], (cluster) => cluster.cidrs('key'), ['10.0.0.0/16']],
])('reads %s', (_what, value, read, expected) => {
  expect(reading({ key: value }, read)).toEqual(expected);
});

test('what is not there has its default', () => {
  expect(reading({ key: null }, (cluster) => [
    cluster.text('key', { default: 'x' }), cluster.texts('key', { default: ['x'] }), cluster.integer('key', { default: 7 }), cluster.flag('key', { default: true }),
    cluster.cidrs('key', { default: ['10.0.0.0/8'] }), cluster.has('key'),
  ])).toEqual(['x', ['x'], 7, true, ['10.0.0.0/8'], false]);
});

describe('TC-FLEET-VALUE: ', () => {
  test.each<[string, string, (cluster: FleetCluster) => unknown, string[]]>([
    ['a number for a string', '1.10', (cluster) => cluster.text('key'), ['1.1 is not a string', 'put it in quotes']],
    ['another text', 'gold', (cluster) => cluster.text('key', { oneOf: ['golden', 'silver'] }), ['"gold"', 'Accepted: "golden", "silver"', 'write one of them']],
    ['a slip', 'silvr', (cluster) => cluster.text('key', { oneOf: ['golden', 'silver'] }), ['did you mean "silver"?']],
    ['an object for texts', '[{a: b}]', (cluster) => cluster.texts('key'), ['{"a":"b"} is not a string']],
    ['another one of strings', 'a;b', (cluster) => cluster.texts('key', { oneOf: ['a'] }), ['"b"']],
    ['a string for a number', 'many', (cluster) => cluster.integer('key'), ['"many" is not a whole number', 'whole numbers from 0']],
    ['a fraction', '1.5', (cluster) => cluster.integer('key'), ['1.5 is not a whole number']],
    ['too small a number', '0', (cluster) => cluster.integer('key', { min: 1, max: 9 }), ['0 is too small', 'from 1 to 9']],
    ['too large a number', '10', (cluster) => cluster.integer('key', { min: 1, max: 9 }), ['10 is too large']],
    ['a negative number', '-1', (cluster) => cluster.integer('key'), ['-1 is too small']],
    ['a word for a flag', 'maybe', (cluster) => cluster.flag('key'), ['"maybe"', 'true, false']],
    ['a size without a unit', '16', (cluster) => cluster.size('key'), ['16 is not a size', '"16Gi"']],
    ['a size of another unit', '16GB', (cluster) => cluster.size('key'), ['"16GB"']],
    ['a size of nothing', '0Gi', (cluster) => cluster.size('key'), ['"0Gi"']],
    ['no range', '10.0.0.0/16;10.0.0.0', (cluster) => cluster.cidrs('key'), ['"10.0.0.0" is not a block']],
    ['an address in a range', '10.0.0.1/16', (cluster) => cluster.cidrs('key'), ['"10.0.0.0/16"']],
  ])('%s', (_what, value, read, parts) => {
    expect(saidOf('a.yaml', `- name: acme\n  key: ${value}\n`, read)).toEqual([saying('fleet TC-FLEET-VALUE a.yaml:2 key:', ...parts)]);
  });

  test('fields that every cluster has', () => {
    expect(saidOf('a.yaml', '- name: 7\n- name: acme\n  region: 1\n  decommission: soon\n  labels: gold\n- name: blue\n  labels: {tier: 1}\n', () => {})).toEqual([
      saying('fleet TC-FLEET-VALUE a.yaml:1 name:'), saying('fleet TC-FLEET-VALUE a.yaml:5 labels:'), saying('fleet TC-FLEET-VALUE a.yaml:3 region:'),
      saying('fleet TC-FLEET-VALUE a.yaml:4 decommission:'), saying('fleet TC-FLEET-VALUE a.yaml:7 labels.tier:'),
    ]);
  });

  test('a depth of sleep that there is not', () => {
    expect(saidOf('a.yaml', '- name: acme\n  hibernation: ful\n', () => {})).toEqual([
      saying('fleet TC-FLEET-VALUE a.yaml:2 hibernation:', '"ful" is not accepted', '"pools", "full"'),
    ]);
  });

  test('fields of the list in rings and overrides', () => {
    const rings = [{ name: 'main', kubernetesVersion: '1.35.4', values: { region: 'eu' } }];
    expect(said([{ name: 'a' }], { rings, overrides: [{ values: { kubernetesVersion: '1.35.1', labels: { tier: 'gold' } } }] })).toEqual([
      saying('fleet TC-FLEET-VALUE overrides[0].values kubernetesVersion:', 'only read from the list'), saying('fleet TC-FLEET-VALUE overrides[0].values labels.tier:'),
      saying('fleet TC-FLEET-VALUE rings[0].values region:'),
    ]);
  });

  test('one of a ring is said once, and nothing of what follows from a placeholder', () => {
    const rings = [{ name: 'main', kubernetesVersion: '1.35.4', values: { podCidrs: '10.0.0.0' } }];
    const profile = exampleProfile((cluster) => ({ podCidrs: cluster.cidrs('podCidrs') }));
    expect(said([{ name: 'a' }, { name: 'b' }], { rings, profiles: { plain: profile } })).toEqual([saying('fleet TC-FLEET-VALUE rings[0].values podCidrs:')]);
  });

  test('a profile that cannot go on with a placeholder hides nothing', () => {
    const profile = exampleProfile((cluster) => {
      if (cluster.integer('count', { min: 3 }) === 3) throw new Error('three');
      return {};
    });
    expect(said([{ name: 'a', values: { count: 'x' } }, { name: 'b', values: { count: 2 } }], { profiles: { plain: profile } })).toEqual([
      saying('fleet TC-FLEET-VALUE clusters[0] count:'), saying('fleet TC-FLEET-VALUE clusters[1] count:'),
    ]);
  });
});

test('an error of a profile says which cluster it was about', () => {
  const profile = exampleProfile(() => { throw new Error('odd'); });
  expect(() => exampleFleet(Testing.app(), listIn('a.csv', 'name\n\nacme\n'), { profiles: { plain: profile } })).toThrow('profile "plain" fails for cluster "acme" (a.csv:3): odd');
});

describe('TC-FLEET-MISSING: ', () => {
  test('a value that nobody says, once for all clusters of a profile', () => {
    const rows = Array.from({ length: 14 }, (_, index) => `c${index},${index === 3 ? 'x' : ''}`);
    expect(saidOf('a.csv', `name,tier\n${rows.join('\n')}\n`, (cluster) => cluster.text('tier'))).toEqual([
      saying('fleet TC-FLEET-MISSING a.csv:2 tier:', 'profile "plain" reads "tier"', '"c0" (a.csv:2), "c1" (a.csv:3), "c2" (a.csv:4), "c4" (a.csv:6)', 'and 3 more'),
    ]);
  });

  test('a value under a name that is almost right', () => {
    expect(saidOf('a.csv', 'name,teir\nacme,gold\n', (cluster) => cluster.text('tier'))).toEqual([saying('fleet TC-FLEET-MISSING a.csv:2 tier:', 'did you mean "tier" instead of "teir"?')]);
  });

  test('in a function of the profile that comes later', () => {
    const profile = exampleProfile(undefined, (_tenant, cluster) => { cluster.text('tier'); });
    expect(said([{ name: 'acme' }], { profiles: { plain: profile } })).toEqual([saying('fleet TC-FLEET-MISSING clusters[0] tier:')]);
  });
});

describe('TC-FLEET-UNUSED: ', () => {
  test('a column that no profile reads, once', () => {
    expect(saidOf('a.csv', 'name,wrokers,owner\na,1,x\nb,2,\n', (cluster) => cluster.integer('workers', { default: 1 }))).toEqual([
      saying('fleet TC-FLEET-UNUSED a.csv:2 wrokers:', '"a" (a.csv:2) and "b" (a.csv:3)', 'did you mean "workers"?'),
      saying('fleet TC-FLEET-UNUSED a.csv:2 owner:', '"a" (a.csv:2)', 'ignoredValues'),
    ]);
  });

  test('a column that none of several profiles reads, once', () => {
    const profiles = { plain: exampleProfile(), other: exampleProfile() };
    expect(said(listIn('a.csv', 'name,profile,owner\na,plain,x\nb,other,y\n'), { profiles })).toEqual([
      saying('fleet TC-FLEET-UNUSED a.csv:2 owner:', 'no profile reads the value, which is set for "a" (a.csv:2) and "b" (a.csv:3)'),
    ]);
  });

  test('a field of every cluster in other letters', () => {
    expect(saidOf('a.csv', 'name,kubernetesversion\na,1.35.1\n', () => {})).toEqual([saying('fleet TC-FLEET-UNUSED a.csv:2 kubernetesversion:', 'did you mean "kubernetesVersion"?')]);
  });

  test('a value that another profile reads', () => {
    const profiles = { plain: exampleProfile(), gpu: exampleProfile((cluster) => { cluster.integer('gpus'); return {}; }) };
    expect(said(listIn('a.csv', 'name,profile,gpus\na,gpu,1\nb,plain,2\nc,plain,\n'), { profiles })).toEqual([saying('fleet TC-FLEET-UNUSED a.csv:3 gpus:', 'profile "plain" does not read the value, which is set for "b" (a.csv:3)')]);
  });

  test('values of rings and overrides', () => {
    const rings = [{ name: 'main', kubernetesVersion: '1.35.4', values: { tag: 'x', workers: 1 } }, { name: 'late', kubernetesVersion: '1.35.4', values: { tag: 'y' } }];
    const profile = exampleProfile((cluster) => { cluster.integer('workers', { default: 1 }); return {}; });
    expect(said([{ name: 'a', ring: 'main' }], { rings, overrides: [{ values: { worker: 2 } }], profiles: { plain: profile } })).toEqual([
      saying('fleet TC-FLEET-UNUSED overrides[0].values worker:', 'did you mean "workers"?'),
      saying('fleet TC-FLEET-UNUSED rings[0].values tag:', '"a"'),
    ]);
  });

  test('not what is for people, nor what has() asked for', () => {
    expect(saidOf('a.csv', 'name,owner,gpu\na,x,1\n', (cluster) => cluster.has('gpu'), { ignoredValues: ['owner'] })).toEqual([]);
  });
});

describe('a value is looked up', () => {
  const props: Partial<FleetProps> = {
    rings: [{ name: 'main', kubernetesVersion: '1.35.4', values: { key: 'ring', other: 'ring' } }],
    overrides: [{ clusters: ['acme'], values: { key: 'first' } }, { clusters: ['tenant-acme/acme'], values: { key: 'second' } }, { clusters: ['blue'], values: { key: 'blue' } }],
  };
  const key = (cluster: FleetCluster) => [cluster.text('key', { default: 'none' }), cluster.text('other', { default: 'none' })];

  test('in the entry, then in overrides from the last one on, then in the ring', () => {
    expect(reading({ key: 'own' }, key, props)).toEqual(['own', 'ring']);
    expect(reading({}, key, props)).toEqual(['second', 'ring']);
    expect(reading({}, key, { ...props, overrides: [] })).toEqual(['ring', 'ring']);
    expect(reading({}, key, { overrides: [] })).toEqual(['none', 'none']);
  });
});
