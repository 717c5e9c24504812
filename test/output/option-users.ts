import { App, Chart, Size, Testing } from 'cdk8s';
import { GatewayApi } from '../../src/constructs/addons/catalog/gateway-api';
import { MetricsServer } from '../../src/constructs/addons/catalog/metrics-server';
import { ClusterAutoscaler } from '../../src/constructs/addons/cluster-autoscaler/cluster-autoscaler';
import { Calico } from '../../src/constructs/addons/cni/calico';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { HelmAddon } from '../../src/constructs/addons/helm-addon';
import { DiyCloud } from '../../src/constructs/blueprints/diy-cloud';
import { GpuCluster } from '../../src/constructs/blueprints/gpu-cluster';
import { HighlyAvailable } from '../../src/constructs/blueprints/highly-available';
import { PlatformCluster } from '../../src/constructs/blueprints/platform-cluster';
import { SmallEdge } from '../../src/constructs/blueprints/small-edge';
import { VultrStarter } from '../../src/constructs/blueprints/vultr-starter';
import { Addon, AddonCapability } from '../../src/constructs/contracts/addon';
import { ImportedManagementCluster } from '../../src/constructs/contracts/capabilities/management-cluster';
import { CompanyNetwork } from '../../src/constructs/contracts/company-network/company-network';
import { ControlPlane } from '../../src/constructs/contracts/control-plane';
import { Delivery } from '../../src/constructs/contracts/delivery/delivery';
import { EntryPoints } from '../../src/constructs/contracts/delivery/entry-points';
import { Infrastructure } from '../../src/constructs/contracts/infrastructure';
import { Machine } from '../../src/constructs/contracts/machine';
import { ManifestPartProps } from '../../src/constructs/contracts/manifest-part';
import { HealthCheck } from '../../src/constructs/contracts/node-pool/health-check';
import { NodePoolProps } from '../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiCoreDns } from '../../src/constructs/control-planes/kamaji/addons';
import { KamajiExposure } from '../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity } from '../../src/constructs/control-planes/kamaji/konnectivity';
import { KubeadmBootstrap } from '../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmControlPlane } from '../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { ManifestBootstrap } from '../../src/constructs/control-planes/manifest-bootstrap';
import { ManifestControlPlane } from '../../src/constructs/control-planes/manifest-control-plane';
import { ArgoCdApplicationSet } from '../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { ArgoCdDelivery } from '../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ArgoCdEntryPoints } from '../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { ClusterResourceSetDelivery } from '../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../src/constructs/deliveries/flux/flux-entry-points';
import { HelmChartProxyDelivery } from '../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { HostFile } from '../../src/constructs/hosts/host-file';
import { KubeadmCluster } from '../../src/constructs/hosts/kubeadm-cluster';
import { KubeadmClusterProps } from '../../src/constructs/hosts/kubeadm-cluster-props';
import { KubeadmNode } from '../../src/constructs/hosts/kubeadm-node';
import { KubeadmLoadBalancer } from '../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { NifcloudCsiDriver, NifcloudCsiDriverProps } from '../../src/constructs/hosts/nifcloud/nifcloud-csi-driver';
import { NifcloudPlatform } from '../../src/constructs/hosts/nifcloud/nifcloud-platform';
import { ImageSources } from '../../src/constructs/images/image-sources';
import { DevInfrastructure } from '../../src/constructs/infrastructures/dev/dev-infrastructure';
import { DevMachine } from '../../src/constructs/infrastructures/dev/dev-machine';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtCsiDriver } from '../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { ExtraDisk } from '../../src/constructs/infrastructures/kubevirt/extra-disk';
import { ControlPlaneServiceType, KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { ManifestInfrastructure } from '../../src/constructs/infrastructures/manifest-infrastructure';
import { ManifestMachine, ManifestMachineProps } from '../../src/constructs/infrastructures/manifest-machine';
import { Metal3AddressPool, Metal3Infrastructure, Metal3Machine, Metal3MachineProps, Metal3Remediation } from '../../src/constructs/infrastructures/metal3';
import { OpenStackIdentity, OpenStackInfrastructure, OpenStackMachine, OpenStackNetwork, OpenStackResource } from '../../src/constructs/infrastructures/openstack';
import { ProxmoxInfrastructure, ProxmoxInfrastructureProps } from '../../src/constructs/infrastructures/proxmox/proxmox-infrastructure';
import { ProxmoxMachine, ProxmoxMachineProps, ProxmoxTemplate } from '../../src/constructs/infrastructures/proxmox/proxmox-machine';
import { VSphereInfrastructure, VSphereInfrastructureProps } from '../../src/constructs/infrastructures/vsphere/vsphere-infrastructure';
import { VSphereMachine, VSphereMachineProps } from '../../src/constructs/infrastructures/vsphere/vsphere-machine';
import { VSpherePlace, VSphereZone, VSphereZoneProps } from '../../src/constructs/infrastructures/vsphere/vsphere-zone';
import { VultrInfrastructure } from '../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { VultrMachine } from '../../src/constructs/infrastructures/vultr/vultr-machine';
import { CdiInstallation } from '../../src/constructs/management/cdi-installation';
import { KubevirtInstallation } from '../../src/constructs/management/kubevirt-installation';
import { ManagementCluster } from '../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../src/constructs/management/operator-manifest';
import { ClusterMonitoring } from '../../src/constructs/monitoring/cluster-monitoring';
import { CustomResourceMetrics } from '../../src/constructs/monitoring/custom-resource-metrics';
import { Operator } from '../../src/constructs/operators/controller/operator';
import { OperatorProps } from '../../src/constructs/operators/controller/operator-props';
import { ClusterList } from '../../src/constructs/repository/fleet/cluster-list';
import { Fleet } from '../../src/constructs/repository/fleet/fleet';
import { FleetProps } from '../../src/constructs/repository/fleet/fleet-props';
import { NetworkIsolation } from '../../src/constructs/tenant/isolation/network-isolation';
import { ServiceIsolation } from '../../src/constructs/tenant/isolation/service-isolation';
import { TenantIsolation } from '../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../src/constructs/tenant/tenant-cluster-props';
import { KUBEVIRT_PROPS } from '../constructs/blueprints/blueprint-props';
import { Manifest } from '../support/clusters';
import { knownManagementCluster } from '../support/management';
import { synthesize } from '../support/outputs';
import { TeamSettings } from '../support/team-application';

/** Says what the machines see around them. */
const MANAGEMENT = knownManagementCluster();

/** The least that a fleet can be. */
const ONE_CLUSTER: FleetProps = {
  clusters: ClusterList.of([{ name: 'acme', kubernetesVersion: '1.35.4', network: 'one', region: 'here' }]),
  profiles: {
    plain: {
      props: () => ({ controlPlane: new KamajiControlPlane(), infrastructure: new KubevirtInfrastructure(), cni: Cni.none() }),
      populate: () => undefined,
    },
  },
};

/** Gives control planes on machines an address. */
const BALANCED = new KubevirtInfrastructure({ controlPlaneService: { type: ControlPlaneServiceType.LOAD_BALANCER } });

const CSI_IMAGE = 'registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2';
const SIZE = Size.gibibytes(20);
const IMAGE = 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4';
const MANIFEST_CLUSTER = { apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleCluster' };
const MANIFEST_MACHINE = { apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleMachineTemplate', infrastructureKind: 'ExampleCluster' };
const MACHINE = { cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: IMAGE }) };

const NIFCLOUD = { region: 'jp-east-1', credentials: { secretName: 'nifcloud-api' } };
const NIFCLOUD_PLATFORM = { ...NIFCLOUD, zones: ['east-11'] };
const CLASSES = [{ name: 'disk' }];
const BALANCER = { vip: '192.168.10.10', subnet: '192.168.10.0/24', networkInterface: 'ens192', virtualRouterId: 51 };

/** Options of whichever interface. */
type Options = Manifest;

const CONTROL_PLANE_MACHINE = new KubevirtMachine({ ...MACHINE, rootDisk: RootDisk.registry({ url: `docker://${IMAGE}`, size: SIZE }) });

const BARE_METAL = { url: 'https://images.example.com/node.raw', checksum: 'https://images.example.com/node.raw.sha256' };

const OPENSTACK = {
  identity: OpenStackIdentity.secret({ name: 'acme-clouds', cloudName: 'openstack' }),
  network: OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }),
};
const FLAVOR = { flavor: 'm1.large', image: OpenStackResource.named('ubuntu-2404') };

const NRT = new VultrInfrastructure({ region: 'nrt' });
const VCENTER = { server: 'vcenter.example.com', datacenter: 'dc1' };
const VSPHERE_MACHINE: VSphereMachineProps = { template: 'ubuntu-2404', cpu: 2, memory: Size.gibibytes(4), networkDevices: [{ network: 'nodes' }] };
const VSPHERE_ZONE: VSphereZoneProps = {
  ...VCENTER,
  name: 'room-1',
  computeCluster: 'cluster-1',
  region: { name: 'dc1', category: 'k8s-region', place: VSpherePlace.DATACENTER },
  zone: { name: 'room-1', category: 'k8s-zone', place: VSpherePlace.COMPUTE_CLUSTER },
};
const PROXMOX_ADDRESSES = { addresses: ['192.0.2.11-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' };
const PROXMOX_MACHINE: ProxmoxMachineProps = { template: ProxmoxTemplate.id(110, 'pve1'), cores: 2, memory: Size.gibibytes(4), networkDevices: [{ bridge: 'vmbr0' }] };
const SNAPSHOT = '00000000-0000-4000-8000-000000000001';
const REPOSITORY = new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'clusters/hall-1' } });

/** No file of an operator is in this repository. */
const OPERATORS = {
  kubevirt: KubevirtInstallation.operator({ operator: OperatorManifest.release() }),
  cdi: CdiInstallation.operator({ operator: OperatorManifest.release() }),
};

/** Somebody who uses options. */
export interface OptionUser {
  /** Options that are given in any case. */
  readonly needs: object;

  /** Writes what has the options, `needs` among them. */
  readonly write: (options: object) => string;
}

const BLUEPRINT = { ...KUBEVIRT_PROPS, infraSnapshotClass: undefined };

/** For each interface of options somebody who uses it. */
export const OPTION_USERS: Readonly<Record<string, OptionUser>> = {
  TenantClusterProps: user({}, (given) => tenant(given)),
  CompanyNetworkProps: user({}, (given) => tenant({ companyNetwork: new CompanyNetwork(given) })),
  ImportedManagementClusterProps: user({}, (given) => tenant({ managementCluster: new ImportedManagementCluster(given) })),
  FleetProps: user(ONE_CLUSTER, (given) => synthesize((app) => { new Fleet(app, 'fleet', given); }).management),
  TenantIsolationProps: user({}, (given) => tenant({ managementCluster: MANAGEMENT, isolation: new TenantIsolation(given) })),
  ClusterMonitoringProps: user({}, (given) => tenant({ monitoring: new ClusterMonitoring(given) })),
  CustomResourceMetricsProps: user({ namespace: 'monitoring', serviceAccount: 'kube-state-metrics' }, (given) => (
    written((app) => new CustomResourceMetrics(new Chart(app, 'metrics'), 'Metrics', given)))),
  NetworkIsolationOptions: user(
    {},
    (given) => tenant({ managementCluster: MANAGEMENT, isolation: new TenantIsolation({ network: NetworkIsolation.networkPolicies(given) }) }),
  ),
  ServiceIsolationOptions: user(
    {},
    (given) => tenant({ managementCluster: MANAGEMENT, isolation: new TenantIsolation({ services: ServiceIsolation.admissionPolicy(given) }) }),
  ),
  ClusterAutoscalerOptions: user({}, (given) => tenant({ clusterAutoscaler: ClusterAutoscaler.of(given) })),

  KamajiControlPlaneProps: user({}, (given) => kamaji(given)),
  KamajiKonnectivityOptions: user({}, (given) => kamaji({ konnectivity: KamajiKonnectivity.managed(given) })),
  KamajiLoadBalancerOptions: user({}, (given) => kamaji({ exposure: KamajiExposure.loadBalancer(given) })),
  KamajiNodePortOptions: user(
    { address: '192.0.2.20', port: 30443, konnectivityPort: 30132 },
    (given) => kamaji({ exposure: KamajiExposure.nodePort(given) }),
  ),
  KamajiClusterIpOptions: user({}, (given) => kamaji({ exposure: KamajiExposure.clusterIp(given) })),
  KamajiIngressOptions: user({ hostname: 'acme.example.com' }, (given) => kamaji({ exposure: KamajiExposure.ingress(given) })),
  KamajiGatewayOptions: user(
    { name: 'tenants', namespace: 'gateways', hostname: 'acme.example.com' },
    (given) => kamaji({ exposure: KamajiExposure.gateway(given) }),
  ),

  KubeadmControlPlaneProps: user(
    { machine: CONTROL_PLANE_MACHINE },
    (given) => tenant({ infrastructure: BALANCED, controlPlane: new KubeadmControlPlane(given) }),
  ),

  KubevirtInfrastructureProps: user({}, (given) => tenant({ infrastructure: new KubevirtInfrastructure(given) })),
  KubevirtCloudControllerManagerOptions: user(
    {},
    (given) => tenant({ infrastructure: new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.of(given) }) }),
  ),
  KubevirtCsiDriverOptions: user({ image: CSI_IMAGE }, (given) => storage(KubevirtCsiDriver.of(given))),
  KubevirtCsiNodeOptions: user({}, (given) => storage(KubevirtCsiDriver.of({ image: CSI_IMAGE, node: given }))),
  KubevirtMachineProps: user(MACHINE, (given) => machine(given)),
  ContainerDiskOptions: user({ image: IMAGE }, (given) => machine({ rootDisk: RootDisk.containerDisk(given) })),
  HttpDiskOptions: user({ url: 'https://images.example.com/node.qcow2', size: SIZE }, (given) => machine({ rootDisk: RootDisk.http(given) })),
  RegistryDiskOptions: user({ url: `docker://${IMAGE}`, size: SIZE }, (given) => machine({ rootDisk: RootDisk.registry(given) })),
  ClonedDiskOptions: user({ claimName: 'ubuntu', size: SIZE }, (given) => machine({ rootDisk: RootDisk.clonePvc(given) })),
  SnapshotDiskOptions: user({ snapshotName: 'ubuntu', size: SIZE }, (given) => machine({ rootDisk: RootDisk.snapshot(given) })),
  BlankDiskOptions: user({ name: 'data', size: SIZE }, (given) => machine({ extraDisks: [ExtraDisk.blank(given)] })),
  EphemeralDiskOptions: user({ name: 'data', size: SIZE }, (given) => machine({ extraDisks: [ExtraDisk.ephemeral(given)] })),

  NodePoolProps: user({ machine: new KubevirtMachine(MACHINE), size: PoolSize.fixed(3) }, (given) => pool(given)),
  AutoscalingOptions: user({}, (given) => pool({ size: PoolSize.between(1, 3, given) })),
  KubeletOptions: user({}, (given) => pool({ kubelet: given })),
  HealthCheckOptions: user({}, (given) => pool({ healthCheck: HealthCheck.of(given) })),
  RollingUpdateOptions: user({}, (given) => pool({ rollout: RolloutStrategy.rollingUpdate(given) })),
  KubeadmBootstrapProps: user({}, (given) => tenant({ bootstrap: new KubeadmBootstrap(given) })),

  FluxDeliveryProps: user({}, (given) => delivered(new FluxDelivery(given))),
  ArgoCdDeliveryProps: user({}, (given) => delivered(new ArgoCdDelivery(given))),
  FluxEntryPointsProps: user({ sourceName: 'fleet' }, (given) => entry(new FluxEntryPoints(given))),
  ArgoCdEntryPointsProps: user(
    { repoUrl: 'https://git.example.com/fleet.git', targetRevision: 'main' },
    (given) => entry(new ArgoCdEntryPoints(given)) + entry(new ArgoCdApplicationSet(given)),
  ),
  HelmChartProxyDeliveryProps: user({}, (given) => delivered(new HelmChartProxyDelivery(given))),
  ClusterResourceSetDeliveryProps: user(
    {},
    (given) => tenant({ delivery: new ClusterResourceSetDelivery(given) }, (cluster) => cluster.addAddon(new TeamSettings(false))),
  ),

  ImageSourcesProps: user({}, (given) => tenant({ images: new ImageSources(given) })),
  ManifestInfrastructureProps: user(MANIFEST_CLUSTER, (given) => manifests(given)),
  ManifestMachineProps: user(MANIFEST_MACHINE, (given) => manifests(MANIFEST_CLUSTER, given)),
  ManifestControlPlaneProps: user({ apiVersion: 'controlplane.example.com/v1', kind: 'ExampleControlPlane' }, (given) => (
    manifests(MANIFEST_CLUSTER, MANIFEST_MACHINE, new ManifestControlPlane(given)))),
  ManifestBootstrapProps: user({ apiVersion: 'bootstrap.example.com/v1', kind: 'ExampleConfigTemplate' }, (given) => (
    tenant({}, (cluster) => cluster.addNodePool('own', { machine: new KubevirtMachine(MACHINE), size: PoolSize.fixed(1), bootstrap: new ManifestBootstrap(given) })))),
  DevInfrastructureProps: user({}, (given) => development(new DevInfrastructure(given), new DevMachine())),
  DevMachineProps: user({}, (given) => development(new DevInfrastructure(), new DevMachine(given))),
  Metal3InfrastructureProps: user({}, (given) => bareMetal(given)),
  Metal3MachineProps: user({ image: BARE_METAL }, (given) => bareMetal({}, given as Metal3MachineProps)),
  Metal3AddressPoolProps: user(
    { name: 'nodes', addresses: ['192.0.2.20-192.0.2.60'], prefix: 24 },
    (given) => bareMetal({}, { image: BARE_METAL, nodeAddressPool: new Metal3AddressPool(given) }),
  ),
  Metal3RebootOptions: user({}, (given) => bareMetal({}, { image: BARE_METAL, remediation: Metal3Remediation.reboot(given) })),
  OpenStackInfrastructureProps: user(OPENSTACK, (given) => development(new OpenStackInfrastructure(given), new OpenStackMachine(FLAVOR))),
  OpenStackMachineProps: user(FLAVOR, (given) => development(new OpenStackInfrastructure(OPENSTACK), new OpenStackMachine(given))),
  ProxmoxInfrastructureProps: user({ ipv4: PROXMOX_ADDRESSES, dnsServers: ['192.0.2.2'] }, (given) => proxmox(given)),
  ProxmoxMachineProps: user(PROXMOX_MACHINE, (given) => proxmox({}, given)),
  VSphereInfrastructureProps: user(VCENTER, (given) => vsphere(given)),
  VSphereMachineProps: user(VSPHERE_MACHINE, (given) => vsphere({}, given)),
  VSphereZoneProps: user(VSPHERE_ZONE, (given) => {
    const app = Testing.app();
    new VSphereZone(new Chart(app, 'zones'), 'zone', given);
    return app.synthYaml();
  }),
  VultrInfrastructureProps: user({ region: 'nrt' }, (given) => vultr(new VultrInfrastructure(given))),
  VultrMachineProps: user(
    { infrastructure: NRT, plan: 'vc2-2c-4gb', snapshotId: SNAPSHOT, capacity: { cpu: 2, memory: Size.gibibytes(4) } },
    (given) => vultr(NRT, new VultrMachine(given)),
  ),

  KubeadmClusterProps: user({}, (given) => kubeadm(given)),
  KubeadmNode: user({ name: 'node02', address: '192.168.10.22' }, (given) => kubeadm({ workers: [given as KubeadmNode] })),
  HostFile: user({ path: '/etc/own', content: 'own\n' }, (given) => kubeadm({ files: [given as HostFile] })),
  KubeadmLoadBalancerHost: user({ name: 'lb01', address: '192.168.10.11' }, (given) => kubeadm({
    loadBalancer: KubeadmLoadBalancer.haproxyHosts({ ...BALANCER, hosts: [{ name: 'lb00', address: '192.168.10.12', priority: 101 }, given as KubeadmNode] }),
  })),
  NifcloudPlatformProps: user({ ...NIFCLOUD_PLATFORM, storageClasses: CLASSES }, (given) => nifcloud(given)),
  NifcloudNetworkInterfaces: user({}, (given) => nifcloud({ networkInterfaces: given })),
  NifcloudCloudControllerManagerProps: user({}, (given) => nifcloud({ cloudControllerManager: given })),
  NifcloudCsiDriverProps: user(
    NIFCLOUD, (given) => nifcloud({}, (cluster) => cluster.addAddon(new NifcloudCsiDriver(given as NifcloudCsiDriverProps))),
  ),
  NifcloudStorageClass: user({ name: 'disk' }, (given) => nifcloud({ storageClasses: [given] })),

  ManagementClusterProps: user({ namespace: 'flux-system', delivery: REPOSITORY, ...OPERATORS }, (given) => (
    synthesize((app) => { new ManagementCluster(app, 'hall-1', given); }).management)),
  OperatorProps: user({ image: 'registry.example.com/operator:v1.0.0', permissions: [] }, (given) => operator(given)),

  DiyCloudProps: user(BLUEPRINT, (given) => written((app) => new DiyCloud(app, 'acme', given))),
  GpuClusterProps: user({ ...BLUEPRINT, gpuDevice: 'nvidia.com/AD102GL_L40S' }, (given) => written((app) => new GpuCluster(app, 'acme', given))),
  HighlyAvailableProps: user(BLUEPRINT, (given) => written((app) => new HighlyAvailable(app, 'acme', given))),
  PlatformClusterProps: user(
    { ...BLUEPRINT, logOutputs: '[OUTPUT]\n    Name stdout\n', backup: { bucket: 'acme' } }, (given) => written((app) => new PlatformCluster(app, 'acme', given)),
  ),
  SmallEdgeProps: user(BLUEPRINT, (given) => written((app) => new SmallEdge(app, 'acme', given))),
  VultrStarterProps: user(
    { namespace: 'acme', kubernetesVersion: '1.35.4', region: 'nrt', snapshotId: SNAPSHOT }, (given) => written((app) => new VultrStarter(app, 'acme', given)),
  ),

  HelmAddonProps: user(
    { chart: 'own', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'own' }, (given) => addon(new HelmAddon('own', given)),
  ),
};

/** Options that addons need beside those under test. */
const NEEDED: Readonly<Record<string, object>> = {
  ExternalDns: { provider: 'aws' },
  FluentBit: { outputs: '[OUTPUT]\n    Name stdout\n' },
  Vector: { sinks: { out: { type: 'console', inputs: ['logs'], encoding: { codec: 'json' } } } },
  Velero: { provider: 'aws', bucket: 'backups' },
  VictoriaMetricsAgent: { remoteWrite: [{ url: 'https://metrics.example.com/api/v1/write' }] },
};

/** A user of the options of an addon of the library. */
export function addonUser(name: string, type: new (props: object) => Addon): OptionUser {
  return user(NEEDED[name] ?? {}, (given) => {
    const made = new type(given);
    return made instanceof Cni ? tenant({ delivery: new FluxDelivery(), cni: made }) : addon(made);
  });
}

function user(needs: object, write: (options: Options) => string): OptionUser {
  return { needs, write };
}

function tenant(props: Partial<TenantClusterProps>, more: (cluster: TenantCluster) => void = () => undefined): string {
  const app = Testing.app();
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane(),
    infrastructure: new KubevirtInfrastructure(),
    cni: Cni.none(),
    ...props,
  });
  cluster.addNodePool('general', { machine: new KubevirtMachine(MACHINE), size: PoolSize.between(1, 3) });
  more(cluster);
  return app.synthYaml();
}

function written(build: (app: App) => void): string {
  const app = Testing.app();
  build(app);
  return app.synthYaml();
}

function kamaji(props: KamajiControlPlaneProps): string {
  return tenant({ controlPlane: new KamajiControlPlane(props) });
}

function pool(props: Partial<NodePoolProps>): string {
  return tenant({}, (cluster) => { cluster.addNodePool('other', { machine: new KubevirtMachine(MACHINE), size: PoolSize.fixed(3), ...props }); });
}

function machine(props: Partial<KubevirtMachineProps>): string {
  return pool({ machine: new KubevirtMachine({ ...MACHINE, ...props }) });
}

function delivered(delivery: Delivery): string {
  return tenant({ delivery, cni: new Cilium() }, (cluster) => cluster.addAddon(new TeamSettings(true)));
}

function storage(csiDriver: KubevirtCsiDriver): string {
  const infrastructure = new KubevirtInfrastructure({ storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }], csiDriver });
  return tenant({ infrastructure, cni: new Cilium(), delivery: new FluxDelivery() });
}

function development(infrastructure: Infrastructure, node: Machine): string {
  const app = Testing.app();
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme', kubernetesVersion: '1.35.4', controlPlane: new KubeadmControlPlane({ machine: node }), infrastructure, cni: Cni.none(),
  });
  cluster.addNodePool('general', { machine: node, size: PoolSize.fixed(1) });
  return app.synthYaml();
}

/** A cluster of a provider that the library has no class for. */
function manifests(
  infrastructure: ManifestPartProps, node: ManifestMachineProps = MANIFEST_MACHINE, controlPlane: ControlPlane = new KamajiControlPlane(),
): string {
  const app = Testing.app();
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme', kubernetesVersion: '1.35.4', controlPlane, infrastructure: new ManifestInfrastructure(infrastructure), cni: Cni.none(),
  });
  cluster.addNodePool('general', { machine: new ManifestMachine(node), size: PoolSize.fixed(1) });
  return app.synthYaml();
}

function proxmox(infrastructure: Partial<ProxmoxInfrastructureProps>, node: Partial<ProxmoxMachineProps> = {}): string {
  const given = { ipv4: PROXMOX_ADDRESSES, dnsServers: ['192.0.2.2'], api: { url: 'https://pve.example.com:8006/api2/json', region: 'dc1' }, ...infrastructure };
  const app = Testing.app();
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new ProxmoxInfrastructure({ zones: [{ name: 'b', dnsServers: ['192.0.2.2'], ipv4: PROXMOX_ADDRESSES }], ...given }),
    cni: new Calico(),
    delivery: new FluxDelivery(),
  });
  cluster.addNodePool('general', { machine: new ProxmoxMachine({ ...PROXMOX_MACHINE, ...node }), size: PoolSize.between(1, 3) });
  return app.synthYaml();
}

function bareMetal(infrastructure: Options, props: Metal3MachineProps = { image: BARE_METAL }): string {
  const cluster = { infrastructure: new Metal3Infrastructure(infrastructure), controlPlane: new KamajiControlPlane({ exposure: KamajiExposure.loadBalancer({ address: '192.0.2.10' }) }) };
  return tenant(cluster, (owner) => owner.addNodePool('hosts', { machine: new Metal3Machine(props), size: PoolSize.fixed(1) }));
}

function vsphere(infrastructure: Partial<VSphereInfrastructureProps>, node: Partial<VSphereMachineProps> = {}): string {
  const app = Testing.app();
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new VSphereInfrastructure({ storageClasses: [{ name: 'gold', isDefault: true }], ...VCENTER, ...infrastructure }),
    cni: new Calico(),
    delivery: new FluxDelivery(),
  });
  cluster.addNodePool('general', { machine: new VSphereMachine({ ...VSPHERE_MACHINE, ...node }), size: PoolSize.between(1, 3) });
  return app.synthYaml();
}

function vultr(infrastructure: VultrInfrastructure, node?: VultrMachine): string {
  const app = Testing.app();
  const server = new VultrMachine({ infrastructure, plan: 'vc2-4c-8gb', snapshotId: SNAPSHOT, capacity: { cpu: 4, memory: Size.gibibytes(8) } });
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KubeadmControlPlane({ machine: server }),
    infrastructure,
    cni: new Calico(),
    delivery: new FluxDelivery(),
  });
  cluster.addNodePool('general', { machine: node ?? server, size: PoolSize.between(1, 3) });
  return app.synthYaml();
}

/** The files of a cluster without Cluster API. */
function kubeadm(props: Partial<KubeadmClusterProps>, more: (cluster: KubeadmCluster) => void = () => undefined): string {
  const { hosts } = synthesize((app) => more(new KubeadmCluster(app, 'ha', {
    kubernetesVersion: '1.35.4',
    controlPlaneEndpoint: 'api.example.com:6443',
    loadBalancer: KubeadmLoadBalancer.external(),
    controlPlaneNodes: [{ name: 'node01', address: '192.168.10.21', zone: 'east-11' }],
    ...props,
  })));
  return JSON.stringify(hosts);
}

function nifcloud(props: Options, more?: (cluster: KubeadmCluster) => void): string {
  return kubeadm({ cni: new Cilium(), platform: new NifcloudPlatform({ ...NIFCLOUD_PLATFORM, ...props }) }, more);
}

function operator(props: OperatorProps): string {
  const app = Testing.app();
  new Operator(new Chart(app, 'operator', { namespace: 'operator', disableResourceNameHashes: true }), 'operator', props);
  return app.synthYaml();
}

/** With whatever the addon requires. */
function addon(made: Addon): string {
  const controlPlane = new KamajiControlPlane({ coreDns: made.provides.includes(AddonCapability.CLUSTER_DNS) ? KamajiCoreDns.none() : undefined });
  const publishes = made.provides.includes(AddonCapability.DEFAULT_LOAD_BALANCER);
  const infrastructure = new KubevirtInfrastructure({
    cloudControllerManager: publishes ? KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }) : undefined,
  });
  return tenant({ delivery: new FluxDelivery(), cni: new Cilium(), controlPlane, infrastructure }, (cluster) => {
    cluster.addAddon(made);
    if (made.requires.includes(AddonCapability.GATEWAY_API)) cluster.addAddon(new GatewayApi());
    if (made.requires.includes(AddonCapability.RESOURCE_METRICS)) cluster.addAddon(new MetricsServer());
  });
}

/** Objects of entry points for one folder, and for all. */
function entry(entryPoints: EntryPoints): string {
  const chart = Testing.chart();
  const target = { name: 'a', folder: 'clusters/a/a', after: [], waitFor: { namespace: 'a', name: 'a' }, infrastructureKinds: [] };
  entryPoints.addEntry(chart, target);
  entryPoints.addShared(chart, [target]);
  return `${entryPoints.addonsApart} ${JSON.stringify(chart.toJson())}`;
}
