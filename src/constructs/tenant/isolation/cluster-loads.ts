import { Chart } from 'cdk8s';
import { controlPlanePorts } from './cluster-policies';
import { deploymentLoad, hostedLoad, serviceLoad } from './control-plane-load';
import { checkContainerLimits } from './limit-checks';
import { ContainerLimits, containerLimits, isSoundLimitRange, TenantLimitRange } from './limit-range';
import { controlPlaneMachineLoad, machineLoad, statedSize } from './machine-load';
import { NetworkIsolation, policyEngine } from './network-isolation';
import { PodLoad } from './pod-load';
import { checkQuotaRoom, checkQuotaSaid, Quota } from './quota-checks';
import { ISOLATION_RULES } from './rules';
import { Manifest, manifestsOf, writtenObjects } from './written-objects';
import { groupKind, ManifestObject } from '../../../manifests/objects/manifest-object';
import { ControlPlanePods, PublishedService } from '../../../manifests/rules/provider';
import { providers } from '../../../manifests/validation/providers';
import { listAt, stringAt } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';
import { KubevirtPodSizing } from '../../contracts/capabilities/infra-cluster-capabilities';
import { ClusterContext } from '../../contracts/cluster-context';

const POOL = 'cluster.x-k8s.io/MachineDeployment';
const DEPLOYMENT = 'apps/Deployment';
const SERVICE = 'core/Service';
/** The group that providers of control planes for Cluster API have in common. */
const CONTROL_PLANES = 'controlplane.cluster.x-k8s.io/*';

/** What decides what pods ask for, beside the pods themselves. */
export interface PodLimits {
  readonly quota: Quota;
  readonly limitRange?: TenantLimitRange;
  readonly kubevirtSizing: KubevirtPodSizing;
}

/** The parts of an isolation that depend on what else is in the cluster. */
export interface IsolationLimits extends PodLimits {
  readonly network: NetworkIsolation;
}

/**
 * Checks an isolation against the final manifests of its cluster.
 *
 * @param others what else is in the namespace
 */
export function checkLoads(chart: Chart, context: ClusterContext, limits: IsolationLimits, others: readonly PodLoad[]): Problem[] {
  const { network, quota } = limits;
  const limited = Object.keys(quota).length > 0 || limits.limitRange !== undefined;
  const ports = policyEngine(network, context.management) === undefined ? []
    : hostedControlPlanes(manifestsOf(chart, [CONTROL_PLANES])).flatMap((pods) => checkPorts(pods, network, context));
  if (!limited) return ports;
  const loads = [...clusterLoads(chart, context, limits), ...others];
  const range = usableLimits(limits);
  return [...ports, ...checkQuotaRoom(quota, loads, range), ...checkQuotaSaid(quota, loads, range), ...checkContainerLimits(loads, range)];
}

/** What everything of a cluster that runs in the management cluster asks for. */
export function clusterLoads(chart: Chart, { infrastructure, infraCluster }: ClusterContext, { quota, kubevirtSizing }: PodLimits): PodLoad[] {
  const machineKinds = providers().flatMap(({ machinePods = {} }) => Object.keys(machinePods));
  const templates = infrastructure.inManagementCluster ? writtenObjects(chart, machineKinds) : [];
  const surroundings = {
    instanceTypes: new Map((infraCluster?.instanceTypes ?? []).flatMap(({ name, capacity }) => (
      capacity ? [[name, statedSize(capacity)] as const] : []))),
    sizing: kubevirtSizing,
    limited: { cpu: quota['limits.cpu'] !== undefined, memory: quota['limits.memory'] !== undefined },
  };
  const controlPlanes = manifestsOf(chart, [CONTROL_PLANES]);
  return [
    ...manifestsOf(chart, [POOL]).map((pool) => machineLoad(pool, templates, surroundings)),
    ...controlPlanes.map((controlPlane) => controlPlaneMachineLoad(controlPlane, templates, surroundings)),
    ...hostedControlPlanes(controlPlanes).map(hostedLoad),
    ...apiServerServices(chart).map((service) => serviceLoad('Service of the control plane', service)),
    ...manifestsOf(chart, [DEPLOYMENT]).map(deploymentLoad),
    ...manifestsOf(chart, [SERVICE]).map((service) => serviceLoad(`Service ${stringAt(service, 'metadata', 'name')}`, {
      type: stringAt(service, 'spec', 'type'), ports: listAt(service, 'spec', 'ports').length,
    })),
  ].filter((load) => load !== undefined);
}

/** The pods of control planes that run in this cluster. */
function hostedControlPlanes(controlPlanes: readonly Manifest[]): ControlPlanePods[] {
  return controlPlanes.flatMap((object) => providers().flatMap(({ controlPlanePods }) => controlPlanePods?.[groupKind(object)]?.(object) ?? []));
}

/** The Services of the API server that controllers make in this cluster. */
function apiServerServices(chart: Chart): PublishedService[] {
  const readers = providers().flatMap(({ apiServerServices: services = {} }) => Object.entries(services));
  return readers.flatMap(([kind, read]) => manifestsOf(chart, [kind]).flatMap((object) => read(object as ManifestObject) ?? []));
}

/** What containers get from the limit range. One that is wrong in itself is reported already, and must not lead to further complaints. */
export function usableLimits({ limitRange = {} }: PodLimits): ContainerLimits {
  return containerLimits(isSoundLimitRange(limitRange) ? limitRange : {});
}

/** What the Service offers and no policy lets through would only be noticed by those who try. */
function checkPorts({ ports }: ControlPlanePods, network: NetworkIsolation, context: ClusterContext): Problem[] {
  const open = controlPlanePorts(network._options, context);
  return ports.filter(({ port }) => !open.includes(port)).map(({ name, port }) => ({
    rule: ISOLATION_RULES.controlPlanePort,
    property: 'isolation.network.controlPlanePorts',
    message: `${name} listens on ${port}, and only ${open.join(', ')} are let through`,
    fix: `add ${port} to the list`,
  }));
}
