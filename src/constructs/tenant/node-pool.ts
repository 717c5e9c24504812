import { ApiObject } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { freeze } from './freeze';
import { MachineDeployment, MachineHealthCheck } from '../../../imports/cluster.x-k8s.io';
import { CLUSTER_NAME_LABEL } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { POOL_PROPERTIES } from '../../manifests/rules/cluster-api/page-properties';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { nodeLabelRoute } from '../../manifests/values/labels';
import { joinName } from '../../manifests/values/object-name';
import { Problem, Rule } from '../../manifests/values/problem';
import { Problems, strategyScope } from '../app/problems/problems';
import { claimName } from '../app/synth/claims';
import { FieldSources } from '../app/synth/field-sources';
import { placePart } from '../app/synth/output-place';
import { Bootstrap, BootstrapConfig } from '../contracts/bootstrap';
import { ClusterContext } from '../contracts/cluster-context';
import { annotateCapacity, checkCapacity, usableCapacity } from '../contracts/machine-capacity';
import { takeAddresses } from '../contracts/network/address-pool-use';
import { FormerTemplates } from '../contracts/node-pool/former-templates';
import { checkHealthCheck, HealthCheck, makeMachineHealthCheck, nodeStartupTimeoutOf, ResolvedHealthCheck, resolveHealthCheck } from '../contracts/node-pool/health-check';
import { HostPlacement, placeOnHosts, surgeOf } from '../contracts/node-pool/host-placement';
import { checkKubelet, kubeletConfigurationOf } from '../contracts/node-pool/kubelet';
import { checkFailureDomain, checkInfrastructure, checkNameTaken, checkPoolLabels, checkPoolName, checkPoolTaints, checkPoolVersion, NodePoolProps } from '../contracts/node-pool/node-pool-props';
import { PoolContext } from '../contracts/node-pool/pool-context';
import { checkNodeSetupApplied, withNodeSetup } from '../contracts/node-pool/pool-node-setup';
import { autoscalingAnnotations, capacityAnnotations, checkAutoscaling, nodeLabelsOf, PoolSize, provisionTimeOf } from '../contracts/node-pool/pool-size';
import { rolloutFields } from '../contracts/node-pool/rollout-strategy';
import { adoptTemplate, templateReference } from '../contracts/node-pool/template';
import { checkDeletion, checkHibernationDrain, deletionFields } from '../contracts/node-pool/timeouts';
import { knownLabels } from '../contracts/node-setup';

/** A cluster that node pools are added to: `TenantCluster`. */
export interface IPoolOwner extends IConstruct {
  /** @internal */
  readonly _context: ClusterContext;

  /** @internal */
  readonly _bootstrap: Bootstrap;

  /**
   * Adds a pool to the cluster, once its objects are made.
   *
   * @internal
   */
  _register(pool: IConstruct): void;
}

const DEPLOYMENT_LABEL = 'cluster.x-k8s.io/deployment-name';

/**
 * A group of equal machines that are nodes of a tenant cluster: a `MachineDeployment` with its machine and bootstrap
 * templates, and a `MachineHealthCheck`.
 *
 * The id is the name of the pool, a DNS label; its objects are named `<cluster>-<id>`.
 *
 * @example
 * acme.addNodePool('general', {
 *   machine: new KubevirtMachine({
 *     cpu: 4,
 *     memory: Size.gibibytes(16),
 *     rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),
 *   }),
 *   size: PoolSize.between(1, 10),
 * });
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

  /** The template of the objects that replace unhealthy machines; undefined where Cluster API deletes them. */
  public readonly remediationTemplate?: ApiObject;

  /** @internal */
  public readonly _keepsFormerTemplates: boolean;

  /** Name of the pool, without that of the cluster. */
  public readonly name: string;

  /**
   * Number of machines in the pool: fixed, or set by the autoscaler.
   */
  public readonly size: PoolSize;

  public constructor(cluster: IPoolOwner, id: string, props: NodePoolProps) {
    super(cluster as Construct, freeId(cluster, id));
    placePart(this, `pools/${id}`);
    this.name = id;
    this.size = props.size;
    this._keepsFormerTemplates = props.formerTemplates !== undefined;

    const placement = placeOnHosts(props, cluster._context);
    const context = this.resolve(cluster, id, props, placement);
    const bootstrap = props.bootstrap ?? cluster._bootstrap;
    this.check(context, id, props, bootstrap);
    freeze(this, props.freeze, context.name);

    const machineScope = strategyScope(this, 'Machine');
    const machine = props.machine.bind(machineScope, context);
    this.machineTemplate = machine.template;
    this.remediationTemplate = machine.remediationTemplate;
    const { maximum } = props.size;
    const numbers = { machines: maximum, surge: surgeOf(placement.rollout, maximum) };
    takeAddresses(machineScope, props.machine, context, { template: machine.template, ...numbers });
    const { template: bootstrapTemplate, machineVersion } = bootstrap.bind(strategyScope(this, 'Bootstrap'), context);
    this.bootstrapTemplate = bootstrapTemplate;
    this.nameTemplates(context.name, props.formerTemplates);
    annotateCapacity(this.machineTemplate, props.machine.capacityIn(context.cluster));

    const healthCheck = props.healthCheck ?? HealthCheck.of();
    const remediation = healthCheck.enabled ? resolveHealthCheck(healthCheck, props.size, props.machine, context.cluster, placement) : undefined;
    this.machineDeployment = this.makeMachineDeployment({ ...context, machineVersion }, props, placement, remediation);
    this.machineHealthCheck = remediation
      && makeMachineHealthCheck(this, context, { [DEPLOYMENT_LABEL]: context.name }, { ...remediation, remediationTemplate: machine.remediationTemplate }, 'healthCheck');
    cluster._register(this);
  }

  /** Names the templates after their contents, unless former ones stand for them. */
  private nameTemplates(prefix: string, former: FormerTemplates | undefined): void {
    const { machineTemplate, bootstrapTemplate } = this;
    for (const [part, template] of Object.entries({ machineTemplate, bootstrapTemplate }) as ['machineTemplate' | 'bootstrapTemplate', ApiObject][]) {
      const object = former?._former(template, part);
      adoptTemplate(template, prefix, object);
      if (object) FieldSources._recordWhole(template, this, () => (template.name === object.name ? 'formerTemplates' : undefined));
    }
    if (!former) return;
    const part = (object: ApiObject) => ({ object, name: () => object.name });
    Problems.of(this)._addCheck(() => former._check({ machineTemplate: part(machineTemplate), bootstrapTemplate: part(bootstrapTemplate) }, 'formerTemplates'));
  }

  private resolve(cluster: IPoolOwner, id: string, props: NodePoolProps, { separateHosts }: HostPlacement): PoolContext {
    const version = props.kubernetesVersion;
    const ownVersion = version !== undefined && KubernetesVersion.isValid(version);
    const nodeLabels = Object.entries(this.labels(cluster._context, props)).filter(([key]) => nodeLabelRoute(key) === 'kubelet');
    return withNodeSetup({
      cluster: cluster._context,
      name: joinName(cluster._context.name, id),
      failureDomain: props.failureDomain,
      separateHosts,
      kubernetesVersion: ownVersion ? KubernetesVersion.of(version) : cluster._context.kubernetesVersion,
      nodeLabels: Object.fromEntries(nodeLabels),
      taints: props.taints ?? [],
      kubeletConfiguration: kubeletConfigurationOf(
        props.kubelet ?? {}, usableCapacity(props.machine.capacityIn(cluster._context)), cluster._context.network.podsPerNode,
      ),
    }, props.machine);
  }

  private labels(cluster: ClusterContext, props: NodePoolProps): { [key: string]: string } {
    return nodeLabelsOf(props.size, props.labels ?? {}, props.machine.capacityIn(cluster));
  }

  private check(context: PoolContext, id: string, props: NodePoolProps, bootstrap: Bootstrap): void {
    const capacity = props.machine.capacityIn(context.cluster);
    const healthCheck = props.healthCheck ?? HealthCheck.of();
    const claimed = claimName(this, 'MachineDeployment', `${context.cluster.namespace}/${context.name}`);
    const problems = [
      ...checkPoolName(context, id),
      ...checkNameTaken(context, claimed),
      ...checkInfrastructure(props.machine, context.cluster.infrastructure.clusterKind),
      ...checkFailureDomain(props.failureDomain, context.cluster.infrastructure.failureDomains),
      ...checkPoolVersion(context, props.kubernetesVersion),
      ...checkPoolLabels(props.labels ?? {}),
      ...checkPoolTaints(context.taints),
      ...checkCapacity(capacity),
      ...checkAutoscaling(props.size, capacity),
      ...checkKubelet(props.kubelet ?? {}, usableCapacity(capacity), context.kubernetesVersion.minorVersion, context.cluster.network.podsPerNode),
      ...checkHealthCheck(healthCheck, props.size),
      ...checkDeletion(props),
      ...checkHibernationDrain(props, context.cluster),
      ...checkBootstrapNetwork(bootstrap, context.cluster),
      ...checkNodeSetupApplied(
        { property: 'bootstrap', name: bootstrap.constructor.name, applied: bootstrap.appliedNodeSetup }, context.nodeSetup ?? {}, context.cluster.infrastructure.clusterKind,
      ),
    ];
    problems.forEach((problem) => Problems.of(this).add(problem));
  }

  private makeMachineDeployment(
    context: PoolContext & Pick<BootstrapConfig, 'machineVersion'>, props: NodePoolProps, { rollout }: HostPlacement, remediation?: ResolvedHealthCheck,
  ): MachineDeployment {
    const clusterName = context.cluster.name;
    const selector = { [CLUSTER_NAME_LABEL]: clusterName, [DEPLOYMENT_LABEL]: context.name };
    const synced = Object.fromEntries(Object.entries(props.labels ?? {}).filter(([key]) => nodeLabelRoute(key) === 'synced'));
    const object = new MachineDeployment(this, 'MachineDeployment', {
      metadata: { name: context.name, annotations: this.autoscaling(context, props) },
      spec: {
        clusterName,
        ...(!props.size.autoscaled && { replicas: props.size.minimum }),
        rollout: { ...(props.rolloutAfter !== undefined && { after: props.rolloutAfter }), ...rolloutFields(rollout) },
        ...(remediation && { remediation: { maxInFlight: remediation.maxInFlight._intOrString() } }),
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: { ...synced, ...selector } },
          spec: {
            clusterName,
            version: context.machineVersion ?? context.kubernetesVersion.toString(),
            ...(props.failureDomain !== undefined && { failureDomain: props.failureDomain }),
            bootstrap: { configRef: templateReference(this.bootstrapTemplate) },
            infrastructureRef: templateReference(this.machineTemplate),
            deletion: deletionFields(props),
          },
        },
      },
    });
    FieldSources.record(object, this, POOL_PROPERTIES);
    // A pool without a version of its own has that of the cluster, and a bootstrap may name a release of its distribution.
    const version = context.machineVersion === undefined ? 'kubernetesVersion' as const : 'bootstrap' as const;
    FieldSources.record(object, props[version] === undefined ? this.node.scope! : this, { 'spec.template.spec.version': version });
    return object;
  }

  private autoscaling({ cluster, nodeSetup }: PoolContext, props: NodePoolProps): { [key: string]: string } | undefined {
    if (!props.size.autoscaled) return undefined;
    const startup = nodeStartupTimeoutOf(props.healthCheck ?? HealthCheck.of(), props.machine);
    const capacity = usableCapacity(props.machine.capacityIn(cluster));
    const labels = { ...knownLabels(nodeSetup), ...this.labels(cluster, props) };
    return {
      ...autoscalingAnnotations(props.size, provisionTimeOf(props.size.options, startup)),
      ...(capacity && capacityAnnotations({
        capacity, kubelet: props.kubelet ?? {}, labels, taints: props.taints ?? [], pods: cluster.network.podsPerNode,
      })),
    };
  }
}

/** An id that a second pool of one name can have in the tree; that it has the name is then refused like any other mistake. */
function freeId(cluster: Construct, id: string): string {
  return cluster.node.tryFindChild(id) ? freeId(cluster, `${id} (again)`) : id;
}

const COMPANY_NETWORK_BOOTSTRAP_RULE: Rule = {
  id: 'TC-COMPANY-NETWORK-BOOTSTRAP',
  title: 'The bootstrap of every pool must apply the proxy, certificate authorities, mirrors and time servers of the network.',
};

/** A node that is not set up for the network starts, and then pulls nothing. */
function checkBootstrapNetwork(bootstrap: Bootstrap, { companyNetwork }: ClusterContext): Problem[] {
  if (!companyNetwork?._setsUpMachines || bootstrap.appliesCompanyNetwork) return [];
  return [{
    rule: COMPANY_NETWORK_BOOTSTRAP_RULE,
    property: 'bootstrap',
    message: `${bootstrap.constructor.name} does not apply the proxy, certificate authorities, mirrors and time servers of companyNetwork`,
    accepted: 'a bootstrap whose appliesCompanyNetwork is true, such as KubeadmBootstrap',
    fix: 'put the settings into the images of the machines or the configuration of the bootstrap, and give the cluster a companyNetwork without them',
  }];
}
