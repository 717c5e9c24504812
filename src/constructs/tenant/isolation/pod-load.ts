import { Size } from 'cdk8s';
import { Manifest, WrittenObject } from './written-objects';
import { groupKind, ManifestObject } from '../../../manifests/objects/manifest-object';
import { MachineSurroundings, StatedSize } from '../../../manifests/rules/cluster-facts';
import { controlPlaneMachines, Machines, machinesLoad, PodLoad, poolMachines } from '../../../manifests/rules/pod-loads';
import { providers } from '../../../manifests/validation/providers';
import { fieldAt, stringAt } from '../../../manifests/values/fields';
import { notedCapacity } from '../../contracts/machine-capacity';

/** Facts about the pods of all machines. */
type Surroundings = Omit<MachineSurroundings, 'annotations' | 'stated'>;

/**
 * The largest load of the machines of a pool; undefined if they are not pods of this cluster.
 *
 * @param pool the `MachineDeployment`
 * @param templates templates of machines that are pods of this cluster
 * @param surroundings facts about the pods of all machines
 */
export function machineLoad(pool: Manifest, templates: readonly WrittenObject[], surroundings: Surroundings): PodLoad | undefined {
  return loadOf(poolMachines(pool as ManifestObject), templateOf(fieldAt(pool, 'spec', 'template', 'spec'), templates), surroundings);
}

/**
 * The largest load of the machines of a control plane; undefined if it does not run on machines that are pods of this cluster.
 *
 * @param controlPlane an object with the fields of Cluster API's contract for control planes on machines
 * @param templates templates of machines that are pods of this cluster
 * @param surroundings facts about the pods of all machines
 */
export function controlPlaneMachineLoad(
  controlPlane: Manifest, templates: readonly WrittenObject[], surroundings: Surroundings,
): PodLoad | undefined {
  return loadOf(controlPlaneMachines(controlPlane as ManifestObject), templateOf(fieldAt(controlPlane, 'spec', 'machineTemplate', 'spec'), templates), surroundings);
}

function loadOf(machines: Machines, template: WrittenObject | undefined, surroundings: Surroundings): PodLoad | undefined {
  const capacity = template && notedCapacity(template.object);
  const pod = template && providers().map(({ machinePods }) => machinePods?.[groupKind(template.manifest)]).find((found) => found !== undefined)
    ?.(template.manifest, { ...surroundings, annotations: machines.annotations, stated: capacity && statedSize(capacity) });
  return pod && machinesLoad(machines, pod);
}

/** The size of a machine as quantities. */
export function statedSize({ cpu, memory }: { readonly cpu: number; readonly memory: Size }): StatedSize {
  return { cpu: `${cpu}`, memory: memory.asString() };
}

function templateOf(machineSpec: unknown, templates: readonly WrittenObject[]): WrittenObject | undefined {
  const [kind, name] = [stringAt(machineSpec, 'infrastructureRef', 'kind'), stringAt(machineSpec, 'infrastructureRef', 'name')];
  return templates.find(({ manifest }) => manifest.kind === kind && stringAt(manifest, 'metadata', 'name') === name);
}
