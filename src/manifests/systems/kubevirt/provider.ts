import { KUBEVIRT_ALERTS, KUBEVIRT_METRICS } from './alerts';
import { KUBEVIRT_ANNOTATIONS } from './annotations';
import { COMPONENTS } from './components';
import { withInstanceType } from './instance-type';
import { machineDisks, machinePod, machineSize, mayRun, podSizing, singleMachinePod } from './machine-size';
import { clusterMove, machineMove } from './moves';
import { PAGE_PARTS } from './page-parts';
import { CLUSTERS, TENANT_STORAGE } from './rules/clusters';
import { CONTROLLER_RIGHTS, RIGHTS_CHANGE } from './rules/controller-rights';
import { CONTROLLERS } from './rules/controllers';
import { ACCESS_MODE_OF_PROFILE, DATA_VOLUME_SPEC, DISKS } from './rules/disks';
import { HOSTS } from './rules/hosts';
import { IMAGE_VERSION } from './rules/image-version';
import { KUBELETS } from './rules/kubelets';
import { KUBEVIRT_CHANGES } from './rules/kubevirt-changes';
import {
  KUBEVIRT_CLUSTER, KUBEVIRT_CLUSTER_TEMPLATE, KUBEVIRT_MACHINE, KUBEVIRT_MACHINE_TEMPLATE, VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE,
} from './rules/kubevirt-objects';
import { MACHINES } from './rules/machines';
import { MANAGEMENT_NETWORK } from './rules/management-network';
import { movingField } from './rules/migration';
import { NAMES, TEMPLATE_METADATA } from './rules/names';
import { NETWORK } from './rules/network';
import { COUNTED, POOLS, runsElsewhere } from './rules/pools';
import { acceptedAnnotations, PUBLISHED_SERVICES } from './rules/published-services';
import { METADATA_FIELDS } from './rules/template-metadata';
import { VIRTUAL_MACHINES } from './rules/virtual-machines';
import { virtualMachineConsequences, virtualMachineEffects } from './virtual-machine-changes';
import { ManifestObject } from '../../objects/manifest-object';
import { PublishedService } from '../../rules/cluster-facts';
import { ImageFacts, ImageField, RegistryField, wholeNames } from '../../rules/image-facts';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { sameFields } from '../../rules/stored-form';
import { FieldPath, isSet, matchingPaths, objectsAt, stringAt } from '../../values/fields';

const DOCKER = 'docker://';
const POD_TEMPLATE = 'spec/template/spec';

/** Operators that read the images of their operands from variables named `…_IMAGE`. */
const OPERATORS: readonly string[] = ['cdi-operator', 'virt-operator'];

/** Images of KubeVirt and of its importer of disks. */
const IMAGES: Readonly<Record<string, ImageFacts>> = {
  [VIRTUAL_MACHINE]: virtualMachines('spec'),
  'pool.kubevirt.io/VirtualMachinePool': virtualMachines('spec/virtualMachineTemplate/spec'),
  [KUBEVIRT_MACHINE]: virtualMachines('spec/virtualMachineTemplate/spec'),
  [KUBEVIRT_MACHINE_TEMPLATE]: virtualMachines('spec/template/spec/virtualMachineTemplate/spec'),
  [VIRTUAL_MACHINE_INSTANCE]: { fields: (object) => instanceFields(object, 'spec') },
  'kubevirt.io/VirtualMachineInstanceReplicaSet': { fields: (object) => instanceFields(object, POD_TEMPLATE) },
  'cdi.kubevirt.io/DataVolume': { fields: (object) => volumeFields(object, 'spec') },
  'cdi.kubevirt.io/DataImportCron': { fields: (object) => volumeFields(object, POD_TEMPLATE) },
  'kubevirt.io/KubeVirt': {
    fields: (object) => wholeNames(object, 'spec/configuration/network/binding/*/sidecarImage'),
    registries,
    unknown: (object) => [isSet(object, 'spec', 'imageRegistry')
      ? 'KubeVirt\'s components: virt-operator runs more of them for some features, and knows their names itself'
      : 'KubeVirt\'s components: virt-operator takes the registry that it was pulled from itself, and the version that it is'],
  },
  'cdi.kubevirt.io/CDI': { unknown: () => ['CDI\'s components: cdi-operator reads their images from its environment'] },
  'apps/Deployment': { fields: variableFields },
};

function virtualMachines(machine: string): ImageFacts {
  return {
    fields: (object) => [...instanceFields(object, `${machine}/template/spec`), ...volumeFields(object, `${machine}/dataVolumeTemplates/*/spec`)],
  };
}

function instanceFields(object: ManifestObject, instance: string): ImageField[] {
  return wholeNames(object, `${instance}/volumes/*/containerDisk/image`, `${instance}/domain/firmware/kernelBoot/container/image`);
}

function volumeFields(object: ManifestObject, volume: string): ImageField[] {
  return [
    ...matchingPaths(object, `${volume}/source/registry/url`).map((name) => ({ name, scheme: DOCKER })),
    ...wholeNames(object, `${volume}/source/vddk/initImageURL`),
  ];
}

/** Only where the object names a registry: else the components come from where virt-operator itself came from. */
function registries(object: ManifestObject): RegistryField[] {
  const registry = stringAt(object, 'spec', 'imageRegistry');
  if (registry === undefined) return [];
  const images = ['virt-api', 'virt-controller', 'virt-handler', 'virt-launcher']
    .map((name) => ({ name, tag: stringAt(object, 'spec', 'imageTag'), reason: `virt-operator runs ${name}` }));
  return [{ path: ['spec', 'imageRegistry'], registry, images }];
}

// kubevirt/containerized-data-importer manifests/templates/release/cdi-operator.yaml.in, kubevirt/kubevirt pkg/virt-operator/util/config.go
function variableFields(deployment: ManifestObject): ImageField[] {
  if (!OPERATORS.includes(stringAt(deployment, 'metadata', 'name') ?? '')) return [];
  return matchingPaths(deployment, `${POD_TEMPLATE}/containers/*/env/*/value`)
    .filter((path) => stringAt(deployment, ...path.slice(0, -1), 'name')?.endsWith('_IMAGE') && stringAt(deployment, ...path) !== undefined)
    .map((name) => ({ name }));
}

/** Rules for the objects of Cluster API's provider for KubeVirt, and of KubeVirt behind it. */
export const KUBEVIRT_MANIFEST_RULES: readonly ManifestRule[] = [
  ...CLUSTERS, ...CONTROLLERS, CONTROLLER_RIGHTS, ...MACHINES, COUNTED, ...DISKS, ...NETWORK, ...NAMES, ...POOLS, ...HOSTS, ...KUBELETS,
  IMAGE_VERSION, ...METADATA_FIELDS, TEMPLATE_METADATA, TENANT_STORAGE, ...VIRTUAL_MACHINES,
  ...PUBLISHED_SERVICES, ACCESS_MODE_OF_PROFILE, DATA_VOLUME_SPEC,
];

/**
 * The claims of a DataVolume at a path. CDI chooses the mode of a volume that `storage` leaves open by its access modes, such as Block for ReadWriteMany
 * (kubevirt/containerized-data-importer pkg/controller/datavolume/util.go, getDefaultVolumeMode).
 */
function claimsAt(object: ManifestObject, path: FieldPath): FieldPath[] {
  return [[...path, 'pvc'], ...(isSet(object, ...path.map(String), 'storage', 'volumeMode') ? [[...path, 'storage']] : [])];
}

/** KubeVirt, its importer of disks, and Cluster API's provider for it. */
export const KUBEVIRT: Provider = {
  name: 'kubevirt',
  title: 'KubeVirt',
  pageParts: PAGE_PARTS,
  managers: [
    // SUSE and Red Hat build CDI with other names of its executables.
    { name: 'virt-cdi-*', role: 'controller', title: 'CDI', source: 'containerized-data-importer.spec of openSUSE (virt-cdi-controller)' },
    { name: 'virt-*', role: 'controller', title: 'KubeVirt', source: 'kubevirt/kubevirt cmd (the executables)' },
    { name: 'cdi-*', role: 'controller', title: 'CDI', source: 'kubevirt/containerized-data-importer cmd (the executables)' },
  ],
  annotations: KUBEVIRT_ANNOTATIONS,
  volumeClaims: {
    'cdi.kubevirt.io/DataVolume': (object) => claimsAt(object, ['spec']),
    'kubevirt.io/VirtualMachine': (object) => objectsAt(object, 'spec', 'dataVolumeTemplates').flatMap(([, at]) => claimsAt(object, ['spec', 'dataVolumeTemplates', at, 'spec'])),
  },
  alerts: KUBEVIRT_ALERTS,
  metrics: KUBEVIRT_METRICS,
  kinds: [
    { kind: KUBEVIRT_CLUSTER, role: 'cluster' },
    { kind: KUBEVIRT_CLUSTER_TEMPLATE, role: 'clusterTemplate', immutable: true },
    { kind: KUBEVIRT_MACHINE, holdsState: true },
    // Source: kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go.
    { kind: KUBEVIRT_MACHINE_TEMPLATE, role: 'machineTemplate', immutable: true, validatedByWebhook: true, providerId: { scheme: 'kubevirt' } },
    { kind: 'cdi.kubevirt.io/DataSource' },
    { kind: 'cdi.kubevirt.io/DataVolume', holdsState: true },
    { kind: 'instancetype.kubevirt.io/VirtualMachineInstancetype' },
    { kind: 'instancetype.kubevirt.io/VirtualMachinePreference' },
    { kind: 'kubevirt.io/KubeVirt' },
    { kind: 'kubevirt.io/VirtualMachine', holdsState: true },
    { kind: 'kubevirt.io/VirtualMachineInstance', holdsState: true },
  ],
  namespaces: {
    'capk-system': 'Cluster API\'s provider for KubeVirt runs there',
    'cdi': 'the importer of disk images runs there',
    'kubevirt': 'KubeVirt runs there',
  },
  storedForms: {
    'cdi.kubevirt.io/CDI': sameFields('v1beta1', 'v1alpha1'),
    ...Object.fromEntries(['KubeVirt', 'VirtualMachine', 'VirtualMachineInstance'].map((kind) => [`kubevirt.io/${kind}`, sameFields('v1', 'v1alpha3')])),
  },
  rules: KUBEVIRT_MANIFEST_RULES,
  chartRules: [MANAGEMENT_NETWORK],
  changes: [...KUBEVIRT_CHANGES, RIGHTS_CHANGE],
  components: COMPONENTS,
  moves: { [KUBEVIRT_CLUSTER]: clusterMove, [KUBEVIRT_MACHINE_TEMPLATE]: machineMove },
  templateWords: {
    [KUBEVIRT_MACHINE_TEMPLATE]: {
      'template.spec.virtualMachineTemplate.spec': 'machine',
      'template.spec.virtualMachineTemplate.spec.runStrategy': 'runStrategy',
      'template.spec.virtualMachineTemplate.spec.instancetype': 'instanceType',
      'template.spec.virtualMachineTemplate.spec.preference': 'preference',
      'template.spec.virtualMachineTemplate.spec.dataVolumeTemplates': 'disks',
      'template.spec.virtualMachineTemplate.spec.template.metadata': 'machine metadata',
      'template.spec.virtualMachineTemplate.spec.template.spec': 'machine',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.cpu': 'cpu',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.cpu.cores': 'cpu',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.memory': 'memory',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.memory.guest': 'memory',
      'template.spec.virtualMachineTemplate.spec.template.spec.domain.devices': 'devices',
      'template.spec.virtualMachineTemplate.spec.template.spec.evictionStrategy': 'evictionStrategy',
      'template.spec.virtualMachineTemplate.spec.template.spec.networks': 'networks',
      'template.spec.virtualMachineTemplate.spec.template.spec.nodeSelector': 'nodeSelector',
      'template.spec.virtualMachineTemplate.spec.template.spec.readinessProbe': 'serviceProbe',
      'template.spec.virtualMachineTemplate.spec.template.spec.tolerations': 'tolerations',
      'template.spec.virtualMachineTemplate.spec.template.spec.volumes': 'volumes',
      'template.spec.infraClusterSecretRef': 'infraClusterSecretRef',
    },
  },
  apiServerServices: { [KUBEVIRT_CLUSTER]: apiServerService },
  machinePods: { [KUBEVIRT_MACHINE_TEMPLATE]: machinePod, [VIRTUAL_MACHINE]: singleMachinePod },
  machineSizes: { [KUBEVIRT_MACHINE_TEMPLATE]: machineSize, [VIRTUAL_MACHINE]: machineSize },
  templatesWithTypes: { [KUBEVIRT_MACHINE_TEMPLATE]: withInstanceType, [VIRTUAL_MACHINE]: withInstanceType },
  singleMachines: { [VIRTUAL_MACHINE]: mayRun },
  effects: { [VIRTUAL_MACHINE]: virtualMachineEffects },
  consequences: { [VIRTUAL_MACHINE]: virtualMachineConsequences },
  machineSets: [VIRTUAL_MACHINE_INSTANCE, 'kubevirt.io/VirtualMachineInstanceReplicaSet', 'pool.kubevirt.io/VirtualMachinePool'],
  machinesElsewhere: { [KUBEVIRT_MACHINE_TEMPLATE]: runsElsewhere },
  podSizing,
  machineDisks: { [KUBEVIRT_MACHINE_TEMPLATE]: machineDisks },
  movingMachines: { [KUBEVIRT_MACHINE_TEMPLATE]: movingField, [KUBEVIRT_MACHINE]: movingField },
  acceptedAnnotations,
  powers: {
    machines: [
      'virtualmachines.kubevirt.io', 'virtualmachineinstances.kubevirt.io', 'virtualmachineinstancereplicasets.kubevirt.io', 'virtualmachinepools.pool.kubevirt.io',
      'kubevirtmachines.infrastructure.cluster.x-k8s.io',
    ],
  },
  images: IMAGES,
};

/** The provider makes the Service unless another controller manages the cluster (kubernetes-sigs/cluster-api-provider-kubevirt pkg/loadbalancer). */
function apiServerService(cluster: ManifestObject): PublishedService | undefined {
  // In another cluster it counts there.
  if (isSet(cluster, 'metadata', 'annotations', 'cluster.x-k8s.io/managed-by') || isSet(cluster, 'spec', 'infraClusterSecretRef')) return undefined;
  return { type: stringAt(cluster, 'spec', 'controlPlaneServiceTemplate', 'spec', 'type'), ports: 1 };
}
