import { Construct } from 'constructs';
import { ClusterContext } from '../contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../contracts/infrastructure';
import { InfrastructureCapabilities } from '../contracts/infrastructure-capabilities';
import { makePart, ManifestPartProps } from '../contracts/manifest-part';

/** Properties of an infrastructure of any kind. */
export interface ManifestInfrastructureProps extends ManifestPartProps {
  /**
   * True if a cloud controller manager initializes the nodes. Kubelets then register with `--cloud-provider=external`, unless the bootstrap is
   * a `ManifestBootstrap`, which is as it is written.
   *
   * @default false
   */
  readonly externalCloudProvider?: boolean;
}

/**
 * An infrastructure of any provider, as its manifest: for providers that the library has no class for. The object is checked by its definition,
 * where that is known (`ManifestValidation.of({ crds })`), and by what is known of the provider.
 *
 * The object has the annotation `cluster.x-k8s.io/managed-by` where the control plane manages the endpoint and reports the object ready.
 *
 * @example
 * const infrastructure = new ManifestInfrastructure({
 *   apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
 *   kind: 'AWSCluster',
 *   spec: { region: 'eu-central-1', sshKeyName: 'platform' },
 * });
 */
export class ManifestInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(private readonly props: ManifestInfrastructureProps) {
    super();
    this.capabilities = { clusterKind: props.kind, externalCloudProvider: props.externalCloudProvider };
  }

  /**
   * Makes the object.
   *
   * @param scope where to put it
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { endpointManager, managedInfrastructureKinds, infrastructureEndpoint } = context.controlPlane;
    const isManaged = managedInfrastructureKinds === undefined || managedInfrastructureKinds.includes(this.props.kind);
    const resource = makePart(scope, context.name, this.props, {
      controlPlaneEndpoint: infrastructureEndpoint && { host: infrastructureEndpoint.host, port: infrastructureEndpoint.port },
    });
    if (endpointManager !== undefined && isManaged) resource.metadata.addAnnotation('cluster.x-k8s.io/managed-by', endpointManager);
    return { resource };
  }
}
