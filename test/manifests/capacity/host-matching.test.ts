import { matchHosts } from '../../../src/manifests/capacity/host-matching';

const host = (count: number, ...groups: number[]) => ({ groups, count });

test('machines move to other hosts when a group has no choice', () => {
  expect(matchHosts([1, 1], [host(1, 0, 1), host(1, 0)])).toEqual({ left: [0, 0], short: [] });
  expect(matchHosts([2, 2, 2], [host(2, 0, 1), host(2, 0, 2), host(2, 2)])).toEqual({ left: [0, 0, 0], short: [] });
  expect(matchHosts([3, 3, 3], [host(3, 0, 1), host(3, 1, 2), host(3, 0)])).toEqual({ left: [0, 0, 0], short: [] });
});

test('hosts that several groups select count once, and groups with hosts of their own are no part of the proof', () => {
  expect(matchHosts([2, 2, 1], [host(3, 0, 1), host(5, 2)])).toEqual({ left: [0, 1, 0], short: [1, 0] });
  expect(matchHosts([1, 1], [host(1, 0)])).toEqual({ left: [0, 1], short: [1] });
});

/** The largest number of machines with a host, by trying all. */
function most(machines: readonly number[], hosts: readonly (readonly number[])[]): number {
  const [first, ...others] = machines;
  if (first === undefined) return 0;
  const without = (index: number) => hosts.filter((_, at) => at !== index);
  return Math.max(most(others, hosts), ...hosts.flatMap((groups, index) => (groups.includes(first) ? [1 + most(others, without(index))] : [])));
}

test('no other choice of hosts serves more machines, and the proof is one', () => {
  let seed = 7;
  const next = (below: number) => { seed = (seed * 48271) % 2147483647; return seed % below; };
  for (let round = 0; round < 300; round++) {
    const wanted = Array.from({ length: 3 }, () => next(3));
    const classes = Array.from({ length: 3 }, () => ({ groups: [0, 1, 2].filter(() => next(2) === 0), count: next(3) }));
    const { left, short } = matchHosts(wanted, classes);
    const machines = wanted.flatMap((count, group) => Array.from({ length: count }, () => group));
    const hosts = classes.flatMap(({ groups, count }) => Array.from({ length: count }, () => groups));
    expect(machines.length - left.reduce((sum, count) => sum + count, 0)).toBe(most(machines, hosts));
    if (left.every((count) => count === 0)) continue;
    const available = hosts.filter((groups) => groups.some((group) => short.includes(group))).length;
    expect(short.reduce((sum, group) => sum + wanted[group], 0)).toBeGreaterThan(available);
  }
});
