import { CLUSTER_PARTS, clusterYaml } from '../rules/cluster-api/example-manifests';

export const VALUES = `    kubeProxyReplacement: true
    k8sServiceHost: acme.tenant-acme.svc
    k8sServicePort: 6443
    ipam: {mode: kubernetes}
`;

export const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: acme-cilium
  namespace: tenant-acme
spec:
  interval: 1h
  targetNamespace: kube-system
  storageNamespace: kube-system
  install:
    remediation: {retries: -1}
  chart:
    spec:
      chart: cilium
      version: 1.20.0
      sourceRef: {kind: HelmRepository, name: cilium}
  kubeConfig:
    secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}
  values:
${VALUES}`;

export const CLUSTER_TEXT = clusterYaml(`clusterNetwork:
  pods:
    cidrBlocks: [10.243.0.0/16]
  services:
    cidrBlocks: [10.95.0.0/16]
${CLUSTER_PARTS}`);

export const CONTROL_PLANE_TEXT = `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: v1.35.4
  addons:
    coreDNS:
      dnsServiceIPs: [10.95.0.10]
`;

/** The pod network of a management cluster. */
export const OUTER_TEXT = RELEASE_TEXT.replace('name: acme-cilium\n  namespace: tenant-acme', 'name: cilium\n  namespace: kube-system')
  .replace('  kubeConfig:\n    secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}\n', '')
  .replace(VALUES, '    ipam: {mode: cluster-pool, operator: {clusterPoolIPv4PodCIDRList: [10.244.0.0/16]}}\n');
