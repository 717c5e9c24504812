import { ApiObject, Size, SizeRoundingBehavior } from 'cdk8s';
import { groupKind, ManifestObject } from '../../manifests/objects/manifest-object';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { CAPACITY_ANNOTATION } from '../../manifests/rules/stated-size';
import { ownProviders } from '../../manifests/systems/providers';
import { checkQualifiedName } from '../../manifests/values/labels';
import { Problem, Rule } from '../../manifests/values/problem';
import { checkQuantity } from '../../manifests/values/quantity';
import { ConstructSlot } from '../app/app-state';
import { rewriteObject } from '../app/synth/manifest-rewrite';

/** An extended resource of a machine, such as a GPU, under the name that its node will offer. */
export interface ExtendedResource {
  /** Resource name on the tenant's node, e.g. `nvidia.com/gpu`. */
  readonly resourceName: string;

  /** Number of them in one machine. */
  readonly count: number;
}

/** Resources of one machine, before reservations of the kubelet. */
export interface MachineCapacity {
  /** Number of CPUs that the guest sees. */
  readonly cpu: number;

  /** Memory that the guest sees. */
  readonly memory: Size;

  /**
   * Size of the disk that holds pods' ephemeral storage.
   *
   * @default - not known
   */
  readonly ephemeralStorage?: Size;

  /**
   * GPUs.
   *
   * @default - none
   */
  readonly gpus?: ExtendedResource[];
}

/** Options of machines whose size is known neither to the library nor from other options. */
export interface StatedCapacity {
  /**
   * CPUs, memory and disk of one machine, such as those of its flavor, or what the inspection of a host found. Autoscaled pools need it, and reservations
   * of the kubelet are computed from it.
   *
   * @default - not known
   */
  readonly capacity?: MachineCapacity;
}

/** The size of a pool's machines; undefined if it is unknown or invalid. */
export function usableCapacity(capacity: MachineCapacity | undefined): MachineCapacity | undefined {
  return checkCapacity(capacity).length === 0 ? capacity : undefined;
}

/** Checks the capacity that a machine strategy states. */
export function checkCapacity(capacity: MachineCapacity | undefined): Problem[] {
  if (!capacity) return [];
  const { cpu, memory, ephemeralStorage, gpus = [] } = capacity;
  const sizes = { memory, ephemeralStorage };
  return [
    ...fault('cpu', checkQuantity(`${cpu}`, { positive: true })),
    ...Object.entries(sizes).flatMap(([name, size]) => (size ? fault(name, checkQuantity(`${size.toMebibytes({ rounding: SizeRoundingBehavior.NONE })}Mi`, { positive: true })) : [])),
    ...gpus.flatMap(({ resourceName, count }) => [
      ...fault('gpus', checkQualifiedName(resourceName)),
      ...fault('gpus', Number.isSafeInteger(count) && count > 0 ? undefined : `${count} is not a number of GPUs; accepted are whole numbers from 1`),
    ]),
  ];
}

const CAPACITY_RULE: Rule = {
  id: 'TC-POOL-CAPACITY',
  title: 'The size of a machine, where it is known, must be above 0 for each resource.',
};

function fault(name: string, message: string | undefined): Problem[] {
  return message === undefined ? [] : [{ rule: CAPACITY_RULE, property: `machine.capacity.${name}`, message, fix: 'state what one machine offers' }];
}

/**
 * Writes the size of machines into an annotation of their template, where the template does not state it: `inventory` reads it there. A
 * capacity that is recorded already (`noteCapacity`) is that of an instance type, an object of the cluster that runs the machines.
 *
 * @param template the template
 * @param capacity what one machine offers
 */
export function annotateCapacity(template: ApiObject, capacity: MachineCapacity | undefined): void {
  const { cpu, memory, gpus = [] } = usableCapacity(capacity) ?? {};
  if (cpu === undefined || memory === undefined || notedCapacity(template)) return;
  const text = [`cpu=${cpu}`, `memory=${memory.asString()}`, ...gpus.map(({ resourceName, count }) => `${resourceName}=${count}`)].join(',');
  rewriteObject(template, (manifest) => (isSizeKnown(manifest as ManifestObject) ? manifest : annotated(manifest, text)));
}

/** True if the template states the size of its machines to a command line that knows no providers of others. */
function isSizeKnown(template: ManifestObject): boolean {
  const sizes = ownProviders().flatMap(({ machineSizes }) => machineSizes?.[groupKind(template)] ?? []);
  const size = sizes.at(0)?.(template, new ManifestIndex([template]));
  return size?.cpu !== undefined && size.memory !== undefined;
}

function annotated(manifest: { readonly metadata?: { readonly annotations?: object } }, text: string): object {
  const { metadata } = manifest;
  return { ...manifest, metadata: { ...metadata, annotations: { [CAPACITY_ANNOTATION]: text, ...metadata?.annotations } } };
}

const CAPACITY = new ConstructSlot<MachineCapacity>('TemplateCapacity');

/** Records the capacity of the machines of a template, for code that has only the template: its manifest may name only an instance type. */
export function noteCapacity(template: ApiObject, capacity: MachineCapacity | undefined): void {
  CAPACITY.set(template, capacity);
}

/** The recorded capacity of a template; undefined if there is none. */
export function notedCapacity(template: ApiObject): MachineCapacity | undefined {
  return CAPACITY.get(template);
}
