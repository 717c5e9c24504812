import { KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE, TENANT_CONTROL_PLANE } from './rules/kamaji-objects';
import { ManifestObject } from '../../objects/manifest-object';
import { COMPONENTS, dnsField, ImageFacts, ImageField, KUBERNETES_REGISTRY, kubernetesTag, RegistryField, registryField, wholeNames } from '../../rules/image-facts';
import { fieldAt, stringAt } from '../../values/fields';

/** Images of control planes: of Cluster API's provider, and of Kamaji itself. */
export const IMAGES: Readonly<Record<string, ImageFacts>> = {
  [KAMAJI_CONTROL_PLANE]: controlPlanes(['spec']),
  [KAMAJI_CONTROL_PLANE_TEMPLATE]: controlPlanes(['spec', 'template', 'spec']),
  [TENANT_CONTROL_PLANE]: {
    fields: (object) => [
      ...wholeNames(object, ...['additionalContainers/*/image', 'additionalInitContainers/*/image', 'additionalVolumes/*/image/reference']
        .map((field) => `spec/controlPlane/deployment/${field}`)),
      ...konnectivityFields(object, ['spec']),
    ],
    registries: tenantControlPlaneFields,
    unknown: (object) => unknownImages(object, ['spec']),
  },
};

function controlPlanes(spec: readonly string[]): ImageFacts {
  return {
    fields: (object) => [
      ...wholeNames(object, ...['extraContainers/*/image', 'extraInitContainers/*/image', 'extraVolumes/*/image/reference']
        .map((field) => `${spec.join('/')}/deployment/${field}`)),
      ...konnectivityFields(object, spec),
    ],
    registries: (object) => kamajiFields(object, spec),
    unknown: (object) => unknownImages(object, spec),
  };
}

/** Kamaji puts `image` and `version` together, and has a name of its own where one is missing. */
function konnectivityFields(object: ManifestObject, spec: readonly string[]): (ImageField & { readonly tag: readonly string[] })[] {
  const base = [...spec, 'addons', 'konnectivity'];
  return fieldAt(object, ...base) === undefined ? [] : ['server', 'agent'].map((part) => (
    { name: [...base, part, 'image'], tag: [...base, part, 'version'], usual: `registry.k8s.io/kas-network-proxy/proxy-${part}` }));
}

/** Kamaji finds the version of konnectivity by that of Kubernetes, in a way that differs between its releases. */
function unknownImages(object: ManifestObject, spec: readonly string[]): string[] {
  return [
    ...konnectivityFields(object, spec).filter(({ tag }) => stringAt(object, ...tag) === undefined)
      .map(({ name, usual }) => `${stringAt(object, ...name) ?? usual}: Kamaji runs konnectivity, and the object does not give the version`),
    'kine: Kamaji runs it for data stores other than etcd, with the image of its manager\'s flag --kine-image',
  ];
}

// clastix/cluster-api-control-plane-provider-kamaji v0.20.0 controllers/kamajicontrolplane_controller_tcp.go, which adds the "v".
function kamajiFields(object: ManifestObject, spec: readonly string[]): RegistryField[] {
  const version = kubernetesTag(stringAt(object, ...spec, 'version'));
  const names = ['apiServer', 'controllerManager', 'scheduler'].map((part) => stringAt(object, ...spec, part, 'containerImageName'));
  return [
    registryField(object, [...spec, 'registry'], KUBERNETES_REGISTRY, COMPONENTS.map((usual, index) => ({
      name: names[index] ?? usual, tag: version, reason: `Kamaji runs ${usual}`,
    }))),
    ...addonFields(object, [...spec, 'addons'], version),
  ];
}

// clastix/kamaji api/v1alpha1/tenantcontrolplane_registrysettings_funcs.go: the version is the tag as it is written, even without its "v".
function tenantControlPlaneFields(object: ManifestObject): RegistryField[] {
  const settings = ['spec', 'controlPlane', 'deployment', 'registrySettings'];
  const version = stringAt(object, 'spec', 'kubernetes', 'version');
  const registry = stringAt(object, ...settings, 'registry') ?? KUBERNETES_REGISTRY;
  const tag = version === undefined || isMissingTag(registry, version) ? undefined : `${version}${stringAt(object, ...settings, 'tagSuffix') ?? ''}`;
  const names = ['apiServerImage', 'controllerManagerImage', 'schedulerImage'].map((field) => stringAt(object, ...settings, field));
  return [
    registryField(object, [...settings, 'registry'], KUBERNETES_REGISTRY, COMPONENTS.map((usual, index) => ({
      name: names[index] ?? usual, tag, reason: `Kamaji runs ${usual}`,
    }))),
    ...addonFields(object, ['spec', 'addons'], version),
  ];
}

/** True if Kubernetes has not published images with a tag: all of its tags have a "v". */
export function isMissingTag(registry: string, version: string): boolean {
  return registry === KUBERNETES_REGISTRY && !version.startsWith('v');
}

// clastix/kamaji internal/resources/addons/coredns.go, kube_proxy.go
function addonFields(object: ManifestObject, addons: readonly string[], version: string | undefined): RegistryField[] {
  const proxy = [...addons, 'kubeProxy'];
  const proxyTag = stringAt(object, ...proxy, 'imageTag') ?? version;
  const proxyRegistry = stringAt(object, ...proxy, 'imageRepository') ?? KUBERNETES_REGISTRY;
  return [
    ...(fieldAt(object, ...addons, 'coreDNS') === undefined ? [] : [kamajiDns(object, [...addons, 'coreDNS'])]),
    ...(fieldAt(object, ...proxy) === undefined ? [] : [registryField(object, [...proxy, 'imageRepository'], KUBERNETES_REGISTRY, [
      { name: 'kube-proxy', tag: proxyTag === undefined || isMissingTag(proxyRegistry, proxyTag) ? undefined : proxyTag, reason: 'Kamaji installs kube-proxy' },
    ])]),
  ];
}

/** The tag counts only beside a repository; else it is that of the kubeadm that Kamaji is built with. */
function kamajiDns(object: ManifestObject, dns: readonly string[]): RegistryField {
  const given = stringAt(object, ...dns, 'imageRepository');
  const tag = given === undefined ? undefined : stringAt(object, ...dns, 'imageTag');
  return dnsField([...dns, 'imageRepository'], given ?? KUBERNETES_REGISTRY, { tag, reason: 'Kamaji installs CoreDNS' });
}
