import { ExplainedRule } from '../manifest-rule';

const STRUCTURAL_SCHEMA = 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (structural schemas)';

/** What API servers demand of fields by the definition of a kind, rules in CEL aside. */
export const STRUCTURE_RULES = {
  kind: {
    id: 'TC-ADMIT-KIND',
    title: 'A kind is one that its group has, where all kinds of the group are known; in other groups it is not one that is called nearly like a known one.',
    source: 'kubernetes.io/docs/reference/using-api/api-concepts, kubernetes.io/docs/reference/using-api/deprecation-guide',
    example: {
      failing: repository('interval: 10m').replace('kind: GitRepository', 'kind: GitRepo'),
      corrected: repository('interval: 10m'),
    },
  },
  version: {
    id: 'TC-ADMIT-FIELD-VERSION',
    title: 'The version of a kind is one that its pinned release serves.',
    source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning',
    example: {
      failing: repository('interval: 10m').replace('/v1\n', '/v1beta1\n'),
      corrected: repository('interval: 10m'),
    },
  },
  unknown: {
    id: 'TC-ADMIT-FIELD-UNKNOWN',
    title: 'A field is one that the kind has. With strict validation, which kubectl asks for, and with server-side apply, a server refuses others; '
      + 'without, it drops them.',
    source: 'kubernetes.io/docs/reference/using-api/api-concepts (field validation)',
    example: {
      failing: repository('interval: 10m', 'ref:', '  brunch: main'),
      corrected: repository('interval: 10m', 'ref:', '  branch: main'),
    },
  },
  type: {
    id: 'TC-ADMIT-FIELD-TYPE',
    title: 'A value has the type of its field: without quotes, what looks like a number is one.',
    source: STRUCTURAL_SCHEMA,
    example: {
      failing: repository('interval: 10m', 'ref:', '  tag: 1.10'),
      corrected: repository('interval: 10m', 'ref:', '  tag: "1.10"'),
    },
  },
  required: {
    id: 'TC-ADMIT-FIELD-REQUIRED',
    title: 'A field that the kind demands, and that has no default, is there.',
    source: STRUCTURAL_SCHEMA,
    example: {
      failing: repository('timeout: 60s'),
      corrected: repository('timeout: 60s', 'interval: 10m'),
    },
  },
  value: {
    id: 'TC-ADMIT-FIELD-VALUE',
    title: 'A value is one of the choices of its field, and keeps to its pattern, format, bounds, length and number of entries.',
    source: STRUCTURAL_SCHEMA,
    example: {
      failing: repository('interval: 1d'),
      corrected: repository('interval: 24h'),
    },
  },
  duplicate: {
    id: 'TC-ADMIT-FIELD-DUPLICATE',
    title: 'An entry of a set, and the keys of an entry of a list whose entries are told apart by keys, are there once. In Kubernetes\' own kinds '
      + 'server-side apply refuses others, and without it one of the entries is lost.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go',
    example: {
      failing: controlPlane('InternalIP, Hostname, InternalIP'),
      corrected: controlPlane('InternalIP, Hostname'),
    },
  },
  metadata: {
    id: 'TC-ADMIT-FIELD-METADATA',
    title: 'An object has a DNS name, labels and annotations are texts, and their keys, finalizers and owner references are well formed.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go',
    example: {
      failing: repository('interval: 10m').replace('name: acme', 'name: Acme\n  labels:\n    example.com/managed: true'),
      corrected: repository('interval: 10m').replace('name: acme', 'name: acme\n  labels:\n    example.com/managed: "true"'),
    },
  },
} satisfies Record<string, ExplainedRule>;

function repository(...fields: readonly string[]): string {
  return `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: acme
  namespace: tenant-acme
spec:
  url: https://git.example.com/acme
${fields.map((field) => `  ${field}\n`).join('')}`;
}

function controlPlane(addressTypes: string): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: 1.35.4
  addons:
    coreDNS:
      dnsServiceIPs: [10.96.0.10]
  kubelet:
    cgroupfs: systemd
    preferredAddressTypes: [${addressTypes}]
`;
}
