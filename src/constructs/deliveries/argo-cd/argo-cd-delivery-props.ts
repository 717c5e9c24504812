import { ArgoCdDestination } from './argo-cd-destination';

/** Source of the manifests for tenants: the Git repository with the output of this library. */
export interface ArgoCdManifestSource {
  /** Address of the Git repository: `https://…`, `ssh://…` or `git@host:path` (`TC-DELIVERY-MANIFEST-SOURCE`). */
  readonly repoUrl: string;

  /** Branch, tag or commit. */
  readonly targetRevision: string;

  /**
   * Folder of the repository that the output of the app is in: each delivery reads `<path>/clusters/<namespace>/<cluster>/delivered/<name>`,
   * which a `GitOpsApp` writes (`TC-DELIVERY-MANIFEST-SOURCE`, `TC-CLUSTER-MANIFEST-APP`, `TC-GITOPS-PATH`).
   *
   * @default - the top of the repository
   */
  readonly path?: string;
}

/** Options of `ArgoCdDelivery`. */
export interface ArgoCdDeliveryProps {
  /**
   * Name or address under which the tenant cluster is registered with Argo CD.
   *
   * @default ArgoCdDestination.NAMESPACED_NAME
   */
  readonly destination?: ArgoCdDestination;

  /**
   * Namespace of Argo CD in the management cluster, where its Applications are (`TC-DELIVERY-ARGO-CD`).
   *
   * @default argocd
   */
  readonly namespace?: string;

  /**
   * Argo CD project of the Applications, which must allow the destination and the repositories (`TC-DELIVERY-ARGO-CD`).
   *
   * @default default
   */
  readonly project?: string;

  /**
   * True if Argo CD undoes changes that are made in the tenant.
   *
   * @default true
   */
  readonly selfHeal?: boolean;

  /**
   * True if Argo CD changes nothing in the tenant until a user syncs by hand: Applications have no automated sync. What is
   * removed from the output while it is suspended stays in the tenant. Manifests that a ClusterResourceSet carries are not suspended.
   *
   * Source: argoproj/argo-cd docs/user-guide/auto_sync.md.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * True if everything that an Application has made goes with it, by Argo CD's finalizer. The Application then stays until the tenant
   * answers, also when the tenant is removed as a whole: remove the finalizer by hand if the tenant is gone for good. `decommission` of
   * the cluster removes it in time.
   *
   * @default false
   */
  readonly cascadeDeletion?: boolean;

  /**
   * Source in Git of the manifests for the tenant.
   *
   * @default - nowhere; a ClusterResourceSet of Cluster API carries them, with the limits of `ClusterResourceSetDelivery`
   */
  readonly manifestSource?: ArgoCdManifestSource;
}
