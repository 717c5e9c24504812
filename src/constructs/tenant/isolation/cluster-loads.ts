import { Chart } from 'cdk8s';
import { controlPlanePorts } from './cluster-policies';
import { checkContainerLimits, containerLimits, isSoundLimitRange, TenantLimitRange } from './limit-range';
import { NetworkIsolation, policyEngine } from './network-isolation';
import { isUnsized, MachineGroup, machineLoad, PodSurroundings, statedSize } from './pod-load';
import { checkQuotaRoom, checkQuotaUnset, Quota } from './quota';
import { clusterObjects } from './written-objects';
import { groupKind, ManifestObject } from '../../../manifests/objects/manifest-object';
import { ControlPlanePods, PublishedService } from '../../../manifests/rules/cluster-facts';
import {
  ContainerLimits, controlPlaneMachines, deploymentLoad, hostedLoad, PodLoad, poolMachines, serviceLoad,
} from '../../../manifests/rules/pod-loads';
import { objectReference, referencesOf } from '../../../manifests/rules/references/object-references';
import { providers } from '../../../manifests/systems/providers';
import { fieldAt, listAt, stringAt } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ConstructSlot } from '../../app/app-state';
import { claimsPlace } from '../../app/synth/claims';
import { registerConsumer } from '../../contracts/capabilities/consumers';
import { KubevirtPodSizing } from '../../contracts/capabilities/infra-cluster-capabilities';
import { ClusterContext } from '../../contracts/cluster-context';

const POOL = 'cluster.x-k8s.io/MachineDeployment';
const POOL_MACHINE = ['spec', 'template', 'spec', 'infrastructureRef'];
const DEPLOYMENT = 'apps/Deployment';
const SERVICE = 'core/Service';
/** The group that providers of control planes for Cluster API have in common. */
const CONTROL_PLANES = 'controlplane.cluster.x-k8s.io/*';

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
    : hostedControlPlanes(manifestsIn(chart, context, [CONTROL_PLANES])).flatMap((pods) => checkPorts(pods, network, context));
  if (!limited) return ports;
  const loads = [...clusterLoads(chart, context, limits), ...others];
  const range = usableLimits(limits);
  return [...ports, ...checkMachineSizes(chart, context, { 'isolation.quota': quota }), ...checkQuotaRoom(quota, loads, range), ...checkQuotaUnset(quota, loads, range), ...checkContainerLimits(loads, range)];
}

/** The loads of everything of a cluster that runs in the management cluster. */
export function clusterLoads(chart: Chart, context: ClusterContext, limits: PodLimits): PodLoad[] {
  const objectsOf = (kind: string) => manifestsIn(chart, context, [kind]);
  const controlPlanes = objectsOf(CONTROL_PLANES);
  return [
    ...machineGroups(chart, context).map((group) => machineLoad(group, surroundingsOf(context, limits))),
    ...hostedControlPlanes(controlPlanes).map(hostedLoad),
    ...apiServerServices(objectsOf).map((service) => serviceLoad('Service of the control plane', service)),
    ...objectsOf(DEPLOYMENT).map((deployment) => deploymentLoad(deployment)),
    ...objectsOf(SERVICE).map((service) => serviceLoad(`Service ${stringAt(service, 'metadata', 'name')}`, {
      type: stringAt(service, 'spec', 'type'), ports: listAt(service, 'spec', 'ports').length,
    })),
  ].filter((load) => load !== undefined);
}

function surroundingsOf({ infraCluster }: ClusterContext, { quota, kubevirtSizing }: PodLimits): PodSurroundings {
  return {
    instanceTypes: new Map((infraCluster?.instanceTypes ?? []).flatMap(({ name, capacity }) => (
      capacity ? [[name, statedSize(capacity)] as const] : []))),
    sizing: kubevirtSizing,
    limited: { cpu: quota['limits.cpu'] !== undefined, memory: quota['limits.memory'] !== undefined },
  };
}

/** The machines of pools and control plane that are pods of this cluster. */
function machineGroups(chart: Chart, context: ClusterContext): MachineGroup[] {
  if (!context.infrastructure.inManagementCluster) return [];
  const owners = [
    ...manifestsIn(chart, context, [POOL]).map((pool) => (
      { machines: poolMachines(pool), reference: objectReference(fieldAt(pool, ...POOL_MACHINE)) })),
    // References of control planes are those to their machines.
    ...manifestsIn(chart, context, [CONTROL_PLANES]).flatMap((controlPlane) => (
      referencesOf(controlPlane).map(({ reference }) => ({ machines: controlPlaneMachines(controlPlane), reference })))),
  ];
  const templates = clusterObjects(chart, context, [...new Set(owners.flatMap(({ reference }) => reference?.kind ?? []))]);
  return owners.map(({ machines, reference }) => ({
    machines,
    template: templates.find(({ manifest }) => groupKind(manifest) === reference?.kind && stringAt(manifest, 'metadata', 'name') === reference.name),
  }));
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
  const unsized = machineGroups(chart, context).filter((group) => isUnsized(group));
  return unsized.length === 0 ? [] : [{
    rule: MACHINE_SIZE_RULE,
    property: entries[0],
    message: `the size of ${unsized.map(({ machines, template }) => `${machines.what} (${template?.manifest.kind})`).join(', ')} is not known, and the limit would not count them`,
    fix: 'state capacity of the machines, or register a provider whose machinePods reads their template',
  }];
}

/** Entries of a quota that machines of an unknown size may exceed. */
const COUNTED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$|^requests\..+\//;

/** The pods of control planes that run in this cluster. */
function hostedControlPlanes(controlPlanes: readonly ManifestObject[]): ControlPlanePods[] {
  return controlPlanes.flatMap((object) => providers().flatMap(({ controlPlanePods }) => controlPlanePods?.[groupKind(object)]?.(object) ?? []));
}

/** The Services of the API server that controllers make in this cluster. */
function apiServerServices(objectsOf: (kind: string) => readonly ManifestObject[]): PublishedService[] {
  const readers = providers().flatMap(({ apiServerServices: services = {} }) => Object.entries(services));
  return readers.flatMap(([kind, read]) => objectsOf(kind).flatMap((object) => read(object) ?? []));
}

function manifestsIn(chart: Chart, context: ClusterContext, kinds: readonly string[]): ManifestObject[] {
  return clusterObjects(chart, context, kinds).map(({ manifest }) => manifest);
}

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
