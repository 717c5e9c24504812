import * as path from 'node:path';
import { App, Chart, IResolver } from 'cdk8s';
import { demandValid } from './app-validation';
import { checkEntryNames } from './entry-files';
import { committedOutput, FormerOutput, listsOfTree, outputOnDisk, readTreeLists, restoreEmptied } from './former-output';
import { checkManagementClusters, checkManagementTrees, checkOneManagementCluster, checkTopTree } from './management-clusters';
import { checkMoved, checkMoving } from './moved-clusters';
import { outputChanges } from './output-changes';
import { checkFolderOrder, checkFolders, checkOnly, FileLayout } from './output-folders';
import { outputPathCheck, withIgnoredFiles } from './output-repository';
import { keptClusters } from './removed-clusters';
import { RepositoryFiles } from './repository-files';
import { setHoldsSteps } from './rollout-steps';
import { changesText, FolderPlans, frozenChanges, summaryText, touchedFolders } from './touched-folders';
import { CommittedFolder } from '../../manifests/objects/git/committed-folder';
import { GitError } from '../../manifests/objects/git/git-error';
import { formatProblem, Problem, Rule } from '../../manifests/values/problem';
import { Progress } from '../../manifests/values/progress';
import { Problems } from '../app/problems/problems';
import { WARNINGS } from '../app/problems/warnings';
import { OutputFiles } from '../app/synth/output-files';
import { writesTrees, writeTrees } from '../app/synth/output-place';
import { answered, prepareBeforeValidation, synthesize } from '../app/synth/synthesis';
import { FileLists, readLists } from '../app/synth/tree/file-lists';
import { TreeFile, TreeSummary, writeTree, WriteTreeOptions, writeTrees as writeFolders } from '../app/synth/tree/write-tree';
import { ManifestValidation } from '../app/validation/manifest-validation';
import { checkChanges } from '../app/validation/validate-constructs';
import { CompanyNetwork, setAppNetwork } from '../contracts/company-network/company-network';
import { setHoldsWindows } from '../contracts/delivery/change-windows';
import { EntryPoints } from '../contracts/delivery/entry-points';
import { ManifestFolders } from '../contracts/delivery/manifest-folder';
import { refuseFrozenChanges } from '../tenant/freeze';

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
   * of them would apply the objects of the others. Changing it moves all files.
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
   * @default - `HEAD`; outside of a Git repository, the output on disk
   */
  readonly base?: string;

  /**
   * The clusters to write, as `<namespace>/<name>`, or `<management cluster>/<namespace>/<name>` with `folderPerManagementCluster`: their
   * folders, their entries for the GitOps tool, and the sources that clusters share. All other files of the output stay as they are. "shared"
   * stands for the files that belong to no cluster of the app: charts, files of hosts, lists of folders, and the removal of clusters that the app does not have any
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

const FOLDER_RULE: Rule = {
  id: 'TC-OUTPUT-FOLDER',
  title: 'The name of the output folder must not be empty, and the folder cannot be the root of the file system; the default is dist.',
};

/**
 * An app that writes the content of a GitOps repository, as a stable tree:
 *
 * - `clusters/<namespace>/<cluster>/` for each tenant cluster, and for a management cluster: `cluster.yaml`, `isolation.yaml`,
 *   `pools/<pool>.yaml`, `controllers/<name>.yaml`, `addons/<name>.yaml`, and `delivered/<name>/` with the files that a delivery reads
 *   from the repository (`manifestSource`);
 * - `charts/<id>/` for every other chart, and `charts/shared-sources/` for sources that tenants share (`FluxDelivery`),
 *   `charts/cluster-classes/` for ClusterClasses that they share (`ClusterTopology`);
 * - `flux/` or `argocd/` with the objects to apply once (`entryPoints`);
 * - the files of hosts (`KubeadmCluster`).
 *
 * With `folderPerManagementCluster` there is such a tree for each management cluster, in a folder with its name.
 *
 * Each folder has a `kustomization.yaml`. A cluster that is added, changed or removed changes its own folder only, independent of the
 * order of clusters.
 *
 * Files are written once all of them are complete and valid: an error leaves the output unchanged. Files with the right content are not
 * touched, nor are other files; files of an earlier synthesis that are no longer written are removed.
 * Lists in `.cdk8s-cluster-api`, one for each cluster and each other folder, record what was written, and belong in the repository.
 *
 * Run the program itself (`npx tsx main.ts`). `cdk8s synth` removes the output first: files that are not committed are lost
 * (`TC-GITOPS-EMPTIED`). In a Git repository, synthesis then starts from the last commit, so that clusters that disappear from the code, files of
 * others and changes by hand are protected as far as they are committed. Where there is a repository that Git cannot read, synthesis fails
 * (`TC-GIT-UNREAD`): a guess could lose a living cluster.
 *
 * A program that ends without `synth()` causes a warning (`TC-GITOPS-UNWRITTEN`).
 *
 * Before it is written, the output is compared with that of the last commit, or of `base`, or without a Git repository with that on disk. A
 * change that an API server would refuse, or that breaks machines or data, is an error (`TC-CHANGE-*`). An intended change is acknowledged
 * by a silence with a reason (`ManifestValidation.silence`). On a terminal, the summary has the plans of controllers in three lines.
 *
 * A cluster that disappears from the code without `decommission` is kept, with a warning (`TC-GITOPS-KEPT`): Flux or Argo CD would remove
 * its machines, and the controllers that clean up after them.
 *
 * The same charts work in an `App` of cdk8s.
 *
 * @example
 * const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });
 */
export class GitOpsApp extends App {
  private readonly props: GitOpsAppProps;

  /** Problems of the commits that the output is compared with. */
  private baseProblems: readonly Problem[] = [];

  public constructor(props: GitOpsAppProps = {}) {
    const { outdir, resolvers, recordConstructMetadata } = props;
    super({ outdir: outdir === '' ? undefined : outdir, resolvers, recordConstructMetadata });
    this.props = props;
    if (outdir === '') Problems.of(this).add({ rule: FOLDER_RULE, property: 'outdir', message: 'it is empty', fix: 'name a folder, or leave it out' });
    if (path.dirname(path.resolve(this.outdir)) === path.resolve(this.outdir)) {
      Problems.of(this).add({ rule: FOLDER_RULE, property: 'outdir', message: `"${this.outdir}" is the root of the file system`, fix: 'name a folder' });
    }
    expectSynthesis(this);
    prepareBeforeValidation(this);
    (props.validation ?? ManifestValidation.of())._attach(this);
    const { entryPoints, folderPerManagementCluster = false } = props;
    if (folderPerManagementCluster) writeTrees(this);
    Problems.of(this)._addCheck(() => [...entryPoints?._check() ?? [], ...this.checkEntryPath(entryPoints)]);
    Problems.of(this)._addCheck(() => (folderPerManagementCluster ? checkManagementClusters(this) : checkOneManagementCluster(this)));
    Problems.of(this)._addCheck(() => [...checkFolders(this), ...checkOnly(this, props.only), ...this.baseProblems]);
    if (entryPoints) Problems.of(this)._addCheck(() => [...checkEntryNames(this), ...checkFolderOrder(this), ...checkMoving(this, entryPoints)]);
    entryPoints?._attach(this);
    if (entryPoints?.holdsChangeWindows) setHoldsWindows(this);
    if (entryPoints?.holdsSteps) setHoldsSteps(this);
    if (props.companyNetwork) setAppNetwork(this, props.companyNetwork);
    // Known while the app is written; a chart that is rendered alone compares nothing.
    refuseFrozenChanges(this, () => []);
    ManifestFolders.of(this).written = true;
    OutputFiles.of(this).written = true;
  }

  /** Writes everything, or what `only` selects, to the output folder. */
  public override synth(): void {
    const { layout = FileLayout.FILE_PER_PART, entryPoints, only, quiet = false } = this.props;
    const recordConstructMetadata = this.props.recordConstructMetadata ?? process.env.CDK8S_RECORD_CONSTRUCT_METADATA === 'true';
    const { outdir } = this;
    const progress = new Progress(process.stderr);
    try {
      const trees = writesTrees(this);
      const committed = this.lastCommit();
      // If Git cannot be read, no other problem of the place is reported.
      const knowsPlace = !this.props.publishedElsewhere && this.baseProblems.length === 0;
      ManifestFolders.of(this).checkOutputPath = knowsPlace ? outputPathCheck(outdir) : undefined;
      this.baseProblems = [...this.baseProblems, ...trees ? checkTopTree(outdir) : checkManagementTrees(outdir, committed)];
      progress.at('Validating');
      synthesize(this, () => {
        const before = trees ? readTreeLists(outdir) : readLists(outdir);
        const files = new RepositoryFiles(this, { layout, entryPoints, only, progress, outdir, before, recordConstructMetadata });
        const former = this.formerOutput(committed, before);
        this.compareWith(former, files);
        if (trees) this.baseProblems = [...this.baseProblems, ...checkMoved(this, entryPoints, former)];
        demandValid(this);
        const changes = former && !quiet && process.stderr.isTTY ? this.changesSince(former, files) : '';
        const all = this.props.publishedElsewhere ? files.all() : withIgnoredFiles(outdir, trees, files.all(), (problem) => {
          progress.clear();
          warn(problem);
        });
        const summary = trees ? writeEach(outdir, all, files, before) : writeTree(outdir, all, { before, keeps: (list) => files.keeps(list) });
        progress.clear();
        keptClusters(files.kept).forEach(warn);
        if (!quiet) process.stderr.write(`${summaryText(files, summary, progress.seconds)}\n${changes}`);
      });
    } finally {
      progress.clear();
    }
  }

  /** Checks the path at which the tool reads the output. The place of the output is known while it is written. */
  private checkEntryPath(entryPoints: EntryPoints | undefined): Problem[] {
    const entryPath = entryPoints?._path;
    return entryPath === undefined ? [] : ManifestFolders.of(this).checkOutputPath?.('entryPoints.path', entryPath) ?? [];
  }

  /** Has validation check the changes. */
  private compareWith(former: FormerOutput | undefined, files: RepositoryFiles): void {
    checkChanges(this, (written) => former && outputChanges(this, this.changed(former, files).folders, former, written));
    refuseFrozenChanges(this, (construct, pool) => (former ? this.changed(former, files).frozen(construct, pool) : []));
  }

  /** The folders that differ, found at first use. */
  private changed(former: FormerOutput, files: RepositoryFiles) {
    return answered(this, 'changes', () => {
      const folders = touchedFolders(files, former);
      const plans = new FolderPlans(files, former);
      return { folders, plans, frozen: frozenChanges(folders, plans) };
    });
  }

  private changesSince(former: FormerOutput, files: RepositoryFiles): string {
    const { folders, plans } = this.changed(former, files);
    return changesText(folders, plans, files.clusters);
  }

  /** The last commit of the output, from which an output that was emptied is restored. */
  private lastCommit(): CommittedFolder | undefined {
    this.baseProblems = [];
    return this.ofGit(undefined, () => {
      const committed = CommittedFolder.of(this.outdir);
      if (committed) restoreEmptied(this.outdir, committed, writesTrees(this)).forEach(warn);
      return committed;
    });
  }

  /** The state that the output is compared with: that of Git, else that on disk. */
  private formerOutput(committed: CommittedFolder | undefined, before: FileLists): FormerOutput | undefined {
    const { base } = this.props;
    return this.ofGit('base', () => {
      const compared = base === undefined ? committed : CommittedFolder.of(this.outdir, base);
      return compared ? committedOutput(compared, writesTrees(this)) : outputOnDisk(this.outdir, before);
    });
  }

  /** An answer of Git; without one, synthesis is refused, since the existing clusters would be unknown. */
  private ofGit<T>(property: string | undefined, ask: () => T): T | undefined {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      this.baseProblems = [...this.baseProblems, { ...error.problem, property }];
      return undefined;
    }
  }
}

/** Writes a tree for each management cluster. */
function writeEach(outdir: string, all: Iterable<TreeFile>, files: RepositoryFiles, before: FileLists): TreeSummary {
  const trees = [...files.trees].filter((tree) => tree !== undefined);
  const options = trees.map((tree): [string, WriteTreeOptions] => (
    [tree, { before: listsOfTree(before, tree), keeps: (list) => files.keeps(`${tree}/${list}`) }]));
  return writeFolders(outdir, new Map(options), all);
}

function warn(problem: Problem): void {
  WARNINGS.emit(formatProblem(problem), { code: problem.rule.id });
}

const UNWRITTEN = Symbol.for('cdk8s-cluster-api.UnwrittenApps');

/**
 * Warns at the end of the process if an app was never synthesized. An app that a test has validated, or whose manifests it has read, needs
 * no synthesis.
 */
export function expectSynthesis(app: App): void {
  const apps = unwrittenApps();
  // A strong reference until it is validated: it may be collected before the process ends.
  apps.add(app);
  app.node.addValidation({
    validate: () => {
      apps.delete(app);
      return [];
    },
  });
}

/** The unwritten apps of the process, which may load the library more than once. */
function unwrittenApps(): Set<App> {
  const holder: typeof process & { [UNWRITTEN]?: Set<App> } = process;
  if (!holder[UNWRITTEN]) {
    Object.defineProperty(holder, UNWRITTEN, { value: new Set() });
    process.once('exit', warnOfUnwrittenApps);
  }
  return holder[UNWRITTEN]!;
}

const UNWRITTEN_RULE: Rule = {
  id: 'TC-GITOPS-UNWRITTEN',
  title: 'An app with charts must be synthesized: without synth() it writes nothing.',
  warning: true,
};

/**
 * Warns of unread apps with charts.
 *
 * @param exitCode exit code of the process: a program that failed has reported that
 */
export function warnOfUnwrittenApps(exitCode: number): void {
  const { length } = [...unwrittenApps()].filter(({ node }) => node.findAll().some((construct) => Chart.isChart(construct)));
  if (exitCode !== 0 || length === 0) return;
  WARNINGS.emit(formatProblem({
    rule: UNWRITTEN_RULE,
    message: `the program has ended without synthesizing ${length === 1 ? 'its GitOpsApp' : `${length} of its GitOpsApps`}, so that nothing was written`,
    fix: 'call app.synth() at the end of the program',
  }), { code: UNWRITTEN_RULE.id });
}
