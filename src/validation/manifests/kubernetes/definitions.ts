import { clusterObjectText, pair } from './examples';
import { fault, faultIf } from './findings';
import { fieldAt, Fields, isFields, textAt } from '../../../images/manifest-object';
import { nearestName } from '../../../kubernetes/nearest-name';
import { checkDns1035Label, checkDnsSubdomain } from '../../../network/dns';
import { listAt, mapsAt, textsAt } from '../manifest-fields';
import { FieldPath, ManifestFinding, ManifestRule } from '../manifest-rule';
import { structureOf } from '../structure/kind-structure';

const GROUP = 'apiextensions.k8s.io';
const DEFINITION = `${GROUP}/CustomResourceDefinition`;
const SOURCE = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';
const STRUCTURAL = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go';
const GUARDED = /(^|\.)(k8s|kubernetes)\.io$/;
const APPROVAL = 'api-approved.kubernetes.io';

const names: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-NAMES',
  title: 'A CustomResourceDefinition is called by its plural and its group, which is a domain with a dot; its names are DNS labels.',
  source: `${SOURCE} (ValidateCustomResourceDefinition, ValidateCustomResourceDefinitionNames)`,
  kinds: [DEFINITION],
  example: pair((name) => definitionText(name, 'v1', 'type: object'), 'widget.example.com', 'widgets.example.com'),
  check: (object) => {
    const [name, group, plural] = [textAt(object, 'metadata', 'name'), textAt(object, 'spec', 'group'), textAt(object, 'spec', 'names', 'plural')];
    const kind = textAt(object, 'spec', 'names', 'kind');
    const domainFault = group === undefined ? undefined : checkDnsSubdomain(group) ?? (group.includes('.') ? undefined : `${JSON.stringify(group)} has no dot`);
    return [
      ...(name !== undefined && group !== undefined && plural !== undefined && name !== `${plural}.${group}`
        ? [fault(['metadata', 'name'], `${JSON.stringify(name)} is not made of the plural and the group`, `write ${plural}.${group}`, `${plural}.${group}`)] : []),
      ...faultIf(['spec', 'group'], domainFault, 'write a domain of your own'),
      ...['plural', 'singular'].flatMap((field) => nameFaults(fieldAt(object, 'spec', 'names', field), ['spec', 'names', field])),
      ...['kind', 'listKind'].flatMap((field) => nameFaults(textAt(object, 'spec', 'names', field)?.toLowerCase(), ['spec', 'names', field])),
      ...['shortNames', 'categories'].flatMap((field) => textsAt(object, 'spec', 'names', field).flatMap(([text, index]) => nameFaults(text, ['spec', 'names', field, index]))),
      ...(kind !== undefined && kind === textAt(object, 'spec', 'names', 'listKind') ? [fault(['spec', 'names', 'listKind'], 'it is the kind itself', `write ${kind}List`)] : []),
      ...(group !== undefined && GUARDED.test(group) && textAt(object, 'metadata', 'annotations', APPROVAL) === undefined
        ? [fault(['metadata', 'annotations', APPROVAL], `the group ${group} is guarded by the Kubernetes project`, 'choose a group of your own, or add the annotation')] : []),
    ];
  },
};

function nameFaults(name: unknown, path: FieldPath): ManifestFinding[] {
  return typeof name === 'string' && name !== '' ? faultIf(path, checkDns1035Label(name), 'write letters and digits') : [];
}

const versions: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-VERSIONS',
  title: 'A CustomResourceDefinition stores its objects in exactly one of its versions, which have names and schemas of their own.',
  source: `${SOURCE} (validateCustomResourceDefinitionSpec)`,
  kinds: [DEFINITION],
  example: pair((stored) => definitionText('widgets.example.com', 'v1', 'type: object').replace('storage: true', `storage: ${stored}`), 'false', 'true'),
  check: (object) => {
    const entries = mapsAt(object, 'spec', 'versions');
    const path = ['spec', 'versions'];
    const stored = entries.filter(([version]) => version.storage === true).length;
    const seen = entries.map(([version]) => textAt(version, 'name'));
    return [
      ...(entries.length > 0 && stored !== 1 ? [fault(path, `objects are stored in ${stored} versions`, 'write storage: true in one of them')] : []),
      ...(Array.isArray(fieldAt(object, 'spec', 'versions')) && entries.length === 0 && listAt(object, 'spec', 'versions').length === 0 ? [fault(path, 'it is empty', 'write a version')] : []),
      ...entries.flatMap(([version, index]) => [
        ...nameFaults(version.name, [...path, index, 'name']),
        ...(seen[index] !== undefined && seen.indexOf(seen[index]) < index ? [fault([...path, index, 'name'], `the version ${seen[index]} is there twice`, 'give each one its own name')] : []),
        ...(isFields(fieldAt(version, 'schema', 'openAPIV3Schema')) || (version.schema !== undefined && !isFields(version.schema)) ? []
          : [fault([...path, index, 'schema', 'openAPIV3Schema'], 'there is no schema', 'write one; "type: object" with x-kubernetes-preserve-unknown-fields: true takes anything')]),
      ]),
    ];
  },
};

const schemas: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-SCHEMA',
  title: 'The schema of a version is structural: every field has a type, lists have entries, and keywords are those that servers know.',
  source: `${STRUCTURAL} (validateStructuralInvariants), ${SOURCE} (ValidateCustomResourceDefinitionOpenAPISchema)`,
  kinds: [DEFINITION],
  example: pair((schema) => definitionText('widgets.example.com', 'v1', schema), 'type: object\n          properties:\n            spec: {properties: {size: {type: integer}}}',
    'type: object\n          properties:\n            spec: {type: object, properties: {size: {type: integer}}}'),
  check: (object) => mapsAt(object, 'spec', 'versions').flatMap(([version, index]) => {
    const root = fieldAt(version, 'schema', 'openAPIV3Schema');
    return isFields(root) ? schemaFaults(root, ['spec', 'versions', index, 'schema', 'openAPIV3Schema'], { level: 'root', isStrict: true, depth: 0 }) : [];
  }),
};

/** Where a schema stands: only at the root it has to be one of a map, and inside alternatives it need not have a type. */
type Level = 'root' | 'field' | 'alternative';

const DEEPEST = 200;
const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const FORBIDDEN: readonly string[] = ['$ref', 'definitions', 'dependencies', 'additionalItems', 'patternProperties', 'id', '$schema'];
const ALTERNATIVES: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/** Where a schema stands, and how it is read. */
interface SchemaPlace {
  readonly level: Level;

  /** Whether keywords that there are not are refused: inside items and additionalProperties they are dropped. */
  readonly isStrict: boolean;
  readonly depth: number;
}

function schemaFaults(schema: Fields, path: FieldPath, { level, isStrict, depth }: SchemaPlace): ManifestFinding[] {
  if (depth > DEEPEST) return [];
  const inside = (value: unknown, place: FieldPath, inner: Level, strict = isStrict) => (
    isFields(value) ? schemaFaults(value, place, { level: inner, isStrict: strict, depth: depth + 1 }) : []);
  const innerLevel: Level = level === 'alternative' ? 'alternative' : 'field';
  return [
    ...ownFaults(schema, path, level, isStrict),
    ...Object.entries(isFields(schema.properties) ? schema.properties : {}).flatMap(([name, value]) => inside(value, [...path, 'properties', name], innerLevel)),
    ...inside(schema.items, [...path, 'items'], innerLevel, false),
    ...inside(schema.additionalProperties, [...path, 'additionalProperties'], innerLevel, false),
    ...inside(schema.not, [...path, 'not'], 'alternative'),
    ...ALTERNATIVES.flatMap((list) => mapsAt(schema, list).flatMap(([value, index]) => inside(value, [...path, list, index], 'alternative'))),
  ];
}

function ownFaults(schema: Fields, path: FieldPath, level: Level, isStrict: boolean): ManifestFinding[] {
  const type = fieldAt(schema, 'type');
  const known = keywords();
  const unknown = known ? Object.keys(schema).filter((keyword) => isStrict && !known.has(keyword) && level !== 'root') : [];
  const isFree = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isObject = schema['x-kubernetes-embedded-resource'] === true || level === 'root';
  return [
    ...unknown.map((keyword) => fault([...path, keyword], `${JSON.stringify(keyword)} is no keyword of schemas`, nearFix(keyword, known!))),
    ...FORBIDDEN.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => fault([...path, keyword], 'servers do not take it in definitions', 'write the schema out')),
    ...(typeof type === 'string' && type !== '' && !TYPES.includes(type) ? [fault([...path, 'type'], `${JSON.stringify(type)} is no type`, 'write one of them', TYPES.join(', '))] : []),
    ...((type === undefined || type === null || type === '') && level !== 'alternative' && !isFree
      ? [fault([...path, 'type'], 'the schema has no type', 'add it, or x-kubernetes-preserve-unknown-fields: true for anything', TYPES.join(', '))] : []),
    ...(isObject && typeof type === 'string' && TYPES.includes(type) && type !== 'object' ? [fault([...path, 'type'], 'an object is a map', 'write type: object', 'object')] : []),
    ...(type === 'array' && !isFields(schema.items) && level !== 'alternative' ? [fault([...path, 'items'], 'the list has no schema of its entries', 'add it')] : []),
    ...(level === 'root' && isSetOrTrue(schema.additionalProperties) ? [fault([...path, 'additionalProperties'], 'an object has no keys of any name', 'remove it')] : []),
    ...(isSetOrTrue(schema.additionalProperties) && isFields(schema.properties) && Object.keys(schema.properties).length > 0
      ? [fault([...path, 'additionalProperties'], 'it stands beside properties', 'leave one of them out')] : []),
  ];
}

function isSetOrTrue(value: unknown): boolean {
  return isFields(value) || value === true;
}

/** The keywords of schemas, as servers read them. */
function keywords(): ReadonlySet<string> | undefined {
  const root = structureOf(GROUP, 'CustomResourceDefinition')?.versions.get('v1');
  const schema = root?.fields?.get('spec')?.fields?.get('versions')?.items?.fields?.get('schema')?.fields?.get('openAPIV3Schema');
  return schema?.fields && new Set(schema.fields.keys());
}

function nearFix(keyword: string, known: ReadonlySet<string>): string {
  const near = keyword.length > 100 ? undefined : nearestName(keyword, known);
  return near === undefined ? 'remove it' : `did you mean ${JSON.stringify(near)}?`;
}

/** CustomResourceDefinitions. */
export const DEFINITIONS: readonly ManifestRule[] = [names, versions, schemas];

function definitionText(name: string, version: string, schema: string): string {
  return clusterObjectText(`${GROUP}/v1`, 'CustomResourceDefinition', `spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: ${version}
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          ${schema}
`, name);
}
