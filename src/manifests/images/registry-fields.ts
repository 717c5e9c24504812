import { objectsInList } from '../objects/list-items';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, stringAt } from '../values/fields';

/** An image whose name a controller builds from a registry and built-in parts. */
export interface AssembledImage {
  /** The part after the registry. */
  readonly name: string;

  /** The tag, where it is known. */
  readonly tag?: string;

  /** Why the image is pulled. */
  readonly reason: string;
}

/** A field that holds the registry, with or without a path, of images that a controller names. */
export interface RegistryField {
  readonly path: readonly string[];

  /** The controller's registry: the field's value, or its default. */
  readonly registry: string;

  readonly images: readonly AssembledImage[];
}

const KUBERNETES_REGISTRY = 'registry.k8s.io';

/** Images of the three components of a control plane, in the order of their names. */
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** The fields of an object that hold a registry, each with the images that are pulled from there. */
export function registryFields(object: ManifestObject): RegistryField[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => registryFields(item).map((field) => ({ ...field, path: [...path, ...field.path] })));
  switch (groupKind(object)) {
    case 'controlplane.cluster.x-k8s.io/KamajiControlPlane': return kamajiFields(object, ['spec']);
    case 'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate': return kamajiFields(object, ['spec', 'template', 'spec']);
    case 'kamaji.clastix.io/TenantControlPlane': return tenantControlPlaneFields(object);
    case 'controlplane.cluster.x-k8s.io/KubeadmControlPlane':
      return controlPlaneFields(object, ['spec', 'kubeadmConfigSpec'], stringAt(object, 'spec', 'version'));
    case 'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate':
      return controlPlaneFields(object, ['spec', 'template', 'spec', 'kubeadmConfigSpec'], undefined);
    case 'kubeadm.k8s.io/ClusterConfiguration': return kubeadmFields(object, [], { version: stringAt(object, 'kubernetesVersion'), skipped: [] });
    case 'bootstrap.cluster.x-k8s.io/KubeadmConfig': return configFields(object, ['spec']);
    case 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': return configFields(object, ['spec', 'template', 'spec']);
    case 'kubevirt.io/KubeVirt': return kubevirtFields(object);
    default: return [];
  }
}

// clastix/cluster-api-control-plane-provider-kamaji v0.20.0 controllers/kamajicontrolplane_controller_tcp.go
function kamajiFields(object: ManifestObject, spec: readonly string[]): RegistryField[] {
  const version = stringAt(object, ...spec, 'version');
  const names = ['apiServer', 'controllerManager', 'scheduler'].map((part) => stringAt(object, ...spec, part, 'containerImageName'));
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
  const version = stringAt(object, 'spec', 'kubernetes', 'version');
  const tag = version === undefined ? undefined : `${version}${stringAt(object, ...settings, 'tagSuffix') ?? ''}`;
  const names = ['apiServerImage', 'controllerManagerImage', 'schedulerImage'].map((field) => stringAt(object, ...settings, field));
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
    ...(fieldAt(object, ...addons, 'coreDNS') === undefined ? [] : [kamajiDns(object, [...addons, 'coreDNS'])]),
    ...(fieldAt(object, ...proxy) === undefined ? [] : [registryField(object, [...proxy, 'imageRepository'], KUBERNETES_REGISTRY, [
      { name: 'kube-proxy', tag: stringAt(object, ...proxy, 'imageTag') ?? version, reason: 'Kamaji installs kube-proxy' },
    ])]),
  ];
}

/** The tag counts only beside a repository; else it is that of the kubeadm that Kamaji is built with. */
function kamajiDns(object: ManifestObject, dns: readonly string[]): RegistryField {
  const given = stringAt(object, ...dns, 'imageRepository');
  const tag = given === undefined ? undefined : stringAt(object, ...dns, 'imageTag');
  return dnsField([...dns, 'imageRepository'], given ?? KUBERNETES_REGISTRY, { tag, reason: 'Kamaji installs CoreDNS' });
}

/** Where CoreDNS is in the registry of Kubernetes, it has a folder of its own (kubernetes/kubernetes cmd/kubeadm/app/images/images.go). */
function dnsField(path: readonly string[], registry: string, image: Omit<AssembledImage, 'name'>): RegistryField {
  return { path, registry: registry === KUBERNETES_REGISTRY ? `${KUBERNETES_REGISTRY}/coredns` : registry, images: [{ name: 'coredns', ...image }] };
}

function configFields(object: ManifestObject, config: readonly string[]): RegistryField[] {
  return fieldAt(object, ...config, 'clusterConfiguration') === undefined ? [] : controlPlaneFields(object, config, undefined);
}

/** The first machine installs the addons, unless its phases are skipped. */
function controlPlaneFields(object: ManifestObject, config: readonly string[], version: string | undefined): RegistryField[] {
  const skipped = fieldAt(object, ...config, 'initConfiguration', 'skipPhases');
  return kubeadmFields(object, [...config, 'clusterConfiguration'], { version, skipped: Array.isArray(skipped) ? skipped : [] });
}

/** What is not part of a ClusterConfiguration. */
interface KubeadmRun {
  readonly version: string | undefined;

  /** Phases that `kubeadm init` leaves out. */
  readonly skipped: readonly unknown[];
}

// kubernetes/kubernetes cmd/kubeadm/app/images/images.go, cmd/kubeadm/app/cmd/phases/init/addons.go
function kubeadmFields(object: ManifestObject, cluster: readonly string[], { version, skipped }: KubeadmRun): RegistryField[] {
  const etcd = [...cluster, 'etcd', 'local'];
  const base = stringAt(object, ...cluster, 'imageRepository') ?? KUBERNETES_REGISTRY;
  const etcdImage = { name: 'etcd', tag: stringAt(object, ...etcd, 'imageTag'), reason: 'kubeadm runs etcd' };
  const ownEtcd = stringAt(object, ...etcd, 'imageRepository') !== undefined;
  const noEtcd = fieldAt(object, ...cluster, 'etcd', 'external') !== undefined;
  const without = (field: string, phase: string) => (
    fieldAt(object, ...cluster, field, 'disabled') === true || skipped.includes('addon') || skipped.includes(`addon/${phase}`));
  const dns = [...cluster, 'dns'];
  return [
    registryField(object, [...cluster, 'imageRepository'], KUBERNETES_REGISTRY, [
      ...[...COMPONENTS, ...(without('proxy', 'kube-proxy') ? [] : ['kube-proxy'])].map((name) => ({ name, tag: version, reason: `kubeadm runs ${name}` })),
      ...(ownEtcd || noEtcd ? [] : [etcdImage]),
    ]),
    ...(ownEtcd && !noEtcd ? [registryField(object, [...etcd, 'imageRepository'], base, [etcdImage])] : []),
    ...(without('dns', 'coredns') ? [] : [dnsField([...dns, 'imageRepository'], stringAt(object, ...dns, 'imageRepository') ?? base, {
      tag: stringAt(object, ...dns, 'imageTag'), reason: 'kubeadm installs CoreDNS',
    })]),
  ];
}

/** Only where the object names a registry: else the components come from where virt-operator itself came from. */
function kubevirtFields(object: ManifestObject): RegistryField[] {
  const registry = stringAt(object, 'spec', 'imageRegistry');
  return registry === undefined ? [] : [registryField(object, ['spec', 'imageRegistry'], registry, ['virt-api', 'virt-controller', 'virt-handler', 'virt-launcher']
    .map((name) => ({ name, tag: stringAt(object, 'spec', 'imageTag'), reason: `virt-operator runs ${name}` })))];
}

function registryField(object: ManifestObject, path: readonly string[], usual: string, images: readonly AssembledImage[]): RegistryField {
  return { path, registry: stringAt(object, ...path) ?? usual, images };
}
