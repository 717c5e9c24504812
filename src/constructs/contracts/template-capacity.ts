import { ApiObject } from 'cdk8s';
import { MachineCapacity } from './machine-capacity';
import { ConstructSlot } from '../app/app-state';

const CAPACITY = new ConstructSlot<MachineCapacity>('TemplateCapacity');

/** Records the capacity of one machine of a template, for code that has only the template: its manifest may name only an instance type. */
export function noteCapacity(template: ApiObject, capacity: MachineCapacity | undefined): void {
  CAPACITY.set(template, capacity);
}

/** The recorded capacity of a template; undefined if there is none. */
export function notedCapacity(template: ApiObject): MachineCapacity | undefined {
  return CAPACITY.get(template);
}
