import { MetadataRules } from '../../../../manifests/schema/object-metadata';
import { StructuralSchema } from '../../../../manifests/schema/structural-schema';
import { Manifest } from '../../../../support/clusters';
import { podErrors, selectorErrors } from '../../../addons/controllers/built-in';

interface Kind {
  readonly schema: StructuralSchema;
  readonly metadata: MetadataRules;
  readonly check?: (object: Manifest) => string[];
}

const TEXT: StructuralSchema = { type: 'string', minLength: 1 };
const BOOLEAN: StructuralSchema = { type: 'boolean' };
const COUNT: StructuralSchema = { type: 'integer', minimum: 0 };
const TEXTS: StructuralSchema = { type: 'object', additionalProperties: { type: 'string' } };
const QUANTITIES: StructuralSchema = { type: 'object', additionalProperties: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([numkMGTPE]|[KMGTPE]i)?$' } };
const PERCENTAGE_OR_COUNT: StructuralSchema = { 'x-kubernetes-int-or-string': true, 'minimum': 0, 'pattern': '^[0-9]+%$' };

const PROBE = struct({
  httpGet: struct({ path: TEXT, port: TEXT, scheme: oneOf('HTTP', 'HTTPS') }, ['port']),
  initialDelaySeconds: COUNT,
  periodSeconds: COUNT,
  timeoutSeconds: COUNT,
  successThreshold: COUNT,
  failureThreshold: COUNT,
}, ['httpGet']);

const SOURCE: StructuralSchema = {
  ...struct({ fieldRef: struct({ fieldPath: oneOf('spec.nodeName') }, ['fieldPath']), secretKeyRef: struct({ name: TEXT, key: TEXT }, ['name', 'key']) }),
  minProperties: 1,
  maxProperties: 1,
};

const CONTAINER: StructuralSchema = {
  ...struct({
    name: TEXT,
    image: { type: 'string', pattern: '[:@][^/]+$' },
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
    args: list({ type: 'string' }),
    env: list(struct({ name: TEXT, valueFrom: SOURCE }, ['name'])),
    ports: list(struct({ name: { type: 'string', maxLength: 15 }, containerPort: { type: 'integer', minimum: 1, maximum: 65535 }, protocol: oneOf('TCP') }, ['containerPort'])),
    livenessProbe: PROBE,
    readinessProbe: PROBE,
    resources: struct({ requests: QUANTITIES, limits: QUANTITIES }),
    securityContext: struct({
      privileged: BOOLEAN,
      allowPrivilegeEscalation: BOOLEAN,
      capabilities: struct({ drop: list(TEXT) }),
      readOnlyRootFilesystem: BOOLEAN,
      runAsGroup: COUNT,
      runAsUser: COUNT,
      seccompProfile: struct({ type: oneOf('RuntimeDefault', 'Unconfined') }, ['type']),
    }),
    volumeMounts: list(struct({ name: TEXT, mountPath: { type: 'string', pattern: '^/' }, mountPropagation: oneOf('None', 'HostToContainer', 'Bidirectional') }, ['name', 'mountPath'])),
  }, ['name', 'image']),
  // ValidateSecurityContext and validateMountPropagation of pkg/apis/core/validation.
  oneOf: [
    { properties: { securityContext: { required: ['privileged'], not: { properties: { allowPrivilegeEscalation: { enum: [false] } }, required: ['allowPrivilegeEscalation'] } } } },
    {
      properties: {
        securityContext: { not: { required: ['privileged'] } },
        volumeMounts: { items: { not: { properties: { mountPropagation: { enum: ['Bidirectional'] } }, required: ['mountPropagation'] } } },
      },
    },
  ],
};

const POD = struct({
  automountServiceAccountToken: BOOLEAN,
  dnsPolicy: oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default'),
  enableServiceLinks: BOOLEAN,
  hostNetwork: BOOLEAN,
  securityContext: struct({
    fsGroup: COUNT, runAsGroup: COUNT, runAsNonRoot: BOOLEAN, runAsUser: COUNT, seccompProfile: struct({ type: oneOf('RuntimeDefault', 'Unconfined') }, ['type']),
  }),
  serviceAccountName: TEXT,
  priorityClassName: TEXT,
  imagePullSecrets: list(struct({ name: TEXT }, ['name'])),
  nodeSelector: TEXTS,
  tolerations: list(struct({ key: TEXT, operator: oneOf('Equal', 'Exists'), value: { type: 'string' }, effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'), tolerationSeconds: COUNT })),
  containers: { ...list(CONTAINER), minItems: 1 },
  volumes: list(struct({ name: TEXT, hostPath: struct({ path: { type: 'string', pattern: '^/' }, type: oneOf('', 'Directory', 'DirectoryOrCreate') }, ['path']) }, ['name', 'hostPath'])),
}, ['containers']);

/** Kinds that a CSI driver brings to its nodes, by `apiVersion/kind`, cut to the fields that one needs. */
export const CSI_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['apps/v1/DaemonSet', {
    metadata: { scope: 'Namespaced' },
    schema: struct({
      spec: struct({
        selector: struct({ matchLabels: { ...TEXTS, minProperties: 1 } }, ['matchLabels']),
        updateStrategy: struct({
          type: oneOf('RollingUpdate', 'OnDelete'), rollingUpdate: struct({ maxSurge: PERCENTAGE_OR_COUNT, maxUnavailable: PERCENTAGE_OR_COUNT }),
        }),
        template: struct({ metadata: struct({ labels: TEXTS, annotations: { ...TEXTS, minProperties: 1 } }, ['labels']), spec: POD }, ['metadata', 'spec']),
      }, ['selector', 'template']),
    }, ['spec']),
    check: ({ spec }) => [...selectorErrors(spec), ...podErrors(spec.template.spec)],
  }],
  // A class cannot be changed once it is there, so that it says what the server would write by default.
  ['storage.k8s.io/v1/StorageClass', {
    metadata: { scope: 'Cluster' },
    schema: struct({
      provisioner: TEXT,
      parameters: TEXTS,
      reclaimPolicy: oneOf('Delete', 'Retain'),
      volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
      allowVolumeExpansion: BOOLEAN,
      mountOptions: list(TEXT),
    }, ['provisioner', 'reclaimPolicy', 'volumeBindingMode']),
  }],
  ['storage.k8s.io/v1/CSIDriver', {
    metadata: { scope: 'Cluster' },
    schema: struct({
      spec: struct({ attachRequired: BOOLEAN, podInfoOnMount: BOOLEAN, fsGroupPolicy: oneOf('ReadWriteOnceWithFSType', 'File', 'None') }),
    }, ['spec']),
  }],
]);

function struct(properties: { [name: string]: StructuralSchema }, required: string[] = []): StructuralSchema {
  return { type: 'object', properties, required };
}

function list(items: StructuralSchema): StructuralSchema {
  return { type: 'array', items };
}

function oneOf(...values: string[]): StructuralSchema {
  return { type: 'string', enum: values };
}
