import { MachineCount } from './machine-count';
import { PoolSize } from './pool-size';
import { RolloutStrategy } from './rollout-strategy';
import { ClusterContext } from '../cluster-context';
import { Machine } from '../machine';

/** Largest pool of fixed size whose machines are all put on different hosts. */
const MOST_SEPARATED = 3;

/** Label of nodes that receive traffic from outside, in pools of any size. */
const INGRESS_ROLE = 'node-role.kubernetes.io/ingress';

/** A rollout that needs no host beside those of the machines. */
const WITHOUT_SURGE = RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0), maxUnavailable: MachineCount.absolute(1) });

/** The properties of a pool that its place depends on. */
interface PlacedPool {
  readonly machine: Machine;
  readonly size: PoolSize;
  readonly labels?: { readonly [key: string]: string };
  readonly rollout?: RolloutStrategy;
}

/** Hosts of the machines of a pool, and what follows from their number. */
export interface HostPlacement {
  /** Number of hosts that the machines can be on; undefined if it is not known. */
  readonly hosts?: number;

  /** True if each machine has a host of its own, also during a rollout. */
  readonly separateHosts: boolean;

  readonly rollout: RolloutStrategy;
}

/**
 * Places the machines of a pool on hosts. Few machines, and those that receive traffic from outside, are separated where there are enough hosts
 * for all of them during a rollout. With as many hosts as machines, the default rollout removes a machine first: one more machine would share a
 * host, and stay there after the rollout.
 */
export function placeOnHosts({ machine, size, labels = {}, rollout }: PlacedPool, cluster: ClusterContext): HostPlacement {
  const { minimum, maximum, autoscaled } = size;
  const hosts = machine.hostsIn(cluster);
  const few = maximum >= 2 && (autoscaled ? Object.hasOwn(labels, INGRESS_ROLE) : minimum <= MOST_SEPARATED || Object.hasOwn(labels, INGRESS_ROLE));
  const separable = few && machine.separable && hosts !== undefined;
  const used = rollout ?? (!machine.surges || (separable && hosts === maximum) ? WITHOUT_SURGE : RolloutStrategy.rollingUpdate());
  return { hosts, separateHosts: separable && maximum + surgeOf(used, maximum) <= hosts, rollout: used };
}

/** Places the machines of a control plane, which Cluster API replaces by one more at a time. */
export function placeControlPlane(machine: Machine, replicas: number, cluster: ClusterContext): Pick<HostPlacement, 'separateHosts'> {
  return { separateHosts: replicas > 1 && machine.separable && replicas < (machine.hostsIn(cluster) ?? 0) };
}

/** Machines beyond the pool's size in a rollout. Cluster API rounds percentages up, and adds one where neither number allows a step. */
export function surgeOf({ maxSurge }: RolloutStrategy, machines: number): number {
  if (!maxSurge) return 0;
  return maxSurge.isPercentage ? Math.ceil((machines * maxSurge.amount) / 100) : maxSurge.amount;
}
