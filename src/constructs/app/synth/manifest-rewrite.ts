import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ConstructSlot } from '../app-state';
import { treeOwner } from '../tenant-trees';

/** Changes the final manifest of an object; returns the same manifest where there is nothing to change. */
type ManifestRewrite = (manifest: object, object: ApiObject) => object;

const REWRITE = new ConstructSlot<ManifestRewrite>('ManifestRewrite');
const REWRITING = new ConstructSlot<true>('Rewriting');

/**
 * Changes the manifests of all objects below a construct, after their patches: also those that go to its tenant.
 *
 * @param scope the construct; inner rewrites come first
 * @param rewrite changes a manifest; it must be idempotent
 */
export function rewriteManifests(scope: IConstruct, rewrite: ManifestRewrite): void {
  REWRITE.set(scope, rewrite);
}

/** Changes the manifest of one object, before what the constructs around it change in it. */
export function rewriteObject(object: ApiObject, rewrite: (manifest: object) => object): void {
  rewriteWhenWritten(object);
  rewriteManifests(object, (manifest) => {
    const own = rewrite(manifest);
    return (object.node.scope && rewriteOf(object.node.scope)?.(own, object)) ?? own;
  });
}

/**
 * Writes something else in place of an object's manifest, which nothing around the object changes.
 *
 * @param object the object
 * @param replace returns the other manifest; undefined for none
 */
export function replaceManifest(object: ApiObject, replace: (manifest: object) => object | undefined): void {
  rewriteWhenWritten(object);
  const inner = REWRITE.get(object);
  rewriteManifests(object, (manifest) => {
    const other = replace(manifest);
    if (other) return other;
    return inner ? inner(manifest, object) : (object.node.scope && rewriteOf(object.node.scope)?.(manifest, object)) ?? manifest;
  });
}

/**
 * Changes an object's manifest after everything around the object has changed it.
 *
 * @param object the object
 * @param amend changes the manifest
 */
export function amendManifest(object: ApiObject, amend: (manifest: object) => object): void {
  rewriteWhenWritten(object);
  const inner = REWRITE.get(object);
  rewriteManifests(object, (manifest) => (
    amend(inner ? inner(manifest, object) : (object.node.scope && rewriteOf(object.node.scope)?.(manifest, object)) ?? manifest)));
}

/** The manifest of an object as it is to be written. */
export function rewritten(object: ApiObject, manifest: object): object {
  return rewriteOf(object)?.(manifest, object) ?? manifest;
}

/** Marks an object that changes its manifest itself. */
export function markRewriting(object: ApiObject): void {
  REWRITING.set(object, true);
}

/** Lets an object of any class change its manifest whenever it is written. */
export function rewriteWhenWritten(object: ApiObject): void {
  if (REWRITING.get(object)) return;
  markRewriting(object);
  const toJson = object.toJson.bind(object) as () => object;
  Object.defineProperty(object, 'toJson', { value: () => rewritten(object, toJson()), configurable: true, writable: true });
}

function rewriteOf(scope: IConstruct): ManifestRewrite | undefined {
  const found = REWRITE.nearest(scope);
  if (found) return found;
  const owner = treeOwner(scope);
  return owner && rewriteOf(owner);
}
