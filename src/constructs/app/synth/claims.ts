import { IConstruct } from 'constructs';

const CLAIMS = Symbol.for('cdk8s-cluster-api.Claims');
const EXCUSED = Symbol.for('cdk8s-cluster-api.ClaimsExcused');
const APART = Symbol.for('cdk8s-cluster-api.ClaimsApart');

/** The names that constructs of one app have claimed: within the whole app, and within what else they are unique in. */
interface Claims {
  readonly app: Map<string, string>;
  readonly within: WeakMap<object, Map<string, string>>;
}

/**
 * Claims a name for a construct within its app, for names that only one construct of the app may use.
 *
 * @param scope the construct that wants the name
 * @param kind what the name is for
 * @param name the name, unique within the kind
 * @param within what the name is unique in, if it is not the whole app
 * @returns the path of the construct that has the name already, or undefined when it is `scope`'s now
 */
export function claimName(scope: IConstruct, kind: string, name: string, within?: object): string | undefined {
  if (claimsExcused(scope)) return undefined;
  const claims = claimsOf(scope, within);
  const key = `${kind} ${name} ${claimsPlace(scope) ?? ''}`;
  const owner = claims.get(key);
  if (owner === undefined) claims.set(key, scope.node.path);
  return owner;
}

/** Lets nothing below a construct claim names: it is known already that another one has them all. */
export function excuseClaims(scope: IConstruct): void {
  Object.defineProperty(scope, EXCUSED, { value: true });
}

/** True if a construct is below one whose names are another one's. */
export function claimsExcused(scope: IConstruct): boolean {
  for (let place = scope.node.scope; place; place = place.node.scope) if (isExcused(place)) return true;
  return false;
}

/**
 * Keeps the names of everything below a construct apart from those elsewhere in the app, as those of another management cluster.
 *
 * @param place what the names are unique in
 */
export function claimApart(scope: IConstruct, place: string): void {
  Object.defineProperty(scope, APART, { value: place });
}

/** Scope in which the names of a construct are unique; undefined for the whole app. */
export function claimsPlace(scope: IConstruct): string | undefined {
  const scopes: readonly (IConstruct & { [APART]?: string })[] = scope.node.scopes;
  return scopes.find((place) => place[APART] !== undefined)?.[APART];
}

/** True if the names of everything below a construct are another one's. */
export function isExcused(scope: IConstruct): boolean {
  return EXCUSED in scope;
}

function claimsOf(scope: IConstruct, within: object | undefined): Map<string, string> {
  const root = scope.node.root as IConstruct & { [CLAIMS]?: Claims };
  if (!root[CLAIMS]) {
    Object.defineProperty(root, CLAIMS, { value: { app: new Map(), within: new WeakMap() } satisfies Claims });
  }
  const claims = root[CLAIMS]!;
  if (within === undefined) return claims.app;
  const found = claims.within.get(within) ?? new Map<string, string>();
  claims.within.set(within, found);
  return found;
}
