import { HELM_RELEASE_TEXT } from './examples';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { HELM_RELEASE, KUSTOMIZATION } from '../deliveries';

const HELM = 'fluxcd/helm-controller docs/spec/v2/helmreleases.md (values references)';

/** The keys of a ConfigMap or Secret. */
function keysOf(source: ManifestObject): string[] {
  return ['data', 'stringData', 'binaryData'].flatMap((field) => {
    const data = fieldAt(source, field);
    return isFields(data) ? Object.keys(data) : [];
  });
}

/** A ConfigMap or Secret that an object names, which is looked for in its namespace alone. */
interface Source {
  readonly kind: '/ConfigMap' | '/Secret';
  readonly name: string;
  readonly path: FieldPath;
}

function sourceOf(value: unknown, path: FieldPath, kind = stringAt(value, 'kind')): Source | undefined {
  const name = stringAt(value, 'name');
  return name !== undefined && (kind === 'ConfigMap' || kind === 'Secret') ? { kind: `/${kind}`, name, path } : undefined;
}

/** A finding if a source is in another namespace alone. */
function misplaced({ kind, name, path }: Source, object: ManifestObject, index: ManifestIndex): Finding[] {
  const own = namespaceOf(object);
  if (own === undefined || index.find(kind, own, name)) return [];
  const others = index.named(kind, name);
  const places = others.map((one) => namespaceOf(one));
  return places.length === 0 || places.includes(undefined) || others.some(isCopied) ? [] : [{
    path: [...path, 'name'],
    message: `the ${kind.slice(1)} "${name}" is in the namespace ${JSON.stringify(places[0])}, and Flux looks for it in ${JSON.stringify(own)} alone`,
    fix: `move it into ${own}, or the object that needs it into ${places[0]}`,
  }];
}

/** True if annotations may have a controller copy an object into other namespaces. */
function isCopied(object: ManifestObject): boolean {
  const annotations = fieldAt(object, 'metadata', 'annotations');
  return isFields(annotations) && Object.keys(annotations).some((key) => /reflect|replicat|copy|sync|clone/i.test(key));
}

const VALUES_TEXT = `${HELM_RELEASE_TEXT}  valuesFrom:
    - {kind: ConfigMap, name: acme-values}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: acme-values
  namespace: tenant-acme
data:
  values.yaml: 'replicas: 2'
`;

const VALUES: ManifestRule = {
  id: 'TC-TRAP-FLUX-VALUES-SOURCE',
  title: 'What a HelmRelease takes values from must be in its own namespace and have the key, which is values.yaml by default: nothing is installed otherwise.',
  source: HELM,
  kinds: [HELM_RELEASE],
  trap: true,
  example: replaced(VALUES_TEXT, 'values.yaml: ', 'values: '),
  check: (object, index) => objectsAt(object, 'spec', 'valuesFrom').flatMap(([from, position]): Finding[] => {
    const path = ['spec', 'valuesFrom', position];
    const source = sourceOf(from, path);
    if (!source) return [];
    const found = index.find(source.kind, namespaceOf(object), source.name);
    const [key, keys] = [stringAt(from, 'valuesKey') ?? 'values.yaml', found ? keysOf(found) : []];
    // Flux passes by an optional object, or key, that is not there (fluxcd/pkg chartutil/values.go, ChartValuesFromReferences).
    if (from.optional === true) return [];
    if (!found) return misplaced(source, object, index);
    return keys.length === 0 || keys.includes(key) ? [] : [{
      path: [...path, 'valuesKey'],
      message: `the ${source.kind.slice(1)} "${source.name}" has no key ${key}`,
      accepted: keys.join(', '),
      fix: `write valuesKey: ${nearestName(key, keys) ?? keys[0]}`,
    }];
  }),
};

const KUSTOMIZATION_TEXT = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: apps
  namespace: flux-system
spec:
  interval: 10m
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
`;

/** Names of variables (fluxcd/pkg kustomize/kustomize_varsub.go). */
const VARIABLE = /^[_A-Za-z][_A-Za-z0-9]*$/;

const VARIABLES: ManifestRule = {
  id: 'TC-TRAP-FLUX-VARIABLE-NAME',
  title: 'The variables of a Kustomization must be in its own namespace, with names of letters, digits and underscores: nothing is applied otherwise.',
  source: 'fluxcd/pkg kustomize/kustomize_varsub.go, fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (post build variable substitution)',
  kinds: [KUSTOMIZATION],
  trap: true,
  example: replaced(`${KUSTOMIZATION_TEXT}  postBuild:\n    substitute: {CLUSTER_NAME: acme}\n`, 'CLUSTER_NAME', 'CLUSTER-NAME'),
  check: (object, index) => {
    const stated = fieldAt(object, 'spec', 'postBuild', 'substitute');
    const wrong = (names: readonly string[]) => names.filter((name) => !VARIABLE.test(name));
    const finding = (path: FieldPath, name: string): Finding => ({
      path, message: `${JSON.stringify(name)} is not the name of a variable`, accepted: 'letters, digits and "_", not beginning with a digit', fix: `write ${name.replace(/\W/g, '_')}`,
    });
    return [
      ...wrong(isFields(stated) ? Object.keys(stated) : []).map((name) => finding(['spec', 'postBuild', 'substitute', name], name)),
      ...objectsAt(object, 'spec', 'postBuild', 'substituteFrom').flatMap(([from, position]): Finding[] => {
        const source = sourceOf(from, ['spec', 'postBuild', 'substituteFrom', position]);
        const found = source && index.find(source.kind, namespaceOf(object), source.name);
        if (found) return wrong(keysOf(found)).map((name) => finding([...source.path, 'name'], name));
        return source && from.optional !== true ? misplaced(source, object, index) : [];
      }),
    ];
  },
};

/** Keys of a Secret that decrypt (fluxcd/kustomize-controller internal/decryptor/decryptor.go). */
const DECRYPTS = /\.(?:asc|agekey)$|^sops\.[\w-]+$/;

const DECRYPTION: ManifestRule = {
  id: 'TC-TRAP-FLUX-DECRYPTION-KEY',
  title: 'The keys of the Secret with which a Kustomization decrypts must end in .asc or .agekey, or begin with "sops.": others are ignored.',
  source: 'fluxcd/kustomize-controller v1.9.4 internal/decryptor/decryptor.go (ImportKeys)',
  kinds: [KUSTOMIZATION],
  trap: true,
  example: replaced(`${KUSTOMIZATION_TEXT}  decryption: {provider: sops, secretRef: {name: sops-age}}
---
apiVersion: v1
kind: Secret
metadata:
  name: sops-age
  namespace: flux-system
stringData:
  age.agekey: '{{ .key }}'
`, 'age.agekey', 'age.key'),
  check: (object, index) => {
    const source = sourceOf(fieldAt(object, 'spec', 'decryption', 'secretRef'), ['spec', 'decryption', 'secretRef'], 'Secret');
    if (!source) return [];
    const found = index.find(source.kind, namespaceOf(object), source.name);
    if (!found) return misplaced(source, object, index);
    const keys = keysOf(found);
    return keys.length === 0 || keys.some((key) => DECRYPTS.test(key)) ? [] : [{
      path: [...source.path, 'name'],
      message: `Flux ignores all keys of the Secret "${source.name}" (${keys.join(', ')}), and decrypts nothing`,
      fix: 'end the key in .agekey for age, or in .asc for OpenPGP',
    }];
  },
};

/** Rules over ConfigMaps and Secrets that Flux reads for what it delivers. */
export const VALUES_SOURCES: readonly ManifestRule[] = [VALUES, VARIABLES, DECRYPTION];
