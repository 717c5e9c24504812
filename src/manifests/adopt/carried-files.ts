import { compareTexts } from '../landscape/place';
import { ReadObject } from '../landscape/placed-objects';
import { ManifestObject } from '../objects/manifest-object';
import { manifestsText } from '../objects/yaml/manifests-text';
import { Fields } from '../values/fields';

/** Manifests that no class makes, in one file of the app. */
export interface CarriedFile {
  /** Construct id of the chart with its objects. */
  readonly id: string;

  /** Path in the app. */
  readonly file: string;
  readonly text: string;
  readonly reads: readonly ReadObject[];
}

/**
 * Distributes objects that the app takes along over files like those that they come from.
 *
 * @param reads the objects
 * @param pathOf the path of a file below the folder that was read
 */
export function carriedFiles(reads: readonly ReadObject[], pathOf: (file: string) => string): CarriedFile[] {
  const byFile = new Map<string, ReadObject[]>();
  for (const read of reads) {
    const same = byFile.get(read.place.file);
    if (same) same.push(read);
    else byFile.set(read.place.file, [read]);
  }
  const ids = new Set<string>();
  return [...byFile].sort(([one], [other]) => compareTexts(one, other)).map(([file, own]) => {
    const name = carriedName(pathOf(file));
    let id = `carried-${name.replaceAll('/', '-')}`;
    for (let number = 2; ids.has(id); number++) id = `carried-${name.replaceAll('/', '-')}-${number}`;
    ids.add(id);
    return { id, file: `carried/${id.slice('carried-'.length)}.yaml`, text: manifestsText(own.map(({ object }: { object: ManifestObject }) => object as Fields)), reads: own };
  });
}

/** A path of plain characters. */
function carriedName(file: string): string {
  const parts = file.replace(/\.(ya?ml|json)$/i, '').toLowerCase().split(/[\\/]/);
  const plain = parts.map((part) => part.replace(/[^a-z0-9-]+/g, '-').replace(/^-+|-+$/g, '')).filter((part) => part !== '');
  return plain.join('/') || 'manifests';
}
