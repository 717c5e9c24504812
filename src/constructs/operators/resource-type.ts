/** Properties of a type of objects. */
export interface ResourceTypeOptions {
  /** API group; empty for the core group. */
  readonly group: string;

  /** Name of the type in URLs and roles, in lower case: `deployments`. */
  readonly resource: string;

  /** Kind of the objects: `Deployment`. */
  readonly kind: string;

  /** Versions that are served, the preferred one first. */
  readonly versions: string[];

  /**
   * True if the objects are cluster-scoped.
   *
   * @default false
   */
  readonly clusterScoped?: boolean;

  /**
   * True if the type has the status subresource.
   *
   * @default true
   */
  readonly statusSubresource?: boolean;
}

/**
 * A type of objects for roles and webhooks. A `CustomResourceType` has its own as `resourceType`.
 *
 * @example
 * const certificates = operators.ResourceType.of({ group: 'cert-manager.io', resource: 'certificates', kind: 'Certificate', versions:
 * ['v1'] });
 */
export class ResourceType {
  /** Deployments. */
  public static readonly DEPLOYMENTS = ResourceType.builtIn('apps', 'deployments', 'Deployment');

  /** StatefulSets. */
  public static readonly STATEFUL_SETS = ResourceType.builtIn('apps', 'statefulsets', 'StatefulSet');

  /** DaemonSets. */
  public static readonly DAEMON_SETS = ResourceType.builtIn('apps', 'daemonsets', 'DaemonSet');

  /** Jobs. */
  public static readonly JOBS = ResourceType.builtIn('batch', 'jobs', 'Job');

  /** CronJobs. */
  public static readonly CRON_JOBS = ResourceType.builtIn('batch', 'cronjobs', 'CronJob');

  /** Pods. */
  public static readonly PODS = ResourceType.builtIn('', 'pods', 'Pod');

  /** Services. */
  public static readonly SERVICES = ResourceType.builtIn('', 'services', 'Service');

  /** ConfigMaps. */
  public static readonly CONFIG_MAPS = ResourceType.builtIn('', 'configmaps', 'ConfigMap', { statusSubresource: false });

  /** Secrets. */
  public static readonly SECRETS = ResourceType.builtIn('', 'secrets', 'Secret', { statusSubresource: false });

  /** ServiceAccounts. */
  public static readonly SERVICE_ACCOUNTS = ResourceType.builtIn('', 'serviceaccounts', 'ServiceAccount', { statusSubresource: false });

  /** PersistentVolumeClaims. */
  public static readonly PERSISTENT_VOLUME_CLAIMS = ResourceType.builtIn('', 'persistentvolumeclaims', 'PersistentVolumeClaim');

  /** Namespaces, which are cluster-scoped. */
  public static readonly NAMESPACES = ResourceType.builtIn('', 'namespaces', 'Namespace', { clusterScoped: true });

  /** Nodes, which are cluster-scoped. */
  public static readonly NODES = ResourceType.builtIn('', 'nodes', 'Node', { clusterScoped: true });

  /** Ingresses. */
  public static readonly INGRESSES = ResourceType.builtIn('networking.k8s.io', 'ingresses', 'Ingress');

  /**
   * Any other type.
   *
   * @param options names and scope of the type (`TC-OPERATOR-PERMISSION`)
   */
  public static of(options: ResourceTypeOptions): ResourceType {
    return new ResourceType(options);
  }

  private static builtIn(group: string, resource: string, kind: string, options: Partial<ResourceTypeOptions> = {}): ResourceType {
    return new ResourceType({ group, resource, kind, versions: ['v1'], ...options });
  }

  /** API group; empty for the core group. */
  public readonly group: string;

  /** Name of the type in URLs and roles. */
  public readonly resource: string;

  /** Kind of the objects. */
  public readonly kind: string;

  /** Versions that are served, the preferred one first. */
  public readonly versions: string[];

  /** True if the objects are cluster-scoped. */
  public readonly clusterScoped: boolean;

  /** True if the type has the status subresource. */
  public readonly statusSubresource: boolean;

  private constructor(options: ResourceTypeOptions) {
    this.group = options.group;
    this.resource = options.resource;
    this.kind = options.kind;
    this.versions = [...options.versions];
    this.clusterScoped = options.clusterScoped ?? false;
    this.statusSubresource = options.statusSubresource ?? true;
  }
}
