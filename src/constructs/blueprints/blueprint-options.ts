import { Problem, Rule } from '../../manifests/values/problem';
import { ClusterAutoscaler } from '../addons/cluster-autoscaler/cluster-autoscaler';
import { Cni } from '../addons/cni/cni';
import { Problems } from '../app/problems/problems';
import { Addon } from '../contracts/addon';
import { Delivery } from '../contracts/delivery/delivery';
import { Machine } from '../contracts/machine';
import { NodePoolProps, NodePoolSettings } from '../contracts/node-pool/node-pool-props';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterSettings } from '../tenant/tenant-cluster-props';

/** A pool of a blueprint: each property that is set replaces that of the blueprint. */
export interface BlueprintPool extends NodePoolSettings {
  /**
   * The machines of the nodes.
   *
   * @default - as the blueprint describes
   */
  readonly machine?: Machine;

  /**
   * The number of machines: fixed, or set by the autoscaler.
   *
   * @default - as the blueprint describes
   */
  readonly size?: PoolSize;
}

/** Options of every blueprint. Each replaces one part, and the others stay. */
export interface BlueprintOptions extends TenantClusterSettings {
  /**
   * The pod network.
   *
   * @default - as the blueprint describes
   */
  readonly cni?: Cni;

  /**
   * Delivery of the pod network, addons and workloads to the tenant.
   *
   * @default new FluxDelivery()
   */
  readonly delivery?: Delivery;

  /**
   * Options of the autoscaler, which sizes the pools with `PoolSize.between`.
   *
   * @default - as the blueprint describes
   */
  readonly clusterAutoscaler?: ClusterAutoscaler;

  /**
   * Further addons. An addon with the name of one of the blueprint's replaces that: `new CertManager({ replicas: 2 })`.
   *
   * @default - those of the blueprint
   */
  readonly addons?: Addon[];

  /**
   * Names of pools and addons of the blueprint that are left out, e.g. `cert-manager` (`TC-BLUEPRINT-LEAVE-OUT`).
   *
   * @default - none
   */
  readonly leaveOut?: string[];
}

/** Pools and addons of a blueprint. */
interface Parts {
  readonly pools: Readonly<Record<string, NodePoolProps>>;
  readonly addons: readonly Addon[];
}

const LEAVE_OUT_RULE: Rule = {
  id: 'TC-BLUEPRINT-LEAVE-OUT',
  title: 'Names in leaveOut must be those of pools and addons of the blueprint.',
};

/** Adds the parts of a blueprint to a cluster, but those that the user leaves out or replaces. */
export function addParts(cluster: TenantCluster, options: BlueprintOptions, { pools, addons }: Parts): void {
  const { leaveOut = [], addons: further = [] } = options;
  const names = [...Object.keys(pools), ...addons.map(({ name }) => name)];
  report(cluster, leaveOut.filter((name) => !names.includes(name)).map((name) => ({
    rule: LEAVE_OUT_RULE,
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

const REQUIRED_RULE: Rule = {
  id: 'TC-BLUEPRINT-REQUIRED',
  title: 'What only the user can know, such as the image of a driver or a bucket, must not be empty.',
};

/** Refuses required strings that are empty. */
export function checkRequired(cluster: TenantCluster, values: Readonly<Record<string, { readonly value: string; readonly fix: string }>>): void {
  report(cluster, Object.entries(values).filter(([, { value }]) => given(value) === undefined).map(([property, { fix }]) => ({
    rule: REQUIRED_RULE, property, message: 'it is empty', fix,
  })));
}

const UNUSED_RULE: Rule = {
  id: 'TC-BLUEPRINT-UNUSED',
  title: 'An option of a part must not be set if the part is left out or replaced as a whole: it would have no effect.',
};

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
    rule: UNUSED_RULE,
    property,
    message: `it has no effect beside ${part}`,
    fix: `remove ${property}, or ${part}`,
  })));
}

function report(cluster: TenantCluster, problems: readonly Problem[]): void {
  problems.forEach((problem) => Problems.of(cluster).add(problem));
}
