import { CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS, MACHINE_DEPLOYMENT } from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { maxInFlightPaths, rolloutPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { indented } from '../example-text';
import { IntOrPercent, parseIntOrPercent } from '../int-or-percent';
import { ManifestRule } from '../manifest-rule';

const KINDS = [CLUSTER, CLUSTER_CLASS, MACHINE_DEPLOYMENT];
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinedeployment,cluster,clusterclass}.go`;

/** Numbers of machines in a rollout and a remediation. */
const COUNT: ManifestRule = {
  id: 'TC-ADMIT-POOL-COUNT',
  title: 'maxSurge, maxUnavailable and maxInFlight must be whole numbers or percentages.',
  source: WEBHOOKS,
  kinds: KINDS,
  example: { failing: rolling('maxSurge: "1"'), corrected: rolling('maxSurge: 1') },
  check: (object) => [
    ...rolloutPaths(object).flatMap((path) => ['maxSurge', 'maxUnavailable'].map((field) => [...path, 'rollingUpdate', field])),
    ...maxInFlightPaths(object),
  ].flatMap((path) => {
    const value = fieldAt(object, ...path);
    // Values of other types are reported by the check of structure.
    return typeof value !== 'string' || parseIntOrPercent(value) ? [] : [{
      path, message: `${JSON.stringify(value)} is neither a number nor a percentage`, accepted: 'a number such as 1, or a string such as "25%"', fix: 'write a number without quotes, or a percentage with them',
    }];
  }),
};

/** No room for a rollout. */
const ROLLOUT: ManifestRule = {
  id: 'TC-ADMIT-POOL-ROLLOUT',
  title: 'maxSurge and maxUnavailable of a rolling update must not both be 0.',
  source: WEBHOOKS,
  kinds: KINDS,
  example: { failing: rolling('maxSurge: 0'), corrected: rolling('maxSurge: 0\nmaxUnavailable: 1') },
  check: (object) => rolloutPaths(object).flatMap((path) => {
    const { maxSurge, maxUnavailable } = rollingUpdateOf(object, path);
    return maxSurge === 0 && maxUnavailable === 0 ? [stalls(object, path)] : [];
  }),
};

/** The same, in percent. */
const STALLED: ManifestRule = {
  id: 'TC-TRAP-POOL-ROLLOUT',
  title: 'maxSurge and maxUnavailable of a rolling update must not both be zero, also as 0%: Cluster API then removes one machine at a time.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/mdutil/util.go',
  trap: true,
  kinds: KINDS,
  example: { failing: rolling('maxSurge: "0%"\nmaxUnavailable: 0'), corrected: rolling('maxSurge: "0%"\nmaxUnavailable: 1') },
  check: (object) => rolloutPaths(object).flatMap((path) => {
    const counts = Object.values(rollingUpdateOf(object, path)).map(parseIntOrPercent);
    const isNothing = counts.every((count) => count?.amount === 0) && counts.some((count) => count?.isPercent);
    return isNothing ? [stalls(object, path)] : [];
  }),
};

/** Numbers that the webhook reads, and no rollout or remediation can use. */
const BOUNDS: ManifestRule = {
  id: 'TC-TRAP-POOL-COUNT',
  title: 'maxSurge and maxUnavailable must not be negative, maxUnavailable must not be above 100%, and maxInFlight must be above 0.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/mdutil/util.go, core/reconcilers/machineset/machineset_controller.go (reconcileUnhealthyMachines)',
  trap: true,
  kinds: KINDS,
  example: { failing: rolling('maxUnavailable: "110%"'), corrected: rolling('maxUnavailable: "100%"') },
  check: (object) => [
    ...rolloutPaths(object).flatMap((path) => [
      { path: [...path, 'rollingUpdate', 'maxSurge'], accepted: 'numbers and percentages from 0', isUsable: ({ amount }: IntOrPercent) => amount >= 0 },
      {
        path: [...path, 'rollingUpdate', 'maxUnavailable'],
        accepted: 'numbers from 0, and percentages from 0% to 100%',
        isUsable: ({ amount, isPercent }: IntOrPercent) => amount >= 0 && (!isPercent || amount <= 100),
      },
    ]),
    ...maxInFlightPaths(object).map((path) => ({ path, accepted: 'numbers and percentages above 0', isUsable: ({ amount }: IntOrPercent) => amount > 0 })),
  ].flatMap(({ path, accepted, isUsable }) => {
    const value = fieldAt(object, ...path);
    const count = parseIntOrPercent(value);
    return count === undefined || isUsable(count) ? [] : [{
      path, message: `${JSON.stringify(value)} is not a number of machines`, accepted, fix: 'write the number or percentage of machines that may be replaced at a time',
    }];
  }),
};

export const POOL_ROLLOUT: readonly ManifestRule[] = [COUNT, ROLLOUT, STALLED, BOUNDS];

function rolling(lines: string): string {
  return poolYaml({ spec: `rollout:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n${indented(lines, 6)}` });
}

function stalls(object: ManifestObject, path: FieldPath): Finding {
  const { maxSurge, maxUnavailable } = rollingUpdateOf(object, path);
  return {
    path: [...path, 'rollingUpdate'],
    message: `maxSurge ${String(maxSurge)} and maxUnavailable ${String(maxUnavailable)} let a rollout neither add a machine nor remove one`,
    accepted: 'at least one of the two above 0',
    fix: 'set maxSurge to 1, or maxUnavailable where there is no room for another machine',
  };
}

/** What is said, with the webhook's defaults, which only a MachineDeployment of its own gets. */
function rollingUpdateOf(object: ManifestObject, path: FieldPath): { maxSurge: unknown; maxUnavailable: unknown } {
  const isDefaulted = groupKind(object) === MACHINE_DEPLOYMENT && (stringAt(object, ...path, 'type') ?? 'RollingUpdate') === 'RollingUpdate';
  const at = (field: string) => fieldAt(object, ...path, 'rollingUpdate', field) ?? undefined;
  return { maxSurge: at('maxSurge') ?? (isDefaulted ? 1 : undefined), maxUnavailable: at('maxUnavailable') ?? (isDefaulted ? 0 : undefined) };
}
