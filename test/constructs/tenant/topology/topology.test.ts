import { ApiObject, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { byKey, differences, madeOf, Objects, unstatedDifferences } from './made-objects';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { BootstrapConfig } from '../../../../src/constructs/contracts/bootstrap';
import { ClusterContext, Hibernation } from '../../../../src/constructs/contracts/cluster-context';
import { ControlPlaneConfig } from '../../../../src/constructs/contracts/control-plane';
import { InfrastructureConfig } from '../../../../src/constructs/contracts/infrastructure';
import { HealthCheck } from '../../../../src/constructs/contracts/node-pool/health-check';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolContext } from '../../../../src/constructs/contracts/node-pool/pool-context';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { ClusterTopology } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { Cluster } from '../../../../src/manifests/landscape/cluster-model';
import { topologyRefusals } from '../../../../src/manifests/topology/topology-form';
import { landscapeOf } from '../../../manifests/landscape/landscape';
import { effectsIn, plannedTenant, TenantPage, written } from '../../../manifests/plan/tenant-pages';
import { exampleCluster, Manifest, poolProps } from '../../../support/clusters';
import { addCompleteTenant } from '../../../support/complete-tenant';
import { DELIVERIES, NamedDelivery } from '../../../support/deliveries';
import { addCluster } from '../../../support/many-clusters';
import { parse, synthesize } from '../../../support/outputs';
import { problemsOf } from '../../../support/problems';
import { ExampleBootstrap, ExampleControlPlane, ExampleInfrastructure } from '../../../support/strategies';

const TOPOLOGY = { topology: ClusterTopology.of() };
const machine = (cpu = 4) => new KubevirtMachine({
  cpu, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:1.35.4' }),
});
const kamaji = (replicas: number) => ({ cluster: { controlPlane: new KamajiControlPlane({ replicas, dataStore: 'default' }) } });
const kubeadm = (replicas: number, props: Partial<ConstructorParameters<typeof KubeadmControlPlane>[0]> = {}) => (
  { cluster: { controlPlane: new KubeadmControlPlane({ replicas, machine: machine(), ...props }) } });

/** Objects of a complete tenant in the management cluster. */
function tenant({ delivery, charts }: NamedDelivery, props: Partial<TenantClusterProps>): Objects {
  return byKey(parse(synthesize((app) => addCompleteTenant(app, 'acme', { delivery, charts, props })).management));
}

describe.each(['Kamaji', 'kubeadm'])('a tenant with %s', (name) => {
  const props: Partial<TenantClusterProps> = name === 'Kamaji' ? {} : kubeadm(3).cluster;

  describe.each(DELIVERIES)('delivered by $name', (route) => {
    const plain = tenant(route, props);
    const form = tenant(route, { ...props, ...TOPOLOGY });
    const made = madeOf([...form.values()]);

    test('writes the same beside what the topology controller makes', () => {
      const left = [...plain.keys()].filter((key) => !form.has(key));
      const added = [...form.keys()].filter((key) => !plain.has(key)).map((key) => key.split(' ')[0]);
      const changed = [...form].filter(([key, object]) => plain.has(key) && differences(plain.get(key), object).length > 0).map(([key]) => key);

      expect([...new Set(left.map((key) => key.split(' ')[0]))].sort()).toEqual([
        name === 'Kamaji' ? 'KamajiControlPlane' : 'KubeadmControlPlane', 'KubevirtCluster', 'MachineDeployment', 'MachineHealthCheck',
      ]);
      expect(added.sort()).toEqual(['ClusterClass', name === 'Kamaji' ? 'KamajiControlPlaneTemplate' : 'KubeadmControlPlaneTemplate', 'KubevirtClusterTemplate']);
      expect(changed).toEqual(['Cluster acme']);
    });

    test('has the same objects, but for the stated fields', () => {
      expect(unstatedDifferences(plain, form, made)).toEqual([]);
    });
  });
});

describe('plan', () => {
  const more = (acme: TenantCluster) => { acme.addNodePool('more', { machine: machine(), size: PoolSize.fixed(2) }); };

  test.each<[what: string, before: TenantPage, after: TenantPage]>([
    ['more CPUs', {}, { machine: { cpu: 8 } }],
    ['more machines', {}, { pool: { size: PoolSize.fixed(5) } }],
    ['fewer machines', {}, { pool: { size: PoolSize.fixed(1) } }],
    ['a pool that the autoscaler sizes', {}, { pool: { size: PoolSize.between(1, 5) } }],
    ['a drain timeout', {}, { pool: { nodeDrainTimeout: Duration.minutes(3) } }],
    ['a patch version', {}, { cluster: { kubernetesVersion: '1.35.5' } }],
    ['a minor version', { cluster: { kubernetesVersion: '1.34.4' } }, {}],
    ['a rollout strategy', {}, { machine: { cpu: 8 }, pool: { rollout: RolloutStrategy.onDelete() } }],
    ['a health check', {}, { pool: { healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(30) }) } }],
    ['no health check', {}, { pool: { healthCheck: HealthCheck.none() } }],
    ['a label of nodes', {}, { pool: { labels: { 'node-role.kubernetes.io/web': '' } } }],
    ['a label that the kubelet gives', {}, { pool: { labels: { 'example.com/web': '' } } }],
    ['a new pool', {}, { more }],
    ['a removed pool', { more }, {}],
    ['more pods of a control plane', kamaji(2), kamaji(3)],
    ['more machines of a control plane', kubeadm(1), kubeadm(3)],
    ['a command of a control plane', kubeadm(3), kubeadm(3, { preKubeadmCommands: ['true'] })],
    ['larger machines of a control plane', kubeadm(3), kubeadm(3, { machine: machine(6) })],
    ['a patch of a pool', {}, { more: ({ nodePools: [pool] }) => pool.machineDeployment.addJsonPatch(JsonPatch.add('/spec/template/spec/minReadySeconds', 30)) }],
    ['nothing', {}, {}],
  ])('foresees of %s what it foresees without a topology', (_what, before, after) => {
    const [old, now] = [before, after].map((page): TenantPage => ({ ...page, cluster: { ...page.cluster, ...TOPOLOGY } }));

    expect(machinesOf(effectsIn(plannedTenant(old, now)))).toEqual(machinesOf(effectsIn(plannedTenant(before, after))));
  });

  test('names what exists no more with a topology', () => {
    const topology = { cluster: TOPOLOGY };

    expect(effectsIn(plannedTenant({}, topology))).toMatchInlineSnapshot(`
{
  "cluster": [
    "refused (spec.controlPlaneRef: it was there, and is not any more (TC-CHANGE-CLUSTER-PARTS); spec.infrastructureRef: it was there, and is not any more (TC-CHANGE-CLUSTER-PARTS); spec.topology: it was not there before (TC-CHANGE-TOPOLOGY-ADDED))",
  ],
  "control plane": [],
  "other objects ClusterClass": [],
  "other objects KamajiControlPlaneTemplate": [],
  "other objects KubevirtClusterTemplate": [],
  "pool acme-general": [
    "deleted 3 (MachineDeployment acme-general; MachineHealthCheck acme-general)",
  ],
}
`);
    expect(effectsIn(plannedTenant(topology, {}))).toMatchInlineSnapshot(`
{
  "cluster": [
    "refused (spec.topology: it was there, and is not any more (TC-CHANGE-CLUSTER-PARTS))",
  ],
  "control plane": [],
  "other objects ClusterClass": [],
  "other objects KamajiControlPlaneTemplate": [],
  "other objects KubevirtClusterTemplate": [],
  "pool acme-general": [
    "scaled 3 (the pool is new)",
  ],
}
`);
  });
});

/** Effects of control plane and pools, by the name of the pool. Of what happens in place, only that it does. */
function machinesOf(effects: { readonly [part: string]: readonly string[] }): { [part: string]: string[] } {
  const parts = Object.entries(effects).filter(([part]) => /^(control plane|pool)/.test(part)).map(([part, found]): [string, string[]] => [
    part.replace('pool acme-', 'pool '),
    [...new Set(found.filter((effect) => !effect.includes('cloned-from-name')).map((effect) => effect.replace(/ \(MachineDeployment.*| \(it is no longer.*| \(MachineHealthCheck.*/, '')
      .replace(/^in place.*/, 'in place')))],
  ]);
  return Object.fromEntries(parts.filter(([, found]) => found.length > 0));
}

describe('inventory', () => {
  test.each([{ name: 'Kamaji', page: kamaji(2) }, { name: 'kubeadm', page: kubeadm(3) }])('shows the same cluster with $name', async ({ page }) => {
    const [plain, form] = [page, { ...page, cluster: { ...page.cluster, ...TOPOLOGY } }].map((one) => written(one));
    const [{ clusters: [one] }, { clusters: [other] }] = [await landscapeOf(plain), await landscapeOf(form)];

    expect(summary(other)).toEqual(summary(one));
  });
});

function summary(cluster: Cluster): unknown {
  const { clusterClass: _, pools, ...others } = JSON.parse(JSON.stringify(cluster)) as Cluster;
  return { ...others, pools: pools.map(({ fromTopology: __, name, ...pool }) => ({ ...pool, name: name.replace('acme-', '') })) };
}

const NO_FIELD = 'neither a topology nor a ClusterClass has a field for it. Fix: remove it, or leave out topology.';

describe('a page', () => {
  const page = (more?: (acme: TenantCluster) => void, props: Partial<TenantClusterProps> = {}): TenantPage => (
    { cluster: { ...TOPOLOGY, ...props }, more });
  const problems = (one: TenantPage): string[] => {
    const app = Testing.app();
    const acme = addCluster(app, 'acme', one.cluster, ['general']);
    one.more?.(acme);
    return problemsOf(app).map(({ path, id, text }) => `${path} ${id} ${text}`);
  };
  const find = (one: TenantPage, kind: string): Manifest => written(one).find((object) => object.kind === kind);

  test('names the ClusterClass and its templates after their content', () => {
    const [one, other] = [page(), page(({ controlPlane }) => controlPlane.addJsonPatch(JsonPatch.replace('/spec/registry', 'registry.example.com')))];
    const names = (of: TenantPage) => ['KubevirtClusterTemplate', 'KamajiControlPlaneTemplate', 'ClusterClass'].map((kind) => find(of, kind).metadata.name);

    expect(names(one).every((name) => /^acme-[0-9a-f]{8}$/.test(name))).toBe(true);
    expect(names(one).map((name, index) => name === names(other)[index])).toEqual([true, false, false]);
    expect(find(other, 'Cluster').spec.topology.classRef.name).toBe(names(other)[2]);
  });

  test('writes patches of objects that the topology controller makes', () => {
    const patched = page(({ controlPlane, infrastructure, nodePools: [pool] }) => {
      controlPlane.addJsonPatch(JsonPatch.replace('/spec/registry', 'registry.example.com'), JsonPatch.replace('/spec/replicas', 3));
      infrastructure.metadata.addAnnotation('example.com/owner', 'core');
      pool.machineDeployment.addJsonPatch(JsonPatch.add('/spec/deletion', { order: 'Oldest' }), JsonPatch.add('/spec/rollout/after', '2026-01-02T03:04:05Z'));
      pool.machineHealthCheck!.addJsonPatch(JsonPatch.replace('/spec/checks/nodeStartupTimeoutSeconds', 999));
    });
    const { topology } = find(patched, 'Cluster').spec;

    expect(find(patched, 'KamajiControlPlaneTemplate').spec.template.spec.registry).toBe('registry.example.com');
    expect(find(patched, 'KubevirtClusterTemplate').spec.template.metadata.annotations['example.com/owner']).toBe('core');
    expect(topology.controlPlane.replicas).toBe(3);
    expect(topology.workers.machineDeployments[0]).toMatchObject({
      deletion: { order: 'Oldest' }, rollout: { after: '2026-01-02T03:04:05Z', strategy: { type: 'RollingUpdate' } }, healthCheck: { checks: { nodeStartupTimeoutSeconds: 999 } },
    });
  });

  test('writes patches of its ClusterClass', () => {
    const patched = page(({ clusterClass }) => clusterClass!.addJsonPatch(JsonPatch.add('/spec/kubernetesVersions', ['v1.35.4', 'v1.36.1'])));

    expect(find(patched, 'ClusterClass').spec.kubernetesVersions).toEqual(['v1.35.4', 'v1.36.1']);
  });

  test('writes the ClusterClass before the Cluster: the webhook refuses a Cluster whose new class is missing', () => {
    const kinds = written(page()).map(({ kind }) => kind);

    expect(kinds.indexOf('ClusterClass')).toBeLessThan(kinds.indexOf('Cluster'));
  });

  test('has no pools while it sleeps', () => {
    const { topology } = find(page(undefined, { hibernation: Hibernation.FULL }), 'Cluster').spec;

    expect(topology.controlPlane.replicas).toBe(0);
    expect(topology.workers.machineDeployments[0]).toMatchObject({ replicas: 0, healthCheck: { enabled: false } });
  });

  test('leaves out what Cluster API deletes when it is decommissioned', () => {
    const kinds = (one: TenantPage) => new Set(written(one).map(({ kind }) => kind));
    const decommissioned = { decommission: true };

    expect(kinds(page(undefined, decommissioned))).toEqual(kinds({ cluster: decommissioned }));
  });

  test('is valid, as manifests and as constructs', () => {
    const app = Testing.app();
    const acme = addCluster(app, 'acme', TOPOLOGY, ['general']);

    expect(ManifestValidation.check(written(page())).findings).toEqual(ManifestValidation.check(written({})).findings);
    expect(ManifestValidation.checkConstructs(acme).findings).toEqual([]);
  });

  test('is checked like what the topology controller makes of it, by the names of its properties', () => {
    const controlPlane = new KamajiControlPlane({ dataStore: 'default' });
    const patch = ({ controlPlane: object, nodePools: [pool] }: TenantCluster) => {
      object.addJsonPatch(JsonPatch.add('/spec/kubelet/sysctls', {}));
      pool.machineDeployment.addJsonPatch(JsonPatch.replace('/spec/template/spec/deletion/nodeDrainTimeoutSeconds', -1));
    };

    expect(problems(page(patch, { controlPlane }))).toMatchInlineSnapshot(`
[
  " TC-ADMIT-FIELD-UNKNOWN spec.template.spec.kubelet.sysctls of acme/ClusterClass/ControlPlaneTemplate: there is no field "sysctls" here. Accepted: cgroupfs, configurationJSONPatches, preferredAddressTypes. Fix: remove it, or move it to where it belongs.",
  "acme/general TC-ADMIT-FIELD-VALUE nodeDrainTimeout: -1 is too small. Accepted: at least 0. Fix: write a number that is at least 0.",
]
`);
  });

  test.each<[what: string, more: (acme: TenantCluster) => void, problem: string]>([
    ['a version of a pool', (acme) => { acme.addNodePool('old', { machine: machine(), size: PoolSize.fixed(1), kubernetesVersion: '1.35.3' }); },
      'acme/old TC-TOPOLOGY-FIELD kubernetesVersion: the version of the pool is v1.35.3, and that of the cluster v1.35.4: all pools of a topology have its version. Fix: remove the version of the pool, or leave out topology.'],
    ['a field of a pool', ({ nodePools: [pool] }) => pool.machineDeployment.addJsonPatch(JsonPatch.add('/spec/paused', true)),
      `acme/general TC-TOPOLOGY-FIELD topology: spec.paused of the MachineDeployment: ${NO_FIELD}`],
    ['a field of machines', ({ nodePools: [pool] }) => pool.machineDeployment.addJsonPatch(JsonPatch.add('/spec/template/spec/providerID', 'a://b')),
      `acme/general TC-TOPOLOGY-FIELD topology: spec.template.spec.providerID of the MachineDeployment: ${NO_FIELD}`],
    ['a field of the control plane', ({ controlPlane }) => controlPlane.addJsonPatch(JsonPatch.add('/spec/controlPlaneEndpoint', { host: 'a.example.com', port: 6443 })),
      'acme TC-TOPOLOGY-FIELD topology: spec.controlPlaneEndpoint of the KamajiControlPlane: KamajiControlPlaneTemplate has no field for it. Fix: remove it, or leave out topology.'],
    ['a pool without a health check that limits remediation', (acme) => {
      const { machineDeployment } = acme.addNodePool('bare', { machine: machine(), size: PoolSize.fixed(1), healthCheck: HealthCheck.none() });
      machineDeployment.addJsonPatch(JsonPatch.add('/spec/remediation', { maxInFlight: 1 }));
    }, `acme/bare TC-TOPOLOGY-FIELD topology: spec.remediation of the MachineDeployment: ${NO_FIELD}`],
  ])('refuses %s, which no topology has', (_what, more, problem) => {
    expect(problems(page(more))).toEqual([problem]);
  });

  describe('of a distribution that names releases of its own', () => {
    class Distribution extends ExampleBootstrap {
      public override bind(scope: Construct, context: PoolContext): BootstrapConfig {
        return { ...super.bind(scope, context), machineVersion: `${context.kubernetesVersion}+dist1` };
      }
    }
    class DistributionControlPlane extends ExampleControlPlane {
      public override bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
        const config = super.bind(scope, context);
        config.resource.addJsonPatch(JsonPatch.replace('/spec/version', `${context.kubernetesVersion}+dist1`));
        return config;
      }
    }
    const made = (props: Partial<TenantClusterProps>, pool: Partial<NodePoolProps> = {}) => {
      const app = Testing.app();
      const acme = exampleCluster(app, { ...TOPOLOGY, ...props });
      acme.addNodePool('general', poolProps(pool));
      return { acme, problems: problemsOf(app).map(({ path, id, text }) => `${path} ${id} ${text}`) };
    };

    test('has its release, which all machines get', () => {
      const { acme, problems: found } = made({ controlPlane: new DistributionControlPlane(), bootstrap: new Distribution() });
      const cluster = acme.toJson().find(({ kind }: Manifest) => kind === 'Cluster');

      expect(found).toEqual([]);
      expect(cluster.spec.topology.version).toBe('v1.35.4+dist1');
      expect([...madeOf(acme.toJson()).values()].find(({ kind }) => kind === 'MachineDeployment').spec.template.spec.version).toBe('v1.35.4+dist1');
    });

    test.each<[what: string, cluster: Partial<TenantClusterProps>, pool: Partial<NodePoolProps>, problem: string]>([
      ['a pool', {}, { bootstrap: new Distribution() }, 'acme/general TC-TOPOLOGY-FIELD bootstrap: the version of the pool is v1.35.4+dist1, and that of the cluster v1.35.4'],
      ['a cluster', { bootstrap: new Distribution() }, {}, 'acme/general TC-TOPOLOGY-FIELD bootstrap: the version of the pool is v1.35.4+dist1, and that of the cluster v1.35.4'],
    ])('refuses the bootstrap of %s that names another release than its control plane', (_what, cluster, pool, problem) => {
      expect(made(cluster, pool).problems).toEqual([
        `${problem}: all pools of a topology have its version. Fix: choose a control plane and a bootstrap of one distribution, which name the same release, or leave out topology.`,
      ]);
    });
  });

  test('refuses an infrastructure or a control plane of a kind without templates', () => {
    const object = (kind: string, apiVersion: string) => ({ apiVersion, kind, metadata: { name: 'acme' }, spec: {} });
    const known = object('Issuer', 'cert-manager.io/v1');
    const plain = { cluster: object('Cluster', 'cluster.x-k8s.io/v1beta2'), infrastructure: known, controlPlane: object('OwnControlPlane', 'controlplane.example.com/v1'), pools: [] };

    expect(topologyRefusals(plain).map(({ message }) => message)).toEqual(['cert-manager.io has no kind IssuerTemplate, and a ClusterClass refers to templates only']);
  });

  test('names the property that refuses such a kind', () => {
    class Issued extends ExampleInfrastructure {
      public constructor() {
        super({ clusterKind: 'Issuer' });
      }

      public override bind(scope: Construct, { name }: ClusterContext): InfrastructureConfig {
        return { resource: new ApiObject(scope, 'Resource', { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: { name } }) };
      }
    }
    const app = Testing.app();
    exampleCluster(app, { ...TOPOLOGY, infrastructure: new Issued() });

    expect(problemsOf(app)).toContainEqual({
      path: 'acme', id: 'TC-TOPOLOGY-TEMPLATE', text: expect.stringMatching(/^topology: cert-manager\.io has no kind IssuerTemplate, and a ClusterClass refers to templates only\. Fix: /),
    });
  });
});
