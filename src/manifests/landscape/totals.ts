import { Cluster, Machine, MachineCount } from './cluster-model';

/** Sums over clusters. */
export interface Totals {
  readonly clusters: number;
  readonly pools: number;

  /** Addons of clusters, each as often as it is delivered. */
  readonly addons: number;

  /** Machines of pools whose size is known. */
  readonly machines: MachineCount;

  /** Machines of control planes whose number is known. */
  readonly controlPlaneMachines: number;

  /** Pools whose size is not known. */
  readonly poolsOfUnknownSize: number;

  /** Processors of machines, of those whose size is known. */
  readonly cpu: MachineCount;

  /** Bytes of memory of machines, of those whose size is known. */
  readonly memory: MachineCount;

  /** Machines whose processors or memory are not known, which the sums leave out. */
  readonly machinesOfUnknownSize: MachineCount;
}

const NONE: MachineCount = { minimum: 0, maximum: 0 };

/** Sums over some clusters: their pools, and control planes that have machines. */
export function totalsOf(clusters: readonly Cluster[]): Totals {
  const pools = clusters.flatMap((cluster) => cluster.pools);
  const controlPlanes = clusters.flatMap(({ controlPlane }) => (controlPlane?.machine && controlPlane.replicas !== undefined
    ? [{ machine: controlPlane.machine, size: { minimum: controlPlane.replicas, maximum: controlPlane.replicas } }] : []));
  const sized = [...pools.flatMap(({ machine, size }) => (size ? [{ machine, size }] : [])), ...controlPlanes];
  const sum = (amount: (machine: Machine | undefined) => number) => (
    sized.reduce((soFar, { machine, size }) => plus(soFar, size, amount(machine)), NONE));
  return {
    clusters: clusters.length,
    pools: pools.length,
    addons: clusters.reduce((soFar, { addons }) => soFar + addons.length, 0),
    machines: pools.reduce((soFar, { size }) => (size ? plus(soFar, size, 1) : soFar), NONE),
    controlPlaneMachines: controlPlanes.reduce((soFar, { size }) => soFar + size.minimum, 0),
    poolsOfUnknownSize: pools.filter(({ size }) => !size).length,
    cpu: sum((machine) => machine?.cpu ?? 0),
    memory: sum((machine) => machine?.memory ?? 0),
    machinesOfUnknownSize: sum((machine) => (machine?.cpu === undefined || machine.memory === undefined ? 1 : 0)),
  };
}

function plus(sum: MachineCount, { minimum, maximum }: MachineCount, times: number): MachineCount {
  return { minimum: sum.minimum + minimum * times, maximum: sum.maximum + maximum * times };
}
