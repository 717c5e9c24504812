import { Machine } from './cluster-model';
import { ManifestIndex } from '../rules/manifest-index';
import { ObjectReference } from '../rules/references/object-references';
import { providers } from '../validation/providers';

const TEMPLATE = /Template$/;

/**
 * A machine that is made from a template, as far as manifests state it.
 *
 * @param reference the template
 * @param namespace namespace of the object that refers to it
 * @param index all objects
 */
export function machineOf(reference: ObjectReference | undefined, namespace: string | undefined, index: ManifestIndex): Machine | undefined {
  if (!reference) return undefined;
  const kind = machineKind(reference);
  const template = index.find(reference.kind, reference.namespace ?? namespace, reference.name);
  if (!template) return { kind };
  const sizes = providers().map(({ machineSizes }) => machineSizes?.[reference.kind]).find((size) => size !== undefined);
  return { kind, ...sizes?.(template, index) };
}

/** The kind of the machines that a template is for. */
export function machineKind({ kind }: ObjectReference): string {
  return kind.slice(kind.indexOf('/') + 1).replace(TEMPLATE, '');
}
