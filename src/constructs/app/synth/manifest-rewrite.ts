import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';

/** Changes the final manifest of an object; returns the same manifest where there is nothing to change. */
export type ManifestRewrite = (manifest: object, object: ApiObject) => object;

const REWRITE = Symbol.for('cdk8s-cluster-api.ManifestRewrite');
const REWRITING = Symbol.for('cdk8s-cluster-api.Rewriting');
const OWNER = Symbol.for('cdk8s-cluster-api.RewriteOwner');

interface Holder {
  [REWRITE]?: ManifestRewrite;
  [REWRITING]?: true;
  [OWNER]?: IConstruct;
}

/**
 * Changes the manifests of all objects below a construct, after their patches.
 *
 * @param scope the construct; inner rewrites come first
 * @param rewrite changes a manifest; it must be idempotent
 */
export function rewriteManifests(scope: IConstruct, rewrite: ManifestRewrite): void {
  Object.defineProperty(scope, REWRITE, { value: rewrite, configurable: true });
}

/** Changes the manifest of one object, before what the constructs around it change in it. */
export function rewriteObject(object: ApiObject, rewrite: (manifest: object) => object): void {
  rewriteWhenWritten(object);
  rewriteManifests(object, (manifest) => {
    const own = rewrite(manifest);
    return (object.node.scope && rewriteOf(object.node.scope)?.(own, object)) ?? own;
  });
}

/** Has the manifests below a construct changed as those below another one are, whose tree it is no part of. */
export function rewriteLike(scope: IConstruct, owner: IConstruct): void {
  rewriteManifests(scope, (manifest, object) => rewriteOf(owner)?.(manifest, object) ?? manifest);
  Object.defineProperty(scope, OWNER, { value: owner });
}

/** True if an object is in a separate tree, whose manifests a delivery writes. */
export function isTakenFromElsewhere(object: ApiObject): boolean {
  return object.node.scopes.some((place) => (place as Holder)[OWNER] !== undefined);
}

/** The manifest of an object as it is to be written. */
export function rewritten(object: ApiObject, manifest: object): object {
  return rewriteOf(object)?.(manifest, object) ?? manifest;
}

/** Marks an object that changes its manifest itself. */
export function markRewriting(object: ApiObject): void {
  Object.defineProperty(object, REWRITING, { value: true });
}

/** Lets an object of any class change its manifest whenever it is written. */
export function rewriteWhenWritten(object: ApiObject): void {
  if ((object as Holder)[REWRITING]) return;
  markRewriting(object);
  const toJson = object.toJson.bind(object) as () => object;
  Object.defineProperty(object, 'toJson', { value: () => rewritten(object, toJson()), configurable: true, writable: true });
}

function rewriteOf(scope: IConstruct): ManifestRewrite | undefined {
  for (let place: IConstruct | undefined = scope; place; place = place.node.scope) {
    const found = (place as Holder)[REWRITE];
    if (found) return found;
  }
  return undefined;
}
