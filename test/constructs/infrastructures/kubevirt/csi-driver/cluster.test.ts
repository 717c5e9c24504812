import { App, Size, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { FAST, IMAGE, SNAPSHOTS } from './bound';
import { SnapshotController } from '../../../../../src/constructs/addons/catalog/snapshot-controller';
import { Cilium } from '../../../../../src/constructs/addons/cni/cilium';
import { Cni } from '../../../../../src/constructs/addons/cni/cni';
import { ManifestAddon } from '../../../../../src/constructs/addons/manifest-addon';
import { AddonCapability } from '../../../../../src/constructs/contracts/addon';
import { PoolSize } from '../../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtCsiDriver } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtStorageClass } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
import { KubevirtInfrastructure } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { NetworkIsolation } from '../../../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation, TenantIsolationProps } from '../../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../../src/constructs/tenant/tenant-cluster-props';
import { SchemaValidator } from '../../../../manifests/schema/validate';
import { exampleCluster, Manifest } from '../../../../support/clusters';
import { knownManagementCluster } from '../../../../support/management';
import { problemsOf } from '../../../../support/problems';

/** An addon that keeps something. */
class Database extends ManifestAddon {
  public constructor() {
    super('database', { requires: [AddonCapability.PERSISTENT_VOLUMES] });
  }

  public override define(): void {}
}

function cluster(classes: KubevirtStorageClass[] | undefined, props: Partial<TenantClusterProps> = {}, app: App = Testing.app()): TenantCluster {
  return exampleCluster(app, {
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({
      infraClusterCidrs: ['10.42.0.0/16'], storageClasses: classes, csiDriver: classes && KubevirtCsiDriver.of({ image: IMAGE }),
    }),
    bootstrap: undefined,
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    ...props,
  });
}

function problemsOfCluster(
  classes: KubevirtStorageClass[] | undefined, props: Partial<TenantClusterProps>, change: (tenant: TenantCluster) => void = () => {},
): string[] {
  const app = Testing.app();
  change(cluster(classes, props, app));
  return problemsOf(app).map(({ id, text }) => `${id} ${text}`);
}

test('the tenant\'s half is delivered as the cluster delivers everything, after the pod network', () => {
  const tenant = cluster([SNAPSHOTS]);
  tenant.addAddon(new SnapshotController());
  const objects: Manifest[] = tenant.toJson();

  expect(tenant.addons.map(({ name }) => name)).toEqual(['cilium', 'kubevirt-csi-driver', 'kubevirt-csi-snapshot-classes', 'snapshot-controller']);
  const delivered = objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.includes('kubevirt-csi'))
    .flatMap(({ data }) => Object.values<string>(data).flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)));
  expect(delivered.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['DaemonSet', 'StorageClass', 'VolumeSnapshotClass']));
  // None of it is an object of the management cluster.
  expect(objects.filter(({ kind }) => ['DaemonSet', 'StorageClass', 'CSIDriver', 'VolumeSnapshotClass'].includes(kind))).toEqual([]);

  const validator = SchemaValidator.load();
  expect([...objects, ...delivered].flatMap((object) => validator.validate(object).map((fault) => `${object.kind} ${fault}`))).toEqual([]);
});

test('without storage classes the cluster has nothing of it', () => {
  expect(JSON.stringify(cluster(undefined).toJson())).not.toContain('csi');
});

test('TC-CLUSTER-DELIVERY: somebody must bring it', () => {
  expect(problemsOfCluster([FAST], { delivery: undefined, cni: Cni.none() })).toEqual([expect.stringMatching(/^TC-CLUSTER-DELIVERY delivery: .*kubevirt-csi-driver/)]);
});

test('TC-ADDON-REQUIREMENT: snapshots need their controller', () => {
  expect(problemsOfCluster([SNAPSHOTS], {})).toEqual([
    expect.stringMatching(/^TC-ADDON-REQUIREMENT kubevirt-csi-snapshot-classes: .*requires volume-snapshots.*Fix: add new SnapshotController\(\)/),
  ]);
  expect(problemsOfCluster([SNAPSHOTS], {}, (tenant) => tenant.addAddon(new SnapshotController()))).toEqual([]);
});

test('TC-ADDON-NAME-TAKEN: an addon of the user cannot have its name', () => {
  class Own extends ManifestAddon {
    public override define(): void {}
  }
  expect(problemsOfCluster([FAST], {}, (tenant) => tenant.addAddon(new Own('kubevirt-csi-driver')))).toEqual([expect.stringContaining('TC-ADDON-NAME-TAKEN')]);
});

describe('an addon that keeps something', () => {
  test('finds volumes where there are storage classes', () => {
    expect(problemsOfCluster([FAST], {}, (tenant) => tenant.addAddon(new Database()))).toEqual([]);
  });

  test('TC-ADDON-REQUIREMENT: and is refused where there are none', () => {
    expect(problemsOfCluster(undefined, {}, (tenant) => tenant.addAddon(new Database()))).toEqual([
      expect.stringMatching(/^TC-ADDON-REQUIREMENT database: .*requires persistent-volumes.*Fix: give the infrastructure storageClasses/),
    ]);
  });
});

describe('isolation', () => {
  function isolated(isolation: TenantIsolationProps, app: App = Testing.app()): TenantCluster {
    const tenant = cluster([FAST], { isolation: new TenantIsolation(isolation), managementCluster: knownManagementCluster() }, app);
    tenant.addNodePool('general', {
      machine: new KubevirtMachine({
        cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.registry({ url: 'docker://registry.example.com/os/ubuntu:24.04-v1.35.4', size: Size.gibibytes(40) }),
      }),
      size: PoolSize.fixed(1),
    });
    return tenant;
  }

  test('lets the driver through where the other controllers are', () => {
    const objects: Manifest[] = isolated({}).toJson();
    const { matchLabels } = objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.includes('controllers')).spec.podSelector;
    const { labels } = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'acme-csi-driver').spec.template.metadata;

    expect(Object.keys(matchLabels).length).toBeGreaterThan(0);
    expect(labels).toMatchObject(matchLabels);
  });

  test('counts its pod, which never is there twice', () => {
    const app = Testing.app();
    isolated({ network: NetworkIsolation.none(), quota: { 'count/pods': '0', 'limits.memory': '0' } }, app);
    const texts = problemsOf(app).map(({ text }) => text).join('\n');

    expect(texts).toContain('1 pods of the Deployment acme-csi-driver × 1 = 1');
    // 512Mi for the driver, three times 256Mi, 64Mi for the probe.
    expect(texts).toContain('1 pods of the Deployment acme-csi-driver × 1344Mi = 1344Mi');
  });
});
