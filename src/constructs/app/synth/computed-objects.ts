import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ConstructSlot } from '../app-state';

/** Objects that controllers make of what a construct writes. */
const COMPUTED = new ConstructSlot<ApiObject[]>('ComputedObjects');

/**
 * Takes an object out of the tree that a controller makes of others: it is validated, and not written.
 *
 * @param owner the construct that writes what it is made of
 * @param object the object
 */
export function computeObject(owner: IConstruct, object: ApiObject): void {
  object.node.scope?.node.tryRemoveChild(object.node.id);
  COMPUTED.ensure(owner, () => []).push(object);
}

/** Objects that controllers make of what a construct writes, without those of constructs in it. */
export function computedObjects(owner: IConstruct): readonly ApiObject[] {
  return COMPUTED.get(owner) ?? [];
}
