import { ApiObject } from 'cdk8s';
import { MachineCapacity } from './machine-capacity';

const CAPACITY = Symbol.for('cdk8s-cluster-api.TemplateCapacity');

/** Records the capacity of one machine of a template, for code that has only the template: its manifest may name only an instance type. */
export function noteCapacity(template: ApiObject, capacity: MachineCapacity | undefined): void {
  Object.defineProperty(template, CAPACITY, { value: capacity });
}

/** The recorded capacity of a template; undefined if there is none. */
export function notedCapacity(template: ApiObject): MachineCapacity | undefined {
  return (template as ApiObject & { readonly [CAPACITY]?: MachineCapacity })[CAPACITY];
}
