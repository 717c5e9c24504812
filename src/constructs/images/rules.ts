import { Rule } from '../../manifests/values/problem';

const REFERENCE = 'distribution/reference regexp.go';

/** Rules of images and charts, and of their sources. */
export const IMAGE_RULES = {
  name: {
    id: 'TC-IMAGE-NAME',
    title: 'The names of images must be valid in container registries, in every object and every chart.',
    source: REFERENCE,
  },
  unpinned: {
    id: 'TC-IMAGE-UNPINNED',
    title: 'Every image must have a digest or a tag other than latest, so that a restart keeps the version.',
    source: 'kubernetes.io/docs/concepts/containers/images',
  },
  digest: {
    id: 'TC-IMAGE-DIGEST',
    title: 'With requireDigests, every image must have a digest, in its name or from the lock.',
  },
  registry: {
    id: 'TC-IMAGE-REGISTRY',
    title: 'A registry must be a host without scheme, with an optional port and path.',
    source: REFERENCE,
  },
  override: {
    id: 'TC-IMAGE-OVERRIDE',
    title: 'An override must name an image, by its repository or exactly, and its replacement.',
    source: REFERENCE,
  },
  overrideUnused: {
    id: 'TC-IMAGE-OVERRIDE-UNUSED',
    title: 'Every override must match an image of the app.',
  },
  inexpressible: {
    id: 'TC-IMAGE-INEXPRESSIBLE',
    title: 'An image can only get another name if its object has a field for it.',
    source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_types.go, kubernetes/kubernetes cmd/kubeadm/app/images/images.go',
  },
  unmoved: {
    id: 'TC-IMAGE-UNMOVED',
    title: 'If images move or need digests, the library must know the field of each image: it does not change unknown fields, static pods, and charts that no delivery installs.',
  },
  valueTwice: {
    id: 'TC-IMAGE-VALUE-TWICE',
    title: 'Each declared image of a chart must have its own value.',
  },
  lock: {
    id: 'TC-IMAGE-LOCK',
    title: 'A lock of images must have a digest for each image, which must be named with its tag.',
  },
  mirror: {
    id: 'TC-IMAGE-MIRROR',
    title: 'A mirror of charts must be the address of a Helm repository, or of an OCI repository without the chart\'s name.',
  },
  mirrorUnused: {
    id: 'TC-IMAGE-MIRROR-UNUSED',
    title: 'Every mirror must match the repository of a chart.',
  },
  chartUnknown: {
    id: 'TC-IMAGE-CHART-UNKNOWN',
    title: 'If images move or need digests, the images of every chart must be known.',
  },
} satisfies Record<string, Rule>;
