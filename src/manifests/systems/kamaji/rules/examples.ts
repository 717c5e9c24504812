import { RuleExample } from '../../../rules/manifest-rule';

/** A KamajiControlPlane in which nothing is wrong but what is put in; the lines are those of `spec`. */
export function controlPlane(lines: string): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: v1.35.4
${lines}`;
}

/** The same, with addresses for DNS. */
export function namedControlPlane(lines: string): string {
  return controlPlane(`  addons:
    coreDNS:
      dnsServiceIPs: [10.96.0.10]
${lines}`);
}

/** Two such objects. */
export function controlPlaneExample(failing: string, corrected: string): RuleExample {
  return { failing: namedControlPlane(failing), corrected: namedControlPlane(corrected) };
}

/** A Cluster of that control plane; the lines are those of `spec.clusterNetwork`. */
export function cluster(lines: string): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  clusterNetwork:
${lines}  controlPlaneRef:
    apiGroup: controlplane.cluster.x-k8s.io
    kind: KamajiControlPlane
    name: acme
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: KubevirtCluster
    name: acme
`;
}

/** A TenantControlPlane in which nothing is wrong but what is put in; the lines are those of `spec`. */
export function tenantControlPlane(lines: string, { name = 'acme', serviceType = 'LoadBalancer' } = {}): string {
  return `apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata:
  name: ${name}
  namespace: tenant-acme
spec:
  controlPlane:
    service:
      serviceType: ${serviceType}
${lines}`;
}

/** A DataStore; the lines are those of `spec`. */
export function dataStore(lines: string): string {
  return `apiVersion: kamaji.clastix.io/v1alpha1
kind: DataStore
metadata:
  name: tenants
spec:
${lines}`;
}
