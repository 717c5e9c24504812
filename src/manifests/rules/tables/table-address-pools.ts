import { TableAddressPools } from './provider-table';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, FieldPath, stringAt } from '../../values/fields';
import { AddressPoolUse, AddressUsesOf } from '../address-pools';

/**
 * The pools that machines of a template take addresses from, by a table.
 *
 * @param table the fields that name them
 */
export function tableAddressUses(table: TableAddressPools): AddressUsesOf {
  return (template, index) => {
    const { of } = table;
    if (!of) return usesIn(template, table);
    const holder = index.find(of.kind, namespaceOf(template), stringAt(template, ...of.name.split('.')));
    const path = of.name.split('.');
    return holder ? usesIn(holder, table).map((use) => ({ ...use, path })) : [];
  };
}

function usesIn(object: ManifestObject, { fields, kind: usual, once }: TableAddressPools): AddressPoolUse[] {
  const found = fields.flatMap((field) => valuesAt(object, field.split('.'))).flatMap(({ value, path }): AddressPoolUse[] => {
    const name = typeof value === 'string' ? value : stringAt(value, 'name');
    const [group, kind] = [stringAt(value, 'apiGroup'), stringAt(value, 'kind')];
    const whole = group === undefined || kind === undefined ? usual : `${group}/${kind}`;
    return name === undefined || whole === undefined ? [] : [{ kind: whole, name, path, each: 1 }];
  });
  const uses = new Map<string, AddressPoolUse>();
  for (const use of found) {
    const key = `${use.kind} ${use.name}`;
    const known = uses.get(key);
    if (!known) uses.set(key, use);
    else if (!once) uses.set(key, { ...known, each: known.each + 1 });
  }
  return [...uses.values()];
}

/** The values at a path in which `*` stands for an item of a list. */
export function valuesAt(value: unknown, fields: readonly string[], path: FieldPath = []): { readonly value: unknown; readonly path: FieldPath }[] {
  const [field, ...rest] = fields;
  if (field === undefined) return value === undefined || value === null ? [] : [{ value, path }];
  if (field === '*') return Array.isArray(value) ? value.flatMap((item, index) => valuesAt(item, rest, [...path, index])) : [];
  return valuesAt(fieldAt(value, field), rest, [...path, field]);
}
