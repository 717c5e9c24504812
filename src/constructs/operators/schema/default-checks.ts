import { SchemaNode } from './schema-nodes';
import { checkValue } from '../../../manifests/schema/check-value';
import { faultWords } from '../../../manifests/schema/finding-words';
import { compileSchema } from '../../../manifests/schema/schema-node';
import { shownJson } from '../../../manifests/schema/value-words';
import { fieldText } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';
import { CRD_RULES } from '../custom-resource/crd-rules';

/**
 * Checks that a default can be where it is, and fits its own schema.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go.
 */
export function checkDefault(node: SchemaNode): Problem[] {
  const { schema, path, place } = node;
  if (schema.default === undefined || place === 'junctor') return [];
  const reason = forbidden(node);
  if (reason !== undefined) {
    return [{ rule: CRD_RULES.default, property: path, message: `${shownJson(schema.default)} cannot be a default here: ${reason}`, fix: 'remove the default' }];
  }
  return checkValue(compileSchema(schema), schema.default).map((finding) => {
    const { message, accepted } = faultWords(finding, finding.path);
    const where = finding.path.length === 0 ? '' : ` at ${fieldText(finding.path)}`;
    return { rule: CRD_RULES.default, property: path, message: `the default ${shownJson(schema.default)} does not fit${where}: ${message}`, accepted, fix: 'correct the default' };
  });
}

function forbidden({ place, objectField }: SchemaNode): string | undefined {
  if (place === 'root') return 'the API server writes no whole objects';
  if (objectField) return 'it belongs to apiVersion, kind or metadata of the object';
  return place === 'value' || place === 'entry' ? 'an entry of a list or map is there or not, and the API server adds none' : undefined;
}
