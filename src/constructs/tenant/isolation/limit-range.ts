import { checkLimitOrder } from '../../../manifests/kubernetes/namespaces';
import { ContainerLoad } from '../../../manifests/objects/container-load';
import { ContainerLimits, PodLoad, withDefaults } from '../../../manifests/rules/pod-loads';
import { fieldText } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Amounts, amountsOf, amountText, checkQuantity, largerOf } from '../../../manifests/values/quantity';
import { checkResourceRequirements } from '../../../manifests/values/resource-requirements';

/**
 * Defaults and bounds of containers of the tenant's namespace.
 *
 * It meets every container there, those of virtual machines and of the control plane too. KubeVirt requests a machine's memory and sets no
 * limit unless the quota has one: a default limit below the machine's size keeps the machine from starting, one of CPU throttles it, one
 * of ephemeral storage has it evicted. Small containers that KubeVirt adds ask for as little as 1M of memory and 5m of CPU, so a minimum
 * above that refuses machines, too.
 *
 * Rule: `TC-ISOLATION-LIMITS`.
 */
export interface TenantLimitRange {
  /**
   * Limits of containers that have none: resource name to Kubernetes quantity.
   *
   * @default - `containerMaximum`
   */
  readonly containerDefaultLimits?: { [resource: string]: string };

  /**
   * Requests of containers that have none: resource name to Kubernetes quantity.
   *
   * @default - `containerDefaultLimits`, else `containerMinimum`
   */
  readonly containerDefaultRequests?: { [resource: string]: string };

  /**
   * The least that a container may request: resource name to Kubernetes quantity.
   *
   * @default - no minimum
   */
  readonly containerMinimum?: { [resource: string]: string };

  /**
   * The most that a container may be limited to: resource name to Kubernetes quantity. It becomes the default limit.
   *
   * @default - no maximum
   */
  readonly containerMaximum?: { [resource: string]: string };

  /**
   * The smallest volume that a claim may ask for, a Kubernetes quantity.
   *
   * @default - no minimum
   */
  readonly volumeClaimMinimum?: string;

  /**
   * The largest volume that a claim may ask for, a Kubernetes quantity. Root disks and volumes of the tenant are claims.
   *
   * @default - no maximum
   */
  readonly volumeClaimMaximum?: string;
}

type Resources = { readonly [resource: string]: string };

/** Properties with resources, and the field of each. */
const RESOURCE_FIELDS = [
  ['containerMinimum', 'min'], ['containerDefaultRequests', 'defaultRequest'], ['containerDefaultLimits', 'default'], ['containerMaximum', 'max'],
] as const;

/** Defaults and bounds of containers, completed as the API server does (kubernetes/kubernetes pkg/apis/core/v1/defaults.go). */
export function containerLimits(range: TenantLimitRange): ContainerLimits {
  const min = range.containerMinimum ?? {};
  const max = range.containerMaximum ?? {};
  const limits = { ...max, ...range.containerDefaultLimits };
  return { default: limits, defaultRequest: { ...min, ...limits, ...range.containerDefaultRequests }, min, max };
}

/** `spec` of a LimitRange. */
export function limitRangeSpec(range: TenantLimitRange): { limits: object[] } {
  const container = filledObjects(containerLimits(range));
  const volumeClaim = filledObjects({
    min: range.volumeClaimMinimum === undefined ? {} : { storage: range.volumeClaimMinimum },
    max: range.volumeClaimMaximum === undefined ? {} : { storage: range.volumeClaimMaximum },
  });
  return {
    limits: [
      ...(container ? [{ type: 'Container', ...container }] : []),
      ...(volumeClaim ? [{ type: 'PersistentVolumeClaim', ...volumeClaim }] : []),
    ],
  };
}

/** Checks a limit range in itself. */
export function checkLimitRange(range: TenantLimitRange): Problem[] {
  if (limitRangeSpec(range).limits.length === 0) {
    return [problem('isolation.limitRange', 'it limits nothing', 'give at least one limit, or leave it out')];
  }
  return [...RESOURCE_FIELDS.flatMap(([property]) => checkResources(property, range[property] ?? {})), ...checkVolumeClaims(range)];
}

/** True if nothing is wrong with a limit range in itself, so that pods can be checked against it. */
export function isSoundLimitRange(range: TenantLimitRange): boolean {
  return checkLimitRange(range).length === 0 && limitRangeSpec(range).limits.every((limit) => checkLimitOrder({ ...limit }).length === 0);
}

/** The sources of the fields of a LimitRange; what is derived from others has none. */
export function limitRangeSources(range: TenantLimitRange): { [field: string]: string } {
  const containers = RESOURCE_FIELDS.flatMap(([property, field]) => Object.keys(range[property] ?? {}).map((resource) => (
    [`spec.limits[0].${field}["${resource}"]`, placeOf(property, resource)])));
  const claims = limitRangeSpec(range).limits.length - 1;
  return Object.fromEntries([
    ...containers,
    [`spec.limits[${claims}].min.storage`, 'isolation.limitRange.volumeClaimMinimum'], [`spec.limits[${claims}].max.storage`, 'isolation.limitRange.volumeClaimMaximum'],
  ]) as { [field: string]: string };
}

function placeOf(property: string, resource: string): string {
  return fieldText([resource], `isolation.limitRange.${property}`);
}

function checkResources(name: string, resources: Resources): Problem[] {
  return Object.entries(resources).flatMap(([resource, amount]) => (
    // CPU beside it keeps huge pages from being refused for standing alone.
    checkResourceRequirements({ limits: { cpu: '1', [resource]: amount } })
      .map(({ message, fix }) => problem(placeOf(name, resource), message, fix))
  ));
}

function checkVolumeClaims(range: TenantLimitRange): Problem[] {
  return (['volumeClaimMinimum', 'volumeClaimMaximum'] as const).flatMap((name) => {
    const amount = range[name];
    const fault = amount === undefined ? undefined : checkQuantity(amount, { whole: true });
    return fault === undefined ? [] : [problem(`isolation.limitRange.${name}`, fault, 'give a quantity such as "100Gi"')];
  });
}

const LIMIT_RANGE_RULE: Rule = {
  id: 'TC-ISOLATION-LIMIT-RANGE',
  title: 'A limit range must have a limit of containers or volume claims, in quantities.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateLimitRange)',
};

function problem(property: string, message: string, fix: string): Problem {
  return { rule: LIMIT_RANGE_RULE, property, message, fix };
}

function filledObjects(maps: object): { [name: string]: Resources } | undefined {
  const filled = Object.entries(maps as { readonly [name: string]: Resources }).filter(([, map]) => Object.keys(map).length > 0);
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}

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
    ...tooLarge.map((resource) => limitProblem(
      'containerMaximum', resource, `${who} needs ${amountText(resource, largest[resource])}, and no container may have more than ${range.max[resource]}`,
    )),
    ...overLimit.map((resource) => limitProblem(
      'containerDefaultLimits', resource, `${who} requests ${amountText(resource, requests[resource])} and would be limited to ${range.default[resource]}, which is refused`,
    )),
    ...exceeding(amountsOf(range.min), requests).map((resource) => limitProblem(
      'containerMinimum', resource, `${who} requests ${amountText(resource, requests[resource])}, and no container may request less than ${range.min[resource]}`,
    )),
  ];
}

/** Reports default limits that let a machine start, and keep it from working. */
function checkMachine({ what, machine, containers }: PodLoad, range: ContainerLimits): Problem[] {
  if (!machine) return [];
  const limits = amountsOf(range.default);
  const open = (resource: string) => limits[resource] !== undefined && containers.every((container) => container.limits[resource] === undefined);
  const throttled = open('cpu') && limits.cpu >= (containers[0].requests.cpu ?? 0n) && limits.cpu < machine.cpus;
  return [
    ...(throttled ? [limitProblem(
      'containerDefaultLimits', 'cpu', `${what} have ${amountText('cpu', machine.cpus)} CPUs and would be throttled to ${range.default.cpu}`,
    )] : []),
    ...(machine.ephemeralDisk && open(DISK) ? [{
      ...limitProblem('containerDefaultLimits', DISK, `${what} write to disks that count as ephemeral storage, and would be evicted at ${range.default[DISK]}`),
      fix: 'set podEphemeralStorage of the machine to what its disks may grow to',
    }] : []),
  ];
}

/** The resources of which there is more in the first map. */
function exceeding(amounts: Amounts, bounds: Amounts): string[] {
  return Object.keys(amounts).filter((resource) => bounds[resource] !== undefined && amounts[resource] > bounds[resource]);
}

const LIMITS_RULE: Rule = {
  id: 'TC-ISOLATION-LIMITS',
  title: 'Machines and control plane must fit into the limit range, and a default limit must not throttle or evict them.',
  source: 'kubernetes/kubernetes plugin/pkg/admission/limitranger/admission.go, kubevirt/kubevirt issue 970, '
    + 'cozystack/cozystack commits 94d42749a and 90e4aba4e',
};

function limitProblem(name: string, resource: string, message: string): Problem {
  return {
    rule: LIMITS_RULE,
    property: fieldText([resource], `isolation.limitRange.${name}`),
    message,
    fix: 'change the limit range, or the container; a limit range is for small pods that set no requests',
  };
}
