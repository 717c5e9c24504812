import { Rule } from '../../manifests/values/problem';

/** Rules of the addons of the library. */
export const BUNDLED_ADDON_RULES = {
  toleration: {
    id: 'TC-ADDON-TOLERATION',
    title: 'The key and operator of an addon\'s toleration must match, and only NoExecute may have a time.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  required: {
    id: 'TC-ADDON-REQUIRED',
    title: 'Required values of a chart must be set, and not empty.',
  },
  url: {
    id: 'TC-ADDON-URL',
    title: 'Destination addresses of an addon must be absolute http or https URLs.',
  },
  objectName: {
    id: 'TC-ADDON-OBJECT-NAME',
    title: 'The names of objects in the tenant must be valid in Kubernetes.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  valueKey: {
    id: 'TC-ADDON-VALUE-KEY',
    title: 'A key in the values of an addon should exist in its chart, not be similar to an existing key.',
    source: 'values.yaml of each chart',
    warning: true,
  },
  retired: {
    id: 'TC-ADDON-RETIRED',
    title: 'The project of an addon should still release security fixes.',
    source: 'kubernetes/ingress-nginx README.md',
    warning: true,
  },
  count: {
    id: 'TC-ADDON-COUNT',
    title: 'The number of replicas must be a whole number of at least 1.',
  },
} satisfies Record<string, Rule>;
