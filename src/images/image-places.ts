import { placesOf, pointerTo } from './json-pointer';
import { objectsInList } from './list-items';
import { fieldAt, groupKind, ManifestObject, textAt } from './manifest-object';

/** A place where an object names one image. */
export interface ImagePlace {
  /** Path of the field that holds the name, or the registry and repository of it. */
  readonly name: readonly string[];

  /** Path of the field that holds the tag alone. */
  readonly tag?: readonly string[];

  /** Path of the field that holds the digest alone. */
  readonly digest?: readonly string[];

  /** What stands before the name, such as `docker://`. */
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
 * Deployments of operators that are told the images of what they install by variables named `…_IMAGE`
 * (kubevirt/containerized-data-importer manifests/templates/release/cdi-operator.yaml.in, kubevirt/kubevirt
 * pkg/virt-operator/util/config.go).
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

/** Every place where an object names an image, items of a list among them. */
export function imagePlaces(object: ManifestObject): ImagePlace[] {
  const kind = groupKind(object);
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => imagePlaces(item).map((place) => within(path, place)));
  return [
    ...(NAMES[kind] ?? []).flatMap((pattern) => wholeNames(object, pattern)),
    ...(kind.startsWith(`${OPERATOR_GROUP}/`) ? PROVIDER_IMAGES : []).flatMap((pattern) => wholeNames(object, pattern)),
    ...podPlaces(object, kind),
    ...variablePlaces(object, kind),
    ...virtualMachinePlaces(object, kind),
    ...kamajiPlaces(object, kind),
    ...kustomizePlaces(object, kind),
  ];
}

/** The name of the image in a place, with tag and digest as far as the object gives them; undefined where the object names none. */
export function imageAt(object: ManifestObject, place: ImagePlace): string | undefined {
  const text = textAt(object, ...place.name) ?? place.usual;
  if (text === undefined || (place.scheme !== undefined && !text.startsWith(place.scheme))) return undefined;
  const tag = place.tag && textAt(object, ...place.tag);
  const digest = place.digest && textAt(object, ...place.digest);
  return `${text.slice(place.scheme?.length ?? 0)}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

function within(base: readonly string[], place: ImagePlace): ImagePlace {
  return {
    ...place,
    name: [...base, ...place.name],
    ...(place.tag && { tag: [...base, ...place.tag] }),
    ...(place.digest && { digest: [...base, ...place.digest] }),
  };
}

function wholeNames(object: ManifestObject, pattern: string): ImagePlace[] {
  return placesOf(object, pattern).map((name) => ({ name }));
}

function podPlaces(object: ManifestObject, kind: string): ImagePlace[] {
  const pods = PODS[kind] ?? POD_TEMPLATE;
  return [
    ...CONTAINER_LISTS.map((list) => `${pods}/${list}/*/image`), `${pods}/volumes/*/image/reference`,
  ].flatMap((pattern) => wholeNames(object, pattern));
}

function variablePlaces(object: ManifestObject, kind: string): ImagePlace[] {
  if (kind !== 'apps/Deployment' || !TOLD_BY_VARIABLES.includes(textAt(object, 'metadata', 'name') ?? '')) return [];
  return placesOf(object, `${POD_TEMPLATE}/containers/*/env/*/value`)
    .filter((path) => textAt(object, ...path.slice(0, -1), 'name')?.endsWith('_IMAGE') && textAt(object, ...path) !== undefined)
    .map((name) => ({ name }));
}

function virtualMachinePlaces(object: ManifestObject, kind: string): ImagePlace[] {
  const machine = VIRTUAL_MACHINES[kind];
  const instance = VIRTUAL_MACHINE_INSTANCES[kind] ?? (machine && `${machine}/template/spec`);
  const volumes = machine ? [`${machine}/dataVolumeTemplates/*/spec`] : DATA_VOLUMES[kind] ? [DATA_VOLUMES[kind]] : [];
  return [
    ...(instance ? [`${instance}/volumes/*/containerDisk/image`, `${instance}/domain/firmware/kernelBoot/container/image`] : [])
      .flatMap((pattern) => wholeNames(object, pattern)),
    ...volumes.flatMap((volume) => [
      ...placesOf(object, `${volume}/source/registry/url`).map((name) => ({ name, scheme: DOCKER })),
      ...wholeNames(object, `${volume}/source/vddk/initImageURL`),
    ]),
  ];
}

function kamajiPlaces(object: ManifestObject, kind: string): ImagePlace[] {
  const spec = KAMAJI[kind] ?? (kind === TENANT_CONTROL_PLANE ? 'spec' : undefined);
  if (spec === undefined) return [];
  const [deployment, lists, volumes] = kind === TENANT_CONTROL_PLANE
    ? ['controlPlane/deployment', ['additionalContainers', 'additionalInitContainers'], 'additionalVolumes']
    : ['deployment', ['extraContainers', 'extraInitContainers'], 'extraVolumes'] as const;
  return [
    ...(lists as readonly string[]).flatMap((list) => wholeNames(object, `${spec}/${deployment}/${list}/*/image`)),
    ...wholeNames(object, `${spec}/${deployment}/${volumes}/*/image/reference`),
    ...['server', 'agent'].flatMap((part) => konnectivityPlace(object, [...spec.split('/'), 'addons', 'konnectivity'], part)),
  ];
}

/** Kamaji puts `image` and `version` together, and has a name of its own where one is missing. */
function konnectivityPlace(object: ManifestObject, base: readonly string[], part: string): ImagePlace[] {
  if (fieldAt(object, ...base) === undefined) return [];
  return [{ name: [...base, part, 'image'], tag: [...base, part, 'version'], usual: `registry.k8s.io/kas-network-proxy/proxy-${part}` }];
}

/** Of an entry with `newTag` or `digest` alone, the image keeps the name that it has. */
function kustomizePlaces(object: ManifestObject, kind: string): ImagePlace[] {
  const pattern = KUSTOMIZE_IMAGES[kind];
  return pattern === undefined ? [] : placesOf(object, pattern).map((entry) => ({
    name: [...entry, 'newName'],
    tag: [...entry, 'newTag'],
    digest: [...entry, 'digest'],
    usual: textAt(object, ...entry, 'name'),
  }));
}

/** How a place is called in messages. */
export function placePointer({ name }: ImagePlace): string {
  return pointerTo(name);
}
