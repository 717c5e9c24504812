import * as fs from 'node:fs';
import * as path from 'node:path';
import { MANAGEMENT_CLUSTER_FILE } from '../../manifests/objects/own-folder';

/** The management clusters that files are for, as synthesis states them at the top of a tree. */
export class StatedManagementClusters {
  private readonly known = new Map<string, string | undefined>();

  /** @param cwd the folder that paths are below */
  public constructor(private readonly cwd: string) {}

  /** The name of a file's management cluster; undefined if it is not stated. */
  public of(file: string): string | undefined {
    return this.around(path.dirname(path.resolve(this.cwd, file)));
  }

  private around(folder: string): string | undefined {
    if (!this.known.has(folder)) {
      const stated = path.join(folder, MANAGEMENT_CLUSTER_FILE);
      const above = path.dirname(folder);
      if (fs.existsSync(stated)) this.known.set(folder, fs.readFileSync(stated, 'utf8').trim());
      else this.known.set(folder, above === folder ? undefined : this.around(above));
    }
    return this.known.get(folder);
  }
}
