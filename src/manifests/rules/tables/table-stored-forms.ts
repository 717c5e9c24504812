import { TableOlderVersion } from './provider-table';
import { isFields } from '../../values/fields';
import { Draft, sameFields, StoredForm } from '../stored-form';

/** True if a value has a field; of a list, if one of its items has it. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((item) => has(item, [name, ...rest]));
  return isFields(value) && has(value[name], rest);
}

/**
 * Forms of kinds, and of their templates, with two versions that have nearly the same fields. An object with another field keeps its version: what
 * becomes of it is up to the conversion of the provider.
 */
export function tableStoredForms({ group, older, stored, kinds }: TableOlderVersion): Readonly<Record<string, StoredForm>> {
  return Object.fromEntries(Object.entries(kinds).flatMap(([kind, fields]) => (kind.endsWith('Template') ? [''] : ['', 'Template']).map((end) => {
    const paths = fields.map((field) => `${end === '' ? '' : 'template.spec.'}${field}`.split('.'));
    const convertible = (spec: Draft) => !paths.some((path) => has(spec, path));
    return [`${group}/${kind}${end}`, { ...sameFields(stored, older), convertible }];
  })));
}
