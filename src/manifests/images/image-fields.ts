import { matchingPaths } from './json-pointer';
import { objectsInList } from '../objects/list-items';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, stringAt } from '../values/fields';

/** The fields of an object that name one image. */
export interface ImageField {
  /** Path of the field that holds the name, or the registry and repository of it. */
  readonly name: readonly string[];

  /** Path of the field that holds the tag alone. */
  readonly tag?: readonly string[];

  /** Path of the field that holds the digest alone. */
  readonly digest?: readonly string[];

  /** Prefix of the name, such as `docker://`. */
  readonly scheme?: string;

  /** The name where the field is not there. */
  readonly usual?: string;
}

const DOCKER = 'docker://';
const POD_TEMPLATE = 'spec/template/spec';
const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

/** Where the fields of a pod stand, by group and kind. Of kinds that are not listed, the place that is usual is looked at. */
const PODS: Readonly<Record<string, string>> = {
  '/Pod': 'spec',
  '/PodTemplate': 'template/spec',
  'batch/CronJob': 'spec/jobTemplate/spec/template/spec',
};

/** Where the fields of a virtual machine stand. */
const VIRTUAL_MACHINES: Readonly<Record<string, string>> = {
  'kubevirt.io/VirtualMachine': 'spec',
  'pool.kubevirt.io/VirtualMachinePool': 'spec/virtualMachineTemplate/spec',
  'infrastructure.cluster.x-k8s.io/KubevirtMachine': 'spec/virtualMachineTemplate/spec',
  'infrastructure.cluster.x-k8s.io/KubevirtMachineTemplate': 'spec/template/spec/virtualMachineTemplate/spec',
};

/** Where the fields of an instance of a virtual machine stand. */
const VIRTUAL_MACHINE_INSTANCES: Readonly<Record<string, string>> = {
  'kubevirt.io/VirtualMachineInstance': 'spec',
  'kubevirt.io/VirtualMachineInstanceReplicaSet': POD_TEMPLATE,
};

/** Where the fields of a volume to import stand. */
const DATA_VOLUMES: Readonly<Record<string, string>> = {
  'cdi.kubevirt.io/DataVolume': 'spec',
  'cdi.kubevirt.io/DataImportCron': 'spec/template/spec',
};

/** Where the fields of Kamaji's control plane stand, of the Cluster API provider. */
const KAMAJI: Readonly<Record<string, string>> = {
  'controlplane.cluster.x-k8s.io/KamajiControlPlane': 'spec',
  'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate': POD_TEMPLATE,
};

const TENANT_CONTROL_PLANE = 'kamaji.clastix.io/TenantControlPlane';

/** Further fields that hold a whole name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'kubevirt.io/KubeVirt': ['spec/configuration/network/binding/*/sidecarImage'],
  ...Object.fromEntries(['Alertmanager', 'Prometheus', 'PrometheusAgent', 'ThanosRuler']
    .map((kind) => [`monitoring.coreos.com/${kind}`, ['spec/image', 'spec/thanos/image', ...CONTAINER_LISTS.map((list) => `spec/${list}/*/image`)]])),
};

/**
 * Deployments of operators that read the images of their operands from variables named `…_IMAGE` (kubevirt/containerized-data-importer
 * manifests/templates/release/cdi-operator.yaml.in, kubevirt/kubevirt pkg/virt-operator/util/config.go).
 */
const TOLD_BY_VARIABLES = ['cdi-operator', 'virt-operator'];

// kubernetes-sigs/cluster-api-operator api/v1alpha2/provider_types.go
const OPERATOR_GROUP = 'operator.cluster.x-k8s.io';
const PROVIDER_IMAGES = ['spec/deployment/containers/*/imageUrl', 'spec/additionalDeployments/*/deployment/containers/*/imageUrl'];

// fluxcd/kustomize-controller api/v1/kustomization_types.go, fluxcd/helm-controller api/v2/helmrelease_types.go
const KUSTOMIZE_IMAGES: Readonly<Record<string, string>> = {
  'kustomize.toolkit.fluxcd.io/Kustomization': 'spec/images/*',
  'helm.toolkit.fluxcd.io/HelmRelease': 'spec/postRenderers/*/kustomize/images/*',
};

/** All fields of an object that name images, including those of the items of a List. */
export function imageFields(object: ManifestObject): ImageField[] {
  const kind = groupKind(object);
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => imageFields(item).map((field) => within(path, field)));
  return [
    ...(NAMES[kind] ?? []).flatMap((pattern) => wholeNames(object, pattern)),
    ...(kind.startsWith(`${OPERATOR_GROUP}/`) ? PROVIDER_IMAGES : []).flatMap((pattern) => wholeNames(object, pattern)),
    ...podFields(object, kind),
    ...variableFields(object, kind),
    ...virtualMachineFields(object, kind),
    ...kamajiContainerFields(object, kind),
    ...kustomizeFields(object, kind),
  ];
}

/** The name of the image in a field, with tag and digest as far as the object gives them; undefined where the object names none. */
export function imageAt(object: ManifestObject, field: ImageField): string | undefined {
  const text = stringAt(object, ...field.name) ?? field.usual;
  if (text === undefined || (field.scheme !== undefined && !text.startsWith(field.scheme))) return undefined;
  const tag = field.tag && stringAt(object, ...field.tag);
  const digest = field.digest && stringAt(object, ...field.digest);
  return `${text.slice(field.scheme?.length ?? 0)}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

function within(base: readonly string[], field: ImageField): ImageField {
  return {
    ...field,
    name: [...base, ...field.name],
    ...(field.tag && { tag: [...base, ...field.tag] }),
    ...(field.digest && { digest: [...base, ...field.digest] }),
  };
}

function wholeNames(object: ManifestObject, pattern: string): ImageField[] {
  return matchingPaths(object, pattern).map((name) => ({ name }));
}

function podFields(object: ManifestObject, kind: string): ImageField[] {
  const pods = PODS[kind] ?? POD_TEMPLATE;
  return [
    ...CONTAINER_LISTS.map((list) => `${pods}/${list}/*/image`), `${pods}/volumes/*/image/reference`,
  ].flatMap((pattern) => wholeNames(object, pattern));
}

function variableFields(object: ManifestObject, kind: string): ImageField[] {
  if (kind !== 'apps/Deployment' || !TOLD_BY_VARIABLES.includes(stringAt(object, 'metadata', 'name') ?? '')) return [];
  return matchingPaths(object, `${POD_TEMPLATE}/containers/*/env/*/value`)
    .filter((path) => stringAt(object, ...path.slice(0, -1), 'name')?.endsWith('_IMAGE') && stringAt(object, ...path) !== undefined)
    .map((name) => ({ name }));
}

function virtualMachineFields(object: ManifestObject, kind: string): ImageField[] {
  const machine = VIRTUAL_MACHINES[kind];
  const instance = VIRTUAL_MACHINE_INSTANCES[kind] ?? (machine && `${machine}/template/spec`);
  const volumes = machine ? [`${machine}/dataVolumeTemplates/*/spec`] : DATA_VOLUMES[kind] ? [DATA_VOLUMES[kind]] : [];
  return [
    ...(instance ? [`${instance}/volumes/*/containerDisk/image`, `${instance}/domain/firmware/kernelBoot/container/image`] : [])
      .flatMap((pattern) => wholeNames(object, pattern)),
    ...volumes.flatMap((volume) => [
      ...matchingPaths(object, `${volume}/source/registry/url`).map((name) => ({ name, scheme: DOCKER })),
      ...wholeNames(object, `${volume}/source/vddk/initImageURL`),
    ]),
  ];
}

function kamajiContainerFields(object: ManifestObject, kind: string): ImageField[] {
  const spec = KAMAJI[kind] ?? (kind === TENANT_CONTROL_PLANE ? 'spec' : undefined);
  if (spec === undefined) return [];
  const [deployment, lists, volumes] = kind === TENANT_CONTROL_PLANE
    ? ['controlPlane/deployment', ['additionalContainers', 'additionalInitContainers'], 'additionalVolumes']
    : ['deployment', ['extraContainers', 'extraInitContainers'], 'extraVolumes'] as const;
  return [
    ...(lists as readonly string[]).flatMap((list) => wholeNames(object, `${spec}/${deployment}/${list}/*/image`)),
    ...wholeNames(object, `${spec}/${deployment}/${volumes}/*/image/reference`),
    ...['server', 'agent'].flatMap((part) => konnectivityFields(object, [...spec.split('/'), 'addons', 'konnectivity'], part)),
  ];
}

/** Kamaji puts `image` and `version` together, and has a name of its own where one is missing. */
function konnectivityFields(object: ManifestObject, base: readonly string[], part: string): ImageField[] {
  if (fieldAt(object, ...base) === undefined) return [];
  return [{ name: [...base, part, 'image'], tag: [...base, part, 'version'], usual: `registry.k8s.io/kas-network-proxy/proxy-${part}` }];
}

/** Of an entry with `newTag` or `digest` alone, the image keeps the name that it has. */
function kustomizeFields(object: ManifestObject, kind: string): ImageField[] {
  const pattern = KUSTOMIZE_IMAGES[kind];
  return pattern === undefined ? [] : matchingPaths(object, pattern).map((entry) => ({
    name: [...entry, 'newName'],
    tag: [...entry, 'newTag'],
    digest: [...entry, 'digest'],
    usual: stringAt(object, ...entry, 'name'),
  }));
}
