import { Rule } from '../validation/problem';

const POD_VALIDATION = 'kubernetes/kubernetes pkg/apis/core/validation/validation.go';

/** What a controller beside a tenant's control plane demands of its options. */
export const CONTROLLER_RULES = {
  nameTaken: {
    id: 'TC-CONTROLLER-NAME-TAKEN',
    title: 'Two controllers of one namespace have different names: cluster a with controller b-c and cluster a-b with controller c would be the same.',
  },
  argument: {
    id: 'TC-CONTROLLER-ARGUMENT',
    title: 'A controller knows each of its arguments in the version that is installed, and nobody else sets it.',
    source: 'the controllers, which end at a flag that they do not know (spf13/pflag)',
  },
  image: {
    id: 'TC-CONTROLLER-IMAGE',
    title: 'Images are named the way container registries do.',
    source: 'distribution/reference regexp.go',
  },
  imageUnpinned: {
    id: 'TC-CONTROLLER-IMAGE-UNPINNED',
    title: 'The image of a controller has a digest or a tag other than latest, so that a restart brings no other version.',
  },
  resources: {
    id: 'TC-CONTROLLER-RESOURCES',
    title: 'CPU and memory of a container are quantities, and no request is above its limit.',
    source: POD_VALIDATION,
  },
  label: {
    id: 'TC-CONTROLLER-LABEL',
    title: 'Labels and annotations of a controller\'s pods, and labels of the hosts it runs on, are valid, and none is one that the library sets.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  toleration: {
    id: 'TC-CONTROLLER-TOLERATION',
    title: 'Tolerations name a key and an operator that go together, and a time only for NoExecute.',
    source: POD_VALIDATION,
  },
  objectName: {
    id: 'TC-CONTROLLER-OBJECT-NAME',
    title: 'Priority classes and Secrets are referred to by names that Kubernetes accepts.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  priorityClass: {
    id: 'TC-CONTROLLER-PRIORITY-CLASS',
    title: 'The priority class of a controller exists in the management cluster.',
    source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go',
  },
} satisfies Record<string, Rule>;
