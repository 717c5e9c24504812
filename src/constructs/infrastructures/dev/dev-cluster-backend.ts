/** A failure domain of a cluster in containers. It places nothing: the containers of all of them are on one host. */
export interface DevFailureDomain {
  /** Name, which pools use as their `failureDomain`. */
  readonly name: string;

  /**
   * True if machines of the control plane may be there.
   *
   * @default true
   */
  readonly controlPlane?: boolean;
}

/** Image of the container with HAProxy in front of the API servers. */
export interface DevLoadBalancerImage {
  /**
   * Registry and path, to which the provider appends `haproxy`.
   *
   * @default - the provider's: `kindest`
   */
  readonly repository?: string;

  /**
   * Tag of the image.
   *
   * @default - the provider's
   */
  readonly tag?: string;
}

/** Options of a cluster whose machines are containers. */
export interface DevDockerClusterOptions {
  /**
   * Failure domains, in any order: they are written in that of their names, which the provider requires.
   *
   * Rule: `TC-ADMIT-DEV-FAILURE-DOMAINS`.
   *
   * @default - none
   */
  readonly failureDomains?: DevFailureDomain[];

  /**
   * Image of the load balancer.
   *
   * @default - the provider's
   */
  readonly loadBalancer?: DevLoadBalancerImage;
}

/**
 * The part of the development provider that runs a cluster.
 *
 * Source: kubernetes-sigs/cluster-api test/infrastructure/docker/api/v1beta2/devcluster_types.go.
 *
 * @example
 * new dev.DevInfrastructure({ backend: dev.DevClusterBackend.docker({ failureDomains: [{ name: 'fd1' }, { name: 'fd2' }] }) });
 */
export class DevClusterBackend {
  /**
   * Machines are containers on the Docker host of the provider, with a container of HAProxy as the load balancer.
   *
   * @param options failure domains and images
   */
  public static docker(options: DevDockerClusterOptions = {}): DevClusterBackend {
    return new DevClusterBackend(options);
  }

  /** Machines, nodes and API servers exist in the memory of the provider only: controllers can be watched, and no pod runs. */
  public static inMemory(): DevClusterBackend {
    return new DevClusterBackend(undefined);
  }

  /** @internal */
  public readonly _docker?: DevDockerClusterOptions;

  private constructor(docker: DevDockerClusterOptions | undefined) {
    this._docker = docker;
  }

  /**
   * The field `spec.backend` of a DevCluster.
   *
   * @internal
   */
  public get _fields(): object {
    if (this._docker === undefined) return { inMemory: {} };
    const { failureDomains = [], loadBalancer: { repository, tag } = {} } = this._docker;
    const domains = [...failureDomains].sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, controlPlane = true }) => ({ name, controlPlane }));
    return {
      docker: {
        ...(domains.length > 0 && { failureDomains: domains }),
        // The webhook adds the field where it is missing.
        loadBalancer: { ...(repository !== undefined && { imageRepository: repository }), ...(tag !== undefined && { imageTag: tag }) },
      },
    };
  }
}
