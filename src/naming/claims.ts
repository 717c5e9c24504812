import { IConstruct } from 'constructs';

const CLAIMS = Symbol.for('cdk8s-cluster-api.Claims');

/**
 * Claims a name for a construct within its app, for names that only one construct of the app may use.
 *
 * @param scope the construct that wants the name
 * @param kind what the name is for
 * @param name the name, unique within the kind
 * @returns the path of the construct that has the name already, or undefined when it is `scope`'s now
 */
export function claimName(scope: IConstruct, kind: string, name: string): string | undefined {
  const root = scope.node.root as IConstruct & { [CLAIMS]?: Map<string, string> };
  if (!root[CLAIMS]) {
    Object.defineProperty(root, CLAIMS, { value: new Map<string, string>() });
  }
  const claims = root[CLAIMS]!;
  const key = `${kind} ${name}`;
  const owner = claims.get(key);
  if (owner === undefined) claims.set(key, scope.node.path);
  return owner;
}
