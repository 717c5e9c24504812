/**
 * Number of machines of a pool that are lost with one host at most, if there are two hosts and the machines are spread evenly over them. Two
 * machines may be on one host: the scheduler spreads only where it can.
 */
export function lostWithOneHost(machines: number): number {
  return machines <= 2 ? machines : Math.ceil(machines / 2);
}
