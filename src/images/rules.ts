import { Rule } from '../validation/problem';

const REFERENCE = 'distribution/reference regexp.go';

/** What is demanded of images and charts, and of where they come from. */
export const IMAGE_RULES = {
  name: {
    id: 'TC-IMAGE-NAME',
    title: 'Images are named the way container registries do, in every object and in every chart.',
    source: REFERENCE,
  },
  unpinned: {
    id: 'TC-IMAGE-UNPINNED',
    title: 'Every image has a digest or a tag other than latest, so that a restart brings no other version.',
    source: 'kubernetes.io/docs/concepts/containers/images',
  },
  digest: {
    id: 'TC-IMAGE-DIGEST',
    title: 'With requireDigests, every image has a digest, of its own or from the lock.',
  },
  registry: {
    id: 'TC-IMAGE-REGISTRY',
    title: 'A registry is a host, with a port and a path if need be, and without scheme.',
    source: REFERENCE,
  },
  override: {
    id: 'TC-IMAGE-OVERRIDE',
    title: 'An override names an image, by its repository or exactly, and what takes its place.',
    source: REFERENCE,
  },
  overrideUnused: {
    id: 'TC-IMAGE-OVERRIDE-UNUSED',
    title: 'Every override is for an image that is there.',
  },
  inexpressible: {
    id: 'TC-IMAGE-INEXPRESSIBLE',
    title: 'An image gets another name only where the object that a controller reads has a field for it.',
    source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_types.go, kubernetes/kubernetes cmd/kubeadm/app/images/images.go',
  },
  unmoved: {
    id: 'TC-IMAGE-UNMOVED',
    title: 'Where images are moved or need digests, none is named in a place that is left as it is: a field that is not known, a static pod, a chart that no delivery installs.',
  },
  valueTwice: {
    id: 'TC-IMAGE-VALUE-TWICE',
    title: 'Each image that a chart is declared to run is named by a value of its own.',
  },
  lock: {
    id: 'TC-IMAGE-LOCK',
    title: 'A lock of images holds a digest for each image, which is named with its tag.',
  },
  mirror: {
    id: 'TC-IMAGE-MIRROR',
    title: 'A mirror of charts is the address of a Helm repository, or of an OCI repository without the chart\'s name.',
  },
  mirrorUnused: {
    id: 'TC-IMAGE-MIRROR-UNUSED',
    title: 'Every mirror is for a repository that a chart comes from.',
  },
  chartUnknown: {
    id: 'TC-IMAGE-CHART-UNKNOWN',
    title: 'Where images are moved or need digests, the images of every chart are known.',
  },
} satisfies Record<string, Rule>;
