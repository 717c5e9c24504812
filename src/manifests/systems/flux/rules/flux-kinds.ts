export const HELM_RELEASE = 'helm.toolkit.fluxcd.io/HelmRelease';
export const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
export const BUCKET = 'source.toolkit.fluxcd.io/Bucket';
export const EXTERNAL_ARTIFACT = 'source.toolkit.fluxcd.io/ExternalArtifact';
export const GIT_REPOSITORY = 'source.toolkit.fluxcd.io/GitRepository';
export const HELM_CHART = 'source.toolkit.fluxcd.io/HelmChart';
export const HELM_REPOSITORY = 'source.toolkit.fluxcd.io/HelmRepository';
export const OCI_REPOSITORY = 'source.toolkit.fluxcd.io/OCIRepository';
