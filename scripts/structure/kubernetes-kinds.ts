import { CHOICES, FURTHER_CHOICES } from './kubernetes-choices';
import { GroupVersionKind, OpenApiDocument } from './kubernetes-document';
import { METADATA } from './node-table';
import { KindScope } from '../../src/manifests/rules/structure/kind-structure';
import { OpenApiSchema } from '../crds/definition';

/** One of Kubernetes' own kinds in one version, as a definition of custom resources would describe it. */
export interface KubernetesKind extends GroupVersionKind {
  readonly plural: string;
  readonly scope: KindScope;
  readonly schema: OpenApiSchema;
}

const REFERENCE = '#/definitions/';
const API = 'io.k8s.api.';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.';

/** Groups whose objects only servers write. */
const LEFT_OUT: ReadonlySet<string> = new Set(['internal.apiserver.k8s.io']);

/** Types that Go reads in ways of their own. */
const OWN_TYPES: Readonly<Record<string, OpenApiSchema>> = {
  [`${META}Time`]: { type: 'string', format: 'go-time' },
  [`${META}MicroTime`]: { type: 'string', format: 'go-micro-time' },
  [`${META}ObjectMeta`]: { type: 'object', [METADATA]: true },
  [`${META}FieldsV1`]: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'quantity' },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true, 'format': 'int32' },
  [`${EXTENSIONS}apiextensions.v1.CustomResourceSubresourceStatus`]: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

const ANYTHING: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Defaults of the server in keys of lists. The document of a single group (v3) names these. */
const FILLED_IN: Readonly<Record<string, unknown>> = { 'core.v1.ContainerPort.protocol': 'TCP', 'core.v1.ServicePort.protocol': 'TCP' };

/**
 * Fields that the document calls required, for Go writes them always, and that a server does not ask for: it fills them in, or takes what Go
 * has for nothing.
 *
 * Source: what a kube-apiserver of the release takes; kubernetes/kubernetes pkg/apis (defaults.go and validation.go of each group).
 */
const NOT_ASKED_FOR: ReadonlySet<string> = new Set([
  'apiextensions.v1.CustomResourceDefinitionVersion.served', 'apiextensions.v1.CustomResourceDefinitionVersion.storage',
  'batch.v1.PodFailurePolicy.rules',
  'core.v1.HTTPHeader.value', 'core.v1.LimitRangeSpec.limits', 'core.v1.PreferredSchedulingTerm.preference', 'core.v1.SleepAction.seconds',
  'core.v1.Sysctl.value',
  'storage.v1.CSIDriver.spec', 'storage.v1.TokenRequest.audience',
]);

/** Choices that a server tells from fields that are not there: an empty text is none of them. */
const NEVER_EMPTY: ReadonlySet<string> = new Set([
  'admissionregistration.v1.MutatingWebhook.failurePolicy', 'admissionregistration.v1.MutatingWebhook.matchPolicy',
  'admissionregistration.v1.MutatingWebhook.reinvocationPolicy', 'admissionregistration.v1.RuleWithOperations.scope',
  'admissionregistration.v1.ValidatingAdmissionPolicySpec.failurePolicy', 'admissionregistration.v1.ValidatingWebhook.failurePolicy',
  'admissionregistration.v1.ValidatingWebhook.matchPolicy', 'batch.v1.JobSpec.completionMode', 'core.v1.Container.restartPolicy',
  'core.v1.PersistentVolumeClaimSpec.volumeMode', 'core.v1.PodSecurityContext.seLinuxChangePolicy',
  'core.v1.PodSecurityContext.supplementalGroupsPolicy', 'core.v1.SecurityContext.procMount',
  'core.v1.VolumeMount.mountPropagation', 'core.v1.VolumeMount.recursiveReadOnly', 'discovery.v1.EndpointPort.protocol',
  'networking.v1.NetworkPolicyPort.protocol', 'policy.v1.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy',
  'scheduling.v1.PriorityClass.preemptionPolicy', 'storage.v1.StorageClass.volumeBindingMode',
]);

/** Fields that the document calls optional, and without which a server finds what is required missing. */
const ASKED_FOR: Readonly<Record<string, readonly string[]>> = {
  'batch.v1.Job': ['spec'],
  'batch.v1.JobTemplateSpec': ['spec'],
  'core.v1.EphemeralVolumeSource': ['volumeClaimTemplate'],
  'core.v1.PersistentVolume': ['spec'],
  'core.v1.PersistentVolumeClaim': ['spec'],
  'core.v1.Pod': ['spec'],
  'core.v1.PodTemplateSpec': ['spec'],
  'core.v1.ReplicationController': ['spec'],
  'core.v1.ReplicationControllerSpec': ['template'],
  'core.v1.Service': ['spec'],
  'networking.v1.Ingress': ['spec'],
};

/** Beginning of the keywords for keys of lists. */
const LIST = 'x-kubernetes-list-';

/** Says nothing about which values are accepted. */
const IGNORED: ReadonlySet<string> = new Set([
  'description', 'x-kubernetes-patch-merge-key', 'x-kubernetes-patch-strategy', 'x-kubernetes-group-version-kind', 'x-kubernetes-unions', 'x-kubernetes-map-type',
]);

/** All kinds whose objects can be created, in all versions, sorted. */
export function kubernetesKinds({ definitions, paths }: OpenApiDocument): KubernetesKind[] {
  const kinds = new Map<string, KubernetesKind>();
  for (const [path, { post }] of Object.entries(paths)) {
    const id = post?.['x-kubernetes-group-version-kind'];
    const reference = post?.parameters?.find((parameter) => parameter.in === 'body')?.schema?.$ref;
    // A path below an object is an action on it.
    if (!id || typeof reference !== 'string' || path.includes('{name}') || LEFT_OUT.has(id.group)) continue;
    const [plural] = path.split('/').slice(-1);
    const scope = path.includes('/namespaces/{namespace}/') ? 'Namespaced' : 'Cluster';
    const schema = root(reference, definitions, `${path}/{name}/status` in paths);
    kinds.set([id.group, id.kind, ...stability(id.version)].join(' '), { ...id, plural, scope, schema });
  }
  return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, kind]) => kind);
}

/** Alpha comes before beta, and both before what stays. */
function stability(version: string): readonly string[] {
  const [, major, stage = 'stable', number = '0'] = /^v(\d+)(alpha|beta)?(\d+)?$/.exec(version)!;
  return [stage, major.padStart(3, '0'), number.padStart(3, '0')];
}

function root(reference: string, definitions: OpenApiDocument['definitions'], hasStatus: boolean): OpenApiSchema {
  const { properties = {}, ...schema } = expanded({ $ref: reference }, definitions);
  const status: Record<string, OpenApiSchema> = hasStatus && properties.status ? { status: { 'x-kubernetes-preserve-unknown-fields': true } } : {};
  return { ...schema, properties: { ...properties, metadata: { type: 'object' }, ...status } };
}

/** A schema with what it refers to in its place. What holds itself is looked at once: inside of itself it may be anything. */
function expanded(schema: OpenApiSchema, definitions: OpenApiDocument['definitions'], outer: readonly string[] = []): OpenApiSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return inside(own, definitions, outer);
  const name = $ref.slice(REFERENCE.length);
  if (outer.includes(name)) return ANYTHING;
  if (Object.hasOwn(OWN_TYPES, name)) return OWN_TYPES[name];
  const definition = definitions[name];
  // A definition without a type accepts any value.
  if (definition.type === undefined) return ANYTHING;
  const { properties, required, ...rest } = definition;
  const short = name.startsWith(API) ? name.slice(API.length) : name.replace(EXTENSIONS, '');
  const wanted = [...(required ?? []).filter((field) => !NOT_ASKED_FOR.has(`${short}.${field}`)), ...ASKED_FOR[short] ?? []];
  const fields = properties && Object.fromEntries(Object.entries(properties).map(([field, value]) => (
    [field, withLimits(short, field, value, wanted.includes(field))])));
  return inside({ ...rest, ...(fields && { properties: fields }), required: wanted }, definitions, [...outer, name]);
}

/** A field with what the document does not say of it. Go takes an empty text for one that is not there: where it need not be, it is fine. */
function withLimits(definition: string, field: string, schema: OpenApiSchema, isRequired: boolean): OpenApiSchema {
  const choices = CHOICES[definition]?.[field] ?? FURTHER_CHOICES[definition]?.[field];
  const filled = FILLED_IN[`${definition}.${field}`];
  if (choices && schema.items) return { ...schema, items: { ...schema.items, enum: choices } };
  const isOptional = choices !== undefined && !isRequired && !choices.includes('') && !NEVER_EMPTY.has(`${definition}.${field}`);
  return {
    ...schema,
    ...(choices && { enum: isOptional ? [...choices, ''] : choices }),
    ...(filled !== undefined && { default: filled }),
    ...(isRequired && schema.type === 'string' && choices === undefined && schema.format === undefined ? { minLength: 1 } : {}),
  };
}

function inside(schema: OpenApiSchema, definitions: OpenApiDocument['definitions'], outer: readonly string[]): OpenApiSchema {
  const { properties, items, additionalProperties, format, ...rest } = schema;
  const inner = items && expanded(items, definitions, outer);
  // Keys tell entries apart that may be anything: nothing is known of them.
  const ignored = (keyword: string) => IGNORED.has(keyword) || (inner === ANYTHING && keyword.startsWith(LIST));
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !ignored(keyword)));
  return {
    ...kept,
    ...(format && { format: format === 'byte' ? 'go-bytes' : format }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, expanded(value, definitions, outer)])),
    }),
    ...(inner && { items: inner }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: expanded(additionalProperties, definitions, outer) }),
  };
}
