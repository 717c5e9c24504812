import { MIN_SIZE } from './autoscaler-annotations';
import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE_DEPLOYMENT, MACHINE_POOL } from './cluster-api-kinds';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, groupOf, ManifestObject } from '../../objects/manifest-object';
import { isSet } from '../../values/fields';
import { ControllerField, FieldManager } from '../field-managers';

/** Programs of Cluster API and its providers. The other name of each is that of its executable, `manager`. */
export const CLUSTER_API_MANAGERS: readonly FieldManager[] = [
  {
    name: 'cluster-api-*',
    role: 'controller',
    title: 'a provider of Cluster API',
    source: 'kubernetes-sigs/cluster-api-provider-aws, kubernetes-sigs/cluster-api-provider-azure, metal3-io/cluster-api-provider-metal3 main.go (UserAgent)',
  },
  {
    name: 'capi-*',
    role: 'controller',
    title: 'Cluster API',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/structuredmerge/serversidepatchhelper.go (TopologyManagerName), v1.14.2',
  },
];

/** True of an object with the address of an API server: a Cluster, the infrastructure of one, a control plane. */
function hasEndpoint(object: ManifestObject): boolean {
  const kind = groupKind(object);
  return kind === CLUSTER || ['cluster', 'controlPlane'].includes(knownKind(kind)?.role ?? '');
}

function isFromClass(object: ManifestObject): boolean {
  return isSet(object, 'spec', 'topology');
}

/** Objects that the topology of a Cluster refers to. */
const PARTS_OF_TOPOLOGY = ['controlPlaneRef', 'infrastructureRef'].map((name): ControllerField => ({
  field: `spec.${name}`,
  holds: 'an object that Cluster API has made from the ClusterClass',
  when: isFromClass,
  source: 'kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/desired_state.go (computeCluster), v1.14.2',
}));

function isAutoscaled(object: ManifestObject): boolean {
  return isSet(object, 'metadata', 'annotations', MIN_SIZE);
}

const REPLICAS: ControllerField = {
  field: 'spec.replicas',
  holds: 'the size that the autoscaler has chosen',
  when: isAutoscaled,
  isOfAutoscaler: true,
  source: 'kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go (calculateMachineDeploymentReplicas), v1.14.2',
};

/** Fields that controllers of Cluster API write on objects which others apply. */
export const CLUSTER_API_FIELDS: Readonly<Record<string, readonly ControllerField[]>> = {
  '*': [
    {
      field: 'spec.controlPlaneEndpoint',
      holds: 'the address of the API server',
      when: hasEndpoint,
      source: 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller_phases.go (reconcileInfrastructure, reconcileControlPlane), v1.14.2',
    },
    ...['providerID', 'providerIDList'].map((name): ControllerField => ({
      field: `spec.${name}`,
      holds: 'the machines that the infrastructure has',
      when: (object) => groupOf(object) === 'infrastructure.cluster.x-k8s.io',
      source: 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/infra-machine.md, infra-machinepool.md (provider ID), v1.14.2',
    })),
    {
      field: `metadata.labels["${CLUSTER_NAME_LABEL}"]`,
      holds: 'the cluster that it belongs to',
      source: 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller_phases.go (reconcileExternal), v1.14.2',
    },
  ],
  [CLUSTER]: [...PARTS_OF_TOPOLOGY, {
    field: 'metadata.labels["topology.cluster.x-k8s.io/owned"]',
    holds: 'the mark of a cluster with a ClusterClass',
    when: isFromClass,
    source: 'kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/desired_state.go (computeCluster), v1.14.2',
  }],
  [MACHINE_DEPLOYMENT]: [REPLICAS, {
    field: 'metadata.annotations["machinedeployment.clusters.x-k8s.io/revision"]',
    holds: 'the revision of its MachineSets',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/mdutil/util.go (ComputeRevisionAnnotations), v1.14.2',
  }],
  [MACHINE_POOL]: [REPLICAS, {
    field: 'spec.providerIDList',
    holds: 'the machines that the infrastructure has',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/machinepool/machinepool_controller_phases.go (reconcileInfrastructure), v1.14.2',
  }],
};
