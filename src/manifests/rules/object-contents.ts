import { ofOneObject } from './of-one-object';
import { ManifestObject } from '../objects/manifest-object';
import { Fields } from '../values/fields';

/** What stands somewhere in an object, and in most objects nowhere. */
export interface ObjectContents {
  /** True if a text, or the name of a field, has what variables begin with: `${`. */
  readonly dollar: boolean;

  /** True if a value is null. */
  readonly null: boolean;
}

/** What stands somewhere in an object: one look at all of it, for those who would have to look further. */
export const contentsOf = ofOneObject((object: ManifestObject): ObjectContents => {
  const found = { dollar: false, null: false };
  lookAt(object, found);
  return found;
});

function lookAt(value: unknown, found: { dollar: boolean; null: boolean }): void {
  if (typeof value === 'string') {
    found.dollar ||= value.includes('${');
  } else if (value === null) {
    found.null = true;
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) lookAt(value[index], found);
  } else if (typeof value === 'object') {
    const map = value as Fields;
    for (const name of Object.keys(map)) {
      lookAt(map[name], found);
      found.dollar ||= name.includes('${');
    }
  }
}
