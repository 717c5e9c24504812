import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { DevClusterBackend } from './dev-cluster-backend';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { FieldSources } from '../../app/synth/field-sources';
import { ClusterContext } from '../../contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../../contracts/infrastructure';
import { InfrastructureCapabilities } from '../../contracts/infrastructure-capabilities';

/** API group and version of the provider's kinds. */
export const DEV_API_VERSION = 'infrastructure.cluster.x-k8s.io/v1beta2';

/** Kind of the infrastructure object. */
export const DEV_CLUSTER_KIND = 'DevCluster';

/** Options of the infrastructure of a cluster for trials and tests. */
export interface DevInfrastructureProps {
  /**
   * The part of the provider that runs the cluster. Machines must have the same.
   *
   * Rule: `TC-TRAP-DEV-BACKEND`.
   *
   * @default DevClusterBackend.docker()
   */
  readonly backend?: DevClusterBackend;
}

/**
 * Machines for trials and tests, by Cluster API's development provider (`DevCluster`, v1beta2): containers on a host with Docker, or machines that
 * exist in memory only. It is not for production.
 *
 * The control plane is a `KubeadmControlPlane`. The provider gives nodes their ids by itself, so that there is no cloud controller manager, and it
 * has no volumes.
 *
 * Source: kubernetes-sigs/cluster-api test/infrastructure/docker/README.md.
 *
 * @example
 * new dev.DevInfrastructure();
 */
export class DevInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  private readonly backend: DevClusterBackend;

  public constructor(props: DevInfrastructureProps = {}) {
    super();
    this.backend = props.backend ?? DevClusterBackend.docker();
    const { failureDomains } = this.backend._docker ?? {};
    this.capabilities = {
      clusterKind: DEV_CLUSTER_KIND,
      viewableResources: ['devclusters.infrastructure.cluster.x-k8s.io', 'devmachines.infrastructure.cluster.x-k8s.io'],
      ...(failureDomains && { failureDomains: failureDomains.map(({ name }) => name) }),
    };
  }

  /**
   * Makes the `DevCluster` of one tenant cluster.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { _docker: docker, _fields: backend } = this.backend;
    const resource = new ApiObject(scope, 'Resource', {
      apiVersion: DEV_API_VERSION,
      kind: DEV_CLUSTER_KIND,
      // In memory, the provider writes into the annotations, and fails where there are none (inmemorycluster_backend.go, ReconcileNormal).
      metadata: { name: context.name, annotations: keepOnPrune() },
      spec: {
        // The webhook's default. In memory, each cluster gets another port of the provider's address.
        ...(docker && { controlPlaneEndpoint: { port: context.network.apiServerPort, ...context.apiServer.published } }),
        backend,
      },
    });
    FieldSources.record(resource, scope, {
      'spec.backend.docker.failureDomains': 'infrastructure.backend.failureDomains',
      'spec.backend.docker.loadBalancer.imageRepository': 'infrastructure.backend.loadBalancer.repository',
      'spec.backend.docker.loadBalancer.imageTag': 'infrastructure.backend.loadBalancer.tag',
    });
    return { resource };
  }
}
