import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ConstructSlot } from '../app-state';

/** Objects that controllers make of what a construct writes. */
const COMPUTED = new ConstructSlot<ApiObject[]>('ComputedObjects');
const IS_COMPUTED = new ConstructSlot<true>('IsComputed');

/**
 * Takes an object out of the tree that a controller makes of others: it is validated, and not written.
 *
 * @param owner the construct that writes what it is made of
 * @param object the object
 */
export function computeObject(owner: IConstruct, object: ApiObject): void {
  object.node.scope?.node.tryRemoveChild(object.node.id);
  COMPUTED.ensure(owner, () => []).push(object);
  IS_COMPUTED.set(object, true);
}

/** True if a controller makes the object. Its fields are those of what it is made of, where they are checked. */
export function isComputed(object: IConstruct): boolean {
  return IS_COMPUTED.get(object) !== undefined;
}

/** Objects that controllers make of what a construct writes, without those of constructs in it. */
export function computedObjects(owner: IConstruct): readonly ApiObject[] {
  return COMPUTED.get(owner) ?? [];
}
