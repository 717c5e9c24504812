import { PROXMOX_CLUSTER, PROXMOX_MACHINE_TEMPLATE } from './proxmox-objects';
import { call, EXTERNAL_PROGRAMS, fieldAt, FieldReader, instance, PageFields, PageParts, PartOf, TEMPLATE_FIELDS } from '../../rules/contract';

/** Reads a machine template; undefined if it is not cloned from a template by its number, or states no size. */
const machine: PartOf = (object) => {
  const fields = new FieldReader(object, TEMPLATE_FIELDS);
  const [id, node, tags] = [fields.number('templateID'), fields.text('sourceNode'), fields.texts('templateSelector', 'matchTags')];
  const [cores, memory] = [fields.number('numCores'), fields.mebibytes('memoryMiB')];
  const template = id !== undefined && node !== undefined ? call('proxmox.ProxmoxTemplate.id', id, node) : tags && call('proxmox.ProxmoxTemplate.tags', tags);
  const networkDevices = fields.each('network', 'networkDevices').map((device): PageFields => (
    { bridge: device.text('bridge') ?? '', vlan: device.number('vlan'), mtu: device.number('mtu') }));
  if (!template || cores === undefined || !memory || networkDevices.length === 0) return undefined;
  const [device, size] = [fields.text('disks', 'bootVolume', 'disk'), fields.gibibytes('disks', 'bootVolume', 'sizeGb')];
  const range = fields.below('vmIDRange');
  const sockets = fields.number('numSockets');
  return instance('proxmox.ProxmoxMachine', {
    template,
    cores,
    sockets: sockets === 1 ? undefined : sockets,
    memory,
    networkDevices,
    bootDisk: device === undefined || !size ? undefined : { device, size },
    fullClone: fields.unless(true, 'full'),
    storage: fields.text('storage'),
    resourcePool: fields.text('pool'),
    ids: range && { start: range.number('start'), end: range.number('end') },
    allowedNodes: fields.texts('allowedNodes'),
    tags: fields.texts('tags'),
    description: fields.text('description'),
    skipCloudInitStatus: fieldAt(object, ...TEMPLATE_FIELDS, 'checks', 'skipCloudInitStatus') === true ? true : undefined,
  });
};

/** Reads a cluster; undefined without DNS servers or addresses. What the tenant gets beside it is that of the input. */
const infrastructure: PartOf = (object) => {
  const spec = new FieldReader(object, ['spec']);
  const dnsServers = spec.texts('dnsServers');
  const [ipv4, ipv6] = ['ipv4Config', 'ipv6Config'].map((field) => addresses(spec.below(field)));
  if (!dnsServers || (!ipv4 && !ipv6)) return undefined;
  return instance('proxmox.ProxmoxInfrastructure', {
    ipv4,
    ipv6,
    dnsServers,
    allowedNodes: spec.texts('allowedNodes'),
    memoryPercentage: spec.number('schedulerHints', 'memoryAdjustment'),
    credentialsSecret: spec.text('credentialsRef', 'name'),
    ...EXTERNAL_PROGRAMS,
  });
};

function addresses(given: FieldReader | undefined): PageFields | undefined {
  const [prefix, gateway] = [given?.number('prefix'), given?.text('gateway')];
  return prefix === undefined || gateway === undefined ? undefined : { addresses: given?.texts('addresses') ?? [], prefix, gateway, metric: given?.number('metric') };
}

/** The classes of pages that make the objects of Proxmox VE. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [PROXMOX_CLUSTER]: infrastructure },
  machines: { [PROXMOX_MACHINE_TEMPLATE]: machine },
};
