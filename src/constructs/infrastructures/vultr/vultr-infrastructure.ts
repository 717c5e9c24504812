import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { addApiKeySet, VultrApiKey } from './api-key';
import { checkApiServerLoadBalancer, renderApiServerLoadBalancer, VultrApiServerLoadBalancer } from './api-server-load-balancer';
import { checkCsiDriver, VultrCsiDriverAddon } from './csi-driver/csi-driver-addon';
import { VultrCsiDriver } from './csi-driver/vultr-csi-driver';
import { VultrStorageClass } from './csi-driver/vultr-storage-class';
import {
  checkCloudControllerManager, VultrCloudControllerManager, VultrCloudControllerManagerAddon,
} from './vultr-cloud-controller-manager';
import { checkServicesInVpc } from './vultr-load-balancer';
import { VultrCluster } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { CONTROL_PLANE_MARK, RUN_COMMANDS } from '../../../manifests/systems/vultr/vultr-objects';
import { compareReleases } from '../../../manifests/values/component-facts';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { Addon } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../../contracts/infrastructure';
import { ForbiddenUserData, InfrastructureCapabilities } from '../../contracts/infrastructure-capabilities';

/** Kind of the infrastructure object. */
export const VULTR_CLUSTER_KIND = 'VultrCluster';

const FORBIDDEN_USER_DATA: ForbiddenUserData[] = [{
  text: RUN_COMMANDS,
  reason: 'the Vultr provider writes a command of its own behind the first "runcmd:" that it finds '
    + '(vultr/cluster-api-provider-vultr cloud/services/instance.go)',
}];

/**
 * The address in the VPC, of the one private interface. kubeadm, kubelet and Calico would take that of the public interface, which is the first
 * and has the default route (canonical/cloud-init cloudinit/sources/helpers/vultr.py, vultr.com/metadata).
 *
 * Vultr's cloud controller manager reports it as `InternalIP` (vultr/vultr-cloud-controller-manager vultr/instancesv2.go).
 */
const VPC_ADDRESS = '{% for interface in ds.meta_data.interfaces if interface["network-type"] == "private" %}{{ interface.ipv4.address }}{% endfor %}';

/** Manager of the endpoint that refuses a `VultrCluster` by itself (`TC-KAMAJI-INFRASTRUCTURE`). */
const KAMAJI = 'kamaji';

const PROPERTY = 'infrastructure';

/** Options of the infrastructure of a cluster at Vultr. */
export interface VultrInfrastructureProps {
  /** Code of the region, e.g. `ewr`. Machines and load balancer are there (`TC-TRAP-VULTR-CLUSTER`). */
  readonly region: string;

  /**
   * UUID of the VPC that machines and load balancer are attached to. Needs version 0.4 of the Vultr provider.
   *
   * API servers, etcd, kubelets and, with Calico or Cilium, the traffic between pods are at the machines' addresses in the VPC. Flannel
   * must be told an address in it. Machines keep a public interface without `vpcOnly`: by it they reach the load balancer of the API
   * server, registries and Vultr's API, and API server, kubelet and node ports listen there, too, so that they should have a firewall
   * group. docs/vultr.md in the repository lists the ports that it must open.
   *
   * Rules: `TC-TRAP-VULTR-CLUSTER`, `TC-VULTR-PROVIDER`, `TC-CNI-INTERFACE`.
   *
   * @default - none: machines talk to each other, and load balancers to them, by their public addresses
   */
  readonly vpcId?: string;

  /**
   * The load balancer in front of the API server.
   *
   * @default - a load balancer of its own, open to all addresses
   */
  readonly apiServerLoadBalancer?: VultrApiServerLoadBalancer;

  /**
   * Vultr's cloud controller manager, which initializes the nodes and publishes Services of type LoadBalancer.
   *
   * @default VultrCloudControllerManager.of()
   */
  readonly cloudControllerManager?: VultrCloudControllerManager;

  /**
   * Storage classes of the tenant. Of those of block storage exactly one is the default (`TC-VULTR-CSI-DEFAULT-CLASS`).
   *
   * @default - none, and no CSI driver
   */
  readonly storageClasses?: VultrStorageClass[];

  /**
   * Options of Vultr's CSI driver (`TC-VULTR-CSI-IDLE`).
   *
   * @default - VultrCsiDriver.of() where there are storage classes
   */
  readonly csiDriver?: VultrCsiDriver;
}

const CONTROL_PLANE_RULE: Rule = {
  id: 'TC-VULTR-CONTROL-PLANE',
  title: 'The control plane must run on machines of the cluster: the Vultr provider always creates the endpoint itself, and no other provider can write it.',
  source: 'vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go, '
      + 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go',
};

export const MACHINE_NAME_RULE: Rule = {
  id: 'TC-VULTR-MACHINE-NAME',
  title: 'Names of control plane machines, and only those, must contain "control-plane", by which the Vultr provider finds the machines that serve the API.',
  source: 'vultr/cluster-api-provider-vultr internal/controller/vultrmachine_controller.go',
};

/**
 * Machines at Vultr, made by Vultr's Cluster API provider (`VultrCluster`, v1beta1).
 *
 * Its control plane runs on machines of the cluster (`KubeadmControlPlane`). The provider has one API key for all clusters of a management
 * cluster. A `managementCluster` that says which providers it has must have Vultr's (`TC-VULTR-PROVIDER`).
 *
 * Source: vultr/cluster-api-provider-vultr cloud/scope/clients.go.
 *
 * @example
 * new vultr.VultrInfrastructure({
 *   region: 'nrt',
 *   storageClasses: [{ name: 'block', storage: vultr.VultrStorage.BLOCK_NVME, isDefault: true }],
 * });
 */
export class VultrInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  /** @internal */
  public readonly _props: VultrInfrastructureProps;

  public constructor(props: VultrInfrastructureProps) {
    super();
    this._props = props;
    this.capabilities = {
      clusterKind: VULTR_CLUSTER_KIND,
      externalCloudProvider: true,
      forbiddenUserData: FORBIDDEN_USER_DATA,
      ...(props.vpcId !== undefined && { nodeSetup: { address: VPC_ADDRESS }, internalIpFamilies: ['IPv4'] }),
    };
  }

  /**
   * Makes the `VultrCluster` of one tenant cluster, and what carries API keys to the tenant, which cloud controller manager and CSI driver
   * go to.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to (`TC-VULTR-CONTROL-PLANE`, `TC-VULTR-MACHINE-NAME`)
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const problems = Problems.of(scope);
    this.check(context).forEach((problem) => problems.add(problem));
    const { region, vpcId, apiServerLoadBalancer = {} } = this._props;
    if (vpcId !== undefined) problems._addCheck(() => checkServicesInVpc(Chart.of(scope)));
    addApiKeySet(scope, context, this.apiKeys);
    const resource = new VultrCluster(scope, 'Resource', {
      metadata: { name: context.name, annotations: keepOnPrune() },
      spec: {
        region,
        vpcId,
        network: { apiServerLoadbalancers: renderApiServerLoadBalancer(apiServerLoadBalancer, context.network.apiServerPort) },
      },
    });
    FieldSources.record(resource, scope, {
      'spec.region': `${PROPERTY}.region`,
      'spec.vpc_id': `${PROPERTY}.vpcId`,
    });
    return { addons: this.addons(scope), resource };
  }

  private get cloudControllerManager(): VultrCloudControllerManager {
    return this._props.cloudControllerManager ?? VultrCloudControllerManager.of();
  }

  /** The CSI driver, if it runs. */
  private get csiDriver(): VultrCsiDriver | undefined {
    const { storageClasses = [], csiDriver = VultrCsiDriver.of() } = this._props;
    return csiDriver.enabled && storageClasses.length > 0 ? csiDriver : undefined;
  }

  private get apiKeys(): VultrApiKey[] {
    return [this.cloudControllerManager, this.csiDriver].flatMap((program) => (program?.enabled ? [program._apiKey] : []));
  }

  private addons(scope: Construct): Addon[] {
    const { cloudControllerManager, csiDriver } = this;
    return [
      ...(cloudControllerManager.enabled ? [new VultrCloudControllerManagerAddon(cloudControllerManager)] : []),
      ...(csiDriver ? [new VultrCsiDriverAddon(scope, csiDriver, this._props.storageClasses ?? [])] : []),
    ];
  }

  private check({ name, versions, controlPlane: { endpointManager }, management }: ClusterContext): Problem[] {
    const { vpcId, apiServerLoadBalancer, storageClasses = [], csiDriver } = this._props;
    return [
      ...checkProvider(PROPERTY, management?.infrastructureProviders, vpcId === undefined ? undefined : 'vpcId'),
      ...(apiServerLoadBalancer ? checkApiServerLoadBalancer(`${PROPERTY}.apiServerLoadBalancer`, apiServerLoadBalancer) : []),
      ...(endpointManager === undefined || endpointManager === KAMAJI ? [] : [{
        rule: CONTROL_PLANE_RULE,
        property: PROPERTY,
        message: `the endpoint is managed by ${endpointManager}, and the Vultr provider writes its own load balancer over it again and again`,
        fix: 'run the control plane on machines of the cluster: new KubeadmControlPlane()',
      }]),
      ...problemIf(MACHINE_NAME_RULE, PROPERTY, checkClusterName(name), 'name the cluster otherwise'),
      ...checkCloudControllerManager(this.cloudControllerManager, versions),
      ...checkCsiDriver(csiDriver, storageClasses, versions),
    ];
  }
}

function checkClusterName(name: string): string | undefined {
  return name.includes(CONTROL_PLANE_MARK)
    ? `"${name}", the name of the cluster, contains "${CONTROL_PLANE_MARK}" and is in the names of all machines: workers would get API requests`
    : undefined;
}

/** Name of the provider in clusterctl and in the Cluster API Operator. */
const PROVIDER = 'vultr-vultr';

/** The first release with a VPC for load balancers, and with machines that have no public address. */
const VPC_SINCE = '0.4';

const PROVIDER_RULE: Rule = {
  id: 'TC-VULTR-PROVIDER',
  title: 'The management cluster must have the Vultr provider, from v0.4 on for a VPC and for machines without public address.',
  source: 'vultr/cluster-api-provider-vultr api/v1beta1 of v0.3.0 and v0.4.0',
};

/**
 * Checks that the management cluster has the Vultr provider, in a release that is new enough.
 *
 * @param property the property that asks for it
 * @param providers infrastructure providers of the management cluster with their versions; undefined if they are not declared
 * @param option the option that requires support of VPCs, if any
 */
function checkProvider(property: string, providers: { readonly [name: string]: string } | undefined, option: string | undefined): Problem[] {
  if (!providers) return [];
  const rule = PROVIDER_RULE;
  const version = providers[PROVIDER];
  if (version === undefined) {
    const release = option === undefined ? 'version: \'v0.3.0\'' : 'version: \'v0.4.0\', ociArtifact: \'…\'';
    return [{
      rule,
      property,
      message: `the management cluster has no provider "${PROVIDER}", so that no machines are created`,
      fix: `add { kind: ProviderKind.INFRASTRUCTURE, name: '${PROVIDER}', ${release} } to furtherProviders of its Cluster API, or, where `
        + 'the provider is installed by other means, name it in infrastructureProviders of its capabilities',
    }];
  }
  const release = /^v?(\d+\.\d+)/.exec(version)?.[1];
  return option === undefined || release === undefined || compareReleases(release, VPC_SINCE) >= 0 ? [] : [{
    rule,
    property: `${property}.${option}`,
    message: `the management cluster has ${version} of the Vultr provider, which does not know the field`,
    accepted: `from v${VPC_SINCE}`,
    fix: `install v${VPC_SINCE} of the provider by an artifact of yours (ociArtifact), or remove ${option}`,
  }];
}
