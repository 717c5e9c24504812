import { isCount, LARGEST_INT32 } from './findings';
import { KAMAJI_RULES } from './rules';
import { Problem } from '../problems/problem';

/** Numbers of a probe; what is left out is Kamaji's. */
export interface KamajiProbe {
  /**
   * Seconds after the container's start before it is asked for the first time.
   *
   * @default 0
   */
  readonly initialDelaySeconds?: number;

  /**
   * Seconds after which a question counts as failed.
   *
   * @default 1
   */
  readonly timeoutSeconds?: number;

  /**
   * Seconds between two questions.
   *
   * @default 10
   */
  readonly periodSeconds?: number;

  /**
   * How many questions in a row must fail.
   *
   * @default 3; 30 for the start
   */
  readonly failureThreshold?: number;
}

/** How the health of API server, controller manager and scheduler is asked for (`TC-KAMAJI-PROBE`). */
export interface KamajiProbes {
  /**
   * Whether a container is to be restarted.
   *
   * @default - Kamaji's numbers
   */
  readonly liveness?: KamajiProbe;

  /**
   * Whether a container gets requests.
   *
   * @default - Kamaji's numbers
   */
  readonly readiness?: KamajiProbe;

  /**
   * Whether a container has started; the other two wait for it.
   *
   * @default - a failure threshold of 30, so that five minutes pass before a restart: with Kamaji's 3 an API server whose data store
   * is slow is restarted for ever (cozystack/cozystack commit 8261ea4fc)
   */
  readonly startup?: KamajiProbe;
}

const STARTUP: KamajiProbe = { failureThreshold: 30 };

/**
 * The probes of one component. The provider takes none over unless the deployment and all three components have some, so that all four
 * get the same.
 */
export function probesSpec(probes: KamajiProbes): KamajiProbes {
  return { liveness: probes.liveness, readiness: probes.readiness, startup: { ...STARTUP, ...probes.startup } };
}

/** Checks the numbers of probes. */
export function checkProbes(probes: KamajiProbes): Problem[] {
  return Object.entries(probes).flatMap(([kind, probe]: [string, KamajiProbe | undefined]) => Object.entries(probe ?? {})
    .filter(([field, value]: [string, number | undefined]) => value !== undefined && !isCount(value, field === 'initialDelaySeconds' ? 0 : 1))
    .map(([field, value]) => ({
      rule: KAMAJI_RULES.probe,
      property: `controlPlane.probes.${kind}.${field}`,
      message: `${value} is not possible`,
      accepted: `whole numbers from ${field === 'initialDelaySeconds' ? 0 : 1} to ${LARGEST_INT32}`,
      fix: 'correct the number, or leave it out for Kamaji\'s',
    })));
}
