import * as fs from 'node:fs';
import * as path from 'node:path';
import { App, AppProps, Yaml } from 'cdk8s';
import { manifestFile, ManifestFolders } from './delivery/manifest-folder';
import { apiObjects } from './delivery/tenant-manifests';

/**
 * An app whose output is what a GitOps repository holds: the charts of the management cluster, as every `App` writes them, and beside
 * them the manifests of tenants that a delivery reads from the repository (`manifestSource`).
 *
 * Files that an earlier synthesis wrote stay; begin with an empty `outdir` to see what was removed.
 */
export class GitOpsApp extends App {
  /**
   * @param props as for every `App`
   */
  public constructor(props: AppProps = {}) {
    super(props);
    ManifestFolders.of(this).written = true;
  }

  /** Writes everything to the output directory. */
  public override synth(): void {
    super.synth();
    for (const [folder, chart] of ManifestFolders.of(this).all) {
      const objects = apiObjects(chart);
      if (objects.length === 0) continue;
      const directory = path.join(this.outdir, folder);
      fs.mkdirSync(directory, { recursive: true });
      Yaml.save(path.join(directory, manifestFile(objects, this.outputFileExtension)), objects.map((object) => object.toJson()));
    }
  }
}
