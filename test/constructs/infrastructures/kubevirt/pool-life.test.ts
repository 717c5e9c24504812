import { App, Size, Testing } from 'cdk8s';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { HealthCheck } from '../../../../src/constructs/contracts/node-pool/health-check';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import {
  KubevirtCloudControllerManager,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import {
  KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { EvictionStrategy } from '../../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { NodePool } from '../../../../src/constructs/tenant/node-pool';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { problemsOf, ReportedProblem } from '../../../support/problems';

const ELSEWHERE = { infraClusterSecretRef: { name: 'hall-2' } };

interface Pool {
  readonly infrastructure?: KubevirtInfrastructureProps;
  readonly replicas?: number;
  readonly machine?: Partial<KubevirtMachineProps>;
  readonly pool?: Partial<NodePoolProps>;
}

function poolIn(app: App, { infrastructure, replicas, machine, pool }: Pool): NodePool {
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default', replicas }),
    infrastructure: new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.none(), ...infrastructure }),
    cni: Cni.none(),
  });
  const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/os/ubuntu:24.04-v1.35.4' });
  return cluster.addNodePool('general', {
    machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk, ...machine }), size: PoolSize.fixed(3), ...pool,
  });
}

function evictionOf(pool: Pool): string {
  return poolIn(Testing.app(), pool).machineTemplate.toJson().spec.template.spec.virtualMachineTemplate.spec.template.spec.evictionStrategy;
}

/** Problems and warnings of synthesis. */
function said(pool: Pool): { readonly problems: ReportedProblem[]; readonly warnings: string[] } {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  const app = Testing.app();
  poolIn(app, pool);
  ManifestValidation.attach(app);
  const problems = problemsOf(app);
  return { problems, warnings: emitted.mock.calls.map(([text]) => String(text)) };
}

afterEach(() => jest.restoreAllMocks());

test('a pool of the management cluster is taken without a word', () => {
  expect(said({})).toEqual({ problems: [], warnings: [] });
});

test('TC-TRAP-KUBEVIRT-FAILURE-DOMAIN: the provider would place the machines anywhere', () => {
  const { problems } = said({ pool: { failureDomain: 'zone-a' } });

  expect(problems).toEqual([expect.objectContaining({
    id: 'TC-TRAP-KUBEVIRT-FAILURE-DOMAIN',
    text: expect.stringMatching(/^failureDomain: .*"zone-a".*nodeSelector/),
  })]);
});

describe('machines in another cluster', () => {
  test('do not wait for a provider that cannot drain them', () => {
    expect(evictionOf({})).toBe('External');
    expect(evictionOf({ infrastructure: ELSEWHERE })).toBe('None');
    expect(said({ infrastructure: ELSEWHERE })).toEqual({ problems: [], warnings: [] });
  });

  test('TC-TRAP-KUBEVIRT-EXTERNAL-EVICTION: they do if the user wants it, with a warning', () => {
    const { problems, warnings } = said({ infrastructure: ELSEWHERE, machine: { evictionStrategy: EvictionStrategy.EXTERNAL } });

    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/TC-TRAP-KUBEVIRT-EXTERNAL-EVICTION machine\.evictionStrategy: .*waits for ever.* write None/)]);
  });
});

test('TC-TRAP-KUBEVIRT-ONCE: nothing replaces a machine that has ended', () => {
  const { problems, warnings } = said({ pool: { healthCheck: HealthCheck.none() } });

  expect(problems).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/TC-TRAP-KUBEVIRT-ONCE machine\.runStrategy: no MachineHealthCheck watches acme-general.* give the pool a health check/)]);
});

test('TC-TRAP-HEALTH-CHECK-ON-DELETE: nothing replaces a machine of an earlier template', () => {
  const { problems, warnings } = said({ pool: { rollout: RolloutStrategy.onDelete() } });

  expect(problems).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/\[acme\/general\] TC-TRAP-HEALTH-CHECK-ON-DELETE rollout: .*"acme-general" watches the pool.* delete unhealthy machines by hand/)]);
});

describe('a control plane without replicas', () => {
  test('TC-TRAP-KAMAJI-STOPPED: leaves machines alone that need it', () => {
    const { problems, warnings } = said({ replicas: 0 });

    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/\[acme\] TC-TRAP-KAMAJI-STOPPED controlPlane\.replicas: there is no API server, and acme-general may have machines.*Hibernation\.POOLS/)]);
  });

  test('goes with empty pools', () => {
    expect(said({ replicas: 0, pool: { size: PoolSize.fixed(0) } })).toEqual({ problems: [], warnings: [] });
  });
});
