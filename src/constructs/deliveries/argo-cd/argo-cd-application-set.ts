import { posix } from 'node:path';
import { Construct } from 'constructs';
import { ARGO_CD_NAMESPACE } from './application';
import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { markerData, rollingSync } from './argo-cd-steps';
import { filledIn, OWN_SERVER, SYNC_POLICY } from './argo-cd-sync';
import { checkArgoCdEntryPoints } from './entry-point-checks';
import { OWN_FOLDER_ONLY } from './sync-retry';
import { addWindowProject, windowProject } from './window-project';
import { Problem } from '../../../manifests/values/problem';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { EntryPoints, EntryTarget } from '../../contracts/delivery/entry-points';
import { EntryTurn } from '../../contracts/delivery/entry-step';
import { pathInSource } from '../../contracts/delivery/manifest-folder';

const NAME = 'clusters';

/**
 * Argo CD finds all folders of clusters by one `ApplicationSet`, in the folder `argocd`: apply that folder once. It makes an Application
 * `<namespace>.<cluster>` for every folder that is there, so that a cluster that is added changes no other file.
 *
 * Applications are kept when their folder goes (`applicationsSync: create-update`), so that no mistake in the repository takes machines:
 * delete that of a cluster that was taken down by hand. Argo CD's controller must allow that policy (no other `--policy`, or
 * `--enable-policy-override`). Clusters stay even where their Application goes (`preserveResourcesOnDeletion`). Charts that are no clusters
 * are not among the folders. Applications of clusters with `changeWindows` are in a project of their own (`windowProject`).
 *
 * Sources: argoproj/argo-cd docs/operator-manual/applicationset/Generators-Git.md, docs/operator-manual/applicationset/Controlling-Resource-Modification.md.
 *
 * @example
 * new GitOpsApp({
 *   entryPoints: new ArgoCdApplicationSet({ repoUrl: 'https://git.example.com/platform/tenants.git', targetRevision: 'main', path: 'dist' }),
 * });
 */
export class ArgoCdApplicationSet extends EntryPoints {
  /** Folder of the entry points. */
  public readonly folder = 'argocd';

  /** Addons are a part of their cluster's Application. */
  public readonly addonsApart = false;

  public constructor(private readonly props: ArgoCdEntryPointsProps) {
    super();
  }

  /** Applications of clusters with windows are in a project that has these. */
  public override get holdsChangeWindows(): boolean {
    return true;
  }

  /** Applications are synced one step after the other. */
  public override get holdsSteps(): boolean {
    return true;
  }

  /** @internal */
  public override _markerData(turn: EntryTurn): { [key: string]: string } | undefined {
    return markerData(turn);
  }

  /**
   * Makes nothing: the ApplicationSet finds the folder.
   *
   * @param scope where nothing is put
   * @param target the folder
   */
  public addEntry(scope: Construct, target: EntryTarget): void {
    void [scope, target];
  }

  /**
   * Makes the ApplicationSet, and the project of clusters with `changeWindows`, if there are any.
   *
   * @param scope where to put it
   * @param targets all folders
   */
  public override addShared(scope: Construct, targets: EntryTarget[]): void {
    const { repoUrl, targetRevision, path = '', namespace = ARGO_CD_NAMESPACE, project = 'default' } = this.props;
    const [below = NAME] = targets.map(({ folder }) => posix.dirname(posix.dirname(folder))).filter((folder) => posix.basename(folder) === NAME);
    const folders = pathInSource(path, below);
    const depth = folders.split('/').length;
    const [namespaceName, clusterName] = [depth, depth + 1].map((index) => `index .path.segments ${index}`);
    const windowed = targets.flatMap(({ folder, changeWindows: windows }) => (
      windows ? [{ name: `${posix.basename(posix.dirname(folder))}.${posix.basename(folder)}`, windows }] : []));
    const names = windowed.map(({ name }) => JSON.stringify(name)).sort();
    addWindowProject(scope, this.props, windowed);
    const stepped = rollingSync(targets, `printf "%s.%s" (${namespaceName}) (${clusterName})`);
    new TypedApiObject(scope, NAME, { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' }, {
      metadata: { name: NAME, namespace },
      spec: {
        generators: [{ git: { repoURL: repoUrl, revision: targetRevision, directories: [{ path: `${folders}/*/*` }] } }],
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        ...(stepped && { strategy: stepped.strategy }),
        syncPolicy: { applicationsSync: 'create-update', preserveResourcesOnDeletion: true },
        template: {
          metadata: { annotations: OWN_FOLDER_ONLY, ...(stepped && { labels: stepped.labels }), name: `{{ ${namespaceName} }}.{{ ${clusterName} }}` },
          spec: {
            destination: { server: OWN_SERVER },
            ignoreDifferences: filledIn(targets),
            project: names.length === 0 ? project
              : `{{ if has (printf "%s.%s" (${namespaceName}) (${clusterName})) (list ${names.join(' ')}) }}${windowProject(this.props)}{{ else }}${project}{{ end }}`,
            source: { repoURL: repoUrl, targetRevision, path: '{{ .path.path }}' },
            syncPolicy: SYNC_POLICY,
          },
        },
      },
    });
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
