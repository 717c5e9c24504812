import { Fields } from './foreign-objects';

const NAMESPACE = 'default';
const GROUPS = { bootstrap: 'bootstrap.cluster.x-k8s.io/v1beta2', controlplane: 'controlplane.cluster.x-k8s.io/v1beta2', infrastructure: 'infrastructure.cluster.x-k8s.io/v1beta1' } as const;

/** An object of the management cluster. */
export function object(apiVersion: string, kind: string, name: string, spec: Fields, metadata: Fields = {}): Fields {
  return { apiVersion, kind, metadata: { name, namespace: NAMESPACE, ...metadata }, spec };
}

/** A template of a ClusterClass. */
export function template(group: keyof typeof GROUPS, kind: string, name: string, spec: Fields = {}): Fields {
  return object(GROUPS[group], kind, name, { template: { spec } });
}

function reference(group: keyof typeof GROUPS, kind: string, name: string): Fields {
  return { templateRef: { apiVersion: GROUPS[group], kind, name } };
}

/** Fields in which ClusterClasses differ. */
export interface ClassOptions {
  readonly name?: string;
  readonly patches?: readonly Fields[];
  readonly variables?: readonly Fields[];
  readonly pool?: Fields;
  readonly controlPlane?: Fields;
  readonly spec?: Fields;
}

/** A ClusterClass with control plane machines and a class `worker` of MachineDeployments and MachinePools. */
export function clusterClass({ name = 'tenants', patches, variables, pool: workerClass, controlPlane, spec }: ClassOptions = {}): Fields {
  const workers = (kind: string) => [{
    class: 'worker', bootstrap: reference('bootstrap', 'KubeadmConfigTemplate', 'worker'), infrastructure: reference('infrastructure', kind, 'worker'), ...workerClass,
  }];
  return object('cluster.x-k8s.io/v1beta2', 'ClusterClass', name, {
    infrastructure: reference('infrastructure', 'DockerClusterTemplate', 'tenants'),
    controlPlane: {
      ...reference('controlplane', 'KubeadmControlPlaneTemplate', 'tenants'), machineInfrastructure: reference('infrastructure', 'DockerMachineTemplate', 'control'), ...controlPlane,
    },
    workers: { machineDeployments: workers('DockerMachineTemplate'), machinePools: workers('DockerMachinePoolTemplate') },
    ...patches && { patches },
    ...variables && { variables },
    ...spec,
  });
}

/** The templates of the class. */
export const TEMPLATES: readonly Fields[] = [
  template('infrastructure', 'DockerClusterTemplate', 'tenants'),
  template('infrastructure', 'DockerMachineTemplate', 'control'),
  template('infrastructure', 'DockerMachineTemplate', 'worker', { size: 'small' }),
  template('infrastructure', 'DockerMachinePoolTemplate', 'worker'),
  template('bootstrap', 'KubeadmConfigTemplate', 'worker', { joinConfiguration: { nodeRegistration: {} } }),
  template('controlplane', 'KubeadmControlPlaneTemplate', 'tenants', { kubeadmConfigSpec: { clusterConfiguration: { apiServer: {} } } }),
];

/** A class and its templates. */
export function withTemplates(options: ClassOptions = {}): readonly Fields[] {
  return [clusterClass(options), ...TEMPLATES];
}

/** Fields in which topologies differ. */
export interface TopologyOptions {
  readonly name?: string;
  readonly pools?: readonly Fields[];
  readonly machinePools?: readonly Fields[];
  readonly variables?: Fields;
  readonly annotations?: Fields;
  readonly labels?: Fields;
  readonly topology?: Fields;
  readonly controlPlane?: Fields;
}

/** A pool of a topology. */
export function pool(name: string, more: Fields = {}): Fields {
  return { class: 'worker', name, replicas: 2, ...more };
}

/** A Cluster with three control plane machines and a pool `md-0` of two machines. */
export function topology({
  name = 'acme', pools = [pool('md-0')], machinePools, variables, annotations, labels, topology: more, controlPlane,
}: TopologyOptions = {}): Fields {
  return object('cluster.x-k8s.io/v1beta2', 'Cluster', name, {
    topology: {
      classRef: { name: 'tenants' },
      version: 'v1.34.1',
      controlPlane: { replicas: 3, ...controlPlane },
      workers: { machineDeployments: pools, ...machinePools && { machinePools } },
      ...variables && { variables: Object.entries(variables).map(([key, value]) => ({ name: key, value })) },
      ...more,
    },
  }, { ...annotations && { annotations }, ...labels && { labels } });
}

/** A variable of a class. */
export function variable(name: string, schema: Fields, required = false): Fields {
  return { name, required, schema: { openAPIV3Schema: schema } };
}

/** Selectors of a patch. */
export const FOR = {
  controlPlane: { apiVersion: GROUPS.controlplane, kind: 'KubeadmControlPlaneTemplate', matchResources: { controlPlane: true } },
  controlPlaneMachines: { apiVersion: GROUPS.infrastructure, kind: 'DockerMachineTemplate', matchResources: { controlPlane: true } },
  workers: { apiVersion: GROUPS.infrastructure, kind: 'DockerMachineTemplate', matchResources: { machineDeploymentClass: { names: ['work*'] } } },
  bootstrap: { apiVersion: GROUPS.bootstrap, kind: 'KubeadmConfigTemplate', matchResources: { machineDeploymentClass: { names: ['*'] } } },
} as const;

/** A patch of a class with one operation. */
export function patch(name: string, selector: Fields, operation: Fields, more: Fields = {}): Fields {
  return { name, definitions: [{ selector, jsonPatches: [{ op: 'add', ...operation }] }], ...more };
}
