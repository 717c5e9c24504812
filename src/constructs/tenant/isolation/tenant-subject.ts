import { ISOLATION_RULES } from './rules';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Problem, problemIf } from '../../../manifests/values/problem';

/** Groups that every caller belongs to, or every caller without a name. */
const EVERY_CLIENT: readonly string[] = ['system:authenticated', 'system:unauthenticated', 'system:serviceaccounts', 'system:anonymous'];
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/**
 * A user of the management cluster.
 *
 * @example
 * const access = TenantAccess.viewer(TenantSubject.group('oidc:acme'), TenantSubject.user('oidc:ana@example.com'));
 */
export class TenantSubject {
  /**
   * A user, as the management cluster's authentication names it.
   *
   * @param name the user (`TC-ADMIT-FIELD-VALUE`, `TC-ISOLATION-SUBJECT`)
   */
  public static user(name: string): TenantSubject {
    return new TenantSubject('User', name);
  }

  /**
   * A group, as the management cluster's authentication names it.
   *
   * @param name the group; not one that every client belongs to (`TC-ADMIT-FIELD-VALUE`, `TC-ISOLATION-SUBJECT`)
   */
  public static group(name: string): TenantSubject {
    return new TenantSubject('Group', name);
  }

  /**
   * A service account of the management cluster.
   *
   * @param name the account (`TC-ADMIT-KUBERNETES-RBAC-SUBJECT`)
   * @param namespace its namespace (`TC-ISOLATION-SUBJECT`)
   */
  public static serviceAccount(name: string, namespace: string): TenantSubject {
    return new TenantSubject('ServiceAccount', name, namespace);
  }

  private constructor(
    /** `User`, `Group` or `ServiceAccount`. */
    public readonly kind: string,
    /** Name of the user, group or account. */
    public readonly name: string,
    /** Namespace of a service account. */
    public readonly namespace?: string,
  ) {}

  /**
   * The entry of a RoleBinding.
   *
   * @internal
   */
  public _spec(): { [field: string]: string } {
    const { kind, name, namespace } = this;
    return namespace === undefined ? { apiGroup: 'rbac.authorization.k8s.io', kind, name } : { kind, name, namespace };
  }

  /**
   * What is wrong with it.
   *
   * @internal
   */
  public _check(property: string): Problem[] {
    const rule = ISOLATION_RULES.subject;
    if (this.namespace !== undefined) {
      return problemIf(rule, property, checkDnsLabel(this.namespace), 'give the namespace of the service account');
    }
    if (EVERY_CLIENT.some((name) => this.name === name || this.name.startsWith(`${name}:`))) {
      return [{ rule, property, message: `"${this.name}" stands for callers of every tenant`, fix: 'name the groups and users of this tenant' }];
    }
    if (this.name.startsWith(SERVICE_ACCOUNT)) {
      return [{ rule, property, message: `"${this.name}" is a service account`, fix: 'use TenantSubject.serviceAccount(name, namespace)' }];
    }
    return [];
  }
}
