import { setFields } from '../contract';

/** Credentials of the provider. */
export interface OpenStackIdentityOptions {
  /** Name of the Secret or of the OpenStackClusterIdentity. */
  readonly name: string;

  /** Name of the entry in its `clouds.yaml`. */
  readonly cloudName: string;

  /**
   * Region, which cannot be changed later.
   *
   * @default - that of the entry
   */
  readonly region?: string;
}

/**
 * Reference to the credentials with which the provider creates a cluster. Their content never goes into a manifest of this library.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack api/v1beta1/identity_types.go.
 *
 * @example
 * const identity = openstack.OpenStackIdentity.secret({ name: 'acme-cloud-config', cloudName: 'openstack' });
 */
export class OpenStackIdentity {
  /**
   * A Secret in the namespace of the cluster, with the key `clouds.yaml` and, for a certificate authority of your own, `cacert`.
   *
   * @param options its name, and the entry
   */
  public static secret(options: OpenStackIdentityOptions): OpenStackIdentity {
    return new OpenStackIdentity('Secret', options);
  }

  /**
   * An OpenStackClusterIdentity, which refers to a Secret for clusters of several namespaces.
   *
   * @param options its name, and the entry
   */
  public static clusterIdentity(options: OpenStackIdentityOptions): OpenStackIdentity {
    return new OpenStackIdentity('ClusterIdentity', options);
  }

  /** @internal */
  public readonly _spec: { readonly [field: string]: any };

  private constructor(type: string, { name, cloudName, region }: OpenStackIdentityOptions) {
    this._spec = setFields({ type, name, cloudName, region });
  }
}
