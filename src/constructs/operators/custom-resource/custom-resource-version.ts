import { JsonSchema, OBJECT_FIELDS } from '../../../manifests/schema/schema-node';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { checkSchema, isStructural, SCHEMA_RULE } from '../schema/check-schema';
import { Schema } from '../schema/schema';
import { isOpenOnTheWay, namesInPath, schemaAt } from '../schema/schema-nodes';

const VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';

/** Type of the value of a printer column. */
export enum PrinterColumnType {
  /** A whole number. */
  INTEGER = 'integer',

  /** A number. */
  NUMBER = 'number',

  /** Text. */
  STRING = 'string',

  /** True or false. */
  BOOLEAN = 'boolean',

  /** A time, shown as the time that has passed since. */
  DATE = 'date',
}

/** A column that `kubectl get` shows. */
export interface PrinterColumn {
  /** Heading of the column (`TC-ADMIT-FIELD-VALUE`). */
  readonly name: string;

  /** Type of the value. */
  readonly type: PrinterColumnType;

  /**
   * JSON path of the value, which starts with a dot, e.g. `.spec.replicas` or `.status.conditions[?(@.type=="Ready")].status`
   * (`TC-CRD-COLUMN`).
   */
  readonly jsonPath: string;

  /**
   * Description of the column.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * Format of the value for programs, e.g. `int32`, `date-time`.
   *
   * @default - none
   */
  readonly format?: string;

  /**
   * Priority: 0 for a column that is always shown, more for one that only `-o wide` shows.
   *
   * @default 0
   */
  readonly priority?: number;
}

/** The scale subresource, which `kubectl scale` and autoscalers work with. */
export interface ScaleSubresource {
  /** Path of the desired number, below `.spec` (`TC-CRD-SUBRESOURCE`). */
  readonly specReplicasPath: string;

  /** Path of the actual number, below `.status` (`TC-CRD-SUBRESOURCE`). */
  readonly statusReplicasPath: string;

  /**
   * Path of the selector of the pods, a string below `.spec` or `.status`. A HorizontalPodAutoscaler needs it (`TC-CRD-SUBRESOURCE`).
   *
   * @default - none
   */
  readonly labelSelectorPath?: string;
}

/** One version of a custom resource. */
export interface CustomResourceVersion {
  /** Name of the version, e.g. `v1alpha1` (`TC-ADMIT-KUBERNETES-CRD-VERSIONS`). */
  readonly name: string;

  /**
   * Schema of the fields beside `apiVersion`, `kind` and `metadata`: a `Schema.object`, most often with `spec` and `status`
   * (`TC-ADMIT-KUBERNETES-CRD-SCHEMA`, `TC-CRD-SCHEMA`, `TC-CRD-LIST-TYPE`, `TC-CRD-BOUNDS`, `TC-CRD-REQUIRED`, `TC-CRD-PATTERN`, `TC-CRD-FORMAT`, `TC-CRD-DEFAULT`).
   */
  readonly schema: Schema;

  /**
   * True if clients can use the version.
   *
   * @default true
   */
  readonly served?: boolean;

  /**
   * True if objects are stored in this version (`TC-ADMIT-KUBERNETES-CRD-VERSIONS`).
   *
   * @default - true for the only version of a type, else false
   */
  readonly storage?: boolean;

  /**
   * True if clients that use the version are warned.
   *
   * @default false
   */
  readonly deprecated?: boolean;

  /**
   * Warning that these clients get, one line of at most 256 bytes (`TC-CRD-DEPRECATION`).
   *
   * @default - the API server's own: the deprecated version, and the one to use
   */
  readonly deprecationWarning?: string;

  /**
   * True if `status` is written apart from the rest, at `/status`. A controller that calls `UpdateStatus` needs it
   * (`TC-CRD-SUBRESOURCE`, `TC-OPERATOR-STATUS`).
   *
   * @default - true if the schema has a field `status`
   */
  readonly statusSubresource?: boolean;

  /**
   * The scale subresource (`TC-CRD-SUBRESOURCE`).
   *
   * @default - none
   */
  readonly scaleSubresource?: ScaleSubresource;

  /**
   * Columns that `kubectl get` shows beside the name (`TC-CRD-COLUMN`).
   *
   * @default - the age
   */
  readonly printerColumns?: PrinterColumn[];

  /**
   * Paths of fields that clients can select objects by, e.g. `.spec.color`. They need Kubernetes 1.31 or later.
   *
   * Rule: `TC-CRD-SELECTABLE-FIELD`.
   *
   * @default - name and namespace
   */
  readonly selectableFields?: string[];
}

/** True if `status` of a version is written apart from the rest. */
export function hasStatusSubresource({ statusSubresource, schema }: CustomResourceVersion): boolean {
  return statusSubresource ?? Object.hasOwn(schema._json.properties ?? {}, 'status');
}

/** The versions that clients can use. */
export function servedVersions(versions: readonly CustomResourceVersion[]): CustomResourceVersion[] {
  return versions.filter(({ served }) => served ?? true);
}

/** True if objects are stored in a version. */
export function isStorage({ storage }: CustomResourceVersion, versions: readonly CustomResourceVersion[]): boolean {
  return storage ?? versions.length === 1;
}

/** The version as the definition holds it, with the defaults of the API server. */
export function versionSpec(version: CustomResourceVersion, versions: readonly CustomResourceVersion[]): object {
  const { name, served = true, deprecated, deprecationWarning, schema, scaleSubresource, printerColumns, selectableFields } = version;
  const status = hasStatusSubresource(version) ? {} : undefined;
  return {
    name,
    served,
    storage: isStorage(version, versions),
    deprecated: deprecated || undefined,
    deprecationWarning,
    schema: { openAPIV3Schema: schema._json },
    subresources: status || scaleSubresource ? { status, scale: scaleSubresource } : undefined,
    additionalPrinterColumns: printerColumns?.length
      // The API server leaves out the priority 0.
      ? printerColumns.map((column) => ({ ...column, priority: column.priority || undefined })) : undefined,
    selectableFields: selectableFields?.length ? selectableFields.map((jsonPath) => ({ jsonPath })) : undefined,
  };
}

const COLUMN_FORMATS: readonly string[] = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];
const SELECTABLE_TYPES: readonly (string | undefined)[] = ['string', 'boolean', 'integer'];
const MOST_SELECTABLE = 8;

const VERSION_RULE: Rule = {
  id: 'TC-CRD-VERSION',
  title: 'At least one version of a type must be served.',
};

/** Checks the versions of a type. */
export function checkVersions(versions: readonly CustomResourceVersion[]): Problem[] {
  return [
    ...problemIf(VERSION_RULE, 'versions', versions.length === 0 || servedVersions(versions).length > 0 ? undefined
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
    ...(faults.some(({ rule }) => rule === SCHEMA_RULE) || !isStructural(schema) ? [] : [
      ...checkStatus(version, schema, property),
      ...(version.scaleSubresource ? checkScale(version.scaleSubresource, schema, `${property}.scaleSubresource`) : []),
      ...checkColumns(version.printerColumns ?? [], schema, property),
      ...checkSelectableFields(version.selectableFields ?? [], schema, property),
    ]),
  ];
}

const DEPRECATION_RULE: Rule = {
  id: 'TC-CRD-DEPRECATION',
  title: 'A deprecation warning must be one printable line of at most 256 bytes, and its version must be deprecated.',
  source: VALIDATION,
};

function checkDeprecation({ deprecated, deprecationWarning: text }: CustomResourceVersion, version: string): Problem[] {
  if (text === undefined) return [];
  const property = `${version}.deprecationWarning`;
  return [
    ...problemIf(DEPRECATION_RULE, property, deprecated ? undefined : 'the version is not deprecated', 'set deprecated: true, or remove the warning'),
    ...problemIf(DEPRECATION_RULE, property, text === '' ? 'the warning is empty' : undefined, 'write a warning, or leave it out'),
    ...problemIf(DEPRECATION_RULE, property, Buffer.byteLength(text) > 256 ? `the warning is ${Buffer.byteLength(text)} bytes long` : undefined, 'use at most 256'),
    ...problemIf(DEPRECATION_RULE, property, /[^\P{C}]|[^\P{Zl}]|[^\P{Zp}]|(?! )\p{Zs}/u.test(text) ? 'the warning has characters that cannot be printed' : undefined,
      'write it in one line'),
  ];
}

const STATUS_FIELDS_RULE: Rule = {
  id: 'TC-CRD-STATUS-FIELDS',
  title: 'A schema with the status subresource should have a field status: the API server accepts one without, and drops every status.',
  source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (field pruning, status subresource)',
  warning: true,
};

const SUBRESOURCE_RULE: Rule = {
  id: 'TC-CRD-SUBRESOURCE',
  title: 'A schema with the status subresource must have no limits at its top; the scale subresource must read integers below spec and status, and a selector as a string.',
  source: VALIDATION,
};

function checkStatus(version: CustomResourceVersion, schema: JsonSchema, property: string): Problem[] {
  if (!hasStatusSubresource(version)) return [];
  const kept = schemaAt(schema, ['status']) !== undefined || isOpenOnTheWay(schema, ['status']);
  const outside = ['allOf', 'anyOf', 'oneOf', 'not', 'minProperties', 'maxProperties', 'enum', 'x-kubernetes-map-type']
    .filter((keyword) => schema[keyword as keyof JsonSchema] !== undefined);
  return [
    ...problemIf(STATUS_FIELDS_RULE, `${property}.statusSubresource`, kept ? undefined : 'the schema has no field status, so that the API server drops all of it',
      'add status to the schema, or remove the subresource'),
    ...outside.map((keyword) => ({
      rule: SUBRESOURCE_RULE,
      property: `${property}.schema`,
      message: `${keyword} at the top of the schema does not go with the status subresource`,
      fix: 'say it inside spec or status',
    })),
  ];
}

function checkScale(scale: ScaleSubresource, schema: JsonSchema, property: string): Problem[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...checkScalePath(specReplicasPath, 'integer', schema, `${property}.specReplicasPath`),
    ...checkScalePath(statusReplicasPath, 'integer', schema, `${property}.statusReplicasPath`),
    ...(labelSelectorPath === undefined ? [] : checkScalePath(labelSelectorPath, 'string', schema, `${property}.labelSelectorPath`)),
  ];
}

/** Checks a path against the schema. A rule over the definition itself looks at the field that it starts with. */
function checkScalePath(path: string, type: string, schema: JsonSchema, property: string): Problem[] {
  const names = namesInPath(path);
  const found = names && schemaAt(schema, names);
  if (names && !['spec', 'status'].includes(names[0])) return [];
  const fault = !names ? `"${path}" is no path of a field`
    : found && found.type !== type ? `"${path}" leads to a value of type ${found.type}, and ${type} is wanted`
      : !found && !isOpenOnTheWay(schema, names) ? `"${path}" leads to no field of the schema` : undefined;
  return problemIf(SUBRESOURCE_RULE, property, fault, 'give the path of such a field');
}

const COLUMN_RULE: Rule = {
  id: 'TC-CRD-COLUMN',
  title: 'The path of a printer column must start with a dot and lead to a field.',
  source: VALIDATION,
};

const COLUMN_TWICE_RULE: Rule = {
  id: 'TC-CRD-COLUMN-TWICE',
  title: 'Printer columns of a version should have different names: the API server accepts equal ones, which users cannot tell apart.',
  source: VALIDATION,
  warning: true,
};

function checkColumns(columns: readonly PrinterColumn[], schema: JsonSchema, version: string): Problem[] {
  return columns.flatMap(({ name, jsonPath, format, priority = 0 }, index) => {
    const property = `${version}.printerColumns[${index}]`;
    const twice = columns.findIndex((column) => column.name === name) < index;
    return [
      ...problemIf(COLUMN_TWICE_RULE, `${property}.name`, name !== '' && twice ? `"${name}" is the name of another column` : undefined, 'give a name of its own'),
      ...problemIf(COLUMN_RULE, `${property}.jsonPath`, checkColumnPath(jsonPath, schema), 'give the path of a field, e.g. ".spec.replicas"'),
      ...problemIf(COLUMN_RULE, `${property}.format`, format === undefined || COLUMN_FORMATS.includes(format) ? undefined : `"${format}" is no format`,
        `use one of ${COLUMN_FORMATS.join(', ')}`),
      ...problemIf(COLUMN_RULE, `${property}.priority`, Number.isSafeInteger(priority) && priority >= 0 ? undefined : `${priority} is no priority`, 'use 0, or 1 for -o wide'),
    ];
  });
}

/** Checks a path without filters and indices against the schema. The API server reads the others. */
function checkColumnPath(path: string, schema: JsonSchema): string | undefined {
  if (!path.startsWith('.')) return `"${path}" does not start with a dot`;
  const names = namesInPath(path);
  const [first = ''] = names ?? [];
  if (!names || OBJECT_FIELDS.includes(first) || schemaAt(schema, names) || isOpenOnTheWay(schema, names)) return undefined;
  return `"${path}" leads to no field of the schema, so that the column would stay empty`;
}

const SELECTABLE_FIELD_RULE: Rule = {
  id: 'TC-CRD-SELECTABLE-FIELD',
  title: 'At most eight fields can be selectable, each named once; they must be strings, booleans or integers outside of metadata and lists.',
  source: VALIDATION,
};

function checkSelectableFields(paths: readonly string[], schema: JsonSchema, version: string): Problem[] {
  const property = `${version}.selectableFields`;
  return [
    ...problemIf(SELECTABLE_FIELD_RULE, property, new Set(paths).size > MOST_SELECTABLE ? `there are ${paths.length}` : undefined, `select by at most ${MOST_SELECTABLE}`),
    ...paths.flatMap((path, index) => problemIf(
      SELECTABLE_FIELD_RULE, `${property}[${index}]`, paths.indexOf(path) < index ? `"${path}" is there already` : checkSelectablePath(path, schema), 'name another field, once',
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
