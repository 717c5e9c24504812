import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { maximumPortsOf, ServiceIsolationOptions } from './service-isolation';
import { TOOL_ANNOTATIONS, TRACKING_ID } from '../../../manifests/objects/prune-annotations';
import { parseIp } from '../../../manifests/values/ip-address';
import { joinedPrefix } from '../../../manifests/values/object-name';
import { clusterScopedName, controllerName } from '../../addons/controllers/controller-names';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../../contracts/cluster-context';

const API_VERSION = 'admissionregistration.k8s.io/v1';

/**
 * Node ports that the API server does not allocate while others are free, so that Services can name them
 * (kubernetes.io/docs/concepts/services-networking/service, "Avoid nodeport collisions", for the default range).
 */
const FIXED_NODE_PORTS = { first: 30000, last: 30085 };

/** Name of a Service that is published for a tenant: `a`, and the first digits of a UID (k8s.io/cloud-provider, DefaultLoadBalancerName). */
const PUBLISHED_NAME = '^a[0-9a-f]{31}$';

/** A policy and what puts it in force. */
interface AdmissionPolicy {
  readonly policy: ApiObject;
  readonly binding: ApiObject;
}

/** An expression, and the message where it is false. */
interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
}

/** The requests that a policy matches, and its variables. */
interface PolicyRequests {
  readonly purpose: string;
  readonly resource: { readonly apiGroups: string[]; readonly resources: string[] };
  readonly variables: { readonly name: string; readonly expression: string }[];
}

/** The requests that a policy matches, and its validations. */
interface PolicyContent extends PolicyRequests {
  readonly validations: Validation[];
}

/** Requests for Services that are published for a tenant. */
function serviceRequests(context: ClusterContext, { annotations = [] }: ServiceIsolationOptions): PolicyRequests {
  return {
    purpose: 'published-services',
    resource: { apiGroups: [''], resources: ['services'] },
    variables: [{ name: 'refusedAnnotations', expression: refusedAnnotations([...TOOL_ANNOTATIONS, ...annotations], context) }],
  };
}

/**
 * Makes the policy for the Services that are published for a tenant.
 *
 * Of a tenant's Service, kubevirt/cloud-provider-kubevirt v0.6.0 pkg/provider/loadbalancer.go copies annotations, ports,
 * externalTrafficPolicy, externalIPs, loadBalancerIP and healthCheckNodePort. The API server allocates node ports before policies look at the
 * object (kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, BeginCreate).
 *
 * @param publisher name of the controller that makes these Services
 */
export function makeServicePolicy(scope: Construct, context: ClusterContext, publisher: string, options: ServiceIsolationOptions): AdmissionPolicy {
  const ports = maximumPortsOf(options);
  const health = 'object.spec.healthCheckNodePort';
  const { first, last } = FIXED_NODE_PORTS;
  return makePolicy(scope, 'Service', context, publisher, {
    ...serviceRequests(context, options),
    validations: [
      { expression: 'object.spec.type == "LoadBalancer"', message: 'a Service of a tenant must be of type LoadBalancer' },
      {
        expression: '!has(object.spec.externalIPs) || object.spec.externalIPs.all(ip, '
          + 'oldObject != null && has(oldObject.spec.externalIPs) && ip in oldObject.spec.externalIPs)',
        message: 'a Service of a tenant must not set externalIPs',
      },
      {
        expression: `!has(object.spec.loadBalancerIP) || ${unchanged('spec.loadBalancerIP')}${allowedAddress(options.loadBalancerIps ?? [])}`,
        message: 'a Service of a tenant must not set loadBalancerIP to an address that is not allowed',
      },
      {
        expression: 'size(variables.refusedAnnotations) == 0',
        message: 'a Service of a tenant must not set annotations that are not allowed',
        messageExpression: '"a Service of a tenant must not set the annotations " + variables.refusedAnnotations.join(", ")',
      },
      {
        expression: `!has(object.spec.ports) || size(object.spec.ports) <= ${ports} || `
          + '(oldObject != null && has(oldObject.spec.ports) && size(object.spec.ports) <= size(oldObject.spec.ports))',
        message: `a Service of a tenant must not have more than ${ports} ports`,
      },
      {
        expression: `!has(${health}) || ${health} < ${first} || ${health} > ${last} || ${unchanged('spec.healthCheckNodePort')}`,
        message: `a Service of a tenant must not set healthCheckNodePort to a port from ${first} to ${last}`,
      },
    ],
  });
}

/**
 * Makes the policy that removes annotations from these Services.
 *
 * It acts before the policy that would refuse them (kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy, v1.36).
 *
 * @param publisher name of the controller that makes these Services
 */
export function makeAnnotationPolicy(
  scope: Construct, context: ClusterContext, publisher: string, options: ServiceIsolationOptions,
): AdmissionPolicy {
  const requests = serviceRequests(context, options);
  const patch = 'variables.refusedAnnotations.map(key, JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey(key)})';
  return makeObjects(scope, 'Annotation', 'Mutating', context, requests.purpose, {
    ...policySpec(context, publisher, requests),
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patch } }],
  });
}

/**
 * Makes the policy for the EndpointSlices of these Services.
 *
 * kubevirt/cloud-provider-kubevirt v0.6.0 pkg/controller/kubevirteps/kubevirteps_controller.go writes what the status of a virtual machine says
 * of its address.
 *
 * @param publisher name of the controller that writes them
 * @param cidrs ranges that machines have their addresses in
 */
export function makeEndpointPolicy(scope: Construct, context: ClusterContext, publisher: string, cidrs: readonly string[]): AdmissionPolicy {
  const service = 'object.metadata.labels["kubernetes.io/service-name"]';
  const cluster = 'object.metadata.labels["cluster.x-k8s.io/cluster-name"]';
  const inRange = cidrs.map((cidr) => `cidr(${celText(cidr)}).containsIP(address)`).join(' || ');
  return makePolicy(scope, 'Endpoint', context, publisher, {
    purpose: 'published-endpoints',
    resource: { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
    variables: [{
      name: 'present', expression: `oldObject == null || ${isUnset('oldObject.endpoints')} ? [] : oldObject.endpoints.map(endpoint, endpoint.addresses[0])`,
    }],
    validations: [
      {
        expression: 'has(object.metadata.labels) && "kubernetes.io/service-name" in object.metadata.labels'
          + ` && ${service}.matches(${celText(PUBLISHED_NAME)})`
          + ` && "cluster.x-k8s.io/cluster-name" in object.metadata.labels && ${cluster} == ${celText(context.name)}`,
        message: 'an EndpointSlice of a tenant must belong to a Service that is published for it',
      },
      {
        expression: `${isUnset('object.endpoints')} || object.endpoints.all(endpoint, endpoint.addresses.all(address, `
          + `address in variables.present || (isIP(address) && (${inRange || 'false'}))))`,
        message: `an EndpointSlice of a tenant must have addresses of its machines only, in ${cidrs.join(', ')}`,
      },
    ],
  });
}

function makePolicy(scope: Construct, id: string, context: ClusterContext, publisher: string, content: PolicyContent): AdmissionPolicy {
  const validations = content.validations.map((validation) => ({ ...validation, reason: 'Invalid' }));
  return makeObjects(scope, id, 'Validating', context, content.purpose, { ...policySpec(context, publisher, content), validations });
}

/** The requests of the tenant's controller that a policy is for. */
function policySpec(context: ClusterContext, publisher: string, { resource, variables }: PolicyRequests): object {
  const username = `system:serviceaccount:${context.namespace}:${controllerName(context, publisher)}`;
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...resource, apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], scope: 'Namespaced' }],
    },
    matchConditions: [{ name: 'published-for-the-tenant', expression: `request.userInfo.username == ${celText(username)}` }],
    variables,
  };
}

function makeObjects(
  scope: Construct, id: string, type: 'Mutating' | 'Validating', context: ClusterContext, purpose: string, spec: object,
): AdmissionPolicy {
  const name = clusterScopedName(context, purpose);
  const kind = `${type}AdmissionPolicy`;
  const policy = new TypedApiObject(scope, `${id}Policy`, { apiVersion: API_VERSION, kind, clusterScoped: true }, { metadata: { name }, spec });
  const binding = new TypedApiObject(
    scope,
    `${id}PolicyBinding`,
    { apiVersion: API_VERSION, kind: `${kind}Binding`, clusterScoped: true },
    { metadata: { name }, spec: { policyName: name, ...(type === 'Validating' && { validationActions: ['Deny'] }) } },
  );
  return { policy, binding };
}

/** Keys of annotations that are neither allowed nor there already. */
function refusedAnnotations(annotations: readonly string[], context: ClusterContext): string {
  const allowed = [...new Set(annotations)].sort();
  const value = 'object.metadata.annotations[key]';
  return `!has(object.metadata.annotations) ? [] : object.metadata.annotations.filter(key, !(key in [${allowed.map(celText).join(', ')}])`
    + ` && !(key == ${celText(TRACKING_ID)} && ${value}.matches(${celText(ownTrackingId(context))})) && !(`
    + `oldObject != null && has(oldObject.metadata.annotations) && key in oldObject.metadata.annotations && oldObject.metadata.annotations[key] == ${value}))`;
}

/**
 * Pattern of tracking ids that name an Application by which `ArgoCdDelivery` delivers into the tenant, `<namespace>-<cluster>-…`. Its
 * destination is the tenant, so that Argo CD never counts an object of the management cluster to it. The name of an Application outside the
 * namespace of Argo CD has that namespace before it, and `_` (argoproj/argo-cd docs/operator-manual/app-any-namespace.md).
 */
function ownTrackingId({ namespace, name }: ClusterContext): string {
  return `^([^:_]+_)?${joinedPrefix(namespace, name).replaceAll('.', '[.]')}[^:]*:`;
}

/** An EndpointSlice without endpoints has `null` there (k8s.io/api discovery/v1 types.go: no omitempty). */
function isUnset(list: string): string {
  return `(!has(${list}) || dyn(${list}) == null)`;
}

function unchanged(field: string): string {
  return `(oldObject != null && has(oldObject.${field}) && oldObject.${field} == object.${field})`;
}

function allowedAddress(texts: readonly string[]): string {
  const field = 'object.spec.loadBalancerIP';
  const addresses = texts.filter((text) => parseIp(text));
  const ranges = texts.filter((text) => !parseIp(text));
  return [
    ...(addresses.length > 0 ? [`${field} in [${addresses.map(celText).join(', ')}]`] : []),
    ...ranges.map((range) => `(isIP(${field}) && cidr(${celText(range)}).containsIP(${field}))`),
  ].map((condition) => ` || ${condition}`).join('');
}

/** A string of CEL: escapes of JSON are escapes there. */
function celText(text: string): string {
  return JSON.stringify(text);
}
