import { ImageInventory, Use } from '../../manifests/landscape/image-inventory';
import { Place } from '../../manifests/landscape/place';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { stringAt } from '../../manifests/values/fields';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `images --help` about the shape. */
export const JSON_SHAPE = `{ "version": 1,
    "images":   [{ "image", "name", "tag"?, "digest"?, "takesDigest", "usedBy": [USE] }],
    "charts":   [{ "chart", "version", "repository", "imagesKnown", "usedBy": [USE] }],
    "notKnown": [{ "what", "command"?, "places": [PLACE] }] }
  USE is a PLACE with { "object": { "apiVersion", "kind", "namespace"?, "name"? }, "pointer"?, "reason"? }:
  the field that names the image, or why it is pulled although no field does.
  PLACE is { "file", "line"?, "inside"? }. Lists are sorted.`;

/** The inventory for programs. */
export function jsonFormat({ images, charts, notKnown }: ImageInventory): string {
  return `${JSON.stringify({
    version: VERSION,
    images: images.map(({ image, name, tag, digest, takesDigest, uses }) => ({ image, name, tag, digest, takesDigest, usedBy: uses.map(useOf) })),
    charts: charts.map(({ chart, version, repository, imagesKnown, uses }) => ({ chart, version, repository, imagesKnown, usedBy: uses.map(useOf) })),
    notKnown: notKnown.map(({ what, command, places }) => ({ what, command, places: places.map(placeOf) })),
  }, undefined, 2)}\n`;
}

function useOf({ object, place, pointer, reason }: Use) {
  return { ...placeOf(place), object: identityOf(object), pointer, reason };
}

function placeOf({ file, line, inside }: Place) {
  return { file, line, inside };
}

function identityOf(object: ManifestObject) {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
  };
}
