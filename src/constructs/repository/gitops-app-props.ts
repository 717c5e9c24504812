import { IResolver } from 'cdk8s';
import { FileLayout } from './file-layout';
import { ManifestValidation } from '../app/validation/manifest-validation';
import { CompanyNetwork } from '../contracts/company-network/company-network';
import { EntryPoints } from '../contracts/delivery/entry-points';

/** Properties of a `GitOpsApp`. Everything has a default. */
export interface GitOpsAppProps {
  /**
   * Folder that the files are written to. The program leaves other files in it unchanged; `cdk8s synth` removes the folder before it runs the
   * program (`TC-GITOPS-EMPTIED`).
   *
   * @default - the environment variable CDK8S_OUTDIR, or "dist"
   */
  readonly outdir?: string;

  /**
   * Objects by which a GitOps tool finds the output: `FluxEntryPoints`, `ArgoCdEntryPoints`, `ArgoCdApplicationSet`.
   *
   * Rule: `TC-GITOPS-ENTRY`.
   *
   * @default - none; a `kustomization.yaml` at the top lists all folders, for an object that you write
   */
  readonly entryPoints?: EntryPoints;

  /**
   * True if the GitOps tool reads a copy of the output, which CI brings to another folder or repository. Otherwise the place of the output
   * in its Git repository must be the `path` of the entry points and of every `manifestSource`, and Git must not ignore it.
   *
   * Rules: `TC-GITOPS-PATH`, `TC-GITOPS-IGNORED`.
   *
   * @default false
   */
  readonly publishedElsewhere?: boolean;

  /**
   * True if the output has a folder for each management cluster, with everything that one needs: `<outdir>/<name>/clusters`, entry points,
   * lists. Each `ImportedManagementCluster` needs a `name`. Without it, an app with several management clusters is refused, because each
   * of them would apply what is written for the others. Changing it moves all files.
   *
   * Rules: `TC-GITOPS-MANAGEMENT-NAME`, `TC-GITOPS-MANAGEMENT-CLUSTERS`, `TC-GITOPS-MANAGEMENT-MOVED`.
   *
   * @default false
   */
  readonly folderPerManagementCluster?: boolean;

  /**
   * The network of the company that all clusters of the app are in. The `companyNetwork` of a tenant, then that of its management cluster,
   * counts before it.
   *
   * @default - none
   */
  readonly companyNetwork?: CompanyNetwork;

  /**
   * Distribution of objects over files.
   *
   * @default FileLayout.FILE_PER_PART
   */
  readonly layout?: FileLayout;

  /**
   * Validation of everything that the app writes, for the management cluster and for tenants, before the first file is written: errors and
   * traps refuse synthesis, warnings are printed. `ManifestValidation.of` silences rules with a reason,
   * `ManifestValidation.none` switches it off with one.
   *
   * @default - by all rules
   */
  readonly validation?: ManifestValidation;

  /**
   * The commit that has the former state of the output, which changes are checked against: a branch, a tag, an id, or anything else
   * that names a commit. Of a branch that `HEAD` is not on, such as `origin/main`, the commit where `HEAD` left it.
   *
   * Rules: `TC-CHANGE-*`, `TC-GIT-BASE`.
   *
   * @default - `HEAD`; outside of a Git repository, what is on disk
   */
  readonly base?: string;

  /**
   * The clusters to write, as `<namespace>/<name>`, or `<management cluster>/<namespace>/<name>` with `folderPerManagementCluster`: their
   * folders, and their entries for the GitOps tool. All other files of the output stay as they are. "shared" stands for the files that
   * belong to no cluster of the app: charts, files of hosts, lists of folders, and the removal of clusters that the app does not have any
   * more. Checks see the whole app.
   *
   * Rule: `TC-GITOPS-ONLY`.
   *
   * @default - everything is written
   */
  readonly only?: string[];

  /**
   * True if no summary is printed. Otherwise a line on standard error counts the files that were written. A terminal also shows progress
   * after one second, and in three lines what controllers will do.
   *
   * @default false
   */
  readonly quiet?: boolean;

  /**
   * Resolvers for tokens of your own, asked before those of cdk8s.
   *
   * @default - none
   */
  readonly resolvers?: IResolver[];

  /**
   * True if `construct-metadata.json` is written, by which `cdk8s synth` names constructs in its reports.
   *
   * @default - the environment variable CDK8S_RECORD_CONSTRUCT_METADATA
   */
  readonly recordConstructMetadata?: boolean;
}
