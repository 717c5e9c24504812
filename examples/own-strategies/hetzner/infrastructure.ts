import type { Construct } from 'constructs';
import { regionsBeside, zoneOf } from './regions';
import {
  type Addon, AddonCapability, type ClusterContext, extension, Infrastructure, type InfrastructureCapabilities, type InfrastructureConfig,
  type ProviderPrograms, type ProviderStorageClass,
} from 'cdk8s-cluster-api';

const API_VERSION = 'infrastructure.cluster.x-k8s.io/v1beta1';

/** The Secret with the token of Hetzner's API, in the namespace of the cluster. The provider copies it into the tenant. */
export interface HetznerCredentials {
  /**
   * Name of the Secret.
   *
   * @default hetzner
   */
  readonly name?: string;

  /**
   * Key of the token.
   *
   * @default hcloud
   */
  readonly tokenKey?: string;
}

/** Properties of a cluster at Hetzner Cloud. */
export interface HetznerInfrastructureProps extends ProviderPrograms {
  /**
   * Regions of the control plane machines, in one network zone, e.g. `['fsn1', 'nbg1']`. The first one has the load balancer of the API server, and
   * cannot be changed.
   */
  readonly regions: string[];

  /** Names of SSH keys in the project, which may log in to each server. */
  readonly sshKeys: string[];

  /**
   * Access to the project.
   *
   * @default - key hcloud of the Secret hetzner
   */
  readonly credentials?: HetznerCredentials;

  /**
   * Type of the load balancer of the API server: lb11, lb21 or lb31.
   *
   * @default lb11
   */
  readonly loadBalancerType?: string;

  /**
   * True if the servers are in a private network of the project. It cannot be changed.
   *
   * @default false
   */
  readonly privateNetwork?: boolean;

  /**
   * Names of placement groups that machines may name: servers of one group run on different hosts.
   *
   * @default - none
   */
  readonly placementGroups?: string[];

  /**
   * Storage classes of volumes of Hetzner Cloud. There is no CSI driver without.
   *
   * @default - none
   */
  readonly storageClasses?: ProviderStorageClass[];
}

/** Hetzner Cloud, by syself/cluster-api-provider-hetzner v1.1.8. */
export class HetznerInfrastructure extends Infrastructure {
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(private readonly props: HetznerInfrastructureProps) {
    super();
    this.capabilities = {
      clusterKind: 'HetznerCluster',
      provider: 'hetzner',
      // Kubelets wait for the cloud controller manager, and register with the id of their server.
      externalCloudProvider: true,
      nodeSetup: { kubeletArguments: { 'provider-id': 'hcloud://{{ v1.instance_id }}' } },
      failureDomains: regionsBeside(props.regions[0]),
      addonCapabilities: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
      viewableResources: extension.ProviderObjects.resources('hetznerclusters', 'hcloudmachines', 'hcloudmachinetemplates'),
    };
  }

  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { regions, sshKeys, credentials = {}, privateNetwork = false, placementGroups = [] } = this.props;
    const { name: secretName = 'hetzner', tokenKey = 'hcloud' } = credentials;
    const resource = extension.ProviderObjects.cluster(scope, context, {
      apiVersion: API_VERSION,
      kind: 'HetznerCluster',
      metadata: { annotations: annotationsOf(context) },
      fields: {
        controlPlaneRegions: regions,
        sshKeys: { hcloud: sshKeys.map((name) => ({ name })) },
        hetznerSecretRef: {
          name: secretName,
          key: {
            hcloudToken: tokenKey,
            hetznerRobotUser: 'hetzner-robot-user',
            hetznerRobotPassword: 'hetzner-robot-password',
            sshKey: 'hcloud-ssh-key-name',
          },
        },
        hcloudNetwork: {
          enabled: privateNetwork, cidrBlock: '10.0.0.0/16', subnetCidrBlock: '10.0.0.0/24', networkZone: zoneOf(regions[0]) ?? 'eu-central',
        },
        hcloudPlacementGroups: placementGroups.length > 0 ? placementGroups.map((name) => ({ name, type: 'spread' })) : undefined,
        controlPlaneLoadBalancer: this.loadBalancer(context),
        controlPlaneEndpoint: extension.ProviderObjects.endpoint(context),
      },
      props: this.props,
      properties: {
        'controlPlaneRegions[*]': 'regions[*]',
        'sshKeys.hcloud[*].name': 'sshKeys[*]',
        'hetznerSecretRef.name': 'credentials.name',
        'hetznerSecretRef.key.hcloudToken': 'credentials.tokenKey',
        'controlPlaneLoadBalancer.type': 'loadBalancerType',
        'controlPlaneLoadBalancer.region': 'regions[0]',
        'hcloudPlacementGroups[*].name': 'placementGroups[*]',
      },
    });
    return { resource, addons: this.programs(scope, context) };
  }

  /** Returns the programs of the tenant, which read the token from the copy of the Secret that the provider makes in the tenant. */
  private programs(scope: Construct, context: ClusterContext): Addon[] {
    const { credentials: { name = 'hetzner', tokenKey: key = 'hcloud' } = {}, storageClasses = [], cloudControllerManager, csiDriver } = this.props;
    return extension.ProviderAddons.of(scope, context, [
      {
        chart: 'ccm-hetzner',
        repository: 'https://charts.syself.com',
        releases: [{ version: '2.0.6' }],
        given: cloudControllerManager,
        provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
        values: { secret: { name } },
      },
      {
        chart: 'hcloud-csi',
        repository: 'https://charts.hetzner.cloud',
        releases: [{ version: '2.22.1' }],
        given: csiDriver,
        values: { controller: { hcloudToken: { existingSecret: { name, key } } }, storageClasses: [] },
        storageDriver: 'csi.hetzner.cloud',
        storageClasses,
      },
    ]);
  }

  /** Returns the load balancer of the API server, which is off where control plane or user bring the endpoint. */
  private loadBalancer({ apiServer: { published }, controlPlane }: ClusterContext): object {
    const { regions, loadBalancerType = 'lb11' } = this.props;
    const enabled = published === undefined && controlPlane.endpointManager === undefined;
    return { enabled, algorithm: 'round_robin', port: controlPlane.apiServerPort, type: loadBalancerType, ...(enabled && { region: regions[0] }) };
  }
}

/**
 * Returns the annotation with which the webhook accepts an object without an endpoint, which the control plane's provider writes later. Not
 * `cluster.x-k8s.io/managed-by`: the provider ignores an object that has it, and the cluster never becomes ready.
 */
function annotationsOf({ controlPlane: { endpointManager } }: ClusterContext): { [key: string]: string } | undefined {
  return endpointManager === undefined ? undefined : { 'capi.syself.com/allow-empty-control-plane-address': 'true' };
}
