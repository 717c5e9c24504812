import * as fs from 'node:fs';
import * as path from 'node:path';
import { App, AppProps, Yaml } from 'cdk8s';
import { manifestFile, ManifestFolders } from './delivery/manifest-folder';
import { apiObjects } from './delivery/tenant-manifests';
import { OutputFile, OutputFiles } from './synth/output-files';

/**
 * An app whose output is what a GitOps repository holds: the charts of the management cluster, as every `App` writes them, and beside
 * them the manifests of tenants that a delivery reads from the repository (`manifestSource`), and the files of hosts (`KubeadmCluster`).
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
    OutputFiles.of(this).written = true;
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
    OutputFiles.of(this).all.forEach((file) => this.write(file));
  }

  private write({ path: file, content, executable }: OutputFile): void {
    const target = path.join(this.outdir, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content);
    // A file that was there already keeps its mode otherwise, and a new one gets that of the user's umask.
    fs.chmodSync(target, executable ? 0o755 : 0o644);
  }
}
