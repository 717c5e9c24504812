import { virtualMachine } from './rules/kubevirt-objects';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { ManifestIndex } from '../../rules/manifest-index';
import { MachineDevices, MachineSize } from '../../rules/provider';
import { fieldAt, isSet, objectsAt, numberAt, stringAt } from '../../values/fields';
import { NANO, parseQuantity } from '../../values/quantity';

const INSTANCE_TYPE_GROUP = 'instancetype.kubevirt.io';
const CLUSTER_INSTANCE_TYPE = 'VirtualMachineClusterInstancetype';

/** The size of the machines of a `KubevirtMachineTemplate`, with its instance type as far as that is among the manifests. */
export function machineSize(template: ManifestObject, index: ManifestIndex): MachineSize {
  const machine = virtualMachine(template).fields;
  const domain = fieldAt(machine, 'template', 'spec', 'domain');
  const instanceType = stringAt(machine, 'instancetype', 'name');
  const type = instanceType === undefined ? undefined : typeOf(machine, instanceType, namespaceOf(template), index);
  const own = devicesOf(domain, 'devices', 'gpus');
  // An instance type that is not among the manifests may bring some.
  const ofType = type === undefined ? undefined : devicesOf(type, 'gpus');
  return {
    instanceType,
    cpu: processorsOf(domain) ?? numberAt(type, 'cpu', 'guest'),
    memory: memoryOf(domain) ?? bytesAt(type, 'memory', 'guest'),
    gpus: own.length > 0 || instanceType === undefined ? own : ofType,
  };
}

/** What an instance type says, if it is among the manifests (without a kind it is one of the whole cluster, says KubeVirt's schema). */
function typeOf(machine: unknown, name: string, namespace: string | undefined, index: ManifestIndex): unknown {
  const kind = stringAt(machine, 'instancetype', 'kind') ?? CLUSTER_INSTANCE_TYPE;
  const place = kind.toLowerCase() === CLUSTER_INSTANCE_TYPE.toLowerCase() ? undefined : namespace;
  return index.find(`${INSTANCE_TYPE_GROUP}/${kind}`, place, name)?.spec;
}

/** Sockets, cores and threads, each one if it is left out; where all are, KubeVirt takes what the resources say, and that rounds. */
function processorsOf(domain: unknown): number | undefined {
  const counts = ['sockets', 'cores', 'threads'].map((field) => numberAt(domain, 'cpu', field));
  if (counts.some((count) => count !== undefined && count < 1)) return undefined;
  const product = counts.reduce<number>((soFar, count) => soFar * (count ?? 1), 1);
  return counts.every((count) => count === undefined) || !Number.isSafeInteger(product) ? undefined : product;
}

function memoryOf(domain: unknown): number | undefined {
  // Without a size of its own the guest gets what is requested for it.
  return isSet(domain, 'memory', 'guest') ? bytesAt(domain, 'memory', 'guest') : bytesAt(domain, 'resources', 'requests', 'memory');
}

function bytesAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  const bytes = typeof found === 'string' || typeof found === 'number' ? parseQuantity(`${found}`) : undefined;
  return bytes === undefined || bytes < 0n ? undefined : Number(bytes / NANO);
}

function devicesOf(value: unknown, ...path: readonly string[]): MachineDevices[] {
  const counts = new Map<string, number>();
  for (const [device] of objectsAt(value, ...path)) {
    const name = stringAt(device, 'deviceName');
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}
