import { Duration, Size, SizeRoundingBehavior } from 'cdk8s';
import { AddressPool } from './network/address-pool';
import { ProviderObjectOptions } from './provider-object';
import { ClassForm, formSources, ObjectForm, propertyForm, PropertyForm } from '../../manifests/rules/object-form';
import { Sources } from '../../manifests/values/field-sources';

/** Sizes keep their fraction, which definitions refuse. */
const EXACT = { rounding: SizeRoundingBehavior.NONE };

/** Fields by their paths. */
type FieldEntries = readonly (readonly [path: string, value: unknown])[];

/**
 * Options of the object that a class makes, by its form.
 *
 * @param form the form of the class
 * @param props the properties of the user
 * @param fields fields that are no property's alone, by their paths; undefined leaves one out
 * @param sources properties of these fields
 */
export function objectFields(
  form: ObjectForm, props: object, fields: { readonly [path: string]: unknown } = {}, sources: Sources = {},
): ProviderObjectOptions {
  const { apiVersion, kind } = form;
  const own = fieldsOf(form, props).filter(([path]) => !Object.hasOwn(fields, path));
  return { apiVersion, kind, props, fields: nested([...own, ...Object.entries(fields)]), properties: { ...formSources(form), ...sources } };
}

function fieldsOf({ properties, required = [] }: ClassForm, props: object): FieldEntries {
  const given = new Map<string, unknown>(Object.entries(props));
  return Object.entries(properties).map(([name, property]) => {
    const form = propertyForm(property);
    const value = fieldValue(given.get(name) ?? form.usual, form);
    const isEmpty = Array.isArray(value) && value.length === 0 && form.usual === undefined && !required.includes(name);
    return [form.field, isEmpty ? undefined : value];
  });
}

/** The form of a value in the API. */
function fieldValue(value: unknown, form: PropertyForm): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (form.each ? nested(fieldsOf(form.each, item as object)) : fieldValue(item, form)));
  if (value instanceof Size) return form.as === 'GiB' ? value.toGibibytes(EXACT) : value.toMebibytes(EXACT);
  if (value instanceof Duration) return value.toSeconds();
  if (value instanceof AddressPool) return value.reference;
  if (typeof value !== 'object' || value === null) return value;
  return form.of ? nested(fieldsOf(form.of, value)) : '_spec' in value ? value._spec : value;
}

function nested(fields: FieldEntries): { [field: string]: any } {
  const all: { [field: string]: any } = {};
  for (const [path, value] of fields) {
    const [last, ...above] = path.split('.').reverse();
    if (value !== undefined) above.reverse().reduce((holder, name) => (holder[name] ??= {}), all)[last] = value;
  }
  return all;
}
