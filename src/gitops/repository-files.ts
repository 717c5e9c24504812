import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { CONSTRUCT_METADATA, constructMetadata } from './construct-metadata';
import { ADDONS, entryFile, entryFiles, folderEntries } from './entry-files';
import { EntryPoints } from './entry-points';
import { FileLayout } from './file-layout';
import { keptConflicts } from './kept-conflicts';
import { KUSTOMIZATION_FILE, KustomizationFile, kustomizationFiles, topLists } from './kustomization-file';
import { FilledFolder, outputFolders } from './output-folders';
import { Progress } from './progress';
import { clusterFolders, RemovedCluster, removedClusters } from './removed-clusters';
import { manifestFile, ManifestFolders } from '../delivery/manifest-folder';
import { apiObjects } from '../delivery/tenant-manifests';
import { OutputFiles } from '../synth/output-files';
import { Share } from '../synth/share';
import { TreeError } from '../synth/tree/tree-error';
import { TreeFile } from '../synth/tree/tree-file';
import { keptFiles, writtenFiles } from '../synth/tree/written-files';
import { lastWrittenManifest } from '../synth/written-manifest';
import { manifestsText } from '../synth/yaml/manifests-text';

const GITOPS_APP = 'GitOpsApp';

/** How a repository is written. */
export interface RepositoryOptions {
  readonly layout: FileLayout;
  readonly entryPoints?: EntryPoints;

  readonly progress: Progress;

  /** Whether constructs are named for `cdk8s synth`. */
  readonly recordConstructMetadata: boolean;

  /** The app's output. */
  readonly outdir: string;
}

/** All files of a repository, one after the other: the text of each is needed only while it is written. */
export class RepositoryFiles {
  /** Folders of what is applied to the management cluster. */
  public readonly folders: readonly FilledFolder[];

  private readonly share: Share;

  private objectsWritten = 0;
  private hostFilesWritten = 0;
  private readonly written: TreeFile[] = [];
  private removed: readonly RemovedCluster[] = [];

  /** Which folder an entry is about, for all that there are and were. */
  private readonly entryOf = new Map<string, string>();

  /**
   * @param app the app, with nothing wrong in it
   * @param options how it is written
   */
  public constructor(private readonly app: IConstruct, private readonly options: RepositoryOptions) {
    this.folders = outputFolders(app, options.layout);
    this.share = Share.of(app);
    this.folders.forEach(({ folder }) => this.share.declare(folder));
  }

  /** How many clusters were written. */
  public get clusters(): number {
    return this.folders.filter(({ folder }) => folder.tenant && this.isOwn(folder.path)).length;
  }

  /** How many objects were written. */
  public get objects(): number {
    return this.objectsWritten;
  }

  /** How many files were written that are no manifests, such as those for hosts. */
  public get hostFiles(): number {
    return this.hostFilesWritten;
  }

  /** Clusters that were kept though no code stands for them. */
  public get kept(): readonly RemovedCluster[] {
    return this.removed.filter(({ folder }) => this.isOwn(folder));
  }

  /** What was written by this process, without the content. */
  public get own(): readonly Omit<TreeFile, 'content'>[] {
    return this.written;
  }

  /** The files, those of other shards as they are. */
  public *all(): Generator<TreeFile> {
    const { entryPoints, outdir } = this.options;
    const before = writtenFiles(outdir);
    const wanted = this.folders.map(({ folder }) => folder.path);
    this.removed = removedClusters(outdir, before, new Set(wanted));
    if (entryPoints) for (const folder of [...wanted, ...clusterFolders(before).keys()]) this.entryOf.set(entryFile(entryPoints, folder), folder);
    for (const file of this.wanted(before)) {
      this.written.push({ ...file, content: '' });
      yield file;
    }
    yield* keptFiles(outdir, before.filter((path) => !this.isOwn(path)), 'another shard');
  }

  private *wanted(before: readonly string[]): Generator<TreeFile> {
    const { entryPoints, progress, outdir } = this.options;
    for (const [index, folder] of this.folders.entries()) {
      progress.at('Writing', index, this.folders.length);
      if (this.isOwn(folder.folder.path)) yield* this.folder(folder);
    }
    yield* this.delivered();
    const hostFiles = OutputFiles.of(this.app).all.filter(({ path }) => this.isOwn(path));
    this.hostFilesWritten = hostFiles.length;
    for (const { path, content, executable } of hostFiles) yield { path, content, executable, producer: GITOPS_APP };
    if (this.options.recordConstructMetadata && this.isOwn(CONSTRUCT_METADATA)) {
      yield { path: CONSTRUCT_METADATA, content: constructMetadata(this.folders), producer: GITOPS_APP };
    }
    if (entryPoints) yield* this.entries(entryPoints, before);
    else yield* this.top();
    for (const { folder, files } of this.kept) yield* keptFiles(outdir, files, `the cluster that was in ${folder}`);
  }

  /** Whether this process writes a file or folder. */
  private isOwn(path: string): boolean {
    return this.share.writes(this.entryOf.get(path) ?? path);
  }

  private *folder({ folder, files }: FilledFolder): Generator<TreeFile> {
    const { entryPoints } = this.options;
    for (const [path, objects] of files) yield this.file(path, objects);
    const apart = entryPoints?.addonsApart && folder.tenant ? [`${folder.path}/${ADDONS}`] : [];
    yield* lists(kustomizationFiles(folder.path, [...files.keys()], apart));
  }

  /** What deliveries read from the repository. */
  private *delivered(): Generator<TreeFile> {
    for (const [folder, chart] of ManifestFolders.of(this.app).all) {
      const objects = this.isOwn(folder) ? apiObjects(chart) : [];
      if (objects.length === 0) continue;
      const path = `${folder}/${manifestFile(objects)}`;
      const file = this.file(path, objects);
      yield file;
      const list = kustomizationFiles(folder, [path]);
      // The user's own says what there is.
      if (!list.has(path)) yield* lists(list);
    }
  }

  private *entries(entryPoints: EntryPoints, before: readonly string[]): Generator<TreeFile> {
    const entries = folderEntries(this.folders, entryPoints.addonsApart);
    for (const [path, objects] of entryFiles(entryPoints, entries)) if (this.isOwn(path)) yield this.file(path, objects);
    const kept = this.kept.map(({ folder }) => entryFile(entryPoints, folder)).filter((path) => before.includes(path));
    yield* keptFiles(this.options.outdir, kept, GITOPS_APP);
  }

  /** Lists of the folders above, where no tool is told of each. */
  private *top(): Generator<TreeFile> {
    const conflicts = keptConflicts(this.options.outdir, this.removed, this.folders);
    if (conflicts.length > 0) throw new TreeError(conflicts);
    const folders = [...this.folders.map(({ folder }) => folder.path), ...this.removed.map(({ folder }) => folder)];
    if (folders.length > 0 && this.isOwn(KUSTOMIZATION_FILE)) yield* lists(topLists(folders));
  }

  private file(path: string, objects: readonly ApiObject[]): TreeFile {
    this.objectsWritten += objects.length;
    return { path, content: manifestsText(objects.map(lastWrittenManifest)), producer: objects[0].node.path };
  }
}

function* lists(files: ReadonlyMap<string, KustomizationFile>): Generator<TreeFile> {
  for (const [path, list] of files) yield { path, content: manifestsText([{ ...list }]), producer: GITOPS_APP };
}
