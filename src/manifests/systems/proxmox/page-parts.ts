import { ManifestObject } from '../../objects/manifest-object';
import { call, instance, listOf, PageCall, PageFields, sizeOf } from '../../rules/page-expression';
import { PageParts } from '../../rules/page-parts';
import { fieldAt, isFields, numberAt, objectsAt, stringAt, stringsAt } from '../../values/fields';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE = ['spec', 'template', 'spec'];
const [MEBIBYTE, GIBIBYTE] = [1024 ** 2, 1024 ** 3];

/** Reads a machine template; undefined if it is not cloned from a template by its number, or states no size. */
function machine(object: ManifestObject): PageCall | undefined {
  const number = (...path: readonly string[]) => numberAt(object, ...MACHINE, ...path);
  const [id, node] = [number('templateID'), stringAt(object, ...MACHINE, 'sourceNode')];
  const tags = stringsAt(object, ...MACHINE, 'templateSelector', 'matchTags').map(([tag]) => tag);
  const [cores, memory] = [number('numCores'), number('memoryMiB')];
  const template = id !== undefined && node !== undefined ? call('proxmox.ProxmoxTemplate.id', id, node)
    : tags.length > 0 ? call('proxmox.ProxmoxTemplate.tags', tags) : undefined;
  const devices = objectsAt(object, ...MACHINE, 'network', 'networkDevices').map(([device]): PageFields => (
    { bridge: stringAt(device, 'bridge') ?? '', vlan: numberAt(device, 'vlan'), mtu: numberAt(device, 'mtu') }));
  if (!template || cores === undefined || memory === undefined || devices.length === 0) return undefined;
  const [device, size] = [stringAt(object, ...MACHINE, 'disks', 'bootVolume', 'disk'), number('disks', 'bootVolume', 'sizeGb')];
  const sockets = number('numSockets');
  const range = fieldAt(object, ...MACHINE, 'vmIDRange');
  return instance('proxmox.ProxmoxMachine', {
    template,
    cores,
    sockets: sockets === 1 ? undefined : sockets,
    memory: sizeOf(memory * MEBIBYTE),
    networkDevices: devices,
    bootDisk: device === undefined || size === undefined ? undefined : { device, size: sizeOf(size * GIBIBYTE) },
    fullClone: fieldAt(object, ...MACHINE, 'full') === false ? false : undefined,
    storage: stringAt(object, ...MACHINE, 'storage'),
    resourcePool: stringAt(object, ...MACHINE, 'pool'),
    ids: isFields(range) ? { start: numberAt(range, 'start'), end: numberAt(range, 'end') } : undefined,
    allowedNodes: listOf(stringsAt(object, ...MACHINE, 'allowedNodes').map(([name]) => name)),
    tags: listOf(stringsAt(object, ...MACHINE, 'tags').map(([tag]) => tag)),
    description: stringAt(object, ...MACHINE, 'description'),
  });
}

/** Reads a cluster; undefined without DNS servers or addresses. What the tenant gets beside it is that of the input. */
function infrastructure(object: ManifestObject): PageCall | undefined {
  const dnsServers = stringsAt(object, 'spec', 'dnsServers').map(([server]) => server);
  const [ipv4, ipv6] = ['ipv4Config', 'ipv6Config'].map((field) => addresses(fieldAt(object, 'spec', field)));
  if (dnsServers.length === 0 || (!ipv4 && !ipv6)) return undefined;
  return instance('proxmox.ProxmoxInfrastructure', {
    ipv4,
    ipv6,
    dnsServers,
    allowedNodes: listOf(stringsAt(object, 'spec', 'allowedNodes').map(([node]) => node)),
    memoryPercentage: numberAt(object, 'spec', 'schedulerHints', 'memoryAdjustment'),
    credentialsSecret: stringAt(object, 'spec', 'credentialsRef', 'name'),
    cloudControllerManager: call('ProviderChart.external'),
    csiDriver: call('ProviderChart.external'),
  });
}

function addresses(given: unknown): PageFields | undefined {
  const [prefix, gateway] = [numberAt(given, 'prefix'), stringAt(given, 'gateway')];
  if (prefix === undefined || gateway === undefined) return undefined;
  return { addresses: stringsAt(given, 'addresses').map(([range]) => range), prefix, gateway, metric: numberAt(given, 'metric') };
}

/** The classes of pages that make the objects of Proxmox VE. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [`${GROUP}/ProxmoxCluster`]: infrastructure },
  machines: { [`${GROUP}/ProxmoxMachineTemplate`]: machine },
};
