import type { k8s } from 'cdk8s-plus-28';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ResourceType } from '../resource-type';

/** Rights to the objects of one resource. */
export interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly clusterScoped: boolean;
}

/** Options of any permission. */
export interface PermissionOptions {
  /** API group; empty for the core group. */
  readonly group: string;

  /** Resources in lower case, subresources behind a slash: `pods`, `pods/log` (`TC-OPERATOR-PERMISSION`, `TC-OPERATOR-STATUS`). */
  readonly resources: string[];

  /** Verbs: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, … (`TC-OPERATOR-PERMISSION`). */
  readonly verbs: string[];

  /**
   * Names of the objects that it is limited to. Then it cannot include `create`, nor `list` and `watch` of all objects.
   *
   * @default - all objects
   */
  readonly resourceNames?: string[];

  /**
   * True if the objects are cluster-scoped: a ClusterRole then grants the permission (`TC-OPERATOR-SCOPE`).
   *
   * @default false
   */
  readonly clusterScoped?: boolean;

  /**
   * True if `*` may stand for every group, resource or verb (`TC-OPERATOR-WILDCARD`).
   *
   * @default false
   */
  readonly allowWildcards?: boolean;
}

const PERMISSION_RULE: Rule = {
  id: 'TC-OPERATOR-PERMISSION',
  title: 'A permission must have resources in lower case and at least one verb.',
  source: 'kubernetes/kubernetes pkg/apis/rbac/validation/validation.go',
};

const WILDCARD_RULE: Rule = {
  id: 'TC-OPERATOR-WILDCARD',
  title: 'A permission for every group, resource or verb must set allowWildcards.',
};

/**
 * Activity of a controller, from which the rules of its roles follow.
 *
 * Several permissions for one resource add up. Source of the verbs: the calls of client-go and controller-runtime in
 * kubernetes/sample-controller (controller.go, main.go) and the markers of kubernetes-sigs/kubebuilder testdata/project-v4.
 *
 * @example
 * const permissions = [
 *   operators.Permission.reads(operators.ResourceType.CONFIG_MAPS),
 *   operators.Permission.owns(operators.ResourceType.DEPLOYMENTS),
 * ];
 */
export class Permission {
  /**
   * Looks up single objects without a cache: `get`.
   *
   * @param type type of the objects
   */
  public static reads(type: ResourceType): Permission {
    return Permission.on(type, ['get']);
  }

  /**
   * Follows objects through an informer: `get`, `list`, `watch`.
   *
   * @param type type of the objects
   */
  public static watches(type: ResourceType): Permission {
    return Permission.on(type, ['get', 'list', 'watch']);
  }

  /**
   * Follows objects, creates them and keeps them in shape: `get`, `list`, `watch`, `create`, `update`. The garbage collector removes
   * them with their owner.
   *
   * @param type type of the objects
   */
  public static owns(type: ResourceType): Permission {
    return Permission.on(type, ['get', 'list', 'watch', 'create', 'update']);
  }

  /**
   * Does everything with objects: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`.
   *
   * @param type type of the objects
   */
  public static manages(type: ResourceType): Permission {
    return Permission.on(type, ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']);
  }

  /**
   * All rights that kubebuilder's markers grant to the type of a reconciler: all of `manages`, `get`, `update`, `patch` of the status,
   * `update` of the finalizers (`TC-OPERATOR-STATUS`).
   *
   * @param type type of the objects
   */
  public static reconciles(type: ResourceType): Permission {
    return new Permission([
      ...Permission.manages(type)._grants, ...subresource(type, 'status', ['get', 'update', 'patch']), ...subresource(type, 'finalizers', ['update']),
    ], [type]);
  }

  /**
   * Writes the status through `UpdateStatus`: `update` of the subresource (`TC-OPERATOR-STATUS`).
   *
   * @param type type of the objects
   */
  public static updatesStatus(type: ResourceType): Permission {
    return new Permission(subresource(type, 'status', ['update']), [type]);
  }

  /**
   * Writes the status through patches: `patch` of the subresource (`TC-OPERATOR-STATUS`).
   *
   * @param type type of the objects
   */
  public static patchesStatus(type: ResourceType): Permission {
    return new Permission(subresource(type, 'status', ['patch']), [type]);
  }

  /**
   * Is named as the owner of objects, or keeps objects from being deleted until it is done: `update` of the finalizers. Owner references
   * with `blockOwnerDeletion` need it where the admission plug-in OwnerReferencesPermissionEnforcement is on, as in OpenShift.
   *
   * @param type type of the owners
   */
  public static updatesFinalizers(type: ResourceType): Permission {
    return new Permission(subresource(type, 'finalizers', ['update']), []);
  }

  /**
   * Records events: `create`, `patch` of events, which are one resource in two groups. The recorder of client-go's `tools/record` writes those
   * of the core group, that of `tools/events` those of `events.k8s.io`
   * (kubernetes/client-go tools/events/event_broadcaster.go).
   */
  public static emitsEvents(): Permission {
    const grant = { resource: 'events', verbs: ['create', 'patch'], clusterScoped: false };
    return new Permission([{ ...grant, group: '' }, { ...grant, group: 'events.k8s.io' }], []);
  }

  /**
   * Any other permission.
   *
   * @param options resources and verbs (`TC-OPERATOR-PERMISSION`, `TC-OPERATOR-WILDCARD`)
   */
  public static of(options: PermissionOptions): Permission {
    const { group, resources, verbs, resourceNames, clusterScoped = false } = options;
    const common = { group, verbs: [...verbs], resourceNames: resourceNames && [...resourceNames], clusterScoped };
    const grants = resources.map((resource) => ({ ...common, resource }));
    return new Permission(grants, [], options);
  }

  private static on(type: ResourceType, verbs: readonly string[]): Permission {
    return new Permission([{ group: type.group, resource: type.resource, verbs, clusterScoped: type.clusterScoped }], []);
  }

  /** @internal */
  public readonly _grants: readonly Grant[];

  private constructor(grants: readonly Grant[], private readonly statusOf: readonly ResourceType[], private readonly options?: PermissionOptions) {
    this._grants = grants;
  }

  /** @internal */
  public _check(property: string): Problem[] {
    return [...this._grants.flatMap((grant) => checkGrant(grant, property)), ...this.checkOptions(property), ...this.checkStatus(property)];
  }

  private checkOptions(property: string): Problem[] {
    if (!this.options) return [];
    const { group, resources, verbs, resourceNames = [], allowWildcards = false } = this.options;
    const all = [['group', group === '*'], ['resources', resources.some((one) => one.includes('*'))], ['verbs', verbs.includes('*')]] as const;
    const unlimited = verbs.filter((verb) => verb === 'create');
    return [
      ...(resources.length === 0 ? [{ rule: PERMISSION_RULE, property: `${property}.resources`, message: 'no resource is named', fix: 'name a resource' }] : []),
      ...(resourceNames.length > 0 && unlimited.length > 0 ? [{
        rule: PERMISSION_RULE, property: `${property}.verbs`, message: 'create cannot be limited to names, which are not known yet', fix: 'make it a permission of its own',
      }] : []),
      ...all.filter(([, wild]) => wild && !allowWildcards).map(([name]) => ({
        rule: WILDCARD_RULE, property: `${property}.${name}`, message: '"*" stands for everything', fix: 'name what the controller uses, or set allowWildcards: true',
      })),
    ];
  }

  private checkStatus(property: string): Problem[] {
    return this.statusOf.filter((type) => !type.statusSubresource).map((type) => noStatus(type, property));
  }
}

export const STATUS_RULE: Rule = {
  id: 'TC-OPERATOR-STATUS',
  title: 'A controller that updates the status of a type needs its status subresource: without it the API server answers 404.',
  source: 'kubernetes/sample-controller controller.go (UpdateStatus)',
};

/** The problem of a permission to write the status of a type without the status subresource. */
export function noStatus({ kind }: ResourceType, property: string): Problem {
  return {
    rule: STATUS_RULE,
    property,
    message: `${kind} has no status subresource, so that every update of its status fails`,
    fix: 'set statusSubresource: true on its versions, or leave the permission out',
  };
}

function subresource({ group, resource, clusterScoped }: ResourceType, name: string, verbs: readonly string[]): Grant[] {
  return [{ group, resource: `${resource}/${name}`, verbs, clusterScoped }];
}

function checkGrant({ resource, verbs, group }: Grant, property: string): Problem[] {
  const problem = (message: string, fix: string): Problem => ({ rule: PERMISSION_RULE, property, message, fix });
  return [
    ...(/^(\*|[a-z][a-z0-9-]*)(\/(\*|[a-z][a-z0-9-]*))?$/.test(resource) ? [] : [problem(`"${resource}" is no resource`, 'write it as in addresses, e.g. "deployments"')]),
    ...(/^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$/.test(group) ? [] : [problem(`"${group}" is no API group`, 'give the group without version, e.g. "apps"')]),
    ...(verbs.length === 0 ? [problem(`nothing may be done with ${resource}`, 'give at least one verb')] : []),
    ...verbs.filter((verb) => !/^(\*|[a-z]+)$/.test(verb)).map((verb) => problem(`"${verb}" is no verb`, 'write it in lower case, e.g. "get"')),
  ];
}

/**
 * Policy rules for grants: each resource once, those with equal verbs in one rule. The order of the grants does not matter.
 */
export function policyRules(grants: readonly Grant[]): k8s.PolicyRule[] {
  const verbs = collect(grants, ({ group, resource, resourceNames }) => [group, resource, sorted(resourceNames ?? [])], (grant) => grant.verbs);
  const resources = collect(verbs, ([[group, , names], given]) => [group, names, given], ([[, resource]]) => [resource as string]);
  return resources.map(([[group, names, given], named]): k8s.PolicyRule => ({
    apiGroups: [group as string],
    resources: named,
    ...((names as string[]).length > 0 && { resourceNames: names as string[] }),
    verbs: given as string[],
  })).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

type Key = readonly (string | readonly string[])[];

/** The values of all items, by key. */
function collect<T>(items: readonly T[], keyOf: (item: T) => Key, valuesOf: (item: T) => readonly string[]): [Key, string[]][] {
  const found = new Map<string, [Key, string[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    found.set(text, [key, sorted([...found.get(text)?.[1] ?? [], ...valuesOf(item)])]);
  }
  return [...found.values()];
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
