/** A kind that servers no longer have, or have elsewhere. */
export interface RemovedKind {
  /** The last release that served it is the one before. */
  readonly since: string;

  /** What took its place; undefined where nothing did. */
  readonly instead?: string;
}

/**
 * Kinds that moved to other groups, or went, by `group/Kind`. Versions that went while the kind stayed are no entries: what is served says it.
 *
 * Source: kubernetes.io/docs/reference/using-api/deprecation-guide.
 */
export const REMOVED_KINDS: Readonly<Record<string, RemovedKind>> = {
  'extensions/DaemonSet': { since: '1.16', instead: 'apps/v1' },
  'extensions/Deployment': { since: '1.16', instead: 'apps/v1' },
  'extensions/ReplicaSet': { since: '1.16', instead: 'apps/v1' },
  'extensions/NetworkPolicy': { since: '1.16', instead: 'networking.k8s.io/v1' },
  'extensions/Ingress': { since: '1.22', instead: 'networking.k8s.io/v1' },
  'extensions/PodSecurityPolicy': { since: '1.16' },
  'policy/PodSecurityPolicy': { since: '1.25' },
};

/** What to have in place of a kind that nothing replaced. */
export const REMOVED_FIXES: Readonly<Record<string, string>> = {
  PodSecurityPolicy: 'remove it, and label namespaces for Pod Security admission (pod-security.kubernetes.io/enforce)',
};
