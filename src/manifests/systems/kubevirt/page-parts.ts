import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { call, constant, duration, fieldsOf, instance, listOf, PageCall, PageConstant, PageExpression, PageFields, sizeOf } from '../../rules/page-expression';
import { AdoptedCluster, PageParts } from '../../rules/page-parts';
import { fieldAt, Fields, isFields, isSet, listAt, numberAt, objectsAt, stringAt } from '../../values/fields';
import { NANO, parseQuantity } from '../../values/quantity';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE = ['spec', 'template', 'spec', 'virtualMachineTemplate', 'spec'];
const INSTANCE = [...MACHINE, 'template', 'spec'];

const EVICTION_STRATEGIES: Readonly<Record<string, string>> = {
  LiveMigrate: 'LIVE_MIGRATE', LiveMigrateIfPossible: 'LIVE_MIGRATE_IF_POSSIBLE', None: 'NONE',
};

/** Reads a `KubevirtCluster`: the controllers beside the control plane are those of the input. */
function infrastructure(object: ManifestObject, { awaitsCloudController }: AdoptedCluster): PageCall {
  const secret = fieldAt(object, 'spec', 'infraClusterSecretRef');
  const service = fieldAt(object, 'spec', 'controlPlaneServiceTemplate');
  const [name, namespace] = [stringAt(secret, 'name'), stringAt(secret, 'namespace')];
  return instance('KubevirtInfrastructure', {
    infraClusterSecretRef: name === undefined ? undefined : { name, namespace: namespace === namespaceOf(object) ? undefined : namespace },
    controlPlaneService: isFields(service) ? serviceOptions(service) : undefined,
    cloudControllerManager: call(`KubevirtCloudControllerManager.${awaitsCloudController ? 'external' : 'none'}`),
  });
}

function serviceOptions(service: Fields): PageFields {
  const type = stringAt(service, 'spec', 'type');
  return {
    type: type === 'LoadBalancer' ? constant('ControlPlaneServiceType.LOAD_BALANCER') : undefined,
    labels: fieldsOf(fieldAt(service, 'metadata', 'labels')),
    annotations: fieldsOf(fieldAt(service, 'metadata', 'annotations')),
  };
}

/** Reads a `KubevirtMachineTemplate`; undefined if its machines have no root disk or no size that the class can make. */
function machine(object: ManifestObject, _cluster: AdoptedCluster): PageCall | undefined {
  const at = (...path: readonly string[]) => fieldAt(object, ...INSTANCE, ...path);
  const size = sizing(object);
  const disks = objectsAt(object, ...INSTANCE, 'domain', 'devices', 'disks').map(([disk]) => disk);
  const [root] = disks;
  const rootDisk = root && diskSource(object, stringAt(root, 'name') ?? '');
  if (!size || !rootDisk) return undefined;
  const grace = numberAt(object, ...INSTANCE, 'terminationGracePeriodSeconds');
  return instance('KubevirtMachine', {
    ...size,
    rootDisk,
    network: primaryNetwork(object),
    evictionStrategy: enumMember('EvictionStrategy', EVICTION_STRATEGIES, at('evictionStrategy')),
    runStrategy: runStrategy(object, isSet(object, ...MACHINE, 'dataVolumeTemplates')),
    terminationGracePeriod: grace === undefined || grace === 180 ? undefined : duration(grace),
    bootstrapCheck: stringAt(object, 'spec', 'template', 'spec', 'virtualMachineBootstrapCheck', 'checkStrategy') === 'ssh'
      ? constant('BootstrapCheck.SSH') : undefined,
    nodeSelector: fieldsOf(at('nodeSelector')),
    tolerations: listOf(listAt(object, ...INSTANCE, 'tolerations') as PageExpression[]),
    spreadOverHosts: isSet(object, ...INSTANCE, 'topologySpreadConstraints') ? undefined : constant('HostSpread.NONE'),
    priorityClassName: stringAt(object, ...INSTANCE, 'priorityClassName'),
    schedulerName: stringAt(object, ...INSTANCE, 'schedulerName'),
    gpus: listOf(objectsAt(object, ...INSTANCE, 'domain', 'devices', 'gpus').map(([gpu]) => (
      { name: stringAt(gpu, 'name'), deviceName: stringAt(gpu, 'deviceName') }))),
    labels: fieldsOf(fieldAt(object, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'metadata', 'labels')),
    annotations: fieldsOf(fieldAt(object, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'metadata', 'annotations')),
    podAnnotations: fieldsOf(fieldAt(object, ...MACHINE, 'template', 'metadata', 'annotations')),
  });
}

/** CPUs and memory of a machine, or its instance type. */
function sizing(object: ManifestObject): PageFields | undefined {
  const type = fieldAt(object, ...MACHINE, 'instancetype');
  const preference = fieldAt(object, ...MACHINE, 'preference');
  const preferences = {
    preference: stringAt(preference, 'name'),
    preferenceKind: stringAt(preference, 'kind') === 'VirtualMachinePreference' ? constant('PreferenceKind.NAMESPACED') : undefined,
  };
  const cpu = fieldAt(object, ...INSTANCE, 'domain', 'cpu');
  const model = { cpuModel: stringAt(cpu, 'model'), dedicatedCpus: fieldAt(cpu, 'dedicatedCpuPlacement') === true ? true : undefined };
  if (isFields(type)) {
    const kind = stringAt(type, 'kind') === 'VirtualMachineInstancetype' ? constant('InstanceTypeKind.NAMESPACED') : undefined;
    return { instanceType: stringAt(type, 'name'), instanceTypeKind: kind, ...preferences };
  }
  const cores = numberAt(cpu, 'cores');
  const memory = bytesOf(stringAt(object, ...INSTANCE, 'domain', 'memory', 'guest'));
  return cores === undefined || memory === undefined ? undefined : { cpu: cores, memory, ...model, ...preferences };
}

/** A disk whose volume the class can make: an image, or a DataVolume. */
function diskSource(object: ManifestObject, disk: string): PageCall | undefined {
  const [volume] = objectsAt(object, ...INSTANCE, 'volumes').find(([one]) => one.name === disk) ?? [];
  const image = fieldAt(volume, 'containerDisk');
  if (isFields(image)) {
    return call('RootDisk.containerDisk', { image: stringAt(image, 'image'), imagePullSecret: stringAt(image, 'imagePullSecret') });
  }
  const name = stringAt(volume, 'dataVolume', 'name');
  const [template] = objectsAt(object, ...MACHINE, 'dataVolumeTemplates').find(([one]) => stringAt(one, 'metadata', 'name') === name) ?? [];
  const spec = fieldAt(template, 'spec');
  return isFields(spec) ? dataVolume(spec, namespaceOf(object)) : undefined;
}

const CLAIM_FIELDS: readonly string[] = ['storageClassName', 'resources'];

/** A DataVolume by its source; as it is, if it has fields that the options do not. */
function dataVolume(spec: Fields, namespace: string | undefined): PageCall {
  const [storage, source] = [fieldAt(spec, 'storage'), fieldAt(spec, 'source')];
  const size = bytesOf(stringAt(storage, 'resources', 'requests', 'storage'));
  const asIs = call('RootDisk.of', { dataVolumeSpec: spec as PageFields, size });
  const isPlain = isFields(storage) && Object.keys(storage).every((field) => CLAIM_FIELDS.includes(field))
    && Object.keys(spec).every((field) => ['storage', 'source'].includes(field));
  if (!isPlain) return asIs;
  const options = { size, storageClass: stringAt(storage, 'storageClassName') };
  const own = (name: string, ...fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, stringAt(source, name, field)]));
  if (isSet(source, 'http')) return call('RootDisk.http', { ...own('http', 'url', 'secretRef', 'certConfigMap'), ...options });
  if (isSet(source, 'registry') && !isSet(source, 'registry', 'pullMethod')) {
    return call('RootDisk.registry', { ...own('registry', 'url', 'secretRef', 'certConfigMap'), ...options });
  }
  const elsewhere = stringAt(source, 'pvc', 'namespace');
  return isSet(source, 'pvc') ? call('RootDisk.clonePvc', {
    claimName: stringAt(source, 'pvc', 'name'), namespace: elsewhere === namespace ? undefined : elsewhere, ...options,
  }) : asIs;
}

/** The first network of a machine; undefined for the default. */
function primaryNetwork(object: ManifestObject): PageCall | undefined {
  const [network] = objectsAt(object, ...INSTANCE, 'networks').map(([one]) => one);
  const [used] = objectsAt(object, ...INSTANCE, 'domain', 'devices', 'interfaces').map(([one]) => one);
  const networkName = stringAt(network, 'multus', 'networkName');
  if (networkName !== undefined) {
    return call('PrimaryNetwork.multus', { networkName, replacesPodNetwork: fieldAt(network, 'multus', 'default') === true ? true : undefined });
  }
  const binding = stringAt(used, 'binding', 'name');
  return binding === undefined ? undefined : call('PrimaryNetwork.bindingPlugin', binding);
}

function runStrategy(object: ManifestObject, persistent: boolean): PageConstant | undefined {
  const given = stringAt(object, ...MACHINE, 'runStrategy') ?? (fieldAt(object, ...MACHINE, 'running') === true ? 'Always' : undefined);
  if (!persistent && given === 'Once') return undefined;
  return enumMember('RunStrategy', { Always: 'ALWAYS', Once: 'ONCE', RerunOnFailure: 'RERUN_ON_FAILURE' }, given);
}

function enumMember(name: string, members: Readonly<Record<string, string>>, value: unknown): PageConstant | undefined {
  return typeof value === 'string' && Object.hasOwn(members, value) ? constant(`${name}.${members[value]}`) : undefined;
}

function bytesOf(text: string | undefined): PageCall | undefined {
  const amount = text === undefined ? undefined : parseQuantity(text);
  return amount === undefined || amount % NANO !== 0n ? undefined : sizeOf(Number(amount / NANO));
}

/** The classes of pages that make KubeVirt's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [`${GROUP}/KubevirtCluster`]: infrastructure },
  machines: { [`${GROUP}/KubevirtMachineTemplate`]: machine },
};
