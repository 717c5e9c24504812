/** Hosts that the same groups select. */
export interface HostClass {
  /** Indices of the groups. */
  readonly groups: readonly number[];
  readonly count: number;
}

/** Machines without a host, and the groups whose hosts do not suffice. */
export interface Matching {
  /** By group: the number of machines without a host. */
  readonly left: readonly number[];

  /** Groups that together need more hosts than they select, as a proof; empty if each machine has a host. */
  readonly short: readonly number[];
}

/**
 * Finds the largest number of machines that have a host each, by paths that give a machine another host to make room.
 *
 * @param wanted the number of machines of each group
 */
export function matchHosts(wanted: readonly number[], classes: readonly HostClass[]): Matching {
  const free = classes.map(({ count }) => count);
  const given = classes.map(() => new Map<number, number>());
  const classesOf = wanted.map((): number[] => []);
  classes.forEach(({ groups }, index) => groups.forEach((group) => classesOf[group].push(index)));

  /** Gives hosts to some machines of a group; returns their number, or the groups that it reached without a free host. */
  const give = (group: number, count: number): number | readonly number[] => {
    const from = new Map<number, number>();
    const reachedBy = new Map<number, number>();
    const reached = [group];
    for (const current of reached) {
      for (const index of classesOf[current]) {
        if (reachedBy.has(index)) continue;
        reachedBy.set(index, current);
        if (free[index] > 0) return exchange(group, index, count, reachedBy, from);
        for (const [other, hosts] of given[index]) {
          if (hosts === 0 || other === group || from.has(other)) continue;
          from.set(other, index);
          reached.push(other);
        }
      }
    }
    return reached;
  };

  /** Moves hosts along a path that ends with a free one. */
  const exchange = (group: number, end: number, count: number, reachedBy: ReadonlyMap<number, number>, from: ReadonlyMap<number, number>): number => {
    const path: (readonly [group: number, to: number, from?: number])[] = [];
    for (let index: number | undefined = end; index !== undefined;) {
      const current: number = reachedBy.get(index)!;
      const former: number | undefined = current === group ? undefined : from.get(current);
      path.push([current, index, former]);
      index = former;
    }
    const movable = path.flatMap(([current, , former]) => (former === undefined ? [] : [given[former].get(current)!]));
    const moved = Math.min(count, free[end], ...movable);
    free[end] -= moved;
    for (const [current, to, former] of path) {
      given[to].set(current, (given[to].get(current) ?? 0) + moved);
      if (former !== undefined) given[former].set(current, given[former].get(current)! - moved);
    }
    return moved;
  };

  const left = wanted.map((count, group) => {
    for (let open = count; open > 0;) {
      const moved = give(group, open);
      if (typeof moved !== 'number') return open;
      open -= moved;
    }
    return 0;
  });
  const first = left.findIndex((count) => count > 0);
  const short = first < 0 ? [] : give(first, left[first]);
  return { left, short: typeof short === 'number' ? [] : short };
}
