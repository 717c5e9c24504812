import { Size } from 'cdk8s';
import { PodLoad } from './pod-load';
import { Manifest, WrittenObject } from './written-objects';
import { groupKind } from '../../../manifests/objects/manifest-object';
import { MAX_SIZE } from '../../../manifests/rules/cluster-api/autoscaler-annotations';
import { MachineSurroundings, StatedSize } from '../../../manifests/rules/provider';
import { providers } from '../../../manifests/validation/providers';
import { Amounts, sumOf } from '../../../manifests/values/amounts';
import { fieldAt, numberAt, stringAt } from '../../../manifests/values/fields';
import { NANO } from '../../../manifests/values/quantity';
import { notedCapacity } from '../../contracts/template-capacity';

type Annotations = { readonly [key: string]: unknown };

/** What decides over the pods of all machines. */
type Surroundings = Omit<MachineSurroundings, 'annotations' | 'stated'>;

/**
 * What the machines of a pool count for at most; undefined where they are no pods of this cluster.
 *
 * @param pool the `MachineDeployment`
 * @param templates templates of machines that are pods of this cluster
 * @param surroundings what decides besides
 */
export function machineLoad(pool: Manifest, templates: readonly WrittenObject[], surroundings: Surroundings): PodLoad | undefined {
  const size = largestSize(pool);
  const machines = { what: `machines of pool ${stringAt(pool, 'metadata', 'name')}`, size, surge: surgeOf(pool, size), annotations: annotationsOf(pool) };
  return loadOf(machines, templateOf(fieldAt(pool, 'spec', 'template', 'spec'), templates), surroundings);
}

/**
 * What the machines of a control plane count for at most; undefined where it does not run on machines that are pods of this cluster.
 *
 * @param controlPlane an object with the fields of Cluster API's contract for control planes on machines
 * @param templates templates of machines that are pods of this cluster
 * @param surroundings what decides besides
 */
export function controlPlaneMachineLoad(
  controlPlane: Manifest, templates: readonly WrittenObject[], surroundings: Surroundings,
): PodLoad | undefined {
  const size = numberAt(controlPlane, 'spec', 'replicas') ?? 1;
  const machines = { what: 'machines of the control plane', size, surge: surgeOf(controlPlane, size), annotations: {} };
  return loadOf(machines, templateOf(fieldAt(controlPlane, 'spec', 'machineTemplate', 'spec'), templates), surroundings);
}

/** Equal machines, and what is said of them. */
interface Machines {
  readonly what: string;
  readonly size: number;
  readonly surge: number;
  readonly annotations: Annotations;
}

function loadOf(machines: Machines, template: WrittenObject | undefined, surroundings: Surroundings): PodLoad | undefined {
  const { what, size, surge, annotations } = machines;
  const capacity = template && notedCapacity(template.object);
  const pod = template && providers().map(({ machinePods }) => machinePods?.[groupKind(template.manifest)]).find((found) => found !== undefined)
    ?.(template.manifest, { ...surroundings, annotations, stated: capacity && statedSize(capacity) });
  return pod && {
    what,
    count: size + surge,
    reckoning: surge > 0 ? `(${size} + ${surge} in a rollout)` : `${size}`,
    ...pod,
    initContainers: [],
    besides: sumOf([{ ...ONE_POD }, pod.besides]),
  };
}

/** The size of a machine as quantities. */
export function statedSize({ cpu, memory }: { readonly cpu: number; readonly memory: Size }): StatedSize {
  return { cpu: `${cpu}`, memory: memory.asString() };
}

function templateOf(machineSpec: unknown, templates: readonly WrittenObject[]): WrittenObject | undefined {
  const [kind, name] = [stringAt(machineSpec, 'infrastructureRef', 'kind'), stringAt(machineSpec, 'infrastructureRef', 'name')];
  return templates.find(({ manifest }) => manifest.kind === kind && stringAt(manifest, 'metadata', 'name') === name);
}

const ONE_POD: Amounts = { 'pods': NANO, 'count/pods': NANO };

function largestSize(pool: Manifest): number {
  const maximum = Number(annotationsOf(pool)[MAX_SIZE] ?? Number.NaN);
  return Number.isSafeInteger(maximum) ? maximum : numberAt(pool, 'spec', 'replicas') ?? 1;
}

/** Cluster API rounds percentages up. */
function surgeOf(owner: Manifest, size: number): number {
  const strategy = fieldAt(owner, 'spec', 'rollout', 'strategy');
  if (stringAt(strategy, 'type') !== 'RollingUpdate') return 0;
  const percentage = /^(\d+)%$/.exec(stringAt(strategy, 'rollingUpdate', 'maxSurge') ?? '');
  return percentage ? Math.ceil(size * Number(percentage[1]) / 100) : numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? 0;
}

function annotationsOf(pool: Manifest): Annotations {
  return (fieldAt(pool, 'metadata', 'annotations') ?? {}) as Annotations;
}
