import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { checkExistingRoles } from './access-rights';
import { checkPodSizing } from './capability-checks';
import { checkDefaultDeny, checkLoads, otherLoads, otherMembers, PodLimits } from './cluster-loads';
import { ClusterPolicies } from './cluster-policies';
import { checkLimitRange, limitRangeSources, limitRangeSpec, TenantLimitRange } from './limit-range';
import { checkNetworkIsolation, isUnknownEngine, UNKNOWN_PLUGIN } from './network-checks';
import { NetworkIsolation, policyEngine } from './network-isolation';
import { ciliumPolicySpec, networkPolicySpec } from './policy';
import { checkQuotaEntries, Quota, quotaWithDefaults, UNLIMITED } from './quota';
import { checkServiceIsolation, endpointCidrsOf, maximumPortsOf, publishedAnnotationsOf, publisherOf, ServiceIsolation } from './service-isolation';
import { makeAnnotationPolicy, makeEndpointPolicy, makeServicePolicy } from './service-policies';
import { checkAccess, makeAccess, TenantAccess } from './tenant-access';
import { joinName } from '../../../manifests/values/object-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { registerConsumer } from '../../contracts/capabilities/consumers';
import { KubevirtPodSizing } from '../../contracts/capabilities/infra-cluster-capabilities';
import { ManagementNetworkPlugin } from '../../contracts/capabilities/management-cluster';
import { ClusterContext } from '../../contracts/cluster-context';
import { InfrastructureCapabilities } from '../../contracts/infrastructure-capabilities';

/**
 * Isolation of a tenant in another cluster than the management cluster, where that one runs its machines.
 *
 * @example
 * new TenantIsolation({
 *   infraCluster: InfraClusterIsolation.external('policies and quotas are in the repository of the infrastructure clusters'),
 * });
 */
export class InfraClusterIsolation {
  /**
   * Objects that are made by other means, in the cluster that runs the machines:
   *
   * - a Role for the user of the kubeconfig, in the namespace of the machines only
   * - a ValidatingAdmissionPolicy for the Services and EndpointSlices of that user: no `externalIPs`, no foreign addresses and annotations, a
   *   bound for ports
   * - network policies that keep machines from other tenants, and from nodes, Services and the API server of that cluster
   * - a quota of load balancers and node ports, and of CPU, memory and storage where a tenant is limited
   *
   * @param reason the owner of the objects, and the way in which they are made, for readers of the page (`TC-ISOLATION-INFRA-CLUSTER`)
   */
  public static external(reason: string): InfraClusterIsolation {
    return new InfraClusterIsolation(reason);
  }

  private constructor(
    /** The way in which the objects are made, and the owner. */
    public readonly reason: string,
  ) {}
}

const NETWORK_POLICY = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
const CILIUM_NETWORK_POLICY = { apiVersion: 'cilium.io/v2', kind: 'CiliumNetworkPolicy' };

/** Isolation of a tenant in the management cluster. */
export interface TenantIsolationProps {
  /**
   * Traffic that the network policies allow.
   *
   * @default NetworkIsolation.byNetworkPlugin()
   */
  readonly network?: NetworkIsolation;

  /**
   * Limits of the tenant's Services in the management cluster, if a controller publishes them there.
   *
   * @default ServiceIsolation.admissionPolicy()
   */
  readonly services?: ServiceIsolation;

  /**
   * Isolation in another cluster that runs the tenant's machines. Everything else here is for the management cluster only, where then
   * the control plane and the controllers run.
   *
   * Rules: `TC-ISOLATION-INFRA-CLUSTER`.
   *
   * @default - nothing is stated, which is an error where another cluster runs the machines
   */
  readonly infraCluster?: InfraClusterIsolation;

  /**
   * The most that the namespace may use: entry of a ResourceQuota to Kubernetes quantity, such as `requests.memory` to `200Gi`.
   *
   * It must have room for the pools at their largest during a rollout, for a rollout of the control plane, and for the controllers. With a
   * smaller quota, machines are missing without an error, and the autoscaler never stops trying. Not counted are importers of disk images, hot-plugged and
   * tenant volumes, migration targets, and machines of fixed pools and control planes whose instance type tells no size; leave room.
   *
   * A quota of CPU or memory makes the API server refuse pods whose containers do not say theirs. One of `limits.memory` makes KubeVirt
   * limit machines, to twice what they request. More than the management cluster gives one tenant is refused.
   *
   * If Services of the tenant are published in the management cluster, two entries have defaults, because one tenant could take every
   * address of the load balancer, or all node ports, otherwise: `services.loadbalancers` 11, ten of the tenant and one of its control
   * plane, and `services.nodeports` 4 for each load balancer, and at least as many as one Service may have (`maximumPorts` of
   * `ServiceIsolation`) besides those of the control plane. A `tenantLimit` of the management cluster takes their place. `unlimited` as
   * the amount of one of the two removes it, unless there is such a limit.
   *
   * Rules: `TC-ISOLATION-QUOTA-ENTRY`, `TC-ISOLATION-QUOTA`, `TC-ISOLATION-QUOTA-UNSET`, `TC-ISOLATION-TENANT-LIMIT`.
   *
   * @default - load balancers and node ports, where Services are published in the management cluster
   */
  readonly quota?: { [resource: string]: string };

  /**
   * Default and extreme sizes of containers and volumes in the namespace (`TC-ISOLATION-LIMIT-RANGE`).
   *
   * @default - no limit range
   */
  readonly limitRange?: TenantLimitRange;

  /**
   * Conversion of the size of a machine into requests of its pod by the management cluster's KubeVirt, for the arithmetic of the quota.
   *
   * Rule: `TC-ISOLATION-SIZING`.
   *
   * @default - what the management cluster is said to do, else KubeVirt's own defaults
   */
  readonly kubevirtSizing?: KubevirtPodSizing;

  /**
   * Access of users to the tenant's objects in the management cluster.
   *
   * @default - only subjects with other rights in the management cluster
   */
  readonly access?: TenantAccess[];
}

/** The objects that isolate a tenant. */
export interface TenantIsolationConfig {
  /** NetworkPolicies or CiliumNetworkPolicies. */
  readonly networkPolicies: ApiObject[];

  /**
   * The ValidatingAdmissionPolicy for Services of the tenant.
   *
   * @default - none is made
   */
  readonly servicePolicy?: ApiObject;

  /**
   * The binding that puts it in force.
   *
   * @default - none is made
   */
  readonly servicePolicyBinding?: ApiObject;

  /**
   * The MutatingAdmissionPolicy that removes annotations from these Services.
   *
   * @default - none is made
   */
  readonly annotationPolicy?: ApiObject;

  /**
   * The binding that puts it in force.
   *
   * @default - none is made
   */
  readonly annotationPolicyBinding?: ApiObject;

  /**
   * The ValidatingAdmissionPolicy for EndpointSlices of these Services.
   *
   * @default - none is made
   */
  readonly endpointPolicy?: ApiObject;

  /**
   * The binding that puts it in force.
   *
   * @default - none is made
   */
  readonly endpointPolicyBinding?: ApiObject;

  /**
   * The ResourceQuota.
   *
   * @default - no quota
   */
  readonly resourceQuota?: ApiObject;

  /**
   * The LimitRange.
   *
   * @default - no limit range
   */
  readonly limitRange?: ApiObject;

  /** Roles that were made for levels of access. */
  readonly roles: ApiObject[];

  /** Bindings of these and of existing roles. */
  readonly roleBindings: ApiObject[];
}

/**
 * Keeps a tenant apart from others in the management cluster: network policies, a policy for its Services, a quota, a limit range and
 * access.
 *
 * Quota, limit range, default deny and access hold for the whole namespace, so give every cluster one of its own. If clusters share one,
 * the smallest quota must have room for all of them, and each must have network policies if one has default deny.
 *
 * Pod security is a matter of the namespace's labels, `namespaceLabels` of the cluster. Hosted control planes and controllers comply with
 * `pod-security.kubernetes.io/enforce: restricted`; pods of virtual machines do not, and which level they need depends on KubeVirt's
 * settings: try `baseline` with KubeVirt's non-root mode, and set `warn` before `enforce`. Access to roles that create pods needs one of
 * the two levels.
 *
 * `docs/trust.md` says what tenants share, and what bounds each of them.
 *
 * An instance is plain data: it can be given to any number of clusters.
 *
 * Rules: `TC-ISOLATION-ACCESS`, `TC-ISOLATION-SHARED-NAMESPACE`.
 *
 * @example
 * new TenantIsolation({
 *   quota: { 'requests.memory': '200Gi', 'requests.storage': '2Ti' },
 *   access: [TenantAccess.viewer(TenantSubject.group('oidc:acme'))],
 * });
 */
export class TenantIsolation {
  public constructor(private readonly props: TenantIsolationProps = {}) {}

  /**
   * Makes the objects for one cluster.
   *
   * Bad values are reported through `Problems.of(scope)`. Quota and limit range are checked against the cluster when it is written,
   * over everything in the chart around the scope.
   *
   * @param scope the scope of the objects
   * @param context the cluster they belong to
   */
  public bind(scope: Construct, context: ClusterContext): TenantIsolationConfig {
    this.check(scope, context);
    const { limitRange, access = [] } = this.props;
    const quota = this.quota(context);
    const publisher = publisherOf(context.infrastructure);
    const { _options: allowed } = this.services;
    const published = typeof allowed === 'object' && publisher !== undefined;
    const services = published ? makeServicePolicy(scope, context, publisher, allowed) : undefined;
    const annotations = published && allowed.dropAnnotations ? makeAnnotationPolicy(scope, context, publisher, allowed) : undefined;
    const endpointCidrs = endpointCidrsOf(context);
    const endpoints = published && endpointCidrs ? makeEndpointPolicy(scope, context, publisher, endpointCidrs) : undefined;
    return {
      networkPolicies: this.makePolicies(scope, context),
      servicePolicy: services?.policy,
      servicePolicyBinding: services?.binding,
      annotationPolicy: annotations?.policy,
      annotationPolicyBinding: annotations?.binding,
      endpointPolicy: endpoints?.policy,
      endpointPolicyBinding: endpoints?.binding,
      resourceQuota: Object.keys(quota).length > 0 ? new TypedApiObject(scope, 'ResourceQuota', { apiVersion: 'v1', kind: 'ResourceQuota' }, {
        metadata: { name: context.name }, spec: { hard: quota },
      }) : undefined,
      limitRange: limitRange && makeLimitRange(scope, context.name, limitRange),
      ...makeAccess(scope, access, context),
    };
  }

  /** @internal */
  public _podLimits(context: ClusterContext): PodLimits {
    const { limitRange, kubevirtSizing = context.infraCluster?.kubevirtSizing ?? {} } = this.props;
    return { quota: this.quota(context), limitRange, kubevirtSizing };
  }

  /** @internal */
  public _hasPolicies({ management }: ClusterContext): boolean {
    return policyEngine(this.network, management) !== undefined;
  }

  /** @internal */
  public _publishedAnnotations(infrastructure: InfrastructureCapabilities): string[] | undefined {
    return publishedAnnotationsOf(this.services, infrastructure);
  }

  /** @internal */
  public _isUnlimited(resource: string): boolean {
    return this.props.quota?.[resource] === UNLIMITED;
  }

  private quota(context: ClusterContext): Quota {
    const { _options: options } = this.services;
    return quotaWithDefaults(this.props.quota ?? {}, context, maximumPortsOf(options === 'none' ? {} : options));
  }

  private get network(): NetworkIsolation {
    return this.props.network ?? NetworkIsolation.byNetworkPlugin();
  }

  private get services(): ServiceIsolation {
    return this.props.services ?? ServiceIsolation.admissionPolicy();
  }

  private check(scope: Construct, context: ClusterContext): void {
    const { limitRange, kubevirtSizing = {}, access = [], quota = {} } = this.props;
    const podLimits = this._podLimits(context);
    // A default that is the limit of the management cluster is checked with that limit.
    const { tenantLimit = {} } = context.management ?? {};
    const entries = Object.entries(podLimits.quota).filter(([resource, amount]) => quota[resource] !== undefined || amount !== tenantLimit[resource]);
    const limits = { network: this.network, ...podLimits, quota: Object.fromEntries(entries) };
    const problems = Problems.of(scope);
    [
      ...checkNetworkIsolation(this.network, context),
      ...checkInfraCluster(this.props.infraCluster, context),
      ...checkServiceIsolation(this.services, context),
      ...checkQuotaEntries(this.quota(context)),
      ...(limitRange ? checkLimitRange(limitRange) : []),
      ...checkPodSizing(kubevirtSizing),
      ...checkAccess(access),
    ].forEach((problem) => problems.add(problem));
    // One statement may hold for many clusters, and is missed once.
    const statement = context.management ?? ManagementNetworkPlugin;
    if (isUnknownEngine(this.network, context) && registerConsumer(scope, statement, context).length === 1) problems.add(UNKNOWN_PLUGIN);
    problems._addCheck(() => {
      const chart = Chart.of(scope);
      const others = otherMembers(chart, context);
      return [
        ...checkLoads(chart, context, limits, otherLoads(others, limits)),
        ...(this.network._options.defaultDeny && this._hasPolicies(context) ? checkDefaultDeny(others, context) : []),
        ...checkExistingRoles(scope.node.root, access, context.namespace),
      ];
    });
  }

  private makePolicies(scope: Construct, context: ClusterContext): ApiObject[] {
    const engine = policyEngine(this.network, context.management);
    if (engine === undefined) return [];
    return new ClusterPolicies(engine, this.network._options, context).all().map((policy) => new TypedApiObject(
      scope,
      `Policy ${policy.purpose}`,
      engine === 'cilium.io' ? CILIUM_NETWORK_POLICY : NETWORK_POLICY,
      {
        metadata: { name: joinName(context.name, policy.purpose) },
        spec: engine === 'cilium.io' ? ciliumPolicySpec(policy) : networkPolicySpec(policy),
      },
    ));
  }
}

const INFRA_CLUSTER_RULE: Rule = {
  id: 'TC-ISOLATION-INFRA-CLUSTER',
  title: 'Where another cluster than the management cluster runs the machines, and only there, the isolation must state what keeps the tenant apart there.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0',
};

/** Checks that what keeps the tenant apart in another cluster is stated. */
function checkInfraCluster(isolation: InfraClusterIsolation | undefined, { infrastructure }: ClusterContext): Problem[] {
  const at = { rule: INFRA_CLUSTER_RULE, property: 'isolation.infraCluster', accepted: 'InfraClusterIsolation.external with a reason' };
  if (isolation && isolation.reason.trim() === '') {
    return [{ ...at, message: 'the reason is empty', fix: 'write who keeps the tenant apart in the cluster that runs its machines, and how' }];
  }
  if (isolation) {
    return infrastructure.inOtherCluster ? [] : [{
      rule: INFRA_CLUSTER_RULE, property: at.property, message: 'no other cluster than the management cluster runs the machines', fix: 'remove infraCluster',
    }];
  }
  return !infrastructure.inOtherCluster ? [] : [{
    ...at,
    message: 'another cluster runs the machines, and nothing of this isolation is there: machines reach other tenants and the nodes, and Services of the tenant bring '
      + 'externalIPs, annotations and any number of ports',
    fix: 'keep tenants apart there, with a Role and a ValidatingAdmissionPolicy for the user of the kubeconfig, network policies and a quota, and write '
      + 'infraCluster: InfraClusterIsolation.external("who does it, and how")',
  }];
}

function makeLimitRange(scope: Construct, name: string, range: TenantLimitRange): ApiObject | undefined {
  const spec = limitRangeSpec(range);
  if (spec.limits.length === 0) return undefined;
  const object = new TypedApiObject(scope, 'LimitRange', { apiVersion: 'v1', kind: 'LimitRange' }, { metadata: { name }, spec });
  FieldSources._record(object, scope, () => limitRangeSources(range));
  return object;
}
