import { IResolver } from 'cdk8s';
import { EntryPoints } from './entry-points';
import { FileLayout } from './file-layout';
import { Shard } from './shard';
import { ManifestValidation } from '../validation/manifests/manifest-validation';

/** What an app that writes a GitOps repository is told. */
export interface GitOpsAppProps {
  /**
   * Folder that the files are written to: what lies there and was written by somebody else stays as it is.
   *
   * @default - the environment variable CDK8S_OUTDIR, or "dist"
   */
  readonly outdir?: string;

  /**
   * How a GitOps tool finds what is written (`TC-GITOPS-ENTRY`): `FluxEntryPoints`, `ArgoCdEntryPoints`, `ArgoCdApplicationSet`.
   *
   * @default - it is told by hand: a `kustomization.yaml` at the top lists all folders
   */
  readonly entryPoints?: EntryPoints;

  /**
   * How objects are put into files.
   *
   * @default FileLayout.FILE_PER_PART
   */
  readonly layout?: FileLayout;

  /**
   * How everything that the app writes is validated, to the management cluster and to tenants, before the first file is written: errors and
   * traps of `docs/rules/` refuse synthesis, warnings are printed. `ManifestValidation.of` silences rules with a reason,
   * `ManifestValidation.none` switches it off with one.
   *
   * @default - by all rules
   */
  readonly validation?: ManifestValidation;

  /**
   * What of the output this process writes: the folders and entries of its share of the clusters; the first shard also writes what is about
   * no single cluster. Files of other shards that an earlier synthesis wrote stay as they are. `npx cdk8s-cluster-api merge` joins shards that
   * were written to several folders (`TC-GITOPS-SHARD`).
   *
   * @default - the environment variable CDK8S_CLUSTER_API_SHARD, such as "2/8", or everything
   */
  readonly shard?: Shard;

  /**
   * Whether nothing is said of how it went. Otherwise a line on standard error tells how many files were written, and a terminal shows
   * progress when it takes longer than a second.
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
   * Whether `construct-metadata.json` is written, by which `cdk8s synth` names constructs in its reports.
   *
   * @default - the environment variable CDK8S_RECORD_CONSTRUCT_METADATA
   */
  readonly recordConstructMetadata?: boolean;
}
