import { groupKind, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { ControlPlanePods, MachinePod, MachineSize, MachineSurroundings, PublishedService, StatedSize } from '../rules/cluster-facts';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { controlPlaneMachines, deploymentLoad, hostedLoad, Machines, machinesLoad, PodLoad, poolMachines, serviceLoad } from '../rules/pod-loads';
import { ObjectReference, objectReference, referencesOf } from '../rules/references/object-references';
import { statedSize as annotatedSize } from '../rules/stated-size';
import { providers } from '../systems/providers';
import { computedTopology } from '../topology/computed-topology';
import { fieldAt, isSet, listAt, stringAt } from '../values/fields';
import { amountsOf } from '../values/quantity';

/** The group that providers of control planes for Cluster API have in common. */
const CONTROL_PLANES = 'controlplane.cluster.x-k8s.io/';
const POOL_MACHINE = ['spec', 'template', 'spec', 'infrastructureRef'];
const DEPLOYMENT = 'apps/Deployment';
const SERVICE = '/Service';

/** Facts about the pods of all machines. */
export type PodSurroundings = Omit<MachineSurroundings, 'annotations' | 'stated'>;

/** Objects that quotas of one namespace count the pods, volumes and Services of. */
export interface CountedObjects {
  /** Objects whose kind, as `group/Kind`, starts with a text. */
  readonly ofKind: (start: string) => readonly ManifestObject[];

  /** The template of machines, as it will be; undefined if it is not known. */
  readonly templateOf: (reference: ObjectReference) => ManifestObject | undefined;

  /**
   * The size that machines of a template are known to have.
   *
   * @default - what the template states
   */
  readonly sizeOf?: (template: ManifestObject) => StatedSize | undefined;

  /** True if machines are pods of the namespace; undefined if it follows from the kind of their template. */
  readonly areMachinesPods?: boolean;
}

/** Equal machines, and their template; undefined if it is not known. */
export interface MachineGroup {
  readonly machines: Machines;
  readonly template?: ManifestObject;
}

/** The largest loads of a namespace: machines, control planes that are pods, controllers, Services. */
export function namespaceLoads(objects: CountedObjects, surroundings: PodSurroundings): PodLoad[] {
  return [
    ...machineGroups(objects).flatMap((group) => machineLoad(group, objects, surroundings)),
    ...hostedControlPlanes(objects).map(hostedLoad),
    ...apiServerServices(objects).map((service) => serviceLoad('Service of the control plane', service)),
    ...objects.ofKind(DEPLOYMENT).map(deploymentLoad),
    ...objects.ofKind(SERVICE).map((service) => serviceLoad(`Service ${stringAt(service, 'metadata', 'name')}`, {
      type: stringAt(service, 'spec', 'type'), ports: listAt(service, 'spec', 'ports').length,
    })),
  ];
}

/** The machines of pools and control planes of any provider. */
export function machineGroups({ ofKind, templateOf, areMachinesPods = true }: CountedObjects): MachineGroup[] {
  if (!areMachinesPods) return [];
  const group = (machines: Machines, reference: ObjectReference | undefined): MachineGroup => (
    { machines, template: reference && templateOf(reference) });
  return [
    ...ofKind(MACHINE_DEPLOYMENT).map((pool) => group(poolMachines(pool), objectReference(fieldAt(pool, ...POOL_MACHINE)))),
    // References of control planes are those to their machines.
    ...ofKind(CONTROL_PLANES).flatMap((plane) => referencesOf(plane).map(({ reference }) => group(controlPlaneMachines(plane), reference))),
  ];
}

/** True if CPUs and memory of machines are not counted: neither facts of their provider nor their class state them. */
export function isUnsized({ template }: MachineGroup): boolean {
  return template !== undefined && podReader(template) === undefined && sizedPod(template).containers.length === 0;
}

/** The pods of control planes that are pods of the namespace. */
export function hostedControlPlanes({ ofKind }: CountedObjects): ControlPlanePods[] {
  return providers().flatMap(({ controlPlanePods = {} }) => Object.entries(controlPlanePods)).flatMap(([kind, read]) => ofKind(kind).map(read));
}

/** The Services of API servers that controllers make. */
function apiServerServices({ ofKind }: CountedObjects): PublishedService[] {
  return providers().flatMap(({ apiServerServices: services = {} }) => Object.entries(services))
    .flatMap(([kind, read]) => ofKind(kind).flatMap((object) => read(object) ?? []));
}

/** The largest load of machines. Pods of an unknown size count as pods alone. */
function machineLoad({ machines, template }: MachineGroup, objects: CountedObjects, surroundings: PodSurroundings): PodLoad[] {
  if (!template) return [];
  const read = podReader(template);
  if (!read) return objects.areMachinesPods ? [machinesLoad(machines, sizedPod(template))] : [];
  const stated = objects.sizeOf ? objects.sizeOf(template) : quantitiesOf(annotatedSize(template));
  return [machinesLoad(machines, read(template, { ...surroundings, annotations: machines.annotations, stated }))];
}

function podReader(template: ManifestObject) {
  return providers().map(({ machinePods }) => machinePods?.[groupKind(template)]).find((found) => found !== undefined);
}

function quantitiesOf({ cpu, memory }: MachineSize): StatedSize | undefined {
  return cpu === undefined || memory === undefined ? undefined : { cpu: `${cpu}`, memory: `${memory}` };
}

/** The pod of a machine whose provider states none: it requests, and is limited to, what the machine offers. */
function sizedPod(template: ManifestObject): MachinePod {
  const sizes = providers().flatMap(({ machineSizes }) => machineSizes?.[groupKind(template)] ?? []);
  const { cpu, memory, gpus = [] }: MachineSize = { ...annotatedSize(template), ...sizes.at(0)?.(template, new ManifestIndex([template])) };
  if (cpu === undefined || memory === undefined) return { containers: [], besides: {}, machine: { cpus: 0n, ephemeralDisk: false } };
  const amounts = amountsOf({ cpu: `${cpu}`, memory: `${memory}`, ...Object.fromEntries(gpus.map(({ name, count }) => [name, `${count}`])) });
  return { containers: [{ name: 'machine', requests: amounts, limits: amounts }], besides: {}, machine: { cpus: amounts.cpu, ephemeralDisk: false } };
}

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [namespaceOf(cluster)]);
const POOLS = new Lookup([MACHINE_DEPLOYMENT, MACHINE_POOL], (pool) => [namespaceOf(pool)]);
const BY_START = new Map<string, Lookup>();

/**
 * The loads of a namespace, as far as its objects are among the manifests. Topologies whose pools are not count with the objects that Cluster API will
 * make of them.
 *
 * @param namespace the namespace
 * @param limited what a quota makes the infrastructure set limits of
 * @param index all objects
 */
export function loadsIn(namespace: string | undefined, limited: MachineSurroundings['limited'], index: ManifestIndex): PodLoad[] {
  const made = new ManifestIndex(topologyObjects(namespace, index));
  const sizing = providers().map(({ podSizing }) => podSizing?.(index)).find((found) => found !== undefined) ?? {};
  return namespaceLoads({
    ofKind: (start) => [...namespaced(start, namespace, index), ...namespaced(start, namespace, made)],
    templateOf: ({ kind, name }) => {
      const template = made.find(kind, namespace, name) ?? index.find(kind, namespace, name);
      const facts = providers().filter(({ machinePods }) => machinePods && Object.hasOwn(machinePods, kind));
      if (!template || facts.some(({ machinesElsewhere }) => machinesElsewhere?.[kind]?.(template, index))) return undefined;
      return facts.map(({ templatesWithTypes }) => templatesWithTypes?.[kind]?.(template, index)).find((typed) => typed !== undefined) ?? template;
    },
  }, { instanceTypes: new Map(), sizing, limited });
}

function namespaced(start: string, namespace: string | undefined, index: ManifestIndex): readonly ManifestObject[] {
  let lookup = BY_START.get(start);
  if (!lookup) {
    const kinds = (): readonly string[] => [start];
    BY_START.set(start, lookup = new Lookup(kinds, (object) => [namespaceOf(object)]));
  }
  if (!start.endsWith('/')) return lookup.find(index, namespace);
  return index.kinds().filter((kind) => kind.startsWith(start)).flatMap((kind) => namespaced(kind, namespace, index));
}

/** The objects that Cluster API will make of the topologies of a namespace that have no pools yet, with the templates of their machines. */
function topologyObjects(namespace: string | undefined, index: ManifestIndex): ManifestObject[] {
  const withPools = new Set(POOLS.find(index, namespace).map((pool) => stringAt(pool, 'spec', 'clusterName')));
  return CLUSTERS.find(index, namespace).filter((cluster) => isSet(cluster, 'spec', 'topology') && !withPools.has(stringAt(cluster, 'metadata', 'name')))
    .flatMap((cluster) => {
      const made = computedTopology(cluster, index);
      if (!made) return [];
      const { infrastructureCluster, controlPlane: { object, machines }, pools } = made;
      const templates = [...machines ? [machines.copy] : [], ...pools.map(({ infrastructure }) => infrastructure.object)];
      return [infrastructureCluster, object, ...pools.map((pool) => pool.object), ...templates];
    });
}
