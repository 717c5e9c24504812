import { Construct } from 'constructs';
import { HOST_LABEL, HOST_UID, METAL3_CLUSTER_KIND } from '../../../manifests/systems/metal3/metal3-kinds';
import { CLUSTER } from '../../../manifests/systems/metal3/page-parts';
import { ClusterContext, FieldSources, Infrastructure, InfrastructureCapabilities, InfrastructureConfig, objectFields, ProviderObjects } from '../contract';

const LABEL_SYNC = 'metal3.io/metal3-label-sync-prefixes';

/** A rack, row or site whose hosts fail together. */
export interface Metal3FailureDomain {
  /** Name, which the hosts have as value of the label `infrastructure.cluster.x-k8s.io/failure-domain`: 1 to 256 characters. */
  readonly name: string;

  /**
   * True if machines of a control plane may be there. A `KubeadmControlPlane` spreads its machines over all of these.
   *
   * @default true
   */
  readonly controlPlane?: boolean;

  /**
   * Further facts, such as row or power feed, for people who read the object.
   *
   * @default - none
   */
  readonly attributes?: { [name: string]: string };
}

/** Options of an infrastructure of bare metal hosts. */
export interface Metal3InfrastructureProps {
  /**
   * Failure domains of the hosts. Pools and control planes may use these only. They are a preference: where a domain has no available host, the
   * provider takes one of another.
   *
   * @default - none
   */
  readonly failureDomains?: Metal3FailureDomain[];

  /**
   * Prefixes of labels that the provider copies from `BareMetalHost` objects to nodes, and removes from nodes where the host has none:
   * `example.com` for `example.com/rack`.
   *
   * @default - none
   */
  readonly labelSyncPrefixes?: string[];

  /**
   * True if a cloud controller manager of yours sets the provider ID of each node to `metal3://<namespace>/<host>/<Metal3Machine>`. There is none
   * of Metal3: without one, the provider sets it itself, and finds the node by its label `metal3.io/uuid`, which kubelets then get.
   *
   * @default false
   */
  readonly cloudProviderEnabled?: boolean;
}

/**
 * Bare metal hosts, deployed by Metal3 (`Metal3Cluster`, v1beta2 of cluster-api-provider-metal3 v1.13).
 *
 * The `BareMetalHost` objects are made by the people who run the hosts, in the namespace of the cluster. Metal3 makes no endpoint: the address of the
 * API server comes from the control plane, by `ControlPlaneEndpoint.kubeVip()` or `external()` of a `KubeadmControlPlane`, or by the exposure of a
 * `KamajiControlPlane` with a fixed address. There is no CSI driver of Metal3 either: storage is an addon of yours.
 *
 * Rule: `TC-ADMIT-METAL3-ENDPOINT`. Source: metal3-io/cluster-api-provider-metal3 docs/deployment_workflow.md, api/v1beta2/metal3cluster_types.go.
 *
 * @example
 * new metal3.Metal3Infrastructure({ failureDomains: [{ name: 'rack-1' }, { name: 'rack-2' }, { name: 'rack-3' }] });
 */
export class Metal3Infrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(private readonly props: Metal3InfrastructureProps = {}) {
    super();
    const { failureDomains = [], cloudProviderEnabled = false } = props;
    this.capabilities = {
      clusterKind: METAL3_CLUSTER_KIND,
      provider: 'metal3',
      externalCloudProvider: cloudProviderEnabled,
      failureDomains: failureDomains.map(({ name }) => name),
      viewableResources: [
        ...ProviderObjects.resources('metal3machines', 'metal3datas', 'metal3remediations'), 'baremetalhosts.metal3.io', 'ipaddresses.ipam.metal3.io',
      ],
      ...(!cloudProviderEnabled && { nodeSetup: { nodeLabels: { [HOST_LABEL]: HOST_UID } } }),
    };
  }

  /**
   * Makes the `Metal3Cluster` of one tenant cluster.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to (`TC-ADMIT-METAL3-ENDPOINT`)
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { labelSyncPrefixes = [] } = this.props;
    const { published } = context.apiServer;
    const resource = ProviderObjects.cluster(scope, context, {
      ...objectFields(CLUSTER, this.props, { controlPlaneEndpoint: published && { host: published.host, port: published.port } }),
      metadata: labelSyncPrefixes.length > 0 ? { annotations: { [LABEL_SYNC]: labelSyncPrefixes.join(',') } } : {},
    });
    FieldSources.record(resource, scope, { 'spec.controlPlaneEndpoint': 'controlPlane', 'metadata.annotations': 'infrastructure.labelSyncPrefixes' });
    return { resource };
  }
}
