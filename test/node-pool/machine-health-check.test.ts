import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import { HealthCheck } from '../../src/node-pool/health-check';
import { MachineCount } from '../../src/node-pool/machine-count';
import { PoolSize } from '../../src/node-pool/pool-size';
import { examplePool } from '../support/clusters';

function triggerFor(size: PoolSize, healthCheck?: HealthCheck): unknown {
  return examplePool({ size, healthCheck }).machineHealthCheck!.toJson().spec.remediation.triggerIf.unhealthyLessThanOrEqualTo;
}

test('machines are checked from the start', () => {
  const { metadata, spec } = examplePool().machineHealthCheck!.toJson();

  expect(metadata.name).toBe('acme-general');
  expect(spec).toEqual({
    clusterName: 'acme',
    selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/deployment-name': 'acme-general' } },
    checks: {
      nodeStartupTimeoutSeconds: 1200,
      unhealthyNodeConditions: [
        { type: 'Ready', status: 'False', timeoutSeconds: 300 },
        { type: 'Ready', status: 'Unknown', timeoutSeconds: 300 },
      ],
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } },
  });
});

test.each([
  [PoolSize.fixed(1), 1],
  [PoolSize.fixed(2), 1],
  [PoolSize.fixed(3), '40%'],
  [PoolSize.between(0, 4), 1],
  [PoolSize.between(1, 5), 2],
  [PoolSize.between(1, 10), 4],
  [PoolSize.between(2, 100), 40],
  [PoolSize.between(3, 100), '40%'],
])('%j always allows one machine to be replaced: %s', (size, limit) => {
  expect(triggerFor(size)).toBe(limit);
});

test('at its largest size a pool is repaired while up to 40 % of it, and at least one machine, is unhealthy', () => {
  fc.assert(fc.property(fc.nat(20), fc.integer({ min: 1, max: 200 }), (minimum, more) => {
    const maximum = minimum + more;
    const limit = triggerFor(PoolSize.between(minimum, maximum));
    const allowed = typeof limit === 'string' ? Math.floor((maximum * parseInt(limit)) / 100) : limit as number;

    expect(allowed).toBe(Math.max(1, Math.floor((maximum * 2) / 5)));
  }), { numRuns: 50 });
});

test('limits and conditions are the user\'s', () => {
  const healthCheck = HealthCheck.of({
    nodeStartupTimeout: Duration.seconds(0),
    unhealthyNodeConditions: [{ type: 'DiskPressure', status: 'True', timeout: Duration.minutes(10) }],
    unhealthyMachineConditions: [{ type: 'InfrastructureReady', status: 'False', timeout: Duration.minutes(15) }],
    maxUnhealthy: MachineCount.percent(34),
  });
  const { checks, remediation } = examplePool({ healthCheck }).machineHealthCheck!.toJson().spec;

  expect(checks).toEqual({
    nodeStartupTimeoutSeconds: 0,
    unhealthyNodeConditions: [{ type: 'DiskPressure', status: 'True', timeoutSeconds: 600 }],
    unhealthyMachineConditions: [{ type: 'InfrastructureReady', status: 'False', timeoutSeconds: 900 }],
  });
  expect(remediation).toEqual({ triggerIf: { unhealthyLessThanOrEqualTo: '34%' } });
});

test('nodes without conditions to watch are checked for their start only', () => {
  const { checks } = examplePool({ healthCheck: HealthCheck.of({ unhealthyNodeConditions: [] }) }).machineHealthCheck!.toJson().spec;

  expect(checks).toEqual({ nodeStartupTimeoutSeconds: 1200 });
});

test('it can be switched off', () => {
  expect(examplePool({ healthCheck: HealthCheck.none() }).machineHealthCheck).toBeUndefined();
});
