import { App } from 'cdk8s';
import { demandValid, settle } from './app-validation';
import { checkEntryNames } from './entry-files';
import { FileLayout } from './file-layout';
import { checkFolderOrder } from './folder-order';
import { GitOpsAppProps } from './gitops-app-props';
import { checkFolders } from './output-folders';
import { Progress } from './progress';
import { keptClusters } from './removed-clusters';
import { RepositoryFiles } from './repository-files';
import { Shard } from './shard';
import { forgetRecord, recordText, SHARD_RECORD, stagedOutdir } from './shard-record';
import { summaryText } from './summary';
import { ManifestFolders } from '../delivery/manifest-folder';
import { OutputFiles } from '../synth/output-files';
import { Share } from '../synth/share';
import { onceSettled } from '../synth/synthesis';
import { writeTree } from '../synth/tree/write-tree';
import { ManifestValidation } from '../validation/manifests/manifest-validation';
import { formatProblem } from '../validation/problem';
import { Problems } from '../validation/problems';

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
 * Each folder has a `kustomization.yaml`. A cluster that is added, changed or removed touches its own folder, and nothing depends on the
 * order in which clusters are made.
 *
 * Files are written when all of them are complete and nothing is wrong: an error leaves the output as it was. Files whose content is as
 * wanted are not touched, nor is what somebody else has put there; what an earlier synthesis wrote and nobody wants any more is removed.
 * `.cdk8s-cluster-api/files.sha256` lists what was written, and belongs into the repository too. `cdk8s synth` empties the output first,
 * so that all of this has nothing to go by: run the program itself.
 *
 * A cluster that disappears from the code without having been taken down (`decommission`) is kept, with a warning (`TC-GITOPS-KEPT`): Flux
 * or Argo CD would take its machines, and the controllers that clean up behind them.
 *
 * Several processes can write it, each a part of it: `shard`.
 *
 * The same charts work in an `App` of cdk8s.
 */
export class GitOpsApp extends App {
  private readonly props: GitOpsAppProps;
  private readonly shard?: Shard;

  /**
   * @param props where and how it is written
   */
  public constructor(props: GitOpsAppProps = {}) {
    const { outdir, resolvers, recordConstructMetadata } = props;
    super({ outdir, resolvers, recordConstructMetadata });
    this.props = props;
    this.shard = props.shard ?? Shard._fromEnvironment();
    if (this.shard) Share.of(this).limit(this.shard);
    (props.validation ?? ManifestValidation.of())._attach(this);
    const { entryPoints } = props;
    Problems.of(this)._addCheck(() => [...this.shard?._problems ?? [], ...entryPoints?._check() ?? [], ...checkFolders(this)]);
    if (entryPoints) Problems.of(this)._addCheck(() => [...checkEntryNames(this), ...checkFolderOrder(this)]);
    entryPoints?._attach(this);
    ManifestFolders.of(this).written = true;
    OutputFiles.of(this).written = true;
  }

  /** Writes everything to the output folder, or what one of several shards has. */
  public override synth(): void {
    const { layout = FileLayout.FILE_PER_PART, entryPoints, quiet = false } = this.props;
    const recordConstructMetadata = this.props.recordConstructMetadata ?? process.env.CDK8S_RECORD_CONSTRUCT_METADATA === 'true';
    const outdir = stagedOutdir(this.outdir);
    const progress = new Progress(process.stderr);
    try {
      if (this.shard) forgetRecord(outdir);
      progress.at('Validating');
      settle(this);
      onceSettled(() => {
        demandValid(this);
        const files = new RepositoryFiles(this, { layout, entryPoints, progress, outdir, recordConstructMetadata });
        const { shard } = this;
        const { folders, own } = files;
        const text = shard && (() => recordText({ shard, folder: outdir, outdir: this.outdir, entryPoints, folders, files: own }));
        const summary = writeTree(outdir, files.all(), { record: { name: SHARD_RECORD, text } });
        progress.clear();
        keptClusters(files.kept).forEach((problem) => process.emitWarning(formatProblem(problem), { code: problem.rule.id }));
        if (!quiet) process.stderr.write(`${summaryText(files, summary, progress.seconds)}\n`);
      });
    } finally {
      progress.clear();
    }
  }
}
