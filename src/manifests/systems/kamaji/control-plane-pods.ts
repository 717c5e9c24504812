import { placeOf, replicasOf, serviceTypeOf, valueOf } from './rules/kamaji-objects';
import { containerOf, containersOf } from '../../objects/container-load';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { ControlPlanePods, PublishedService } from '../../rules/cluster-facts';
import { isFields, listAt, numberAt, stringAt } from '../../values/fields';

/** Highest port of the API server: the provider reads it as a signed number of 16 bits. */
export const HIGHEST_API_PORT = 32767;

/** Ports in the pod of a control plane beside that of the API server (clastix/kamaji internal/builders/controlplane). */
export const COMPONENT_PORTS: readonly (readonly [number, string])[] = [[10257, 'the controller manager'], [10259, 'the scheduler']];

/** Ports of konnectivity in the pod beside its own one. */
export const KONNECTIVITY_PORTS: readonly (readonly [number, string])[] = [[8133, 'konnectivity\'s administration'], [8134, 'konnectivity\'s health check']];

/** Names of the Service's ports that Kamaji makes. */
export const SERVICE_PORT_NAMES: readonly string[] = ['kube-apiserver', 'konnectivity-server'];

/** Paths of the resources of a `KamajiControlPlane`'s containers; those marked are there only if the object speaks of them. */
const CONTAINERS: readonly (readonly [name: string, path: readonly string[], optional: boolean])[] = [
  ['kube-apiserver', ['apiServer', 'resources'], false],
  ['kube-controller-manager', ['controllerManager', 'resources'], false],
  ['kube-scheduler', ['scheduler', 'resources'], false],
  ['konnectivity-server', ['addons', 'konnectivity', 'server', 'resources'], true],
  ['kine', ['kine', 'resources'], true],
];

/** Source: clastix/kamaji internal/builders/controlplane/deployment.go (setTopologySpreadConstraints). */
function schedulingOf(controlPlane: ManifestObject): unknown {
  const deployment = valueOf(controlPlane, 'deployment');
  const constraints = listAt(deployment, 'topologySpreadConstraints');
  if (!isFields(deployment) || constraints.length === 0) return deployment;
  const labelSelector = { matchLabels: { 'kamaji.clastix.io/name': nameOf(controlPlane) } };
  return { ...deployment, topologySpreadConstraints: constraints.map((one) => (isFields(one) ? { labelSelector, ...one } : one)) };
}

/** The default of the definition, which Kamaji also uses where only the type is set. */
const DEFAULT_STRATEGY = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '100%' } };

/** The pods of a control plane that Kamaji hosts, and the ports beside that of its API server. */
export function controlPlanePods(controlPlane: ManifestObject): ControlPlanePods {
  const value = (...field: readonly string[]) => valueOf(controlPlane, ...field);
  const isThere = (path: readonly string[]) => value(...path) !== undefined || value(...path.slice(0, -1)) !== undefined;
  const containers = CONTAINERS.filter(([, path, optional]) => !optional || isThere(path)).map(([name, path]) => containerOf(name, value(...path)));
  const konnectivity = numberAt(value('addons', 'konnectivity', 'server'), 'port');
  const labels = value('deployment', 'podAdditionalMetadata', 'labels');
  const of = (field: string) => containersOf({ list: value('deployment', field) }, 'list');
  return {
    replicas: replicasOf(controlPlane),
    strategy: value('deployment', 'strategy') ?? DEFAULT_STRATEGY,
    scheduling: {
      labels: { ...(isFields(labels) && labels), 'kamaji.clastix.io/name': nameOf(controlPlane) },
      fields: schedulingOf(controlPlane),
    },
    containers: [...containers, ...of('extraContainers')],
    initContainers: of('extraInitContainers'),
    ports: [
      ...(konnectivity === undefined ? [] : [{ name: 'konnectivity', port: konnectivity }]),
      ...additionalPorts(controlPlane).filter((port) => (stringAt(port, 'protocol') ?? 'TCP') === 'TCP').flatMap((port) => {
        const number = numberAt(port, 'targetPort') ?? numberAt(port, 'port');
        return number === undefined ? [] : [{ name: `the additional port "${stringAt(port, 'name')}"`, port: number }];
      }),
    ],
  };
}

/**
 * The Service of a control plane that Kamaji hosts: ports of the API server, of konnectivity, and additional ones (clastix/kamaji
 * internal/resources/k8s_service_resource.go, internal/resources/konnectivity/service_resource.go).
 */
export function controlPlaneService(controlPlane: ManifestObject): PublishedService {
  const konnectivity = valueOf(controlPlane, 'addons', 'konnectivity', 'server') === undefined ? 0 : 1;
  return { type: serviceTypeOf(controlPlane), ports: 1 + konnectivity + additionalPorts(controlPlane).length };
}

function additionalPorts(controlPlane: ManifestObject): readonly unknown[] {
  return listAt(controlPlane, ...placeOf(controlPlane, 'network', 'additionalServicePorts'));
}
