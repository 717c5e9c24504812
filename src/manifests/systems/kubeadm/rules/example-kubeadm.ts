import { indented } from '../../../rules/example-text';

// Manifests for the examples of rules: as small as their schemas allow.

/** A KubeadmConfigTemplate with this spec. */
export function configTemplateYaml(spec: string, version = 'v1beta2'): string {
  return `apiVersion: bootstrap.cluster.x-k8s.io/${version}
kind: KubeadmConfigTemplate
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  template:
    spec:
${indented(spec, 6)}`;
}

/** A KubeadmControlPlane with these fields beside what it needs. */
export function controlPlaneYaml(spec: string): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: acme-control-plane
  namespace: tenant-acme
spec:
  version: v1.35.4
  machineTemplate:
    spec:
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: KubevirtMachineTemplate
        name: acme-control-plane
${indented(spec, 2)}`;
}

/** A KubeadmControlPlane with this cluster configuration, and further fields. */
export function clusterConfigurationYaml(configuration: string, spec = ''): string {
  return controlPlaneYaml(`${spec}kubeadmConfigSpec:\n  clusterConfiguration:\n${indented(configuration, 4)}`);
}
