import { PlacedFields } from './kubevirt-objects';
import { FieldPath, Fields, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';

/** A part of a machine that is found by its name. */
export interface NamedPart {
  readonly fields: Fields;
  readonly path: FieldPath;
}

/** The parts of a machine in a list. */
export function partsIn({ fields, path }: PlacedFields, ...list: readonly string[]): NamedPart[] {
  return objectsAt(fields, ...list).map(([item, index]) => ({ fields: item, path: [...path, ...list, index] }));
}

/**
 * Parts that have no partner of their name, or a name that another one has.
 *
 * @param parts the parts
 * @param partners what they go together with
 * @param what what a partner is
 */
export function unpaired(parts: readonly NamedPart[], partners: readonly NamedPart[], what: string): Finding[] {
  const names = new Set(partners.map(({ fields }) => fields.name));
  const seen = new Set<string>();
  return parts.flatMap(({ fields, path }) => {
    const name = stringAt(fields, 'name');
    if (name === undefined) return [];
    if (!names.has(name)) {
      const near = nearestName(name, [...names].filter((other) => typeof other === 'string'));
      const fix = near === undefined ? `add the ${what}, or remove this` : `write "${near}" if that ${what} is meant, or add the ${what}`;
      return [{ path: [...path, 'name'], message: `there is no ${what} named "${name}"`, fix }];
    }
    return seen.size < seen.add(name).size ? [] : [{ path: [...path, 'name'], message: `the name "${name}" is there twice`, fix: 'choose another name' }];
  });
}
