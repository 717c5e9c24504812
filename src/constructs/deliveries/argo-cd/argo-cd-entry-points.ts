import { Construct } from 'constructs';
import { ARGO_CD_NAMESPACE } from './application';
import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { CASCADE, filledIn, OWN_SERVER, SYNC_POLICY } from './argo-cd-sync';
import { checkArgoCdEntryPoints } from './entry-point-checks';
import { OWN_FOLDER_ONLY } from './sync-retry';
import { addWindowProject, windowProject } from './window-project';
import { Application } from '../../../../imports/argoproj.io';
import { Problem } from '../../../manifests/values/problem';
import { EntryPoints, EntryTarget } from '../../contracts/delivery/entry-points';
import { pathInSource } from '../../contracts/delivery/manifest-folder';

/**
 * Argo CD finds each folder by an `Application`, in the folder `argocd`: let one Application of yours apply that folder.
 *
 * An Application of a living cluster leaves everything as it is when it is deleted; that of a cluster which is taken down takes along
 * what is left. Nothing waits for anything: what comes before its API server fails, and is tried again. So does the sync of a tenant, as a
 * whole, while the management cluster does not serve one of its kinds: its dry run fails.
 *
 * Applications of clusters with `changeWindows` are in a project of their own (`windowProject`). Outside of the windows they do not sync by
 * themselves: neither commits reach the cluster, nor are changes by hand undone.
 *
 * Sources: argoproj/argo-cd docs/operator-manual/cluster-bootstrapping.md, docs/user-guide/sync_windows.md, docs/user-guide/app_deletion.md, docs/user-guide/diffing.md,
 * docs/user-guide/sync-options.md (skip dry run).
 *
 * @example
 * new GitOpsApp({
 *   entryPoints: new ArgoCdEntryPoints({ repoUrl: 'https://git.example.com/platform/tenants.git', targetRevision: 'main', path: 'dist' }),
 * });
 */
export class ArgoCdEntryPoints extends EntryPoints {
  /** Folder of the entry points. */
  public readonly folder = 'argocd';

  /** Addons are a part of their cluster's Application. */
  public readonly addonsApart = false;

  public constructor(private readonly props: ArgoCdEntryPointsProps) {
    super();
  }

  /** The Application of a cluster that moves does not sync by itself. */
  public override get stopsEntries(): boolean {
    return true;
  }

  /** Applications of clusters with windows are in a project that has these. */
  public override get holdsChangeWindows(): boolean {
    return true;
  }

  /**
   * Makes the Application of a folder.
   *
   * @param scope where to put it
   * @param target the folder
   */
  public addEntry(scope: Construct, target: EntryTarget): void {
    const { repoUrl, targetRevision, path = '', namespace = ARGO_CD_NAMESPACE, project = 'default' } = this.props;
    new Application(scope, `Application ${target.name}`, {
      metadata: { name: target.name, namespace, annotations: OWN_FOLDER_ONLY, ...(target.leaving && { finalizers: [CASCADE] }) },
      spec: {
        destination: { server: OWN_SERVER },
        ignoreDifferences: filledIn([target]),
        project: target.changeWindows ? windowProject(this.props) : project,
        source: { repoUrl, targetRevision, path: pathInSource(path, target.folder) },
        syncPolicy: target.stopped ? { ...SYNC_POLICY, automated: undefined } : SYNC_POLICY,
      },
    });
  }

  /**
   * Makes the project of clusters with `changeWindows`, if there are any.
   *
   * @param scope where to put it
   * @param targets all folders
   */
  public override addShared(scope: Construct, targets: EntryTarget[]): void {
    addWindowProject(scope, this.props, targets.flatMap(({ name, changeWindows: windows }) => (windows ? [{ name, windows }] : [])));
  }

  /** @internal */
  public override get _path(): string {
    return this.props.path ?? '';
  }

  /** @internal */
  public override _check(): Problem[] {
    return checkArgoCdEntryPoints(this.props);
  }
}
