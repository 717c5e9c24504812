import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ADDONS, entryFile, entryFiles, folderEntries, markerOf, stepFiles } from './entry-files';
import { splitTree } from './former-output';
import { KustomizationFile, kustomizationFiles, topLists } from './kustomization-file';
import { FileLayout, FilledFolder, isSelected, outputFolders } from './output-folders';
import { keptConflicts, RemovedCluster, removedClusters } from './removed-clusters';
import { retainedSources } from './retained-sources';
import { Rollout, rolloutOf } from './rollout-steps';
import { manifestsText } from '../../manifests/objects/yaml/manifests-text';
import { Progress } from '../../manifests/values/progress';
import { OutputFiles } from '../app/synth/output-files';
import { clusterOf, inTree, isSharedFolder, pathInTree, writesTrees } from '../app/synth/output-place';
import { answered, lastWrittenManifest, writtenManifest } from '../app/synth/synthesis';
import { FileLists, TOP } from '../app/synth/tree/file-lists';
import { TreeError } from '../app/synth/tree/tree-error';
import { TreeFile } from '../app/synth/tree/write-tree';
import { EntryPoints } from '../contracts/delivery/entry-points';
import { manifestFile, ManifestFolders } from '../contracts/delivery/manifest-folder';
import { apiObjects } from '../contracts/delivery/tenant-manifests';

const GITOPS_APP = 'GitOpsApp';

/** Name of the file of the object that changes with the content of a cluster's folder. */
const MARKER = 'ring';

/** Options of the files of a repository. */
interface RepositoryOptions {
  readonly layout: FileLayout;
  readonly entryPoints?: EntryPoints;

  /** @default - everything is written */
  readonly only?: readonly string[];

  readonly progress: Progress;

  /** True if constructs are named for `cdk8s synth`. */
  readonly recordConstructMetadata: boolean;

  /** The app's output. */
  readonly outdir: string;

  /** The files that an earlier synthesis wrote there. */
  readonly before: FileLists;
}

/** A file of objects. */
export interface ObjectFile {
  /** Path below the output. */
  readonly path: string;

  /** Name of its list, which is that of the folder. */
  readonly list: string;
  readonly objects: readonly ApiObject[];
}

/** The files of a repository, generated one at a time: the text of each is in memory only while it is written. */
export class RepositoryFiles {
  /** Clusters that are kept though the app does not have them. */
  public readonly kept: readonly RemovedCluster[];

  /** Names of the management clusters that have a tree each, those of an earlier synthesis too; undefined for the one tree of an output. */
  public readonly trees: ReadonlySet<string | undefined>;

  /** Folders of objects for the management cluster. */
  private readonly folders: readonly FilledFolder[];
  private readonly paths: ReadonlySet<string>;

  /** Texts of files that were asked for before they are written. */
  private readonly texts = new Map<string, string>();

  /** Files of an earlier synthesis with shared sources, by their folder, that clusters may use which are not written now. */
  private readonly retained: ReadonlyMap<string, readonly string[]>;

  private objectsWritten = 0;
  private hostFilesWritten = 0;

  /**
   * @param app the app, after validation
   * @param options its options
   */
  public constructor(private readonly app: IConstruct, private readonly options: RepositoryOptions) {
    this.folders = outputFolders(app, options.layout);
    this.paths = new Set(this.folders.map(({ folder }) => folder.path));
    this.kept = removedClusters(options.outdir, options.before, this.paths).filter(({ folder }) => this.writes(folder));
    this.retained = retainedSources(options.outdir, options.before, this.folders, this.writes(TOP) ? this.kept : undefined);
    const former = writesTrees(app) ? [...options.before.keys()].map((list) => splitTree(list)[0]) : [];
    this.trees = new Set([...this.folders.map(({ folder }) => folder.tree), ...former].sort());
  }

  /** Number of clusters that are written. */
  public get clusters(): number {
    return this.folders.filter(({ folder }) => folder.tenant && this.writes(folder.path)).length;
  }

  /** Number of objects that were written. */
  public get objects(): number {
    return this.objectsWritten;
  }

  /** Number of written files that are no manifests, such as those for hosts. */
  public get hostFiles(): number {
    return this.hostFilesWritten;
  }

  /** True if the files of a list are written. Others stay as they are. */
  public writes(list: string): boolean {
    const { only } = this.options;
    // A cluster may use a source that no other one used before.
    return only === undefined || isSelected(only, list, this.paths) || isSharedFolder(list);
  }

  /** True if the files of a list stay as they are: those of a cluster that is kept, and of a management cluster that has only such clusters. */
  public keeps(list: string): boolean {
    if (!this.writes(list) || this.kept.some(({ folder }) => folder === list)) return true;
    if (isSharedFolder(list) && !this.paths.has(list)) return this.retained.has(list);
    const [tree] = splitTree(list);
    return writesTrees(this.app) && this.kept.some(({ folder }) => clusterOf(folder)!.tree === tree) && this.foldersOf(tree).length === 0;
  }

  /** True if a file that no construct writes stays. */
  public retains(file: string): boolean {
    return [...this.retained.values()].some((files) => files.includes(file));
  }

  /** The files of objects of constructs that are written. */
  public *objectFiles(): Generator<ObjectFile> {
    for (const { folder: { path: list }, files } of this.folders) {
      if (this.writes(list)) for (const [path, objects] of files) yield { path, list, objects };
    }
    yield* this.deliveredFiles();
  }

  /**
   * The content of a file.
   *
   * @throws if one of its objects cannot be written
   */
  public textOf({ path, objects }: ObjectFile): string {
    const text = manifestsText(objects.map(writtenManifest));
    this.texts.set(path, text);
    return text;
  }

  /** The files. */
  public *all(): Generator<TreeFile> {
    const { entryPoints, progress } = this.options;
    for (const [index, folder] of this.folders.entries()) {
      progress.at('Writing', index, this.folders.length);
      if (this.writes(folder.folder.path)) yield* this.folder(folder);
    }
    yield* this.delivered();
    if (entryPoints) yield* this.entries(entryPoints);
    if (!this.writes(TOP)) return;
    const hostFiles = OutputFiles.of(this.app).all;
    this.hostFilesWritten = hostFiles.length;
    for (const { path, content, executable } of hostFiles) yield { path, content, executable, producer: GITOPS_APP, list: path.split('/')[0] };
    for (const tree of new Set(this.folders.map(({ folder }) => folder.tree))) {
      if (this.options.recordConstructMetadata) {
        const content = constructMetadata(this.foldersOf(tree));
        yield { path: inTree(tree, CONSTRUCT_METADATA), content, producer: GITOPS_APP, list: inTree(tree, TOP), hashed: false };
      }
    }
    if (!entryPoints) yield* this.top();
  }

  private *folder({ folder, files }: FilledFolder): Generator<TreeFile> {
    const { entryPoints } = this.options;
    // Hashes are those of whole folders, before the first file of them is written.
    const turn = this.rollout.turns.get(folder.path);
    const marker = turn ? [`${folder.path}/${MARKER}.yaml`] : [];
    for (const [path, objects] of files) yield this.file(path, objects, folder.path);
    for (const path of marker) yield this.file(path, [markerOf(turn!, entryPoints?._markerData(turn!))], folder.path);
    const retained = this.retained.get(folder.path) ?? [];
    for (const path of retained) yield { path, content: readFileSync(join(this.options.outdir, path)), producer: GITOPS_APP, list: folder.path };
    const apart = entryPoints?.addonsApart && folder.tenant ? [`${folder.path}/${ADDONS}`] : [];
    yield* lists(kustomizationFiles(folder.path, [...files.keys(), ...marker, ...retained], apart), folder.path);
  }

  /** Files that deliveries read from the repository. */
  private *delivered(): Generator<TreeFile> {
    for (const { path, list, objects } of this.deliveredFiles()) {
      yield this.file(path, objects, list);
      const kustomization = kustomizationFiles(path.split('/').slice(0, -1).join('/'), [path]);
      // A kustomization of the user lists the files.
      if (!kustomization.has(path)) yield* lists(kustomization, list);
    }
  }

  private *deliveredFiles(): Generator<ObjectFile> {
    for (const [folder, chart] of ManifestFolders.of(this.app).all) {
      const list = folder.split('/').slice(0, -2).join('/');
      const objects = this.writes(list) ? apiObjects(chart) : [];
      if (objects.length > 0) yield { path: `${folder}/${manifestFile(objects)}`, list, objects };
    }
  }

  private *entries(entryPoints: EntryPoints): Generator<TreeFile> {
    const entries = folderEntries(this.folders, entryPoints.addonsApart, this.rollout.turns);
    const folders = new Map(this.folders.map(({ folder }) => [entryFile(entryPoints, folder), folder.path]));
    for (const [path, objects] of entryFiles(entryPoints, entries)) {
      const list = folders.get(path) ?? folderOf(path);
      if (this.writes(list)) yield this.file(path, objects, list);
    }
    const applied = new Set(this.rollout.steps.map(({ step }) => step.folder));
    for (const [path, objects] of stepFiles(entryPoints, this.rollout)) {
      const list = folderOf(path);
      if (!this.writes(list)) continue;
      yield this.file(path, objects, list);
      if (applied.has(list)) yield* lists(kustomizationFiles(list, [path]), list);
    }
  }

  /** The steps of a rollout, found at first use. */
  private get rollout(): Rollout {
    return answered(this.app, 'rollout', () => rolloutOf(this.app, this.folders));
  }

  /** Lists of the folders above, where no tool has an entry for each. */
  private *top(): Generator<TreeFile> {
    const conflicts = keptConflicts(this.options.outdir, this.kept, this.folders);
    if (conflicts.length > 0) throw new TreeError(conflicts);
    for (const tree of this.trees) {
      const kept = this.kept.map(({ folder }) => ({ path: folder, tree: clusterOf(folder)!.tree })).filter((folder) => folder.tree === tree);
      const folders = [...this.foldersOf(tree).map(({ folder }) => folder), ...kept].map(pathInTree);
      if (folders.length === 0) continue;
      for (const file of lists(topLists(folders), TOP)) {
        yield { ...file, path: inTree(tree, file.path), list: inTree(tree, folderOf(file.path) || TOP), hashed: false };
      }
    }
  }

  private foldersOf(tree: string | undefined): FilledFolder[] {
    return this.folders.filter(({ folder }) => folder.tree === tree);
  }

  private file(path: string, objects: readonly ApiObject[], list: string): TreeFile {
    this.objectsWritten += objects.length;
    const content = this.texts.get(path) ?? manifestsText(objects.map(lastWrittenManifest));
    this.texts.delete(path);
    return { path, content, producer: objects[0].node.path, list };
  }
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

function* lists(files: ReadonlyMap<string, KustomizationFile>, list: string): Generator<TreeFile> {
  for (const [path, content] of files) yield { path, content: manifestsText([{ ...content }]), producer: GITOPS_APP, list };
}

/** Name of the file by which `cdk8s synth` finds the construct of an object that a validation plug-in reports. */
const CONSTRUCT_METADATA = 'construct-metadata.json';

/**
 * Content of that file, in the format of cdk8s: objects have their name alone as key, so that the last one of a name counts.
 *
 * Source: cdk8s-team/cdk8s-core src/app.ts (writeConstructMetadata).
 */
function constructMetadata(folders: readonly FilledFolder[]): string {
  const objects = folders.flatMap(({ files }) => [...files.values()].flat());
  return JSON.stringify({ version: '1.0.0', resources: Object.fromEntries(objects.map(({ name, node }) => [name, { path: node.path }])) });
}
