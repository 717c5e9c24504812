import { imageAt, imageFields, registryFields } from './image-fields';
import { tagAndDigest } from './image-lock-file';
import { ImageResolver } from './image-resolver';
import { ManifestObject } from '../objects/manifest-object';
import { ImageField, RegistryField } from '../rules/image-facts';
import { isSet, pointerTo, withValues } from '../values/fields';
import { parseImageReference } from '../values/image-reference';

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

  /** True if the object has a field for the digest of the image. */
  readonly takesDigest: boolean;

  /** True if a controller builds the name from a registry in the object. */
  readonly assembled: boolean;

  /** The reason why the name cannot be written; the object then keeps its name. */
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
export function rewriteObjectImages<T extends ManifestObject>(object: T, sources: ImageResolver | undefined): RewrittenObject<T> {
  const changes = new Map<string, unknown>();
  const images = [
    ...imageFields(object).flatMap((field) => rewriteField(object, field, sources, changes)),
    ...(sources === undefined ? [] : registryFields(object).flatMap((field) => rewriteRegistry(field, sources, changes))),
  ];
  return { object: changes.size === 0 ? object : withValues(object, changes), images };
}

function rewriteField(object: ManifestObject, field: ImageField, sources: ImageResolver | undefined, changes: Map<string, unknown>): ObjectImage[] {
  const given = imageAt(object, field);
  if (given === undefined) return [];
  const resolved = sources?.resolve(given) ?? { image: given, changed: false };
  const takesDigest = field.tag === undefined || field.digest !== undefined;
  // The controller's image and tag count where the object names neither.
  const assembled = field.tag !== undefined && ![field.name, field.tag].some((path) => isSet(object, ...path));
  const found = { pointer: pointerTo(field.name), given, image: resolved.image, override: resolved.override, takesDigest, assembled };
  if (!resolved.changed) return [found];
  const { name, tag, digest } = parseImageReference(resolved.image)!;
  if (field.tag === undefined) {
    changes.set(found.pointer, `${field.scheme ?? ''}${resolved.image}`);
    return [found];
  }
  const fits = digest === undefined || field.digest !== undefined;
  if (resolved.override !== undefined && (tag === undefined || !fits)) {
    return [{ ...found, image: given, fault: 'the object has fields for a repository and a tag, but none for a digest' }];
  }
  const plain = parseImageReference(given)!;
  changes.set(found.pointer, name);
  if (tag !== plain.tag) changes.set(pointerTo(field.tag), tag);
  if (field.digest && digest !== plain.digest) changes.set(pointerTo(field.digest), digest);
  return [{ ...found, image: `${name}${tagAndDigest({ tag, digest: fits ? digest : undefined })}` }];
}

/** A controller appends the names itself, so all images of a field can only move together, and keep their tags. */
function rewriteRegistry({ path, registry, images: pulled }: RegistryField, sources: ImageResolver, changes: Map<string, unknown>): ObjectImage[] {
  const found = pulled.map(({ name, tag }) => {
    const given = `${registry}/${name}${tag === undefined ? '' : `:${tag}`}`;
    const { image, override } = sources.resolve(given);
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
