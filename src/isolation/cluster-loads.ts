import { Chart } from 'cdk8s';
import { controlPlanePorts } from './cluster-policies';
import { deploymentLoad, kamajiLoad } from './control-plane-load';
import { KubevirtPodSizing, resolveSizing } from './kubevirt-sizing';
import { checkContainerLimits } from './limit-checks';
import { checkLimitRange, ContainerLimits, containerLimits, TenantLimitRange } from './limit-range';
import { controlPlaneMachineLoad, machineLoad } from './machine-load';
import { listAt, Manifest, manifestsOf, numberAt, textAt, valueAt, WrittenObject, writtenObjects } from './manifest-fields';
import { NetworkIsolation, policyEngine } from './network-isolation';
import { PodLoad } from './pod-load';
import { checkQuotaRoom, checkQuotaSaid, Quota } from './quota-checks';
import { ISOLATION_RULES } from './rules';
import { ClusterContext } from '../cluster-context';
import { MachineCapacity } from '../infrastructure/machine';
import { notedCapacity } from '../infrastructure/template-capacity';
import { Problem } from '../validation/problem';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/KamajiControlPlane';
const POOL = 'cluster.x-k8s.io/MachineDeployment';
const MACHINE = 'infrastructure.cluster.x-k8s.io/KubevirtMachineTemplate';
const DEPLOYMENT = 'apps/Deployment';
/** The group that providers of control planes for Cluster API have in common. */
const CONTROL_PLANES = 'controlplane.cluster.x-k8s.io/*';
const LOADED = [CONTROL_PLANES, POOL, MACHINE, DEPLOYMENT];

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

/** Checks an isolation against the final manifests of its cluster. */
export function checkLoads(chart: Chart, context: ClusterContext, limits: IsolationLimits): Problem[] {
  const { network, quota } = limits;
  const limited = Object.keys(quota).length > 0 || limits.limitRange !== undefined;
  const manifests = manifestsOf(chart, [CONTROL_PLANE]);
  const ports = policyEngine(network, context.management) === undefined ? []
    : ofKind(manifests, CONTROL_PLANE).flatMap((object) => checkPorts(object, network, context));
  if (!limited) return ports;
  const loads = clusterLoads(chart, context, limits);
  const range = usableLimits(limits);
  return [...ports, ...checkQuotaRoom(quota, loads, range), ...checkQuotaSaid(quota, loads, range), ...checkContainerLimits(loads, range)];
}

/** What everything of a cluster that runs in the management cluster asks for. */
export function clusterLoads(chart: Chart, { infrastructure, infraCluster }: ClusterContext, { quota, kubevirtSizing }: PodLimits): PodLoad[] {
  const objects = writtenObjects(chart, LOADED);
  const manifests = objects.map(({ manifest }) => manifest);
  const templates = infrastructure.inManagementCluster ? ofKind(manifests, MACHINE) : [];
  const surroundings = {
    sizing: resolveSizing(kubevirtSizing),
    limited: { cpu: quota['limits.cpu'] !== undefined, memory: quota['limits.memory'] !== undefined },
    instanceTypes: infraCluster?.instanceTypes ?? [],
    capacities: capacitiesOf(objects),
  };
  return [
    ...ofKind(manifests, POOL).map((pool) => machineLoad(pool, templates, surroundings)).filter((load) => load !== undefined),
    ...manifests.map((manifest) => controlPlaneMachineLoad(manifest, templates, surroundings)).filter((load) => load !== undefined),
    ...ofKind(manifests, CONTROL_PLANE).map(kamajiLoad),
    ...ofKind(manifests, DEPLOYMENT).map(deploymentLoad),
  ];
}

/** What containers get from the limit range. One that is wrong in itself is reported already, and must not lead to further complaints. */
export function usableLimits({ limitRange = {} }: PodLimits): ContainerLimits {
  return containerLimits(checkLimitRange(limitRange).length === 0 ? limitRange : {});
}

/** What is said of the machines of a template, by the name of the template. */
function capacitiesOf(objects: readonly WrittenObject[]): ReadonlyMap<string, MachineCapacity> {
  return new Map(objects.flatMap(({ object, manifest }) => {
    const capacity = notedCapacity(object);
    return capacity ? [[textAt(manifest, 'metadata', 'name'), capacity]] : [];
  }));
}

function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => kind.endsWith(`/${manifest.kind}`));
}

/** What the Service offers and no policy lets through would only be noticed by those who try. */
function checkPorts(controlPlane: Manifest, network: NetworkIsolation, context: ClusterContext): Problem[] {
  const open = controlPlanePorts(network._options, context);
  const spec = valueAt(controlPlane, 'spec');
  const offered = [
    { who: 'konnectivity', port: numberAt(spec, 'addons', 'konnectivity', 'server', 'port') },
    ...listAt(spec, 'network', 'additionalServicePorts').filter((port) => (textAt(port, 'protocol') || 'TCP') === 'TCP').map((port) => ({
      who: `the additional port "${textAt(port, 'name')}"`, port: numberAt(port, 'targetPort') ?? numberAt(port, 'port'),
    })),
  ];
  return offered.filter(({ port }) => port !== undefined && !open.includes(port)).map(({ who, port }) => ({
    rule: ISOLATION_RULES.controlPlanePort,
    property: 'isolation.network.controlPlanePorts',
    message: `${who} listens on ${port}, and only ${open.join(', ')} are let through`,
    fix: `add ${port} to the list`,
  }));
}
