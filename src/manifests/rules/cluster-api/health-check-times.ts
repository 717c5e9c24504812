import { MAX_SIZE, MIN_SIZE, PROVISION_TIME } from './autoscaler-annotations';
import { MACHINE_DEPLOYMENT } from './cluster-api-kinds';
import { healthCheckYaml, poolYaml } from './example-manifests';
import { healthChecksOf } from './health-check-limits';
import {
  durationSeconds, eachCondition, HEALTH_CHECK_KINDS, healthChecks, SHORTEST_STARTUP_SECONDS, STARTING, startupSeconds, TARGETS, WatchedCondition,
  watchedConditions, watchingNode,
} from './health-checks';
import { ManifestObject } from '../../objects/manifest-object';
import { stringAt } from '../../values/fields';
import { allOf, Finding } from '../../values/finding';
import { ManifestRule } from '../manifest-rule';

/** Conditions of machines that are Unknown until there is a node (kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller_status.go). */
const WAITING: readonly string[] = ['NodeHealthy', 'NodeReady'];

/** Seconds that machines need at least: to become nodes, and nodes to be ready (again). */
interface NeededTimes {
  readonly startup: number;
  readonly ready: number;
}

/** A virtual machine gets its disk, boots and joins in no shorter time; the node controller notices a silent kubelet after 50 s. */
const SHORTEST: NeededTimes = { startup: 120, ready: 50 };

const NONE: NeededTimes = { startup: 0, ready: 0 };

/** A slow boot with a pull of the pod network, for which upstream has no limit, and twice the node-monitor-grace-period of 50 s. */
const USUAL: NeededTimes = { startup: 300, ready: 100 };

/** Conditions that the kubelet keeps for its eviction-pressure-transition-period after the pressure is gone. */
const PRESSURES: readonly string[] = ['DiskPressure', 'MemoryPressure', 'PIDPressure'];
const PRESSURE_SECONDS = 300;

const TIMEOUT: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-TIMEOUT',
  title: 'An unhealthy condition must hold for some time: with a timeout of 0, machines are replaced at its first change.',
  source: `${TARGETS} (nodeChecks, machineChecks), v1.14.2`,
  trap: true,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: watchingNode('Unknown', 0), corrected: watchingNode('Unknown') },
  check: zeroTimes,
};

function zeroTimes(object: ManifestObject): readonly Finding[] {
  return eachCondition(object, ({ path, timeout, seconds }) => (seconds === 0 ? [{
    path: [...path, timeout], message: 'a timeout of 0 replaces machines at the first change of the condition', accepted: 'durations above 0', fix: 'write some minutes',
  }] : []));
}

const SHORT: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-SHORT',
  title: `A health check must leave machines ${SHORTEST.startup} seconds to start, and nodes ${SHORTEST.ready} seconds to become ready: healthy ones are replaced without end otherwise.`,
  source: `${TARGETS} (needsRemediation), v1.14.2; node-monitor-grace-period of kube-controller-manager`,
  trap: true,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: startingWithin(60), corrected: startingWithin(1200) },
  check: (object) => shortTimes(object, NONE, SHORTEST),
};

/** Reasons that a health check replaces machines without end, among them healthy ones. */
export function endlessReplacements(object: ManifestObject): string[] {
  return [...zeroTimes(object), ...shortTimes(object, NONE, SHORTEST)].map(({ message }) => message);
}

const TIGHT: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-TIGHT',
  title: `A health check should leave machines ${USUAL.startup / 60} minutes to start, and nodes ${USUAL.ready} seconds to become ready again: those that need longer are replaced again and again.`,
  source: `${TARGETS} (needsRemediation), v1.14.2; node-monitor-grace-period of kube-controller-manager, eviction-pressure-transition-period of the kubelet`,
  trap: true,
  warning: true,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: startingWithin(180), corrected: startingWithin(1200) },
  check: (object) => allOf(shortTimes(object, SHORTEST, USUAL), eachCondition(object, keptPressures), healthChecks(object).flatMap((place) => {
    const startup = startupSeconds(object, place) ?? 0;
    return watchedConditions(object, place).flatMap(({ path, type, status, timeout, seconds = startup, ofNode }) => (
      ofNode || status !== 'Unknown' || !WAITING.includes(type) || seconds < USUAL.startup || seconds >= startup ? [] : [{
        path: [...path, timeout],
        message: `${type} is Unknown until the machine is a node, so that it is replaced after ${seconds} seconds, and not after the ${startup} of its start-up time`,
        accepted: `${startup} seconds and more`,
        fix: `write ${startup} seconds`,
      }]));
  })),
};

function keptPressures({ path, type, status, timeout, seconds = 0, ofNode }: WatchedCondition): Finding[] {
  if (!ofNode || !PRESSURES.includes(type) || status !== 'True' || seconds === 0 || seconds >= PRESSURE_SECONDS) return [];
  return [{
    path: [...path, timeout],
    message: `the kubelet keeps ${type} for ${PRESSURE_SECONDS} seconds after the pressure is gone, so that each one replaces the machine`,
    accepted: `more than ${PRESSURE_SECONDS} seconds`,
    fix: 'write some minutes more',
  }];
}

/** Times from a first limit on that are below a second one. */
function shortTimes(object: ManifestObject, from: NeededTimes, below: NeededTimes): Finding[] {
  const isShort = (seconds: number, time: keyof NeededTimes) => seconds >= from[time] && seconds < below[time];
  return healthChecks(object).flatMap((place) => {
    const startup = startupSeconds(object, place);
    // Less than 30 seconds are refused.
    return [...(startup === undefined || startup < SHORTEST_STARTUP_SECONDS || !isShort(startup, 'startup') ? [] : [{
      path: place.startup,
      message: `a machine that is not a node after ${startup} seconds is replaced, and so is the next one`,
      accepted: `${USUAL.startup} seconds and more, or 0 for no limit`,
      fix: 'give machines the time that they need to get their disk, boot and join, such as 20 minutes',
    }]), ...watchedConditions(object, place).flatMap(({ path, type, status, timeout, seconds = 0, ofNode }): Finding[] => {
      const starts = !ofNode && STARTING.includes(type);
      const time = starts ? 'startup' : 'ready';
      // The node controller sets the conditions of a silent kubelet to Unknown together.
      const isSilence = ofNode && (type === 'Ready' || (status === 'Unknown' && PRESSURES.includes(type)));
      if (seconds === 0 || !(starts || isSilence) || !isShort(seconds, time) || !['False', 'Unknown'].includes(status)) return [];
      const why = starts ? 'every machine is in this state until it has started' : READY_NEEDS[status];
      return [{ path: [...path, timeout], message: `${type} ${status} for ${seconds} seconds replaces the machine: ${why}`, accepted: `${USUAL[time]} seconds and more`, fix: 'write some minutes more' }];
    })];
  });
}

const READY_NEEDS: Readonly<Record<string, string>> = {
  False: 'a new node waits longer for its pod network',
  Unknown: 'a restart or a short failure of the network takes longer',
};

function startingWithin(seconds: number): string {
  return healthCheckYaml(`checks:\n  nodeStartupTimeoutSeconds: ${seconds}`);
}

const PROVISION: ManifestRule = {
  id: 'TC-TRAP-POOL-PROVISION-TIME',
  title: 'The autoscaler must wait for a new node at least as long as the health check of its pool does: it orders another machine for one that still starts.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_nodegroup.go (GetOptions), clusterstate/clusterstate.go',
  trap: true,
  kinds: [MACHINE_DEPLOYMENT],
  example: { failing: provisioned('15m'), corrected: provisioned('30m') },
  check: (object, index) => {
    const time = stringAt(object, 'metadata', 'annotations', PROVISION_TIME);
    const seconds = durationSeconds(time);
    // Without bounds, the autoscaler does not know the pool.
    if (seconds === undefined || ![MIN_SIZE, MAX_SIZE].every((name) => stringAt(object, 'metadata', 'annotations', name) !== undefined)) return [];
    const times = healthChecksOf(object, index).flatMap((check) => healthChecks(check).map((place) => startupSeconds(check, place) ?? 0));
    const startup = Math.max(0, ...times);
    return seconds >= startup ? [] : [{
      path: ['metadata', 'annotations', PROVISION_TIME],
      message: `the autoscaler gives up on a machine after ${time}, while the health check lets it start for ${startup}s`,
      accepted: `at least ${startup}s`,
      fix: 'raise it, or lower the start-up time of the health check',
    }];
  },
};

function provisioned(time: string): string {
  const pool = poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "1"\n  ${MAX_SIZE}: "4"\n  ${PROVISION_TIME}: ${time}` });
  return `${pool}---\n${healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 1200\nremediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: 2')}`;
}

/** Rules for the times that health checks leave machines and nodes. */
export const HEALTH_CHECK_TIMES: readonly ManifestRule[] = [TIMEOUT, SHORT, TIGHT, PROVISION];
