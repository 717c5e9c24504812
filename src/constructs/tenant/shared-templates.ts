import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { sameValue } from '../../manifests/values/fields';
import { onPrepare, writtenManifest } from '../app/synth/synthesis';

/**
 * Writes a template once that several pools of a cluster, or a pool and the control plane, keep as their former one. With another content of one
 * of them, its pool has a template of its own name, and the others keep the former one.
 *
 * @param cluster the cluster
 * @param templates returns the templates in whose place former ones are written
 */
export function writeSharedTemplatesOnce(cluster: Construct, templates: () => readonly ApiObject[]): void {
  onPrepare(cluster, () => {
    const written = new Map<string, ApiObject>();
    for (const template of templates().filter(isInTree)) {
      const key = `${template.apiGroup}/${template.kind} ${template.name}`;
      const first = written.get(key);
      if (!first) written.set(key, template);
      else if (isSame(first, template)) template.node.scope!.node.tryRemoveChild(template.node.id);
    }
  });
}

function isInTree(object: ApiObject): boolean {
  return object.node.scope?.node.tryFindChild(object.node.id) === object;
}

/** True if two templates are written alike. One that cannot be written is reported where it is validated. */
function isSame(one: ApiObject, other: ApiObject): boolean {
  try {
    return sameValue(writtenManifest(one), writtenManifest(other));
  } catch {
    return false;
  }
}
