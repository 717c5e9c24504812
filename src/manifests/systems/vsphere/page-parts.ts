import { VSPHERE_API_VERSION, VSPHERE_CLUSTER_KIND, VSPHERE_MACHINE_TEMPLATE } from './vsphere-objects';
import { call, EXTERNAL_PROGRAMS, ObjectForm, stringAt, TEMPLATE_FIELDS } from '../../rules/contract';

/** Virtual machines, and the template that makes them. */
export const MACHINE: ObjectForm = {
  apiVersion: VSPHERE_API_VERSION,
  kind: 'VSphereMachineTemplate',
  className: 'vsphere.VSphereMachine',
  required: ['template', 'cpu', 'memory', 'networkDevices'],
  properties: {
    template: 'template',
    cpu: { field: 'numCPUs', as: 'number' },
    coresPerSocket: { field: 'numCoresPerSocket', as: 'number' },
    memory: { field: 'memoryMiB', as: 'MiB' },
    disk: { field: 'diskGiB', as: 'GiB', read: (_, fields) => (fields.text('cloneMode') === 'linkedClone' ? undefined : fields.typed('GiB', 'diskGiB')) },
    dataDisks: {
      field: 'dataDisks', each: { required: ['name', 'size'], properties: { name: 'name', size: { field: 'sizeGiB', as: 'GiB' }, provisioning: 'provisioningMode' } },
    },
    networkDevices: {
      field: 'network.devices',
      each: {
        required: ['network'],
        properties: {
          network: 'networkName',
          dhcp4: 'dhcp4',
          dhcp6: { field: 'dhcp6', usual: false },
          addressPools: { field: 'addressesFromPools', items: true },
          nameservers: { field: 'nameservers', as: 'texts' },
          searchDomains: { field: 'searchDomains', as: 'texts' },
          mtu: { field: 'mtu', as: 'number' },
        },
      },
    },
    datastore: 'datastore',
    storagePolicy: 'storagePolicyName',
    folder: 'folder',
    resourcePool: 'resourcePool',
    stopTimeout: { field: 'guestSoftPowerOffTimeoutSeconds', as: 'seconds' },
    hardwareVersion: 'hardwareVersion',
    pciDevices: { field: 'pciDevices', items: true },
    tagIds: { field: 'tagIDs', as: 'texts' },
  },
};

/** The infrastructure, whose data center is that of the machines. What the tenant gets beside it is that of the input. */
export const CLUSTER: ObjectForm = {
  apiVersion: VSPHERE_API_VERSION,
  kind: VSPHERE_CLUSTER_KIND,
  className: 'vsphere.VSphereInfrastructure',
  required: ['server', 'datacenter'],
  properties: {
    server: 'server',
    thumbprint: 'thumbprint',
    identity: {
      field: 'identityRef',
      read: (identity) => {
        const name = stringAt(identity, 'name');
        return name === undefined ? undefined : call(`vsphere.VSphereIdentity.${stringAt(identity, 'kind') === 'Secret' ? 'secret' : 'clusterIdentity'}`, name);
      },
    },
    zoneLabels: 'failureDomainSelector.matchLabels',
    clusterModules: { field: 'disableClusterModule', read: (isOff) => (isOff === true ? false : undefined) },
  },
  beside: (_, { index }) => ({
    datacenter: index.all(VSPHERE_MACHINE_TEMPLATE).map((template) => stringAt(template, ...TEMPLATE_FIELDS, 'datacenter')).find((name) => name !== undefined),
    ...EXTERNAL_PROGRAMS,
  }),
};
