/** Machines that take addresses from a pool. */
export interface AddressDemand {
  /** Name of the group of machines, such as `acme-general`. */
  readonly name: string;

  /** Largest number of machines. */
  readonly machines: number;

  /** Machines beyond that number during a rollout. */
  readonly surge: number;

  /** Addresses that each of them takes. */
  readonly each: number;
}

/** Number of addresses that machines take at most. */
function demandOf({ machines, surge, each }: AddressDemand): number {
  return (machines + surge) * each;
}

/** Number of addresses that all machines of a pool take at most. */
export function totalDemand(demands: readonly AddressDemand[]): number {
  return demands.reduce((sum, demand) => sum + demandOf(demand), 0);
}

/**
 * The reason why a pool does not have enough addresses; undefined if it has.
 *
 * @param pool name of the pool
 * @param available number of addresses that machines can get
 * @param demands the machines that take them
 */
export function addressShortage(pool: string, available: bigint | number, demands: readonly AddressDemand[]): string | undefined {
  const total = totalDemand(demands);
  if (BigInt(total) <= BigInt(available)) return undefined;
  const sum = demands.length > 1 ? ` = ${total}` : '';
  return `pool "${pool}" has ${available} addresses for machines, and they may take ${total}: ${demands.map(demandText).join(', ')}${sum}`;
}

/** One group of machines in a sum. */
function demandText({ name, machines, surge, each }: AddressDemand): string {
  const count = surge === 0 ? `${machines}` : `${machines} + ${surge} in a rollout`;
  return `${name} ${each === 1 ? count : `${each} × ${surge === 0 ? count : `(${count})`}`}`;
}
