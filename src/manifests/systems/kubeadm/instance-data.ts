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
  const kind = reference.kind.slice(reference.kind.indexOf('/') + 1);
  if (kind !== 'Metal3MachineTemplate') return Object.hasOwn(BY_TEMPLATE, kind) ? BY_TEMPLATE[kind] : undefined;
  const template = index.find(reference.kind, namespaceOf(owner), reference.name);
  const own = template && dataTemplateKeys(template, index);
  return own && { keys: [...METAL3_KEYS, ...own], source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3data_manager.go (renderMetaData)' };
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
