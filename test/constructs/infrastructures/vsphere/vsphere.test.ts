import { App, Chart, Duration, Size, Testing } from 'cdk8s';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { AddressPool } from '../../../../src/constructs/contracts/network/address-pool';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { ControlPlaneEndpoint } from '../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { VSphereIdentity } from '../../../../src/constructs/infrastructures/vsphere/vsphere-identity';
import { VSphereInfrastructure, VSphereInfrastructureProps } from '../../../../src/constructs/infrastructures/vsphere/vsphere-infrastructure';
import { VSphereMachine, VSphereMachineProps, VSpherePciDevice } from '../../../../src/constructs/infrastructures/vsphere/vsphere-machine';
import { VSpherePlace, VSphereZone, VSphereZoneProps } from '../../../../src/constructs/infrastructures/vsphere/vsphere-zone';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { byKind, exampleCluster, Manifest } from '../../../support/clusters';
import { clusterContext } from '../../../support/contexts';
import { problemsIn } from '../../../support/problems';

const VCENTER = { server: 'vcenter.example.com', datacenter: 'dc1' };
const GOLD = { name: 'gold', storagePolicy: 'gold', isDefault: true };
const MACHINE: VSphereMachineProps = { template: 'ubuntu-2404-kube-v1.35.4', cpu: 4, memory: Size.gibibytes(16), networkDevices: [{ network: 'nodes' }] };

/** Cluster `acme` on vSphere with a pool `general`. */
function cluster(
  app: App, infrastructure: Partial<VSphereInfrastructureProps> = {}, machine: Partial<VSphereMachineProps> = {},
  props: Partial<TenantClusterProps> = {}, failureDomain?: string,
): TenantCluster {
  const tenant = exampleCluster(app, {
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    bootstrap: new KubeadmBootstrap(),
    infrastructure: new VSphereInfrastructure({ ...VCENTER, ...infrastructure }),
    delivery: new FluxDelivery(),
    ...props,
  });
  tenant.addNodePool('general', { machine: new VSphereMachine({ ...MACHINE, ...machine }), size: PoolSize.between(0, 3), failureDomain });
  return tenant;
}

function kubeadm(endpoint?: ControlPlaneEndpoint): Partial<TenantClusterProps> {
  return { controlPlane: new KubeadmControlPlane({ replicas: 3, machine: new VSphereMachine(MACHINE), endpoint }) };
}

const KUBE_VIP = ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'ghcr.io/kube-vip/kube-vip:v1.0.1' });

type Arguments = Parameters<typeof cluster> extends [App, ...infer Rest] ? Rest : never;

function specs(...args: Arguments): { cluster: Manifest; machine: Manifest } {
  const objects = byKind(cluster(Testing.app(), ...args));
  return { cluster: objects.VSphereCluster.spec, machine: objects.VSphereMachineTemplate.spec.template.spec };
}

test('machines are in the data center of the cluster, get addresses by DHCP, and are linked clones', () => {
  expect(specs()).toEqual({
    cluster: { server: 'vcenter.example.com' },
    machine: {
      template: 'ubuntu-2404-kube-v1.35.4',
      cloneMode: 'linkedClone',
      numCPUs: 4,
      memoryMiB: 16384,
      datacenter: 'dc1',
      network: { devices: [{ networkName: 'nodes', dhcp4: true, dhcp6: false }] },
      os: 'Linux',
      powerOffMode: 'trySoft',
    },
  });
});

test('everything else is written where it was given', () => {
  const pool = AddressPool.existing({ name: 'nodes', global: true });
  expect(specs({
    thumbprint: '8A:E7:3B:6A:2E:0B:5C:3F:52:4B:0E:63:74:95:0D:58:B0:9B:2F:11', identity: VSphereIdentity.secret('acme-vsphere'), zoneLabels: { 'example.com/tenants': 'true' }, clusterModules: false,
  }, {
    coresPerSocket: 2,
    disk: Size.gibibytes(60),
    dataDisks: [{ name: 'data', size: Size.gibibytes(100), provisioning: 'Thin' }],
    networkDevices: [{ network: 'nodes', addressPools: [pool], nameservers: ['192.0.2.2'], searchDomains: ['example.com'], mtu: 9000 }, { network: 'v6', dhcp6: true }],
    datastore: 'ds1',
    storagePolicy: 'gold',
    folder: 'tenants',
    resourcePool: 'tenants',
    stopTimeout: Duration.minutes(3),
    hardwareVersion: 'vmx-21',
    pciDevices: [VSpherePciDevice.vgpu('grid_t4-4c')],
    gpus: [{ resourceName: 'nvidia.com/gpu', count: 1 }],
    tagIds: ['urn:vmomi:InventoryServiceTag:a:GLOBAL'],
  })).toEqual({
    cluster: {
      server: 'vcenter.example.com',
      thumbprint: '8A:E7:3B:6A:2E:0B:5C:3F:52:4B:0E:63:74:95:0D:58:B0:9B:2F:11',
      identityRef: { kind: 'Secret', name: 'acme-vsphere' },
      failureDomainSelector: { matchLabels: { 'example.com/tenants': 'true' } },
      disableClusterModule: true,
    },
    machine: {
      template: 'ubuntu-2404-kube-v1.35.4',
      cloneMode: 'fullClone',
      numCPUs: 4,
      numCoresPerSocket: 2,
      memoryMiB: 16384,
      diskGiB: 60,
      dataDisks: [{ name: 'data', sizeGiB: 100, provisioningMode: 'Thin' }],
      datacenter: 'dc1',
      datastore: 'ds1',
      storagePolicyName: 'gold',
      folder: 'tenants',
      resourcePool: 'tenants',
      network: {
        devices: [
          {
            networkName: 'nodes',
            dhcp4: false,
            dhcp6: false,
            nameservers: ['192.0.2.2'],
            searchDomains: ['example.com'],
            mtu: 9000,
            addressesFromPools: [{ apiGroup: 'ipam.cluster.x-k8s.io', kind: 'GlobalInClusterIPPool', name: 'nodes' }],
          },
          { networkName: 'v6', dhcp4: false, dhcp6: true },
        ],
      },
      os: 'Linux',
      powerOffMode: 'trySoft',
      guestSoftPowerOffTimeoutSeconds: 180,
      hardwareVersion: 'vmx-21',
      pciDevices: [{ vGPUProfile: 'grid_t4-4c' }],
      tagIDs: ['urn:vmomi:InventoryServiceTag:a:GLOBAL'],
    },
  });
});

test('a control plane on machines has the address that kube-vip moves; a hosted one writes its own', () => {
  expect(specs({}, {}, kubeadm(KUBE_VIP)).cluster).toMatchObject({ controlPlaneEndpoint: { host: '192.0.2.10', port: 6443 } });
  expect(specs().cluster).not.toHaveProperty('controlPlaneEndpoint');
});

test('nodes have the name of their machine, and wait for the cloud controller manager', () => {
  const { joinConfiguration, preKubeadmCommands } = byKind(cluster(Testing.app())).KubeadmConfigTemplate.spec.template.spec;

  expect(joinConfiguration.nodeRegistration).toMatchObject({ name: '{{ v1.local_hostname }}' });
  expect(joinConfiguration.nodeRegistration.kubeletExtraArgs).toContainEqual({ name: 'cloud-provider', value: 'external' });
  expect(preKubeadmCommands.join('\n')).toContain('hostnamectl set-hostname "{{ ds.meta_data.hostname }}"');
});

function delivered(props: Partial<VSphereInfrastructureProps>, machineCount?: number): { readonly charts: Manifest[]; readonly objects: Manifest[] } {
  const context = clusterContext(machineCount === undefined ? {} : { controlPlane: { apiServerPort: 6443, machineCount }, apiServer: { published: { host: '192.0.2.10', port: 6443 } } });
  const { addons = [] } = new VSphereInfrastructure({ ...VCENTER, ...props }).bind(Testing.chart(), context);
  const tenants = addons.map((addon) => ({ addon, chart: new Chart(Testing.app(), addon.name) }));
  const charts = tenants.flatMap(({ addon, chart }) => addon.bind(chart, context).charts ?? []);
  return { charts, objects: tenants.flatMap(({ chart }) => Testing.synth(chart)) };
}

test('the cloud controller manager has the release for the version of Kubernetes, and labels nodes only if vCenter has categories of tags', () => {
  const { charts: [manager], objects: [configuration] } = delivered({}, 3);
  expect(manager).toMatchObject({ chart: 'vsphere-cpi', chartVersion: '1.35.1', namespace: 'kube-system' });
  expect(manager.images).toEqual([expect.objectContaining({ repositoryKey: 'daemonset.image', tagKey: 'daemonset.tag' })]);
  expect(configuration.data['vsphere.conf']).toContain('insecureFlag: true');
  expect(configuration.data['vsphere.conf']).not.toContain('labels');

  const { objects } = delivered({ thumbprint: '8A:E7:3B:6A:2E:0B:5C:3F:52:4B:0E:63:74:95:0D:58:B0:9B:2F:11', topologyCategories: ['k8s-region', 'k8s-zone'] }, 3);
  expect(objects[0].data['vsphere.conf']).toContain('labels:\n  region: k8s-region\n  zone: k8s-zone');
  expect(objects[0].data['vsphere.conf']).toContain('thumbprint: 8A:E7:3B');
});

test('programs run on the control plane where it has nodes, and on all nodes otherwise', () => {
  const [manager, driver] = delivered({ storageClasses: [GOLD] }, 3).charts;
  expect(manager.values.daemonset).not.toHaveProperty('affinity');
  expect(driver.values).toMatchObject({ csiController: { nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } }, storageClass: { enabled: false } });

  const [hostedManager, hostedDriver] = delivered({ storageClasses: [GOLD] }).charts;
  expect(hostedManager.values.daemonset.affinity).toBeNull();
  expect(hostedDriver.values.csiController).toHaveProperty('affinity.nodeAffinity');
});

const ZONE: VSphereZoneProps = {
  name: 'room-1',
  server: VCENTER.server,
  datacenter: VCENTER.datacenter,
  computeCluster: 'cluster-1',
  region: { name: 'dc1', category: 'k8s-region', place: VSpherePlace.DATACENTER },
  zone: { name: 'room-1', category: 'k8s-zone', place: VSpherePlace.COMPUTE_CLUSTER },
};

test('a zone is two objects of the management cluster, which no namespace has', () => {
  const chart = new Chart(Testing.app(), 'zones', { namespace: 'flux-system' });
  new VSphereZone(chart, 'room-1', { ...ZONE, resourcePool: 'tenants', networks: ['nodes'], datastore: 'ds1', hosts: { hostGroup: 'h', vmGroup: 'v' }, labels: { 'example.com/tenants': 'true' } });

  const [failureDomain, deploymentZone] = Testing.synth(chart);
  expect(failureDomain.metadata).toMatchObject({ name: 'room-1' });
  expect(failureDomain.metadata).not.toHaveProperty('namespace');
  expect(failureDomain.spec).toEqual({
    region: { name: 'dc1', tagCategory: 'k8s-region', type: 'Datacenter' },
    zone: { name: 'room-1', tagCategory: 'k8s-zone', type: 'ComputeCluster' },
    topology: { datacenter: 'dc1', computeCluster: 'cluster-1', datastore: 'ds1', networks: ['nodes'], hosts: { hostGroupName: 'h', vmGroupName: 'v' } },
  });
  expect(deploymentZone).toMatchObject({
    metadata: { name: 'room-1', labels: { 'example.com/tenants': 'true' } },
    spec: { server: VCENTER.server, failureDomain: 'room-1', controlPlane: true, placementConstraint: { resourcePool: 'tenants' } },
  });
});

test('a zone of a compute cluster that is not named is refused', () => {
  const found = problemsIn((app) => new VSphereZone(new Chart(app, 'zones'), 'room-1', { ...ZONE, computeCluster: undefined }));

  expect(found.map(({ id, text }) => [id, text])).toEqual([['TC-ADMIT-VSPHERE-FAILURE-DOMAIN', expect.stringContaining('computeCluster: the zone needs a compute cluster')]]);
});

type Case = [what: string, id: string, text: string, ...args: Arguments];

const CASES: Case[] = [
  ['no endpoint', 'TC-VSPHERE-ENDPOINT', 'controlPlane.endpoint: the cluster has no endpoint', {}, {}, kubeadm()],
  ['one category', 'TC-VSPHERE-TOPOLOGY', 'infrastructure.topologyCategories: there is one category', { topologyCategories: ['k8s-zone'] }],
  ['no default class', 'TC-PROVIDER-STORAGE-CLASS', 'infrastructure.storageClasses: no class is the default', { storageClasses: [{ name: 'a' }] }],
  ['half a gibibyte', 'TC-ADMIT-FIELD-TYPE', 'machine.disk: 60.5 is not a whole number', {}, { disk: Size.mebibytes(61952) }],
  ['a zone that is not there', 'TC-POOL-FAILURE-DOMAIN', 'failureDomain', { zones: ['room-1'] }, {}, {}, 'room-2'],
  ['a device without an address', 'TC-TRAP-VSPHERE-ADDRESS', 'machine.networkDevices[0]: the device gets no address', {}, { networkDevices: [{ network: 'nodes', dhcp4: false }] }],
  ['a hardware version', 'TC-ADMIT-VSPHERE-MACHINE', 'machine.hardwareVersion: "21" is no hardware version', {}, { hardwareVersion: '21' }],
  ['one processor', 'TC-ADMIT-FIELD-VALUE', 'machine.cpu', {}, { cpu: 1 }],
  ['a provisioning', 'TC-ADMIT-FIELD-VALUE', 'machine.dataDisks[0].provisioning', {}, { dataDisks: [{ name: 'a', size: Size.gibibytes(1), provisioning: 'thin' }] }],
  ['an address pool that is too small', 'TC-TRAP-ADDRESS-POOL-EXHAUSTED', 'machine.networkDevices[0].addressPools[0]', {}, {
    networkDevices: [{ network: 'nodes', addressPools: [AddressPool.inCluster({ name: 'nodes', addresses: ['192.0.2.10-192.0.2.11'], prefix: 24, gateway: '192.0.2.1' })] }],
  }],
];

test.each(CASES.map(([what, id, text, ...args]) => ({ what, id, text, args })))('$id: $what', ({ id, text, args }) => {
  const found = problemsIn((app) => cluster(app, ...args));

  expect(found.map((problem) => problem.id)).toContain(id);
  expect(found.find((problem) => problem.id === id)!.text).toContain(text);
});

test('a Secret of credentials is of one cluster', () => {
  const identity = VSphereIdentity.secret('vsphere');
  const found = problemsIn((app) => {
    cluster(app, { identity });
    new TenantCluster(app, 'beta', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
      infrastructure: new VSphereInfrastructure({ ...VCENTER, identity }),
      podCidrs: ['10.1.0.0/16'],
      cni: Cni.none(),
    });
  });

  expect(found.map(({ id, path, text }) => [path, id, text])).toContainEqual(['beta', 'TC-TRAP-VSPHERE-IDENTITY', expect.stringContaining('infrastructure.identity: ')]);
});

test('a page with everything is accepted', () => {
  expect(problemsIn((app) => cluster(app, { storageClasses: [GOLD], zones: ['room-1'], topologyCategories: ['k8s-region', 'k8s-zone'] }, {}, kubeadm(KUBE_VIP), 'room-1'))).toEqual([]);
});
