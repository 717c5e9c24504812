import { ISOLATION_RULES } from './rules';
import { fieldText } from '../../../manifests/values/fields';
import { checkLimitOrder } from '../../../manifests/values/limit-order';
import { Problem } from '../../../manifests/values/problem';
import { checkQuantity } from '../../../manifests/values/quantity';
import { checkResourceRequirements } from '../../../manifests/values/resource-requirements';

/**
 * What containers of the tenant's namespace get by default, and their bounds.
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

/** What a limit range does to containers, with everything that the API server adds to it. */
export interface ContainerLimits {
  readonly default: Resources;
  readonly defaultRequest: Resources;
  readonly min: Resources;
  readonly max: Resources;
}

/** The maps, and the field of each. */
const MAPS = [
  ['containerMinimum', 'min'], ['containerDefaultRequests', 'defaultRequest'], ['containerDefaultLimits', 'default'], ['containerMaximum', 'max'],
] as const;

/** What holds for containers, filled up as the API server does (kubernetes/kubernetes pkg/apis/core/v1/defaults.go). */
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
  return [...MAPS.flatMap(([property]) => checkResources(property, range[property] ?? {})), ...checkVolumeClaims(range)];
}

/** True if nothing is wrong with a limit range in itself, so that pods can be checked against it. */
export function isSoundLimitRange(range: TenantLimitRange): boolean {
  return checkLimitRange(range).length === 0 && limitRangeSpec(range).limits.every((limit) => checkLimitOrder({ ...limit }).length === 0);
}

/** The sources of the fields of a LimitRange; what is derived from others has none. */
export function limitRangeSources(range: TenantLimitRange): { [field: string]: string } {
  const containers = MAPS.flatMap(([property, field]) => Object.keys(range[property] ?? {}).map((resource) => (
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

function problem(property: string, message: string, fix: string): Problem {
  return { rule: ISOLATION_RULES.limitRange, property, message, fix };
}

function filledObjects(maps: object): { [name: string]: Resources } | undefined {
  const filled = Object.entries(maps as { readonly [name: string]: Resources }).filter(([, map]) => Object.keys(map).length > 0);
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}
