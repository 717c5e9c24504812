import { tagAndDigest } from './image-name';
import { ImagePlace, imageAt, imagePlaces, placePointer } from './image-places';
import { ImageSources } from './image-sources';
import { pointerTo, withValues } from './json-pointer';
import { ManifestObject } from './manifest-object';
import { RegistryField, registryFields } from './registry-fields';
import { parseImageReference } from '../kubernetes/image-reference';

const OTHER_NAME = 'the controller puts name and tag behind the registry of this field itself, so that only the registry can be another one';
const OTHER_REGISTRY = 'the images of this field come from one registry, and the override gives this one another';

/** An image of an object after it has been decided where it comes from. */
export interface ObjectImage {
  /** JSON pointer of the field that names the image, or its registry. */
  readonly pointer: string;

  /** The name as the object has it. */
  readonly given: string;

  /** The name that it is to have. */
  readonly image: string;

  /** Key of the override that it matches. */
  readonly override?: string;

  /** Whether the object has a field for the digest of the image. */
  readonly takesDigest: boolean;

  /** Whether a controller puts the name together, from a registry that the object names and what it knows itself. */
  readonly assembled: boolean;

  /** What keeps the name from being written; the object keeps the one that it has. */
  readonly fault?: string;
}

/** An object with its images from where they are to come from. */
export interface RewrittenObject<T> {
  readonly object: T;
  readonly images: readonly ObjectImage[];
}

/**
 * Decides where the images of an object come from.
 *
 * @param object an object as it is written
 * @param sources where images come from; without them the object stays as it is
 */
export function rewriteImages<T extends ManifestObject>(object: T, sources: ImageSources | undefined): RewrittenObject<T> {
  const changes = new Map<string, unknown>();
  const images = [
    ...imagePlaces(object).flatMap((place) => rewritePlace(object, place, sources, changes)),
    ...(sources === undefined ? [] : registryFields(object).flatMap((field) => rewriteRegistry(field, sources, changes))),
  ];
  return { object: changes.size === 0 ? object : withValues(object, changes), images };
}

function rewritePlace(object: ManifestObject, place: ImagePlace, sources: ImageSources | undefined, changes: Map<string, unknown>): ObjectImage[] {
  const given = imageAt(object, place);
  if (given === undefined) return [];
  const resolved = sources?._resolve(given) ?? { image: given, changed: false };
  const takesDigest = place.tag === undefined || place.digest !== undefined;
  const found = { pointer: placePointer(place), given, image: resolved.image, override: resolved.override, takesDigest, assembled: false };
  if (!resolved.changed) return [found];
  const { name, tag, digest } = parseImageReference(resolved.image)!;
  if (place.tag === undefined) {
    changes.set(found.pointer, `${place.scheme ?? ''}${resolved.image}`);
    return [found];
  }
  const fits = digest === undefined || place.digest !== undefined;
  if (resolved.override !== undefined && (tag === undefined || !fits)) {
    return [{ ...found, image: given, fault: 'the field takes a repository, and the one beside it a tag, so that there is no room for a digest' }];
  }
  const plain = parseImageReference(given)!;
  changes.set(found.pointer, name);
  if (tag !== plain.tag) changes.set(pointerTo(place.tag), tag);
  if (place.digest && digest !== plain.digest) changes.set(pointerTo(place.digest), digest);
  return [{ ...found, image: `${name}${tagAndDigest({ tag, digest: fits ? digest : undefined })}` }];
}

/** A controller appends the names itself, so all images of a field can only move together, and keep their tags. */
function rewriteRegistry({ path, registry, images: pulled }: RegistryField, sources: ImageSources, changes: Map<string, unknown>): ObjectImage[] {
  const found = pulled.map(({ name, tag }) => {
    const given = `${registry}/${name}${tag === undefined ? '' : `:${tag}`}`;
    const { image, override } = sources._resolve(given);
    const reference = parseImageReference(image);
    const prefix = reference?.tag === tag && reference?.name.endsWith(`/${name}`) ? reference.name.slice(0, -name.length - 1) : undefined;
    return { pointer: pointerTo(path), given, image, override, takesDigest: false, assembled: true, prefix };
  });
  const prefixes = new Set(found.map(({ prefix }) => prefix));
  const [prefix] = prefixes;
  if (prefixes.size > 1 || prefix === undefined) {
    return found.map(({ prefix: own, ...image }) => ({
      ...image,
      ...(image.override !== undefined && { fault: own === undefined ? OTHER_NAME : OTHER_REGISTRY }),
    }));
  }
  if (prefix !== registry) changes.set(pointerTo(path), prefix);
  return found.map(({ prefix: _, ...image }) => image);
}
