/** Options of the entry points of Argo CD. */
export interface ArgoCdEntryPointsProps {
  /** Address of the Git repository that the output of the app is in: `https://…`, `ssh://…` or `git@host:path` (`TC-GITOPS-ENTRY`). */
  readonly repoUrl: string;

  /** Branch, tag or commit (`TC-GITOPS-ENTRY`). */
  readonly targetRevision: string;

  /**
   * Folder of the repository that the output of the app is in, e.g. `dist`: the path of the output folder from the top (`TC-GITOPS-ENTRY`,
   * `TC-GITOPS-PATH`).
   *
   * @default - the top of the repository
   */
  readonly path?: string;

  /**
   * Namespace of Argo CD in the management cluster (`TC-GITOPS-ENTRY`).
   *
   * @default argocd
   */
  readonly namespace?: string;

  /**
   * Argo CD project, which must allow the management cluster and the repository (`TC-GITOPS-ENTRY`).
   *
   * @default default
   */
  readonly project?: string;

  /**
   * Name of the Argo CD project that is written for clusters with `changeWindows`, which their Applications are in. No other app of the same Argo
   * CD may write one of that name (`TC-GITOPS-ENTRY`).
   *
   * @default change-windows
   */
  readonly windowProject?: string;
}
