import { Effect } from '../../rules/changes/effects';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { topologyYaml } from '../../rules/cluster-api/example-manifests';
import { ComponentFacts, stepFault, TenantKubernetes, UpgradeEffect } from '../../rules/components';
import { changedText, documents, replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';
import { compareVersions, parseSemanticVersion } from '../../values/semantic-version';
import { HELM_RELEASE } from '../helm-chart-proxy/provider';
import { KUBEADM_BOOTSTRAP_RELEASE, KUBEADM_CONTROL_PLANE_RELEASE } from '../kubeadm/provider';
import { KUBEVIRT_RELEASE } from '../kubevirt/components';
import { VULTR_RELEASE } from '../vultr/provider';

/** Cluster API's core provider. */
export const CORE_RELEASE: ProviderRelease = {
  kind: 'CoreProvider', name: 'cluster-api', image: 'registry.k8s.io/cluster-api/cluster-api-controller',
};

const GROUP = 'operator.cluster.x-k8s.io';

/** Kinds of providers that the Cluster API Operator installs. */
export const PROVIDER_KINDS: readonly string[] = ['Addon', 'Bootstrap', 'ControlPlane', 'Core', 'IPAM', 'Infrastructure', 'RuntimeExtension']
  .map((what) => `${GROUP}/${what}Provider`);

/** Effect of another release of a provider: machines are compared with their templates, not with the version of the provider. */
function providerEffect(): UpgradeEffect {
  return { effect: Effect.IN_PLACE, notes: ['its controllers restart; machines and control planes stay as they are'] };
}

function coreYaml(version: string): string {
  return `apiVersion: ${GROUP}/v1alpha2\nkind: CoreProvider\nmetadata:\n  name: cluster-api\n  namespace: capi-system\nspec:\n  version: ${version}\n`;
}

const KUBEVIRT_TEXT = coreYaml('v0.11.2').replace('CoreProvider', 'InfrastructureProvider').replace('name: cluster-api', 'name: kubevirt')
  .replace('capi-system', 'capk-system');

const TITLE = 'Cluster API';

/** Releases of Kubernetes that releases of Cluster API support in workload clusters. */
const TENANTS: TenantKubernetes = {
  releases: [
    { since: 'v1.14.0', oldest: 31, newest: 37 },
    { since: 'v1.13.6', oldest: 30, newest: 37 },
    { since: 'v1.13.0', oldest: 30, newest: 36 },
    { since: 'v1.12.0', oldest: 29, newest: 35 },
    { since: 'v1.11.1', oldest: 28, newest: 34 },
  ],
  compare: compareVersions,
  lastRead: 'v1.14.4',
  kinds: [CLUSTER],
  rule: {
    id: 'TC-TRAP-CLUSTER-API-KUBERNETES',
    title: 'The Kubernetes of a cluster must be one that the release of Cluster API in its management cluster supports.',
    source: 'kubernetes-sigs/cluster-api, notes of the releases v1.11.1, v1.12.9, v1.13.3, v1.13.6, v1.14.3 and v1.14.4 (Kubernetes version support)',
    warning: true,
    example: replaced(topologyYaml(''), 'v1.35.4', 'v1.36.3', `${coreYaml('v1.12.9')}  manager: {featureGates: {ClusterTopology: true}}\n`),
  },
};

/** Cluster API with the providers of kubeadm, its operator, and its add-on provider for Helm. */
export const COMPONENTS: readonly ComponentFacts[] = [
  {
    title: TITLE,
    providers: [CORE_RELEASE, KUBEADM_BOOTSTRAP_RELEASE, KUBEADM_CONTROL_PLANE_RELEASE],
    releases: ['https://github.com/kubernetes-sigs/cluster-api/releases/download/'],
    tenants: TENANTS,
    upgrades: {
      id: 'TC-CHANGE-CLUSTER-API-RELEASE',
      title: 'Cluster API must not go back to an older minor release, and must rise by at most three minor releases at a time.',
      source: 'kubernetes-sigs/cluster-api docs/book/src/reference/versions.md (skip upgrades, downgrades)',
      trap: true,
      example: changedText(coreYaml('v1.11.5'), { 'v1.11.5': 'v1.10.4' }, { 'v1.11.5': 'v1.14.2' }),
      faultOf: (upgrade) => stepFault(TITLE, upgrade, { most: 3, insteadOfOlder: 'keep the newer release, or go to a newer patch of it' }),
    },
    effects: providerEffect,
  },
  {
    title: 'Cluster API Operator',
    charts: { 'cluster-api-operator': undefined },
    images: ['capi-operator/cluster-api-operator'],
    effects: () => ({ effect: Effect.IN_PLACE, notes: ['it restarts; providers, machines and control planes stay as they are'] }),
  },
  { title: 'Helm add-on provider', providers: [HELM_RELEASE], effects: () => ({ effect: Effect.IN_PLACE, notes: ['its controllers restart; releases in tenants stay as they are'] }) },
];

/** Providers whose releases have a rule of their own. */
const WITH_OWN_RULE: readonly string[] = COMPONENTS.filter(({ upgrades }) => upgrades)
  .flatMap(({ providers = [] }) => providers.map(({ kind, name }) => `${kind} ${name}`));

/** A downgrade of any provider, which the operator rejects. */
export const PROVIDER_LOWERED: TransitionRule = {
  id: 'TC-CHANGE-OPERATOR-LOWERED',
  title: 'The minor version of a provider must not go down: the Cluster API Operator rejects it, and the newer release keeps running.',
  source: 'kubernetes-sigs/cluster-api-operator internal/controller/preflight_checks.go (unsupportedProviderDowngradeMessage)',
  kinds: PROVIDER_KINDS,
  trap: true,
  example: changedText(
    KUBEVIRT_TEXT,
    { 'v0.11.2': 'v0.10.1' }, { 'v0.11.2': 'v0.11.1' },
  ),
  check: ({ before, after }) => {
    if (!before || !after || WITH_OWN_RULE.includes(`${String(after.kind)} ${stringAt(after, 'metadata', 'name')}`)) return [];
    const [from, to] = [before, after].map((object) => stringAt(object, 'spec', 'version'));
    if (from === undefined || to === undefined) return [];
    const fault = stepFault(`${String(after.kind)} ${stringAt(after, 'metadata', 'name')}`, { from, to }, { insteadOfOlder: 'keep the newer release' });
    return fault ? [{ path: ['spec', 'version'], ...fault }] : [];
  },
};

/** First minor release of Cluster API 1 without the contract v1beta1. */
const WITHOUT_V1BETA1 = 16;

const OLD_CONTRACT: readonly ProviderRelease[] = [KUBEVIRT_RELEASE, VULTR_RELEASE];

/** Providers that a later Cluster API does not work with. */
export const CONTRACT: ManifestRule = {
  id: 'TC-TRAP-OPERATOR-CONTRACT',
  title: 'Cluster API 1.16 drops the contract v1beta1: a provider that has no other one must not be installed with it, or later ones.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/migrations/v1.13-to-v1.14.md (removals scheduled)',
  kinds: [`${GROUP}/CoreProvider`],
  trap: true,
  example: {
    failing: documents(coreYaml('v1.16.0'), KUBEVIRT_TEXT), corrected: documents(coreYaml('v1.15.1'), KUBEVIRT_TEXT),
  },
  check: (core, index) => {
    const version = parseSemanticVersion(stringAt(core, 'spec', 'version') ?? '');
    if (!version || version.major !== 1 || version.minor < WITHOUT_V1BETA1) return [];
    return OLD_CONTRACT.flatMap((release) => index.all(`${GROUP}/${release.kind}`)
      .filter((provider) => stringAt(provider, 'metadata', 'name') === release.name && release.onlyV1Beta1!.test(stringAt(provider, 'spec', 'version') ?? ''))
      .map((provider) => ({
        path: ['spec', 'version'],
        message: `${release.kind} "${release.name}" ${stringAt(provider, 'spec', 'version')} has only the contract v1beta1`,
        fix: 'stay below v1.16 until the provider has a release with the contract v1beta2',
      })));
  },
};
