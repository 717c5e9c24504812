import { MAX_SIZE, MIN_SIZE } from './autoscaler-annotations';
import { CORE_WEBHOOKS, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isSet } from '../../values/fields';
import { ManifestRule } from '../manifest-rule';

const KINDS = [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET];
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinedeployment,machineset,machinepool}.go`;
const AUTOSCALER = 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md';

const BOUNDS = [MIN_SIZE, MAX_SIZE];

const LEAST = -(2 ** 31);
const LARGEST = 2 ** 31 - 1;

/** The bounds as numbers. */
const BOUND: ManifestRule = {
  id: 'TC-ADMIT-POOL-AUTOSCALER',
  title: 'Both autoscaler bounds of a pool without replicas must be 32-bit whole numbers: the webhook computes the number of machines from them.',
  source: WEBHOOKS,
  kinds: KINDS,
  example: { failing: poolYaml({ metadata: bounds('one', '10') }), corrected: poolYaml({ metadata: bounds('1', '10') }) },
  check: (object) => (isSet(object, 'spec', 'replicas') || !BOUNDS.every((name) => boundText(object, name) !== undefined) ? [] : oddBounds(object)),
};

/** Bounds that the autoscaler ignores and the webhook does not check. */
const UNREAD: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-BOUND',
  title: 'A pool must have both autoscaler bounds, as whole numbers from 0, or neither.',
  source: AUTOSCALER,
  trap: true,
  kinds: KINDS,
  example: {
    failing: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "1"` }),
    corrected: poolYaml({ metadata: bounds('1', '10') }),
  },
  check: (object) => {
    const given = BOUNDS.filter((name) => boundText(object, name) !== undefined);
    if (given.length === 1) {
      const missing = BOUNDS.find((name) => name !== given[0])!;
      return [{ path: annotation(given[0]), message: `without ${missing} beside it, the pool is not autoscaled`, fix: 'write both bounds, or none' }];
    }
    if (given.length === 2 && isSet(object, 'spec', 'replicas')) return oddBounds(object);
    return given.filter((name) => (boundOf(object, name) ?? 0) < 0).map((name) => ({
      path: annotation(name), message: `${boundOf(object, name)} is below 0`, accepted: 'whole numbers from 0', fix: 'write the number of machines',
    }));
  },
};

/** The order of the bounds. */
const ORDER: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-ORDER',
  title: 'The minimum of the autoscaler must not be greater than the maximum, and the maximum must be at least 1.',
  source: AUTOSCALER,
  trap: true,
  kinds: KINDS,
  example: { failing: poolYaml({ metadata: bounds('10', '1') }), corrected: poolYaml({ metadata: bounds('1', '10') }) },
  check: (object) => {
    const [least, most] = BOUNDS.map((name) => boundOf(object, name));
    // Bounds below 0 are reported as such.
    if (least === undefined || most === undefined || least < 0 || most < 0) return [];
    if (least > most) {
      return [{
        path: annotation(MIN_SIZE),
        message: `the minimum ${least} is above the maximum ${most}; a new pool gets ${least} machines, and the autoscaler ignores it`,
        accepted: 'a minimum up to the maximum',
        fix: `if the two were exchanged, write ${most} as the minimum and ${least} as the maximum`,
      }];
    }
    return most > 0 ? [] : [{
      path: annotation(MAX_SIZE), message: 'the maximum is 0, so the autoscaler never adds a machine', accepted: 'numbers from 1', fix: 'raise the maximum, or give the pool a fixed size of 0',
    }];
  },
};

/** Two who set the number of machines. */
const REPLICAS: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-REPLICAS',
  title: 'A pool must have either replicas or autoscaler bounds: every apply would undo changes of the autoscaler otherwise.',
  source: AUTOSCALER,
  trap: true,
  kinds: KINDS,
  example: {
    failing: poolYaml({ metadata: bounds('1', '10'), spec: 'replicas: 3' }),
    corrected: poolYaml({ metadata: bounds('1', '10') }),
  },
  check: (object) => (isSet(object, 'spec', 'replicas') && BOUNDS.every((name) => boundText(object, name) !== undefined) ? [{
    path: ['spec', 'replicas'],
    message: 'the autoscaler changes it, and each apply sets it back',
    fix: `leave replicas out; a new pool starts with ${MIN_SIZE}`,
  }] : []),
};

export const POOL_SIZE: readonly ManifestRule[] = [BOUND, UNREAD, ORDER, REPLICAS];

function bounds(least: string, most: string): string {
  return `annotations:\n  ${MIN_SIZE}: "${least}"\n  ${MAX_SIZE}: "${most}"`;
}

function oddBounds(object: ManifestObject) {
  return BOUNDS.filter((name) => boundOf(object, name) === undefined).map((name) => ({
    path: annotation(name),
    message: `${JSON.stringify(boundText(object, name))} is not a whole number in 32 bits`,
    accepted: 'digits alone, such as "3"',
    fix: 'write the number of machines',
  }));
}

function boundText(object: ManifestObject, name: string): string | undefined {
  const text = fieldAt(object, 'metadata', 'annotations', name);
  return typeof text === 'string' ? text : undefined;
}

function boundOf(object: ManifestObject, name: string): number | undefined {
  const text = boundText(object, name);
  const number = text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  return number >= LEAST && number <= LARGEST ? number : undefined;
}

function annotation(name: string): FieldPath {
  return ['metadata', 'annotations', name];
}
