import { MetadataRules } from '../../manifests/schema/object-metadata';
import { structuralErrors } from '../../manifests/schema/structural';
import { JsonObject, StructuralSchema } from '../../manifests/schema/structural-schema';
import { Manifest } from '../../support/clusters';
import { controllerErrors, podErrors, selectorErrors } from '../addons/controllers/built-in';

/** A kind that a custom resource or its controller is made of: what an API server takes, cut to the fields that one needs. */
interface Kind {
  readonly schema: StructuralSchema;
  readonly metadata: MetadataRules;
  readonly check?: (object: Manifest) => string[];
}

const NAMESPACED: MetadataRules = { scope: 'Namespaced' };
const CLUSTER: MetadataRules = { scope: 'Cluster' };
const TEXT: StructuralSchema = { type: 'string', minLength: 1 };
const FLAG: StructuralSchema = { type: 'boolean' };
const COUNT: StructuralSchema = { type: 'integer', minimum: 0 };
const LABEL: StructuralSchema = { type: 'string', maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' };
const PORT: StructuralSchema = { type: 'integer', minimum: 1, maximum: 65535 };
const PATH: StructuralSchema = { type: 'string', pattern: '^/' };
const LABELS = map({ type: 'string', maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' });
const QUANTITIES = map({ type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([numkMGTPE]|[KMGTPE]i)?$' });
const SELECTOR = struct({ matchLabels: { ...LABELS, minProperties: 1 } });

// A server adds these where they are missing, so that they are demanded here.
const CLIENT_CONFIG: StructuralSchema = {
  ...struct({
    service: struct({ name: LABEL, namespace: LABEL, path: PATH, port: PORT }, ['name', 'namespace', 'port']),
    url: { type: 'string', pattern: '^https://' },
    caBundle: { type: 'string', format: 'byte', minLength: 1 },
  }),
  oneOf: [{ required: ['service'] }, { required: ['url'] }],
};

const VERSION = struct({
  name: LABEL,
  served: FLAG,
  storage: FLAG,
  deprecated: FLAG,
  deprecationWarning: { type: 'string', minLength: 1, maxLength: 256 },
  schema: struct({ openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } }, ['openAPIV3Schema']),
  subresources: {
    ...struct({
      status: struct({}),
      scale: struct({
        specReplicasPath: { type: 'string', pattern: '^\\.spec\\.' },
        statusReplicasPath: { type: 'string', pattern: '^\\.status\\.' },
        labelSelectorPath: { type: 'string', pattern: '^\\.(spec|status)\\.' },
      }, ['specReplicasPath', 'statusReplicasPath']),
    }),
    minProperties: 1,
  },
  additionalPrinterColumns: list(struct({
    name: TEXT,
    type: oneOf('integer', 'number', 'string', 'boolean', 'date'),
    jsonPath: { type: 'string', pattern: '^\\.' },
    description: TEXT,
    format: TEXT,
    priority: { type: 'integer', minimum: 1 },
  }, ['name', 'type', 'jsonPath'])),
  selectableFields: { ...list(struct({ jsonPath: { type: 'string', pattern: '^\\.' } }, ['jsonPath'])), maxItems: 8 },
}, ['name', 'served', 'storage', 'schema']);

const DEFINITION = struct({
  spec: struct({
    group: { type: 'string', pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' },
    names: struct({
      kind: { type: 'string', maxLength: 63, pattern: '^[A-Za-z][A-Za-z0-9]*$' }, listKind: TEXT, plural: LABEL, singular: LABEL, shortNames: list(LABEL), categories: list(LABEL),
    }, ['kind', 'listKind', 'plural', 'singular']),
    scope: oneOf('Namespaced', 'Cluster'),
    conversion: {
      ...struct({
        strategy: oneOf('None', 'Webhook'),
        webhook: struct({ clientConfig: CLIENT_CONFIG, conversionReviewVersions: list(LABEL) }, ['clientConfig', 'conversionReviewVersions']),
      }, ['strategy']),
      oneOf: [{ properties: { strategy: { enum: ['None'] } }, not: { required: ['webhook'] } }, { properties: { strategy: { enum: ['Webhook'] } }, required: ['webhook'] }],
    },
    versions: list(VERSION),
  }, ['group', 'names', 'scope', 'conversion', 'versions']),
}, ['spec']);

function webhooks(more: { [name: string]: StructuralSchema } = {}): StructuralSchema {
  return struct({
    webhooks: list(struct({
      name: { type: 'string', pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+){2,}$' },
      admissionReviewVersions: list(oneOf('v1', 'v1beta1')),
      clientConfig: CLIENT_CONFIG,
      failurePolicy: oneOf('Fail', 'Ignore'),
      matchPolicy: oneOf('Equivalent', 'Exact'),
      namespaceSelector: SELECTOR,
      objectSelector: SELECTOR,
      rules: list(struct({
        apiGroups: list({ type: 'string' }), apiVersions: list(LABEL), operations: list(oneOf('CREATE', 'UPDATE', 'DELETE')), resources: list(TEXT), scope: oneOf('Namespaced', 'Cluster'),
      }, ['apiGroups', 'apiVersions', 'operations', 'resources', 'scope'])),
      sideEffects: oneOf('None', 'NoneOnDryRun'),
      timeoutSeconds: { type: 'integer', minimum: 1, maximum: 30 },
      ...more,
    }, ['name', 'admissionReviewVersions', 'clientConfig', 'failurePolicy', 'matchPolicy', 'namespaceSelector', 'objectSelector', 'rules', 'sideEffects', 'timeoutSeconds', ...Object.keys(more)])),
  }, ['webhooks']);
}

const PROBE = struct({
  httpGet: struct({ path: PATH, port: TEXT, scheme: oneOf('HTTP') }, ['path', 'port', 'scheme']),
  initialDelaySeconds: COUNT,
  periodSeconds: COUNT,
  timeoutSeconds: COUNT,
  successThreshold: COUNT,
  failureThreshold: COUNT,
}, ['httpGet', 'periodSeconds', 'timeoutSeconds', 'successThreshold', 'failureThreshold']);

const KEY = struct({ name: TEXT, key: TEXT }, ['name', 'key']);

// The Pod Security Standard `restricted`, and more.
const CONTAINER = struct({
  name: TEXT,
  image: { type: 'string', pattern: '[:@][^/]+$' },
  imagePullPolicy: oneOf('IfNotPresent'),
  command: list(TEXT),
  args: list(TEXT),
  env: list({
    ...struct({
      name: TEXT,
      value: { type: 'string' },
      valueFrom: {
        ...struct({ fieldRef: struct({ fieldPath: TEXT }, ['fieldPath']), secretKeyRef: KEY, configMapKeyRef: KEY }),
        oneOf: [{ required: ['fieldRef'] }, { required: ['secretKeyRef'] }, { required: ['configMapKeyRef'] }],
      },
    }, ['name']),
    oneOf: [{ required: ['value'] }, { required: ['valueFrom'] }],
  }),
  ports: { ...list(struct({ name: { type: 'string', maxLength: 15 }, containerPort: PORT, protocol: oneOf('TCP') }, ['name', 'containerPort', 'protocol'])) },
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  resources: struct({ requests: QUANTITIES, limits: QUANTITIES }),
  securityContext: struct({
    allowPrivilegeEscalation: { type: 'boolean', enum: [false] },
    capabilities: struct({ drop: list(oneOf('ALL')) }, ['drop']),
    readOnlyRootFilesystem: { type: 'boolean', enum: [true] },
  }, ['allowPrivilegeEscalation', 'capabilities', 'readOnlyRootFilesystem']),
  volumeMounts: list(struct({ name: TEXT, mountPath: PATH, readOnly: { type: 'boolean', enum: [true] } }, ['name', 'mountPath'])),
}, ['name', 'image', 'imagePullPolicy', 'resources', 'securityContext']);

const MODE: StructuralSchema = { type: 'integer', minimum: 0, maximum: 0o777 };

const POD = struct({
  automountServiceAccountToken: FLAG,
  enableServiceLinks: { type: 'boolean', enum: [false] },
  serviceAccountName: TEXT,
  securityContext: struct({
    fsGroup: COUNT,
    runAsGroup: COUNT,
    runAsNonRoot: { type: 'boolean', enum: [true] },
    runAsUser: { type: 'integer', minimum: 1 },
    seccompProfile: struct({ type: oneOf('RuntimeDefault') }, ['type']),
  }, ['runAsNonRoot', 'runAsUser', 'seccompProfile']),
  terminationGracePeriodSeconds: COUNT,
  imagePullSecrets: list(struct({ name: TEXT }, ['name'])),
  nodeSelector: { ...LABELS, minProperties: 1 },
  priorityClassName: TEXT,
  tolerations: list(struct({ key: TEXT, operator: oneOf('Equal', 'Exists'), value: { type: 'string' }, effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'), tolerationSeconds: COUNT })),
  containers: list(CONTAINER),
  volumes: list({
    ...struct({
      name: LABEL,
      emptyDir: struct({ medium: oneOf('Memory'), sizeLimit: TEXT }),
      secret: struct({ secretName: TEXT, defaultMode: MODE }, ['secretName', 'defaultMode']),
      configMap: struct({ name: TEXT, defaultMode: MODE }, ['name', 'defaultMode']),
    }, ['name']),
    oneOf: [{ required: ['emptyDir'] }, { required: ['secret'] }, { required: ['configMap'] }],
  }),
}, ['automountServiceAccountToken', 'enableServiceLinks', 'serviceAccountName', 'securityContext', 'containers']);

const DEPLOYMENT = struct({
  spec: struct({
    replicas: COUNT,
    selector: struct({ matchLabels: { ...LABELS, minProperties: 1 } }, ['matchLabels']),
    strategy: {
      ...struct({ type: oneOf('RollingUpdate', 'Recreate'), rollingUpdate: struct({ maxSurge: COUNT, maxUnavailable: COUNT }, ['maxSurge', 'maxUnavailable']) }, ['type']),
      oneOf: [{ properties: { type: { enum: ['RollingUpdate'] } }, required: ['rollingUpdate'] }, { properties: { type: { enum: ['Recreate'] } }, not: { required: ['rollingUpdate'] } }],
    },
    template: struct({ metadata: struct({ labels: LABELS, annotations: map({ type: 'string' }) }, ['labels']), spec: POD }, ['metadata', 'spec']),
  }, ['replicas', 'selector', 'strategy', 'template']),
}, ['spec']);

const SERVICE = struct({
  spec: struct({
    type: oneOf('ClusterIP'),
    ports: list(struct({ name: LABEL, port: PORT, protocol: oneOf('TCP'), targetPort: TEXT }, ['name', 'port', 'protocol', 'targetPort'])),
    selector: { ...LABELS, minProperties: 1 },
  }, ['type', 'ports', 'selector']),
}, ['spec']);

const NETWORK_POLICY = struct({
  spec: struct({
    podSelector: { ...SELECTOR, required: ['matchLabels'] },
    policyTypes: { ...list(oneOf('Ingress')), maxItems: 1 },
    ingress: list(struct({
      from: list(struct({ namespaceSelector: SELECTOR, podSelector: struct({}) }, ['namespaceSelector', 'podSelector'])),
      ports: list(struct({ port: PORT, protocol: oneOf('TCP') }, ['port', 'protocol'])),
    }, ['ports'])),
  }, ['podSelector', 'policyTypes']),
}, ['spec']);

// As of example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml of prometheus-operator/prometheus-operator.
const SERVICE_MONITOR = struct({
  spec: struct({
    endpoints: list(struct({
      port: LABEL,
      path: PATH,
      scheme: oneOf('http', 'https'),
      interval: { type: 'string', pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$' },
      bearerTokenFile: PATH,
      tlsConfig: struct({
        ca: struct({ secret: struct({ name: TEXT, key: TEXT, optional: FLAG }, ['key']) }, ['secret']),
        insecureSkipVerify: FLAG,
        serverName: TEXT,
      }),
    }, ['port', 'path', 'scheme'])),
    selector: { ...SELECTOR, required: ['matchLabels'] },
  }, ['endpoints', 'selector']),
}, ['spec']);

const VERBS = list(oneOf('create', 'delete', 'get', 'list', 'patch', 'update', 'watch'));
const ROLE_RULE = struct({ apiGroups: list({ type: 'string' }), resources: list({ type: 'string', pattern: '^[a-z]+(/[a-z]+)?$' }), resourceNames: list(TEXT), verbs: VERBS }, ['apiGroups', 'resources', 'verbs']);
const CLUSTER_RULE: StructuralSchema = {
  // Roles for people may have all verbs, those to come included.
  ...struct({ ...ROLE_RULE.properties, nonResourceURLs: list(PATH), verbs: { type: 'array', minItems: 1, anyOf: [{ items: VERBS.items }, { items: oneOf('*'), maxItems: 1 }] } }, ['verbs']),
  oneOf: [{ required: ['apiGroups', 'resources'] }, { required: ['nonResourceURLs'] }],
};

/** Kinds of custom resources and their controllers, by `apiVersion/kind`. */
export const OPERATOR_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['apiextensions.k8s.io/v1/CustomResourceDefinition', {
    metadata: CLUSTER,
    schema: DEFINITION,
    check: ({ metadata, spec }) => [
      ...(metadata.name === `${spec.names.plural}.${spec.group}` ? [] : [`metadata.name: must be the plural and the group, got ${metadata.name}`]),
      ...(spec.versions.filter(({ storage }: Manifest) => storage).length === 1 ? [] : ['spec.versions: exactly one must be stored']),
    ],
  }],
  ['admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration', { metadata: CLUSTER, schema: webhooks() }],
  ['admissionregistration.k8s.io/v1/MutatingWebhookConfiguration', { metadata: CLUSTER, schema: webhooks({ reinvocationPolicy: oneOf('Never', 'IfNeeded') }) }],
  ['v1/Service', { metadata: { scope: 'Namespaced', name: 'label' }, schema: SERVICE }],
  ['v1/ServiceAccount', { metadata: NAMESPACED, schema: struct({ automountServiceAccountToken: FLAG }) }],
  ['apps/v1/Deployment', {
    metadata: NAMESPACED,
    schema: DEPLOYMENT,
    check: ({ spec }) => [...selectorErrors(spec), ...podErrors(withLists(spec.template.spec))],
  }],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { metadata: CLUSTER, schema: struct({ rules: list(CLUSTER_RULE) }, ['rules']) }],
  ['rbac.authorization.k8s.io/v1/ClusterRoleBinding', { metadata: CLUSTER, schema: binding('ClusterRole') }],
  ['rbac.authorization.k8s.io/v1/Role', { metadata: NAMESPACED, schema: struct({ rules: list(ROLE_RULE) }, ['rules']) }],
  ['rbac.authorization.k8s.io/v1/RoleBinding', { metadata: NAMESPACED, schema: binding('Role') }],
  ['v1/Namespace', { metadata: { scope: 'Cluster', name: 'label' }, schema: struct({}) }],
  ['networking.k8s.io/v1/NetworkPolicy', { metadata: NAMESPACED, schema: NETWORK_POLICY }],
  ['monitoring.coreos.com/v1/ServiceMonitor', { metadata: NAMESPACED, schema: SERVICE_MONITOR }],
]);

const OPEN: StructuralSchema = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Kinds of operators that no other part of the library writes, and kinds that controllers of tenants have too, as either part writes them. */
export const ADDED_OPERATOR_KINDS: ReadonlyMap<string, Kind> = new Map([
  ...[...OPERATOR_KINDS].filter(([name]) => /CustomResourceDefinition|WebhookConfiguration|v1\/Service$|ServiceMonitor/.test(name)),
  ['apps/v1/Deployment', { metadata: NAMESPACED, schema: OPEN, check: errorsOfBoth }],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { metadata: CLUSTER, schema: OPEN, check: errorsOfBoth }],
  // Of the example: artifacts/examples/crd-status-subresource.yaml of kubernetes/sample-controller.
  ['samplecontroller.k8s.io/v1alpha1/Foo', {
    metadata: NAMESPACED,
    schema: struct({ spec: struct({ deploymentName: TEXT, replicas: { type: 'integer', minimum: 1, maximum: 10 } }), status: struct({ availableReplicas: { type: 'integer' } }) }),
  }],
]);

/** Errors of both parts; none if one of them has none. */
function errorsOfBoth(object: Manifest): string[] {
  const [own, others] = [operatorErrors(object), controllerErrors(object)];
  return own.length === 0 || others.length === 0 ? [] : [...own, ...others];
}

/** Everything that an API server, or the Pod Security Standard `restricted`, would say to an object. */
export function operatorErrors(object: Manifest): string[] {
  const kind = OPERATOR_KINDS.get(`${object.apiVersion}/${object.kind}`);
  if (!kind) return [`${object.apiVersion} ${object.kind} is no kind of an operator`];
  const errors = structuralErrors(object as JsonObject, kind.schema, kind.metadata);
  return errors.length > 0 ? errors : kind.check?.(object) ?? [];
}

/** A pod with the lists that it may leave out. */
function withLists(pod: Manifest): Manifest {
  return { volumes: [], ...pod, containers: pod.containers.map((container: Manifest) => ({ volumeMounts: [], ...container })) };
}

function binding(kind: string): StructuralSchema {
  const roleRef = struct({ apiGroup: oneOf('rbac.authorization.k8s.io'), kind: oneOf(kind), name: TEXT }, ['apiGroup', 'kind', 'name']);
  return struct({ roleRef, subjects: { ...list(struct({ kind: oneOf('ServiceAccount'), name: TEXT, namespace: TEXT }, ['kind', 'name', 'namespace'])), maxItems: 1 } }, ['roleRef', 'subjects']);
}

function struct(properties: { [name: string]: StructuralSchema }, required: string[] = []): StructuralSchema {
  return { type: 'object', properties, required };
}

function map(value: StructuralSchema): StructuralSchema {
  return { type: 'object', additionalProperties: value };
}

function list(items: StructuralSchema): StructuralSchema {
  return { type: 'array', minItems: 1, items };
}

function oneOf(...values: string[]): StructuralSchema {
  return { type: 'string', enum: values };
}
