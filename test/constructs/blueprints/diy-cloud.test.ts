import { ApiObject, App, JsonPatch, Size, Testing } from 'cdk8s';
import { KUBEVIRT_PROPS } from './blueprint-props';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { Reloader } from '../../../src/constructs/addons/catalog/reloader';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { DiyCloud, DiyCloudProps } from '../../../src/constructs/blueprints/diy-cloud';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { Manifest } from '../../support/clusters';
import { readFiles, withExample } from '../../support/examples';
import { problemsIn, problemsOf } from '../../support/problems';

const { namespace, kubernetesVersion, ...OPTIONS } = KUBEVIRT_PROPS;

function cloud(props: Partial<DiyCloudProps> = {}): DiyCloud {
  return new DiyCloud(Testing.app(), 'acme', { ...KUBEVIRT_PROPS, ...props });
}

function object(cluster: TenantCluster, kind: string, name: string): Manifest {
  return (Testing.synth(cluster) as Manifest[]).find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
}

function problems(props: Partial<DiyCloudProps>): string[] {
  return problemsIn((app) => new DiyCloud(app, 'acme', { ...KUBEVIRT_PROPS, ...props })).map(({ path, id, text }) => `${path} ${id} ${text}`);
}

const MACHINE = new KubevirtMachine({ cpu: 8, memory: Size.gibibytes(32), rootDisk: RootDisk.containerDisk({ image: KUBEVIRT_PROPS.nodeImage }) });

test('writes the bytes of the page that is written out', () => {
  expect(withExample('blueprint-diy-cloud', readFiles)).toEqual(withExample('diy-cloud', readFiles));
});

test('a cluster with its options, populated, is the same', () => {
  const app = Testing.app();
  const written = new TenantCluster(app, 'acme', { ...DiyCloud.options(OPTIONS), namespace, kubernetesVersion });
  DiyCloud.populate(written, OPTIONS);

  expect(Testing.synth(written)).toEqual(Testing.synth(cloud()));
});

describe('a part is replaced by its property', () => {
  test('the size of a pool and of its machines', () => {
    const cluster = cloud({ general: { cpu: 8, memory: Size.gibibytes(64), size: PoolSize.between(2, 20), labels: { 'example.com/team': 'a' } } });
    const { machineTemplate, size } = cluster.findNodePool('general');

    const { domain } = machineTemplate.toJson().spec.template.spec.virtualMachineTemplate.spec.template.spec;
    expect(domain).toMatchObject({ cpu: { cores: 8 }, memory: { guest: '64Gi' } });
    expect(size).toEqual(PoolSize.between(2, 20));
    expect(JSON.stringify(Testing.synth(cluster))).toContain('example.com/team=a');
  });

  test('what is undefined stays as the blueprint has it', () => {
    const unset = cloud({ general: { size: undefined, machine: undefined, cpu: undefined }, cni: undefined, name: undefined });

    expect(Testing.synth(unset)).toEqual(Testing.synth(cloud()));
  });

  test('an addon by one of its name', () => {
    const cluster = cloud({ addons: [new CertManager({ replicas: 3 }), new Reloader()] });

    expect(cluster.addons.map(({ name }) => name).sort()).toEqual([...cloud().addons.map(({ name }) => name), 'reloader'].sort());
    expect(object(cluster, 'HelmRelease', 'acme-cert-manager').spec.values.replicaCount).toBe(3);
  });

  test('control plane, pod network and delivery', () => {
    const manifests = Testing.synth(cloud({
      controlPlane: new KamajiControlPlane({ replicas: 3 }), cni: new Calico(), delivery: new ArgoCdDelivery(),
    })) as Manifest[];

    expect(manifests.find(({ kind }) => kind === 'KamajiControlPlane').spec.replicas).toBe(3);
    const applications = manifests.filter(({ kind }) => kind === 'Application').map(({ metadata }) => metadata.name);
    expect(applications).toEqual(expect.arrayContaining([expect.stringContaining('calico')]));
    expect(manifests.filter(({ kind }) => kind === 'HelmRelease')).toEqual([]);
  });

  test('settings of the cluster are passed on', () => {
    const { spec } = cloud({ podCidrs: ['10.64.0.0/16'], paused: true }).cluster.toJson();

    expect(spec).toMatchObject({ clusterNetwork: { pods: { cidrBlocks: ['10.64.0.0/16'] } }, paused: true });
  });
});

test('pools and addons are left out by name', () => {
  const cluster = cloud({ leaveOut: ['ingress', 'cert-manager'] });

  expect(cluster.nodePools.map(({ node }) => node.id)).toEqual(['general']);
  expect(cluster.addons.map(({ name }) => name)).not.toContain('cert-manager');
  expect(problemsOf(App.of(cluster) as App)).toEqual([]);
});

test('without a snapshot class, nothing of snapshots is made', () => {
  const cluster = cloud({ infraSnapshotClass: undefined });

  expect(cluster.addons.map(({ name }) => name)).not.toContain('snapshot-controller');
  expect(problemsOf(App.of(cluster) as App)).toEqual([]);
});

test('every object can be found and patched', () => {
  const cluster = cloud();
  const patch = (target: ApiObject) => target.addJsonPatch(JsonPatch.add('/metadata/labels/patched', 'yes'));
  patch(cluster.findNodePool('ingress').machineDeployment);
  cluster.findAddon('cert-manager').objects.forEach(patch);
  patch(cluster.controlPlane);

  const patched = (Testing.synth(cluster) as Manifest[]).filter(({ metadata }) => metadata.labels?.patched === 'yes').map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(patched).toEqual(expect.arrayContaining(['MachineDeployment acme-ingress', 'HelmRelease acme-cert-manager', 'KamajiControlPlane acme']));
});

test('pools are added beside those of the blueprint', () => {
  const cluster = cloud();
  cluster.addNodePool('large', { machine: MACHINE, size: PoolSize.fixed(1) });

  expect(problemsOf(App.of(cluster) as App)).toEqual([]);
  expect(object(cluster, 'MachineDeployment', 'acme-large').spec.replicas).toBe(1);
});

test.each<[string, Partial<DiyCloudProps>, string[]]>([
  ['TC-BLUEPRINT-REQUIRED', { nodeImage: '' }, ['acme TC-BLUEPRINT-REQUIRED nodeImage']],
  ['TC-BLUEPRINT-REQUIRED of all at once', { nodeImage: '', infraStorageClass: ' ', csiDriverImage: '' }, [
    'acme TC-BLUEPRINT-REQUIRED nodeImage', 'acme TC-BLUEPRINT-REQUIRED infraStorageClass', 'acme TC-BLUEPRINT-REQUIRED csiDriverImage',
  ]],
  ['TC-KUBEVIRT-CSI-CLASS-NAME of an empty class', { infraSnapshotClass: '' }, ['acme TC-KUBEVIRT-CSI-CLASS-NAME infrastructure.storageClasses[0].snapshotClasses[0].infraClass: "" is']],
  ['TC-BLUEPRINT-LEAVE-OUT', { leaveOut: ['ingres'] }, ['acme TC-BLUEPRINT-LEAVE-OUT leaveOut: the blueprint has no "ingres"']],
  ['TC-BLUEPRINT-UNUSED of a pool that is left out', { leaveOut: ['general'], general: { cpu: 8 } }, ['acme TC-BLUEPRINT-UNUSED general: it has no effect beside leaveOut']],
  ['TC-BLUEPRINT-UNUSED beside a machine', { general: { machine: MACHINE, cpu: 8 } }, ['acme TC-BLUEPRINT-UNUSED general.cpu: it has no effect beside general.machine']],
  ['TC-BLUEPRINT-UNUSED beside a control plane', { controlPlane: new KamajiControlPlane(), dataStore: 'default' }, ['acme TC-BLUEPRINT-UNUSED dataStore']],
  ['TC-BLUEPRINT-UNUSED beside an infrastructure', { infrastructure: new KubevirtInfrastructure(), infraSnapshotClass: undefined, storageClass: 'slow', csiDriverImage: '' }, ['acme TC-BLUEPRINT-UNUSED storageClass']],
])('%s', (_what, props, expected) => {
  expect(problems(props)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('a part that does not exist is named with those that do', () => {
  expect(() => cloud().findNodePool('genral')).toThrow('acme has no pool "genral". Accepted: general, ingress.');
  expect(() => cloud().findAddon('certs')).toThrow('acme has no addon "certs". Accepted: cilium');
});
