import { imageAt, imageFields } from '../../../src/manifests/images/image-fields';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { pointerTo } from '../../../src/manifests/values/fields';

/** An image that an object names. */
export interface NamedImage {
  /** JSON pointer of the field that holds the name. */
  readonly pointer: string;

  /** The name as container runtimes take it: without `docker://`, with tag and digest where the object gives them in fields of their own. */
  readonly image: string;
}

/**
 * The images that an object names, in whichever field: of pods and whatever has a pod template, of virtual machines and their disks, of
 * control planes, of providers that the Cluster API Operator installs, of kustomize.
 *
 * Images that a controller adds by itself are not among them; see `controllerImages`.
 *
 * @param object an object as it is written
 */
export function namedImages(object: ManifestObject): NamedImage[] {
  return imageFields(object).flatMap((field) => {
    const image = imageAt(object, field);
    return image === undefined ? [] : [{ pointer: pointerTo(field.name), image }];
  });
}
