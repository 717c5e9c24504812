import { Construct } from 'constructs';
import { OpenStackApiServer } from './openstack-api-server';
import { openStackAddons } from './openstack-charts';
import { OpenStackIdentity } from './openstack-identity';
import { OpenStackNetwork } from './openstack-network';
import { OpenStackResource } from './openstack-resource';
import { OpenStackSecurityGroups } from './openstack-security-groups';
import { OPENSTACK_CLUSTER_KIND } from '../../../manifests/systems/openstack/openstack-objects';
import { CLUSTER } from '../../../manifests/systems/openstack/page-parts';
import {
  API_SERVER_PORT, ApiServerAddresses, ClusterContext, ClusterIdentity, endpointOwner, IgnitionSetup, Infrastructure, InfrastructureCapabilities,
  InfrastructureConfig, NodeName, objectFields, Problems, ProviderObjects, ProviderPrograms, ProviderStorageClass, Rule, TenantSecret,
} from '../contract';

/**
 * Setup of nodes with Ignition: variables of Flatcar's metadata service. The host name may have a domain, which the name of the server does not have.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack kustomize/flatcar/patch-flatcar.yaml.
 */
const IGNITION: IgnitionSetup = {
  environmentFile: '/run/metadata/flatcar',
  requiredUnits: ['coreos-metadata.service'],
  // Puts the key of sshKeyName on the machine.
  enabledUnits: ['coreos-metadata-sshkeys@.service'],
  nodeName: '${COREOS_OPENSTACK_HOSTNAME}',
  kubeletArguments: { 'provider-id': 'openstack:///${COREOS_OPENSTACK_INSTANCE_UUID}' },
  preKubeadmCommands: ['export COREOS_OPENSTACK_HOSTNAME="${COREOS_OPENSTACK_HOSTNAME%%.*}"'],
};

/** Options of the infrastructure of a cluster in OpenStack. */
export interface OpenStackInfrastructureProps extends ProviderPrograms {
  /** Credentials of the provider. */
  readonly identity: OpenStackIdentity;

  /** Network of the machines. */
  readonly network: OpenStackNetwork;

  /**
   * Network that floating IPs come from, and that a router of the provider is connected to.
   *
   * @default - the only external network of the cloud. Several are an error of the provider
   */
  readonly externalNetwork?: OpenStackResource;

  /**
   * True if the cluster has no external network, so that there are no floating IPs.
   *
   * @default false
   */
  readonly disableExternalNetwork?: boolean;

  /**
   * Address of the API server of a control plane on machines. A control plane that makes its address itself has none here, such as
   * `KamajiControlPlane`, or a `KubeadmControlPlane` with `ControlPlaneEndpoint.kubeVip(…)` or `external(…)`.
   *
   * Rule: `TC-OPENSTACK-API-SERVER`.
   *
   * @default - OpenStackApiServer.loadBalancer() where the control plane leaves its address to the infrastructure
   */
  readonly apiServer?: OpenStackApiServer;

  /**
   * Security groups of the machines.
   *
   * @default OpenStackSecurityGroups.managed()
   */
  readonly securityGroups?: OpenStackSecurityGroups;

  /**
   * Availability zones of Nova that pools may name as `failureDomain`.
   *
   * @default - not known, and not checked
   */
  readonly availabilityZones?: string[];

  /**
   * Availability zones that control plane machines are spread over.
   *
   * @default - all zones of the cloud
   */
  readonly controlPlaneAvailabilityZones?: string[];

  /**
   * Tags of everything that is created in OpenStack and can have tags. They cannot be changed later.
   *
   * @default - none
   */
  readonly tags?: string[];

  /**
   * Secret whose key `cloud.conf` configures cloud controller manager and CSI driver in the tenant. Use application credentials of a project of the tenant's
   * own: its administrators can read them.
   *
   * @default TenantSecret.carried() - as `cloud-config`, from the Secret `<cluster>-tenant-cloud-config`
   */
  readonly cloudConfig?: TenantSecret;

  /**
   * Storage classes of the tenant. Parameters are `type`, a volume type of Cinder, and `availability`, a zone of Cinder; by default, volumes are in the zone
   * of their node.
   *
   * @default - none, and no CSI driver
   */
  readonly storageClasses?: ProviderStorageClass[];
}

const API_SERVER_RULE: Rule = {
  id: 'TC-OPENSTACK-API-SERVER',
  title: 'The address of the API server must be made by the control plane or by the infrastructure, not by both.',
  source: 'kubernetes-sigs/cluster-api-provider-openstack controllers/openstackcluster_controller.go (reconcileControlPlaneEndpoint), '
    + 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go (patchOpenStackCluster)',
};

/**
 * Machines in OpenStack, made by Cluster API's provider for OpenStack (`OpenStackCluster`, v1beta1, release v0.14), which needs the OpenStack Resource
 * Controller beside it. Nodes have the id of their server as provider ID.
 *
 * The control plane runs on machines of the cluster (`KubeadmControlPlane`), or in the management cluster (`KamajiControlPlane`, whose provider writes
 * its address into the `OpenStackCluster`). Most of the object cannot be changed later.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack v0.14.7 api/v1beta1/openstackcluster_types.go.
 *
 * @example
 * new openstack.OpenStackInfrastructure({
 *   identity: openstack.OpenStackIdentity.secret({ name: 'acme-cloud-config', cloudName: 'openstack' }),
 *   network: openstack.OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }),
 *   externalNetwork: openstack.OpenStackResource.named('public'),
 * });
 */
export class OpenStackInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(private readonly props: OpenStackInfrastructureProps) {
    super();
    this.capabilities = {
      clusterKind: OPENSTACK_CLUSTER_KIND,
      provider: 'openstack',
      externalCloudProvider: true,
      reservedCidrs: props.network._cidrs,
      failureDomains: props.availabilityZones,
      viewableResources: ProviderObjects.resources('openstackclusters', 'openstackmachines', 'openstackservers'),
      nodeSetup: {
        // As the provider has it for a machine without a region of its own (controllers/openstackmachine_controller.go).
        kubeletArguments: { 'provider-id': 'openstack:///{{ ds.meta_data.uuid }}' },
        nodeName: NodeName.LOCAL_HOSTNAME,
        ignition: IGNITION,
      },
    };
  }

  /**
   * The floating IP, if the page has it.
   *
   * @param _cluster the cluster
   */
  public override apiServerAddresses(_cluster: ClusterIdentity): ApiServerAddresses {
    const host = this.props.apiServer?._host;
    return host === undefined ? {} : { published: { host, port: API_SERVER_PORT } };
  }

  /**
   * Makes the `OpenStackCluster` of one tenant cluster, and what carries the configuration of its programs to the tenant.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const owner = endpointOwner(context.controlPlane);
    if (owner !== undefined && this.props.apiServer) {
      Problems.of(scope).add({
        rule: API_SERVER_RULE, property: 'infrastructure.apiServer', message: `the address of the API server is made by ${owner}`, fix: 'remove apiServer',
      });
    }
    const { network, disableExternalNetwork = false, securityGroups = OpenStackSecurityGroups.managed() } = this.props;
    const resource = ProviderObjects.cluster(scope, context, objectFields(CLUSTER, this.props, {
      network: undefined,
      ...network._spec,
      apiServerLoadBalancer: undefined,
      ...this.endpointFields(context),
      // Without an external network the definition accepts nothing else.
      ...(disableExternalNetwork && { disableExternalNetwork, disableAPIServerFloatingIP: true }),
      // The provider creates networks of IPv4 (pkg/cloud/services/networking/network.go).
      managedSecurityGroups: securityGroups._render(context, network._cidrs !== undefined),
    }, {
      ...Object.fromEntries(['managedSubnets', 'subnets', 'router'].map((field) => [field, 'network'])),
      ...Object.fromEntries(['apiServerFloatingIP', 'disableAPIServerFloatingIP'].map((field) => [field, 'apiServer'])),
    }));
    return { resource, addons: openStackAddons(scope, this.props, context) };
  }

  private endpointFields({ controlPlane, network: { apiServerPort } }: ClusterContext): object {
    if (endpointOwner(controlPlane) === undefined) {
      return { ...(this.props.apiServer ?? OpenStackApiServer.loadBalancer())._spec, ...(apiServerPort !== API_SERVER_PORT && { apiServerPort }) };
    }
    // Kamaji's provider writes apiServerFixedIP and apiServerPort, which the webhook accepts once, and only where they are not set here.
    const { infrastructureEndpoint } = controlPlane;
    return { disableAPIServerFloatingIP: true, ...(infrastructureEndpoint && { controlPlaneEndpoint: infrastructureEndpoint }) };
  }
}
