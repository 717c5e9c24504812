import { ApiObject, App, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { Delivery } from '../../../src/constructs/contracts/delivery/delivery';
import { HealthCheck } from '../../../src/constructs/contracts/node-pool/health-check';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { AuditLevel } from '../../../src/constructs/control-planes/kamaji/audit';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { ControlPlaneServiceType, KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { VultrInfrastructure } from '../../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { VultrMachine } from '../../../src/constructs/infrastructures/vultr/vultr-machine';
import { NetworkIsolation } from '../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation } from '../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { SchemaValidator } from '../../manifests/schema/validate';
import { exampleCluster, Manifest, poolProps, problemsOfCluster } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';
import { DELIVERIES } from '../../support/deliveries';
import { Output, parse, synthesize } from '../../support/outputs';
import { problemsOf } from '../../support/problems';
import { amount } from '../../support/sample';

/** Outputs of a page of a tenant: while it lives, and while it is taken down. */
interface Pages {
  readonly alive: Output;
  readonly leaving: Output;
}

const AUTOSCALER = /^\w+ acme-cluster-autoscaler$/;
const SUSPENDED = ['HelmRelease', 'Kustomization'];

function pagesOf(build: (app: App, props: Partial<TenantClusterProps>) => void): Pages {
  const page = (decommission: boolean) => synthesize((app) => build(app, { decommission }));
  return { alive: page(false), leaving: page(true) };
}

function completeTenant(delivery: Delivery, charts: boolean): Pages {
  return pagesOf((app, props) => addCompleteTenant(app, 'acme', { delivery, charts, props }));
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

/** Objects that the second page no longer has. */
function leftOut({ alive, leaving }: Pages): Manifest[] {
  const names = parse(leaving.management).map(nameOf);
  return parse(alive.management).filter((object) => !names.includes(nameOf(object)));
}

/** Kinds that the second page holds nothing of any more, the autoscaler aside. */
function kindsLeftOut(pages: Pages): string[] {
  const remaining = parse(pages.leaving.management).map(({ kind }) => kind);
  const kinds = leftOut(pages).filter((object) => !AUTOSCALER.test(nameOf(object))).map(({ kind }) => kind);
  return [...new Set(kinds)].filter((kind) => !remaining.includes(kind)).sort();
}

function pruned({ metadata }: Manifest): boolean {
  const { annotations = {} } = metadata;
  return annotations['kustomize.toolkit.fluxcd.io/prune'] !== 'disabled' && !`${annotations['argocd.argoproj.io/sync-options']}`.includes('Prune=false');
}

/** True if an object would not be deleted without the API server of the tenant. */
function waitsForTenant({ metadata, spec }: Manifest): boolean {
  return metadata.finalizers !== undefined || (spec?.kubeConfig !== undefined && !spec.suspend);
}

/** A cluster of examples with a pool, and what it writes. */
function example(props: Partial<TenantClusterProps> = {}): TenantCluster {
  const cluster = exampleCluster(Testing.app(), { decommission: true, ...props });
  cluster.addNodePool('general', poolProps({ size: PoolSize.between(1, 3) }));
  return cluster;
}

describe.each(DELIVERIES)('delivered by $name', ({ delivery, charts }) => {
  const pages = completeTenant(delivery, charts);
  const before = parse(pages.alive.management);
  const after = parse(pages.leaving.management);

  test('the Cluster, what goes with it and the autoscaler are left out', () => {
    expect(kindsLeftOut(pages)).toEqual([
      'Cluster', 'KamajiControlPlane', 'KubeadmConfigTemplate', 'KubevirtCluster', 'KubevirtMachineTemplate', 'MachineDeployment', 'MachineHealthCheck',
    ]);
    expect(leftOut(pages).filter((object) => AUTOSCALER.test(nameOf(object))).map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Deployment']);
    expect(after.map(nameOf).filter((name) => name.includes('autoscaler'))).toEqual([]);
  });

  test('of that, GitOps prunes what Cluster API deletes first anyway', () => {
    const kinds = leftOut(pages).filter((object) => pruned(object) && !AUTOSCALER.test(nameOf(object))).map(({ kind }) => kind);
    expect([...new Set(kinds)].sort()).toEqual(['Cluster', 'MachineDeployment', 'MachineHealthCheck']);
  });

  test('all else stays as it was, suspended where Flux delivers it', () => {
    const expected = before.filter((object) => after.some((other) => nameOf(other) === nameOf(object)))
      .map((object) => (SUSPENDED.includes(object.kind) ? { ...object, spec: { ...object.spec, suspend: true } } : object));
    expect(after).toEqual(expected);
    expect(after.map(nameOf)).toEqual(expect.arrayContaining([
      'Namespace tenant-acme', 'Deployment acme-cloud-controller-manager', 'Deployment acme-csi-driver',
    ]));
    expect(after.filter(({ kind }) => kind === 'NetworkPolicy').map(nameOf)).toEqual(before.filter(({ kind }) => kind === 'NetworkPolicy').map(nameOf));
  });

  test('what is read from the repository is still there', () => {
    expect(pages.leaving.tenants).toEqual(pages.alive.tenants);
  });

  test('what remains is accepted', () => {
    const validator = SchemaValidator.load();
    expect(after.flatMap((object) => validator.validate(object).map((fault) => `${nameOf(object)}: ${fault}`))).toEqual([]);
  });

  test('the next commit leaves the Namespace, and waits for nothing that needs the tenant', () => {
    expect(after.filter((object) => !pruned(object)).map(nameOf)).toEqual(['Namespace tenant-acme']);
    expect(after.filter(waitsForTenant)).toEqual([]);
  });
});

test('Flux suspends what it delivers, whether charts or manifests', () => {
  const { leaving } = completeTenant(DELIVERIES[1].delivery, true);
  const suspended = parse(leaving.management).filter(({ kind }) => SUSPENDED.includes(kind));

  expect(new Set(suspended.map(({ kind }) => kind))).toEqual(new Set(SUSPENDED));
  expect(suspended.every(({ spec }) => spec.suspend)).toBe(true);
});

test('one instance of a delivery serves clusters that live and clusters that go', () => {
  const delivery = new FluxDelivery();
  const app = Testing.app();
  const tenant = (id: string, decommission: boolean) => addCompleteTenant(app, id, { delivery, charts: true, props: { namespace: `tenant-${id}`, decommission } });
  tenant('north', true);
  tenant('south', false);

  const releases = parse(app.synthYaml()).filter(({ kind }) => kind === 'HelmRelease');
  expect(new Set(releases.map(({ metadata, spec }) => `${metadata.namespace} ${spec.suspend ?? false}`))).toEqual(new Set(['tenant-north true', 'tenant-south false']));
});

test('Applications of Argo CD lose the finalizer that needs the tenant', () => {
  const { alive, leaving } = completeTenant(new ArgoCdDelivery({ cascadeDeletion: true }), true);
  const finalizers = (output: Output) => parse(output.management).filter(({ kind }) => kind === 'Application').map(({ metadata }) => metadata.finalizers);

  expect(finalizers(alive).length).toBeGreaterThan(2);
  expect(finalizers(alive).every((given) => given?.length === 1)).toBe(true);
  expect(finalizers(leaving)).toEqual(finalizers(alive).map(() => undefined));
});

test('control plane machines on KubeVirt are left out with their template and health check', () => {
  const machine = new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }) });
  const own = {
    controlPlane: new KubeadmControlPlane({ machine }),
    infrastructure: new KubevirtInfrastructure({ infraClusterCidrs: ['10.244.0.0/16'], controlPlaneService: { type: ControlPlaneServiceType.LOAD_BALANCER } }),
  };
  const pages = pagesOf((app, props) => addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true, props: { ...props, ...own } }));

  expect(kindsLeftOut(pages)).toEqual([
    'Cluster', 'KubeadmConfigTemplate', 'KubeadmControlPlane', 'KubevirtCluster', 'KubevirtMachineTemplate', 'MachineDeployment', 'MachineHealthCheck',
  ]);
  expect(parse(pages.leaving.management).map(nameOf)).toContain('Deployment acme-cloud-controller-manager');
});

test('files of the API server stay for it, and are found by the label of the cluster when it is gone', () => {
  const controlPlane = new KamajiControlPlane({ dataStore: 'default', audit: { rules: [{ level: AuditLevel.METADATA }] } });
  const { leaving } = pagesOf((app, props) => addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true, props: { ...props, controlPlane } }));
  const kept = parse(leaving.management).filter((object) => !pruned(object));

  expect(kept.map(({ kind }) => kind)).toEqual(['Namespace', 'ConfigMap']);
  expect(kept[1].metadata.labels).toMatchObject({ 'cluster.x-k8s.io/cluster-name': 'acme' });
});

test('machines at Vultr are left out, what Flux delivers to the tenant is suspended', () => {
  const pages = pagesOf((app, props) => {
    const infrastructure = new VultrInfrastructure({ region: 'ewr' });
    const machine = new VultrMachine({
      infrastructure, plan: 'vc2-4c-8gb', snapshotId: '00000000-0000-4000-8000-000000000001', capacity: { cpu: 4, memory: Size.gibibytes(8) },
    });
    new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.34.1',
      controlPlane: new KubeadmControlPlane({ machine }),
      infrastructure,
      cni: new Calico(),
      delivery: new FluxDelivery(),
      ...props,
    }).addNodePool('general', { machine, size: PoolSize.between(1, 5) });
  });

  expect(kindsLeftOut(pages)).toEqual([
    'Cluster', 'KubeadmConfigTemplate', 'KubeadmControlPlane', 'MachineDeployment', 'MachineHealthCheck', 'VultrCluster', 'VultrMachineTemplate',
  ]);
  expect(parse(pages.leaving.management).filter(({ spec }) => spec?.suspend).map(nameOf)).toEqual(['HelmRelease acme-calico-crds', 'HelmRelease acme-calico']);
  expect(parse(pages.leaving.management).filter(waitsForTenant)).toEqual([]);
});

describe('constructs', () => {
  test('can be referred to, patched and depended on', () => {
    const alive = example({ decommission: false });
    const cluster = example();
    const [pool] = cluster.nodePools;
    const notes = new Chart(App.of(cluster), 'Notes');
    const note = new ApiObject(notes, 'Note', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'note' } });
    note.addDependency(cluster.cluster, pool);
    cluster.cluster.addJsonPatch(JsonPatch.add('/spec/paused', true));
    pool.machineDeployment.metadata.addLabel('team', 'a');

    expect([...cluster.toJson(), ...notes.toJson()].map(nameOf)).toEqual(['Namespace tenant-acme', 'ConfigMap note']);
    expect(cluster.cluster.toJson().spec).toEqual({ ...alive.cluster.toJson().spec, paused: true });
    expect(pool.machineDeployment.toJson().metadata.labels).toMatchObject({ team: 'a' });
    expect(pool.machineTemplate.name).toBe(alive.nodePools[0].machineTemplate.name);
    expect(cluster.cluster.node.path).toBe('acme/Cluster');
  });

  test('that come after the first synthesis are left out, too', () => {
    const cluster = example();
    cluster.toJson();
    cluster.addNodePool('late', poolProps({ healthCheck: HealthCheck.none() }));

    expect(cluster.toJson().map(nameOf)).toEqual(['Namespace tenant-acme']);
  });
});

test('synthesizing again changes nothing, in an app of any number of charts', () => {
  fc.assert(fc.property(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }), fc.integer({ min: 0, max: 4 }), (ids, leaving) => {
    const app = Testing.app();
    ids.forEach((id, index) => {
      exampleCluster(app, { namespace: `tenant-${id}`, decommission: index < leaving }, id).addNodePool('general', poolProps({ size: PoolSize.between(1, 3) }));
    });
    const text = app.synthYaml();
    expect(app.synthYaml()).toBe(text);
    expect(parse(text).filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => metadata.name)).toEqual(ids.slice(leaving));
  }), { numRuns: amount(20, 5) });
});

test('what is left out counts as a user of images, and asks for nothing of the quota', () => {
  const app = Testing.app();
  const cluster = (id: string, props: Partial<TenantClusterProps>) => addCompleteTenant(app, id, {
    delivery: new FluxDelivery(), charts: true, props: { namespace: `tenant-${id}`, decommission: true, ...props },
  });
  // An image that only the autoscaler has, and a quota that only what is left out exceeds.
  cluster('north', { images: new ImageSources({ overrides: { 'registry.k8s.io/autoscaling/cluster-autoscaler': 'registry.example.com/cluster-autoscaler' } }) });
  cluster('south', { isolation: new TenantIsolation({ network: NetworkIsolation.networkPolicies(), quota: { 'requests.memory': '8Gi' } }) });

  expect(problemsOf(app).map(({ path, id }) => `${path} ${id}`)).toEqual([]);
});

test('TC-CLUSTER-DECOMMISSION-PAUSED: a paused cluster is not deleted', () => {
  const [problem, ...others] = problemsOfCluster({ decommission: true, paused: true });

  expect(others).toEqual([]);
  expect(problem).toMatchObject({ path: 'acme', id: 'TC-CLUSTER-DECOMMISSION-PAUSED' });
  expect(problem.text).toMatch(/decommission: the cluster is paused.*a commit of its own/);
  expect(problemsOfCluster({ decommission: false, paused: true })).toEqual([]);
  expect(problemsOfCluster({ decommission: true, paused: false })).toEqual([]);
});
