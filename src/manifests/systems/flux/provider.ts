import { DELIVERIES, valuesElsewhere } from './deliveries';
import { DELIVERY_EFFECTS } from './delivery-effects';
import { IMAGES } from './images';
import { BUCKET, EXTERNAL_ARTIFACT, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from './rules/flux-kinds';
import { FLUX_MANIFEST_RULES } from './rules/flux-rules';
import { MISSING_DELIVERIES } from './rules/missing-deliveries';
import { MOVED_DELIVERIES } from './rules/moved-deliveries';
import { RELEASE_CHANGES } from './rules/release-changes';
import { Provider } from '../../rules/provider';

/** Flux. */
export const FLUX: Provider = {
  name: 'flux',
  title: 'Flux',
  kinds: [
    { kind: HELM_RELEASE, finalizes: true },
    { kind: KUSTOMIZATION, finalizes: true },
    ...[BUCKET, EXTERNAL_ARTIFACT, GIT_REPOSITORY, HELM_CHART, HELM_REPOSITORY, OCI_REPOSITORY].map((kind) => ({ kind })),
  ],
  groups: { 'helm.toolkit.fluxcd.io': [], 'kustomize.toolkit.fluxcd.io': [], 'source.toolkit.fluxcd.io': ['Bucket', 'ExternalArtifact', 'HelmChart'] },
  namespaces: { 'flux-system': 'Flux runs there, with its credentials for Git' },
  rules: FLUX_MANIFEST_RULES,
  referenceRules: MISSING_DELIVERIES,
  changes: [...RELEASE_CHANGES, ...MOVED_DELIVERIES],
  deliveries: DELIVERIES,
  effects: DELIVERY_EFFECTS,
  elsewhere: { [HELM_RELEASE]: valuesElsewhere },
  // Unless Flux is told to impersonate (fluxcd/website content/en/flux/installation/configuration/multitenancy.md).
  powers: { controllers: ['helmreleases.helm.toolkit.fluxcd.io', 'kustomizations.kustomize.toolkit.fluxcd.io'] },
  images: IMAGES,
};
