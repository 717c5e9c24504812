import { ManifestObject } from '../../objects/manifest-object';
import { stringAt } from '../../values/fields';

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

/** The registry of Kubernetes. */
export const KUBERNETES_REGISTRY = 'registry.k8s.io';

/** Images of the three components of a control plane, in the order of their names. */
export const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** A field with the registry of images; `usual` is the registry where the field is unset. */
export function registryField(object: ManifestObject, path: readonly string[], usual: string, images: readonly AssembledImage[]): RegistryField {
  return { path, registry: stringAt(object, ...path) ?? usual, images };
}

/** Where CoreDNS is in the registry of Kubernetes, it has a folder of its own (kubernetes/kubernetes cmd/kubeadm/app/images/images.go). */
export function dnsField(path: readonly string[], registry: string, image: Omit<AssembledImage, 'name'>): RegistryField {
  return { path, registry: registry === KUBERNETES_REGISTRY ? `${KUBERNETES_REGISTRY}/coredns` : registry, images: [{ name: 'coredns', ...image }] };
}
