import { CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS, MACHINE_DEPLOYMENT } from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { maxInFlightPaths, rolloutPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../manifests/manifest-object';
import { fieldAt, FieldPath, stringAt } from '../../values/fields';
import { indented } from '../example-text';
import { parseIntOrPercent } from '../int-or-percent';
import { ManifestRule } from '../manifest-rule';

const KINDS = [CLUSTER, CLUSTER_CLASS, MACHINE_DEPLOYMENT];
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinedeployment,cluster,clusterclass}.go`;
const STALLS = 'neither a machine may be added nor one taken away';
const STALLS_FIX = 'set maxSurge to 1, or maxUnavailable where there is no room for one machine more';

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
      path, message: `${JSON.stringify(value)} is neither a number nor a percentage`, accepted: 'a number such as 1, or a text such as "25%"', fix: 'write a number without quotes, or a percentage with them',
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
    return maxSurge === 0 && maxUnavailable === 0 ? [{ path: [...path, 'rollingUpdate'], message: STALLS, fix: STALLS_FIX }] : [];
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
    return isNothing ? [{ path: [...path, 'rollingUpdate'], message: STALLS, fix: STALLS_FIX }] : [];
  }),
};

export const POOL_ROLLOUT: readonly ManifestRule[] = [COUNT, ROLLOUT, STALLED];

function rolling(lines: string): string {
  return poolYaml({ spec: `rollout:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n${indented(lines, 6)}` });
}

/** What is said, with the webhook's defaults, which only a MachineDeployment of its own gets. */
function rollingUpdateOf(object: ManifestObject, path: FieldPath): { maxSurge: unknown; maxUnavailable: unknown } {
  const isDefaulted = groupKind(object) === MACHINE_DEPLOYMENT && (stringAt(object, ...path, 'type') ?? 'RollingUpdate') === 'RollingUpdate';
  const at = (field: string) => fieldAt(object, ...path, 'rollingUpdate', field) ?? undefined;
  return { maxSurge: at('maxSurge') ?? (isDefaulted ? 1 : undefined), maxUnavailable: at('maxUnavailable') ?? (isDefaulted ? 0 : undefined) };
}
