import { readFileSync } from 'node:fs';
import { CrdConversion } from './crd-conversion';
import { CustomResourceScope, CustomResourceTypeProps } from './custom-resource-type-props';
import { CustomResourceVersion, PrinterColumn, ScaleSubresource } from './custom-resource-version';
import { listedObjects } from '../../../manifests/objects/manifest-list';
import { groupKind, isManifestObject, ManifestObject } from '../../../manifests/objects/manifest-object';
import { decode, readText } from '../../../manifests/objects/manifest-text';
import { fieldAt, Fields, isFields, isSet, objectsAt, stringAt, stringsAt } from '../../../manifests/values/fields';
import { statusOf } from '../../../manifests/values/file-status';
import { formatProblem, Problem, Rule } from '../../../manifests/values/problem';
import { Schema } from '../schema/schema';

const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

const DEFINITION_RULE: Rule = {
  id: 'TC-CRD-DEFINITION',
  title: 'What a type is read from must be a CustomResourceDefinition of apiextensions.k8s.io/v1, with a group, a kind and a schema in each version.',
  source: 'kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1',
};

/** Reads the definition of a kind from a file. */
export function typeOfFile(path: string, kind: string | undefined): CustomResourceTypeProps {
  if (!statusOf(path)?.isFile()) throw fault('path', `there is no file ${path}`, 'give the path of a file; relative paths start where the program is run');
  const decoded = decode(readFileSync(path));
  if ('fault' in decoded) throw fault('path', `${path} ${decoded.fault}`, 'give a YAML or JSON file');
  return typeOfText(decoded.text, kind, path);
}

/** Reads the definition of a kind from a YAML or JSON text, which may hold other objects, too. */
export function typeOfText(text: string, kind: string | undefined, place = 'the text'): CustomResourceTypeProps {
  const { documents, faults } = readText(text);
  if (faults.length > 0) throw fault('text', `${place} cannot be read: ${faults[0].message}`, 'correct the text');
  const definitions = documents.flatMap(({ value }) => listedObjects(value)).map(({ object }) => object)
    .filter((object): object is ManifestObject => isManifestObject(object) && groupKind(object) === DEFINITION);
  const found = definitions.filter((object) => kind === undefined || kindOf(object) === kind);
  if (found.length === 1) return typeOfDefinition(found[0]);
  const kinds = definitions.map(kindOf).join(', ');
  throw fault(
    'kind', `${place} has ${found.length === 0 ? 'no definition' : `${found.length} definitions`}${kind === undefined ? '' : ` of ${kind}`}`,
    definitions.length === 0 ? 'give what holds a CustomResourceDefinition' : 'name the kind', kinds || undefined,
  );
}

/**
 * The properties of the type that a definition defines. What API servers add themselves, such as an empty status of the definition, is left
 * out.
 */
export function typeOfDefinition(definition: Fields): CustomResourceTypeProps {
  const [group, kind] = [stringAt(definition, 'spec', 'group'), kindOf(definition)];
  const versions = objectsAt(definition, 'spec', 'versions').map(([version]) => version);
  if (definition.apiVersion !== 'apiextensions.k8s.io/v1' || definition.kind !== 'CustomResourceDefinition') {
    throw fault('definition', `it is ${stringAt(definition, 'apiVersion') ?? 'of no version'} ${stringAt(definition, 'kind') ?? 'and no kind'}`,
      'give a CustomResourceDefinition', 'apiextensions.k8s.io/v1 CustomResourceDefinition');
  }
  if (group === undefined || kind === undefined) throw fault('definition.spec', 'it names no group or no kind', 'write spec.group and spec.names.kind');
  const names = fieldAt(definition, 'spec', 'names');
  const metadata = (place: string) => fieldAt(definition, 'metadata', place) as { [key: string]: string } | undefined;
  const conversion = fieldAt(definition, 'spec', 'conversion');
  return {
    group,
    kind,
    plural: stringAt(names, 'plural'),
    singular: stringAt(names, 'singular'),
    listKind: stringAt(names, 'listKind'),
    shortNames: stringsAt(names, 'shortNames').map(([name]) => name),
    categories: stringsAt(names, 'categories').map(([name]) => name),
    scope: stringAt(definition, 'spec', 'scope') === 'Cluster' ? CustomResourceScope.CLUSTER : CustomResourceScope.NAMESPACED,
    versions: versions.map((version, index) => versionOf(version, index)),
    ...(isFields(conversion) && { conversion: CrdConversion._of(conversion) }),
    ...(isSet(definition, 'metadata', 'labels') && { labels: metadata('labels') }),
    ...(isSet(definition, 'metadata', 'annotations') && { annotations: metadata('annotations') }),
  };
}

function versionOf(version: Fields, index: number): CustomResourceVersion {
  const schema = fieldAt(version, 'schema', 'openAPIV3Schema');
  if (!isFields(schema)) throw fault(`definition.spec.versions[${index}].schema`, 'there is no schema', 'write openAPIV3Schema');
  const scale = fieldAt(version, 'subresources', 'scale');
  return {
    name: stringAt(version, 'name') ?? '',
    served: version.served === true,
    storage: version.storage === true,
    ...(version.deprecated === true && { deprecated: true }),
    ...(isSet(version, 'deprecationWarning') && { deprecationWarning: stringAt(version, 'deprecationWarning') }),
    schema: Schema.of(schema),
    statusSubresource: isFields(fieldAt(version, 'subresources', 'status')),
    ...(isFields(scale) && { scaleSubresource: scale as unknown as ScaleSubresource }),
    printerColumns: objectsAt(version, 'additionalPrinterColumns').map(([column]) => column as unknown as PrinterColumn),
    selectableFields: objectsAt(version, 'selectableFields').flatMap(([field]) => stringAt(field, 'jsonPath') ?? []),
  };
}

function kindOf(definition: Fields): string | undefined {
  return stringAt(definition, 'spec', 'names', 'kind');
}

/** An error of the call: what is read is needed at once, by the program that reads it. */
function fault(property: string, message: string, fix: string, accepted?: string): Error {
  const problem: Problem = { rule: DEFINITION_RULE, property, message, fix, accepted };
  return new Error(formatProblem(problem));
}
