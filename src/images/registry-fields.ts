import { groupKind, fieldAt, ManifestObject, textAt } from './manifest-object';

/** An image whose name a controller puts together from a registry and what it knows itself. */
export interface AssembledImage {
  /** What is appended to the registry. */
  readonly name: string;

  /** The tag, where it is known. */
  readonly tag?: string;

  /** Why the image is pulled. */
  readonly reason: string;
}

/** A field that holds the registry, with or without a path, of images that a controller names. */
export interface RegistryField {
  readonly path: readonly string[];

  /** What the controller takes for the registry: the field's value, or its default. */
  readonly registry: string;

  readonly images: readonly AssembledImage[];
}

const KUBERNETES_REGISTRY = 'registry.k8s.io';

/** Images of the three components of a control plane, in the order of their names. */
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** The fields of an object that hold a registry, each with the images that are pulled from there. */
export function registryFields(object: ManifestObject): RegistryField[] {
  switch (groupKind(object)) {
    case 'controlplane.cluster.x-k8s.io/KamajiControlPlane': return kamajiFields(object, ['spec']);
    case 'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate': return kamajiFields(object, ['spec', 'template', 'spec']);
    case 'kamaji.clastix.io/TenantControlPlane': return tenantControlPlaneFields(object);
    case 'controlplane.cluster.x-k8s.io/KubeadmControlPlane':
      return kubeadmFields(object, ['spec', 'kubeadmConfigSpec', 'clusterConfiguration'], textAt(object, 'spec', 'version'));
    case 'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate':
      return kubeadmFields(object, ['spec', 'template', 'spec', 'kubeadmConfigSpec', 'clusterConfiguration']);
    case 'kubeadm.k8s.io/ClusterConfiguration': return kubeadmFields(object, [], textAt(object, 'kubernetesVersion'));
    case 'bootstrap.cluster.x-k8s.io/KubeadmConfig': return configFields(object, ['spec']);
    case 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': return configFields(object, ['spec', 'template', 'spec']);
    case 'kubevirt.io/KubeVirt': return kubevirtFields(object);
    case '/List': return Array.isArray(object.items) ? object.items.flatMap(listItemFields) : [];
    default: return [];
  }
}

function listItemFields(item: ManifestObject, index: number): RegistryField[] {
  return registryFields(item).map((field) => ({ ...field, path: ['items', `${index}`, ...field.path] }));
}

// clastix/cluster-api-control-plane-provider-kamaji v0.20.0 controllers/kamajicontrolplane_controller_tcp.go
function kamajiFields(object: ManifestObject, spec: readonly string[]): RegistryField[] {
  const version = textAt(object, ...spec, 'version');
  const names = ['apiServer', 'controllerManager', 'scheduler'].map((part) => textAt(object, ...spec, part, 'containerImageName'));
  return [
    registryField(object, [...spec, 'registry'], KUBERNETES_REGISTRY, COMPONENTS.map((usual, index) => ({
      name: names[index] ?? usual, tag: version, reason: `Kamaji runs ${usual}`,
    }))),
    ...addonFields(object, [...spec, 'addons'], version),
  ];
}

// clastix/kamaji api/v1alpha1/tenantcontrolplane_types.go (RegistrySettings)
function tenantControlPlaneFields(object: ManifestObject): RegistryField[] {
  const settings = ['spec', 'controlPlane', 'deployment', 'registrySettings'];
  const version = textAt(object, 'spec', 'kubernetes', 'version');
  const tag = version === undefined ? undefined : `${version}${textAt(object, ...settings, 'tagSuffix') ?? ''}`;
  const names = ['apiServerImage', 'controllerManagerImage', 'schedulerImage'].map((field) => textAt(object, ...settings, field));
  return [
    registryField(object, [...settings, 'registry'], KUBERNETES_REGISTRY, COMPONENTS.map((usual, index) => ({
      name: names[index] ?? usual, tag, reason: `Kamaji runs ${usual}`,
    }))),
    ...addonFields(object, ['spec', 'addons'], version),
  ];
}

// clastix/kamaji internal/resources/addons/coredns.go, kube_proxy.go
function addonFields(object: ManifestObject, addons: readonly string[], version: string | undefined): RegistryField[] {
  const proxy = [...addons, 'kubeProxy'];
  return [
    ...(fieldAt(object, ...addons, 'coreDNS') === undefined ? [] : [dnsField(object, [...addons, 'coreDNS'], KUBERNETES_REGISTRY, 'Kamaji installs CoreDNS')]),
    ...(fieldAt(object, ...proxy) === undefined ? [] : [registryField(object, [...proxy, 'imageRepository'], KUBERNETES_REGISTRY, [
      { name: 'kube-proxy', tag: textAt(object, ...proxy, 'imageTag') ?? version, reason: 'Kamaji installs kube-proxy' },
    ])]),
  ];
}

/** The tag counts only beside a repository; else it is that of kubeadm (kubernetes/kubernetes cmd/kubeadm/app/images/images.go). */
function dnsField(object: ManifestObject, dns: readonly string[], around: string, reason: string): RegistryField {
  const given = textAt(object, ...dns, 'imageRepository');
  const registry = given ?? around;
  const tag = given === undefined ? undefined : textAt(object, ...dns, 'imageTag');
  return {
    path: [...dns, 'imageRepository'],
    registry: registry === KUBERNETES_REGISTRY ? `${KUBERNETES_REGISTRY}/coredns` : registry,
    images: [{ name: 'coredns', tag, reason }],
  };
}

function configFields(object: ManifestObject, config: readonly string[]): RegistryField[] {
  const cluster = [...config, 'clusterConfiguration'];
  return fieldAt(object, ...cluster) === undefined ? [] : kubeadmFields(object, cluster);
}

// kubernetes/kubernetes cmd/kubeadm/app/images/images.go
function kubeadmFields(object: ManifestObject, cluster: readonly string[], version?: string): RegistryField[] {
  const etcd = [...cluster, 'etcd', 'local'];
  const base = textAt(object, ...cluster, 'imageRepository') ?? KUBERNETES_REGISTRY;
  const etcdImage = { name: 'etcd', tag: textAt(object, ...etcd, 'imageTag'), reason: 'kubeadm runs etcd' };
  const ownEtcd = textAt(object, ...etcd, 'imageRepository') !== undefined;
  const noEtcd = fieldAt(object, ...cluster, 'etcd', 'external') !== undefined;
  const without = (addon: string) => fieldAt(object, ...cluster, addon, 'disabled') === true;
  return [
    registryField(object, [...cluster, 'imageRepository'], KUBERNETES_REGISTRY, [
      ...[...COMPONENTS, ...(without('proxy') ? [] : ['kube-proxy'])].map((name) => ({ name, tag: version, reason: `kubeadm runs ${name}` })),
      ...(ownEtcd || noEtcd ? [] : [etcdImage]),
    ]),
    ...(ownEtcd && !noEtcd ? [registryField(object, [...etcd, 'imageRepository'], base, [etcdImage])] : []),
    ...(without('dns') ? [] : [dnsField(object, [...cluster, 'dns'], base, 'kubeadm installs CoreDNS')]),
  ];
}

/** Only where the object names a registry: else the components come from where virt-operator itself came from. */
function kubevirtFields(object: ManifestObject): RegistryField[] {
  const registry = textAt(object, 'spec', 'imageRegistry');
  return registry === undefined ? [] : [registryField(object, ['spec', 'imageRegistry'], registry, ['virt-api', 'virt-controller', 'virt-handler', 'virt-launcher']
    .map((name) => ({ name, tag: textAt(object, 'spec', 'imageTag'), reason: `virt-operator runs ${name}` })))];
}

function registryField(object: ManifestObject, path: readonly string[], usual: string, images: readonly AssembledImage[]): RegistryField {
  return { path, registry: textAt(object, ...path) ?? usual, images };
}
