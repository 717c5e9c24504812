import { clientFaults, reviewVersionFaults } from './admission';
import { clusterObjectText, pair } from './examples';
import { fault, faultIf } from './findings';
import { checkRules } from '../cel/check-rules';
import { ManifestObject } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { DEFINITION } from '../rules/structure/kind-definitions';
import { checkIdleLimits, checkStructuralSchema } from '../schema/structural-schema';
import { checkDns1035Label, checkDnsSubdomain } from '../values/dns';
import { fieldAt, FieldPath, Fields, isFields, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding, findingsAt } from '../values/finding';

/**
 * Annotation with the approval of a type in a group of the Kubernetes community: an address, or a reason that starts with "unapproved".
 *
 * Source: kubernetes/enhancements pull 1111, kubernetes/kubernetes
 * staging/src/k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go (GetAPIApprovalState).
 */
export const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io';

/** True if an API group belongs to the Kubernetes community, which has to approve its types. */
function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

/** True if the annotation of a type in such a group has a value that API servers accept. */
function isApproval(text: string): boolean {
  return text.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text);
}

const GROUP = 'apiextensions.k8s.io';
const SOURCE = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';
const STRUCTURAL = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go';

const names: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-NAMES',
  title: 'The name of a CustomResourceDefinition must be plural and group; the group must be a domain with a dot, approved if it is a group of Kubernetes; names must be DNS labels.',
  source: `${SOURCE} (ValidateCustomResourceDefinition, ValidateCustomResourceDefinitionNames)`,
  kinds: [DEFINITION],
  example: pair((name) => definitionText(name, 'v1', 'type: object'), 'widget.example.com', 'widgets.example.com'),
  check: (object) => {
    const [name, group, plural] = [stringAt(object, 'metadata', 'name'), stringAt(object, 'spec', 'group'), stringAt(object, 'spec', 'names', 'plural')];
    const [kind, listKind] = ['kind', 'listKind'].map((field) => stringAt(object, 'spec', 'names', field));
    const kindFaults = nameFaults(kind, ['spec', 'names', 'kind'], true);
    const isFromKind = (field: string): boolean => kind !== undefined && stringAt(object, 'spec', 'names', field)?.toLowerCase().startsWith(kind.toLowerCase()) === true;
    // Names that are derived from a wrong kind are wrong for the same reason.
    const derived = ['plural', 'singular', 'listKind'].filter((field) => kindFaults.length === 0 || !isFromKind(field));
    const domainFault = group === undefined ? undefined : checkDnsSubdomain(group) ?? (group.includes('.') ? undefined : `${JSON.stringify(group)} has no dot`);
    return [
      ...(name !== undefined && group !== undefined && plural !== undefined && name !== `${plural}.${group}`
        ? [fault(['metadata', 'name'], `${JSON.stringify(name)} is not made of the plural and the group`, `write ${plural}.${group}`, `${plural}.${group}`)] : []),
      ...faultIf(['spec', 'group'], domainFault, 'write a domain of your own, such as stable.example.com'),
      ...kindFaults,
      ...derived.flatMap((field) => nameFaults(stringAt(object, 'spec', 'names', field), ['spec', 'names', field], field === 'listKind')),
      ...['shortNames', 'categories'].flatMap((field) => stringsAt(object, 'spec', 'names', field).flatMap(([text, index]) => nameFaults(text, ['spec', 'names', field, index]))),
      ...(kind !== undefined && kind === listKind ? [fault(['spec', 'names', 'listKind'], `${JSON.stringify(kind)} is the kind of one object too`, `write ${kind}List`)] : []),
      ...approvalFaults(object, group ?? ''),
    ];
  },
};

function nameFaults(name: unknown, path: FieldPath, isKind = false): Finding[] {
  return typeof name === 'string' && name !== '' ? faultIf(path, checkDns1035Label(isKind ? name.toLowerCase() : name), 'write letters and digits') : [];
}

function approvalFaults(object: ManifestObject, group: string): Finding[] {
  const approval = stringAt(object, 'metadata', 'annotations', APPROVAL_ANNOTATION);
  if (!isProtectedGroup(group) || (approval !== undefined && isApproval(approval))) return [];
  const reason = approval === undefined ? 'nothing says who approved the type' : `${JSON.stringify(approval)} is neither an address nor a reason`;
  return [fault(
    ['metadata', 'annotations', APPROVAL_ANNOTATION], `the group ${group} belongs to the Kubernetes community, and ${reason}`,
    'use a group of your own, or write the address of the approval, or a reason that starts with "unapproved"',
  )];
}

/** Formats of columns (ValidateCustomResourceColumnDefinition). */
const COLUMN_FORMATS: readonly string[] = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

/** Fields that the paths of the scale subresource are below (ValidateCustomResourceDefinitionSubresources). */
const SCALE_PATHS: Readonly<Record<string, readonly string[]>> = {
  specReplicasPath: ['.spec'], statusReplicasPath: ['.status'], labelSelectorPath: ['.spec', '.status'],
};

function scaleFaults(version: Fields, path: FieldPath): Finding[] {
  return Object.entries(SCALE_PATHS).flatMap(([field, roots]) => {
    const value = stringAt(version, 'subresources', 'scale', field);
    return value === undefined || value === '' || roots.some((root) => value.startsWith(`${root}.`)) ? []
      : [fault([...path, 'subresources', 'scale', field], `${JSON.stringify(value)} is no path below ${roots.join(' or ')}`, 'give the path of such a field')];
  });
}

const versions: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-VERSIONS',
  title: 'A CustomResourceDefinition must store objects in exactly one version; each version must have a unique name and a schema.',
  source: `${SOURCE} (validateCustomResourceDefinitionSpec, validateCustomResourceConversion)`,
  kinds: [DEFINITION],
  example: pair((stored) => definitionText('widgets.example.com', 'v1', 'type: object').replace('storage: true', `storage: ${stored}`), 'false', 'true'),
  check: (object) => {
    const entries = objectsAt(object, 'spec', 'versions');
    const path = ['spec', 'versions'];
    const stored = entries.filter(([version]) => version.storage === true).map(([version]) => stringAt(version, 'name') ?? 'one without a name');
    const seen = entries.map(([version]) => stringAt(version, 'name'));
    const conversion = ['spec', 'conversion', 'webhook'];
    return [
      ...clientFaults(fieldAt(object, ...conversion, 'clientConfig'), [...conversion, 'clientConfig']),
      ...reviewVersionFaults(fieldAt(object, ...conversion), 'conversionReviewVersions', conversion),
      ...(entries.length > 0 && stored.length !== 1 ? [fault(path, stored.length === 0 ? 'no version is the one that objects are stored in' : `objects are stored in ${stored.join(' and ')}`, 'write storage: true in exactly one version')] : []),
      ...(Array.isArray(fieldAt(object, 'spec', 'versions')) && entries.length === 0 && listAt(object, 'spec', 'versions').length === 0 ? [fault(path, 'it is empty', 'write a version')] : []),
      ...entries.flatMap(([version, index]) => [
        ...nameFaults(version.name, [...path, index, 'name']),
        ...(seen[index] !== undefined && seen.indexOf(seen[index]) < index ? [fault([...path, index, 'name'], `the version ${JSON.stringify(seen[index])} is there twice`, 'give each one its own name')] : []),
        ...scaleFaults(version, [...path, index]),
        ...objectsAt(version, 'additionalPrinterColumns').filter(([{ format = '' }]) => typeof format === 'string' && format !== '' && !COLUMN_FORMATS.includes(format))
          .map(([{ format }, position]) => fault([...path, index, 'additionalPrinterColumns', position, 'format'], `${JSON.stringify(format)} is no format`, 'leave it out', COLUMN_FORMATS.join(', '))),
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
  check: (object) => inSchemas(object, checkStructuralSchema),
};

const idleLimits: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-CRD-LIMIT',
  title: 'A field that is limited inside allOf, anyOf, oneOf or not must be a field of the schema around it: the server drops other fields, and the limit has no effect.',
  source: `${STRUCTURAL} (validateStructuralCompleteness looks at the root only)`,
  kinds: [DEFINITION],
  trap: true,
  example: pair((schema) => definitionText('widgets.example.com', 'v1', schema),
    'type: object\n          properties:\n            spec: {type: object, properties: {size: {type: integer}}, anyOf: [{properties: {sise: {minimum: 1}}}]}',
    'type: object\n          properties:\n            spec: {type: object, properties: {size: {type: integer}}, anyOf: [{properties: {size: {minimum: 1}}}]}'),
  check: (object) => inSchemas(object, checkIdleLimits),
};

const rules: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRD-RULE',
  title: 'Rules in CEL of a schema must compile with the fields and functions that they use, and defaults must keep them.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go (compileRule), defaulting/validation.go',
  kinds: [DEFINITION],
  example: pair((rule) => definitionText('widgets.example.com', 'v1', `type: object
          properties:
            spec:
              type: object
              properties: {least: {type: integer}, most: {type: integer}}
              x-kubernetes-validations:
                - rule: ${rule}`), 'self.min <= self.max', 'self.least <= self.most'),
  // Servers compile rules of schemas without other faults.
  check: (object) => inSchemas(object, (root) => (checkStructuralSchema(root).length > 0 ? [] : checkRules(root))),
};

/** Findings of a check in the schemas of all versions. */
function inSchemas(object: ManifestObject, check: (root: Fields) => Finding[]): Finding[] {
  return objectsAt(object, 'spec', 'versions').flatMap(([version, index]) => {
    const root = fieldAt(version, 'schema', 'openAPIV3Schema');
    return isFields(root) ? findingsAt(['spec', 'versions', index, 'schema', 'openAPIV3Schema'], check(root)) : [];
  });
}

/** CustomResourceDefinitions. */
export const DEFINITIONS: readonly ManifestRule[] = [names, versions, schemas, idleLimits, rules];

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
