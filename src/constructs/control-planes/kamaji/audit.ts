/** Part of a request that is recorded. */
export enum AuditLevel {
  /** Nothing. */
  NONE = 'None',

  /** Who, when, what and from where, without bodies. */
  METADATA = 'Metadata',

  /** The request's body as well. With Secrets that means their content. */
  REQUEST = 'Request',

  /** The bodies of request and response as well. With Secrets that means their content. */
  REQUEST_RESPONSE = 'RequestResponse',
}

/** A moment of a request's life at which an event can be recorded. */
export enum AuditStage {
  /** The request has arrived. */
  REQUEST_RECEIVED = 'RequestReceived',

  /** The response has begun, for requests that last, such as watches. */
  RESPONSE_STARTED = 'ResponseStarted',

  /** The response is complete. */
  RESPONSE_COMPLETE = 'ResponseComplete',

  /** The API server has met an internal error. */
  PANIC = 'Panic',
}

/** Kinds of object that an audit rule is about. */
export interface AuditResources {
  /**
   * API group without version, e.g. `apps`.
   *
   * @default - the core group
   */
  readonly group?: string;

  /**
   * Plurals of the kinds, e.g. `secrets`, with a subresource as in `pods/log`; `pods/*` means all subresources.
   *
   * @default - all kinds of the group
   */
  readonly resources?: string[];

  /**
   * Names of the objects, only together with `resources` (`TC-KAMAJI-AUDIT-RULE`).
   *
   * @default - all objects
   */
  readonly resourceNames?: string[];
}

/** What is recorded of the requests that match. The first rule that matches decides. */
export interface AuditRule {
  /** Part of the request that is recorded. */
  readonly level: AuditLevel;

  /**
   * Users who make the request.
   *
   * @default - all
   */
  readonly users?: string[];

  /**
   * Groups of which the user is in one.
   *
   * @default - all
   */
  readonly userGroups?: string[];

  /**
   * Verbs of the request, e.g. `get`, `create`.
   *
   * @default - all
   */
  readonly verbs?: string[];

  /**
   * Kinds of object that the request is about.
   *
   * @default - all
   */
  readonly resources?: AuditResources[];

  /**
   * Namespaces that the request is about; an empty text stands for objects without a namespace.
   *
   * @default - all
   */
  readonly namespaces?: string[];

  /**
   * Paths that are no objects, e.g. `/healthz*`; not together with `resources` and `namespaces` (`TC-KAMAJI-AUDIT-RULE`).
   *
   * @default - none
   */
  readonly nonResourceUrls?: string[];

  /**
   * Stages at which nothing is recorded, beside those of the whole policy.
   *
   * @default - none
   */
  readonly omitStages?: AuditStage[];

  /**
   * True if `managedFields` are left out of recorded bodies.
   *
   * @default - what the policy says
   */
  readonly omitManagedFields?: boolean;
}

/** A kubeconfig that tells the API server where to send audit events. */
export interface AuditWebhook {
  /** Name of the Secret in the tenant cluster's namespace (`TC-KAMAJI-FILE-SOURCE`). */
  readonly secretName: string;

  /** Key of the Secret that holds the kubeconfig (`TC-KAMAJI-FILE-SOURCE`). */
  readonly key: string;
}

/** Audit log of the API server. */
export interface ControlPlaneAudit {
  /** The rules; the first one that matches a request decides (`TC-KAMAJI-AUDIT-RULE`). */
  readonly rules: AuditRule[];

  /**
   * Stages at which nothing is recorded.
   *
   * @default - none
   */
  readonly omitStages?: AuditStage[];

  /**
   * True if `managedFields` are left out of recorded bodies.
   *
   * @default false
   */
  readonly omitManagedFields?: boolean;

  /**
   * True if events go to the standard output of the API server, from where the management cluster's log collection takes them
   * (`TC-KAMAJI-AUDIT-SINK` if there is no webhook either).
   *
   * @default true, false where there is a webhook
   */
  readonly log?: boolean;

  /**
   * Where events are sent.
   *
   * @default - nowhere
   */
  readonly webhook?: AuditWebhook;
}
