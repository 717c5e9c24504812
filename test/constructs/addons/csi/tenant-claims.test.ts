import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { Addon, AddonConfig, VolumeAccessMode } from '../../../../src/constructs/contracts/addon';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtCsiDriver } from '../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { VultrStorage } from '../../../../src/constructs/infrastructures/vultr/csi-driver/vultr-storage-class';
import { VultrInfrastructure } from '../../../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';
import { ExampleInfrastructure } from '../../../support/strategies';

const VULTR = new VultrInfrastructure({
  region: 'ewr',
  storageClasses: [
    { name: 'nvme', storage: VultrStorage.BLOCK_NVME, isDefault: true },
    { name: 'hdd', storage: VultrStorage.BLOCK_HDD },
    { name: 'vfs', storage: VultrStorage.FILE_SYSTEM_NVME },
  ],
});
const KUBEVIRT = new KubevirtInfrastructure({
  storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
  csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/csi-driver:v1.0.0' }),
});

const SHARED = claim(['ReadWriteMany']);
const SINGLE = claim(['ReadWriteOnce']);

function claim(accessModes: string[], storage = '10Gi', rest: object = {}): object {
  return { accessModes, resources: { requests: { storage } }, ...rest };
}

function cluster(app: App, props: Partial<TenantClusterProps> = {}): TenantCluster {
  return exampleCluster(app, { infrastructure: VULTR, delivery: new FluxDelivery(), ...props });
}

function object(chart: Chart, apiVersion: string, kind: string, spec: object): ApiObject {
  return new ApiObject(chart, kind, { apiVersion, kind, metadata: { name: 'data', namespace: 'shop' }, spec });
}

/** Problems of a workload. */
function refused(fill: (workloads: Chart) => void, props: Partial<TenantClusterProps> = {}): string[] {
  const app = Testing.app();
  ManifestValidation.skip(app, 'the objects have only the fields that matter here');
  fill(cluster(app, props).workloads);
  return problemsOf(app).map(({ path, id, text }) => `${path} ${id} ${text.split(':')[0]}`);
}

function pods(spec: object): object {
  const ephemeral = { volumeClaimTemplate: { spec } };
  return { volumes: [{ name: 'tmp', emptyDir: {} }, { name: 'scratch', ephemeral }], containers: [] };
}

const EPHEMERAL = 'volumes[1].ephemeral.volumeClaimTemplate.spec.accessModes';

test.each<[apiVersion: string, kind: string, path: string, spec: (claimed: object) => object]>([
  ['v1', 'PersistentVolumeClaim', 'spec.accessModes', (claimed) => claimed],
  ['apps/v1', 'StatefulSet', 'spec.volumeClaimTemplates[0].spec.accessModes', (claimed) => ({ volumeClaimTemplates: [{ spec: claimed }] })],
  ['v1', 'Pod', `spec.${EPHEMERAL}`, pods],
  ['apps/v1', 'Deployment', `spec.template.spec.${EPHEMERAL}`, (claimed) => ({ template: { spec: pods(claimed) } })],
  ['batch/v1', 'CronJob', `spec.jobTemplate.spec.template.spec.${EPHEMERAL}`, (claimed) => ({ jobTemplate: { spec: { template: { spec: pods(claimed) } } } })],
])('claims of a %s %s are found', (apiVersion, kind, path, spec) => {
  expect(refused((workloads) => object(workloads, apiVersion, kind, spec(SHARED)))).toEqual([
    `acme TC-STORAGE-CLAIM-ACCESS-MODE manifests["workloads"]["${kind} shop/data"].${path}`,
  ]);
  expect(refused((workloads) => object(workloads, apiVersion, kind, spec(SINGLE)))).toEqual([]);
});

test('so are those of cdk8s-plus, and what is patched later', () => {
  const added = (patch: boolean): string[] => refused((workloads) => {
    const data = new kplus.PersistentVolumeClaim(workloads, 'Data', {
      metadata: { namespace: 'shop', name: 'data' }, accessModes: [kplus.PersistentVolumeAccessMode.READ_WRITE_MANY], storageClassName: 'vfs',
    });
    if (patch) ApiObject.of(data).addJsonPatch(JsonPatch.replace('/spec/storageClassName', 'hdd'));
  });

  expect(added(false)).toEqual([]);
  expect(added(true)).toEqual(['acme TC-STORAGE-CLAIM-ACCESS-MODE manifests["workloads"]["PersistentVolumeClaim shop/data"].spec.accessModes']);
});

/** An addon with a claim, and whatever else it says of itself. */
class Shop extends Addon {
  public readonly name = 'shop';
  public override readonly requires: string[] = [];

  public constructor(private readonly claimed: object, private readonly config: AddonConfig = {}) {
    super();
  }

  public bind(tenant: Chart): AddonConfig {
    object(tenant, 'v1', 'PersistentVolumeClaim', this.claimed);
    return this.config;
  }
}

test('claims of addons are held to the classes of others, and of their own', () => {
  const ids = (addon: Addon, props?: Partial<TenantClusterProps>): string[] => {
    const app = Testing.app();
    ManifestValidation.skip(app, 'the objects have only the fields that matter here');
    cluster(app, props).addAddon(addon);
    return problemsOf(app).map(({ text }) => text.split(':')[0]);
  };
  const disk = { volumeClasses: [{ name: 'disk', isDefault: true, accessModes: [VolumeAccessMode.READ_WRITE_ONCE] }] };

  expect(ids(new Shop(SHARED))).toEqual(['manifests["shop"]["PersistentVolumeClaim shop/data"].spec.accessModes']);
  expect(ids(new Shop(SHARED, disk), { infrastructure: new ExampleInfrastructure() })).toEqual(['manifests["shop"]["PersistentVolumeClaim shop/data"].spec.accessModes']);
  expect(ids(new Shop(SHARED), { infrastructure: new ExampleInfrastructure() })).toEqual([]);
});

test.each<[what: string, claimed: object, id?: string]>([
  ['less than 40 GiB of hard disk', claim(['ReadWriteOnce'], '39Gi', { storageClassName: 'hdd' }), 'TC-STORAGE-CLAIM-SIZE'],
  ['40 GiB of hard disk', claim(['ReadWriteOncePod'], '40Gi', { storageClassName: 'hdd' })],
  ['more than 40 TiB of hard disk', claim(['ReadWriteOnce'], '41Ti', { storageClassName: 'hdd' }), 'TC-STORAGE-CLAIM-SIZE'],
  ['more than 100 TiB of NVMe', claim(['ReadWriteOnce'], '101Ti'), 'TC-STORAGE-CLAIM-SIZE'],
  ['half a GiB', claim(['ReadWriteMany'], '512Mi', { storageClassName: 'vfs' }), 'TC-STORAGE-CLAIM-SIZE'],
  ['a file system for one node', claim(['ReadWriteOnce'], '10Gi', { storageClassName: 'vfs' }), 'TC-STORAGE-CLAIM-ACCESS-MODE'],
  ['a copy', claim(['ReadWriteOnce'], '10Gi', { dataSource: { kind: 'VolumeSnapshot', name: 'a' } }), 'TC-STORAGE-CLAIM-SOURCE'],
])('at Vultr: %s', (_what, claimed, ...ids) => {
  const found = refused((workloads) => object(workloads, 'v1', 'PersistentVolumeClaim', claimed));

  expect(found.map((text) => text.split(' ')[1])).toEqual(ids);
});

test('on KubeVirt, many nodes share raw blocks and no file system', () => {
  const found = (rest: object): string[] => refused((workloads) => object(workloads, 'v1', 'PersistentVolumeClaim', { ...SHARED, ...rest }), { infrastructure: KUBEVIRT });

  expect(found({})).toEqual(['acme TC-STORAGE-CLAIM-ACCESS-MODE manifests["workloads"]["PersistentVolumeClaim shop/data"].spec.accessModes']);
  expect(found({ volumeMode: 'Block' })).toEqual([]);
});

test('what cannot be written is reported once, by whoever delivers it', () => {
  const found = refused((workloads) => object(workloads, 'v1', 'PersistentVolumeClaim', {}).addJsonPatch(JsonPatch.replace('/spec/none/at/all', 1)));

  expect(found).toHaveLength(1);
  expect(found[0]).toContain('TC-DELIVERY-MANIFEST');
});
