import { ContainerLimits } from './limit-range';
import { PodLoad, withDefaults } from './pod-load';
import { ISOLATION_RULES } from './rules';
import { ContainerLoad } from '../../../manifests/objects/container-load';
import { Amounts, amountsOf, amountText, largerOf } from '../../../manifests/values/amounts';
import { fieldText } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';

const DISK = 'ephemeral-storage';

/** Checks that the containers of the cluster fit into the limit range. */
export function checkContainerLimits(loads: readonly PodLoad[], range: ContainerLimits): Problem[] {
  return loads.filter(({ count }) => count > 0).flatMap((load) => [
    ...[...load.containers, ...load.initContainers].flatMap((container) => checkContainer(load, container, range)),
    ...checkMachine(load, range),
  ]);
}

function checkContainer({ what }: PodLoad, container: ContainerLoad, range: ContainerLimits): Problem[] {
  const who = `${container.name} in ${what}`;
  const { requests, limits } = withDefaults(container, range);
  const largest = largerOf(requests, limits);
  const tooLarge = exceeding(largest, amountsOf(range.max));
  const overLimit = exceeding(requests, amountsOf(range.default))
    .filter((resource) => container.limits[resource] === undefined && !tooLarge.includes(resource));
  return [
    ...tooLarge.map((resource) => problem(
      'containerMaximum', resource, `${who} needs ${amountText(resource, largest[resource])}, and no container may have more than ${range.max[resource]}`,
    )),
    ...overLimit.map((resource) => problem(
      'containerDefaultLimits', resource, `${who} requests ${amountText(resource, requests[resource])} and would be limited to ${range.default[resource]}, which is refused`,
    )),
    ...exceeding(amountsOf(range.min), requests).map((resource) => problem(
      'containerMinimum', resource, `${who} requests ${amountText(resource, requests[resource])}, and no container may request less than ${range.min[resource]}`,
    )),
  ];
}

/** What does not keep a machine from starting, and yet from working. */
function checkMachine({ what, machine, containers }: PodLoad, range: ContainerLimits): Problem[] {
  if (!machine) return [];
  const limits = amountsOf(range.default);
  const open = (resource: string) => limits[resource] !== undefined && containers.every((container) => container.limits[resource] === undefined);
  const throttled = open('cpu') && limits.cpu >= (containers[0].requests.cpu ?? 0n) && limits.cpu < machine.cpus;
  return [
    ...(throttled ? [problem(
      'containerDefaultLimits', 'cpu', `${what} have ${amountText('cpu', machine.cpus)} CPUs and would be throttled to ${range.default.cpu}`,
    )] : []),
    ...(machine.ephemeralDisk && open(DISK) ? [{
      ...problem('containerDefaultLimits', DISK, `${what} write to disks that count as ephemeral storage, and would be evicted at ${range.default[DISK]}`),
      fix: 'set podEphemeralStorage of the machine to what its disks may grow to',
    }] : []),
  ];
}

/** The resources of which there is more in the first map. */
function exceeding(amounts: Amounts, bounds: Amounts): string[] {
  return Object.keys(amounts).filter((resource) => bounds[resource] !== undefined && amounts[resource] > bounds[resource]);
}

function problem(name: string, resource: string, message: string): Problem {
  return {
    rule: ISOLATION_RULES.limits,
    property: fieldText([resource], `isolation.limitRange.${name}`),
    message,
    fix: 'change the limit range, or the container; a limit range is for small pods that say nothing',
  };
}
