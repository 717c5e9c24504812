import { IConstruct } from 'constructs';

const USERS = Symbol.for('cdk8s-cluster-api.CapabilityUsers');

/**
 * Enters somebody into the list of those who go by one statement of what a cluster offers.
 *
 * @param scope a construct of the app
 * @param statement the object that holds the statement
 * @param user who goes by it
 * @returns all who do so in the app, those too that come later
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
