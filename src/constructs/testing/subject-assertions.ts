import { boundNames, covers, Grants, grantsOf, overlaps, Right, rightWords, Subject } from './access';
import { partName } from './cluster-state';
import { failure, listWords } from './failure';
import { Cluster } from '../../manifests/landscape/cluster-model';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../manifests/objects/manifest-object';
import { stringAt } from '../../manifests/values/fields';
import { nearestName } from '../../manifests/values/nearest-name';

const SERVICE_ACCOUNT = 'ServiceAccount';

/** Rights to objects of the management cluster: each verb on each resource. */
export interface AccessRight {
  /** The verbs, e.g. `get`, `list`, `watch`; `*` for all. */
  readonly verbs: string[];

  /**
   * The resources as `kubectl auth can-i` reads them, in the plural, with the group unless that is the core group, and with the subresource:
   * `secrets`, `machines.cluster.x-k8s.io`, `machinedeployments.cluster.x-k8s.io/scale`; `*.*` for all. A path such as `/metrics` is none of
   * an object.
   */
  readonly resources: string[];

  /**
   * Names of the objects.
   *
   * @default - all objects
   */
  readonly names?: string[];

  /**
   * The namespace of the objects; `*` for all namespaces.
   *
   * @default - the namespace of the cluster; for `cannot` all namespaces
   */
  readonly namespace?: string;
}

/**
 * Assertions about the rights of a user, a group or a ServiceAccount in the management cluster, as far as the manifests of the tenant grant
 * them. See `ClusterAssertions.serviceAccount`.
 *
 * @example
 * testing.ClusterAssertions.of(acme).group('oidc:acme').cannot({ verbs: ['get'], resources: ['secrets'] });
 */
export class SubjectAssertions {
  /** @internal */
  public static _of(cluster: string, { namespace = '' }: Cluster, subject: Subject, objects: readonly ManifestObject[]): SubjectAssertions {
    return new SubjectAssertions(`${cluster} ${subject.kind} ${subject.name}`, namespace, grantsOf(objects, subject));
  }

  /** @internal */
  public static _ofServiceAccount(id: string, cluster: Cluster, name: string, objects: readonly ManifestObject[]): SubjectAssertions {
    const { namespace } = cluster;
    const written = objects.filter((object) => groupKind(object) === `/${SERVICE_ACCOUNT}` && namespaceOf(object) === namespace).map(nameOf);
    const names = [...new Set([...written.filter((one) => one !== undefined), ...boundNames(objects, SERVICE_ACCOUNT, namespace)])].sort();
    const found = [`${cluster.name}-${name}`, name].find((one) => names.includes(one));
    if (found !== undefined) return SubjectAssertions._of(id, cluster, { kind: SERVICE_ACCOUNT, name: found, namespace }, objects);
    const near = nearestName(name, names.map((one) => partName(one, cluster)));
    throw failure({
      subject: id,
      lines: [`has no ServiceAccount ${name}; its ServiceAccounts: ${listWords(names)}`, ...near === undefined ? [] : [`Did you mean ${near}?`]],
    });
  }

  private constructor(private readonly subject: string, private readonly namespace: string, private readonly grants: Grants) {}

  /**
   * Checks that the subject has all of these rights.
   *
   * @param right what it must be allowed
   */
  public can(right: AccessRight): void {
    const wanted = rightOf(right, this.namespace);
    if (covers(this.grants.known, wanted)) return;
    const near = this.grants.known.filter(({ resources }) => resources.some((resource) => wanted.resources.includes(resource)));
    throw failure({
      subject: this.subject,
      lines: [`is not granted all of: ${rightWords(wanted)}`, ...this.unknownRoles(), ...this.grants.known.length === 0 ? ['is granted nothing'] : []],
      objects: (near.length > 0 ? near : this.grants.known).map(({ role }) => role),
    });
  }

  /**
   * Checks that the subject has none of these rights. A binding to a role that is not among the manifests of the tenant, such as the
   * ClusterRole `view`, is an error: what it grants is unknown.
   *
   * @param right what it must not be allowed, not even for some of the objects
   */
  public cannot(right: AccessRight): void {
    const unwanted = rightOf(right, '*');
    const found = this.grants.known.filter((grant) => overlaps(grant, unwanted));
    this.demandNone(found.map((grant) => `is granted: ${rightWords(grant)}`), found.map(({ role }) => role));
  }

  /**
   * Checks that the subject has no right beyond these. It need not have all of them: see `can`. A binding to a role that is not among the
   * manifests of the tenant is an error: what it grants is unknown.
   *
   * @param rights what it may be allowed at most; an empty list allows nothing
   */
  public canOnly(rights: AccessRight[]): void {
    const allowed = rights.map((right) => rightOf(right, this.namespace));
    const beyond = this.grants.known.filter((grant) => !covers(allowed, grant));
    this.demandNone(beyond.map((grant) => `is granted more than expected: ${rightWords(grant)}`), beyond.map(({ role }) => role));
  }

  private demandNone(found: readonly string[], roles: readonly ManifestObject[]): void {
    const lines = [...found, ...this.unknownRoles()];
    if (lines.length > 0) throw failure({ subject: this.subject, lines, objects: [...roles, ...this.grants.unknown] });
  }

  private unknownRoles(): string[] {
    return this.grants.unknown.map((binding) => {
      const [kind, name] = ['kind', 'name'].map((field) => stringAt(binding, 'roleRef', field));
      return `is bound to the ${kind} ${name} by ${objectName(binding)}: its rules are not in the manifests of the tenant`;
    });
  }
}

function rightOf({ verbs, resources, names = [], namespace }: AccessRight, otherwise: string): Right {
  return { verbs, resources, names, namespace: namespace ?? otherwise };
}
