import { IConstruct } from 'constructs';
import { masked } from './mask';
import { writtenFiles } from './written-files';
import { Manifest, manifestsText } from '../../manifests/objects/yaml/manifests-text';

/**
 * Output of constructs for snapshot tests: everything for the management cluster, and what deliveries read from the repository. Hashes of
 * contents are masked as `<hash>`, and versions of the charts and images that the library brings to tenant clusters as `<version>`, even where
 * a page sets one, so that a release of the library with other versions does not change a snapshot. Versions of the operators and providers of
 * a management cluster are kept.
 *
 * @example
 * const text = testing.Snapshots.yaml(acme);
 */
export class Snapshots {
  /**
   * The objects as one text, for snapshots that are files. Throws an error if synthesis would refuse them.
   *
   * @param scope an app, a chart such as a tenant cluster, or any other construct
   */
  public static yaml(scope: IConstruct): string {
    return manifestsText(maskedManifests(scope));
  }

  /**
   * The objects as plain data, e.g. `expect(testing.Snapshots.objects(acme)).toMatchSnapshot()`. Throws an error if synthesis would refuse them.
   *
   * @param scope an app, a chart such as a tenant cluster, or any other construct
   */
  public static objects(scope: IConstruct): any[] {
    return maskedManifests(scope);
  }

  private constructor() {}
}

function maskedManifests(scope: IConstruct): Manifest[] {
  return masked(writtenFiles(scope, 'manifests.yaml').flatMap(({ manifests }) => manifests));
}
