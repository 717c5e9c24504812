import { Duration } from 'cdk8s';
import { FormerTemplates } from './former-templates';
import { HealthCheck } from './health-check';
import { KubeletOptions } from './kubelet';
import { PoolContext } from './pool-context';
import { PoolSize } from './pool-size';
import { RolloutStrategy } from './rollout-strategy';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { findingsOf } from '../../../manifests/values/finding';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { checkLabels, checkNodeLabelKey } from '../../../manifests/values/labels';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { checkTaints, Taint } from '../../../manifests/values/taints';
import { Bootstrap } from '../bootstrap';
import { checkServedVersion } from '../capabilities/capability-checks';
import { Machine } from '../machine';

/** Settings of a node pool beside its machines and their number; all have defaults. */
export interface NodePoolSettings {
  /**
   * Labels of the nodes.
   *
   * Labels of the domains `node-role.kubernetes.io`, `node-restriction.kubernetes.io` and `node.cluster.x-k8s.io` reach living nodes
   * through Cluster API; all others are given to the kubelet, so that a change replaces the pool's machines. Of the `kubernetes.io` and
   * `k8s.io` domains only what a kubelet may set is accepted.
   *
   * Nodes of an autoscaled pool with `nvidia.com/gpu` have `cluster-api/accelerator: nvidia-gpu`, too: the autoscaler waits until they
   * offer their GPUs, and makes no further machines meanwhile. Set another value to distinguish kinds of GPUs in limits of the autoscaler.
   *
   * Rule: `TC-POOL-LABEL`.
   *
   * @default - none beyond those that Kubernetes and the infrastructure give
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints that nodes register with. A change replaces the pool's machines.
   *
   * @default - none
   */
  readonly taints?: Taint[];

  /**
   * Kubernetes version of the nodes, `1.35.4` or `v1.35.4`. With kubeadm it may differ from the cluster's in the patch only: with another
   * minor version Cluster API never makes a machine (`TC-TRAP-REF-VERSION-SKEW`, `TC-MANAGEMENT-KUBERNETES-VERSION`).
   *
   * @default - the cluster's version
   */
  readonly kubernetesVersion?: string;

  /**
   * Method by which a machine becomes a node.
   *
   * @default - as the cluster's other pools
   */
  readonly bootstrap?: Bootstrap;

  /**
   * Reservations and configuration of the kubelets.
   *
   * @default - reservations and eviction thresholds computed from the machine's size
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Replacement of unhealthy machines.
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;

  /**
   * Replacement of the machines when the pool changes.
   *
   * @default - one more machine at a time; or one less, where there are no spare hosts (`Machine.surges`), or where the machines should be on
   * different hosts and there are as many hosts as machines
   */
  readonly rollout?: RolloutStrategy;

  /**
   * A time at which all machines that are older are replaced, e.g. `2026-03-09T09:00:00Z`: what cannot be seen in the page reaches them, such
   * as a new certificate authority (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default - none
   */
  readonly rolloutAfter?: string;

  /**
   * Failure domain that the machines are placed in: one of those of the infrastructure, where it knows them. It is refused where the provider
   * does not read it.
   *
   * Rules: `TC-POOL-FAILURE-DOMAIN`, `TC-TRAP-KUBEVIRT-FAILURE-DOMAIN`, `TC-TRAP-VULTR-FAILURE-DOMAIN`.
   *
   * @default - the infrastructure decides
   */
  readonly failureDomain?: string;

  /**
   * Time that a node may take to give up its pods before its machine is deleted all the same, past PodDisruptionBudgets.
   * `Duration.seconds(0)` waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeDrainTimeout?: Duration;

  /**
   * Time that a node's volumes may take to be detached before its machine is deleted all the same. `Duration.seconds(0)`
   * waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeVolumeDetachTimeout?: Duration;

  /**
   * Time that Cluster API tries to delete the `Node` of a machine that is gone. `Duration.seconds(0)` tries for ever.
   *
   * @default Duration.minutes(5)
   */
  readonly nodeDeletionTimeout?: Duration;

  /**
   * The reason why nothing of the pool may change. A `GitOpsApp` then refuses what `cdk8s-cluster-api plan` would show for it, and the
   * error says what that is. Not empty.
   *
   * Rules: `TC-CLUSTER-FROZEN`, `TC-CLUSTER-FREEZE-REASON`.
   *
   * @default - it may change
   */
  readonly freeze?: string;
}

/** Properties of a node pool. */
export interface NodePoolProps extends NodePoolSettings {
  /** The machines of the nodes. Their `capacity` must be valid (`TC-POOL-CAPACITY`). */
  readonly machine: Machine;

  /** The number of machines: fixed, or set by the autoscaler. */
  readonly size: PoolSize;

  /**
   * Templates that the machines were made from before there was a page. They are kept, and no machine is replaced, until the page changes.
   *
   * Rule: `TC-POOL-FORMER-TEMPLATES`.
   *
   * @default - the pool makes templates that are named after their content
   */
  readonly formerTemplates?: FormerTemplates;
}

/** Cluster API appends five characters and a hyphen for the MachineSet, and the same again for the machine. */
const MACHINE_SUFFIX = 12;
const LONGEST_POOL_NAME = 63 - MACHINE_SUFFIX;

const POOL_NAME_RULE: Rule = {
  id: 'TC-POOL-NAME',
  title: 'The names of a pool\'s MachineDeployment and machines must be DNS labels: at most 51 characters for the first, 12 more for the second.',
  source: 'kubernetes-sigs/cluster-api internal/topology/names/names.go',
};

/** Checks the pool's name, and the names that are made from it. */
export function checkPoolName(context: PoolContext, id: string): Problem[] {
  const fault = checkDnsLabel(id);
  if (fault) return [{ rule: POOL_NAME_RULE, message: `the name of the pool is not usable: ${fault}`, fix: 'give the pool a name of lower-case letters, digits and hyphens' }];
  const length = context.cluster.name.length + 1 + id.length;
  if (isShortEnough(context.name)) return [];
  return [{
    rule: POOL_NAME_RULE,
    message: `"${context.cluster.name}-${id}" has ${length} characters, and its machines get ${MACHINE_SUFFIX} more`,
    accepted: `cluster and pool name of ${LONGEST_POOL_NAME} characters together, with the hyphen`,
    fix: `shorten the name of the pool or of the cluster by ${length - LONGEST_POOL_NAME}`,
  }];
}

/** True if machines of a MachineDeployment can be named after it. */
export function isShortEnough(name: string): boolean {
  return name.length <= LONGEST_POOL_NAME;
}

const POOL_NAME_TAKEN_RULE: Rule = {
  id: 'TC-POOL-NAME-TAKEN',
  title: 'Two pools of one namespace must have different names: cluster a with pool b-c and cluster a-b with pool c would be the same.',
};

/** Reports a name that another pool has. */
export function checkNameTaken(context: PoolContext, owner: string | undefined): Problem[] {
  return owner === undefined ? [] : [{
    rule: POOL_NAME_TAKEN_RULE,
    message: `the MachineDeployment "${context.name}" in namespace "${context.cluster.namespace}" is made by ${owner} already`,
    fix: 'rename one of the two pools or clusters, or give each cluster a namespace of its own',
  }];
}

const POOL_INFRASTRUCTURE_RULE: Rule = {
  id: 'TC-POOL-INFRASTRUCTURE',
  title: 'The machines of a pool must belong to the infrastructure of its cluster.',
};

/** Checks that machines are those of the cluster's infrastructure. */
export function checkInfrastructure({ infrastructureKind }: Machine, clusterKind: string): Problem[] {
  return infrastructureKind === clusterKind ? [] : [{
    rule: POOL_INFRASTRUCTURE_RULE,
    property: 'machine',
    message: `the machines belong to a ${infrastructureKind}, and the cluster has a ${clusterKind}`,
    accepted: `machines of a ${clusterKind}`,
    fix: 'choose the machine class of the cluster\'s infrastructure',
  }];
}

const FAILURE_DOMAIN_RULE: Rule = {
  id: 'TC-POOL-FAILURE-DOMAIN',
  title: 'The failure domain of a pool must be one of those of the infrastructure, where it knows them: no machine is made otherwise.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/infra-cluster.md (failure domains)',
};

/** Checks that the infrastructure has the failure domain of a pool. */
export function checkFailureDomain(failureDomain: string | undefined, known: readonly string[] | undefined): Problem[] {
  if (failureDomain === undefined || known === undefined || known.includes(failureDomain)) return [];
  const near = nearestName(failureDomain, known);
  return [{
    rule: FAILURE_DOMAIN_RULE,
    property: 'failureDomain',
    message: `the infrastructure has no failure domain "${failureDomain}"`,
    accepted: known.join(', ') || 'none: it has no failure domains',
    fix: near === undefined ? 'write one of these, or leave it out' : `did you mean ${near}?`,
  }];
}

const POOL_VERSION_RULE: Rule = {
  id: 'TC-POOL-VERSION',
  title: 'The Kubernetes version of a pool must be a full version.',
  source: 'kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go',
};

/** Checks the pool's own Kubernetes version. */
export function checkPoolVersion(context: PoolContext, version: string | undefined): Problem[] {
  if (version === undefined) return [];
  if (!KubernetesVersion.isValid(version)) {
    return [{
      rule: POOL_VERSION_RULE, property: 'kubernetesVersion', message: `"${version}" is not a version`, accepted: 'X.Y.Z, with or without a leading v', fix: 'write the full version, e.g. "1.35.4"',
    }];
  }
  return checkServedVersion(KubernetesVersion.of(version), context.cluster.management?.kubernetesVersions);
}

const NODE_LABEL_RULE: Rule = {
  id: 'TC-POOL-LABEL',
  title: 'Node labels must be valid, and of a domain that a kubelet or Cluster API may set.',
  source: 'k8s.io/kubelet pkg/apis/well_known_labels.go',
};

/** Checks the labels of the pool's nodes. */
export function checkPoolLabels(nodeLabels: { [key: string]: string }): Problem[] {
  const grammar = checkLabels(nodeLabels);
  const faulty = new Set(grammar.map(({ path: [key] }) => key));
  const reserved = Object.keys(nodeLabels).filter((key) => !faulty.has(key))
    .flatMap((key) => findingsOf([key], [checkNodeLabelKey(key)], 'use a key that nodes accept'));
  return problemsOf(NODE_LABEL_RULE, 'labels', [...grammar, ...reserved]);
}

const NODE_TAINT_RULE: Rule = {
  id: 'TC-POOL-TAINT',
  title: 'Node taints must be valid, each key and effect once, and not those that controllers set.',
  source: 'k8s.io/kubernetes pkg/util/taints',
};

/** Checks the taints of nodes: those of a pool, unless options tell otherwise. */
export function checkPoolTaints(...args: Parameters<typeof checkTaints>): Problem[] {
  return problemsOf(NODE_TAINT_RULE, 'taints', checkTaints(...args));
}
