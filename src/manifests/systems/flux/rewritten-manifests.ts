import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { isNotSubstituted } from '../../objects/prune-annotations';
import { ManifestIndex } from '../../rules/manifest-index';
import { contentsOf } from '../../rules/of-one-object';
import { inNamespace } from '../../rules/structure/kind-scope';
import { fieldAt, isFields, isSet, objectsAt, stringAt } from '../../values/fields';

/** A variable, alone or with a default. What does more with its value stays as it is. */
const VARIABLE = /(?<!\$)\$\{\s*([A-Za-z_]\w*)\s*(?::?[-=]([^}]*))?\}/g;

/** Fields whose values are strings, even if they look like numbers. */
const TEXTS: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'data', 'env', 'labels', 'matchLabels', 'nodeSelector', 'stringData']);

/**
 * What a Kustomization of Flux does to manifests: it fills in variables, and puts all of them into its namespace. Values from Secrets are not
 * filled in.
 *
 * Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (target namespace, post build variable substitution), v1.9.4.
 */
export function rewrites(kustomization: ManifestObject, index: ManifestIndex): ((manifest: ManifestObject) => ManifestObject) | undefined {
  const namespace = stringAt(kustomization, 'spec', 'targetNamespace');
  const values = isSet(kustomization, 'spec', 'postBuild') ? valuesOf(kustomization, index) : undefined;
  if (namespace === undefined && !values) return undefined;
  return (manifest) => {
    const filled = values && contentsOf(manifest).dollar && !isNotSubstituted(manifest) ? filledIn(manifest, values) as ManifestObject : manifest;
    return namespace === undefined ? filled : inNamespace(filled, namespace);
  };
}

/** The values of variables: those of the Kustomization itself come last. */
function valuesOf(kustomization: ManifestObject, index: ManifestIndex): ReadonlyMap<string, string> {
  const sources = objectsAt(kustomization, 'spec', 'postBuild', 'substituteFrom').filter(([from]) => stringAt(from, 'kind') === 'ConfigMap')
    .map(([from]) => fieldAt(index.find('/ConfigMap', namespaceOf(kustomization), stringAt(from, 'name')), 'data'));
  return new Map([...sources, fieldAt(kustomization, 'spec', 'postBuild', 'substitute')]
    .flatMap((source) => (isFields(source) ? Object.entries(source) : [])).map(([name, value]) => [name, String(value)]));
}

function filledIn(value: unknown, values: ReadonlyMap<string, string>, isText = false): unknown {
  if (typeof value === 'string') {
    const filled = value.replace(VARIABLE, (whole, name: string, byDefault?: string) => values.get(name) ?? byDefault ?? whole);
    // The variable is replaced in the text of the manifest, which is read afterwards.
    const isAlone = !isText && filled !== value && value.replace(VARIABLE, '') === '';
    return isAlone && /^(?:\d{1,15}|true|false)$/.test(filled) ? JSON.parse(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, values, isText));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, values, isText || TEXTS.has(key))]));
}
