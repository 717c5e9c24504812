import { fieldAt, listAt, stringAt } from '../values/fields';
import { Amounts, amountsOf } from '../values/quantity';

/** Requests and limits of a container. */
export interface ContainerLoad {
  readonly name: string;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Reads the containers of a pod template. */
export function containersOf(podSpec: unknown, field: string): ContainerLoad[] {
  return listAt(podSpec, field).map((container) => containerOf(stringAt(container, 'name') ?? '', fieldAt(container, 'resources')));
}

/** Reads the resources of one container; a request that is missing is as large as the limit, as the API server has it. */
export function containerOf(name: string, resources: unknown): ContainerLoad {
  const limits = amountsOf(fieldAt(resources, 'limits'));
  return { name, limits, requests: { ...limits, ...amountsOf(fieldAt(resources, 'requests')) } };
}
