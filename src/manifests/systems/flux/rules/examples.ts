/** A HelmRelease into a tenant, in which nothing is wrong. */
export const HELM_RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: acme-cert-manager
  namespace: tenant-acme
spec:
  interval: 10m
  chart:
    spec:
      chart: cert-manager
      version: v1.20.0
      sourceRef: {kind: HelmRepository, name: jetstack}
  kubeConfig:
    secretRef: {name: acme-kubeconfig, key: value}
  releaseName: cert-manager
  targetNamespace: cert-manager
  storageNamespace: cert-manager
  install:
    createNamespace: true
    strategy: {name: RetryOnFailure, retryInterval: 30s}
`;

/** A Kustomization into a tenant, in which nothing is wrong. */
export const KUSTOMIZATION_TEXT = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: acme-addons
  namespace: tenant-acme
spec:
  interval: 10m
  prune: true
  path: ./tenants/acme
  sourceRef: {kind: GitRepository, name: fleet}
  kubeConfig:
    secretRef: {name: acme-kubeconfig, key: value}
`;
