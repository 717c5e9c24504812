import { typeOf } from './machine-size';
import { virtualMachine } from './rules/kubevirt-objects';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, Fields, isFields, isSet, listAt, numberAt, stringAt } from '../../values/fields';
import { parseQuantity } from '../../values/quantity';

/**
 * A template with everything of its instance type that decides over the pod of a machine.
 *
 * Source: kubevirt/kubevirt pkg/instancetype/apply (cpu.go, memory.go, gpu.go, hostdevice.go), staging/src/kubevirt.io/api/instancetype/v1beta1/types.go.
 */
export function withInstanceType(template: ManifestObject, index: ManifestIndex): ManifestObject {
  const { fields: machine, path } = virtualMachine(template);
  const name = stringAt(machine, 'instancetype', 'name');
  const type = name === undefined ? undefined : typeOf(machine, name, namespaceOf(template), index);
  if (!isFields(type)) return template;
  const instance = objectAt(machine, 'template', 'spec');
  const domain = objectAt(instance, 'domain');
  const nodeSelector = { ...objectAt(type, 'nodeSelector'), ...objectAt(instance, 'nodeSelector') };
  const own = { ...instance, ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }), domain: domainOf(domain, type) };
  return replaced(template, [...path, 'template', 'spec'], own) as ManifestObject;
}

function domainOf(domain: Fields, type: Fields): Fields {
  const memory = requestedMemory(type);
  const pages = fieldAt(type, 'memory', 'hugepages');
  const devices = objectAt(domain, 'devices');
  const both = (field: string) => [...listAt(type, field), ...listAt(devices, field)];
  return {
    ...domain,
    cpu: { ...objectAt(domain, 'cpu'), ...(fieldAt(type, 'cpu', 'dedicatedCPUPlacement') === true && { dedicatedCpuPlacement: true }) },
    memory: { ...objectAt(domain, 'memory'), ...(isFields(pages) && { hugepages: pages }) },
    devices: { ...devices, gpus: both('gpus'), hostDevices: both('hostDevices') },
    ...(memory !== undefined && { resources: { ...objectAt(domain, 'resources'), requests: { ...objectAt(domain, 'resources', 'requests'), memory } } }),
  };
}

/** The memory that the pod requests for the guest where the instance type overcommits it. */
function requestedMemory(type: Fields): string | undefined {
  const percentage = numberAt(type, 'memory', 'overcommitPercent') ?? 0;
  const guest = isSet(type, 'memory', 'guest') ? parseQuantity(String(fieldAt(type, 'memory', 'guest'))) : undefined;
  if (guest === undefined || percentage <= 0 || percentage > 100) return undefined;
  return `${guest * BigInt(100 - percentage) / 100n / 1_000_000_000n}`;
}

function objectAt(value: unknown, ...path: readonly string[]): Fields {
  const found = fieldAt(value, ...path);
  return isFields(found) ? found : {};
}

function replaced(value: unknown, [field, ...rest]: readonly (string | number)[], given: unknown): unknown {
  if (field === undefined) return given;
  const fields = isFields(value) ? value : {};
  return { ...fields, [field]: replaced(fields[field], rest, given) };
}
