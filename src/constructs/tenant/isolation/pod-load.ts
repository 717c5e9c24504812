import { Size } from 'cdk8s';
import { WrittenObject } from './written-objects';
import { groupKind, ManifestObject } from '../../../manifests/objects/manifest-object';
import { MachinePod, MachineSize, MachineSurroundings, StatedSize } from '../../../manifests/rules/cluster-facts';
import { ManifestIndex } from '../../../manifests/rules/manifest-index';
import { Machines, machinesLoad, PodLoad } from '../../../manifests/rules/pod-loads';
import { statedSize as annotatedSize } from '../../../manifests/rules/stated-size';
import { providers } from '../../../manifests/systems/providers';
import { amountsOf } from '../../../manifests/values/quantity';
import { notedCapacity } from '../../contracts/machine-capacity';

/** Facts about the pods of all machines. */
export type PodSurroundings = Omit<MachineSurroundings, 'annotations' | 'stated'>;

/** Equal machines that are pods of this cluster, and their template; undefined if it is not written. */
export interface MachineGroup {
  readonly machines: Machines;
  readonly template?: WrittenObject;
}

/** The largest load of machines; undefined if their template is not written. Pods of an unknown size count as pods alone. */
export function machineLoad({ machines, template }: MachineGroup, surroundings: PodSurroundings): PodLoad | undefined {
  return template && machinesLoad(machines, podOf(machines, template, surroundings));
}

/** True if CPUs and memory of machines are not counted: neither facts of their provider nor their class state them. */
export function isUnsized({ template }: MachineGroup): boolean {
  return template !== undefined && podReader(template.manifest) === undefined && sizedPod(template.manifest).containers.length === 0;
}

function podOf({ annotations }: Machines, { object, manifest }: WrittenObject, surroundings: PodSurroundings): MachinePod {
  const capacity = notedCapacity(object);
  return podReader(manifest)?.(manifest, { ...surroundings, annotations, stated: capacity && statedSize(capacity) }) ?? sizedPod(manifest);
}

function podReader(template: ManifestObject) {
  return providers().map(({ machinePods }) => machinePods?.[groupKind(template)]).find((found) => found !== undefined);
}

/** The pod of a machine whose provider states none: it requests, and is limited to, what the machine offers. */
function sizedPod(template: ManifestObject): MachinePod {
  const sizes = providers().flatMap(({ machineSizes }) => machineSizes?.[groupKind(template)] ?? []);
  const { cpu, memory, gpus = [] }: MachineSize = { ...annotatedSize(template), ...sizes.at(0)?.(template, new ManifestIndex([template])) };
  if (cpu === undefined || memory === undefined) return { containers: [], besides: {}, machine: { cpus: 0n, ephemeralDisk: false } };
  const amounts = amountsOf({ cpu: `${cpu}`, memory: `${memory}`, ...Object.fromEntries(gpus.map(({ name, count }) => [name, `${count}`])) });
  return { containers: [{ name: 'machine', requests: amounts, limits: amounts }], besides: {}, machine: { cpus: amounts.cpu, ephemeralDisk: false } };
}

/** The size of a machine as quantities. */
export function statedSize({ cpu, memory }: { readonly cpu: number; readonly memory: Size }): StatedSize {
  return { cpu: `${cpu}`, memory: memory.asString() };
}
