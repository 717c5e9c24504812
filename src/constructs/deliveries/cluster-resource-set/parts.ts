import { yamlText } from '../../../manifests/objects/yaml/yaml-text';
import { Problem, Rule } from '../../../manifests/values/problem';
import { describe, Manifest } from '../../contracts/delivery/tenant-manifests';

/**
 * Up to this size, in bytes, objects share a ConfigMap. `kubectl apply` and Argo CD, unless told to apply on the server's side, keep a
 * copy of the ConfigMap in an annotation, which holds 256 KiB.
 */
export const SHARED_SIZE = 192 * 1024;

/** Largest object, in bytes of YAML, that gets a ConfigMap of its own: 1 MiB less a margin. */
const LARGEST_OBJECT = 1000 * 1000;

// Kinds that others need. Cluster API sorts the objects of one ConfigMap in this way, but not those of several.
const FIRST_KINDS = ['Namespace', 'CustomResourceDefinition'];

/** Renders manifests, each as one YAML document, in the order in which they can be created. */
export function yamlDocuments(manifests: readonly Manifest[]): string[] {
  // Classes of others leave undefined fields, which JSON has none of.
  return inOrder(manifests).map((manifest) => yamlText(JSON.parse(JSON.stringify(manifest))));
}

/** Puts documents together, in their order, so that each part fits into a ConfigMap. A document is never split. */
export function joinDocuments(documents: readonly string[]): string[] {
  const parts: string[] = [];
  for (const document of documents) {
    const last = parts.at(-1);
    const joined = last === undefined ? undefined : `${last}---\n${document}`;
    if (joined !== undefined && Buffer.byteLength(joined) <= SHARED_SIZE) parts.splice(-1, 1, joined);
    else parts.push(document);
  }
  return parts;
}

const DELIVERY_MANIFEST_SIZE_RULE: Rule = {
  id: 'TC-DELIVERY-MANIFEST-SIZE',
  title: 'An object that a ClusterResourceSet applies fits into a ConfigMap, which holds 1 MiB.',
  source: 'kubernetes.io/docs/concepts/configuration/configmap',
};

/** Checks that manifests fit into ConfigMaps. */
export function checkSizes(manifests: readonly Manifest[], documents: readonly string[], property: string): Problem[] {
  return inOrder(manifests).map((manifest, index) => ({ manifest, bytes: Buffer.byteLength(documents[index]) }))
    .filter(({ bytes }) => bytes > LARGEST_OBJECT)
    .map(({ manifest, bytes }) => ({
      rule: DELIVERY_MANIFEST_SIZE_RULE,
      property,
      message: `${describe(manifest)} is ${bytes} bytes large`,
      accepted: `at most ${LARGEST_OBJECT} bytes`,
      fix: 'make it smaller, or deliver it in a Helm chart or from a repository',
    }));
}

function inOrder(manifests: readonly Manifest[]): Manifest[] {
  const rank = ({ kind }: Manifest) => (FIRST_KINDS.includes(kind) ? FIRST_KINDS.indexOf(kind) : FIRST_KINDS.length);
  return [...manifests].sort((one, other) => rank(one) - rank(other));
}
