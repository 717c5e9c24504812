import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, objectsAt, stringAt } from '../../values/fields';

/** Keys of `ds.meta_data` on the machines of an infrastructure, with `_` for each other character, as in Jinja. */
export interface MachineData {
  readonly keys: readonly string[];

  /** Upstream source of them: project and file. */
  readonly source: string;
}

// canonical/cloud-init cloudinit/sources/helpers/openstack.py (KEY_COPIES): a config drive has these beside what is in its meta_data.json.
const CONFIG_DRIVE: readonly string[] = ['dsmode', 'instance_id', 'local_hostname', 'public_keys', 'random_seed'];

/** Infrastructures, by the kind of their templates, whose metadata is known in full. */
const BY_TEMPLATE: Readonly<Record<string, MachineData>> = {
  KubevirtMachineTemplate: {
    keys: [...CONFIG_DRIVE, 'devices', 'hostname', 'instance_type', 'uuid'],
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go (cloudInitConfigDrive), kubevirt/kubevirt pkg/cloud-init/cloud-init.go (ConfigDriveMetadata)',
  },
  NutanixMachineTemplate: {
    keys: [...CONFIG_DRIVE, 'hostname', 'uuid'],
    source: 'nutanix-cloud-native/cluster-api-provider-nutanix controllers/nutanixmachine_controller.go (metadata)',
  },
  GCPMachineTemplate: {
    keys: ['availability_zone', 'instance_id', 'local_hostname', 'public_keys'],
    source: 'canonical/cloud-init cloudinit/sources/DataSourceGCE.py',
  },
  OpenStackMachineTemplate: {
    keys: [
      ...CONFIG_DRIVE, 'auto_disk_config', 'availability_zone', 'dedicated_cpus', 'devices', 'files', 'hostname', 'keys', 'launch_index', 'meta', 'name',
      'network_config', 'project_id', 'security_groups', 'uuid', 'vendor_data', 'admin_pass',
    ],
    source: 'openstack/nova nova/api/metadata/base.py',
  },
};

const METAL3_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3MachineTemplate';
const PROXMOX_TEMPLATE = 'infrastructure.cluster.x-k8s.io/ProxmoxMachineTemplate';
const VSPHERE_TEMPLATE = 'infrastructure.cluster.x-k8s.io/VSphereMachineTemplate';

// The image of NoCloud has what the provider writes; cloud-init adds the mode of the data source.
const PROXMOX_KEYS: readonly string[] = ['dsmode', 'hostname', 'instance_id', 'kubernetes_version', 'local_hostname'];

// Keys that the provider writes into guestinfo.metadata, and that cloud-init finds on the machine.
const VSPHERE_KEYS: readonly string[] = ['hostname', 'instance_id', 'local_hostname', 'local_ipv4', 'local_ipv6', 'network', 'wait_on_network'];

// metal3-io/baremetal-operator internal/controller/metal3.io (the config drive of a host)
const METAL3_KEYS: readonly string[] = [...CONFIG_DRIVE, 'metal3_name', 'metal3_namespace', 'name', 'providerid', 'uuid'];
const DATA_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3DataTemplate';

/**
 * Lists what machines of a template know of themselves; undefined if that is not known.
 *
 * @param reference `group/Kind` and name of the template
 * @param owner who makes machines from it
 */
export function machineData(
  reference: { readonly kind: string; readonly name: string }, owner: ManifestObject, index: ManifestIndex,
): MachineData | undefined {
  const template = index.find(reference.kind, namespaceOf(owner), reference.name);
  switch (reference.kind) {
    case METAL3_TEMPLATE: return template && metal3Data(template, index);
    case PROXMOX_TEMPLATE: return template && proxmoxData(template);
    case VSPHERE_TEMPLATE: return template && vsphereData(template);
    default: {
      const kind = reference.kind.slice(reference.kind.indexOf('/') + 1);
      return Object.hasOwn(BY_TEMPLATE, kind) ? BY_TEMPLATE[kind] : undefined;
    }
  }
}

function metal3Data(template: ManifestObject, index: ManifestIndex): MachineData | undefined {
  const own = dataTemplateKeys(template, index);
  return own && { keys: [...METAL3_KEYS, ...own], source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3data_manager.go (renderMetaData)' };
}

/** The identifier for the kubelet is there only where the template asks for it. */
function proxmoxData(template: ManifestObject): MachineData {
  const isInjected = fieldAt(template, 'spec', 'template', 'spec', 'metadataSettings', 'providerIDInjection') === true;
  return {
    keys: isInjected ? [...PROXMOX_KEYS, 'provider_id'] : PROXMOX_KEYS,
    source: 'ionos-cloud/cluster-api-provider-proxmox pkg/cloudinit/metadata.go, canonical/cloud-init cloudinit/sources/DataSourceNoCloud.py',
  };
}

/** Keys of the user may replace the metadata of the provider. */
function vsphereData(template: ManifestObject): MachineData | undefined {
  const keys = fieldAt(template, 'spec', 'template', 'spec', 'customVMXKeys');
  if (isFields(keys) && Object.keys(keys).some((key) => key.startsWith('guestinfo.'))) return undefined;
  return {
    keys: VSPHERE_KEYS,
    source: 'kubernetes-sigs/cluster-api-provider-vsphere pkg/util/constants.go (metadataFormat), canonical/cloud-init cloudinit/sources/DataSourceVMware.py',
  };
}

/** The keys of the Metal3DataTemplate of a template; undefined where it may add some that are not read. */
function dataTemplateKeys(template: ManifestObject, index: ManifestIndex): string[] | undefined {
  const spec = fieldAt(template, 'spec', 'template', 'spec');
  if (isFields(fieldAt(spec, 'metaData'))) return undefined;
  const name = stringAt(spec, 'dataTemplate', 'name');
  if (name === undefined) return [];
  const data = index.find(DATA_TEMPLATE, namespaceOf(template), name);
  const lists = data && fieldAt(data, 'spec', 'metaData');
  if (!data) return undefined;
  if (!isFields(lists)) return [];
  return Object.keys(lists).flatMap((list) => objectsAt(lists, list).flatMap(([entry]) => stringAt(entry, 'key')?.replace(/\W/g, '_') ?? []));
}
