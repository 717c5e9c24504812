import { TenantSubject } from './tenant-subject';

/**
 * Rights of a subject on the tenant's objects in the management cluster.
 *
 * @example
 * new TenantIsolation({ access: [TenantAccess.operator(TenantSubject.group('oidc:acme-operators'))] });
 */
export class TenantAccess {
  /**
   * Reads the cluster, its control plane, pools, machines and virtual machines, events and quotas. No Secrets, no bootstrap data.
   *
   * @param subjects who
   */
  public static viewer(...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess('viewer', subjects);
  }

  /**
   * What a viewer may, and scales pools, deletes machines to have them replaced and restarts virtual machines. Cannot change what machines
   * are like: that is what the repository is for. A size that the repository fixes comes back with the next synchronization.
   *
   * @param subjects who
   */
  public static operator(...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess('operator', subjects);
  }

  /**
   * Reads the cluster's kubeconfig Secrets, and no other: an administrator of the tenant cluster from then on.
   *
   * @param subjects who
   */
  public static kubeconfigReader(...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess('kubeconfig-reader', subjects);
  }

  /**
   * What an existing Role of the namespace allows. A Role of the app that creates pods is refused like such a ClusterRole.
   *
   * @param name name of the Role (`TC-ADMIT-KUBERNETES-RBAC-ROLE-REF`, `TC-ISOLATION-ACCESS`)
   * @param subjects who
   */
  public static role(name: string, ...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess(`role-${name}`, subjects, { kind: 'Role', name });
  }

  /**
   * What an existing ClusterRole allows, within the namespace.
   *
   * `admin` and `edit` create pods, and without pod security a pod can take over the node that it runs on: they are refused unless the
   * Namespace is one of this app and has the label `pod-security.kubernetes.io/enforce` with `baseline` or `restricted` (`namespaceLabels`
   * of the cluster). Even then they read all Secrets of the namespace, with the kubeconfigs of the tenant and the bootstrap data of
   * machines, run pods as the ServiceAccounts of the controllers, and change network policies. `cluster-admin` may change the labels of the
   * Namespace, and is refused always. ClusterRoles of the app are judged by their rules, with those that they aggregate: refused are also
   * `escalate` and `bind`, and the objects that Flux applies with its own rights.
   *
   * Rule: `TC-ISOLATION-ACCESS-WIDE`.
   *
   * @param name name of the ClusterRole (`TC-ADMIT-KUBERNETES-RBAC-ROLE-REF`, `TC-ISOLATION-ACCESS`)
   * @param subjects who
   */
  public static clusterRole(name: string, ...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess(`cluster-role-${name}`, subjects, { kind: 'ClusterRole', name });
  }

  /** @internal */
  public readonly _existing?: { readonly kind: string; readonly name: string };

  private constructor(
    /** What the access is called: `viewer`, `operator`, `kubeconfig-reader`, or a name that an existing role is part of. */
    public readonly level: string,
    /** Who has it. */
    public readonly subjects: TenantSubject[],
    existing?: { readonly kind: string; readonly name: string },
  ) {
    this._existing = existing;
  }
}
