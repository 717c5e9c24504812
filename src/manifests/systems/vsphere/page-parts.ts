import { ManifestObject } from '../../objects/manifest-object';
import { call, instance, listOf, PageCall, sizeOf } from '../../rules/page-expression';
import { AdoptedCluster, PageParts } from '../../rules/page-parts';
import { fieldAt, objectsAt, numberAt, stringAt, stringsAt } from '../../values/fields';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE = ['spec', 'template', 'spec'];
const [MEBIBYTE, GIBIBYTE] = [1024 ** 2, 1024 ** 3];

/** Reads a machine template; undefined if it states no template, CPUs or memory. */
function machine(object: ManifestObject): PageCall | undefined {
  const text = (field: string) => stringAt(object, ...MACHINE, field);
  const [cpu, memory, disk] = ['numCPUs', 'memoryMiB', 'diskGiB'].map((field) => numberAt(object, ...MACHINE, field));
  const devices = objectsAt(object, ...MACHINE, 'network', 'devices').map(([device]) => ({
    network: stringAt(device, 'networkName') ?? '',
    dhcp4: device.dhcp4 === true ? true : undefined,
    dhcp6: device.dhcp6 === true ? true : undefined,
    nameservers: listOf(stringsAt(device, 'nameservers').map(([server]) => server)),
    mtu: numberAt(device, 'mtu'),
  }));
  const template = text('template');
  if (template === undefined || cpu === undefined || memory === undefined || devices.length === 0) return undefined;
  return instance('vsphere.VSphereMachine', {
    template,
    cpu,
    coresPerSocket: numberAt(object, ...MACHINE, 'numCoresPerSocket'),
    memory: sizeOf(memory * MEBIBYTE),
    disk: disk === undefined || text('cloneMode') === 'linkedClone' ? undefined : sizeOf(disk * GIBIBYTE),
    networkDevices: devices,
    datastore: text('datastore'),
    storagePolicy: text('storagePolicyName'),
    folder: text('folder'),
    resourcePool: text('resourcePool'),
    hardwareVersion: text('hardwareVersion'),
    tagIds: listOf(stringsAt(object, ...MACHINE, 'tagIDs').map(([id]) => id)),
  });
}

/** Reads a cluster; the datacenter is that of the machines. What the tenant gets beside it is that of the input. */
function infrastructure(object: ManifestObject, { index }: AdoptedCluster): PageCall | undefined {
  const server = stringAt(object, 'spec', 'server');
  const datacenter = index.all(`${GROUP}/VSphereMachineTemplate`).map((template) => stringAt(template, ...MACHINE, 'datacenter')).find((name) => name !== undefined);
  if (server === undefined || datacenter === undefined) return undefined;
  const [kind, name] = ['kind', 'name'].map((field) => stringAt(object, 'spec', 'identityRef', field));
  return instance('vsphere.VSphereInfrastructure', {
    server,
    datacenter,
    thumbprint: stringAt(object, 'spec', 'thumbprint'),
    identity: name === undefined ? undefined : call(`vsphere.VSphereIdentity.${kind === 'Secret' ? 'secret' : 'clusterIdentity'}`, name),
    clusterModules: fieldAt(object, 'spec', 'disableClusterModule') === true ? false : undefined,
    cloudControllerManager: call('ProviderChart.external'),
    csiDriver: call('ProviderChart.external'),
  });
}

/** The classes of pages that make vSphere's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [`${GROUP}/VSphereCluster`]: infrastructure },
  machines: { [`${GROUP}/VSphereMachineTemplate`]: machine },
};
