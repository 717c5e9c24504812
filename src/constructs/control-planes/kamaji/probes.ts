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
   * Number of consecutive failures after which the probe fails.
   *
   * @default 3; 30 for the start
   */
  readonly failureThreshold?: number;
}

/** Probes of API server, controller manager and scheduler (`TC-ADMIT-FIELD-VALUE`). */
export interface KamajiProbes {
  /**
   * Probe after whose failure a container is restarted.
   *
   * @default - Kamaji's numbers
   */
  readonly liveness?: KamajiProbe;

  /**
   * Probe after whose failure a container gets no requests.
   *
   * @default - Kamaji's numbers
   */
  readonly readiness?: KamajiProbe;

  /**
   * Probe that decides that a container has started; the other two wait for it.
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
