/** How instances of a controller agree on which of them works. */
export interface OperatorLeaderElection {
  /**
   * Name of the Lease, which the rights are then limited to.
   *
   * @default - any Lease in the operator's namespace
   */
  readonly leaseName?: string;

  /**
   * Arguments that switch it on.
   *
   * @default ['--leader-elect'] - as kubebuilder's programs read it
   */
  readonly args?: string[];
}

/** Where a controller says over HTTP whether it is well. */
export interface OperatorHealth {
  /**
   * Port of the endpoint (`TC-OPERATOR-PORT`).
   *
   * @default 8081
   */
  readonly port?: number;

  /**
   * Path that tells whether the program must be restarted.
   *
   * @default /healthz
   */
  readonly livenessPath?: string;

  /**
   * Path that tells whether the program can work.
   *
   * @default /readyz
   */
  readonly readinessPath?: string;

  /**
   * Arguments that switch it on.
   *
   * @default - --health-probe-bind-address with the port, as kubebuilder's programs read it
   */
  readonly args?: string[];
}

/** Arguments that switch leader election on. */
export function leaderElectionArgs({ args }: OperatorLeaderElection): string[] {
  return args ?? ['--leader-elect'];
}

/** The endpoint with its defaults. */
export function healthOf({ port = 8081, livenessPath = '/healthz', readinessPath = '/readyz', args }: OperatorHealth): Required<OperatorHealth> {
  return { port, livenessPath, readinessPath, args: args ?? [`--health-probe-bind-address=:${port}`] };
}
