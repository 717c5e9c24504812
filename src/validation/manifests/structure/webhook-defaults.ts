import { FieldPath } from '../manifest-rule';

/**
 * Required fields that a webhook fills in before the server compares an object with its schema, by `group/Kind`: nobody has to write them.
 *
 * Source: kubernetes-sigs/cluster-api core/webhooks/machinedeployment.go, machineset.go (Default); a server with these webhooks takes the
 * objects without the fields.
 */
const FILLED_IN: Readonly<Record<string, readonly FieldPath[]>> = {
  'cluster.x-k8s.io/MachineDeployment': [['spec', 'selector']],
  'cluster.x-k8s.io/MachineSet': [['spec', 'selector']],
};

/** Whether a webhook fills in a field of a kind. */
export function isFilledIn(group: string, kind: string, path: FieldPath): boolean {
  return (FILLED_IN[`${group}/${kind}`] ?? []).some((filled) => filled.length === path.length && filled.every((part, index) => part === path[index]));
}
