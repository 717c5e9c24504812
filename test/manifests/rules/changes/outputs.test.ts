import { App, Size } from 'cdk8s';
import { CertManager } from '../../../../src/constructs/addons/catalog/cert-manager';
import { Calico } from '../../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../../src/constructs/addons/cni/cilium';
import { IsolationPeer, IsolationPort } from '../../../../src/constructs/contracts/capabilities/isolation-peer';
import { ImportedManagementCluster, ManagementNetworkPlugin } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { ManifestObject, objectName } from '../../../../src/manifests/objects/manifest-object';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { Manifest } from '../../../support/clusters';
import { parse, synthesize } from '../../../support/outputs';

const INFRASTRUCTURE = new KubevirtInfrastructure({ infraClusterCidrs: ['10.244.0.0/16', '10.96.0.0/16'] });

interface Page extends Partial<TenantClusterProps> {
  readonly id?: string;
  readonly cpu?: number;
  readonly size?: PoolSize;
  readonly pools?: readonly string[];
}

function addCluster(app: App, { id = 'acme', cpu = 4, size = PoolSize.between(1, 5), pools = ['general'], ...props }: Page): void {
  const cluster = new TenantCluster(app, id, {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: INFRASTRUCTURE,
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    ...props,
  });
  const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/images/node:stable' });
  pools.forEach((name) => cluster.addNodePool(name, { machine: new KubevirtMachine({ cpu, memory: Size.gibibytes(8), rootDisk }), size }));
  cluster.addAddon(new CertManager());
}

/** Objects of a page; several tests start from the same one. */
function written(page: Page | undefined): Manifest[] {
  const known = WRITTEN.get(page);
  if (known) return known;
  const objects = page ? parse(synthesize((app) => addCluster(app, page)).management) : [];
  WRITTEN.set(page, objects);
  return objects;
}
const WRITTEN = new Map<Page | undefined, Manifest[]>();
const PLAIN: Page = {};

/** Findings about the change from one page to another, as `id object`. */
function found(before: Page | undefined, after: Page | undefined): string[] {
  const [old, now] = [before, after].map(written);
  const result = new ManifestValidator().validate([now], { silences: [], strict: false, before: [old] });
  return result.found.map(({ finding, object }) => `${finding.rule.id} ${objectName(object as ManifestObject)}`);
}

describe('what people do every week is fine', () => {
  test.each<[string, Page]>([
    ['nothing', {}],
    ['another size', { size: PoolSize.between(2, 8) }],
    ['a fixed size', { size: PoolSize.fixed(3) }],
    ['larger machines', { cpu: 8 }],
    ['the next minor', { kubernetesVersion: '1.36.1' }],
    ['another patch', { kubernetesVersion: '1.35.2' }],
    ['another pool', { pools: ['general', 'batch'] }],
    ['another pool in place of the first one', { pools: ['batch'] }],
    ['no pool', { pools: [] }],
    ['more replicas', { controlPlane: new KamajiControlPlane({ dataStore: 'default', replicas: 3 }) }],
    ['labels', { labels: { 'example.com/team': 'core' } }],
    ['a pause', { paused: true }],
    ['a decommission', { decommission: true }],
  ])('%s', (_name, page) => {
    expect(found(PLAIN, page)).toEqual([]);
  });

  test('a new cluster', () => {
    expect(found(undefined, PLAIN)).toEqual([]);
  });

  test('what is left of a cluster goes when that is deleted, but for what is to be deleted by hand', () => {
    expect(found({ decommission: true }, undefined)).toEqual(['TC-CHANGE-KEPT-REMOVED Namespace tenant-acme']);
  });
});

describe('a move to another data store keeps the way to both', () => {
  const management = (networkPlugin: ManagementNetworkPlugin) => new ImportedManagementCluster({
    podCidrs: ['10.244.0.0/16'],
    serviceCidrs: ['10.96.0.0/16'],
    nodeCidrs: ['192.168.100.0/24'],
    networkPlugin,
    dataStorePeers: Object.fromEntries(['default', 'gold'].map((name) => [name, [
      IsolationPeer.pods({ namespace: 'kamaji-etcd', podLabels: { 'app.kubernetes.io/instance': `etcd-${name}` }, ports: [IsolationPort.tcp(2379)] }),
    ]])),
  });
  const page = (networkPlugin: ManagementNetworkPlugin, controlPlane: KamajiControlPlaneProps): Page => ({
    infrastructure: new KubevirtInfrastructure(),
    controlPlane: new KamajiControlPlane(controlPlane),
    isolation: new TenantIsolation(),
    managementCluster: management(networkPlugin),
  });
  const [MOVES, CLOSES] = ['TC-CHANGE-KAMAJI-DATA-STORE', 'TC-CHANGE-KAMAJI-DATA-STORE-EGRESS'].map((id) => `${id} KamajiControlPlane tenant-acme/acme`);

  test.each([['Calico', ManagementNetworkPlugin.CALICO], ['Cilium', ManagementNetworkPlugin.CILIUM]])('with %s', (_name, plugin) => {
    const [stays, moves, ends] = [
      page(plugin, { dataStore: 'default' }), page(plugin, { dataStore: 'gold', formerDataStore: 'default' }), page(plugin, { dataStore: 'gold' }),
    ];
    expect(found(stays, ends)).toEqual([MOVES, CLOSES]);
    expect(found(stays, moves)).toEqual([MOVES]);
    expect(found(moves, ends)).toEqual([]);
    // The way back, while the copy does not end.
    expect(found(moves, page(plugin, { dataStore: 'default', formerDataStore: 'gold' }))).toEqual([MOVES]);
  });

  test('without a name before, it may be a move', () => {
    expect(found(page(ManagementNetworkPlugin.CALICO, {}), page(ManagementNetworkPlugin.CALICO, { dataStore: 'gold' }))).toEqual([MOVES]);
  });
});

describe('what costs a night is found', () => {
  test.each<[string, Page | undefined, string[]]>([
    ['a minor left out', { kubernetesVersion: '1.33.1' }, ['TC-CHANGE-KAMAJI-VERSION KamajiControlPlane tenant-acme/acme']],
    ['a way back', { kubernetesVersion: '1.36.1' }, ['TC-CHANGE-KAMAJI-VERSION KamajiControlPlane tenant-acme/acme']],
    ['another network', { cni: new Calico() }, ['TC-CHANGE-CNI HelmRelease tenant-acme/acme-calico']],
    ['another data store', { controlPlane: new KamajiControlPlane({ dataStore: 'other' }) }, ['TC-CHANGE-KAMAJI-DATA-STORE KamajiControlPlane tenant-acme/acme']],
    ['other addresses', { podCidrs: ['10.128.0.0/14'] }, ['TC-CHANGE-CLUSTER-NETWORK Cluster tenant-acme/acme']],
    ['another name', { id: 'beta' }, ['TC-CHANGE-CLUSTER-MOVED Cluster tenant-acme/beta']],
    ['another namespace', { namespace: 'elsewhere' }, ['TC-CHANGE-CLUSTER-MOVED Cluster elsewhere/acme']],
  ])('%s', (_name, page, findings) => {
    expect(found(page, PLAIN).sort()).toEqual(expect.arrayContaining([...findings].sort()));
  });

  test('a cluster that goes at once', () => {
    expect(found(PLAIN, undefined)).toContain('TC-CHANGE-CLUSTER-REMOVED Cluster tenant-acme/acme');
  });
});
