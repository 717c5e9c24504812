import { imageFields } from './image-fields';
import { registryFields } from './registry-fields';
import { objectsInList } from '../objects/list-items';
import { groupKind, groupOf, ManifestObject } from '../objects/manifest-object';
import { fieldAt, stringAt } from '../values/fields';

/** An image that a controller pulls because of an object. */
export interface ControllerImage {
  /** Name and tag. */
  readonly image: string;

  /** The controller, and the purpose of the image. */
  readonly reason: string;
}

/** Images that a controller pulls for an object, and whose names are not in the object. */
export interface UnknownImages {
  /** A description of the images, with the reason why they are unknown. */
  readonly unknown: string;
}

const KAMAJI_KINDS = ['controlplane.cluster.x-k8s.io/KamajiControlPlane', 'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate', 'kamaji.clastix.io/TenantControlPlane'];
const KUBEADM_CONTROL_PLANES = ['controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate'];
const KUBEADM_CONFIGS = [
  'bootstrap.cluster.x-k8s.io/KubeadmConfig', 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate', 'kubeadm.k8s.io/ClusterConfiguration',
];

/**
 * The images that an object makes a controller pull though it does not name them: of a control plane, its components and addons in the
 * version that the object gives.
 *
 * @param object an object as it is written
 */
export function controllerImages(object: ManifestObject): ControllerImage[] {
  return registryFields(object).flatMap(({ registry, images }) => images.flatMap(({ name, tag, reason }) => (
    tag === undefined ? [] : [{ image: `${registry}/${name}:${tag}`, reason }])));
}

/**
 * What an object makes a controller pull beyond that, where only the controller, or a machine's image, knows which images these are.
 *
 * @param object an object as it is written
 */
export function unknownImages(object: ManifestObject): UnknownImages[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ object: item }) => unknownImages(item));
  return [
    ...registryFields(object).flatMap(({ registry, images }) => images.filter(({ tag }) => tag === undefined)
      .map(({ name, reason }) => ({ unknown: `${registry}/${name}: ${reason}, and the object does not give the tag` }))),
    ...untaggedImages(object),
    ...componentImages(object).map((unknown) => ({ unknown })),
  ];
}

/** Kamaji finds the version of konnectivity by that of Kubernetes, in a way that differs between its releases. */
function untaggedImages(object: ManifestObject): UnknownImages[] {
  return imageFields(object).filter(({ name, tag }) => name.includes('konnectivity') && stringAt(object, ...tag ?? []) === undefined)
    .map(({ name, usual }) => ({ unknown: `${stringAt(object, ...name) ?? usual}: Kamaji runs konnectivity, and the object does not give the version` }));
}

function componentImages(object: ManifestObject): string[] {
  const kind = groupKind(object);
  if (KAMAJI_KINDS.includes(kind)) {
    return ['kine: Kamaji runs it for data stores other than etcd, with the image of its manager\'s flag --kine-image'];
  }
  if (KUBEADM_CONTROL_PLANES.includes(kind) || KUBEADM_CONFIGS.includes(kind)) {
    return ['pause: nodes run it in every pod, with the image that containerd is configured with in the machine\'s image'];
  }
  if (groupOf(object) === 'operator.cluster.x-k8s.io') return [providerImages(object)];
  if (kind === 'kubevirt.io/KubeVirt') {
    return [fieldAt(object, 'spec', 'imageRegistry') === undefined
      ? 'KubeVirt\'s components: virt-operator takes the registry that it was pulled from itself, and the version that it is'
      : 'KubeVirt\'s components: virt-operator runs more of them for some features, and knows their names itself'];
  }
  return kind === 'cdi.kubevirt.io/CDI' ? ['CDI\'s components: cdi-operator reads their images from its environment'] : [];
}

function providerImages(object: ManifestObject): string {
  const version = stringAt(object, 'spec', 'version');
  return `the ${String(object.kind)} "${stringAt(object, 'metadata', 'name') ?? ''}"${version === undefined ? '' : ` ${version}`}: `
    + 'its images stand in the components that the Cluster API Operator fetches';
}
