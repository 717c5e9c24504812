import { Construct } from 'constructs';
import { ProxmoxAddresses, ProxmoxClusterPool, ProxmoxZone } from './proxmox-addresses';
import { checkTenantPrograms, ProxmoxApi, proxmoxAddons, ProxmoxStorageClass } from './proxmox-charts';
import { CLUSTER } from '../../../manifests/systems/proxmox/page-parts';
import { PROXMOX_CLUSTER_KIND } from '../../../manifests/systems/proxmox/proxmox-objects';
import {
  ClusterContext, IgnitionSetup, Infrastructure, InfrastructureCapabilities, InfrastructureConfig, MachineAddressPool, objectFields, Problems,
  ProviderObjects, ProviderPrograms,
} from '../contract';

/**
 * The ID by which Cluster API recognizes a node: that of the BIOS of its machine, which is the instance ID of cloud-init.
 *
 * Source: ionos-cloud/cluster-api-provider-proxmox pkg/cloudinit/metadata.go, templates/cluster-template.yaml.
 */
const PROVIDER_ID = 'proxmox://{{ ds.meta_data.instance_id }}';

/**
 * Setup of nodes with Ignition, for which the provider writes the host name, and this file.
 *
 * Source: ionos-cloud/cluster-api-provider-proxmox pkg/ignition/enrich.go, templates/cluster-template-flatcar.yaml.
 */
const IGNITION: IgnitionSetup = {
  environmentFile: '/etc/proxmox-env',
  kubeletArguments: { 'provider-id': 'proxmox://${COREOS_CUSTOM_INSTANCE_ID}' },
};

/** Options of the infrastructure of a cluster on Proxmox VE. */
export interface ProxmoxInfrastructureProps extends ProviderPrograms {
  /**
   * IPv4 addresses of machines. One of `ipv4` and `ipv6` is required.
   *
   * @default - none
   */
  readonly ipv4?: ProxmoxAddresses;

  /**
   * IPv6 addresses of machines.
   *
   * @default - none
   */
  readonly ipv6?: ProxmoxAddresses;

  /** DNS servers of machines, one or more addresses. */
  readonly dnsServers: string[];

  /**
   * Parts of the data center with addresses of their own. Machines choose one by `zone`.
   *
   * @default - none: all machines get the addresses above
   */
  readonly zones?: ProxmoxZone[];

  /**
   * Nodes of Proxmox VE that machines are put on: the one with the fewest machines of the cluster that has enough memory. Machines may have
   * a list of their own.
   *
   * @default - the node that has the template
   */
  readonly allowedNodes?: string[];

  /**
   * Percentage of the memory of a node that machines may have in total, a whole number from 0. `300` lets machines have three times the
   * memory, `95` leaves 5 % to the node, and `0` has machines put on nodes without regard to memory.
   *
   * @default 100
   */
  readonly memoryPercentage?: number;

  /**
   * Name of the Secret with the credentials of the provider, in the namespace of the cluster: keys `url` (`https://pve.example.com:8006`),
   * `token` (`capmox@pve!capi`), `secret`, and for certificates `insecure: "false"` and, for a certificate authority of your own, `root_ca`.
   * Without `insecure` the provider verifies no certificate.
   *
   * Rule: `TC-TRAP-PROXMOX-CREDENTIALS`. Source: ionos-cloud/cluster-api-provider-proxmox pkg/scope/cluster.go.
   *
   * @default - the credentials that the provider was installed with
   */
  readonly credentialsSecret?: string;

  /**
   * The API of Proxmox VE for programs in the tenant. With it, the cloud controller manager runs there: it labels nodes with their zone,
   * which is the node of Proxmox VE, and removes those whose machine is gone.
   *
   * @default - no cloud controller manager, as in the templates of the provider
   */
  readonly api?: ProxmoxApi;

  /**
   * Storage classes of the tenant, for volumes on the storage of Proxmox VE. They need `api`; exactly one is the default.
   *
   * Rule: `TC-PROVIDER-STORAGE-CLASS`.
   *
   * @default - none, and no CSI driver
   */
  readonly storageClasses?: ProxmoxStorageClass[];
}

/**
 * Virtual machines of Proxmox VE, made by Cluster API's provider for Proxmox VE (`ProxmoxCluster`, v1alpha2) from version 0.8 on. It gives
 * machines static addresses, so that the management cluster needs Cluster API's in-cluster address provider, too.
 *
 * A control plane on machines needs an endpoint, such as `ControlPlaneEndpoint.kubeVip`; a hosted one such as Kamaji's brings its own.
 *
 * Rule: `TC-ADMIT-PROXMOX-ENDPOINT`. Source: ionos-cloud/cluster-api-provider-proxmox api/v1alpha2, v0.9.0.
 *
 * @example
 * new proxmox.ProxmoxInfrastructure({
 *   ipv4: { addresses: ['192.0.2.11-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' },
 *   dnsServers: ['192.0.2.2'],
 *   allowedNodes: ['pve1', 'pve2', 'pve3'],
 *   credentialsSecret: 'proxmox-credentials',
 * });
 */
export class ProxmoxInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  /** @internal */
  public readonly _props: ProxmoxInfrastructureProps;

  public constructor(props: ProxmoxInfrastructureProps) {
    super();
    this._props = props;
    this.capabilities = {
      clusterKind: PROXMOX_CLUSTER_KIND,
      provider: 'proxmox',
      externalCloudProvider: props.api !== undefined,
      nodeSetup: { kubeletArguments: { 'provider-id': PROVIDER_ID }, ignition: IGNITION },
      // The provider has none, and does not read those of machines.
      failureDomains: [],
      viewableResources: ProviderObjects.resources('proxmoxclusters', 'proxmoxmachines'),
    };
  }

  /**
   * Makes the `ProxmoxCluster` of one tenant cluster, and gives the tenant its cloud controller manager and CSI driver.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    Problems.of(scope).addAll(checkTenantPrograms(this._props));
    const resource = ProviderObjects.cluster(scope, context, objectFields(CLUSTER, this._props, {
      // A hosted control plane writes its endpoint itself, which the provider waits for.
      externalManagedControlPlane: context.controlPlane.endpointManager !== undefined,
      controlPlaneEndpoint: ProviderObjects.endpoint(context),
    }));
    return { resource, addons: proxmoxAddons(scope, this._props, context) };
  }

  /**
   * The pools that each machine takes an address from.
   *
   * @param cluster name of the cluster
   * @param zone name of the zone of the machine
   *
   * @internal
   */
  public _addressPools(cluster: string, zone: string | undefined): MachineAddressPool[] {
    const networks = zone === undefined ? this._props : this._props.zones?.find(({ name }) => name === zone);
    if (!networks) return [];
    const { ipv4, ipv6 } = networks;
    return [
      ...(ipv4 ? [{ pool: new ProxmoxClusterPool(cluster, zone, 'v4', ipv4), property: 'networkDevices' }] : []),
      ...(ipv6 ? [{ pool: new ProxmoxClusterPool(cluster, zone, 'v6', ipv6), property: 'networkDevices' }] : []),
    ];
  }
}
