import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Manifest } from '../../manifests/objects/yaml/manifests-text';
import { constructsIn, synthesize, writtenManifest } from '../app/synth/synthesis';
import { tenantCharts } from '../app/tenant-trees';
import { manifestFile, ManifestFolders } from '../contracts/delivery/manifest-folder';
import { apiObjects } from '../contracts/delivery/tenant-manifests';
import { demandValid } from '../repository/app-validation';

/** Objects that constructs write to one file. */
export interface WrittenFile {
  /** Its path below the output of the app. */
  readonly path: string;
  readonly manifests: readonly Manifest[];
}

/**
 * The output of constructs: the objects of the management cluster, and files that deliveries read from the repository.
 *
 * @param scope an app, a chart, or any other construct
 * @param path path of the file with the objects of the management cluster
 * @throws if synthesis would refuse the app
 */
export function writtenFiles(scope: IConstruct, path: string): WrittenFile[] {
  const { root } = scope.node;
  let files: WrittenFile[] = [];
  synthesize(root, () => {
    demandValid(root);
    const constructs = constructsIn(scope);
    const own = new Set(constructs.flatMap(tenantCharts));
    const delivered = ManifestFolders.of(scope).all.filter(([, chart]) => own.has(chart))
      .map(([folder, chart]): [string, ApiObject[]] => [folder, apiObjects(chart)]);
    files = [
      { path, manifests: constructs.filter((construct) => ApiObject.isApiObject(construct)).map(writtenManifest) },
      ...delivered.map(([folder, objects]) => ({ path: `${folder}/${manifestFile(objects)}`, manifests: objects.map(writtenManifest) })),
    ].filter(({ manifests }) => manifests.length > 0);
  });
  return files;
}
