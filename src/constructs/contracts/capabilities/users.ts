import { IConstruct } from 'constructs';
import { AppSlot } from '../../app/app-state';

const USERS = new AppSlot('Users', () => new Map<object | string, unknown[]>());

/**
 * Registers a user of what several constructs of an app share, such as the capabilities of a cluster.
 *
 * @param scope a construct of the app
 * @param shared the shared object, or a name for it
 * @param user the user
 * @returns all users in the app; a live list
 */
export function registerUser<User>(scope: IConstruct, shared: object | string, user: User): readonly User[] {
  const all = USERS.of(scope);
  const users = (all.get(shared) ?? []) as User[];
  all.set(shared, users);
  users.push(user);
  return users;
}
