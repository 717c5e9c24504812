import { IConstruct } from 'constructs';

const USERS = Symbol.for('cdk8s-cluster-api.CapabilityUsers');

/**
 * Registers a consumer of a cluster's capabilities.
 *
 * @param scope a construct of the app
 * @param statement the capabilities
 * @param user the consumer
 * @returns all consumers of these capabilities in the app; a live list
 */
export function registerUser<User>(scope: IConstruct, statement: object, user: User): readonly User[] {
  const root = scope.node.root as IConstruct & { [USERS]?: Map<object, unknown[]> };
  if (!root[USERS]) {
    Object.defineProperty(root, USERS, { value: new Map<object, unknown[]>() });
  }
  const users = (root[USERS]!.get(statement) ?? []) as User[];
  root[USERS]!.set(statement, users);
  users.push(user);
  return users;
}
