import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ISOLATION_RULES } from './rules';
import { ServiceIsolation, ServiceIsolationOptions } from './service-isolation';
import { ClusterContext } from '../cluster/cluster-context';
import { TOOL_ANNOTATIONS } from '../cluster/delivery/marks';
import { clusterScopedName, controllerName } from '../controllers/controller-names';
import { Problem, problemIf } from '../problems/problem';
import { TypedApiObject } from '../synth/typed-api-object';
import { checkCidr } from '../values/cidr';
import { parseIp } from '../values/ip-address';
import { checkQualifiedName } from '../values/labels';

const API_VERSION = 'admissionregistration.k8s.io/v1';
const PROPERTY = 'isolation.services';

/** The policy and what puts it in force. */
export interface ServicePolicy {
  readonly policy: ApiObject;
  readonly binding: ApiObject;
}

/**
 * Makes the policy for the Services that are published for a tenant.
 *
 * Of a tenant's Service, kubevirt/cloud-provider-kubevirt v0.6.0 pkg/provider/loadbalancer.go copies annotations, ports,
 * externalTrafficPolicy, externalIPs, loadBalancerIP and healthCheckNodePort. The last one is left alone: the tenant's API server allocates it
 * for every Service with local traffic.
 *
 * @param publisher name of the controller that makes these Services
 */
export function makeServicePolicy(scope: Construct, context: ClusterContext, publisher: string, options: ServiceIsolationOptions): ServicePolicy {
  const name = clusterScopedName(context, 'published-services');
  const username = `system:serviceaccount:${context.namespace}:${controllerName(context, publisher)}`;
  const policy = new TypedApiObject(scope, 'ServicePolicy', { apiVersion: API_VERSION, kind: 'ValidatingAdmissionPolicy', clusterScoped: true }, {
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services'], scope: 'Namespaced' }],
      },
      matchConditions: [{ name: 'published-for-the-tenant', expression: `request.userInfo.username == ${celText(username)}` }],
      variables: [{ name: 'refusedAnnotations', expression: refusedAnnotations(options.annotations ?? []) }],
      validations: [
        { expression: 'object.spec.type == "LoadBalancer"', message: 'a Service of a tenant must be of type LoadBalancer', reason: 'Invalid' },
        {
          expression: '!has(object.spec.externalIPs) || object.spec.externalIPs.all(ip, '
            + 'oldObject != null && has(oldObject.spec.externalIPs) && ip in oldObject.spec.externalIPs)',
          message: 'a Service of a tenant must not set externalIPs',
          reason: 'Invalid',
        },
        {
          expression: `!has(object.spec.loadBalancerIP) || ${unchanged('spec.loadBalancerIP')}${allowedAddress(options.loadBalancerIps ?? [])}`,
          message: 'a Service of a tenant must not set loadBalancerIP to an address that is not allowed',
          reason: 'Invalid',
        },
        {
          expression: 'size(variables.refusedAnnotations) == 0',
          message: 'a Service of a tenant must not set annotations that are not allowed',
          messageExpression: '"a Service of a tenant must not set the annotations " + variables.refusedAnnotations.join(", ")',
          reason: 'Invalid',
        },
      ],
    },
  });
  const binding = new TypedApiObject(
    scope,
    'ServicePolicyBinding',
    { apiVersion: API_VERSION, kind: 'ValidatingAdmissionPolicyBinding', clusterScoped: true },
    { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
  );
  return { policy, binding };
}

/** Checks what is allowed. */
export function checkServiceIsolation(services: ServiceIsolation): Problem[] {
  const { _options: options } = services;
  const rule = ISOLATION_RULES.services;
  if (options === 'none') return [];
  const { annotations = [], loadBalancerIps = [] } = options;
  return [
    ...annotations.flatMap((key, index) => (
      problemIf(rule, `${PROPERTY}.annotations[${index}]`, checkQualifiedName(key), 'write the key as Services have it')
    )),
    ...loadBalancerIps.flatMap((text, index) => (
      problemIf(rule, `${PROPERTY}.loadBalancerIps[${index}]`, parseIp(text) ? undefined : checkCidr(text), 'write an address or a range')
    )),
  ];
}

/** Keys of annotations that are neither allowed nor there already. */
function refusedAnnotations(annotations: readonly string[]): string {
  const allowed = [...new Set([...TOOL_ANNOTATIONS, ...annotations])].sort();
  return `!has(object.metadata.annotations) ? [] : object.metadata.annotations.filter(key, !(key in [${allowed.map(celText).join(', ')}]) && !(`
    + 'oldObject != null && has(oldObject.metadata.annotations) && key in oldObject.metadata.annotations'
    + ' && oldObject.metadata.annotations[key] == object.metadata.annotations[key]))';
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
