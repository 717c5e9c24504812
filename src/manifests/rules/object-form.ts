import { machineWords, specPath } from './cluster-api/machine-template-rules';
import { FieldReader, FieldType, instance, isEmptyFields, PageExpression, PageFields } from './page-expression';
import { AdoptedCluster, PartOf } from './page-parts';
import { Provider } from './provider';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { Sources } from '../values/field-sources';

/** The field of a property: its path below the fields of the object, or more where its value has another form there. */
export type PropertyField = string | PropertyForm;

/** A property whose value has another form in its field. */
export interface PropertyForm {
  /** Path of the field. */
  readonly field: string;

  /** The type of the value: strings, a number, or the number that a size or duration is in a unit. */
  readonly as?: FieldType;

  /** The value that is written where the property is not set. */
  readonly usual?: unknown;

  /** Fields of the properties of an object, below the field. */
  readonly of?: ClassForm;

  /** Fields of the properties of each object of a list. */
  readonly each?: ClassForm;

  /** True for a list of instances of a class, which pages get by a patch unless `read` is set. */
  readonly items?: boolean;

  /** Reads the value for a page; undefined for one that no property states. */
  readonly read?: (value: unknown, fields: FieldReader) => PageExpression | undefined;
}

/** Fields of properties. */
export interface ClassForm {
  readonly properties: Readonly<Record<string, PropertyField>>;

  /** Properties that must be set. */
  readonly required?: readonly string[];
}

/**
 * A class of the library and the object that it makes: each property with its field, once. The class writes the fields by it, problems of fields are
 * reported for the properties, plans name the properties, and `adopt` reads pages by it.
 */
export interface ObjectForm extends ClassForm {
  readonly apiVersion: string;

  /** Kind of the object. The fields of a kind that ends with "Template" are those of the objects that it makes. */
  readonly kind: string;

  /** Name of the class, as a page imports it. */
  readonly className: string;

  /** Further properties of a page. */
  readonly beside?: (object: ManifestObject, cluster: AdoptedCluster) => PageFields;
}

/** A property as a form. */
export function propertyForm(given: PropertyField): PropertyForm {
  return typeof given === 'string' ? { field: given } : given;
}

/** The facts that follow from the forms of a system's classes: pages of existing objects, and the words of plans. */
export function formFacts(...forms: readonly ObjectForm[]): Partial<Provider> {
  const [templates, clusters] = [true, false].map((isTemplate) => forms.filter(({ kind }) => kind.endsWith('Template') === isTemplate));
  const parts = (some: readonly ObjectForm[]) => Object.fromEntries(some.map((form) => [groupKind({ ...form }), partOf(form)]));
  return {
    pageParts: { infrastructures: parts(clusters), machines: parts(templates) },
    templateWords: Object.assign({}, ...templates.map((form) => machineWords(groupKind({ ...form }), wordsOf(form)))),
  };
}

/** The words of plans for fields: their properties, and those of lists for what is in them. */
function wordsOf(form: ObjectForm): Readonly<Record<string, string>> {
  const sources = Object.entries(formSources(form)).filter(([field]) => !field.includes('[*]'));
  return Object.fromEntries(sources.map(([field, property]) => [field.replace('.**', ''), property.replace('.**', '')]));
}

function partOf(form: ObjectForm): PartOf {
  return (object, cluster) => {
    const props = { ...readProperties(form, new FieldReader(object, specPath(object))), ...form.beside?.(object, cluster) };
    return isWhole(form, props) ? instance(form.className, props) : undefined;
  };
}

function readProperties({ properties }: ClassForm, fields: FieldReader): PageFields {
  return Object.fromEntries(Object.entries(properties).map(([name, given]) => [name, readProperty(propertyForm(given), fields)]));
}

/** True if all properties are set that must be set. */
function isWhole({ required = [] }: ClassForm, props: PageFields): boolean {
  return required.every((name) => props[name] !== undefined);
}

function readProperty({ field, as, usual, of, each, items, read }: PropertyForm, fields: FieldReader): PageExpression | undefined {
  const path = field.split('.');
  if (read || items) return read?.(fields.value(...path), fields);
  if (of) {
    const props = readProperties(of, fields.below(...path) ?? new FieldReader({}));
    return isWhole(of, props) && !isEmptyFields(props) ? props : undefined;
  }
  if (each) {
    const list = fields.each(...path).map((item) => readProperties(each, item));
    return list.length > 0 && list.every((item) => isWhole(each, item)) ? list : undefined;
  }
  const value = as === undefined ? fields.value(...path) : fields.typed(as, ...path);
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty || value === usual ? undefined : value as PageExpression | undefined;
}

/** The properties of an object's fields, by their paths. */
export function formSources({ properties }: ClassForm): Sources {
  return Object.fromEntries(Object.entries(properties).flatMap(([name, given]) => {
    const { field, as, of, each, items, read } = propertyForm(given);
    const below = (form: ClassForm, index: string) => Object.entries(formSources(form)).map(([inner, source]) => [`${field}${index}.${inner}`, `${name}${index}.${source}`]);
    if (of) return [[field, name], ...below(of, '')];
    if (each ?? items) return [[field, name], [`${field}[*]`, `${name}[*]`], ...(each ? below(each, '[*]') : [])];
    return (as === undefined || as === 'texts') && !read ? [[`${field}.**`, `${name}.**`]] : [[field, name]];
  }));
}
