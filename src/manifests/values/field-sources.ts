import { FieldPath, fieldText } from './fields';

/** Property by field. A property is the source of everything below its field. */
export type Sources = { readonly [field: string]: string };

/** Properties of pages by the fields that they are written to, of a kind. */
export interface PageProperties {
  /** The construct that has the properties, such as `the node pool`. */
  readonly of: string;
  readonly properties: Sources;
}

/** The parts of a field's path: keys, and `*`. A key with other characters stands in brackets and quotes. */
export function segments(field: string): string[] {
  return [...field.matchAll(/\["([^"]*)"\]|\[(\*|\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, key]) => quoted ?? index ?? key);
}

/** The part of a field before `**`. */
export function namedPart(field: readonly string[]): readonly string[] {
  return field.at(-1) === '**' ? field.slice(0, -1) : field;
}

/** True if a field is at a path, or above it. */
export function leadsTo(field: readonly string[], path: FieldPath): boolean {
  const named = namedPart(field);
  return named.length <= path.length && named.every((segment, depth) => segment === '*' || segment === String(path[depth]));
}

/** A property with the indexes and the path below that the field of a path has. */
export function filledProperty(field: readonly string[], property: string, path: FieldPath): string {
  const found = path.filter((_, depth) => field[depth] === '*');
  const filled = property.replace(/\[\*\]|\.\*(?!\*)/g, (star) => {
    const part = fieldText([found.shift() ?? 0]);
    return star === '.*' && !part.startsWith('[') ? `.${part}` : part;
  });
  if (!filled.endsWith('.**')) return filled;
  const below = fieldText(path.slice(field.length - 1));
  return `${filled.slice(0, -'.**'.length)}${below === '' || below.startsWith('[') ? '' : '.'}${below}`;
}

/** The property that a field comes from: that of the field nearest to it. */
export function propertyOf(sources: Sources, path: FieldPath): string | undefined {
  const [nearest] = Object.entries(sources).map(([field, property]) => ({ field: segments(field), property }))
    .filter(({ field }) => leadsTo(field, path))
    .sort((one, other) => namedPart(other.field).length - namedPart(one.field).length);
  return nearest && filledProperty(nearest.field, nearest.property, path);
}
