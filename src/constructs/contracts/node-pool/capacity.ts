import { SizeRoundingBehavior } from 'cdk8s';
import { POOL_RULES } from './rules';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { Problem } from '../../../manifests/values/problem';
import { checkQuantity } from '../../../manifests/values/quantity';
import { MachineCapacity } from '../machine-capacity';

/** The size of a pool's machines where one can calculate with it; undefined where it is unknown or no size. */
export function usableCapacity(capacity: MachineCapacity | undefined): MachineCapacity | undefined {
  return checkCapacity(capacity).length === 0 ? capacity : undefined;
}

/** Checks the capacity that a machine strategy states. */
export function checkCapacity(capacity: MachineCapacity | undefined): Problem[] {
  if (!capacity) return [];
  const { cpu, memory, ephemeralStorage, gpus = [] } = capacity;
  const sizes = { memory, ephemeralStorage };
  return [
    ...fault('cpu', checkQuantity(`${cpu}`, { positive: true })),
    ...Object.entries(sizes).flatMap(([name, size]) => (size ? fault(name, checkQuantity(`${size.toMebibytes({ rounding: SizeRoundingBehavior.NONE })}Mi`, { positive: true })) : [])),
    ...gpus.flatMap(({ resourceName, count }) => [
      ...fault('gpus', checkQualifiedName(resourceName)),
      ...fault('gpus', Number.isSafeInteger(count) && count > 0 ? undefined : `${count} is not a number of GPUs; accepted are whole numbers from 1`),
    ]),
  ];
}

function fault(name: string, message: string | undefined): Problem[] {
  return message === undefined ? [] : [{ rule: POOL_RULES.capacity, property: `machine.capacity.${name}`, message, fix: 'state what one machine offers' }];
}
