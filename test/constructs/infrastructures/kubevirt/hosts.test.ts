import { App, Testing } from 'cdk8s';
import { SMALL } from './bind';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { HostFencing, InfraHosts } from '../../../../src/constructs/contracts/capabilities/infra-hosts';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { HealthCheck } from '../../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { HostSpread, KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { problemsOf } from '../../../support/problems';

const INGRESS = { 'node-role.kubernetes.io/ingress': '' };
const ZONE = 'topology.kubernetes.io/zone';

interface Pool extends Partial<NodePoolProps> {
  readonly hosts?: InfraHosts;
  readonly props?: Partial<KubevirtMachineProps>;
}

function poolIn(app: App, { hosts, props, ...pool }: Pool) {
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(),
    cni: Cni.none(),
    managementCluster: new ImportedManagementCluster({ hosts }),
  });
  return cluster.addNodePool('general', { machine: new KubevirtMachine({ ...SMALL, ...props }), size: PoolSize.fixed(2), ...pool });
}

/** The spread, the surge and what may be missing in a rollout, and the limit of the health check. */
function placed(pool: Pool): string {
  const { machineTemplate, machineDeployment, machineHealthCheck } = poolIn(Testing.app(), pool);
  const [spread] = machineTemplate.toJson().spec.template.spec.virtualMachineTemplate.spec.template.spec.topologySpreadConstraints ?? [];
  const { maxSurge, maxUnavailable } = machineDeployment.toJson().spec.rollout.strategy.rollingUpdate ?? {};
  const { metadata, spec } = machineHealthCheck!.toJson();
  const hosts = metadata.annotations?.['cdk8s-cluster-api/hosts'] ?? 'unknown';
  return `${spread?.whenUnsatisfiable} +${maxSurge} -${maxUnavailable}, ${spec.remediation.triggerIf.unhealthyLessThanOrEqualTo} of ${hosts} hosts`;
}

function warningsOf(pool: Pool): string[] {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockClear().mockReturnValue();
  const app = Testing.app();
  poolIn(app, pool);
  ManifestValidation.attach(app);
  expect(problemsOf(app)).toEqual([]);
  return emitted.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('-HOST-'));
}

afterEach(() => { jest.restoreAllMocks(); });

const [six, three, two] = [6, 3, 2].map((count) => InfraHosts.count(count));

test.each<[string, Pool]>([
  ['ScheduleAnyway +1 -0, 2 of unknown hosts', {}],
  ['DoNotSchedule +1 -0, 1 of 6 hosts', { hosts: six }],
  ['DoNotSchedule +1 -0, 1 of 3 hosts', { hosts: three }],
  // As many machines as hosts: one goes before the next one comes, and all are on the other host while one is drained.
  ['DoNotSchedule +0 -1, 2 of 2 hosts', { hosts: two }],
  ['DoNotSchedule +0 -1, 2 of 3 hosts', { hosts: three, size: PoolSize.fixed(3) }],
  ['DoNotSchedule +1 -0, 1 of 6 hosts', { hosts: six, size: PoolSize.fixed(3) }],
  ['ScheduleAnyway +1 -0, 3 of 2 hosts', { hosts: two, size: PoolSize.fixed(3) }],
  ['ScheduleAnyway +1 -0, 2 of 6 hosts', { hosts: six, size: PoolSize.fixed(4) }],
  ['ScheduleAnyway +1 -0, 4 of 6 hosts', { hosts: six, size: PoolSize.fixed(20) }],
  ['ScheduleAnyway +1 -0, 5 of 3 hosts', { hosts: three, size: PoolSize.between(1, 10) }],
  ['ScheduleAnyway +1 -0, 2 of 6 hosts', { hosts: six, size: PoolSize.between(3, 10) }],
  ['ScheduleAnyway +1 -0, 10 of 1 hosts', { hosts: InfraHosts.count(1), size: PoolSize.between(0, 10) }],
  ['ScheduleAnyway +1 -0, 1 of 6 hosts', { hosts: six, size: PoolSize.fixed(1) }],
  ['ScheduleAnyway +1 -0, 1 of 6 hosts', { hosts: six, size: PoolSize.fixed(0) }],
  // Ingress, of any size.
  ['DoNotSchedule +1 -0, 1 of 6 hosts', { hosts: six, size: PoolSize.fixed(5), labels: INGRESS }],
  ['DoNotSchedule +1 -0, 1 of 6 hosts', { hosts: six, size: PoolSize.between(2, 4), labels: INGRESS }],
  ['ScheduleAnyway +1 -0, 2 of 6 hosts', { hosts: six, size: PoolSize.between(2, 8), labels: INGRESS }],
  // The user decides.
  ['ScheduleAnyway +1 -0, 2 of 6 hosts', { hosts: six, props: { spreadOverHosts: HostSpread.PREFERRED } }],
  ['undefined +1 -0, 2 of 2 hosts', { hosts: two, props: { spreadOverHosts: HostSpread.NONE } }],
  ['DoNotSchedule +1 -0, 2 of unknown hosts', { props: { spreadOverHosts: HostSpread.REQUIRED } }],
  ['ScheduleAnyway +2 -0, 2 of 3 hosts', { hosts: three, rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(2) }) }],
  ['DoNotSchedule +50% -0, 1 of 3 hosts', { hosts: three, rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(50) }) }],
  ['DoNotSchedule +undefined -undefined, 2 of 2 hosts', { hosts: two, rollout: RolloutStrategy.onDelete() }],
  ['DoNotSchedule +1 -0, 2 of 6 hosts', { hosts: six, healthCheck: HealthCheck.of({ maxUnhealthy: MachineCount.absolute(2) }) }],
  // Hosts of a zone, one host, and hosts that are not counted.
  ['DoNotSchedule +1 -0, 1 of 3 hosts', { hosts: InfraHosts.perZone({ a: 3, b: 1 }), props: { nodeSelector: { [ZONE]: 'a' } } }],
  ['ScheduleAnyway +1 -0, 2 of 1 hosts', { hosts: InfraHosts.perZone({ a: 3, b: 1 }), props: { nodeSelector: { [ZONE]: 'b' } } }],
  ['DoNotSchedule +1 -0, 1 of 4 hosts', { hosts: InfraHosts.perZone({ a: 3, b: 1 }) }],
  ['ScheduleAnyway +1 -0, 2 of 1 hosts', { hosts: six, props: { nodeSelector: { 'kubernetes.io/hostname': 'host-1' } } }],
  ['ScheduleAnyway +1 -0, 2 of unknown hosts', { hosts: six, props: { nodeSelector: { disk: 'nvme' } } }],
  ['ScheduleAnyway +1 -0, 2 of unknown hosts', { hosts: six, props: { gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }] } }],
])('%s', (expected, pool) => {
  expect(placed(pool)).toBe(expected);
  expect(warningsOf(pool)).toEqual([]);
});

test('hosts that are drained or down do not count where the spread is required: a machine would wait for them', () => {
  const { virtualMachineTemplate } = poolIn(Testing.app(), { hosts: six }).machineTemplate.toJson().spec.template.spec;
  const [spread] = virtualMachineTemplate.spec.template.spec.topologySpreadConstraints;

  expect(spread).toEqual({
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/deployment-name': 'acme-general' } },
    nodeTaintsPolicy: 'Honor',
  });
});

test.each([[3, 'ScheduleAnyway'], [4, 'DoNotSchedule']])('three machines of a control plane on %d hosts: %s', (count, spread) => {
  const cluster = new TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KubeadmControlPlane({ replicas: 3, machine: new KubevirtMachine(SMALL) }),
    infrastructure: new KubevirtInfrastructure(),
    cni: Cni.none(),
    managementCluster: new ImportedManagementCluster({ hosts: InfraHosts.count(count) }),
  });
  const [template] = Testing.synth(cluster).filter(({ kind }: { kind: string }) => kind === 'KubevirtMachineTemplate');

  expect(template.spec.template.spec.virtualMachineTemplate.spec.template.spec.topologySpreadConstraints[0].whenUnsatisfiable).toBe(spread);
});

test('TC-TRAP-KUBEVIRT-HOST-SPREAD: more machines than hosts cannot have one each', () => {
  const spread = { props: { spreadOverHosts: HostSpread.REQUIRED } };

  expect(warningsOf({ ...spread, hosts: two, size: PoolSize.fixed(3) })).toEqual([
    expect.stringContaining('machine.spreadOverHosts: there are up to 4 machines during a rollout, and 2 hosts for them'),
  ]);
  expect(warningsOf({ ...spread, hosts: InfraHosts.count(4), size: PoolSize.fixed(3) })).toEqual([]);
  expect(warningsOf({ ...spread, hosts: three, size: PoolSize.fixed(3) })).toEqual([]);
  expect(warningsOf({ ...spread, hosts: six, size: PoolSize.between(2, 6) })).toEqual([expect.stringContaining('up to 7 machines')]);
});

test('TC-TRAP-KUBEVIRT-HOST-LOSS: a limit below the machines of one host', () => {
  const limited = (count: number) => warningsOf({
    hosts: three, size: PoolSize.fixed(9), healthCheck: HealthCheck.of({ maxUnhealthy: MachineCount.absolute(count) }),
  });

  expect(limited(2)).toEqual([expect.stringContaining('healthCheck.maxUnhealthy: of 9 machines, one of 3 hosts may hold 3, and with more than 2 unhealthy none is replaced')]);
  expect(limited(3)).toEqual([]);
});

test('TC-KUBEVIRT-INFRA-ZONE: a zone without hosts', () => {
  const app = Testing.app();
  poolIn(app, { hosts: InfraHosts.perZone({ 'hall-a': 3, 'hall-b': 2 }), props: { nodeSelector: { [ZONE]: 'hall-c' } } });

  expect(problemsOf(app).map(({ id, text }) => `${id} ${text}`)).toEqual([
    expect.stringContaining('TC-KUBEVIRT-INFRA-ZONE machine.nodeSelector: the cluster that runs the machines has no zone "hall-c". Accepted: hall-a, hall-b.'),
  ]);
});

test('fencing by another program frees volumes or does not', () => {
  expect([HostFencing.NONE, HostFencing.NODE_HEALTH_CHECK, HostFencing.of('power switch', false)].map(({ freesVolumes }) => freesVolumes)).toEqual([false, true, false]);
  expect(InfraHosts.perZone({ a: 3, b: 2 })).toMatchObject({ total: 5, zones: { a: 3, b: 2 } });
  expect(InfraHosts.count(6).zones).toEqual({});
});
