import { IConstruct } from 'constructs';
import { AppSlot, ConstructSlot } from '../app-state';

/** The names that constructs of one app have claimed: within the whole app, and within what else they are unique in. */
const CLAIMS = new AppSlot('Claims', () => ({ app: new Map<string, string>(), within: new WeakMap<object, Map<string, string>>() }));
const EXCUSED = new ConstructSlot<true>('ClaimsExcused');
const APART = new ConstructSlot<string>('ClaimsApart');

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
  EXCUSED.set(scope, true);
}

/** True if a construct is below one whose names are another one's. */
export function claimsExcused(scope: IConstruct): boolean {
  const { scope: around } = scope.node;
  return around !== undefined && EXCUSED.nearest(around) !== undefined;
}

/**
 * Keeps the names of everything below a construct apart from those elsewhere in the app, as those of another management cluster.
 *
 * @param place what the names are unique in
 */
export function claimApart(scope: IConstruct, place: string): void {
  APART.set(scope, place);
}

/** Scope in which the names of a construct are unique; undefined for the whole app. */
export function claimsPlace(scope: IConstruct): string | undefined {
  let outermost: string | undefined;
  for (let place: IConstruct | undefined = scope; place; place = place.node.scope) outermost = APART.get(place) ?? outermost;
  return outermost;
}

/** True if the names of everything below a construct are another one's. */
export function isExcused(scope: IConstruct): boolean {
  return EXCUSED.get(scope) !== undefined;
}

function claimsOf(scope: IConstruct, within: object | undefined): Map<string, string> {
  const claims = CLAIMS.of(scope);
  if (within === undefined) return claims.app;
  const found = claims.within.get(within) ?? new Map<string, string>();
  claims.within.set(within, found);
  return found;
}
