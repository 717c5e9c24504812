import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type { NodePool } from './node-pool';
import { CLUSTER_RULES } from './rules';
import type { TenantClusterProps } from './tenant-cluster-props';
import { MAX_SIZE, MIN_SIZE } from '../../manifests/rules/cluster-api/autoscaler-annotations';
import { Problem } from '../../manifests/values/problem';
import { rewriteObject } from '../app/synth/manifest-rewrite';
import { Hibernation } from '../contracts/hibernation';

// kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go
const PAUSED = 'cluster.x-k8s.io/paused';
const STOPPABLE = ['apps/Deployment', 'apps/StatefulSet'];

interface Manifest {
  readonly metadata: { readonly annotations?: { readonly [key: string]: string } };
  readonly spec: object;
}

/**
 * Takes the machines of a pool away, whoever decides their number: without both bounds the autoscaler ignores the pool
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

/** Stops what runs by a number of replicas: a control plane, a Deployment. */
export function stop(object: ApiObject): void {
  rewrite(object, ({ spec }) => ({ spec: { ...spec, replicas: 0 } }));
}

/** Stops all Deployments and StatefulSets below a construct. */
export function stopControllers(scope: IConstruct): void {
  scope.node.findAll().filter((construct) => ApiObject.isApiObject(construct))
    .filter(({ apiGroup, kind }) => STOPPABLE.includes(`${apiGroup}/${kind}`)).forEach(stop);
}

/** Checks that the parts of a cluster can sleep as deeply as they are asked to. */
export function checkHibernation({ hibernation, paused, controlPlane }: TenantClusterProps): Problem[] {
  if (hibernation === undefined) return [];
  const property = 'hibernation';
  const problems: Problem[] = [];
  if (paused) {
    problems.push({
      rule: CLUSTER_RULES.hibernationPaused,
      property,
      message: 'the cluster is paused, and Cluster API deletes no machine of it',
      fix: 'remove paused',
    });
  }
  if (hibernation === Hibernation.FULL && !controlPlane.capabilities.stopsAtZeroReplicas) {
    problems.push({
      rule: CLUSTER_RULES.hibernationControlPlane,
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
