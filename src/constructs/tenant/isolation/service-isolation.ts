import { IConstruct } from 'constructs';
import { TOOL_ANNOTATIONS } from '../../../manifests/objects/prune-annotations';
import { checkCidr } from '../../../manifests/values/cidr';
import { parseIp } from '../../../manifests/values/ip-address';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { registerConsumer } from '../../contracts/capabilities/consumers';
import { ClusterContext } from '../../contracts/cluster-context';
import { InfrastructureCapabilities } from '../../contracts/infrastructure-capabilities';

/** Limits of a tenant's Services in the management cluster. */
export interface ServiceIsolationOptions {
  /**
   * Keys of annotations that a Service may bring along from the tenant, with any value. Load balancers, external-dns and other programs of
   * the management cluster act on them: allow a key only if no value of it can take an address or a name from another tenant.
   *
   * They are added to those that tools leave on Services in the tenant and that mean nothing in the management cluster:
   * `kubectl.kubernetes.io/last-applied-configuration`, `meta.helm.sh/release-name`, `meta.helm.sh/release-namespace`.
   *
   * `argocd.argoproj.io/tracking-id` is allowed where it names an Application of this cluster, `<namespace>-<cluster>-…`, as `ArgoCdDelivery`
   * makes them. With another name a tenant could keep an Application of others from ever being healthy. An Argo CD in the tenant should track
   * by labels (`application.resourceTrackingMethod: label`); where no Argo CD serves the management cluster, its key may be allowed here.
   *
   * Rule: `TC-ISOLATION-SERVICES`.
   *
   * @default - no others
   */
  readonly annotations?: string[];

  /**
   * True if other annotations are removed from the Service in the management cluster, so that it works without them: programs in the tenant,
   * such as external-dns, still read them from the tenant's Service. A MutatingAdmissionPolicy does so, which needs Kubernetes 1.36 in the
   * management cluster.
   *
   * False if Services with other annotations are refused: they stay pending in the tenant, with an event. Such Services in `workloads` and
   * other manifests of the tenant are refused at synthesis (`TC-TRAP-KUBEVIRT-SERVICE-REFUSED`). Source: kubernetes/kubernetes
   * staging/src/k8s.io/apiserver/pkg/features/kube_features.go, v1.36.3.
   *
   * @default false
   */
  readonly dropAnnotations?: boolean;

  /**
   * Addresses that a Service may ask for as `loadBalancerIP`: addresses, or ranges, which need Kubernetes 1.31 in the management cluster
   * (`TC-ISOLATION-SERVICES`).
   *
   * @default - none: the load balancer chooses
   */
  readonly loadBalancerIps?: string[];

  /**
   * The most ports that a Service may have: a whole number from 1 to 1000. Each takes a node port of the management cluster, which has
   * 2,768 of them for all tenants by default. `quota` limits the number for all Services of a tenant.
   *
   * Rule: `TC-ISOLATION-SERVICES`.
   *
   * @default 16
   */
  readonly maximumPorts?: number;
}

/**
 * Policy that keeps Services of type LoadBalancer in the tenant from doing harm in the management cluster.
 *
 * KubeVirt's cloud controller manager makes a Service in the management cluster for each of them, and copies annotations, `externalIPs`,
 * `loadBalancerIP` and ports. With `externalIPs` an administrator of the tenant takes over any address in the management cluster
 * (CVE-2020-8554), with annotations addresses of a load balancer or names in DNS, and with ports all node ports. With local traffic it writes
 * EndpointSlices, too: their addresses decide where the load balancer sends traffic to.
 *
 * @example
 * new TenantIsolation({ services: ServiceIsolation.admissionPolicy() });
 */
export class ServiceIsolation {
  /**
   * A ValidatingAdmissionPolicy (`admissionregistration.k8s.io/v1`, Kubernetes 1.30 in the management cluster) for what the ServiceAccount of
   * the cloud controller manager creates and changes: no `externalIPs`, no other `loadBalancerIP` and annotations than allowed, no more ports
   * than allowed, no other type than LoadBalancer. The port for health checks, which a Service may name, must not be one of 30000 to 30085: the
   * API server leaves these to Services with fixed node ports. A policy cannot tell other node ports that are asked for from allocated ones.
   *
   * If the controller writes EndpointSlices (`KubevirtLoadBalancers.localTraffic`), a second policy, which needs Kubernetes 1.31, lets it write
   * those of these Services only, with addresses in `machineCidrs`, or else in the pod ranges of the management cluster.
   *
   * Fields that a Service or EndpointSlice has already, or that others have written, stay: look through existing ones once. A refused Service
   * stays pending in the tenant, with an event that names the policy and the field.
   *
   * @param options the fields that are allowed
   */
  public static admissionPolicy(options: ServiceIsolationOptions = {}): ServiceIsolation {
    return new ServiceIsolation(options);
  }

  /** No policy, if another one does the same. */
  public static none(): ServiceIsolation {
    return new ServiceIsolation('none');
  }

  private constructor(
    /** @internal */
    public readonly _options: ServiceIsolationOptions | 'none',
  ) {}
}

const PROPERTY = 'isolation.services';

/** Beyond it the bound is none: it is more than a third of all node ports. */
const MOST_PORTS = 1000;

/** Most ports of a Service, unless the user says otherwise. */
const MAXIMUM_PORTS = 16;

/** Annotations that a Service of the tenant may have with any value; undefined where others do not keep it from being published. */
export function publishedAnnotationsOf(services: ServiceIsolation, infrastructure: InfrastructureCapabilities): string[] | undefined {
  const { _options: options } = services;
  if (options === 'none' || options.dropAnnotations || publisherOf(infrastructure) === undefined) return undefined;
  return [...TOOL_ANNOTATIONS, ...options.annotations ?? []];
}

/** The most ports that a Service may have. */
export function maximumPortsOf({ maximumPorts = MAXIMUM_PORTS }: ServiceIsolationOptions): number {
  return maximumPorts;
}

/** The controller that makes Services of the tenant in the management cluster. */
export function publisherOf({ servicePublisher, inOtherCluster }: InfrastructureCapabilities): string | undefined {
  return inOtherCluster ? undefined : servicePublisher;
}

/** Ranges of the addresses that this controller may write into EndpointSlices; undefined where it writes none. */
export function endpointCidrsOf({ infrastructure, management }: ClusterContext): readonly string[] | undefined {
  const cidrs = publisherOf(infrastructure) === undefined ? undefined : infrastructure.publishedEndpointCidrs;
  return cidrs?.length === 0 ? management?.podCidrs ?? [] : cidrs;
}

const SERVICES_RULE: Rule = {
  id: 'TC-ISOLATION-SERVICES',
  title: 'Limits of Services must be valid keys of annotations, addresses or ranges, and numbers of ports.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
};

const ENDPOINTS_UNKNOWN_RULE: Rule = {
  id: 'TC-ISOLATION-ENDPOINTS-UNKNOWN',
  title: 'Where a controller of the tenant writes EndpointSlices in the management cluster, the ranges of the machines\' addresses must be known.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go, CVE-2021-25740',
};

/** Checks what is allowed. */
export function checkServiceIsolation(services: ServiceIsolation, context: ClusterContext): Problem[] {
  const { _options: options } = services;
  const rule = SERVICES_RULE;
  if (options === 'none') return [];
  const { annotations = [], loadBalancerIps = [], maximumPorts } = options;
  return [
    ...(maximumPorts === undefined || (Number.isSafeInteger(maximumPorts) && maximumPorts >= 1 && maximumPorts <= MOST_PORTS) ? [] : [{
      rule, property: `${PROPERTY}.maximumPorts`, message: `${maximumPorts} is not a number of ports`, accepted: `whole numbers from 1 to ${MOST_PORTS}`, fix: 'correct it, or leave it out',
    }]),
    ...(endpointCidrsOf(context)?.length === 0 ? [{
      rule: ENDPOINTS_UNKNOWN_RULE,
      property: PROPERTY,
      message: 'load balancers of the tenant lead to addresses of machines, and the ranges of these are not known: they could lead to pods and nodes of others',
      accepted: 'the pod ranges of the management cluster',
      fix: 'state podCidrs in the capabilities of the managementCluster',
    }] : []),
    ...annotations.flatMap((key, index) => (
      problemIf(rule, `${PROPERTY}.annotations[${index}]`, checkQualifiedName(key), 'write the key as Services have it')
    )),
    ...loadBalancerIps.flatMap((text, index) => (
      problemIf(rule, `${PROPERTY}.loadBalancerIps[${index}]`, parseIp(text) ? undefined : checkCidr(text), 'write an address or a range')
    )),
  ];
}

const SERVICES_OPEN_RULE: Rule = {
  id: 'TC-ISOLATION-SERVICES-OPEN',
  title: 'A tenant whose Services are published in the management cluster, or in another that runs its machines, should have an isolation: externalIPs and annotations are copied there.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0',
  warning: true,
};

/** Warns, once for an infrastructure, that nothing limits what Services of the tenant ask of the cluster that they are published in. */
export function checkPublishedServices(scope: IConstruct, infrastructure: object, context: ClusterContext): Problem[] {
  const { servicePublisher, inOtherCluster } = context.infrastructure;
  if (servicePublisher === undefined || registerConsumer(scope, infrastructure, context).length > 1) return [];
  const place = inOtherCluster ? 'cluster that runs the machines' : 'management cluster';
  return [{
    rule: SERVICES_OPEN_RULE,
    property: 'isolation',
    message: `Services of type LoadBalancer in the tenant bring their externalIPs, loadBalancerIP, annotations and ports into the ${place}, `
      + 'where they can take addresses, names and node ports of others',
    fix: `write isolation: new TenantIsolation(${inOtherCluster ? '{ infraCluster: InfraClusterIsolation.external("…") }' : ''}), or have the cloud controller manager publish no Services`,
  }];
}
