import { Construct } from 'constructs';
import {
  ClusterResourceSet, ClusterResourceSetSpecResourcesKind, ClusterResourceSetSpecStrategy,
} from '../../../imports/addons.cluster.x-k8s.io';
import { ClusterContext } from '../contracts/cluster-context';

/** Names of a Secret that is copied into the tenant. */
export interface CarriedSecretOptions {
  /**
   * Name of the Secret in the management cluster, in the namespace of the cluster.
   *
   * @default - `<cluster>-tenant-<name of the Secret in the tenant>`
   */
  readonly secretName?: string;

  /**
   * Name of the Secret in the tenant's namespace `kube-system`.
   *
   * @default - the usual name of the program that reads it
   */
  readonly name?: string;
}

/**
 * Secret in the tenant's namespace `kube-system` that configures programs of an infrastructure, credentials included. They never go into a manifest of
 * this library. Administrators of the tenant can read them.
 *
 * Until the cloud controller manager runs, every node is tainted, so that no operator inside the tenant can bring the Secret.
 *
 * @example
 * const cloudConfig = TenantSecret.inTenant('cloud-config');
 */
export class TenantSecret {
  /**
   * Has it carried from the management cluster by a ClusterResourceSet, as soon as the tenant's API server answers, and again when it
   * changes. The user creates a Secret of type `addons.cluster.x-k8s.io/resource-set`, whose values are manifests, e.g. by an ExternalSecret with a template:
   *
   * ```yaml
   * apiVersion: v1
   * kind: Secret
   * type: addons.cluster.x-k8s.io/resource-set
   * metadata:
   *   name: acme-tenant-cloud-config
   *   namespace: tenant-acme
   * stringData:
   *   cloud-config.yaml: |
   *     apiVersion: v1
   *     kind: Secret
   *     metadata:
   *       name: cloud-config
   *       namespace: kube-system
   *     stringData:
   *       cloud.conf: <configuration with credentials>
   * ```
   *
   * Source: kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset.
   *
   * @param options names, where they are not the usual ones
   */
  public static carried(options: CarriedSecretOptions = {}): TenantSecret {
    return new TenantSecret(options.name, options);
  }

  /**
   * A Secret that is created from outside, e.g. by a Flux of the management cluster that decrypts it and applies it to the tenant.
   *
   * @param name its name
   */
  public static inTenant(name: string): TenantSecret {
    return new TenantSecret(name);
  }

  private constructor(private readonly name?: string, private readonly carrier?: CarriedSecretOptions) {}

  /**
   * Name of the Secret in the tenant.
   *
   * @param usual the name that the program expects
   *
   * @internal
   */
  public _nameOr(usual: string): string {
    return this.name ?? usual;
  }

  /**
   * Adds the ClusterResourceSet that copies the Secret, if there is one. A delivery would write the Secret into the output.
   *
   * @param scope the scope of the infrastructure
   * @param context the cluster
   * @param usual the name that the program expects
   *
   * @internal
   */
  public _addSet(scope: Construct, { name }: ClusterContext, usual: string): void {
    if (!this.carrier) return;
    const secret = this._nameOr(usual);
    new ClusterResourceSet(scope, `Carry-${secret}`, {
      // With a dot, which no set of a delivery has behind the name of the cluster.
      metadata: { name: `${name}.${secret}` },
      spec: {
        clusterSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': name } },
        resources: [{ kind: ClusterResourceSetSpecResourcesKind.SECRET, name: this.carrier.secretName ?? `${name}-tenant-${secret}` }],
        strategy: ClusterResourceSetSpecStrategy.RECONCILE,
      },
    });
  }
}
