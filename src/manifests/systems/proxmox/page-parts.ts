import { PROXMOX_API_VERSION, PROXMOX_CLUSTER_KIND } from './proxmox-objects';
import { call, ClassForm, EXTERNAL_PROGRAMS, ObjectForm } from '../../rules/contract';

/** Virtual machines, and the template that makes them. The template that they are cloned from is in several fields. */
export const MACHINE: ObjectForm = {
  apiVersion: PROXMOX_API_VERSION,
  kind: 'ProxmoxMachineTemplate',
  className: 'proxmox.ProxmoxMachine',
  required: ['template', 'cores', 'memory', 'networkDevices'],
  properties: {
    template: {
      field: 'templateID',
      read: (_, fields) => {
        const [id, node, tags] = [fields.number('templateID'), fields.text('sourceNode'), fields.texts('templateSelector', 'matchTags')];
        return id !== undefined && node !== undefined ? call('proxmox.ProxmoxTemplate.id', id, node) : tags && call('proxmox.ProxmoxTemplate.tags', tags);
      },
    },
    cores: { field: 'numCores', as: 'number' },
    sockets: { field: 'numSockets', as: 'number', usual: 1 },
    memory: { field: 'memoryMiB', as: 'MiB' },
    networkDevices: {
      field: 'network.networkDevices',
      each: {
        required: ['bridge'],
        properties: {
          // It is given by the place in the list.
          name: { field: 'name', read: () => undefined },
          bridge: 'bridge',
          vlan: { field: 'vlan', as: 'number' },
          model: { field: 'model', usual: 'virtio' },
          mtu: { field: 'mtu', as: 'number' },
          addressPools: { field: 'ipPoolRef', items: true },
          dnsServers: { field: 'dnsServers', as: 'texts' },
        },
      },
    },
    bootDisk: { field: 'disks.bootVolume', of: { required: ['device', 'size'], properties: { device: 'disk', size: { field: 'sizeGb', as: 'GiB' } } } },
    fullClone: { field: 'full', usual: true },
    storage: 'storage',
    zone: 'network.zone',
    resourcePool: 'pool',
    ids: 'vmIDRange',
    allowedNodes: { field: 'allowedNodes', as: 'texts' },
    tags: { field: 'tags', as: 'texts' },
    description: 'description',
    skipCloudInitStatus: 'checks.skipCloudInitStatus',
  },
};

const ADDRESSES: ClassForm = {
  required: ['addresses', 'prefix', 'gateway'],
  properties: { addresses: { field: 'addresses', as: 'texts' }, prefix: { field: 'prefix', as: 'number' }, gateway: 'gateway', metric: { field: 'metric', as: 'number', usual: 100 } },
};

const NETWORKS: ClassForm = {
  required: ['dnsServers'],
  properties: { dnsServers: { field: 'dnsServers', as: 'texts' }, ipv4: { field: 'ipv4Config', of: ADDRESSES }, ipv6: { field: 'ipv6Config', of: ADDRESSES } },
};

/** The infrastructure. What the tenant gets beside it is that of the input. */
export const CLUSTER: ObjectForm = {
  apiVersion: PROXMOX_API_VERSION,
  kind: PROXMOX_CLUSTER_KIND,
  className: 'proxmox.ProxmoxInfrastructure',
  required: NETWORKS.required,
  properties: {
    ...NETWORKS.properties,
    zones: { field: 'zoneConfig', each: { required: ['name', 'dnsServers'], properties: { name: 'zone', ...NETWORKS.properties } } },
    allowedNodes: { field: 'allowedNodes', as: 'texts' },
    memoryPercentage: { field: 'schedulerHints.memoryAdjustment', as: 'number' },
    credentialsSecret: 'credentialsRef.name',
  },
  beside: () => EXTERNAL_PROGRAMS,
};
