import type { k8s } from 'cdk8s-plus-28';
import { Grant } from './permission';

/**
 * Policy rules for grants: each resource once, those with equal verbs in one rule. The order of the grants does not matter.
 */
export function policyRules(grants: readonly Grant[]): k8s.PolicyRule[] {
  const verbs = collect(grants, ({ group, resource, resourceNames }) => [group, resource, sorted(resourceNames ?? [])], (grant) => grant.verbs);
  const resources = collect(verbs, ([[group, , names], given]) => [group, names, given], ([[, resource]]) => [resource as string]);
  return resources.map(([[group, names, given], named]): k8s.PolicyRule => ({
    apiGroups: [group as string],
    resources: named,
    ...((names as string[]).length > 0 && { resourceNames: names as string[] }),
    verbs: given as string[],
  })).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

type Key = readonly (string | readonly string[])[];

/** What the items of one key have together. */
function collect<T>(items: readonly T[], keyOf: (item: T) => Key, valuesOf: (item: T) => readonly string[]): [Key, string[]][] {
  const found = new Map<string, [Key, string[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    found.set(text, [key, sorted([...found.get(text)?.[1] ?? [], ...valuesOf(item)])]);
  }
  return [...found.values()];
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
