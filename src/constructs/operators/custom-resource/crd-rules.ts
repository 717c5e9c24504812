import { Rule } from '../../../manifests/values/problem';

const VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';
const STRUCTURAL = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go';

/** What the definition of a custom resource, and its instances, are held to. */
export const CRD_RULES = {
  protectedGroup: {
    id: 'TC-CRD-PROTECTED-GROUP',
    title: 'Only a group of the Kubernetes community (*.k8s.io, *.kubernetes.io) has an approval.',
    source: 'kubernetes/enhancements pull 1111 (annotation api-approved.kubernetes.io)',
  },
  names: {
    id: 'TC-CRD-NAMES',
    title: 'A chart defines a type once.',
  },
  version: {
    id: 'TC-CRD-VERSION',
    title: 'At least one version is served.',
  },
  deprecation: {
    id: 'TC-CRD-DEPRECATION',
    title: 'A deprecation warning is one printable line of at most 256 bytes, on a deprecated version.',
    source: VALIDATION,
  },
  conversion: {
    id: 'TC-CRD-CONVERSION',
    title: 'A conversion webhook has an https address, or a Service and certificates that it is trusted by, which can be read, and at least one of the review '
      + 'versions v1 and v1beta1.',
    source: VALIDATION,
  },
  schema: {
    id: 'TC-CRD-SCHEMA',
    title: 'Keywords of schemas have values of their kind, belong to the type, and are none that the API server would drop.',
    source: STRUCTURAL,
  },
  listType: {
    id: 'TC-CRD-LIST-TYPE',
    title: 'Sets hold what is not taken apart, and the keys of a map-like list are scalar fields that are always there.',
    source: VALIDATION,
  },
  bounds: {
    id: 'TC-CRD-BOUNDS',
    title: 'What a schema demands can be fulfilled: least values are not above largest ones, and enumerated values fit the rest.',
  },
  required: {
    id: 'TC-CRD-REQUIRED',
    title: 'Required fields are fields of the schema.',
  },
  pattern: {
    id: 'TC-CRD-PATTERN',
    title: 'Patterns are regular expressions of Go, which neither look around nor refer back.',
    source: STRUCTURAL,
  },
  format: {
    id: 'TC-CRD-FORMAT',
    title: 'Formats are those that the API server knows for strings, whole numbers and numbers; it ignores others.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go',
  },
  default: {
    id: 'TC-CRD-DEFAULT',
    title: 'Defaults fit their schema, without a field that it does not have, and stand where the API server writes them.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go',
  },
  validation: {
    id: 'TC-CRD-VALIDATION',
    title: 'A CEL rule must test the value, must have a message of one line if it has several lines, and must report an existing field.',
    source: VALIDATION,
  },
  validationCost: {
    id: 'TC-CRD-VALIDATION-COST',
    title: 'The lists and objects around a rule in CEL let it run at most ten million times, which is what the cheapest rule may cost.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go',
  },
  transition: {
    id: 'TC-CRD-TRANSITION',
    title: 'Rules compare with oldSelf only where the old value can be found, and say optionalOldSelf only where they use it.',
    source: VALIDATION,
  },
  column: {
    id: 'TC-CRD-COLUMN',
    title: 'A printer column has a path that starts with a dot and leads to a field.',
    source: VALIDATION,
  },
  columnTwice: {
    id: 'TC-CRD-COLUMN-TWICE',
    title: 'Printer columns of a version have different names: the API server accepts equal ones, which users cannot tell apart.',
    source: VALIDATION,
    warning: true,
  },
  statusFields: {
    id: 'TC-CRD-STATUS-FIELDS',
    title: 'A schema with the status subresource has a field status: the API server accepts one without, and drops every status.',
    source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (field pruning, status subresource)',
    warning: true,
  },
  subresource: {
    id: 'TC-CRD-SUBRESOURCE',
    title: 'The status subresource has no limits at the top of the schema beside it; the scale subresource reads numbers below spec and status, and a selector as a string.',
    source: VALIDATION,
  },
  selectableField: {
    id: 'TC-CRD-SELECTABLE-FIELD',
    title: 'At most eight fields are selectable, each named once: strings, booleans or whole numbers outside of metadata and lists.',
    source: VALIDATION,
  },
  metadata: {
    id: 'TC-CRD-METADATA',
    title: 'An annotation of a definition is none that a property of the type writes.',
  },
  userRoles: {
    id: 'TC-CRD-USER-ROLES',
    title: 'The roles for users of a type have DNS names that no other type in the chart has.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/rbac',
  },
  instance: {
    id: 'TC-CRD-INSTANCE',
    title: 'A custom resource fits the schema of its version, and has no field that the API server would drop, a status that is written apart among them.',
    source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (validation, field pruning)',
  },
  instanceVersion: {
    id: 'TC-CRD-INSTANCE-VERSION',
    title: 'A custom resource is written in a version of its type that is served.',
  },
  instanceName: {
    id: 'TC-CRD-INSTANCE-NAME',
    title: 'A custom resource has a namespace exactly when its type is namespaced; no other of its type in the chart has the same name and namespace.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
} satisfies Record<string, Rule>;
