import { ExplainedRule } from '../rules/manifest-rule';

/** Rules for the input of validation, and for silences. */
export const VALIDATION_RULES = {
  object: {
    id: 'TC-VALIDATE-OBJECT',
    title: 'A validated object must have apiVersion and kind.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects',
    example: {
      failing: 'metadata:\n  name: acme\n',
      corrected: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: acme\n',
    },
  },
  file: {
    id: 'TC-VALIDATE-FILE',
    title: 'A file must be readable, and must be YAML or JSON without repeated keys.',
    source: 'kubernetes-sigs/yaml, kubernetes.io/docs/reference/using-api/api-concepts (field validation)',
    example: {
      failing: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: acme\n  name: acme-2\n',
      corrected: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: acme\n',
    },
  },
  variables: {
    id: 'TC-VALIDATE-VARIABLES',
    title: 'Variables of clusterctl, Flux or envsubst must be replaced before validation.',
    source: 'cluster-api.sigs.k8s.io/clusterctl, fluxcd.io/flux/components/kustomize/kustomizations (post build variable substitution)',
    warning: true,
    example: {
      failing: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${CLUSTER_NAME}\n',
      corrected: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: acme\n',
    },
  },
  part: {
    id: 'TC-VALIDATE-PART',
    title: 'A CustomResourceDefinition must be whole. A part of one, such as a patch for kustomize, changes a definition that exists: other servers refuse it.',
    source: 'kubernetes-sigs/kubebuilder pkg/plugins/common/kustomize/v2/scaffolds/internal/templates/config/crd/patches (patches without a list of versions)',
    warning: true,
    example: {
      failing: partOfDefinition(''),
      corrected: partOfDefinition(`  group: example.com
  scope: Namespaced
  names: {kind: Web, plural: webs}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`),
    },
  },
  kind: {
    id: 'TC-VALIDATE-KIND',
    title: 'In strict mode, the fields of every kind must be known.',
    source: 'this library',
    example: {
      failing: 'apiVersion: example.com/v1\nkind: Unheard\nmetadata:\n  name: acme\n',
      corrected: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: acme\n',
    },
  },
  silenceReason: {
    id: 'TC-SILENCE-REASON',
    title: 'A silence must have a reason.',
    source: 'this library',
    example: { failing: silencing('TC-VALIDATE-KIND'), corrected: silencing() },
  },
  silenceRule: {
    id: 'TC-SILENCE-RULE',
    title: 'A silence must name an existing rule.',
    source: 'this library',
    example: { failing: silencing('TC-NO-SUCH-RULE: not needed here'), corrected: silencing() },
  },
  silenceUnused: {
    id: 'TC-SILENCE-UNUSED',
    title: 'A silence without findings must be removed.',
    source: 'this library',
    warning: true,
    example: { failing: silencing('TC-VALIDATE-KIND: the kind is ours'), corrected: silencing() },
  },
} as const satisfies { readonly [name: string]: ExplainedRule };

function partOfDefinition(more: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: webs.example.com
spec:
  conversion: {strategy: None}
${more}`;
}

function silencing(line?: string): string {
  const annotations = line === undefined ? '' : `  annotations:\n    cdk8s-cluster-api/silence: |\n      ${line}\n`;
  return `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: acme\n${annotations}`;
}
