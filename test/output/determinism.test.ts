import * as fc from 'fast-check';
import { SCENARIOS } from '../scenarios';
import { addCompleteTenant, CompleteTenantOptions, Reorder } from '../support/complete-tenant';
import { DELIVERIES } from '../support/deliveries';
import { Output, synthesize } from '../support/outputs';
import { amount, sample } from '../support/sample';

const RUNS = amount(2, 1);

/** Calls in any order, the same for calls of equal number. */
const reorders = fc.array(fc.nat(), { minLength: 5, maxLength: 5 }).map((ranks): Reorder => (calls) => (
  calls.map((call, index) => ({ call, rank: ranks[index % ranks.length] })).sort((one, other) => one.rank - other.rank).map(({ call }) => call)));

const reversed: Reorder = (calls) => [...calls].reverse();

function complete(options: CompleteTenantOptions): Output {
  return synthesize((app) => addCompleteTenant(app, 'acme', options));
}

/** The documents of an output, whichever comes first. */
function documents({ management, tenants }: Output): string[][] {
  return [management, ...Object.values(tenants)].map((text) => text.split(/^---$/m).map((one) => one.trim()).sort());
}

// Another process writes the same bytes as the one that wrote the golden files; here the first synthesis may leave something to the second one.
test.each(sample(Object.entries(SCENARIOS), 4))('%s: the same program writes the same bytes', (_, build) => {
  expect(synthesize(build)).toEqual(synthesize(build));
});

describe.each(DELIVERIES)('by $name', ({ delivery, charts }) => {
  const expected = complete({ delivery, charts });

  test('addons and workloads in another order give the same bytes', () => {
    fc.assert(fc.property(reorders, (orderAddons) => {
      expect(complete({ delivery, charts, orderAddons })).toEqual(expected);
    }), { numRuns: RUNS, examples: [[reversed]] });
  });

  // They stand in the order in which they were added, so that a new one does not move the others.
  test('pools in another order give the same documents', () => {
    fc.assert(fc.property(reorders, (orderPools) => {
      expect(documents(complete({ delivery, charts, orderPools }))).toEqual(documents(expected));
    }), { numRuns: RUNS, examples: [[reversed]] });
  });
});

test('keys of objects in another order give the same bytes', () => {
  const labels = { 'example.com/b': '1', 'example.com/a': '2' };
  const [{ delivery, charts }] = DELIVERIES;
  const write = (map: { [key: string]: string }) => complete({ delivery, charts, props: { labels: map, namespaceLabels: map, annotations: map } });
  expect(write(Object.fromEntries(Object.entries(labels).reverse()))).toEqual(write(labels));
});

test('another program is told apart', () => {
  const [{ delivery, charts }] = DELIVERIES;
  const other = complete({ delivery, charts, props: { paused: true } });
  expect(other).not.toEqual(complete({ delivery, charts }));
  expect(documents(other)).not.toEqual(documents(complete({ delivery, charts })));
});
