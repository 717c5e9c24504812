import { MAX_SIZE, MIN_SIZE } from './autoscaler-annotations';
import {
  CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { classMetadata, classOf, workersOf } from './cluster-classes';
import { poolYaml } from './example-manifests';
import { maxInFlightPaths, rolloutPaths, workerPaths } from './machine-places';
import { SKIPPED_CHECKS } from './preflight-checks';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { IntOrPercent, parseIntOrPercent } from '../../values/counts';
import { checkDnsSubdomain } from '../../values/dns';
import { fieldAt, FieldPath, isSet, stringAt } from '../../values/fields';
import { Finding, findingsOf } from '../../values/finding';
import { checkLabelValue, LABEL_MAX_LENGTH } from '../../values/labels';
import { nameFix } from '../../values/object-name';
import { indented } from '../example-text';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';

const LONG_NAME = `acme-${'general-'.repeat(8)}pool`;

/** The name, which is a label of the machines. */
const NAME: ManifestRule = {
  id: 'TC-ADMIT-POOL-NAME',
  title: 'The name of a MachineDeployment must be a label value: at most 63 characters.',
  source: `${CORE_WEBHOOKS}/machinedeployment.go`,
  kinds: [MACHINE_DEPLOYMENT],
  example: { failing: poolYaml({ name: LONG_NAME }), corrected: poolYaml({}) },
  check: (object) => {
    const name = stringAt(object, 'metadata', 'name') ?? '';
    const message = checkLabelValue(name);
    // A name that no object may have is reported as such.
    return message === undefined || checkDnsSubdomain(name) !== undefined ? [] : [{
      path: ['metadata', 'name'], message, fix: `${nameFix(name, checkLabelValue, LABEL_MAX_LENGTH)}; the names of its machines have 12 characters more`,
    }];
  },
};

/** The cluster, which is named twice. */
const CLUSTER_NAME: ManifestRule = {
  id: 'TC-ADMIT-POOL-CLUSTER',
  title: 'A pool and its machine template must belong to the same cluster.',
  source: `${CORE_WEBHOOKS}/{machinedeployment,machineset,machinepool}.go`,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  example: { failing: poolYaml({}).replace('clusterName: acme', 'clusterName: acme-2'), corrected: poolYaml({}) },
  check: (object) => {
    const own = stringAt(object, 'spec', 'clusterName');
    const template = stringAt(object, 'spec', 'template', 'spec', 'clusterName');
    // A missing one is reported as such.
    if (own === undefined || template === undefined || own === template) return [];
    return [{
      path: ['spec', 'template', 'spec', 'clusterName'],
      message: `the machines are to belong to ${JSON.stringify(template)}, and the pool belongs to ${JSON.stringify(own)}`,
      fix: 'name the same cluster in spec.clusterName and spec.template.spec.clusterName',
    }];
  },
};

/** The label that webhooks give what belongs to a cluster. */
const CLUSTER_LABEL: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-NAME-LABEL',
  title: 'The name of the cluster that an object belongs to must be the value of a label: webhooks set the label cluster.x-k8s.io/cluster-name.',
  source: `${CORE_WEBHOOKS}/{machine,machinedeployment,machineset,machinepool,machinehealthcheck}.go (Default)`,
  kinds: [MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET],
  example: { failing: poolYaml({}).replaceAll('clusterName: acme', 'clusterName: acme_'), corrected: poolYaml({}) },
  check: (object) => {
    const name = stringAt(object, 'spec', 'clusterName');
    return findingsOf(['spec', 'clusterName'], [name === undefined ? undefined : checkLabelValue(name)], 'write the name of the Cluster');
  },
};

const CHECKS: readonly string[] = ['All', 'ControlPlaneIsStable', 'ControlPlaneVersionSkew', 'KubeadmVersionSkew', 'KubernetesVersionSkew'];

/** Checks that are left out before machines are made. */
const POOL_PREFLIGHT: ManifestRule = {
  id: 'TC-ADMIT-POOL-PREFLIGHT',
  title: 'Skipped preflight checks of a pool must be checks that Cluster API has.',
  source: `${CORE_WEBHOOKS}/machineset.go (validateSkippedMachineSetPreflightChecks)`,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET],
  example: {
    failing: poolYaml({ metadata: `annotations:\n  ${SKIPPED_CHECKS}: KubeadmSkew` }),
    corrected: poolYaml({ metadata: `annotations:\n  ${SKIPPED_CHECKS}: KubeadmVersionSkew` }),
  },
  check: (object) => (stringAt(object, 'metadata', 'annotations', SKIPPED_CHECKS)?.split(',') ?? [])
    .map((name) => name.trim()).filter((name) => !CHECKS.includes(name)).map((name) => ({
      path: ['metadata', 'annotations', SKIPPED_CHECKS], message: `${JSON.stringify(name)} is not a preflight check`, accepted: CHECKS.join(', '), fix: 'write one of these',
    })),
};

const SIZED_KINDS = [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET];
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinedeployment,machineset,machinepool}.go`;
const AUTOSCALER = 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md';

const BOUND_ANNOTATIONS = [MIN_SIZE, MAX_SIZE];

/** The bounds and the size of a pool: an object, or a part of a topology or of a class. */
interface SizedPlace {
  readonly path: FieldPath;
  readonly metadata: FieldPath;
  readonly replicas: FieldPath;
}

function sizedPlaces(object: ManifestObject): SizedPlace[] {
  if (SIZED_KINDS.includes(groupKind(object))) return [{ path: [], metadata: ['metadata'], replicas: ['spec', 'replicas'] }];
  const own = groupKind(object) === CLUSTER_CLASS && isV1beta1(object) ? ['template', 'metadata'] : ['metadata'];
  return workerPaths(object, 'machineDeployments', 'machinePools').map((path) => ({ path, metadata: [...path, ...own], replicas: [...path, 'replicas'] }));
}

const LEAST = -(2 ** 31);
const LARGEST = 2 ** 31 - 1;

/** The bounds as numbers. */
const BOUND: ManifestRule = {
  id: 'TC-ADMIT-POOL-AUTOSCALER',
  title: 'Both autoscaler bounds of a pool without replicas must be 32-bit whole numbers: the webhook computes the number of machines from them.',
  source: WEBHOOKS,
  kinds: SIZED_KINDS,
  example: { failing: poolYaml({ metadata: bounds('one', '10') }), corrected: poolYaml({ metadata: bounds('1', '10') }) },
  check: (object) => (isSet(object, 'spec', 'replicas') || !BOUND_ANNOTATIONS.every((name) => boundText(object, name) !== undefined) ? [] : oddBounds(object)),
};

/** Bounds that the autoscaler ignores and the webhook does not check. */
const UNREAD: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-BOUND',
  title: 'A pool must have both autoscaler bounds, as whole numbers from 0, or neither.',
  source: AUTOSCALER,
  trap: true,
  kinds: [...SIZED_KINDS, CLUSTER, CLUSTER_CLASS],
  example: {
    failing: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "1"` }),
    corrected: poolYaml({ metadata: bounds('1', '10') }),
  },
  check: (object, index) => sizedPlaces(object).flatMap(({ path, metadata, replicas }) => {
    const given = BOUND_ANNOTATIONS.filter((name) => boundText(object, name, metadata) !== undefined);
    if (given.length === 1) {
      const missing = BOUND_ANNOTATIONS.find((name) => name !== given[0])!;
      // The webhook reports a size beside it.
      if (path.length > 0 && (isSet(object, ...replicas) || mayStandElsewhere(object, path, missing, index))) return [];
      return [{ path: annotation(given[0], metadata), message: `without ${missing} beside it, the pool is not autoscaled`, fix: 'write both bounds, or none' }];
    }
    if (given.length === 2 && (path.length > 0 || isSet(object, ...replicas))) return oddBounds(object, metadata);
    return given.filter((name) => (boundOf(object, name, metadata) ?? 0) < 0).map((name) => ({
      path: annotation(name, metadata), message: `${boundOf(object, name, metadata)} is below 0`, accepted: 'whole numbers from 0', fix: 'write the number of machines',
    }));
  }),
};

/** The order of the bounds. */
const ORDER: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-ORDER',
  title: 'The minimum of the autoscaler must not be greater than the maximum, and the maximum must be at least 1.',
  source: AUTOSCALER,
  trap: true,
  kinds: [...SIZED_KINDS, CLUSTER, CLUSTER_CLASS],
  example: { failing: poolYaml({ metadata: bounds('10', '1') }), corrected: poolYaml({ metadata: bounds('1', '10') }) },
  check: (object) => sizedPlaces(object).flatMap(({ metadata }) => {
    const [least, most] = BOUND_ANNOTATIONS.map((name) => boundOf(object, name, metadata));
    // Bounds below 0 are reported as such.
    if (least === undefined || most === undefined || least < 0 || most < 0) return [];
    if (least > most) {
      return [{
        path: annotation(MIN_SIZE, metadata),
        message: `the minimum ${least} is above the maximum ${most}; a new pool gets ${least} machines, and the autoscaler ignores it`,
        accepted: 'a minimum up to the maximum',
        fix: `if the two were exchanged, write ${most} as the minimum and ${least} as the maximum`,
      }];
    }
    return most > 0 ? [] : [{
      path: annotation(MAX_SIZE, metadata), message: 'the maximum is 0, so the autoscaler never adds a machine', accepted: 'numbers from 1', fix: 'raise the maximum, or give the pool a fixed size of 0',
    }];
  }),
};

/** Two who set the number of machines. */
const REPLICAS: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-REPLICAS',
  title: 'A pool must have either replicas or autoscaler bounds: every apply would undo changes of the autoscaler otherwise.',
  source: AUTOSCALER,
  trap: true,
  kinds: SIZED_KINDS,
  example: {
    failing: poolYaml({ metadata: bounds('1', '10'), spec: 'replicas: 3' }),
    corrected: poolYaml({ metadata: bounds('1', '10') }),
  },
  check: (object) => (isSet(object, 'spec', 'replicas') && BOUND_ANNOTATIONS.every((name) => boundText(object, name) !== undefined) ? [{
    path: ['spec', 'replicas'],
    message: 'the autoscaler changes it, and each apply sets it back',
    fix: `leave replicas out; a new pool starts with ${MIN_SIZE}`,
  }] : []),
};

export const POOL_SIZE: readonly ManifestRule[] = [BOUND, UNREAD, ORDER, REPLICAS];

function bounds(least: string, most: string): string {
  return `annotations:\n  ${MIN_SIZE}: "${least}"\n  ${MAX_SIZE}: "${most}"`;
}

/** True if the class of a pool in a topology has an annotation, or is not known; the pools of a class may have what it has not. */
function mayStandElsewhere(cluster: ManifestObject, pool: FieldPath, name: string, index: ManifestIndex): boolean {
  const clusterClass = groupKind(cluster) === CLUSTER ? classOf(cluster, index) : undefined;
  if (!clusterClass) return true;
  const [worker] = workersOf(clusterClass, pool.includes('machinePools') ? 'machinePools' : 'machineDeployments')
    .find(([known]) => known.class === fieldAt(cluster, ...pool, 'class')) ?? [];
  return worker === undefined || isSet(classMetadata(clusterClass, worker), 'annotations', name);
}

function oddBounds(object: ManifestObject, metadata: FieldPath = ['metadata']) {
  return BOUND_ANNOTATIONS.filter((name) => boundOf(object, name, metadata) === undefined).map((name) => ({
    path: annotation(name, metadata),
    message: `${JSON.stringify(boundText(object, name, metadata))} is not a whole number in 32 bits`,
    accepted: 'digits alone, such as "3"',
    fix: 'write the number of machines',
  }));
}

function boundText(object: ManifestObject, name: string, metadata: FieldPath = ['metadata']): string | undefined {
  const text = fieldAt(object, ...metadata, 'annotations', name);
  return typeof text === 'string' ? text : undefined;
}

function boundOf(object: ManifestObject, name: string, metadata: FieldPath): number | undefined {
  const text = boundText(object, name, metadata);
  const number = text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  return number >= LEAST && number <= LARGEST ? number : undefined;
}

function annotation(name: string, metadata: FieldPath): FieldPath {
  return [...metadata, 'annotations', name];
}

const ROLLOUT_KINDS = [CLUSTER, CLUSTER_CLASS, MACHINE_DEPLOYMENT];
const ROLLOUT_WEBHOOKS = `${CORE_WEBHOOKS}/{machinedeployment,cluster,clusterclass}.go`;

/** Numbers of machines in a rollout and a remediation. */
const COUNT: ManifestRule = {
  id: 'TC-ADMIT-POOL-COUNT',
  title: 'maxSurge, maxUnavailable and maxInFlight must be whole numbers or percentages.',
  source: ROLLOUT_WEBHOOKS,
  kinds: ROLLOUT_KINDS,
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
  source: ROLLOUT_WEBHOOKS,
  kinds: ROLLOUT_KINDS,
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
  kinds: ROLLOUT_KINDS,
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
  kinds: ROLLOUT_KINDS,
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

/** Limits of a rolling update, with the webhook's defaults, which only a MachineDeployment of its own gets. */
function rollingUpdateOf(object: ManifestObject, path: FieldPath): { maxSurge: unknown; maxUnavailable: unknown } {
  const isDefaulted = groupKind(object) === MACHINE_DEPLOYMENT && (stringAt(object, ...path, 'type') ?? 'RollingUpdate') === 'RollingUpdate';
  const at = (field: string) => fieldAt(object, ...path, 'rollingUpdate', field) ?? undefined;
  return { maxSurge: at('maxSurge') ?? (isDefaulted ? 1 : undefined), maxUnavailable: at('maxUnavailable') ?? (isDefaulted ? 0 : undefined) };
}

/** Rules for the names, the start and the rollout of pools. */
export const POOLS: readonly ManifestRule[] = [NAME, CLUSTER_NAME, CLUSTER_LABEL, POOL_PREFLIGHT, COUNT, ROLLOUT, STALLED, BOUNDS];
