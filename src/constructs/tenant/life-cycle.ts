import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type { NodePool } from './node-pool';
import type { TenantClusterProps } from './tenant-cluster-props';
import { MAX_SIZE, MIN_SIZE } from '../../manifests/rules/cluster-api/autoscaler-annotations';
import { Problem, Rule } from '../../manifests/values/problem';
import { rewriteObject } from '../app/synth/manifest-rewrite';
import { Hibernation } from '../contracts/cluster-context';
import { ImagePass } from '../images/image-pass';

// kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go
const PAUSED = 'cluster.x-k8s.io/paused';
const STOPPABLE = ['apps/Deployment', 'apps/StatefulSet'];

interface Manifest {
  readonly metadata: { readonly annotations?: { readonly [key: string]: string } };
  readonly spec: object;
}

/**
 * Removes the machines of a pool, also of an autoscaled one: without both bounds the autoscaler ignores the pool
 * (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md). Patches of the objects do not keep it awake.
 */
export function emptyPool({ machineDeployment, machineHealthCheck }: Pick<NodePool, 'machineDeployment' | 'machineHealthCheck'>): void {
  rewrite(machineDeployment, ({ metadata, spec }) => ({
    metadata: { ...metadata, ...(metadata.annotations && { annotations: withoutBounds(metadata.annotations) }) },
    spec: { ...spec, replicas: 0 },
  }));
  // It reports an error every few minutes while the API server of the tenant is stopped.
  if (machineHealthCheck) machineHealthCheck.metadata.addAnnotation(PAUSED, 'true');
}

/** Sets the replicas of a control plane or a Deployment to 0. */
export function stop(object: ApiObject): void {
  rewrite(object, ({ spec }) => ({ spec: { ...spec, replicas: 0 } }));
}

/** Stops all Deployments and StatefulSets below a construct. */
export function stopControllers(scope: IConstruct): void {
  scope.node.findAll().filter((construct) => ApiObject.isApiObject(construct))
    .filter(({ apiGroup, kind }) => STOPPABLE.includes(`${apiGroup}/${kind}`)).forEach(stop);
}

const HIBERNATION_PAUSED_RULE: Rule = {
  id: 'TC-CLUSTER-HIBERNATION-PAUSED',
  title: 'A cluster that sleeps must not be paused: Cluster API deletes no machines of a paused cluster.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go',
};

const HIBERNATION_CONTROL_PLANE_RULE: Rule = {
  id: 'TC-CLUSTER-HIBERNATION-CONTROL-PLANE',
  title: 'Only a control plane that stops without replicas can sleep; a KubeadmControlPlane must have machines.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (replicas)',
};

/** Checks that the control plane supports the hibernation mode. */
export function checkHibernation({ hibernation, paused, controlPlane }: TenantClusterProps): Problem[] {
  if (hibernation === undefined) return [];
  const property = 'hibernation';
  const problems: Problem[] = [];
  if (paused) {
    problems.push({
      rule: HIBERNATION_PAUSED_RULE,
      property,
      message: 'the cluster is paused, and Cluster API deletes no machine of it',
      fix: 'remove paused',
    });
  }
  if (hibernation === Hibernation.FULL && !controlPlane.capabilities.stopsAtZeroReplicas) {
    problems.push({
      rule: HIBERNATION_CONTROL_PLANE_RULE,
      property,
      message: 'the control plane of this cluster cannot be stopped and started again',
      accepted: 'Hibernation.POOLS',
      fix: 'write Hibernation.POOLS, which takes the machines of the pools and leaves the control plane running',
    });
  }
  return problems;
}

function rewrite(object: ApiObject, change: (manifest: Manifest) => Partial<Manifest>): void {
  rewriteObject(object, (manifest) => ({ ...manifest, ...change(manifest as Manifest) }));
}

function withoutBounds(annotations: { readonly [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== MIN_SIZE && key !== MAX_SIZE));
}

/**
 * Removes constructs of a decommissioned cluster from the tree: the `Cluster`, and the objects that Cluster API deletes with it. They stay
 * usable, and images that only they have still count as used.
 *
 * Cluster API deletes worker machines, control plane and infrastructure, in this order, and last the templates, which the `Cluster` owns
 * (kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller.go). Objects that stayed in the output would be applied
 * again meanwhile. A MachineDeployment that comes back after its `Cluster` gets a finalizer that no controller removes
 * (core/reconcilers/machinedeployment/machinedeployment_controller.go).
 *
 * @param cluster the cluster
 * @param constructs the constructs
 */
export function removeFromTree(cluster: IConstruct, ...constructs: (IConstruct | undefined)[]): void {
  for (const construct of constructs) {
    if (!construct?.node.scope?.node.tryRemoveChild(construct.node.id)) continue;
    ImagePass.of(cluster).watch(construct);
  }
}

const DECOMMISSION_PAUSED_RULE: Rule = {
  id: 'TC-CLUSTER-DECOMMISSION-PAUSED',
  title: 'A cluster that is decommissioned must not be paused: Cluster API does not delete a paused one.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller.go',
};

/** Checks that Cluster API deletes a decommissioned cluster. */
export function checkDecommission(decommission: boolean, paused: boolean): Problem[] {
  return !decommission || !paused ? [] : [{
    rule: DECOMMISSION_PAUSED_RULE,
    property: 'decommission',
    message: 'the cluster is paused, and Cluster API deletes nothing of it',
    fix: 'take paused away first, in a commit of its own: in this one the Cluster that would say it is left out',
  }];
}
