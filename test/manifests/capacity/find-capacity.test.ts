import * as fc from 'fast-check';
import { runningPods, RunningPods } from './capacity-inputs';
import { CapacityOptions } from '../../../src/manifests/capacity/capacity-model';
import { findCapacity, neededHosts } from '../../../src/manifests/capacity/find-capacity';
import { Host } from '../../../src/manifests/capacity/host';
import { PlacedPods, PodGroup } from '../../../src/manifests/capacity/pod-group';
import { costsOf } from '../../../src/manifests/capacity/prices';

const STILL: CapacityOptions = { loss: 'none', rollout: 'none' };
const GIB = 1024 ** 3;

function host(name: string, cpu: number, gibibytes: number, fields: Partial<Host> & { devices?: number; pods?: number } = {}): Host {
  const { devices = 0, pods: most = 110, ...rest } = fields;
  return {
    name,
    kind: 'general',
    isNode: false,
    taints: [],
    ...rest,
    labels: { 'kubernetes.io/hostname': name, ...(rest.zone !== undefined && { 'topology.kubernetes.io/zone': rest.zone }), ...rest.labels },
    allocatable: new Map([['cpu', cpu * 1000], ['memory', gibibytes * GIB], ['pods', most], ...(devices > 0 ? [['nvidia.com/gpu', devices] as const] : [])]),
  };
}

function hosts(count: number, cpu: number, gibibytes: number, zones: readonly string[] = []): Host[] {
  return Array.from({ length: count }, (_, index) => host(`h${index + 1}`, cpu, gibibytes, zones.length > 0 ? { zone: zones[index % zones.length] } : {}));
}

type GroupFields = Partial<PodGroup> & { pod?: object; labels?: Record<string, string>; devices?: number };

function group(count: number, cpu: number, gibibytes: number, fields: GroupFields = {}): PodGroup {
  const { pod = {}, labels = { pool: 'a' }, devices = 0, ...rest } = fields;
  return {
    what: 'pool a',
    use: 'machine',
    cluster: 'tenants/acme',
    namespace: 'tenants',
    minimum: 0,
    maximum: count,
    surge: 0,
    requests: new Map([['cpu', cpu * 1000], ['memory', gibibytes * GIB], ['pods', 1], ...(devices > 0 ? [['nvidia.com/gpu', devices] as const] : [])]),
    scheduling: { labels, fields: pod },
    ...rest,
  };
}

function pods(...groups: readonly PodGroup[]): PlacedPods {
  return { groups, daemons: [], unplaced: [], clusters: new Map(), assumed: [] };
}

function verdicts(all: readonly Host[], placed: PlacedPods, options: CapacityOptions = STILL) {
  return findCapacity({ hosts: all, pods: [] }, placed, options).scenarios.map(({ verdict }) => verdict);
}

function shortage(all: readonly Host[], placed: PlacedPods) {
  return findCapacity({ hosts: all, pods: [] }, placed, STILL).scenarios[0].shortage;
}

const SPREAD = (topologyKey: string, fields: object = {}) => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { pool: 'a' } }, ...fields }],
});
const APART = (topologyKey: string) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { pool: 'a' } } }] } },
});

describe('a verdict', () => {
  test.each([['Ignore', 'open'], ['Honor', 'fits']])('counts zones that a selector excludes in spreads by nodeAffinityPolicy %s', (nodeAffinityPolicy, verdict) => {
    const all = [host('h1', 8, 32, { zone: 'a', labels: { own: 'yes' } }), host('h2', 8, 32, { zone: 'b' })];
    const pod = { nodeSelector: { own: 'yes' }, ...SPREAD('topology.kubernetes.io/zone', { nodeAffinityPolicy }) };
    expect(verdicts(all, pods(group(3, 1, 1, { pod })))).toEqual([verdict]);
  });

  test('does not count anti-affinity to pods of other namespaces as one between the pods', () => {
    const apart = APART('kubernetes.io/hostname');
    apart.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.forEach((term) => Object.assign(term, { namespaces: ['other'] }));
    const list = { hosts: hosts(1, 8, 32), pods: [] };
    expect(neededHosts(list, 'general', pods(group(4, 1, 1, { pod: apart })), STILL)).toBe(1);
    expect(neededHosts(list, 'general', pods(group(4, 1, 1, { pod: APART('kubernetes.io/hostname') })), STILL)).toBe(4);
  });

  test('is that everything fits, where a placement was found', () => {
    expect(verdicts(hosts(2, 8, 32), pods(group(4, 4, 16)))).toEqual(['fits']);
  });

  test('proves by a sum that there is too little', () => {
    expect(shortage(hosts(2, 8, 32), pods(group(5, 2, 16)))).toMatchObject({ kind: 'sum', what: 'memory', wanted: 80 * GIB, available: 64 * GIB });
  });

  test('proves by the size of pods that they do not fit side by side', () => {
    expect(shortage(hosts(4, 8, 30), pods(group(5, 1, 16)))).toMatchObject({ kind: 'pieces', what: 'memory', wanted: 5, available: 4 });
  });

  test('proves that no host is large enough', () => {
    expect(shortage(hosts(4, 8, 32), pods(group(1, 9, 16)))).toMatchObject({ kind: 'size', what: 'cpu', wanted: 9000, available: 8000 });
  });

  test('proves that the pods are too many', () => {
    expect(shortage([host('h1', 100, 100, { pods: 3 })], pods(group(4, 1, 1)))).toMatchObject({ kind: 'sum', what: 'pods', wanted: 4, available: 3 });
  });

  test('counts devices', () => {
    const all = [host('h1', 8, 32, { devices: 2 }), host('h2', 8, 32)];
    expect(verdicts(all, pods(group(1, 1, 1, { devices: 2 })))).toEqual(['fits']);
    expect(shortage(all, pods(group(3, 1, 1, { devices: 1 })))).toMatchObject({ kind: 'sum', what: 'nvidia.com/gpu', wanted: 3, available: 2 });
  });

  test('leaves hosts with devices to the pods that request them', () => {
    const all = [host('h1', 8, 32, { devices: 1 }), host('h2', 8, 32)];
    expect(verdicts(all, pods(group(1, 8, 8), group(1, 8, 8, { devices: 1 })))).toEqual(['fits']);
  });

  test('is open where no placement is found, and nothing proves that there is none', () => {
    const skewed = pods(group(4, 1, 1, { pod: SPREAD('topology.kubernetes.io/zone') }));
    const all = [host('h1', 1, 8, { zone: 'a' }), host('h2', 8, 8, { zone: 'b' })];
    expect(verdicts(all, skewed)).toEqual(['open']);
  });

  test('is unknown where the size of machines is not known', () => {
    const placed = { ...pods(group(1, 1, 1)), unplaced: [{ cluster: 'tenants/acme', what: 'pool b', kind: 'KubevirtMachine', machines: 3, isUnknown: true }] };
    expect(findCapacity({ hosts: hosts(2, 8, 32), pods: [] }, placed, STILL).verdict).toBe('unknown');
    expect(findCapacity({ hosts: hosts(1, 0, 0), pods: [] }, placed, STILL).verdict).toBe('short');
  });
});

describe('hosts are chosen by', () => {
  const special = (fields: Partial<Host>) => [...hosts(2, 8, 32), host('special', 8, 32, fields)];

  test('labels', () => {
    const wanted = { pod: { nodeSelector: { disk: 'ssd' } } };
    expect(verdicts(special({ labels: { disk: 'ssd' } }), pods(group(2, 4, 16, wanted)))).toEqual(['fits']);
    expect(shortage(special({ labels: { disk: 'ssd' } }), pods(group(3, 4, 16, wanted)))).toMatchObject({ kind: 'sum', wanted: 12_000, available: 8000 });
    expect(shortage(hosts(2, 8, 32), pods(group(1, 4, 16, wanted)))).toMatchObject({ kind: 'host', what: 'the node label disk=ssd' });
  });

  test('labels of a system, where those of the hosts are known', () => {
    const wanted = { scheduling: { labels: {}, fields: {}, hostLabels: { ready: 'true' } } };
    expect(verdicts(hosts(1, 8, 32), pods(group(1, 1, 1, wanted)))).toEqual(['fits']);
    expect(verdicts([host('h1', 8, 32, { isNode: true })], pods(group(1, 1, 1, wanted)))).toEqual(['short']);
  });

  test.each([
    [{ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] }, true], [{ key: 'disk', operator: 'NotIn', values: ['ssd'] }, false],
    [{ key: 'disk', operator: 'Exists' }, true], [{ key: 'cores', operator: 'Gt', values: ['32'] }, true], [{ key: 'cores', operator: 'Lt', values: ['32'] }, false],
  ])('required affinity: %j', (expression, isMet) => {
    const terms = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
    const pod = { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
    expect(verdicts([host('h1', 8, 32, { labels: { disk: 'ssd', cores: '64' } })], pods(group(1, 1, 1, { pod })))).toEqual([isMet ? 'fits' : 'short']);
  });

  test.each([
    [[], false], [[{ operator: 'Exists' }], true], [[{ key: 'gpu', operator: 'Exists' }], true], [[{ key: 'gpu', value: 'a10' }], true],
    [[{ key: 'gpu', value: 'l40' }], false], [[{ key: 'gpu', value: 'a10', effect: 'NoExecute' }], false],
  ])('taints: %j', (tolerations, isMet) => {
    const tainted = [host('h1', 8, 32, { taints: [{ key: 'gpu', value: 'a10', effect: 'NoSchedule' as never }] })];
    expect(verdicts(tainted, pods(group(1, 1, 1, { pod: { tolerations } })))).toEqual([isMet ? 'fits' : 'short']);
  });

  test('anti-affinity', () => {
    expect(verdicts(hosts(3, 8, 32), pods(group(3, 1, 1, { pod: APART('kubernetes.io/hostname') })))).toEqual(['fits']);
    expect(shortage(hosts(3, 8, 32), pods(group(4, 1, 1, { pod: APART('kubernetes.io/hostname') })))).toMatchObject({ kind: 'domains', wanted: 4, available: 3 });
    // Pods that the term is about keep away from those that have it.
    expect(verdicts(hosts(1, 8, 32), pods(group(1, 1, 1, { pod: APART('kubernetes.io/hostname') }), group(1, 1, 1)))).toEqual(['open']);
    expect(verdicts(hosts(1, 8, 32), pods(group(1, 1, 1, { pod: APART('kubernetes.io/hostname') }), group(1, 1, 1, { namespace: 'other' })))).toEqual(['fits']);
  });

  test('affinity', () => {
    const pod = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { pool: 'a' } } }] } } };
    expect(verdicts(hosts(4, 4, 32, ['a', 'b']), pods(group(8, 1, 1, { pod })))).toEqual(['fits']);
    expect(verdicts(hosts(4, 4, 32, ['a', 'b']), pods(group(9, 1, 1, { pod })))).toEqual(['open']);
  });

  test('affinity to pods that are placed later, in any order', () => {
    const pod = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { pool: 'b' } } }] } } };
    const [first, second] = [group(1, 1, 1, { pod }), group(4, 2, 1, { labels: { pool: 'b' } })];
    const found = [pods(first, second), pods(second, first)].map((both) => findCapacity({ hosts: hosts(2, 8, 32, ['a']), pods: [] }, both, STILL));
    expect(found.map(({ verdict, fitsEvenly }) => [verdict, fitsEvenly])).toEqual([['fits', true], ['fits', true]]);
  });

  test('spreads, of which a host without a label is no domain', () => {
    const pod = { topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].flatMap((key) => SPREAD(key).topologySpreadConstraints) };
    expect(verdicts([...hosts(2, 4, 32, ['a', 'b']), host('none', 4, 32)], pods(group(4, 1, 1, { pod })))).toEqual(['fits']);
  });

  test('spreads that must be met', () => {
    expect(verdicts(hosts(3, 4, 32, ['a', 'b', 'c']), pods(group(12, 1, 1, { pod: SPREAD('topology.kubernetes.io/zone') })))).toEqual(['fits']);
    expect(verdicts([...hosts(2, 4, 32, ['a', 'b']), host('c', 1, 32, { zone: 'c' })], pods(group(9, 1, 1, { pod: SPREAD('topology.kubernetes.io/zone') })))).toEqual(['open']);
    expect(verdicts([...hosts(2, 4, 32, ['a', 'b']), host('c', 1, 32, { zone: 'c' })],
      pods(group(9, 1, 1, { pod: SPREAD('topology.kubernetes.io/zone', { whenUnsatisfiable: 'ScheduleAnyway' }) })))).toEqual(['fits']);
  });
});

describe('a rollout', () => {
  const two = pods(group(3, 4, 8, { surge: 1 }), group(3, 4, 8, { cluster: 'tenants/blue', surge: 1 }));

  test('of one cluster needs less than that of all', () => {
    expect(verdicts(hosts(7, 4, 8), two, { loss: 'none', rollout: 'cluster' })).toEqual(['fits', 'fits']);
    expect(verdicts(hosts(7, 4, 8), two, { loss: 'none', rollout: 'all' })).toEqual(['fits', 'short']);
    expect(verdicts(hosts(8, 4, 8), two, { loss: 'none', rollout: 'all' })).toEqual(['fits', 'fits']);
  });

  test('makes pods that a spread counts apart, where it tells revisions apart', () => {
    const spread = (fields: object) => pods(group(2, 1, 1, { surge: 2, pod: SPREAD('topology.kubernetes.io/zone', fields) }));
    const all = [host('a', 4, 4, { zone: 'a', pods: 1 }), host('b', 4, 4, { zone: 'b', pods: 1 }), host('c', 4, 4, { zone: 'b' })];
    expect(verdicts(all, spread({}), { loss: 'none', rollout: 'all' })).toEqual(['fits', 'open']);
    const wide = [...all, host('d', 4, 4, { zone: 'a' })];
    expect(verdicts(wide, spread({ matchLabelKeys: ['pod-template-hash'] }), { loss: 'none', rollout: 'all' })).toEqual(['fits', 'fits']);
  });

  test('goes by rings', () => {
    const rings = { ...two, clusters: new Map([['tenants/acme', { ring: 'one' }], ['tenants/blue', { ring: 'one' }]]) };
    const found = findCapacity({ hosts: hosts(7, 4, 8), pods: [] }, rings, { loss: 'none', rollout: 'ring', ringLabel: 'ring' });
    expect(found.scenarios[1]).toMatchObject({ verdict: 'short', failing: { rollout: 'ring one' } });
  });
});

describe('a loss', () => {
  test('of a host is tried with each', () => {
    expect(verdicts(hosts(4, 4, 8), pods(group(3, 4, 8)), { loss: 'host', rollout: 'none' })).toEqual(['fits', 'fits']);
    const found = findCapacity({ hosts: [host('large', 12, 24), host('small', 4, 8)], pods: [] }, pods(group(3, 4, 8)), { loss: 'host', rollout: 'none' });
    expect(found.scenarios[1]).toMatchObject({ verdict: 'short', failing: { lost: 'host large' }, cases: 2 });
    expect(found.more).toEqual([{ kind: 'general', count: 2 }]);
  });

  test('of a zone leaves its nodes behind, which a spread counts as empty', () => {
    const options: CapacityOptions = { loss: 'zone', rollout: 'none' };
    const all = hosts(6, 8, 32, ['a', 'b', 'c']);
    expect(verdicts(all, pods(group(6, 1, 1)), options)).toEqual(['fits', 'fits']);
    const spread = (fields: object) => pods(group(6, 1, 1, { pod: SPREAD('topology.kubernetes.io/zone', fields) }));
    expect(verdicts(all, spread({}), options)).toEqual(['fits', 'open']);
    expect(verdicts(all, spread({ nodeTaintsPolicy: 'Honor' }), options)).toEqual(['fits', 'fits']);
  });
});

test('pods that name a zone go with it, and do not count then', () => {
  const pinned = pods(group(4, 1, 1, { pod: { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } } }), group(4, 1, 1, { what: 'pool b' }));
  const found = findCapacity({ hosts: hosts(4, 4, 32, ['a', 'b']), pods: [] }, pinned, { loss: 'zone', rollout: 'none' });
  expect(found.scenarios.map(({ verdict }) => verdict)).toEqual(['fits', 'fits']);
  expect(found.scenarios[1].lost?.map(({ group: { what }, count }) => [what, count])).toEqual([['pool a', 4]]);
  expect(verdicts(hosts(2, 4, 32), pods(group(1, 1, 1, { pod: { nodeSelector: { 'kubernetes.io/hostname': 'h1' } } })), { loss: 'host', rollout: 'none' }))
    .toEqual(['fits', 'short']);
});

describe('what runs already', () => {
  const running: RunningPods = [['h1', { app: 'other' }, 6], ['h1', { pool: 'a' }, 4], ['gone', { app: 'x' }, 1]];

  test('keeps what it requests, unless it is placed anew', () => {
    const list = { hosts: hosts(2, 8, 32), pods: runningPods(running) };
    const found = findCapacity(list, pods(group(4, 4, 1)), STILL);
    expect(found.scenarios[0]).toMatchObject({ verdict: 'short', shortage: { available: 10_000, wanted: 16_000 } });
    expect(found.hosts.map(({ clusters }) => clusters)).toEqual([['tenants/acme'], []]);
    expect(found.notes).toEqual(['1 pod runs on hosts that are not in the list, such as pod-2']);
  });

  test('is one pod of each DaemonSet on each host that it is for', () => {
    const daemons = [{ what: 'DaemonSet agent', namespace: 'system', requests: new Map([['cpu', 5000], ['pods', 1]]), scheduling: { labels: {}, fields: {} } }];
    expect(verdicts(hosts(2, 8, 32), { ...pods(group(2, 4, 1)), daemons })).toEqual(['short']);
  });
});

const AMOUNTS = { cpu: fc.integer({ min: 1, max: 16 }), gibibytes: fc.integer({ min: 1, max: 64 }) };
const HOSTS = fc.array(fc.record({ ...AMOUNTS, zone: fc.constantFrom('a', 'b', 'c') }), { minLength: 1, maxLength: 8 })
  .map((all) => all.map(({ cpu, gibibytes, zone }, index) => host(`h${index}`, cpu, gibibytes, { zone })));
const RULES = fc.constantFrom({}, {}, APART('kubernetes.io/hostname'), APART('topology.kubernetes.io/zone'), SPREAD('topology.kubernetes.io/zone'), SPREAD('kubernetes.io/hostname'));
const GROUP = fc.record({ ...AMOUNTS, count: fc.integer({ min: 1, max: 5 }), surge: fc.integer({ min: 0, max: 2 }), pod: RULES });
const GROUPS = fc.array(GROUP, { minLength: 1, maxLength: 5 })
  .map((all) => all.map(({ count, cpu, gibibytes, surge, pod }, index) => group(count, cpu / 2, gibibytes / 2, { surge, pod, cluster: `tenants/c${index}` })));

describe('of any hosts and pods,', () => {
  test('no host holds more than it can', () => {
    fc.assert(fc.property(HOSTS, GROUPS, (all, groups) => {
      const { hosts: used, scenarios: [{ verdict }] } = findCapacity({ hosts: all, pods: [] }, pods(...groups), STILL);
      used.forEach(({ usage }) => usage.forEach(([taken, total]) => expect(taken).toBeLessThanOrEqual(total)));
      const taken = used.reduce((sum, { usage }) => sum + usage.get('pods')![0], 0);
      expect(taken === groups.reduce((sum, { maximum }) => sum + maximum, 0)).toBe(verdict === 'fits');
    }), { numRuns: 60 });
  });

  test('further hosts break no proof, and do not make what does not fit from what fits', () => {
    fc.assert(fc.property(HOSTS, GROUPS, HOSTS, (all, groups, further) => {
      const free = groups.map((one) => ({ ...one, scheduling: { labels: {}, fields: {} } }));
      const more = [...all, ...further.map((one) => ({ ...one, name: `more-${one.name}` }))];
      const [before, after] = [all, more].map((list) => verdicts(list, pods(...free))[0]);
      if (before === 'fits') expect(after).not.toBe('short');
      if (after === 'short') expect(before).toBe('short');
    }), { numRuns: 60 });
  });

  test('the answer is the same in any run, and a question that asks more is not answered better', () => {
    fc.assert(fc.property(HOSTS, GROUPS, (all, groups) => {
      const options: CapacityOptions = { loss: 'host', rollout: 'all' };
      const found = verdicts(all, pods(...groups), options);
      expect(verdicts(all, pods(...groups), options)).toEqual(found);
      if (found[0] === 'short') expect(found).not.toContain('fits');
    }), { numRuns: 40 });
  });
});

test('needed hosts are the fewest with which everything fits', () => {
  const list = { hosts: hosts(2, 8, 32), pods: [] };
  expect(neededHosts(list, 'general', pods(group(9, 4, 1)), STILL)).toBe(5);
  expect(neededHosts(list, 'general', pods(group(9, 4, 1)), { loss: 'host', rollout: 'none' })).toBe(6);
  expect(neededHosts(list, 'general', pods(), STILL)).toBe(0);
  expect(neededHosts(list, 'general', pods(group(1, 9, 1)), STILL)).toBeUndefined();
});

describe('costs', () => {
  const found = findCapacity({ hosts: hosts(4, 8, 32), pods: [] }, pods(
    group(3, 1, 8, { minimum: 1 }), group(1, 1, 8, { cluster: 'tenants/blue', minimum: 1 }),
  ), STILL);
  const list = { currency: 'EUR', per: 'month' as const, machineHosts: [] };

  test('are those of requests, from the smallest to the largest size', () => {
    const { clusters } = costsOf(found, { ...list, hosts: new Map(), requests: new Map([['cpu', 10], ['memory', 2]]) });
    expect([...clusters]).toEqual([['tenants/acme', { minimum: 26, maximum: 78 }], ['tenants/blue', { minimum: 26, maximum: 26 }]]);
  });

  test('are shares of hosts, which add up', () => {
    const costs = costsOf(found, { ...list, hosts: new Map([['general', 100]]), requests: new Map() });
    expect(costs).toMatchObject({ hosts: 400, sharedBy: 'memory' });
    expect([...costs.clusters]).toEqual([['tenants/acme', { minimum: 300, maximum: 300 }], ['tenants/blue', { minimum: 100, maximum: 100 }]]);
  });

  test('are not summed up where a price is missing', () => {
    expect(costsOf(found, { ...list, hosts: new Map([['gpu', 100]]), requests: new Map() })).toMatchObject({ unpriced: ['general'], clusters: new Map() });
  });
});
