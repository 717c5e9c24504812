import { CRD_RULES } from './crd-rules';
import { CustomResourceVersion, hasStatusSubresource, ScaleSubresource, servedVersions } from './custom-resource-version';
import { PrinterColumn } from './printer-column';
import { JsonSchema, OBJECT_FIELDS } from '../../../manifests/schema/json-schema';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { checkSchema, isStructural } from '../schema/check-schema';
import { isOpenOnTheWay, namesInPath, schemaAt } from '../schema/field-path';

const COLUMN_FORMATS: readonly string[] = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];
const SELECTABLE_TYPES: readonly (string | undefined)[] = ['string', 'boolean', 'integer'];
const MOST_SELECTABLE = 8;

/**
 * Checks the versions of a type.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
 */
export function checkVersions(versions: readonly CustomResourceVersion[]): Problem[] {
  return [
    ...problemIf(CRD_RULES.version, 'versions', versions.length === 0 || servedVersions(versions).length > 0 ? undefined
      : 'no version is served, so that the API server does not serve the type', 'serve one of them'),
    ...versions.flatMap((version, index) => checkVersion(version, `versions[${index}]`)),
  ];
}

function checkVersion(version: CustomResourceVersion, property: string): Problem[] {
  const schema = version.schema._json;
  const faults = checkSchema(schema, `${property}.schema`);
  return [
    ...checkDeprecation(version, property),
    ...faults,
    // Paths lead into the schema, which must be one.
    ...(faults.some(({ rule }) => rule === CRD_RULES.schema) || !isStructural(schema) ? [] : [
      ...checkStatus(version, schema, property),
      ...(version.scaleSubresource ? checkScale(version.scaleSubresource, schema, `${property}.scaleSubresource`) : []),
      ...checkColumns(version.printerColumns ?? [], schema, property),
      ...checkSelectableFields(version.selectableFields ?? [], schema, property),
    ]),
  ];
}

function checkDeprecation({ deprecated, deprecationWarning: text }: CustomResourceVersion, version: string): Problem[] {
  if (text === undefined) return [];
  const property = `${version}.deprecationWarning`;
  return [
    ...problemIf(CRD_RULES.deprecation, property, deprecated ? undefined : 'the version is not deprecated', 'set deprecated: true, or remove the warning'),
    ...problemIf(CRD_RULES.deprecation, property, text === '' ? 'the warning is empty' : undefined, 'write a warning, or leave it out'),
    ...problemIf(CRD_RULES.deprecation, property, Buffer.byteLength(text) > 256 ? `the warning is ${Buffer.byteLength(text)} bytes long` : undefined, 'use at most 256'),
    ...problemIf(CRD_RULES.deprecation, property, /[^\P{C}]|[^\P{Zl}]|[^\P{Zp}]|(?! )\p{Zs}/u.test(text) ? 'the warning has characters that cannot be printed' : undefined,
      'write it in one line'),
  ];
}

function checkStatus(version: CustomResourceVersion, schema: JsonSchema, property: string): Problem[] {
  const kept = schemaAt(schema, ['status']) !== undefined || isOpenOnTheWay(schema, ['status']);
  const outside = ['allOf', 'anyOf', 'oneOf', 'not', 'minProperties', 'maxProperties', 'enum', 'x-kubernetes-map-type']
    .filter((keyword) => schema[keyword as keyof JsonSchema] !== undefined);
  if (!hasStatusSubresource(version)) return [];
  return [
    ...problemIf(CRD_RULES.statusFields, `${property}.statusSubresource`, kept ? undefined : 'the schema has no field status, so that the API server drops all of it',
      'add status to the schema, or remove the subresource'),
    ...outside.map((keyword) => ({
      rule: CRD_RULES.subresource,
      property: `${property}.schema`,
      message: `${keyword} at the top of the schema does not go with the status subresource`,
      fix: 'say it inside spec or status',
    })),
  ];
}

function checkScale(scale: ScaleSubresource, schema: JsonSchema, property: string): Problem[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...checkScalePath(specReplicasPath, ['.spec.'], 'integer', schema, `${property}.specReplicasPath`),
    ...checkScalePath(statusReplicasPath, ['.status.'], 'integer', schema, `${property}.statusReplicasPath`),
    ...(labelSelectorPath === undefined ? [] : checkScalePath(labelSelectorPath, ['.spec.', '.status.'], 'string', schema, `${property}.labelSelectorPath`)),
  ];
}

function checkScalePath(path: string, roots: readonly string[], type: string, schema: JsonSchema, property: string): Problem[] {
  const names = namesInPath(path);
  const found = names && schemaAt(schema, names);
  const fault = !names || !roots.some((root) => path.startsWith(root)) ? `"${path}" is no path below ${roots.map((root) => root.slice(0, -1)).join(' or ')}`
    : found && found.type !== type ? `"${path}" leads to a value of type ${found.type}, and ${type} is wanted`
      : !found && !isOpenOnTheWay(schema, names) ? `"${path}" leads to no field of the schema` : undefined;
  return problemIf(CRD_RULES.subresource, property, fault, 'give the path of such a field');
}

function checkColumns(columns: readonly PrinterColumn[], schema: JsonSchema, version: string): Problem[] {
  return columns.flatMap(({ name, jsonPath, format, priority = 0 }, index) => {
    const property = `${version}.printerColumns[${index}]`;
    const twice = columns.findIndex((column) => column.name === name) < index;
    return [
      ...problemIf(CRD_RULES.columnTwice, `${property}.name`, name !== '' && twice ? `"${name}" is the name of another column` : undefined, 'give a name of its own'),
      ...problemIf(CRD_RULES.column, `${property}.jsonPath`, checkColumnPath(jsonPath, schema), 'give the path of a field, e.g. ".spec.replicas"'),
      ...problemIf(CRD_RULES.column, `${property}.format`, format === undefined || COLUMN_FORMATS.includes(format) ? undefined : `"${format}" is no format`,
        `use one of ${COLUMN_FORMATS.join(', ')}`),
      ...problemIf(CRD_RULES.column, `${property}.priority`, Number.isSafeInteger(priority) && priority >= 0 ? undefined : `${priority} is no priority`, 'use 0, or 1 for -o wide'),
    ];
  });
}

/** Paths with filters and indices are the API server's to read; of plain ones it is known where they lead. */
function checkColumnPath(path: string, schema: JsonSchema): string | undefined {
  if (!path.startsWith('.')) return `"${path}" does not start with a dot`;
  const names = namesInPath(path);
  const [first = ''] = names ?? [];
  if (!names || OBJECT_FIELDS.includes(first) || schemaAt(schema, names) || isOpenOnTheWay(schema, names)) return undefined;
  return `"${path}" leads to no field of the schema, so that the column would stay empty`;
}

function checkSelectableFields(paths: readonly string[], schema: JsonSchema, version: string): Problem[] {
  const property = `${version}.selectableFields`;
  return [
    ...problemIf(CRD_RULES.selectableField, property, new Set(paths).size > MOST_SELECTABLE ? `there are ${paths.length}` : undefined, `select by at most ${MOST_SELECTABLE}`),
    ...paths.flatMap((path, index) => problemIf(
      CRD_RULES.selectableField, `${property}[${index}]`, paths.indexOf(path) < index ? `"${path}" is there already` : checkSelectablePath(path, schema), 'name another field, once',
    )),
  ];
}

function checkSelectablePath(path: string, schema: JsonSchema): string | undefined {
  const names = path.includes('[') ? undefined : namesInPath(path);
  if (names?.[0] === 'metadata') return `"${path}" is a field of metadata`;
  const found = names && schemaAt(schema, names);
  if (!found) return `"${path}" leads to no field of the schema`;
  return SELECTABLE_TYPES.includes(found.type) ? undefined : `"${path}" leads to a value of type ${found.type}, and string, boolean or integer is wanted`;
}
