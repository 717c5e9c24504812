import { MetadataRules } from '../../../manifests/schema/object-metadata';
import { structuralErrors } from '../../../manifests/schema/structural';
import { JsonObject, StructuralSchema } from '../../../manifests/schema/structural-schema';
import { Manifest } from '../../../support/clusters';

/** A kind that a controller is made of: what an API server takes, cut to the fields that a controller needs. */
interface Kind {
  readonly schema: StructuralSchema;
  readonly metadata: MetadataRules;
  readonly check?: (object: Manifest) => string[];
}

const NAMESPACED: MetadataRules = { scope: 'Namespaced' };
const TEXT: StructuralSchema = { type: 'string', minLength: 1 };
const TRUE: StructuralSchema = { type: 'boolean' };
const COUNT: StructuralSchema = { type: 'integer', minimum: 1 };
const PORT: StructuralSchema = { type: 'integer', minimum: 1, maximum: 65535 };
const LABELS = map({ type: 'string', maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' });
const QUANTITIES = map({ type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([numkMGTPE]|[KMGTPE]i)?$' });

// A controller may do nothing that is not named.
const NAMED: StructuralSchema = { ...set({ type: 'string', not: { enum: ['*'] } }), minItems: 1 };
const RULES: StructuralSchema = {
  type: 'array',
  minItems: 1,
  items: struct({
    apiGroups: NAMED,
    resources: { ...NAMED, items: { type: 'string', minLength: 1, not: { enum: ['*'] } } },
    verbs: { ...NAMED, items: { type: 'string', enum: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] } },
  }, ['apiGroups', 'resources', 'verbs']),
};
const SUBJECTS: StructuralSchema = {
  type: 'array', minItems: 1, maxItems: 1, items: struct({ kind: { type: 'string', enum: ['ServiceAccount'] }, name: TEXT, namespace: TEXT }, ['kind', 'name', 'namespace']),
};

const PROBE: StructuralSchema = struct({
  httpGet: struct({ path: { type: 'string', pattern: '^/' }, port: TEXT, scheme: { type: 'string', enum: ['HTTP', 'HTTPS'] } }, ['path', 'port', 'scheme']),
  initialDelaySeconds: COUNT,
  periodSeconds: COUNT,
  timeoutSeconds: COUNT,
  successThreshold: { type: 'integer', minimum: 1, maximum: 1 },
  failureThreshold: COUNT,
}, ['httpGet']);
const ITEMS: StructuralSchema = { type: 'array', minItems: 1, items: struct({ key: TEXT, path: TEXT }, ['key', 'path']) };
const MODE: StructuralSchema = { type: 'integer', minimum: 0, maximum: 0o777 };

// The Pod Security Standard `restricted`, and more.
const CONTAINER: StructuralSchema = struct({
  name: { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
  image: { type: 'string', pattern: ':[^/]+$' },
  imagePullPolicy: { type: 'string', enum: ['IfNotPresent'] },
  command: { type: 'array', minItems: 1, items: TEXT },
  args: { type: 'array', minItems: 1, items: { type: 'string' } },
  env: {
    type: 'array',
    minItems: 1,
    items: {
      ...struct({ name: TEXT, value: { type: 'string' }, valueFrom: struct({ configMapKeyRef: struct({ name: TEXT, key: TEXT }, ['name', 'key']) }, ['configMapKeyRef']) }, ['name']),
      oneOf: [{ required: ['value'] }, { required: ['valueFrom'] }],
    },
  },
  ports: { type: 'array', items: struct({ name: { type: 'string', maxLength: 15 }, containerPort: PORT, protocol: { type: 'string', enum: ['TCP'] } }, ['containerPort', 'protocol']) },
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  resources: struct({ requests: { ...QUANTITIES, required: ['cpu', 'memory'] }, limits: { ...QUANTITIES, required: ['memory'] } }, ['requests', 'limits']),
  securityContext: struct({
    allowPrivilegeEscalation: { type: 'boolean', enum: [false] },
    capabilities: struct({ drop: { type: 'array', items: { type: 'string', enum: ['ALL'] }, minItems: 1 } }, ['drop']),
    readOnlyRootFilesystem: { type: 'boolean', enum: [true] },
  }, ['allowPrivilegeEscalation', 'capabilities', 'readOnlyRootFilesystem']),
  volumeMounts: { type: 'array', minItems: 1, items: struct({ name: TEXT, mountPath: { type: 'string', pattern: '^/' }, readOnly: { type: 'boolean', enum: [true] } }, ['name', 'mountPath']) },
}, ['name', 'image', 'imagePullPolicy', 'args', 'resources', 'securityContext', 'volumeMounts']);

const POD: StructuralSchema = struct({
  automountServiceAccountToken: TRUE,
  enableServiceLinks: { type: 'boolean', enum: [false] },
  serviceAccountName: TEXT,
  securityContext: struct({
    fsGroup: COUNT,
    runAsGroup: COUNT,
    runAsNonRoot: { type: 'boolean', enum: [true] },
    runAsUser: COUNT,
    seccompProfile: struct({ type: { type: 'string', enum: ['RuntimeDefault'] } }, ['type']),
  }, ['runAsNonRoot', 'runAsUser', 'seccompProfile']),
  imagePullSecrets: { type: 'array', minItems: 1, items: struct({ name: TEXT }, ['name']) },
  nodeSelector: { ...LABELS, minProperties: 1 },
  priorityClassName: TEXT,
  tolerations: {
    type: 'array',
    minItems: 1,
    items: struct({
      key: TEXT,
      operator: { type: 'string', enum: ['Equal', 'Exists'] },
      value: { type: 'string' },
      effect: { type: 'string', enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
      tolerationSeconds: { type: 'integer' },
    }),
  },
  initContainers: { type: 'array', minItems: 1, items: CONTAINER },
  containers: { type: 'array', minItems: 1, items: CONTAINER },
  volumes: {
    type: 'array',
    items: {
      ...struct({
        name: TEXT,
        secret: struct({ secretName: TEXT, items: ITEMS, optional: TRUE, defaultMode: MODE }, ['secretName', 'items']),
        configMap: struct({ name: TEXT }, ['name']),
        emptyDir: struct({}),
      }, ['name']),
      oneOf: [{ required: ['secret'] }, { required: ['configMap'] }, { required: ['emptyDir'] }],
    },
  },
}, ['automountServiceAccountToken', 'enableServiceLinks', 'serviceAccountName', 'securityContext', 'containers']);

/** By `apiVersion/kind`. */
export const CONTROLLER_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['v1/ServiceAccount', { metadata: NAMESPACED, schema: struct({ automountServiceAccountToken: TRUE }) }],
  ['v1/ConfigMap', { metadata: NAMESPACED, schema: struct({ data: map({ type: 'string' }) }) }],
  ['rbac.authorization.k8s.io/v1/Role', { metadata: NAMESPACED, schema: struct({ rules: RULES }, ['rules']) }],
  ['rbac.authorization.k8s.io/v1/RoleBinding', { metadata: NAMESPACED, schema: binding('Role') }],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { metadata: { scope: 'Cluster' }, schema: struct({ rules: RULES }, ['rules']) }],
  ['rbac.authorization.k8s.io/v1/ClusterRoleBinding', { metadata: { scope: 'Cluster' }, schema: binding('ClusterRole') }],
  ['apps/v1/Deployment', {
    metadata: NAMESPACED,
    schema: struct({
      spec: struct({
        replicas: { type: 'integer', minimum: 0 },
        selector: struct({ matchLabels: { ...LABELS, minProperties: 1 } }, ['matchLabels']),
        strategy: {
          ...struct({
            type: { type: 'string', enum: ['RollingUpdate', 'Recreate'] },
            rollingUpdate: struct({ maxSurge: { type: 'integer' }, maxUnavailable: { type: 'integer' } }, ['maxSurge', 'maxUnavailable']),
          }, ['type']),
          oneOf: [{ properties: { type: { enum: ['RollingUpdate'] } }, required: ['rollingUpdate'] }, { properties: { type: { enum: ['Recreate'] } }, not: { required: ['rollingUpdate'] } }],
        },
        template: struct({ metadata: struct({ labels: LABELS, annotations: { ...map({ type: 'string' }), minProperties: 1 } }, ['labels']), spec: POD }, ['metadata', 'spec']),
      }, ['replicas', 'selector', 'strategy', 'template']),
    }, ['spec']),
    check: ({ spec }) => [...selectorErrors(spec), ...podErrors(spec.template.spec)],
  }],
]);

/** Everything that an API server, or the Pod Security Standard `restricted`, would say to an object of a controller. */
export function controllerErrors(object: Manifest): string[] {
  const kind = CONTROLLER_KINDS.get(`${object.apiVersion}/${object.kind}`);
  if (!kind) return [`${object.apiVersion} ${object.kind} is no kind of a controller`];
  const errors = structuralErrors(object as JsonObject, kind.schema, kind.metadata);
  return errors.length > 0 ? errors : kind.check?.(object) ?? [];
}

/** Labels that a selector asks for and the pod does not have. */
export function selectorErrors({ selector, template }: Manifest): string[] {
  return Object.entries(selector.matchLabels).filter(([key, value]) => template.metadata.labels[key] !== value).map(([key]) => `the pod does not have the label ${key}`);
}

/** Contradictions between a pod's containers and volumes. */
export function podErrors({ initContainers = [], containers, volumes = [] }: Manifest): string[] {
  const all: Manifest[] = [...initContainers, ...containers];
  const writable = volumes.filter(({ emptyDir, hostPath }: Manifest) => emptyDir || hostPath).map(({ name }: Manifest) => name);
  const names = volumes.map(({ name }: Manifest) => name);
  const mounted = new Set(all.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }: Manifest) => name)));
  return [
    ...names.filter((name: string, index: number) => names.indexOf(name) !== index).map((name: string) => `the volume ${name} is there twice`),
    ...all.flatMap(({ volumeMounts = [] }) => volumeMounts)
      .filter(({ name, readOnly }) => !readOnly && !writable.includes(name)).map(({ name }) => `${name} is mounted as if it could be written to`),
    ...names.filter((name: string) => !mounted.has(name)).map((name: string) => `nobody mounts ${name}`),
    ...[...mounted].filter((name) => !names.includes(name)).map((name) => `there is no volume ${name}`),
    ...all.filter(({ name }, index) => all.findIndex((other) => other.name === name) !== index).map(({ name }) => `the container ${name} is there twice`),
    ...all.flatMap(({ ports = [], livenessProbe, readinessProbe }) => [livenessProbe, readinessProbe]
      .filter((probe) => probe && !ports.some(({ name }: Manifest) => name === probe.httpGet.port)).map((probe) => `there is no port ${probe.httpGet.port}`)),
  ];
}

function binding(kind: string): StructuralSchema {
  const roleRef = struct({ apiGroup: { type: 'string', enum: ['rbac.authorization.k8s.io'] }, kind: { type: 'string', enum: [kind] }, name: TEXT }, ['apiGroup', 'kind', 'name']);
  return struct({ roleRef, subjects: SUBJECTS }, ['roleRef', 'subjects']);
}

function struct(properties: { [name: string]: StructuralSchema }, required: string[] = []): StructuralSchema {
  return { type: 'object', properties, required };
}

function map(value: StructuralSchema): StructuralSchema {
  return { type: 'object', additionalProperties: value };
}

function set(items: StructuralSchema): StructuralSchema {
  return { 'type': 'array', 'x-kubernetes-list-type': 'set', items };
}
