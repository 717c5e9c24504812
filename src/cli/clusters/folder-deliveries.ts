import * as path from 'node:path';
import { APPLICATION, KUSTOMIZATION } from './addons';
import { fieldAt, groupKind, ManifestObject, textAt } from '../../images/manifest-object';
import { isSet, listAt } from '../../validation/manifests/manifest-fields';

/** So many folders in common are no accident, whatever folder of the repository was read. */
const ENOUGH_IN_COMMON = 3;

/** Finds who applies the files of a folder: the Kustomization of Flux, or the Application of Argo CD, that names it, or one around it. */
export class FolderDeliveries {
  private readonly byPath = new Map<string, ManifestObject>();
  private readonly known = new Map<string, ManifestObject | undefined>();

  /** @param objects all objects */
  public constructor(objects: readonly ManifestObject[]) {
    for (const object of objects) {
      for (const folder of foldersOf(object)) {
        const key = keyOf(partsOf(folder));
        if (key !== '' && !this.byPath.has(key)) this.byPath.set(key, object);
      }
    }
  }

  /**
   * Who applies a file.
   *
   * @param file its path
   */
  public of(file: string): ManifestObject | undefined {
    if (this.byPath.size === 0) return undefined;
    const folder = path.dirname(file);
    if (!this.known.has(folder)) this.known.set(folder, this.find(partsOf(folder)));
    return this.known.get(folder);
  }

  /** Of two that apply it, the one with the deeper folder: what it applies, the other one leaves out, or they say the same. */
  private find(parts: readonly string[]): ManifestObject | undefined {
    for (let end = parts.length; end > 0; end--) {
      for (let length = Math.min(end, ENOUGH_IN_COMMON); length > 0; length--) {
        const found = this.byPath.get(parts.slice(end - length, end).join('/'));
        if (found) return found;
      }
    }
    return undefined;
  }
}

function foldersOf(object: ManifestObject): string[] {
  switch (groupKind(object)) {
    case KUSTOMIZATION: return [textAt(object, 'spec', 'path') ?? ''];
    case APPLICATION: {
      const sources = isSet(object, 'spec', 'sources') ? listAt(object, 'spec', 'sources') : [fieldAt(object, 'spec', 'source')];
      return sources.filter((source) => textAt(source, 'chart') === undefined).map((source) => textAt(source, 'path') ?? '');
    }
    default: return [];
  }
}

function partsOf(folder: string): string[] {
  return folder.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}

/** A shorter path in full, of a longer one its end: the folder that was read may be any part of the repository. */
function keyOf(parts: readonly string[]): string {
  return parts.slice(-ENOUGH_IN_COMMON).join('/');
}
