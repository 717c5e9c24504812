import { Rule } from '../../../manifests/values/problem';

const POD_VALIDATION = 'kubernetes/kubernetes pkg/apis/core/validation/validation.go';

/** Rules of the controllers that run beside a tenant's control plane. */
export const CONTROLLER_RULES = {
  nameTaken: {
    id: 'TC-CONTROLLER-NAME-TAKEN',
    title: 'The names of controllers must be unique in a namespace: cluster a with controller b-c and cluster a-b with controller c would collide.',
  },
  argument: {
    id: 'TC-CONTROLLER-ARGUMENT',
    title: 'The installed version of a controller must know each argument, and no other option may set it.',
    source: 'the controllers, which end at a flag that they do not know (spf13/pflag)',
  },
  image: {
    id: 'TC-CONTROLLER-IMAGE',
    title: 'The names of images must be valid in container registries.',
    source: 'distribution/reference regexp.go',
  },
  imageUnpinned: {
    id: 'TC-CONTROLLER-IMAGE-UNPINNED',
    title: 'The image of a controller must have a digest or a tag other than latest, so that a restart keeps the version.',
  },
  resources: {
    id: 'TC-CONTROLLER-RESOURCES',
    title: 'CPU and memory of a container must be quantities, and a request must not exceed its limit.',
    source: POD_VALIDATION,
  },
  label: {
    id: 'TC-CONTROLLER-LABEL',
    title: 'Labels of a controller\'s pods must not be set by the library.',
  },
  objectName: {
    id: 'TC-CONTROLLER-OBJECT-NAME',
    title: 'The names of Secrets must be valid in Kubernetes.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  priorityClass: {
    id: 'TC-CONTROLLER-PRIORITY-CLASS',
    title: 'The priority class of a controller must exist in the management cluster.',
    source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go',
  },
} satisfies Record<string, Rule>;
