import { OPERATOR_RULES } from './operator-rules';
import { Problem } from '../../../manifests/values/problem';
import { ResourceType } from '../resource-type';

/** What a controller may do with the objects of one resource. */
export interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly clusterScoped: boolean;
}

/** A permission that the other factories have no word for. */
export interface PermissionOptions {
  /** API group; empty for the core group. */
  readonly group: string;

  /** Resources in lower case, subresources behind a slash: `pods`, `pods/log` (`TC-OPERATOR-PERMISSION`, `TC-OPERATOR-STATUS`). */
  readonly resources: string[];

  /** What may be done: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, … (`TC-OPERATOR-PERMISSION`). */
  readonly verbs: string[];

  /**
   * Names of the objects that it is limited to. `create`, `list` and `watch` of all objects do not go with it.
   *
   * @default - all objects
   */
  readonly resourceNames?: string[];

  /**
   * True if the objects belong to no namespace: the right is then a ClusterRole's (`TC-OPERATOR-SCOPE`).
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

/**
 * Activity of a controller, from which the rules of its roles follow.
 *
 * Several permissions for one resource add up. Source of the verbs: what client-go and controller-runtime call, as read from
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
   * @param type what it looks up
   */
  public static reads(type: ResourceType): Permission {
    return Permission.on(type, ['get']);
  }

  /**
   * Follows objects through an informer: `get`, `list`, `watch`.
   *
   * @param type what it follows
   */
  public static watches(type: ResourceType): Permission {
    return Permission.on(type, ['get', 'list', 'watch']);
  }

  /**
   * Follows objects, creates them and keeps them in shape: `get`, `list`, `watch`, `create`, `update`. The garbage collector removes
   * them with their owner.
   *
   * @param type what it creates
   */
  public static owns(type: ResourceType): Permission {
    return Permission.on(type, ['get', 'list', 'watch', 'create', 'update']);
  }

  /**
   * Does everything with objects: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`.
   *
   * @param type what it manages
   */
  public static manages(type: ResourceType): Permission {
    return Permission.on(type, ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']);
  }

  /**
   * Everything that kubebuilder's markers ask for the type of a reconciler: all of `manages`, `get`, `update`, `patch` of the status,
   * `update` of the finalizers (`TC-OPERATOR-STATUS`).
   *
   * @param type what is reconciled
   */
  public static reconciles(type: ResourceType): Permission {
    return new Permission([
      ...Permission.manages(type)._grants, ...subresource(type, 'status', ['get', 'update', 'patch']), ...subresource(type, 'finalizers', ['update']),
    ], [type]);
  }

  /**
   * Writes the status through `UpdateStatus`: `update` of the subresource (`TC-OPERATOR-STATUS`).
   *
   * @param type whose status it is
   */
  public static updatesStatus(type: ResourceType): Permission {
    return new Permission(subresource(type, 'status', ['update']), [type]);
  }

  /**
   * Writes the status through patches: `patch` of the subresource (`TC-OPERATOR-STATUS`).
   *
   * @param type whose status it is
   */
  public static patchesStatus(type: ResourceType): Permission {
    return new Permission(subresource(type, 'status', ['patch']), [type]);
  }

  /**
   * Is named as the owner of objects, or keeps objects from being deleted until it is done: `update` of the finalizers. Owner references
   * with `blockOwnerDeletion` need it where the admission plug-in OwnerReferencesPermissionEnforcement is on, as in OpenShift.
   *
   * @param type what owns
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
   * @param options what may be done with what (`TC-OPERATOR-PERMISSION`, `TC-OPERATOR-WILDCARD`)
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
      ...(resources.length === 0 ? [{ rule: OPERATOR_RULES.permission, property: `${property}.resources`, message: 'no resource is named', fix: 'name a resource' }] : []),
      ...(resourceNames.length > 0 && unlimited.length > 0 ? [{
        rule: OPERATOR_RULES.permission, property: `${property}.verbs`, message: 'create cannot be limited to names, which are not known yet', fix: 'make it a permission of its own',
      }] : []),
      ...all.filter(([, wild]) => wild && !allowWildcards).map(([name]) => ({
        rule: OPERATOR_RULES.wildcard, property: `${property}.${name}`, message: '"*" stands for everything', fix: 'name what the controller uses, or set allowWildcards: true',
      })),
    ];
  }

  private checkStatus(property: string): Problem[] {
    return this.statusOf.filter((type) => !type.statusSubresource).map((type) => noStatus(type, property));
  }
}

/** What is wrong where the status of a type is written that has no such subresource. */
export function noStatus({ kind }: ResourceType, property: string): Problem {
  return {
    rule: OPERATOR_RULES.status,
    property,
    message: `${kind} has no status subresource, so that every update of its status fails`,
    fix: 'set statusSubresource: true on its versions, or leave the permission out',
  };
}

function subresource({ group, resource, clusterScoped }: ResourceType, name: string, verbs: readonly string[]): Grant[] {
  return [{ group, resource: `${resource}/${name}`, verbs, clusterScoped }];
}

function checkGrant({ resource, verbs, group }: Grant, property: string): Problem[] {
  const problem = (message: string, fix: string): Problem => ({ rule: OPERATOR_RULES.permission, property, message, fix });
  return [
    ...(/^(\*|[a-z][a-z0-9-]*)(\/(\*|[a-z][a-z0-9-]*))?$/.test(resource) ? [] : [problem(`"${resource}" is no resource`, 'write it as in addresses, e.g. "deployments"')]),
    ...(/^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$/.test(group) ? [] : [problem(`"${group}" is no API group`, 'give the group without version, e.g. "apps"')]),
    ...(verbs.length === 0 ? [problem(`nothing may be done with ${resource}`, 'give at least one verb')] : []),
    ...verbs.filter((verb) => !/^(\*|[a-z]+)$/.test(verb)).map((verb) => problem(`"${verb}" is no verb`, 'write it in lower case, e.g. "get"')),
  ];
}
