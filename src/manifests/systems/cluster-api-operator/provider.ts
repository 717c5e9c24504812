import { CLUSTER_API_OPERATOR_ALERTS, CLUSTER_API_OPERATOR_METRICS } from './alerts';
import { COMPONENTS, CONTRACT, PROVIDER_KINDS, PROVIDER_LOWERED } from './components';
import { nameOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { Effect, effectsOfFields } from '../../rules/changes/effects';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { replaced } from '../../rules/example-text';
import { ImageFacts, wholeNames } from '../../rules/image-facts';
import { ManifestRule } from '../../rules/manifest-rule';
import { oneOf } from '../../rules/one-of';
import { Provider } from '../../rules/provider';
import { isSet, stringAt } from '../../values/fields';

// kubernetes-sigs/cluster-api-operator api/v1alpha2/provider_types.go
const IMAGES: ImageFacts = {
  fields: (object) => wholeNames(
    object, 'spec/deployment/containers/*/imageUrl', 'spec/additionalDeployments/*/deployment/containers/*/imageUrl',
  ),
  unknown: (object) => {
    const version = stringAt(object, 'spec', 'version');
    return [`the ${String(object.kind)} "${nameOf(object) ?? ''}"${version === undefined ? '' : ` ${version}`}: `
      + 'its images stand in the components that the Cluster API Operator fetches'];
  },
};

const SOURCE = 'kubernetes-sigs/cluster-api-operator config/crd/bases (x-kubernetes-validations)';

const PROVIDER_TEXT = `apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: InfrastructureProvider
metadata:
  name: kubevirt
  namespace: capk-system
spec:
  version: v0.11.2
  fetchConfig:
    oci: registry.example.com/providers/kubevirt
  patches:
    - patch: '[{op: replace, path: /spec/replicas, value: 2}]'
      target: {kind: Deployment}
`;

const fetch: ManifestRule = {
  id: 'TC-ADMIT-OPERATOR-FETCH',
  title: 'The manifests of a provider must come from exactly one source: a URL, a registry, or ConfigMaps by a selector.',
  source: SOURCE,
  kinds: PROVIDER_KINDS,
  example: replaced(PROVIDER_TEXT, '  fetchConfig:\n', '  fetchConfig:\n    url: https://github.com/kubernetes-sigs/cluster-api-provider-kubevirt/releases\n'),
  check: (object) => (isSet(object, 'spec', 'fetchConfig') ? oneOf(object, ['spec', 'fetchConfig'], ['oci', 'url', 'selector']) : []),
};

const patches: ManifestRule = {
  id: 'TC-ADMIT-OPERATOR-PATCHES',
  title: 'A provider must not have both patches and manifestPatches.',
  source: SOURCE,
  kinds: PROVIDER_KINDS,
  example: replaced(PROVIDER_TEXT, '  patches:\n', '  manifestPatches: ["{apiVersion: v1, kind: Namespace, metadata: {name: capk-system, labels: {team: platform}}}"]\n  patches:\n'),
  check: (object) => (isSet(object, 'spec', 'patches') && isSet(object, 'spec', 'manifestPatches') ? [{
    path: ['spec', 'manifestPatches'], message: 'there are patches and manifestPatches', fix: 'move them into patches, which name their target',
  }] : []),
};

/**
 * Effects of the fields of a provider: none reaches machines. The operator applies the manifests of the release anew, and the Deployment of the
 * provider's controllers with them (internal/controller/phases.go).
 */
const PROVIDER_EFFECTS = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec.additionalDeployments': { effect: Effect.PODS, word: 'additionalDeployments' },
  'spec.configSecret': { effect: Effect.LATER, word: 'configSecret' },
  'spec.deployment': { effect: Effect.PODS, word: 'deployment' },
  'spec.deployment.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.manager': { effect: Effect.PODS, word: 'manager' },
  'spec.version': { effect: Effect.RELEASE, word: 'version' },
});

/**
 * Consequences of a provider that goes: the operator deletes its controllers and webhooks, and leaves its definitions, objects and namespace.
 *
 * Source: kubernetes-sigs/cluster-api-operator internal/controller/phase_lifecycle.go (delete: IncludeNamespace, IncludeCRDs).
 */
function providerConsequences({ before, after }: ManifestChange): ChangeConsequences {
  if (!before || after) return {};
  return {
    down: [{
      what: `controllers of ${String(before.kind)} ${nameOf(before)}`,
      detail: `its objects stay as they are, and are neither changed, repaired nor deleted until it is installed again${
        before.kind === 'CoreProvider' ? '; without a CoreProvider, no other provider is installed or upgraded' : ''}`,
    }],
  };
}

/** The Cluster API Operator. */
export const CLUSTER_API_OPERATOR: Provider = {
  name: 'cluster-api-operator',
  title: 'Cluster API Operator',
  kinds: PROVIDER_KINDS.map((kind) => ({ kind })),
  alerts: CLUSTER_API_OPERATOR_ALERTS,
  metrics: CLUSTER_API_OPERATOR_METRICS,
  controllerFields: Object.fromEntries(PROVIDER_KINDS.map((kind) => [kind, [{
    field: 'metadata.annotations["operator.cluster.x-k8s.io/applied-spec-hash"]',
    holds: 'the content that is installed',
    source: 'kubernetes-sigs/cluster-api-operator internal/controller/genericprovider_controller.go (appliedSpecHashAnnotation)',
  }]])),
  groups: { 'operator.cluster.x-k8s.io': [] },
  namespaces: { 'capi-operator-system': 'the Cluster API Operator runs there' },
  rules: [fetch, patches, CONTRACT],
  changes: [PROVIDER_LOWERED],
  components: COMPONENTS,
  effects: Object.fromEntries(PROVIDER_KINDS.map((kind) => [kind, PROVIDER_EFFECTS])),
  consequences: Object.fromEntries(PROVIDER_KINDS.map((kind) => [kind, providerConsequences])),
  images: Object.fromEntries(PROVIDER_KINDS.map((kind) => [kind, IMAGES])),
};
