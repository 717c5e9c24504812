import { ApiObject, App, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { ClusterContext, Hibernation } from '../../../src/constructs/contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../../../src/constructs/contracts/infrastructure';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { ControlPlaneServiceType, KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { SchemaValidator } from '../../manifests/schema/validate';
import { exampleCluster, Manifest, poolProps, problemsOfCluster } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';
import { DELIVERIES, NamedDelivery } from '../../support/deliveries';
import { Output, parse, synthesize } from '../../support/outputs';
import { problemsOf } from '../../support/problems';
import { ExampleInfrastructure } from '../../support/strategies';

const POOLS = ['acme-general', 'acme-ingress', 'acme-batch'];
const BOUND = /node-group-(min|max)-size$/;
const KAMAJI = { controlPlane: new KamajiControlPlane({ dataStore: 'default', additionalInfrastructureKinds: ['ExampleCluster'] }) };

function tenant({ delivery, charts }: Pick<NamedDelivery, 'delivery' | 'charts'>, props: Partial<TenantClusterProps>): Output {
  return synthesize((app) => addCompleteTenant(app, 'acme', { delivery, charts, props }));
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

function named(output: Output): { [name: string]: Manifest } {
  return Object.fromEntries(parse(output.management).map((object) => [nameOf(object), object]));
}

/** Names of the objects that differ. */
function changes(before: Output, after: Output): string[] {
  const [old, now] = [named(before), named(after)];
  expect(Object.keys(now)).toEqual(Object.keys(old));
  return Object.keys(now).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
}

function isDelivered(name: string): boolean {
  return /^(HelmRelease|Kustomization|Application) /.test(name);
}

describe.each(DELIVERIES)('delivered by $name', (route) => {
  const awake = tenant(route, {});
  const [pools, full] = [Hibernation.POOLS, Hibernation.FULL].map((hibernation) => tenant(route, { hibernation }));

  test('the first step empties the pools and stops what would fill or repair them', () => {
    const objects = named(pools);
    const changed = changes(awake, pools).filter((name) => !isDelivered(name));

    expect(changed.sort()).toEqual([
      'Deployment acme-cluster-autoscaler', ...POOLS.flatMap((pool) => [`MachineDeployment ${pool}`, `MachineHealthCheck ${pool}`]),
    ].sort());
    POOLS.forEach((pool) => {
      const { metadata, spec } = objects[`MachineDeployment ${pool}`];
      expect(spec.replicas).toBe(0);
      expect(Object.keys(metadata.annotations ?? {}).filter((key) => BOUND.test(key))).toEqual([]);
      expect(objects[`MachineHealthCheck ${pool}`].metadata.annotations).toEqual({ 'cluster.x-k8s.io/paused': 'true' });
    });
    expect(objects['Deployment acme-cluster-autoscaler'].spec.replicas).toBe(0);
  });

  test('the second step stops the control plane and the controllers beside it, and nothing else', () => {
    const objects = named(full);
    const stopped = ['Deployment acme-cloud-controller-manager', 'Deployment acme-csi-driver', 'KamajiControlPlane acme'];

    expect(changes(pools, full).sort()).toEqual(stopped);
    stopped.forEach((name) => expect({ ...objects[name].spec, replicas: 0 }).toEqual(objects[name].spec));
    expect(parse(full.management).filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.replicas)).toEqual([0, 0, 0]);
  });

  test('what is read from the repository stays', () => {
    expect([pools.tenants, full.tenants]).toEqual([awake.tenants, awake.tenants]);
  });

  test('both are accepted', () => {
    const validator = SchemaValidator.load();
    const faults = [pools, full].flatMap(({ management }) => parse(management))
      .flatMap((object) => [...validator.validate(object), ...validator.missingDefaults(object)].map((fault) => `${nameOf(object)}: ${fault}`));
    expect(faults).toEqual([]);
  });

  test('the same page without the property writes what it wrote before, byte for byte', () => {
    expect(tenant(route, { hibernation: undefined })).toEqual(awake);
  });
});

test('Flux suspends what it delivers, whether charts or manifests', () => {
  const objects = parse(tenant(DELIVERIES[1], { hibernation: Hibernation.POOLS }).management).filter((object) => isDelivered(nameOf(object)));

  expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(['HelmRelease', 'Kustomization']));
  expect(objects.every(({ spec }) => spec.suspend === true)).toBe(true);
});

test('Argo CD neither syncs nor compares its Applications', () => {
  const { delivery } = DELIVERIES.find(({ name }) => name === 'argo-cd-repository')!;
  const objects = parse(tenant({ delivery, charts: true }, { hibernation: Hibernation.POOLS }).management).filter(({ kind }) => kind === 'Application');

  expect(objects.length).toBeGreaterThan(3);
  expect(objects.every(({ metadata }) => metadata.annotations['argocd.argoproj.io/skip-reconcile'] === 'true')).toBe(true);
  expect(objects.filter(({ spec }) => spec.syncPolicy.automated !== undefined)).toEqual([]);
});

test('one instance of each strategy serves clusters that sleep and clusters that do not', () => {
  const app = Testing.app();
  const delivery = new FluxDelivery();
  const add = (id: string, hibernation?: Hibernation) => exampleCluster(app, { ...KAMAJI, delivery, namespace: `tenant-${id}`, hibernation }, id)
    .addNodePool('general', poolProps());
  add('north', Hibernation.FULL);
  add('south');

  const replicas = parse(app.synthYaml()).filter(({ spec }) => spec?.replicas !== undefined).map((object) => `${nameOf(object)} ${object.spec.replicas}`);
  expect(replicas).toEqual(['KamajiControlPlane north 0', 'MachineDeployment north-general 0', 'KamajiControlPlane south 2', 'MachineDeployment south-general 3']);
});

test('patches do not keep a cluster awake, and are written', () => {
  const cluster = exampleCluster(Testing.app(), { ...KAMAJI, hibernation: Hibernation.FULL });
  const pool = cluster.addNodePool('general', poolProps({ size: PoolSize.between(1, 3) }));
  cluster.controlPlane.addJsonPatch(JsonPatch.replace('/spec/replicas', 3));
  pool.machineDeployment.addJsonPatch(JsonPatch.add('/spec/replicas', 2), JsonPatch.add('/spec/minReadySeconds', 5));
  cluster.autoscaler!.addJsonPatch(JsonPatch.replace('/spec/replicas', 2));

  expect([cluster.controlPlane, pool.machineDeployment, cluster.autoscaler!].map((object) => object.toJson().spec.replicas)).toEqual([0, 0, 0]);
  expect(pool.machineDeployment.toJson().spec.minReadySeconds).toBe(5);
});

test('names of templates stay, so that waking makes the same machines', () => {
  const [awake, asleep] = [undefined, Hibernation.POOLS].map((hibernation) => exampleCluster(Testing.app(), { hibernation }).addNodePool('general', poolProps()));

  expect([asleep.machineTemplate.name, asleep.bootstrapTemplate.name]).toEqual([awake.machineTemplate.name, awake.bootstrapTemplate.name]);
});

test('controllers of any infrastructure are stopped', () => {
  class WithController extends ExampleInfrastructure {
    public override bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
      const spec = { replicas: 2, serviceName: 'storage' };
      ['StatefulSet', 'DaemonSet'].forEach((kind) => new ApiObject(scope, kind, { apiVersion: 'apps/v1', kind, metadata: { name: 'storage' }, spec }));
      return super.bind(scope, context);
    }
  }
  const infrastructure: Infrastructure = new WithController();
  const replicas = (hibernation: Hibernation) => exampleCluster(Testing.app(), { ...KAMAJI, infrastructure, hibernation }).node.findAll()
    .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && construct.name === 'storage')
    .map((object) => [object.kind, object.toJson().spec.replicas]);

  expect(replicas(Hibernation.POOLS)).toEqual([['StatefulSet', 2], ['DaemonSet', 2]]);
  expect(replicas(Hibernation.FULL)).toEqual([['StatefulSet', 0], ['DaemonSet', 2]]);
});

test.each<[string, Hibernation?, Hibernation?, string[]?]>([
  ['a cluster falls asleep in two steps: the first', undefined, Hibernation.POOLS],
  ['the second', Hibernation.POOLS, Hibernation.FULL],
  ['it wakes up in one', Hibernation.FULL, undefined],
  ['or its control plane first', Hibernation.FULL, Hibernation.POOLS],
  ['TC-CHANGE-KAMAJI-STOPPED: both steps at once leave machines that nothing drains', undefined, Hibernation.FULL, ['TC-CHANGE-KAMAJI-STOPPED']],
])('%s', (_name, before, after, ids = []) => {
  const [old, now] = [before, after].map((hibernation) => parse(tenant(DELIVERIES[0], { hibernation }).management));
  const { found } = new ManifestValidator().validate([now], { silences: [], strict: false, before: [old] });

  expect(found.map(({ finding }) => finding.rule.id)).toEqual(ids);
});

test('TC-POOL-HIBERNATION-DRAIN: machines that wait forever may stay', () => {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  const warnings = (nodeDrainTimeout: Duration | undefined, hibernation?: Hibernation) => {
    emitted.mockClear();
    const app = Testing.app();
    exampleCluster(app, { hibernation }).addNodePool('general', poolProps({ nodeDrainTimeout }));
    expect(problemsOf(app)).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text));
  };

  expect(warnings(Duration.seconds(0), Hibernation.POOLS)).toEqual([
    expect.stringMatching(/\[acme\/general\] TC-POOL-HIBERNATION-DRAIN nodeDrainTimeout: a timeout of 0 waits forever.*Duration\.minutes\(10\)/),
  ]);
  expect(warnings(undefined, Hibernation.POOLS)).toEqual([]);
  expect(warnings(Duration.minutes(1), Hibernation.POOLS)).toEqual([]);
  expect(warnings(Duration.seconds(0))).toEqual([]);
  emitted.mockRestore();
});

describe('a control plane on machines', () => {
  const machine = new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }) });
  const own = {
    controlPlane: new KubeadmControlPlane({ machine, replicas: 3 }),
    infrastructure: new KubevirtInfrastructure({ infraClusterCidrs: ['10.244.0.0/16'], controlPlaneService: { type: ControlPlaneServiceType.LOAD_BALANCER } }),
  };
  const add = (app: App, hibernation: Hibernation) => addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true, props: { ...own, hibernation } });

  test('keeps running, with its health check, when the pools are emptied', () => {
    const objects = named(synthesize((app) => add(app, Hibernation.POOLS)));

    expect(objects['KubeadmControlPlane acme'].spec.replicas).toBe(3);
    expect(objects['MachineHealthCheck acme-control-plane'].metadata.annotations).toBeUndefined();
    expect(objects['MachineDeployment acme-general'].spec.replicas).toBe(0);
  });

  test('TC-CLUSTER-HIBERNATION-CONTROL-PLANE: is not stopped', () => {
    const app = Testing.app();
    add(app, Hibernation.FULL);
    const [problem, ...others] = problemsOf(app);

    expect(others).toEqual([]);
    expect(problem).toMatchObject({ path: 'acme', id: 'TC-CLUSTER-HIBERNATION-CONTROL-PLANE' });
    expect(problem.text).toMatch(/hibernation: the control plane of this cluster cannot be stopped.*Accepted: Hibernation\.POOLS/);
  });
});

test('TC-CLUSTER-HIBERNATION-PAUSED: a paused cluster does not fall asleep', () => {
  const [problem, ...others] = problemsOfCluster({ hibernation: Hibernation.POOLS, paused: true });

  expect(others).toEqual([]);
  expect(problem).toMatchObject({ path: 'acme', id: 'TC-CLUSTER-HIBERNATION-PAUSED' });
  expect(problem.text).toMatch(/hibernation: the cluster is paused, and Cluster API deletes no machine.*Fix: remove paused/);
  expect(problemsOfCluster({ hibernation: Hibernation.POOLS, paused: false })).toEqual([]);
});

test('a cluster that sleeps can be taken down, and its controllers stay stopped', () => {
  const objects = parse(tenant(DELIVERIES[0], { hibernation: Hibernation.FULL, decommission: true }).management);

  expect(objects.map(({ kind }) => kind)).not.toContain('Cluster');
  expect(objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.replicas)).toEqual([0, 0]);
  expect(objects.filter(({ kind }) => kind === 'HelmRelease').every(({ spec }) => spec.suspend)).toBe(true);
});
