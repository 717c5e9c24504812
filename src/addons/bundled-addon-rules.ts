import { Rule } from '../validation/problem';

/** What the addons of the library demand of their input. */
export const BUNDLED_ADDON_RULES = {
  toleration: {
    id: 'TC-ADDON-TOLERATION',
    title: 'Tolerations of an addon name a key and an operator that go together, and a time only for NoExecute.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  required: {
    id: 'TC-ADDON-REQUIRED',
    title: 'What a chart cannot do without is given, and not empty.',
  },
  url: {
    id: 'TC-ADDON-URL',
    title: 'Addresses that an addon sends to are absolute http or https URLs.',
  },
  objectName: {
    id: 'TC-ADDON-OBJECT-NAME',
    title: 'Objects in the tenant are referred to by names that Kubernetes accepts.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  valueKey: {
    id: 'TC-ADDON-VALUE-KEY',
    title: 'A key in the values of an addon is one that its chart has, not nearly one.',
    source: 'values.yaml of each chart',
    warning: true,
  },
  retired: {
    id: 'TC-ADDON-RETIRED',
    title: 'An addon is of a project that still fixes its security holes.',
    source: 'kubernetes/ingress-nginx README.md',
    warning: true,
  },
  count: {
    id: 'TC-ADDON-COUNT',
    title: 'Replicas are counted in whole numbers, at least 1.',
  },
} satisfies Record<string, Rule>;
