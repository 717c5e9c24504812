import { VSPHERE_CLUSTER, VSPHERE_MACHINE_TEMPLATE } from './vsphere-objects';
import { call, EXTERNAL_PROGRAMS, FieldReader, instance, PageParts, PartOf, stringAt, TEMPLATE_FIELDS } from '../../rules/contract';

/** Reads a machine template; undefined if it states no template, CPUs or memory. */
const machine: PartOf = (object) => {
  const fields = new FieldReader(object, TEMPLATE_FIELDS);
  const [template, cpu, memory] = [fields.text('template'), fields.number('numCPUs'), fields.mebibytes('memoryMiB')];
  const networkDevices = fields.each('network', 'devices').map((device) => ({
    network: device.text('networkName') ?? '',
    dhcp4: device.unless(false, 'dhcp4'),
    dhcp6: device.unless(false, 'dhcp6'),
    nameservers: device.texts('nameservers'),
    mtu: device.number('mtu'),
  }));
  if (template === undefined || cpu === undefined || !memory || networkDevices.length === 0) return undefined;
  return instance('vsphere.VSphereMachine', {
    template,
    cpu,
    coresPerSocket: fields.number('numCoresPerSocket'),
    memory,
    disk: fields.text('cloneMode') === 'linkedClone' ? undefined : fields.gibibytes('diskGiB'),
    networkDevices,
    datastore: fields.text('datastore'),
    storagePolicy: fields.text('storagePolicyName'),
    folder: fields.text('folder'),
    resourcePool: fields.text('resourcePool'),
    hardwareVersion: fields.text('hardwareVersion'),
    tagIds: fields.texts('tagIDs'),
  });
};

/** Reads a cluster; the datacenter is that of the machines. What the tenant gets beside it is that of the input. */
const infrastructure: PartOf = (object, { index }) => {
  const spec = new FieldReader(object, ['spec']);
  const [server, identity] = [spec.text('server'), spec.text('identityRef', 'name')];
  const datacenter = index.all(VSPHERE_MACHINE_TEMPLATE).map((template) => stringAt(template, ...TEMPLATE_FIELDS, 'datacenter')).find((name) => name !== undefined);
  if (server === undefined || datacenter === undefined) return undefined;
  return instance('vsphere.VSphereInfrastructure', {
    server,
    datacenter,
    thumbprint: spec.text('thumbprint'),
    identity: identity === undefined ? undefined
      : call(`vsphere.VSphereIdentity.${spec.text('identityRef', 'kind') === 'Secret' ? 'secret' : 'clusterIdentity'}`, identity),
    clusterModules: spec.value('disableClusterModule') === true ? false : undefined,
    ...EXTERNAL_PROGRAMS,
  });
};

/** The classes of pages that make vSphere's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [VSPHERE_CLUSTER]: infrastructure },
  machines: { [VSPHERE_MACHINE_TEMPLATE]: machine },
};
