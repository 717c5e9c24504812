import { Duration } from 'cdk8s';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';

/** Seconds that conditions of clusters need at most to show what an apply has begun, many times over. */
const SHORTEST_SOAK = 300;

/**
 * Conditions under which clusters of later rings get changes: all clusters of the ring have applied their content, all their machines are up
 * to date and available, and this has been so for a while.
 *
 * A cluster that is decommissioned, hibernated or frozen is not waited for, and does not wait.
 */
export interface RingGate {
  /**
   * Time for which all clusters of a batch must be healthy before the next batch, or the next ring, begins: whole seconds, at least five
   * minutes. A rollout, a machine that is replaced by a health check, and a cluster that is unavailable for five minutes begin it anew.
   *
   * Rule: `TC-FLEET-RING-SOAK`.
   */
  readonly soak: Duration;

  /**
   * Number of clusters that get changes at the same time, in the order of their namespaces and names.
   *
   * Rule: `TC-FLEET-RING-BATCH`.
   *
   * @default - all clusters of the ring
   */
  readonly batchSize?: number;

  /**
   * Clusters of the ring that come before its other clusters, at the same time. A name is `acme`, or with the namespace `tenant-acme/acme`.
   *
   * Rule: `TC-FLEET-RING-MEMBER`.
   *
   * @default - none
   */
  readonly canaries?: string[];
}

const SOAK_RULE: Rule = {
  id: 'TC-FLEET-RING-SOAK',
  title: 'The soak of a ring must be whole seconds, at least five minutes: conditions do not show at once what an apply has begun.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller_status.go (setUpToDateCondition)',
};

const BATCH_RULE: Rule = {
  id: 'TC-FLEET-RING-BATCH',
  title: 'The batch size of a ring must be a positive integer.',
};

const GATE_NAME_RULE: Rule = {
  id: 'TC-FLEET-RING-GATE-NAME',
  title: 'The name of a ring with a gate must be a DNS label, and no two gates of an app may have objects of one name.',
};

/** Checks the values of a gate. */
export function checkGate({ soak, batchSize }: RingGate, ring: string, property: string): Problem[] {
  const milliseconds = soak.toMilliseconds();
  const name = checkDnsLabel(ring);
  return [
    ...(milliseconds >= SHORTEST_SOAK * 1000 && milliseconds % 1000 === 0 ? [] : [{
      rule: SOAK_RULE,
      property: `${property}.gate.soak`,
      message: milliseconds % 1000 === 0 ? `it is ${milliseconds / 1000} seconds` : `it is ${milliseconds} milliseconds`,
      accepted: `whole seconds from ${SHORTEST_SOAK}`,
      fix: 'write it in minutes, such as Duration.minutes(30)',
    }]),
    ...(batchSize === undefined || (Number.isInteger(batchSize) && batchSize > 0) ? [] : [{
      rule: BATCH_RULE,
      property: `${property}.gate.batchSize`,
      message: `${batchSize} is not a positive integer`,
      fix: 'write 1 or more, or leave it out for all clusters at the same time',
    }]),
    ...(name === undefined ? [] : [{ rule: GATE_NAME_RULE, property: `${property}.name`, message: name, fix: 'rename the ring, or remove its gate' }]),
  ];
}

/** Checks that gates have objects of different names. */
export function checkGateNames(names: readonly string[]): Problem[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((name) => ({
    rule: GATE_NAME_RULE,
    property: 'rings',
    message: `two gates have objects of the name "${name}"`,
    fix: 'rename one of the rings: names of rings with gates are unique in an app, and a ring with several batches has numbers behind its name',
  }));
}
