import { Duration, Testing } from 'cdk8s';
import { Calico } from '../../../../src/constructs/addons/cni/calico';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { HealthCheck } from '../../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster, examplePool, Manifest, poolProps } from '../../../support/clusters';
import { ExampleMachine } from '../../../support/strategies';

function checksOf(cluster: Partial<TenantClusterProps> = {}, pool: Partial<NodePoolProps> = {}): Manifest {
  const owner = exampleCluster(Testing.app(), { cni: new Calico(), delivery: new FluxDelivery(), ...cluster });
  return owner.addNodePool('general', poolProps(pool)).machineHealthCheck!.toJson().spec.checks;
}

function triggerFor(size: PoolSize, healthCheck?: HealthCheck): unknown {
  return examplePool({ size, healthCheck }).machineHealthCheck!.toJson().spec.remediation.triggerIf.unhealthyLessThanOrEqualTo;
}

test('machines are checked from the start', () => {
  const owner = exampleCluster(Testing.app(), { cni: new Calico(), delivery: new FluxDelivery() });
  const { metadata, spec } = owner.addNodePool('general', poolProps()).machineHealthCheck!.toJson();

  expect(metadata.name).toBe('acme-general');
  expect(spec).toEqual({
    clusterName: 'acme',
    selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/deployment-name': 'acme-general' } },
    checks: {
      nodeStartupTimeoutSeconds: 1200,
      unhealthyNodeConditions: [
        { type: 'Ready', status: 'False', timeoutSeconds: 600 },
        { type: 'Ready', status: 'Unknown', timeoutSeconds: 300 },
      ],
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2 } },
  });
});

test('one machine is replaced at a time', () => {
  expect(examplePool().machineDeployment.toJson().spec.remediation).toEqual({ maxInFlight: 1 });
  expect(examplePool({ healthCheck: HealthCheck.of({ maxInFlight: MachineCount.percent(20) }) }).machineDeployment.toJson().spec.remediation)
    .toEqual({ maxInFlight: '20%' });
  expect(examplePool({ healthCheck: HealthCheck.none() }).machineDeployment.toJson().spec).not.toHaveProperty('remediation');
});

test('nodes without a pod network of the cluster are not replaced for not being ready', () => {
  expect(checksOf({ cni: Cni.none() }).unhealthyNodeConditions).toEqual([{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }]);
});

describe('machines', () => {
  class Returning extends ExampleMachine {
    public override readonly watchedConditions = ['InfrastructureReady'];

    public constructor(public override readonly restartTime?: Duration) {
      super();
    }
  }

  function machineConditions(clusterApiVersion: string | undefined, healthCheck?: HealthCheck): unknown {
    const managementCluster = new ImportedManagementCluster({ clusterApiVersion });
    return checksOf({ managementCluster }, { machine: new Returning(), healthCheck }).unhealthyMachineConditions;
  }

  test.each([
    [undefined, 300],
    [Duration.minutes(2), 300],
    [Duration.minutes(10), 600],
  ])('that run again after %j may be unreachable for %d s', (restartTime, timeoutSeconds) => {
    expect(checksOf({}, { machine: new Returning(restartTime) }).unhealthyNodeConditions).toContainEqual({ type: 'Ready', status: 'Unknown', timeoutSeconds });
  });

  test('that do not run are replaced after the time that they have to start', () => {
    expect(machineConditions('v1.12.0')).toEqual([{ type: 'InfrastructureReady', status: 'False', timeoutSeconds: 1200 }]);
    expect(machineConditions('v1.14.2', HealthCheck.of({ nodeStartupTimeout: Duration.minutes(40) })))
      .toEqual([{ type: 'InfrastructureReady', status: 'False', timeoutSeconds: 2400 }]);
  });

  test.each(['v1.11.9', undefined])('have no watched conditions with Cluster API %s, where the field is not known', (version) => {
    expect(machineConditions(version)).toBeUndefined();
  });

  test('have no watched conditions if they have no limit to start, or the user says so', () => {
    expect(machineConditions('v1.14.2', HealthCheck.of({ nodeStartupTimeout: Duration.seconds(0) }))).toBeUndefined();
    expect(machineConditions('v1.14.2', HealthCheck.of({ unhealthyMachineConditions: [] }))).toBeUndefined();
  });
});

test.each([
  [PoolSize.fixed(0), 1],
  [PoolSize.fixed(1), 1],
  [PoolSize.fixed(2), 2],
  [PoolSize.fixed(3), 2],
  [PoolSize.fixed(4), 2],
  [PoolSize.fixed(7), 4],
  [PoolSize.between(0, 1), 1],
  [PoolSize.between(0, 2), 2],
  [PoolSize.between(0, 4), 2],
  [PoolSize.between(1, 10), 5],
  [PoolSize.between(2, 100), 50],
  [PoolSize.between(3, 100), '67%'],
  [PoolSize.between(4, 4), '60%'],
  [PoolSize.between(9, 10), '56%'],
])('%j allows the machines of one host to be replaced: %s', (size, limit) => {
  expect(triggerFor(size)).toBe(limit);
});

test('at every size, the machines of one of two hosts can be replaced, and of three machines not all', () => {
  // As Cluster API computes it (getMaxUnhealthy).
  const allowed = (limit: string, machines: number) => (limit.endsWith('%') ? Math.floor((parseInt(limit, 10) * machines) / 100) : Number(limit));
  for (let minimum = 0; minimum <= 12; minimum++) {
    for (let maximum = Math.max(1, minimum); maximum <= 30; maximum++) {
      const sizes = [PoolSize.between(minimum, maximum), ...(minimum === maximum ? [PoolSize.fixed(maximum)] : [])];
      for (const limit of sizes.map((size) => String(triggerFor(size)))) {
        for (let machines = minimum; machines <= maximum; machines++) {
          const enough = allowed(limit, machines) >= (machines === 2 ? 2 : Math.ceil(machines / 2));
          expect({ minimum, maximum, limit, machines, enough }).toMatchObject({ enough: true });
        }
        expect({ minimum, maximum, limit, all: maximum > 2 && allowed(limit, maximum) >= maximum }).toMatchObject({ all: false });
      }
    }
  }
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
