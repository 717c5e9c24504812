import { ApiObject } from 'cdk8s';
import { MachineCapacity } from './machine-capacity';

const CAPACITY = Symbol.for('cdk8s-cluster-api.TemplateCapacity');

/** Notes what one machine of a template offers, for whoever has the template and not the machine; its manifest may name only a type. */
export function noteCapacity(template: ApiObject, capacity: MachineCapacity | undefined): void {
  Object.defineProperty(template, CAPACITY, { value: capacity });
}

/** What was noted of a template; undefined where nothing was. */
export function notedCapacity(template: ApiObject): MachineCapacity | undefined {
  return (template as ApiObject & { readonly [CAPACITY]?: MachineCapacity })[CAPACITY];
}
