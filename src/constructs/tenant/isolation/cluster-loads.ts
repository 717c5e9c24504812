import { ApiObject, Chart, Size } from 'cdk8s';
import { controlPlanePorts } from './cluster-policies';
import { checkContainerLimits, containerLimits, isSoundLimitRange, TenantLimitRange } from './limit-range';
import { NetworkIsolation, policyEngine } from './network-isolation';
import { checkQuotaRoom, checkQuotaUnset, Quota } from './quota';
import { clusterObjects, WrittenObject } from './written-objects';
import { ManifestObject } from '../../../manifests/objects/manifest-object';
import { ControlPlanePods, StatedSize } from '../../../manifests/rules/cluster-facts';
import { ContainerLimits, PodLoad } from '../../../manifests/rules/pod-loads';
import {
  CountedObjects, hostedControlPlanes, isUnsized, machineGroups, namespaceLoads, PodSurroundings,
} from '../../../manifests/validation/namespace-loads';
import { stringAt } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ConstructSlot } from '../../app/app-state';
import { claimsPlace } from '../../app/synth/claims';
import { registerConsumer } from '../../contracts/capabilities/consumers';
import { KubevirtPodSizing } from '../../contracts/capabilities/infra-cluster-capabilities';
import { ClusterContext } from '../../contracts/cluster-context';
import { notedCapacity } from '../../contracts/machine-capacity';

/** Options that change the requests of pods. */
export interface PodLimits {
  readonly quota: Quota;
  readonly limitRange?: TenantLimitRange;
  readonly kubevirtSizing: KubevirtPodSizing;
}

/** The parts of an isolation that depend on what else is in the cluster. */
interface IsolationLimits extends PodLimits {
  readonly network: NetworkIsolation;
}

/**
 * Checks an isolation against the final manifests of its cluster.
 *
 * @param others the loads of other clusters in the namespace
 */
export function checkLoads(chart: Chart, context: ClusterContext, limits: IsolationLimits, others: readonly PodLoad[]): Problem[] {
  const { network, quota } = limits;
  const limited = Object.keys(quota).length > 0 || limits.limitRange !== undefined;
  const ports = policyEngine(network, context.management) === undefined ? []
    : hostedControlPlanes(countedObjects(chart, context)).flatMap((pods) => checkPorts(pods, network, context));
  if (!limited) return ports;
  const loads = [...clusterLoads(chart, context, limits), ...others];
  const range = usableLimits(limits);
  return [...ports, ...checkMachineSizes(chart, context, { 'isolation.quota': quota }), ...checkQuotaRoom(quota, loads, range), ...checkQuotaUnset(quota, loads, range), ...checkContainerLimits(loads, range)];
}

/** The loads of everything of a cluster that runs in the management cluster. */
export function clusterLoads(chart: Chart, context: ClusterContext, limits: PodLimits): PodLoad[] {
  return namespaceLoads(countedObjects(chart, context), surroundingsOf(context, limits));
}

function surroundingsOf({ infraCluster }: ClusterContext, { quota, kubevirtSizing }: PodLimits): PodSurroundings {
  return {
    instanceTypes: new Map((infraCluster?.instanceTypes ?? []).flatMap(({ name, capacity }) => (
      capacity ? [[name, statedSize(capacity)] as const] : []))),
    sizing: kubevirtSizing,
    limited: { cpu: quota['limits.cpu'] !== undefined, memory: quota['limits.memory'] !== undefined },
  };
}

/** The objects of a cluster, by which its pods are counted. */
function countedObjects(chart: Chart, context: ClusterContext): CountedObjects {
  const known = new Map<string, WrittenObject[]>();
  const classes = new Map<ManifestObject, ApiObject>();
  const written = (kinds: string): WrittenObject[] => {
    let found = known.get(kinds);
    if (!found) known.set(kinds, found = clusterObjects(chart, context, [kinds]));
    return found;
  };
  return {
    // The core group is called `core` here.
    ofKind: (start) => written(start.endsWith('/') ? `${start}*` : start.replace(/^\//, 'core/')).map(({ manifest }) => manifest),
    templateOf: ({ kind, name }) => {
      const found = written(kind).find(({ manifest }) => stringAt(manifest, 'metadata', 'name') === name);
      if (found) classes.set(found.manifest, found.object);
      return found?.manifest;
    },
    sizeOf: (template) => {
      const capacity = notedCapacity(classes.get(template)!);
      return capacity && statedSize(capacity);
    },
    areMachinesPods: context.infrastructure.inManagementCluster,
  };
}

/** The size of a machine as quantities. */
function statedSize({ cpu, memory }: { readonly cpu: number; readonly memory: Size }): StatedSize {
  return { cpu: `${cpu}`, memory: memory.asString() };
}

const MACHINE_SIZE_RULE: Rule = {
  id: 'TC-ISOLATION-MACHINE-SIZE',
  title: 'Machines that are pods of the management cluster must have a known size where its limits, or a quota of the tenant, count CPUs, memory or devices.',
};

/**
 * Checks that limits count all machines.
 *
 * @param limits the limits, by the property that states them
 */
export function checkMachineSizes(chart: Chart, context: ClusterContext, limits: { readonly [property: string]: Quota }): Problem[] {
  const entries = Object.entries(limits).flatMap(([property, limit]) => (
    Object.keys(limit).filter((name) => COUNTED.test(name)).map((name) => `${property}["${name}"]`)));
  if (entries.length === 0) return [];
  const unsized = machineGroups(countedObjects(chart, context)).filter((group) => isUnsized(group));
  return unsized.length === 0 ? [] : [{
    rule: MACHINE_SIZE_RULE,
    property: entries[0],
    message: `the size of ${unsized.map(({ machines, template }) => `${machines.what} (${String(template?.kind)})`).join(', ')} is not known, and the limit would not count them`,
    fix: 'state capacity of the machines, or register a provider whose machinePods reads their template',
  }];
}

/** Entries of a quota that machines of an unknown size may exceed. */
const COUNTED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$|^requests\..+\//;

/** Defaults and bounds of the limit range. An invalid limit range is reported elsewhere, and counts as none here. */
export function usableLimits({ limitRange = {} }: PodLimits): ContainerLimits {
  return containerLimits(isSoundLimitRange(limitRange) ? limitRange : {});
}

const CONTROL_PLANE_PORT_RULE: Rule = {
  id: 'TC-ISOLATION-CONTROL-PLANE-PORT',
  title: 'The policies must allow every port of the control plane\'s Service.',
  source: 'clastix/kamaji internal/resources/k8s_service_resource.go',
};

/** Reports ports of the Service that no policy allows. */
function checkPorts({ ports }: ControlPlanePods, network: NetworkIsolation, context: ClusterContext): Problem[] {
  const open = controlPlanePorts(network._options, context);
  return ports.filter(({ port }) => !open.includes(port)).map(({ name, port }) => ({
    rule: CONTROL_PLANE_PORT_RULE,
    property: 'isolation.network.controlPlanePorts',
    message: `${name} listens on ${port}, and only ${open.join(', ')} are let through`,
    fix: `add ${port} to the list`,
  }));
}

/** A tenant cluster in a namespace. */
interface NamespaceMember {
  /** The chart with its objects. */
  readonly chart: Chart;
  readonly context: ClusterContext;

  /** True if network policies let its pods through. */
  readonly hasPolicies: boolean;
}

const MEMBERS = new ConstructSlot<readonly NamespaceMember[]>('NamespaceMembers');

/** Registers a tenant cluster in its namespace. */
export function enterNamespace(member: NamespaceMember): void {
  MEMBERS.set(member.chart, registerConsumer(member.chart, 'namespaces of all management clusters', member));
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

const SHARED_NAMESPACE_RULE: Rule = {
  id: 'TC-ISOLATION-SHARED-NAMESPACE',
  title: 'If network policies deny all other traffic in a namespace, each cluster in it must have network policies.',
  source: 'kubernetes.io/docs/concepts/services-networking/network-policies (default deny)',
};

/** Checks that a default deny cuts off no other cluster of the namespace. */
export function checkDefaultDeny(others: readonly NamespaceMember[], { namespace }: ClusterContext): Problem[] {
  const cut = others.filter(({ hasPolicies }) => !hasPolicies).map(({ context }) => `"${context.name}"`);
  return cut.length === 0 ? [] : [{
    rule: SHARED_NAMESPACE_RULE,
    property: 'isolation.network.defaultDeny',
    message: `the cluster ${cut.join(', ')} is in the namespace "${namespace}", too, and has no network policies: its pods would reach nothing`,
    fix: 'give each cluster a namespace of its own, or these clusters an isolation with network policies',
  }];
}
