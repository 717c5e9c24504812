import { FeatureGate } from './feature-gates';
import { indented } from '../example-text';

// Manifests for the examples of rules: as small as their schemas allow.

/** A Cluster; what is given goes into its spec, or into its metadata. */
export function clusterYaml(spec: string, metadata = ''): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
${indented(metadata, 2)}spec:
${indented(spec, 2)}`;
}

/** References of a Cluster. */
export const CLUSTER_PARTS = `controlPlaneRef:
  apiGroup: controlplane.cluster.x-k8s.io
  kind: KamajiControlPlane
  name: acme
infrastructureRef:
  apiGroup: infrastructure.cluster.x-k8s.io
  kind: KubevirtCluster
  name: acme`;

/** A Cluster of two kinds of parts; what is given comes before their references. */
export function partsYaml(controlPlane: string, infrastructure: string, spec = ''): string {
  return clusterYaml(`${spec}controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: ${controlPlane}, name: acme}
infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ${infrastructure}, name: acme}
`);
}

/** Names in a KubeadmControlPlane. */
export interface PlaneExample {
  readonly name?: string;

  /** Kind of the template of its machines, and its name. */
  readonly template?: string;
  readonly templateName?: string;
}

/** A KubeadmControlPlane; what is given goes into its spec. */
export function controlPlaneYaml(spec: string, example: PlaneExample = {}): string {
  const { name = 'acme-control-plane', template = 'KubevirtMachineTemplate', templateName = 'acme-control-plane' } = example;
  return providerYaml('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', `version: v1.35.4
machineTemplate:
  spec:
    infrastructureRef:
      apiGroup: infrastructure.cluster.x-k8s.io
      kind: ${template}
      name: ${templateName}
${spec}`, name);
}

/** A KubeadmControlPlane of three machines; what is given goes into the configuration of kubeadm. */
export function kubeadmPlaneYaml(kubeadm: string, template?: string): string {
  return controlPlaneYaml(`replicas: 3\nkubeadmConfigSpec:\n${indented(kubeadm, 2)}`, { name: 'acme', template });
}

/** An object of a provider; what is given goes into its spec. An empty namespace is that of cluster-scoped kinds. */
export function providerYaml(apiVersion: string, kind: string, spec: string, name = 'acme', namespace = 'tenant-acme'): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
${namespace === '' ? '' : `  namespace: ${namespace}\n`}spec:
${indented(spec, 2)}`;
}

/** A template of a provider; what is given goes into the spec of its objects. */
export function templateYaml(apiVersion: string, kind: string, fields: string, name = 'acme'): string {
  return providerYaml(apiVersion, kind, `template:\n  spec:\n${indented(fields, 4)}`, name);
}

/** A Cluster with a topology. */
export function topologyYaml(topology: string, metadata = '', version = 'v1.35.4'): string {
  return clusterYaml(`topology:
  classRef:
    name: small
  version: ${version}
${indented(topology, 2)}`, metadata);
}

/** A ClusterClass; what is given comes after its templates, its control plane comes last of them. */
export function clusterClassYaml(spec: string): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata:
  name: small
  namespace: tenant-acme
spec:
  infrastructure:
    templateRef:
      apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
      kind: KubevirtClusterTemplate
      name: small
  controlPlane:
    templateRef:
      apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
      kind: KamajiControlPlaneTemplate
      name: small
${indented(spec, 2)}`;
}

/** The workers of a ClusterClass: one class of MachineDeployments. */
export function workerClassYaml(deployment = '', infrastructureKind = 'KubevirtMachineTemplate'): string {
  return `workers:
  machineDeployments:
    - class: worker
      bootstrap:
        templateRef:
          apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
          kind: KubeadmConfigTemplate
          name: small
      infrastructure:
        templateRef:
          apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
          kind: ${infrastructureKind}
          name: small
${indented(deployment, 6)}`;
}

/** Fields of an example of a pool. */
export interface PoolExample {
  readonly kind?: string;
  readonly name?: string;
  readonly metadata?: string;
  readonly spec?: string;
  readonly selector?: string;
  readonly templateMetadata?: string;
  readonly machine?: string;
  readonly bootstrap?: string;

  /** Kind of the template of its machines. */
  readonly template?: string;
}

const BOOTSTRAP = `configRef:
  apiGroup: bootstrap.cluster.x-k8s.io
  kind: KubeadmConfigTemplate
  name: acme-general`;

const POOL_LABELS = 'labels:\n  cluster.x-k8s.io/deployment-name: acme-general';
const POOL_SELECTOR = 'matchLabels:\n  cluster.x-k8s.io/deployment-name: acme-general';

/** A MachineDeployment, or another kind of pool. */
export function poolYaml(example: PoolExample): string {
  const { kind = 'MachineDeployment', name = 'acme-general', metadata = '', spec = '', selector = POOL_SELECTOR, templateMetadata = POOL_LABELS } = example;
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: ${kind}
metadata:
  name: ${name}
  namespace: tenant-acme
${indented(metadata, 2)}spec:
  clusterName: acme
${indented(spec, 2)}${kind === 'MachinePool' ? '' : `  selector:\n${indented(selector, 4)}`}  template:
    metadata:
${indented(templateMetadata, 6)}    spec:
${indented(machineSpec(kind === 'MachinePool' ? { bootstrap: BOOTSTRAP.replace('ConfigTemplate', 'Config'), ...example } : example), 6)}`;
}

/** A Machine. */
export function machineYaml(example: PoolExample): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: acme-general-0
  namespace: tenant-acme
spec:
${indented(machineSpec(example), 2)}`;
}

/** A MachineHealthCheck; what is given comes after its selector. */
export function healthCheckYaml(spec: string, selector = POOL_SELECTOR, name = 'acme-general'): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata:
  name: ${name}
  namespace: tenant-acme
spec:
  clusterName: acme
  selector:
${indented(selector, 4)}${indented(spec, 2)}`;
}

/** A ClusterResourceSet of ConfigMaps. */
export function resourceSetYaml(strategy: string, ...configMaps: readonly string[]): string {
  return `apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata:
  name: acme-addons
  namespace: tenant-acme
spec:
  clusterSelector:
    matchLabels:
      cluster.x-k8s.io/cluster-name: acme
  resources:
${configMaps.map((name) => `    - kind: ConfigMap\n      name: ${name}\n`).join('')}  strategy: ${strategy}
`;
}

/** The operator's CoreProvider with feature gates turned on, as a further document. */
export function gateYaml(...gates: readonly FeatureGate[]): string {
  return `---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: CoreProvider
metadata:
  name: cluster-api
  namespace: capi-system
spec:
  manager:
    featureGates:
${gates.map((gate) => `      ${gate}: true\n`).join('')}`;
}

function machineSpec({ machine = '', bootstrap = BOOTSTRAP, template = 'KubevirtMachineTemplate' }: PoolExample): string {
  return `clusterName: acme
bootstrap:
${indented(bootstrap, 2)}infrastructureRef:
  apiGroup: infrastructure.cluster.x-k8s.io
  kind: ${template}
  name: acme-general
${machine}`;
}
