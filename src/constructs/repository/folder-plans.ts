import { FormerOutput } from './former-output';
import { RepositoryFiles } from './repository-files';
import { TouchedFolder } from './touched-folders';
import { ManifestFile, StateReader } from '../../manifests/landscape/placed-objects';
import { PlannedChanges, planObjects } from '../../manifests/plan/plan-objects';

/** What controllers will do with what differs in an output, folder by folder. */
export class FolderPlans {
  private readonly known = new Map<TouchedFolder, PlannedChanges | undefined>();

  /**
   * @param files what is written now
   * @param former what was written before
   */
  public constructor(private readonly files: RepositoryFiles, private readonly former: FormerOutput) {}

  /** The plan of a folder; undefined if an object cannot be written, which is reported elsewhere. */
  public of(folder: TouchedFolder): PlannedChanges | undefined {
    if (!this.known.has(folder)) this.known.set(folder, this.find(folder));
    return this.known.get(folder);
  }

  private find({ changed, unchanged, gone }: TouchedFolder): PlannedChanges | undefined {
    const old = [...this.former.read([...changed.map(({ path }) => path), ...gone])].map(([file, bytes]): ManifestFile => ({ file, bytes }));
    try {
      const [same, now] = [unchanged, changed].map((list) => (
        list.map((file): ManifestFile => ({ file: file.path, bytes: Buffer.from(this.files.textOf(file)) }))));
      const reader = new StateReader();
      const [before, after] = [old, now].map((list) => reader.read([...same, ...list]).objects);
      return planObjects({ objects: before }, { objects: after });
    } catch {
      return undefined;
    }
  }
}
