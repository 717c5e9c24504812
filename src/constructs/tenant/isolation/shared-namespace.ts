import { Chart } from 'cdk8s';
import { clusterLoads, PodLimits } from './cluster-loads';
import { PodLoad } from './pod-load';
import { ISOLATION_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';
import { ConstructSlot } from '../../app/app-state';
import { claimsPlace } from '../../app/synth/claims';
import { registerUser } from '../../contracts/capabilities/users';
import { ClusterContext } from '../../contracts/cluster-context';

/** A tenant cluster in a namespace. */
export interface NamespaceMember {
  /** The chart with its objects. */
  readonly chart: Chart;
  readonly context: ClusterContext;

  /** True if network policies let its pods through. */
  readonly hasPolicies: boolean;
}

const MEMBERS = new ConstructSlot<readonly NamespaceMember[]>('NamespaceMembers');

/** Enters a tenant cluster into its namespace. */
export function enterNamespace(member: NamespaceMember): void {
  MEMBERS.set(member.chart, registerUser(member.chart, 'namespaces of all management clusters', member));
}

/** The other tenant clusters in the namespace of a cluster. */
export function otherMembers(chart: Chart, { namespace }: ClusterContext): NamespaceMember[] {
  return (MEMBERS.get(chart) ?? []).filter((other) => (
    other.chart !== chart && other.context.namespace === namespace && claimsPlace(other.chart) === claimsPlace(chart)));
}

/** The loads of other clusters of the namespace, which count against the same quota. */
export function otherLoads(others: readonly NamespaceMember[], limits: PodLimits): PodLoad[] {
  return others.flatMap(({ chart, context }) => clusterLoads(chart, context, limits).map((load) => ({ ...load, what: `${load.what} of ${context.name}` })));
}

/** Checks that a default deny cuts off no other cluster of the namespace. */
export function checkDefaultDeny(others: readonly NamespaceMember[], { namespace }: ClusterContext): Problem[] {
  const cut = others.filter(({ hasPolicies }) => !hasPolicies).map(({ context }) => `"${context.name}"`);
  return cut.length === 0 ? [] : [{
    rule: ISOLATION_RULES.sharedNamespace,
    property: 'isolation.network.defaultDeny',
    message: `the cluster ${cut.join(', ')} is in the namespace "${namespace}", too, and has no network policies: its pods would reach nothing`,
    fix: 'give each cluster a namespace of its own, or these clusters an isolation with network policies',
  }];
}
