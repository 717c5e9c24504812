import * as path from 'node:path';
import { ManifestObject } from '../manifests/manifest-object';
import { deliveryFacts } from '../validation/providers';

/** Paths with this many common parts are one folder: the root of the repository is unknown. */
const ENOUGH_IN_COMMON = 3;

/** Finds the object that applies the files of a folder: one that names it, or a folder around it. */
export class FolderDeliveries {
  private readonly byPath = new Map<string, ManifestObject[]>();
  private readonly known = new Map<string, ManifestObject | undefined>();

  /** @param objects all objects */
  public constructor(objects: readonly ManifestObject[]) {
    for (const object of objects) {
      for (const folder of deliveryFacts(object)?.folders?.(object) ?? []) {
        const key = keyOf(partsOf(folder));
        const same = this.byPath.get(key);
        if (same) same.push(object);
        else if (key !== '') this.byPath.set(key, [object]);
      }
    }
  }

  /**
   * The object that applies a file.
   *
   * @param file its path
   */
  public of(file: string): ManifestObject | undefined {
    if (this.byPath.size === 0) return undefined;
    const folder = path.dirname(file);
    if (!this.known.has(folder)) this.known.set(folder, this.find(partsOf(folder)));
    return this.known.get(folder);
  }

  /**
   * All objects that name the folder of a file, or a folder around it, each with that folder.
   *
   * @param file its path
   */
  public around(file: string): (readonly [delivery: ManifestObject, folder: string])[] {
    if (this.byPath.size === 0) return [];
    const parts = partsOf(path.dirname(file));
    return parts.flatMap((_, index) => {
      const end = index + 1;
      const keys = [...new Set([1, 2, ENOUGH_IN_COMMON].map((length) => parts.slice(Math.max(0, end - length), end).join('/')))];
      return keys.flatMap((key) => this.byPath.get(key) ?? []).map((delivery) => [delivery, parts.slice(0, end).join('/')] as const);
    });
  }

  /** Of two objects that apply it, the one with the deeper folder: the other one skips its files, or both apply the same. */
  private find(parts: readonly string[]): ManifestObject | undefined {
    for (let end = parts.length; end > 0; end--) {
      for (let length = Math.min(end, ENOUGH_IN_COMMON); length > 0; length--) {
        const found = this.byPath.get(parts.slice(end - length, end).join('/'));
        if (found) return found[0];
      }
    }
    return undefined;
  }
}

function partsOf(folder: string): string[] {
  return folder.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}

/** A shorter path in full, of a longer one its end: the folder that was read may be any part of the repository. */
function keyOf(parts: readonly string[]): string {
  return parts.slice(-ENOUGH_IN_COMMON).join('/');
}
