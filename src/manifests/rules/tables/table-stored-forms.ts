import { ProviderTable, TableOlderVersion } from './provider-table';
import { isFields } from '../../values/fields';
import { completeVersion } from '../cluster-api/stored-forms';
import { Draft, draftAt, sameFields, StoredForm } from '../stored-form';

/** Forms in which servers store the kinds of a table. */
export function tableStoredForms({ olderVersions = [], kinds }: ProviderTable): Readonly<Record<string, StoredForm>> {
  const converted: Readonly<Record<string, StoredForm>> = Object.assign({}, ...olderVersions.map(convertedForms));
  const complete = (object: Draft): void => completeVersion(draftAt(object, 'spec'));
  const prefixed = Object.entries(kinds).filter(([, { prefixesVersion }]) => prefixesVersion !== undefined);
  return { ...converted, ...Object.fromEntries(prefixed.map(([kind]) => [kind, { ...converted[kind], complete }])) };
}

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
function convertedForms({ group, older, stored, kinds }: TableOlderVersion): Readonly<Record<string, StoredForm>> {
  return Object.fromEntries(Object.entries(kinds).flatMap(([kind, fields]) => (kind.endsWith('Template') ? [''] : ['', 'Template']).map((end) => {
    const paths = fields.map((field) => `${end === '' ? '' : 'template.spec.'}${field}`.split('.'));
    const convertible = (spec: Draft) => !paths.some((path) => has(spec, path));
    return [`${group}/${kind}${end}`, { ...sameFields(stored, older), convertible }];
  })));
}
