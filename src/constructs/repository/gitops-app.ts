import { App } from 'cdk8s';
import { demandValid } from './app-validation';
import { restoreEmptied } from './emptied-output';
import { checkEntryNames } from './entry-files';
import { FileLayout } from './file-layout';
import { checkFolderOrder } from './folder-order';
import { FolderPlans } from './folder-plans';
import { committedOutput, FormerOutput, outputOnDisk } from './former-output';
import { frozenChanges } from './frozen-changes';
import { GitOpsAppProps } from './gitops-app-props';
import { withIgnoredFiles } from './ignored-output';
import { checkManagementClusters, checkManagementTrees, checkOneManagementCluster, checkTopTree } from './management-clusters';
import { outputChanges } from './output-changes';
import { checkFolders, checkOnly } from './output-folders';
import { outputPathCheck } from './output-repository';
import { listsOfTree, readTreeLists } from './output-trees';
import { keptClusters } from './removed-clusters';
import { RepositoryFiles } from './repository-files';
import { changesText, summaryText } from './summary';
import { touchedFolders } from './touched-folders';
import { expectSynthesis } from './unwritten-apps';
import { CommittedFolder, GitError } from '../../manifests/objects/git/committed-folder';
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
import { setAppNetwork } from '../contracts/company-network/company-network';
import { EntryPoints } from '../contracts/delivery/entry-points';
import { CheckOutputPath, ManifestFolders } from '../contracts/delivery/manifest-folder';
import { refuseFrozenChanges } from '../tenant/freeze';

const FOLDER_RULE: Rule = {
  id: 'TC-OUTPUT-FOLDER',
  title: 'The output folder has a name; without one it is dist.',
};

/**
 * An app that writes what a GitOps repository holds, as a tree that stays:
 *
 * - `clusters/<namespace>/<cluster>/` for each tenant cluster, and for a management cluster: `cluster.yaml`, `isolation.yaml`,
 *   `pools/<pool>.yaml`, `controllers/<name>.yaml`, `addons/<name>.yaml`, and `delivered/<name>/` with what a delivery reads from the
 *   repository (`manifestSource`);
 * - `charts/<id>/` for every other chart;
 * - `flux/` or `argocd/` with what a tool is to be told (`entryPoints`), once;
 * - the files of hosts (`KubeadmCluster`).
 *
 * With `folderPerManagementCluster` there is such a tree for each management cluster, in a folder with its name.
 *
 * Each folder has a `kustomization.yaml`. A cluster that is added, changed or removed touches its own folder, and nothing depends on the
 * order in which clusters are made.
 *
 * Files are written when all of them are complete and nothing is wrong: an error leaves the output as it was. Files whose content is as
 * wanted are not touched, nor are other files; files of an earlier synthesis that are not written any more are removed.
 * Lists in `.cdk8s-cluster-api`, one for each cluster and each other folder, record what was written, and belong in the repository.
 *
 * Run the program itself (`npx tsx main.ts`). `cdk8s synth` removes the output first: files that are not committed are lost
 * (`TC-GITOPS-EMPTIED`). In a Git repository, synthesis then starts from the last commit, so that clusters that disappear from the code, files of
 * others and changes by hand are protected as far as they are committed. Where there is a repository that Git cannot read, synthesis fails
 * (`TC-GIT-UNREAD`): a guess could lose a living cluster.
 *
 * A program that ends without `synth()` is warned of (`TC-GITOPS-UNWRITTEN`).
 *
 * Before anything is written, it is compared with what the last commit has there, or that of `base`, or without a Git repository with what is
 * on disk. A change that an API server would refuse, or that breaks machines or data, is an error (`TC-CHANGE-*`). The one that is meant
 * is acknowledged by a silence with a reason (`ManifestValidation.silence`). On a terminal, the summary says in three lines what controllers
 * will do.
 *
 * A cluster that disappears from the code without having been taken down (`decommission`) is kept, with a warning (`TC-GITOPS-KEPT`): Flux
 * or Argo CD would take its machines, and the controllers that clean up behind them.
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
    expectSynthesis(this);
    prepareBeforeValidation(this);
    (props.validation ?? ManifestValidation.of())._attach(this);
    const { entryPoints, folderPerManagementCluster = false } = props;
    if (folderPerManagementCluster) writeTrees(this);
    Problems.of(this)._addCheck(() => [...entryPoints?._check() ?? [], ...this.checkEntryPath(entryPoints)]);
    Problems.of(this)._addCheck(() => (folderPerManagementCluster ? checkManagementClusters(this) : checkOneManagementCluster(this)));
    Problems.of(this)._addCheck(() => [...checkFolders(this), ...checkOnly(this, props.only), ...this.baseProblems]);
    if (entryPoints) Problems.of(this)._addCheck(() => [...checkEntryNames(this), ...checkFolderOrder(this)]);
    entryPoints?._attach(this);
    if (props.companyNetwork) setAppNetwork(this, props.companyNetwork);
    // Known while it is written; a chart that is looked at alone compares nothing.
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
      // Where Git cannot be read, that is all that is said.
      const knowsPlace = !this.props.publishedElsewhere && this.baseProblems.length === 0;
      ManifestFolders.of(this).checkOutputPath = knowsPlace ? whenAsked(outdir) : undefined;
      this.baseProblems = [...this.baseProblems, ...trees ? checkTopTree(outdir) : checkManagementTrees(outdir, committed)];
      progress.at('Validating');
      synthesize(this, () => {
        const before = trees ? readTreeLists(outdir) : readLists(outdir);
        const files = new RepositoryFiles(this, { layout, entryPoints, only, progress, outdir, before, recordConstructMetadata });
        const former = this.formerOutput(committed, before);
        this.compareWith(former, files);
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

  /** Checks where the tool reads the output; known while it is written. */
  private checkEntryPath(entryPoints: EntryPoints | undefined): Problem[] {
    const path = entryPoints?._path;
    return path === undefined ? [] : ManifestFolders.of(this).checkOutputPath?.('entryPoints.path', path) ?? [];
  }

  /** Has validation look at what changes. */
  private compareWith(former: FormerOutput | undefined, files: RepositoryFiles): void {
    checkChanges(this, (written) => former && outputChanges(this, this.changed(former, files).folders, former, written));
    refuseFrozenChanges(this, (construct, pool) => (former ? this.changed(former, files).frozen(construct, pool) : []));
  }

  /** What differs, found when it is first asked for. */
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

  /** What the output is compared with: what Git has of it, or else what is on disk. */
  private formerOutput(committed: CommittedFolder | undefined, before: FileLists): FormerOutput | undefined {
    const { base } = this.props;
    return this.ofGit('base', () => {
      const compared = base === undefined ? committed : CommittedFolder.of(this.outdir, base);
      return compared ? committedOutput(compared, writesTrees(this)) : outputOnDisk(this.outdir, before);
    });
  }

  /** An answer of Git; without one, synthesis is refused, since it would not know which clusters there are. */
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

/** Git is asked for the place of the output only if a path is to be compared with it. */
function whenAsked(outdir: string): CheckOutputPath {
  let check: CheckOutputPath | undefined;
  return (property, path) => (check ??= outputPathCheck(outdir))(property, path);
}

function warn(problem: Problem): void {
  WARNINGS.emit(formatProblem(problem), { code: problem.rule.id });
}
