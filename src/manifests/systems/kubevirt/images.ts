import { KUBEVIRT_MACHINE, KUBEVIRT_MACHINE_TEMPLATE, VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE } from './rules/kubevirt-objects';
import { ManifestObject } from '../../objects/manifest-object';
import { ImageFacts, ImageField, RegistryField, wholeNames } from '../../rules/image-facts';
import { isSet, stringAt } from '../../values/fields';
import { matchingPaths } from '../../values/json-pointer';

const DOCKER = 'docker://';
const POD_TEMPLATE = 'spec/template/spec';

/** Operators that read the images of their operands from variables named `…_IMAGE`. */
const OPERATORS: readonly string[] = ['cdi-operator', 'virt-operator'];

/** Images of KubeVirt and of its importer of disks. */
export const IMAGES: Readonly<Record<string, ImageFacts>> = {
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
