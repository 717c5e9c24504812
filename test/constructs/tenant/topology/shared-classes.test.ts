import { App, JsonPatch, Size, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { ControlPlane } from '../../../../src/constructs/contracts/control-plane';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { ClusterTopology, ClusterTopologyOptions } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { isKept } from '../../../../src/manifests/objects/prune-annotations';
import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { desiredObjects, objectsOf } from '../../../../src/manifests/topology/desired-objects';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { landscapeOf } from '../../../manifests/landscape/landscape';
import { Manifest } from '../../../support/clusters';
import { addCluster } from '../../../support/many-clusters';
import { synthesize } from '../../../support/outputs';
import { problemsOf } from '../../../support/problems';

const SHARED = { className: 'kubevirt', classNamespace: 'platform' };
const machine = (cpu = 4) => new KubevirtMachine({
  cpu, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:1.35.4' }),
});

/** Clusters with a pool of 1, 2, … machines. */
function addClusters(app: App, names: readonly string[], props: Partial<TenantClusterProps>): TenantCluster[] {
  return names.map((name, index) => {
    const cluster = addCluster(app, name, props, []);
    cluster.addNodePool('general', { machine: machine(), size: PoolSize.fixed(index + 1) });
    return cluster;
  });
}

function written(app: App): Manifest[] {
  return parseAllDocuments(app.synthYaml()).map((document) => document.toJS() as Manifest);
}

function objectsWith(topology: ClusterTopology | undefined, controlPlane: ControlPlane): Manifest[] {
  const app = Testing.app();
  addClusters(app, ['acme', 'beta'], { controlPlane, topology });
  return written(app);
}

/** Objects that the topology controller makes of a cluster, without names of classes and templates. */
function madeOf(objects: readonly Manifest[], name: string): unknown[] {
  const cluster = objects.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === name);
  return (objectsOf(desiredObjects(cluster, new ManifestIndex(objects))) as Manifest[])
    .filter(({ kind }) => kind !== 'Cluster').map(({ kind, metadata, spec }) => [kind, metadata.name, spec]);
}

describe.each([
  { name: 'Kamaji', controlPlane: new KamajiControlPlane({ dataStore: 'default' }) },
  { name: 'kubeadm', controlPlane: new KubeadmControlPlane({ replicas: 3, machine: machine() }) },
])('clusters with $name', ({ name, controlPlane }) => {
  const shared = objectsWith(ClusterTopology.of(SHARED), controlPlane);
  const own = objectsWith(ClusterTopology.of(), controlPlane);

  test('share one ClusterClass and its templates, in their namespace', () => {
    const ofClass = shared.filter(({ metadata }) => metadata.namespace === 'platform');
    const classes = shared.filter(({ kind }) => kind === 'Cluster').map(({ spec }) => spec.topology.classRef);

    expect(ofClass.map(({ kind }) => kind)).toEqual([
      'KubevirtClusterTemplate', name === 'Kamaji' ? 'KamajiControlPlaneTemplate' : 'KubeadmControlPlaneTemplate',
      ...name === 'Kamaji' ? [] : ['KubevirtMachineTemplate'], 'KubevirtMachineTemplate', 'KubeadmConfigTemplate', 'ClusterClass',
    ]);
    expect(classes).toEqual([ofClass.at(-1), ofClass.at(-1)].map((one) => ({ name: one!.metadata.name, namespace: 'platform' })));
    expect(ofClass.filter((object) => !isKept(object))).toEqual([]);
    expect(JSON.stringify(ofClass)).not.toMatch(/acme|beta\b/);
  });

  test.each(['acme', 'beta'])('have what cluster %s has with a class of its own', (cluster) => {
    expect(madeOf(shared, cluster)).toEqual(madeOf(own, cluster));
  });

  test('pass the rules', () => {
    const { found } = new ManifestValidator().validate([shared], { silences: [], strict: false });

    expect(found.filter(({ finding }) => !finding.rule.warning && !finding.rule.elsewhere)).toEqual([]);
  });

  test('have machines of a known size in an inventory', async () => {
    const { clusters } = await landscapeOf(shared);

    expect(clusters.map(({ pools }) => pools.map((pool) => [pool.machine?.cpu, pool.size?.maximum]))).toEqual([[[4, 1]], [[4, 2]]]);
  });
});

describe('a class', () => {
  const problems = (change: (clusters: TenantCluster[], app: App) => void, options: ClusterTopologyOptions = SHARED): string[] => {
    const app = Testing.app();
    change(addClusters(app, ['acme', 'beta'], { topology: ClusterTopology.of(options) }), app);
    return problemsOf(app).map(({ path, id, text }) => `${path} ${id} ${text}`);
  };

  test.each<[what: string, change: (clusters: TenantCluster[]) => void, difference: string]>([
    ['a field of the control plane', ([, beta]) => beta.controlPlane.addJsonPatch(JsonPatch.replace('/spec/registry', 'registry.example.com')),
      'spec.template.spec.registry of the template of the control plane differs'],
    ['a pool', ([, beta]) => beta.addNodePool('more', { machine: machine(), size: PoolSize.fixed(1) }),
      'only this one has the template of the machines of pool more'],
    ['the lack of a pool', ([acme]) => acme.addNodePool('more', { machine: machine(), size: PoolSize.fixed(1) }),
      'only that one has the template of the machines of pool more'],
    ['machines of a pool', ([, { nodePools: [pool] }]) => pool.machineTemplate.addJsonPatch(JsonPatch.replace('/spec/template/spec/virtualMachineTemplate/spec/template/spec/domain/cpu/cores', 8)),
      'spec.template.spec.virtualMachineTemplate.spec.template.spec.domain.cpu.cores of the template of the machines of pool general differs'],
  ])('with one name differs in %s, which is refused', (_what, change, difference) => {
    expect(problems(change)).toEqual([
      `beta TC-TOPOLOGY-CLASS-DIFFERS topology.className: the ClusterClass "kubevirt" of acme has another content: ${difference}. Fix: make both equal, or give one of them another className.`,
    ]);
  });

  test('serves clusters that differ in what a topology has', () => {
    expect(problems(([, beta]) => {
      beta.cluster.metadata.addLabel('example.com/ring', '2');
      beta.nodePools[0].machineDeployment.addJsonPatch(JsonPatch.replace('/spec/template/spec/deletion/nodeDrainTimeoutSeconds', 30));
      beta.controlPlane.addJsonPatch(JsonPatch.replace('/spec/replicas', 3));
    })).toEqual([]);
  });

  test('may differ in another namespace', () => {
    expect(problems(([, beta]) => beta.controlPlane.addJsonPatch(JsonPatch.replace('/spec/registry', 'registry.example.com')), { className: 'kubevirt' })).toEqual([]);
  });

  test.each<[options: ClusterTopologyOptions, id: string]>([
    [{ className: 'KubeVirt' }, 'TC-TOPOLOGY-CLASS-NAME'], [{ className: 'k'.repeat(55) }, 'TC-TOPOLOGY-CLASS-NAME'],
    [{ classNamespace: 'platform' }, 'TC-TOPOLOGY-CLASS-NAMESPACE'],
  ])('of %j is refused', (options, id) => {
    expect(problems(() => undefined, options).map((text) => text.split(' ')[1])).toContain(id);
  });

  test('is not written for a cluster that is decommissioned', () => {
    const app = Testing.app();
    addClusters(app, ['acme'], { topology: ClusterTopology.of(SHARED), decommission: true });

    expect(written(app).filter(({ kind }) => kind === 'ClusterClass')).toEqual([]);
  });

  test('has a file of its own, and is the same when it is synthesized again', () => {
    const { files } = synthesize((app) => { addClusters(app, ['acme', 'beta'], { topology: ClusterTopology.of(SHARED) }); });
    const app = Testing.app();
    addClusters(app, ['acme', 'beta'], { topology: ClusterTopology.of(SHARED) });

    expect(Object.keys(files).filter((file) => file.startsWith('charts/cluster-classes/'))).toEqual([
      expect.stringMatching(/^charts\/cluster-classes\/kubevirt-[0-9a-f]{8}\.yaml$/), 'charts/cluster-classes/kustomization.yaml',
    ]);
    expect(app.synthYaml()).toBe(app.synthYaml());
  });
});
