/** The newest minor release of Kubernetes that a project tests a release line of its chart with. */
export interface TestedKubernetes {
  /** The first version of the chart that it holds for. */
  readonly since: string;

  /** The newest minor release, e.g. 36 for Kubernetes 1.36. */
  readonly newest: number;
}

/** The Kubernetes that versions of a chart are tested with. */
export interface KubernetesWindows {
  /** Source from which the table was read. */
  readonly source: string;

  /** By version of the chart, newest first. Versions before the oldest are tested with nothing newer than that. */
  readonly releases: readonly TestedKubernetes[];

  /** The first version that was not released, or not stated, when the table was read: nothing is known from it on. */
  readonly unreadFrom: string;
}

/** Charts whose projects state which Kubernetes they test them with. */
export const KUBERNETES_WINDOWS: Readonly<Record<string, KubernetesWindows>> = {
  'cert-manager': {
    source: 'cert-manager/website content/docs/releases/README.md @ commit 776e5dba5651, and d6b4a8f3 for 1.19 and 1.18',
    releases: [
      { since: '1.21.0', newest: 36 },
      { since: '1.19.0', newest: 35 },
      { since: '1.18.0', newest: 33 },
    ],
    unreadFrom: '1.22.0',
  },
  'cilium': {
    // Of later release lines no text with their versions could be read.
    source: 'cilium/cilium Documentation/network/kubernetes/compatibility.rst @ tag v1.18.14',
    releases: [{ since: '1.18.0', newest: 33 }],
    unreadFrom: '1.19.0',
  },
  'gateway-helm': {
    source: 'envoyproxy/gateway site/content/en/news/releases/matrix.md @ commit d32f28294245',
    releases: [
      { since: '1.9.0', newest: 36 },
      { since: '1.7.0', newest: 35 },
      { since: '1.4.0', newest: 33 },
    ],
    unreadFrom: '1.10.0',
  },
  'kyverno': {
    // The chart 3.9.0 has the program 1.19.0, 3.8.0 has 1.18.0, and so on.
    source: 'kyverno/website src/content/docs/docs/installation/releases.md @ commits 049be5c9 (1.18), 020b16d8 (1.17); content/en/docs/installation/_index.md @ commit e901be27 (1.16, 1.15)',
    releases: [
      { since: '3.7.0', newest: 35 },
      { since: '3.6.0', newest: 34 },
      { since: '3.5.0', newest: 33 },
    ],
    unreadFrom: '3.9.0',
  },
  'tigera-operator': {
    source: 'tigera/docs calico_versioned_docs/version-3.29 to version-3.32, _includes/partials/_system-requirements.mdx @ commit f2a2762432b5',
    releases: [
      { since: '3.32.0', newest: 36 },
      { since: '3.30.0', newest: 35 },
      { since: '3.29.0', newest: 32 },
    ],
    unreadFrom: '3.33.0',
  },
};
