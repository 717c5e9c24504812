import { clusterObjectText, pair } from './examples';
import { fault, faultIf } from './findings';
import { checkShape, PlacedSchema, placedSchemas, TYPES } from '../../schema/schema-shape';
import { checkDns1035Label, checkDnsSubdomain } from '../../values/dns';
import { fieldAt, FieldPath, isFields, listAt, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { nearestName } from '../../values/nearest-name';
import { ManifestFinding, ManifestRule } from '../manifest-rule';
import { structureOf } from '../structure/kind-structure';

const GROUP = 'apiextensions.k8s.io';
const DEFINITION = `${GROUP}/CustomResourceDefinition`;
const SOURCE = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';
const STRUCTURAL = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go';
const GUARDED = /(^|\.)(k8s|kubernetes)\.io$/;
const APPROVAL = 'api-approved.kubernetes.io';

const names: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-NAMES',
  title: 'The name of a CustomResourceDefinition must be plural and group; the group must be a domain with a dot; names must be DNS labels.',
  source: `${SOURCE} (ValidateCustomResourceDefinition, ValidateCustomResourceDefinitionNames)`,
  kinds: [DEFINITION],
  example: pair((name) => definitionText(name, 'v1', 'type: object'), 'widget.example.com', 'widgets.example.com'),
  check: (object) => {
    const [name, group, plural] = [stringAt(object, 'metadata', 'name'), stringAt(object, 'spec', 'group'), stringAt(object, 'spec', 'names', 'plural')];
    const kind = stringAt(object, 'spec', 'names', 'kind');
    const domainFault = group === undefined ? undefined : checkDnsSubdomain(group) ?? (group.includes('.') ? undefined : `${JSON.stringify(group)} has no dot`);
    return [
      ...(name !== undefined && group !== undefined && plural !== undefined && name !== `${plural}.${group}`
        ? [fault(['metadata', 'name'], `${JSON.stringify(name)} is not made of the plural and the group`, `write ${plural}.${group}`, `${plural}.${group}`)] : []),
      ...faultIf(['spec', 'group'], domainFault, 'write a domain of your own'),
      ...['plural', 'singular'].flatMap((field) => nameFaults(fieldAt(object, 'spec', 'names', field), ['spec', 'names', field])),
      ...['kind', 'listKind'].flatMap((field) => nameFaults(stringAt(object, 'spec', 'names', field)?.toLowerCase(), ['spec', 'names', field])),
      ...['shortNames', 'categories'].flatMap((field) => stringsAt(object, 'spec', 'names', field).flatMap(([text, index]) => nameFaults(text, ['spec', 'names', field, index]))),
      ...(kind !== undefined && kind === stringAt(object, 'spec', 'names', 'listKind') ? [fault(['spec', 'names', 'listKind'], 'it is the kind itself', `write ${kind}List`)] : []),
      ...(group !== undefined && GUARDED.test(group) && stringAt(object, 'metadata', 'annotations', APPROVAL) === undefined
        ? [fault(['metadata', 'annotations', APPROVAL], `the group ${group} is guarded by the Kubernetes project`, 'choose a group of your own, or add the annotation')] : []),
    ];
  },
};

function nameFaults(name: unknown, path: FieldPath): ManifestFinding[] {
  return typeof name === 'string' && name !== '' ? faultIf(path, checkDns1035Label(name), 'write letters and digits') : [];
}

const versions: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-VERSIONS',
  title: 'A CustomResourceDefinition must store objects in exactly one version; each version must have a unique name and a schema.',
  source: `${SOURCE} (validateCustomResourceDefinitionSpec)`,
  kinds: [DEFINITION],
  example: pair((stored) => definitionText('widgets.example.com', 'v1', 'type: object').replace('storage: true', `storage: ${stored}`), 'false', 'true'),
  check: (object) => {
    const entries = objectsAt(object, 'spec', 'versions');
    const path = ['spec', 'versions'];
    const stored = entries.filter(([version]) => version.storage === true).length;
    const seen = entries.map(([version]) => stringAt(version, 'name'));
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
  title: 'The schema of a version must be structural: every field has a type, lists have items, and all keywords are known to the API server.',
  source: `${STRUCTURAL} (validateStructuralInvariants), ${SOURCE} (ValidateCustomResourceDefinitionOpenAPISchema)`,
  kinds: [DEFINITION],
  example: pair((schema) => definitionText('widgets.example.com', 'v1', schema), 'type: object\n          properties:\n            spec: {properties: {size: {type: integer}}}',
    'type: object\n          properties:\n            spec: {type: object, properties: {size: {type: integer}}}'),
  check: (object) => objectsAt(object, 'spec', 'versions').flatMap(([version, index]) => {
    const root = fieldAt(version, 'schema', 'openAPIV3Schema');
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    return isFields(root) ? placedSchemas(root, path).flatMap((placed) => schemaFaults(placed, placed.schema === root)) : [];
  }),
};

const FORBIDDEN: readonly string[] = ['$ref', 'definitions', 'dependencies', 'additionalItems', 'patternProperties', 'id', '$schema'];

function schemaFaults({ schema, path, isPart, isLenient }: PlacedSchema, isRoot: boolean): ManifestFinding[] {
  const { type } = schema;
  const known = keywords();
  // The structure of CustomResourceDefinitions has the keywords at the root.
  const unknown = known && !isRoot && !isLenient ? Object.keys(schema).filter((keyword) => !known.has(keyword)) : [];
  const isObject = schema['x-kubernetes-embedded-resource'] === true || isRoot;
  const hasValues = isFields(schema.additionalProperties) || schema.additionalProperties === true;
  return [
    ...unknown.map((keyword) => fault([...path, keyword], `${JSON.stringify(keyword)} is no keyword of schemas`, nearFix(keyword, known!))),
    ...FORBIDDEN.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => fault([...path, keyword], 'servers do not take it in definitions', 'write the schema out')),
    ...checkShape(schema, isPart).map(({ keyword, message, accepted, fix }) => fault([...path, keyword], message, fix, accepted)),
    ...(isObject && typeof type === 'string' && TYPES.includes(type) && type !== 'object' ? [fault([...path, 'type'], 'an object is a map', 'write type: object', 'object')] : []),
    ...(isRoot && hasValues ? [fault([...path, 'additionalProperties'], 'an object has no keys of any name', 'remove it')] : []),
  ];
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
