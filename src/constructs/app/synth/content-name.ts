import { ApiObject } from 'cdk8s';
import { replaceManifest, rewriteWhenWritten } from './manifest-rewrite';
import { answered } from './synthesis';
import { knownKind } from '../../../manifests/objects/known-kinds';
import { contentHash } from '../../../manifests/values/content-hash';
import { Fields, isFields } from '../../../manifests/values/fields';
import { shortenName } from '../../../manifests/values/object-name';

const HASH_DIGITS = 8;
const LONGEST_NAME = 63;

/** An object that was there before one that is named by its content, and is written in its place. */
export interface FormerObject {
  readonly name: string;
  readonly apiVersion: string;
  readonly spec: unknown;

  /** The name by its content of the object that it stands for: with another content, that object is written. */
  readonly standsFor?: string;
}

/** Objects that are named after their content. */
const NAMED = new WeakSet<ApiObject>();

/** True if an object is named after its content. */
export function isNamedByContent(object: ApiObject): boolean {
  return NAMED.has(object);
}

/**
 * Names an object after its `spec`: `<prefix>-<hash>`, whenever the name is asked for, patches included.
 *
 * Cluster API replaces machines when the name of their template changes, and only then, and the KubeVirt provider refuses
 * a changed template under an old name. So a change that must reach machines changes the name, and nothing else does: not
 * the order of keys, not labels or annotations of the template itself, not fields whose changes reach machines that exist (`KnownKind.inPlace`).
 *
 * Source: kubernetes-sigs/cluster-api docs/book/src/tasks/updating-machine-templates.md.
 *
 * @param object the object to name; `name` and `metadata.name` follow its content from now on
 * @param prefix the part before the hash
 * @param former the object that is written instead, as long as the content stays
 */
export function nameByContent(object: ApiObject, prefix: string, former?: FormerObject): void {
  // The object's own rendering asks for the name, too; its answer does not matter then, as the hash leaves metadata out.
  let rendering = false;
  NAMED.add(object);
  rewriteWhenWritten(object);
  const name = (): string => (rendering ? prefix : answered(object, 'name', find));
  const find = (): string => {
    rendering = true;
    try {
      const { inPlace = [] } = knownKind(`${object.apiGroup}/${object.kind}`) ?? {};
      const written: unknown = object.toJson();
      const own = contentName(prefix, (inPlace.reduce((rest, path) => withoutField(rest, path.split('.')), written) as { spec?: unknown }).spec);
      return former?.standsFor === own ? former.name : own;
    } finally {
      rendering = false;
    }
  };
  for (const holder of [object, object.metadata]) {
    Object.defineProperty(holder, 'name', { get: name, enumerable: true, configurable: true });
  }
  if (!former) return;
  const { apiVersion, spec } = former;
  replaceManifest(object, (manifest) => (rendering || object.name !== former.name ? undefined : {
    ...withoutField(manifest, ['spec']) as object, apiVersion, ...(spec !== undefined && { spec }),
  }));
}

/**
 * The name that `nameByContent` gives to an object with this spec.
 *
 * @param prefix the part before the hash
 * @param spec the object's spec as it is written
 */
export function contentName(prefix: string, spec: unknown): string {
  return `${shortenName(prefix, LONGEST_NAME - HASH_DIGITS - 1)}-${contentHash(spec, HASH_DIGITS)}`;
}

/** A value without the field at a path. */
function withoutField(value: unknown, [name, ...below]: readonly string[]): unknown {
  if (!isFields(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: field, ...rest }: Fields = value;
  return below.length === 0 ? rest : { ...rest, [name]: withoutField(field, below) };
}
