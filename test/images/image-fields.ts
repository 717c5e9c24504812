import { imageAt, imagePlaces, placePointer } from '../../src/images/image-places';
import { ManifestObject } from '../../src/images/manifest-object';

/** An image that an object names. */
export interface ImageField {
  /** JSON pointer of the field that holds the name. */
  readonly pointer: string;

  /** The name as container runtimes take it: without `docker://`, with tag and digest where the object gives them in fields of their own. */
  readonly image: string;
}

/**
 * The images that an object names, in whichever field: of pods and whatever has a pod template, of virtual machines and their disks, of
 * control planes, of providers that the Cluster API Operator installs, of kustomize.
 *
 * What a controller adds by itself is not among them; see `impliedImages`.
 *
 * @param object an object as it is written
 */
export function imageFields(object: ManifestObject): ImageField[] {
  return imagePlaces(object).flatMap((place) => {
    const image = imageAt(object, place);
    return image === undefined ? [] : [{ pointer: placePointer(place), image }];
  });
}
