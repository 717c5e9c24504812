import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { autoscalingAnnotations, capacityAnnotations, checkSize, nodeLabelsOf, provisionTimeOf } from './autoscaling';
import { checkCapacity, usableCapacity } from './capacity';
import { checkDeletion, deletionFields } from './deletion';
import { HealthCheck } from './health-check';
import { checkHealthCheck, checksOf, nodeStartupTimeoutOf, ResolvedHealthCheck, resolveHealthCheck, triggerOf } from './health-check-spec';
import { KubeletOptions } from './kubelet';
import { checkKubelet, kubeletConfigurationOf } from './kubelet-configuration';
import { checkLabels, checkName, checkNameTaken, checkPlacement, checkTaints, checkVersion } from './pool-checks';
import { PoolContext } from './pool-context';
import { PoolSize } from './pool-size';
import { checkRollout, rolloutFields } from './rollout';
import { RolloutStrategy } from './rollout-strategy';
import { adoptTemplate, templateReference } from './template';
import { MachineDeployment, MachineHealthCheck } from '../../imports/cluster.x-k8s.io';
import { Bootstrap } from '../bootstrap/bootstrap';
import { ClusterContext } from '../cluster-context';
import { Machine } from '../infrastructure/machine';
import { KubernetesVersion } from '../kubernetes/kubernetes-version';
import { nodeLabelRoute } from '../kubernetes/node-labels';
import { Taint } from '../kubernetes/taints';
import { claimName } from '../naming/claims';
import { joinName } from '../naming/object-name';
import { placePart } from '../synth/output-place';
import { strategyScope } from '../synth/strategy-scope';
import type { TenantCluster } from '../tenant-cluster/tenant-cluster';
import { Problems } from '../validation/problems';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
const DEPLOYMENT_LABEL = 'cluster.x-k8s.io/deployment-name';

/** Properties of a node pool. */
export interface NodePoolProps {
  /** What kind of machine the nodes are. The size that it tells must be one (`TC-POOL-CAPACITY`). */
  readonly machine: Machine;

  /** How many machines there are, and who decides. */
  readonly size: PoolSize;

  /**
   * Labels of the nodes.
   *
   * Those of the domains `node-role.kubernetes.io`, `node-restriction.kubernetes.io` and `node.cluster.x-k8s.io` reach
   * living nodes through Cluster API; all others are given to the kubelet, so that a change replaces the pool's machines.
   * Of the `kubernetes.io` and `k8s.io` domains only what a kubelet may set is accepted (`TC-POOL-LABEL`).
   *
   * Nodes of an autoscaled pool with `nvidia.com/gpu` have `cluster-api/accelerator: nvidia-gpu`, too: the autoscaler waits until they offer
   * their GPUs, and makes no further machines meanwhile. Give it another value to tell kinds of GPUs apart in limits of the autoscaler.
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
   * Kubernetes version of the nodes, `1.35.4` or `v1.35.4`. It may differ from the cluster's in the patch only: with
   * another minor version Cluster API never makes a machine (`TC-POOL-VERSION-MINOR`, `TC-MANAGEMENT-KUBERNETES-VERSION`).
   *
   * @default - the cluster's version
   */
  readonly kubernetesVersion?: string;

  /**
   * How a machine becomes a node.
   *
   * @default - as the cluster's other pools
   */
  readonly bootstrap?: Bootstrap;

  /**
   * How kubelets share their machine between the system and pods.
   *
   * @default - reservations and eviction thresholds computed from the machine's size
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Whether and how unhealthy machines are replaced.
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;

  /**
   * How machines are replaced when the pool changes.
   *
   * @default RolloutStrategy.rollingUpdate()
   */
  readonly rollout?: RolloutStrategy;

  /**
   * Failure domain that the machines are placed in, as the infrastructure names it. It is refused where the provider does not read it
   * (`TC-TRAP-KUBEVIRT-FAILURE-DOMAIN`, `TC-TRAP-VULTR-FAILURE-DOMAIN`).
   *
   * @default - the infrastructure decides
   */
  readonly failureDomain?: string;

  /**
   * How long a node may take to give up its pods before its machine is deleted all the same, past PodDisruptionBudgets.
   * `Duration.seconds(0)` waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeDrainTimeout?: Duration;

  /**
   * How long a node's volumes may take to be detached before its machine is deleted all the same. `Duration.seconds(0)`
   * waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeVolumeDetachTimeout?: Duration;

  /**
   * How long Cluster API tries to delete the `Node` of a machine that is gone. `Duration.seconds(0)` tries for ever.
   *
   * @default Duration.minutes(5)
   */
  readonly nodeDeletionTimeout?: Duration;
}

/**
 * A group of equal machines that are nodes of a tenant cluster: a `MachineDeployment` with its machine and bootstrap
 * templates, and a `MachineHealthCheck`.
 */
export class NodePool extends Construct {
  /** The object that keeps the machines. */
  public readonly machineDeployment: MachineDeployment;

  /** The object that has unhealthy machines replaced; undefined with `HealthCheck.none()`. */
  public readonly machineHealthCheck?: MachineHealthCheck;

  /** The template that machines are cloned from, named after its content. */
  public readonly machineTemplate: ApiObject;

  /** The template that bootstrap configurations are cloned from, named after its content. */
  public readonly bootstrapTemplate: ApiObject;

  /**
   * How many machines the pool has, and who decides.
   */
  public readonly size: PoolSize;

  /**
   * @param cluster the cluster that the nodes belong to
   * @param id name of the pool, a DNS label; objects are named `<cluster>-<id>`
   * @param props what the nodes are like
   */
  public constructor(cluster: TenantCluster, id: string, props: NodePoolProps) {
    super(cluster, freeId(cluster, id));
    placePart(this, `pools/${id}`);
    this.size = props.size;

    const context = this.resolve(cluster, id, props);
    this.check(context, id, props);

    this.machineTemplate = props.machine.bind(strategyScope(this, 'Machine'), context).template;
    this.bootstrapTemplate = (props.bootstrap ?? cluster._bootstrap).bind(strategyScope(this, 'Bootstrap'), context).template;
    for (const template of [this.machineTemplate, this.bootstrapTemplate]) adoptTemplate(template, context.name);

    const healthCheck = props.healthCheck ?? HealthCheck.of();
    const remediation = healthCheck.enabled ? resolveHealthCheck(healthCheck, props.size, props.machine, context.cluster) : undefined;
    this.machineDeployment = this.makeMachineDeployment(context, props, remediation);
    this.machineHealthCheck = remediation && this.makeMachineHealthCheck(context, remediation);
    cluster._register(this);
  }

  private resolve(cluster: TenantCluster, id: string, props: NodePoolProps): PoolContext {
    const version = props.kubernetesVersion;
    const ownVersion = version !== undefined && KubernetesVersion.isValid(version);
    const nodeLabels = Object.entries(this.labels(cluster._context, props)).filter(([key]) => nodeLabelRoute(key) === 'kubelet');
    return {
      cluster: cluster._context,
      name: joinName(cluster._context.name, id),
      kubernetesVersion: ownVersion ? KubernetesVersion.of(version) : cluster._context.kubernetesVersion,
      nodeLabels: Object.fromEntries(nodeLabels),
      taints: props.taints ?? [],
      kubeletConfiguration: kubeletConfigurationOf(
        props.kubelet ?? {}, usableCapacity(props.machine.capacityIn(cluster._context)), cluster._context.network.podsPerNode,
      ),
    };
  }

  private labels(cluster: ClusterContext, props: NodePoolProps): { [key: string]: string } {
    return nodeLabelsOf(props.size, props.labels ?? {}, props.machine.capacityIn(cluster));
  }

  private check(context: PoolContext, id: string, props: NodePoolProps): void {
    const capacity = props.machine.capacityIn(context.cluster);
    const healthCheck = props.healthCheck ?? HealthCheck.of();
    const claimed = claimName(this, 'MachineDeployment', `${context.cluster.namespace}/${context.name}`);
    const problems = [
      ...checkName(context, id),
      ...checkNameTaken(context, claimed),
      ...checkPlacement(context, props),
      ...checkVersion(context, props.kubernetesVersion),
      ...checkLabels(props.labels ?? {}),
      ...checkTaints(context.taints),
      ...checkCapacity(capacity),
      ...checkSize(props.size, nodeStartupTimeoutOf(healthCheck), capacity),
      ...checkKubelet(props.kubelet ?? {}, usableCapacity(capacity), context.kubernetesVersion.minorVersion, context.cluster.network.podsPerNode),
      ...checkHealthCheck(healthCheck, props.size),
      ...checkRollout(props.rollout ?? RolloutStrategy.rollingUpdate()),
      ...checkDeletion(props),
    ];
    problems.forEach((problem) => Problems.of(this).add(problem));
  }

  private makeMachineDeployment(context: PoolContext, props: NodePoolProps, remediation?: ResolvedHealthCheck): MachineDeployment {
    const clusterName = context.cluster.name;
    const selector = { [CLUSTER_LABEL]: clusterName, [DEPLOYMENT_LABEL]: context.name };
    const synced = Object.fromEntries(Object.entries(props.labels ?? {}).filter(([key]) => nodeLabelRoute(key) === 'synced'));
    return new MachineDeployment(this, 'MachineDeployment', {
      metadata: { name: context.name, annotations: this.autoscaling(context, props) },
      spec: {
        clusterName,
        ...(!props.size.autoscaled && { replicas: props.size.minimum }),
        rollout: rolloutFields(props.rollout ?? RolloutStrategy.rollingUpdate()),
        ...(remediation && { remediation: { maxInFlight: remediation.maxInFlight._intOrString() } }),
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: { ...synced, ...selector } },
          spec: {
            clusterName,
            version: context.kubernetesVersion.toString(),
            ...(props.failureDomain !== undefined && { failureDomain: props.failureDomain }),
            bootstrap: { configRef: templateReference(this.bootstrapTemplate) },
            infrastructureRef: templateReference(this.machineTemplate),
            deletion: deletionFields(props),
          },
        },
      },
    });
  }

  private autoscaling({ cluster }: PoolContext, props: NodePoolProps): { [key: string]: string } | undefined {
    if (!props.size.autoscaled) return undefined;
    const startup = nodeStartupTimeoutOf(props.healthCheck ?? HealthCheck.of());
    const capacity = usableCapacity(props.machine.capacityIn(cluster));
    return {
      ...autoscalingAnnotations(props.size, provisionTimeOf(props.size.options, startup)),
      ...(capacity && capacityAnnotations({
        capacity, kubelet: props.kubelet ?? {}, labels: this.labels(cluster, props), taints: props.taints ?? [], pods: cluster.network.podsPerNode,
      })),
    };
  }

  private makeMachineHealthCheck(context: PoolContext, healthCheck: ResolvedHealthCheck): MachineHealthCheck {
    return new MachineHealthCheck(this, 'MachineHealthCheck', {
      metadata: { name: context.name },
      spec: {
        clusterName: context.cluster.name,
        selector: { matchLabels: { [CLUSTER_LABEL]: context.cluster.name, [DEPLOYMENT_LABEL]: context.name } },
        checks: checksOf(healthCheck),
        remediation: { triggerIf: triggerOf(healthCheck) },
      },
    });
  }
}

/** An id that a second pool of one name can have in the tree; that it has the name is then refused like any other mistake. */
function freeId(cluster: Construct, id: string): string {
  return cluster.node.tryFindChild(id) ? freeId(cluster, `${id} (again)`) : id;
}
