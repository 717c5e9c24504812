import { BlueprintOptions, BlueprintPool } from './blueprint-options';
import { BLUEPRINT_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { Addon } from '../contracts/addon';
import { NodePoolProps } from '../contracts/node-pool/node-pool-props';
import { TenantCluster } from '../tenant/tenant-cluster';

/** Pools and addons of a blueprint. */
export interface Parts {
  readonly pools: Readonly<Record<string, NodePoolProps>>;
  readonly addons: readonly Addon[];
}

/** Adds the parts of a blueprint to a cluster, but those that the user leaves out or replaces. */
export function addParts(cluster: TenantCluster, options: BlueprintOptions, { pools, addons }: Parts): void {
  const { leaveOut = [], addons: further = [] } = options;
  const names = [...Object.keys(pools), ...addons.map(({ name }) => name)];
  report(cluster, leaveOut.filter((name) => !names.includes(name)).map((name) => ({
    rule: BLUEPRINT_RULES.leaveOut,
    property: 'leaveOut',
    message: `the blueprint has no "${name}"`,
    accepted: names.join(', '),
    fix: 'correct the name, or remove it',
  })));
  Object.entries(pools).filter(([name]) => !leaveOut.includes(name)).forEach(([name, props]) => cluster.addNodePool(name, props));
  const replaced = [...leaveOut, ...further.map(({ name }) => name)];
  [...addons.filter(({ name }) => !replaced.includes(name)), ...further].forEach((addon) => cluster.addAddon(addon));
}

/** The properties of a pool: the user's, else those of the blueprint. */
export function poolProps(pool: BlueprintPool, own: NodePoolProps): NodePoolProps {
  const set = Object.entries(pool).filter(([, value]) => value !== undefined);
  return { ...own, ...Object.fromEntries(set) };
}

/** A required string; undefined if it is empty, which `checkRequired` reports. */
export function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text;
}

/** Refuses required strings that are empty. */
export function checkRequired(cluster: TenantCluster, values: Readonly<Record<string, { readonly value: string; readonly fix: string }>>): void {
  report(cluster, Object.entries(values).filter(([, { value }]) => given(value) === undefined).map(([property, { fix }]) => ({
    rule: BLUEPRINT_RULES.required, property, message: 'it is empty', fix,
  })));
}

/**
 * Refuses options of a part that is replaced or left out.
 *
 * @param cluster the cluster
 * @param part the property that decides, if it does
 * @param options options of the part by their property
 */
export function checkUnused(cluster: TenantCluster, part: string | undefined, options: Readonly<Record<string, unknown>>): void {
  if (part === undefined) return;
  report(cluster, Object.entries(options).filter(([, value]) => value !== undefined).map(([property]) => ({
    rule: BLUEPRINT_RULES.unused,
    property,
    message: `it has no effect beside ${part}`,
    fix: `remove ${property}, or ${part}`,
  })));
}

function report(cluster: TenantCluster, problems: readonly Problem[]): void {
  problems.forEach((problem) => Problems.of(cluster).add(problem));
}
