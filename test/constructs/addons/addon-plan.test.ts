import * as fc from 'fast-check';
import { ExampleAddon } from './example-addon';
import { planAddons } from '../../../src/constructs/addons/addon-plan';
import { Addon, AddonCapability } from '../../../src/constructs/contracts/addon';
import { formatProblem } from '../../../src/manifests/values/problem';

const network = new ExampleAddon('network', { provides: [AddonCapability.POD_NETWORK] });

function names(addons: Addon[], present?: string[]): string[] {
  return planAddons(addons, { controlPlane: present }).order.map(({ addon }) => addon.name);
}

function problems(addons: Addon[], present?: string[]): string[] {
  return planAddons(addons, { controlPlane: present }).problems.map(formatProblem);
}

describe('order', () => {
  test('what an addon requires comes before it, whatever the insertion order and the alphabet', () => {
    const web = new ExampleAddon('a-web', { requires: ['certificates', 'pod-network'] });
    const certificates = new ExampleAddon('z-certificates', { provides: ['certificates'], requires: ['pod-network'] });

    expect(names([web, certificates, network])).toEqual(['network', 'z-certificates', 'a-web']);
    expect(planAddons([web, certificates, network]).order[2].dependencies).toEqual(['network', 'z-certificates']);
  });

  test('what an addon is to come after comes before it', () => {
    const first = new ExampleAddon('z');

    expect(names([new ExampleAddon('a', { after: [first] }), first])).toEqual(['z', 'a']);
  });

  test('all addons that bring a capability come first', () => {
    const [one, other] = ['y', 'z'].map((name) => new ExampleAddon(name, { provides: ['ingress'] }));

    expect(planAddons([new ExampleAddon('a', { requires: ['ingress'] }), other, one]).order[2]).toMatchObject({ dependencies: ['y', 'z'] });
  });

  test('an addon may require what it brings itself', () => {
    expect(problems([new ExampleAddon('a', { requires: ['x'], provides: ['x'] })])).toEqual([]);
  });

  test('a capability may be there without an addon', () => {
    const addon = new ExampleAddon('a', { requires: ['cluster-dns'] });

    expect(problems([addon], ['cluster-dns'])).toEqual([]);
    expect(problems([addon])).toHaveLength(1);
  });
});

describe('problems', () => {
  test('a missing requirement names the addon of the library that brings it', () => {
    expect(problems([new ExampleAddon('velero', { requires: ['volume-snapshots'] })])).toEqual([
      'TC-ADDON-REQUIREMENT velero: "velero" requires volume-snapshots, which no addon of the cluster provides. Fix: add new SnapshotController().',
    ]);
    expect(problems([new ExampleAddon('app', { requires: ['pod-network'] })])[0]).toContain('new Cilium()');
    expect(problems([new ExampleAddon('app', { requires: ['own'] })])[0]).toContain('add an addon that provides "own"');
  });

  test('every capability has a way to get it', () => {
    const capabilities = Object.values(AddonCapability) as string[];
    const found = problems([new ExampleAddon('app', { requires: capabilities })]);

    expect(found).toHaveLength(capabilities.length);
    expect(found.filter((text) => text.includes('add an addon that provides'))).toEqual([]);
  });

  test('an addon to come after is in the cluster', () => {
    expect(problems([new ExampleAddon('a', { after: [new ExampleAddon('b')] })])).toEqual([
      'TC-ADDON-AFTER a.after: "a" comes after "b", which is not in the cluster. Fix: add "b" to the cluster, or leave it out of after.',
    ]);
  });

  test('a cycle shows its path with reasons, once', () => {
    const after: Addon[] = [];
    const c = new ExampleAddon('c', { after, provides: ['x'] });
    const b = new ExampleAddon('b', { requires: ['x'] });
    after.push(new ExampleAddon('a', { after: [b] }));
    const addons = [after[0], b, c, new ExampleAddon('behind', { after: [b] })];

    expect(problems(addons)).toEqual([
      'TC-ADDON-CYCLE a: each of these comes after the next: a (after) -> b (requires x) -> c (after) -> a. Fix: remove one of these dependencies.',
    ]);
    expect(names(addons)).toEqual(['a', 'b', 'c', 'behind']);
  });

  test('an addon after itself is a cycle', () => {
    const after: Addon[] = [];
    after.push(new ExampleAddon('a', { after }));

    expect(problems(after)[0]).toContain('a (after) -> a');
  });

  test.each([
    ['by name', { conflictsWith: ['other'] }, {}, '"one" does not go with it'],
    ['by capability', { conflictsWith: ['ingress'] }, { provides: ['ingress'] }, '"one" does not go with ingress, which "other" brings'],
    ['from the other side', {}, { conflictsWith: ['one'] }, '"other" does not go with it'],
    ['from both sides', { conflictsWith: ['other'] }, { conflictsWith: ['one'] }, '"one" does not go with it'],
  ])('a conflict %s names both and the reason', (_how, one, other, reason) => {
    const found = problems([new ExampleAddon('other', other), new ExampleAddon('one', one)]);

    expect(found).toEqual([expect.stringContaining(`TC-ADDON-CONFLICT "one" and "other" cannot be in one cluster: ${reason}.`)]);
  });

  const providing = (name: string, ...provides: string[]): Addon => new ExampleAddon(name, { provides });
  const { POD_NETWORK, CLUSTER_DNS, DEFAULT_LOAD_BALANCER, INGRESS, DEFAULT_INGRESS_CLASS } = AddonCapability;

  test.each<[what: string, addons: Addon[], present: Parameters<typeof planAddons>[1], ...texts: string[]]>([
    ['an addon that conflicts with itself', [new ExampleAddon('one', { provides: ['ingress'], conflictsWith: ['ingress', 'one'] })], {}],
    ['two pod networks', [providing('other', POD_NETWORK), network], {}, '"network" and "other" bring pod-network, and '],
    ['an addon beside the control plane', [providing('dns', CLUSTER_DNS)], { controlPlane: [CLUSTER_DNS] }, 'the control plane and "dns" bring cluster-dns'],
    ['an addon alone', [providing('dns', CLUSTER_DNS)], {}],
    ['an addon beside the infrastructure', [providing('balancer', DEFAULT_LOAD_BALANCER)], { infrastructure: [DEFAULT_LOAD_BALANCER] },
      'the infrastructure and "balancer" bring default-load-balancer, and each of them'],
    ['a requirement that the infrastructure meets', [new ExampleAddon('a', { requires: ['x'] })], { infrastructure: ['x'] }],
    ['two ingress controllers', [providing('one', INGRESS), providing('other', INGRESS)], {}],
    ['two default classes', [providing('one', DEFAULT_INGRESS_CLASS), providing('other', DEFAULT_INGRESS_CLASS)], {}, 'bring '],
  ])('TC-ADDON-EXCLUSIVE: %s', (_, addons, present, ...texts) => {
    const found = planAddons(addons, present).problems.map(formatProblem);
    expect(found).toEqual(texts.map((text) => expect.stringMatching(new RegExp(`^TC-ADDON-EXCLUSIVE .*${text}.* Fix: `))));
  });

  test('names are labels and differ', () => {
    expect(problems([new ExampleAddon('Web')])).toEqual([expect.stringContaining('TC-ADDON-NAME name: "Web" is not a DNS label')]);
    expect(problems([new ExampleAddon('a'), new ExampleAddon('a')])).toEqual([
      'TC-ADDON-NAME-TAKEN a: two addons are called "a". Fix: remove one of them, or give one of them another name.',
    ]);
    expect(problems([network, network])).toEqual([expect.stringContaining('the addon "network" is added twice')]);
  });
});

describe('any set of addons', () => {
  // Edges lead from a later letter to an earlier one, so that there is no cycle; names are shuffled against the alphabet.
  const sets = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 }).chain((letters) => fc.tuple(
    fc.constant(letters),
    fc.array(fc.tuple(fc.nat(letters.length - 1), fc.nat(letters.length - 1), fc.boolean()), { maxLength: 30 }),
    fc.shuffledSubarray(letters.map((_, index) => index), { minLength: letters.length }),
  ));

  function build(letters: string[], edges: [number, number, boolean][]): Addon[] {
    const addons: Addon[] = [];
    letters.forEach((name, index) => {
      const below = edges.filter(([from, to]) => from === index && to < index);
      addons.push(new ExampleAddon(name, {
        provides: [`of-${name}`],
        requires: below.filter(([, , byCapability]) => byCapability).map(([, to]) => `of-${letters[to]}`),
        after: below.filter(([, , byCapability]) => !byCapability).map(([, to]) => addons[to]),
      }));
    });
    return addons;
  }

  test('comes in one order, however it was added, with all dependencies first', () => {
    fc.assert(fc.property(sets, ([letters, edges, shuffle]) => {
      const addons = build(letters, edges);
      const plan = planAddons(addons);
      const shuffled = planAddons(shuffle.map((index) => addons[index]));

      expect(plan.problems).toEqual([]);
      expect(shuffled.order).toEqual(plan.order);
      expect(plan.order.map(({ addon }) => addon.name).sort()).toEqual([...letters].sort());
      plan.order.forEach(({ dependencies }, index) => {
        const before = plan.order.slice(0, index).map(({ addon }) => addon.name);
        expect(before).toEqual(expect.arrayContaining([...dependencies]));
      });
    }));
  });

  test('with any cycles still holds every addon once, and problems do not depend on the order', () => {
    fc.assert(fc.property(sets, ([letters, edges, shuffle]) => {
      const after = letters.map((): Addon[] => []);
      const addons = letters.map((name, index) => new ExampleAddon(name, { after: after[index] }));
      edges.forEach(([from, to]) => after[from].push(addons[to]));
      const plan = planAddons(addons);

      expect(plan.order.map(({ addon }) => addon.name).sort()).toEqual([...letters].sort());
      expect(planAddons(shuffle.map((index) => addons[index])).problems).toEqual(plan.problems);
      expect(plan.problems.length > 0).toBe(hasCycle(letters.length, edges));
    }));
  });
});

function hasCycle(count: number, edges: [number, number, boolean][]): boolean {
  const reach = Array.from({ length: count }, () => new Set<number>());
  edges.forEach(([from, to]) => reach[from].add(to));
  for (let round = 0; round < count; round++) {
    reach.forEach((targets) => [...targets].forEach((target) => reach[target].forEach((further) => targets.add(further))));
  }
  return reach.some((targets, index) => targets.has(index));
}
