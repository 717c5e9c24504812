import { shown } from './json-schema';
import { SchemaNode } from './schema-nodes';
import { checkValue } from './value-check';
import { Problem } from '../../validation/problem';
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
    return [{ rule: CRD_RULES.default, property: path, message: `${shown(schema.default)} cannot be a default here: ${reason}`, fix: 'remove the default' }];
  }
  return checkValue(schema, schema.default, path).map(({ path: at, message, accepted, fix }) => ({
    rule: CRD_RULES.default,
    property: path,
    message: `the default ${shown(schema.default)} does not fit${at === path ? '' : ` at ${at.slice(path.length).replace(/^\./, '')}`}: ${message}`,
    accepted,
    fix: fix === 'correct the value' ? 'correct the default' : fix,
  }));
}

function forbidden({ place, objectField }: SchemaNode): string | undefined {
  if (place === 'root') return 'the API server writes no whole objects';
  if (objectField) return 'it belongs to apiVersion, kind or metadata of the object';
  return place === 'value' || place === 'entry' ? 'an entry of a list or map is there or not, and the API server adds none' : undefined;
}
