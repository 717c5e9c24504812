import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { PlannedChanges, planObjects } from '../../../src/manifests/plan/plan-objects';

/** Fields of any type. */
export type Fields = { [field: string]: unknown };

/** Files with their objects. */
export type ObjectFiles = { readonly [file: string]: readonly Fields[] };

/** A state of files below a folder. */
export function stateOfObjects(files: ObjectFiles, root = 'dist') {
  return {
    ...placedObjects(Object.entries(files).map(([file, objects]) => (
      { file: `${root}/${file}`, bytes: Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n---\n')) }))),
    root,
  };
}

/** The plan of files that take the place of others. */
export function plannedObjects(before: ObjectFiles, after: ObjectFiles): PlannedChanges {
  return planObjects(stateOfObjects(before), stateOfObjects(after));
}

/** A rollout of two machines at a time. */
export const STRATEGY: Fields = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } };

/** A MachineDeployment as older manifests have it. */
export function oldPool(spec: Fields = {}, machine: Fields = {}): Fields {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineDeployment',
    metadata: { name: 'acme-md-0', namespace: 'default' },
    spec: {
      clusterName: 'acme',
      replicas: 2,
      strategy: STRATEGY,
      template: {
        spec: {
          clusterName: 'acme',
          version: 'v1.34.1',
          bootstrap: { configRef: { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta1', kind: 'KubeadmConfigTemplate', name: 'acme-md-0' } },
          infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'DockerMachineTemplate', name: 'acme-md-0' },
          ...machine,
        },
      },
      ...spec,
    },
  };
}

/** A MachineDeployment as newer manifests have it. */
export function newPool(machine: Fields = {}, spec: Fields = {}): Fields {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'acme-md-0', namespace: 'default' },
    spec: {
      clusterName: 'acme',
      replicas: 2,
      template: {
        spec: {
          clusterName: 'acme',
          version: 'v1.34.1',
          bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'acme-md-0' } },
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachineTemplate', name: 'acme-md-0' },
          ...machine,
        },
      },
      ...spec,
    },
  };
}

/** The template of a control plane's machines. */
export function machines(template: string): Fields {
  return { spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachineTemplate', name: template } } };
}

/** A control plane of three machines. */
export function controlPlane(spec: Fields = {}, configuration: Fields = {}): Fields {
  return {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { name: 'acme', namespace: 'default' },
    spec: {
      replicas: 3,
      version: 'v1.34.1',
      machineTemplate: machines('acme-control-plane'),
      kubeadmConfigSpec: {
        initConfiguration: { nodeRegistration: { name: 'a' } }, joinConfiguration: { nodeRegistration: { name: 'a' } }, ...configuration,
      },
      ...spec,
    },
  };
}

/** A Cluster of kubeadm and Docker. */
export const CLUSTER: Fields = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'acme', namespace: 'default' },
  spec: {
    controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'acme' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerCluster', name: 'acme' },
  },
};
