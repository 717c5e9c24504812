import { KAMAJI_RULES } from './rules';
import { Quantity } from '../../../../imports/controlplane.cluster.x-k8s.io';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { checkResourceRequirements, ResourceRequirements } from '../../../manifests/values/resource-requirements';

/** Resources of a container as the object has them. */
interface ResourceSpec {
  readonly requests?: { [name: string]: Quantity };
  readonly limits?: { [name: string]: Quantity };
}

/** Resources of a container as the object has them; nothing where nothing is asked for. */
export function resourceSpec(resources: ResourceRequirements): ResourceSpec | undefined {
  const requests = quantities(resources.requests);
  const limits = quantities(resources.limits);
  return requests || limits ? { requests, limits } : undefined;
}

/** Checks requests and limits. */
export function checkResources(property: string, resources: ResourceRequirements | undefined): Problem[] {
  return problemsOf(KAMAJI_RULES.resources, property, checkResourceRequirements(resources ?? {}));
}

function quantities(amounts: { [name: string]: string } | undefined): { [name: string]: Quantity } | undefined {
  const entries = Object.entries(amounts ?? {});
  return entries.length === 0 ? undefined : Object.fromEntries(entries.map(([name, amount]) => [name, Quantity.fromString(amount)]));
}
