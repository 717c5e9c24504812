import { bytesRange, counted, countText } from './cells';
import { Cluster } from '../../manifests/landscape/cluster-model';
import { totalsOf } from '../../manifests/landscape/totals';

/** How much there is, in a sentence. */
export function summary(clusters: readonly Cluster[]): string {
  const { pools, addons, machines, controlPlaneMachines, poolsOfUnknownSize, cpu, memory, machinesOfUnknownSize } = totalsOf(clusters);
  const things = [
    counted(clusters.length, 'cluster'),
    counted(pools, 'pool'),
    counted(addons, 'addon'),
    `${countText(machines)} ${machines.maximum === 1 ? 'machine' : 'machines'} in pools`
      + (poolsOfUnknownSize === 0 ? '' : ` (without ${counted(poolsOfUnknownSize, 'pool')} whose size is not known)`),
    ...(controlPlaneMachines === 0 ? [] : [`${controlPlaneMachines} of control planes`]),
  ];
  const sizes = [
    `${countText(cpu)} CPUs and ${bytesRange(memory)} of memory`,
    ...(machinesOfUnknownSize.maximum === 0 ? [] : [`without ${countText(machinesOfUnknownSize)} machines whose size is not known`]),
  ];
  return `${things.join(', ')}; ${sizes.join(', ')}`;
}
