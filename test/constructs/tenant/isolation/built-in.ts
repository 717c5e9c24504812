import { Cidr } from '../../../../src/manifests/values/cidr';
import { MetadataRules } from '../../../manifests/schema/object-metadata';
import { structuralErrors } from '../../../manifests/schema/structural';
import { isObject, Json, JsonObject, StructuralSchema } from '../../../manifests/schema/structural-schema';

/** A kind that an isolation writes, as strict as the API server is, and stricter where it would add something. */
interface Kind {
  readonly schema: StructuralSchema;
  readonly metadata: MetadataRules;
  readonly check?: (spec: JsonObject) => string[];
}

const NAMESPACED: MetadataRules = { scope: 'Namespaced' };
const TEXT: StructuralSchema = { type: 'string', minLength: 1 };
const TEXTS: StructuralSchema = { type: 'array', minItems: 1, items: TEXT };
const LABELS: StructuralSchema = { type: 'object', additionalProperties: { type: 'string', maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' } };
const QUANTITIES: StructuralSchema = {
  type: 'object', minProperties: 1, additionalProperties: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([numkMGTPE]|[KMGTPE]i)?$' },
};
const SELECTOR: StructuralSchema = { type: 'object', properties: { matchLabels: { ...LABELS, minProperties: 1 } } };
const PORTS: StructuralSchema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['protocol', 'port'],
    properties: { protocol: { type: 'string', enum: ['TCP', 'UDP', 'SCTP'] }, port: { type: 'integer', minimum: 1, maximum: 65535 } },
  },
};
const PEER: StructuralSchema = {
  type: 'object',
  minProperties: 1,
  properties: {
    podSelector: SELECTOR,
    namespaceSelector: SELECTOR,
    ipBlock: { type: 'object', required: ['cidr'], properties: { cidr: { type: 'string', format: 'cidr' }, except: { ...TEXTS, 'x-kubernetes-list-type': 'set' } } },
  },
  oneOf: [{ required: ['ipBlock'] }, { required: ['podSelector'] }],
};
const PEERS: StructuralSchema = { type: 'array', minItems: 1, items: PEER };

const NETWORK_POLICY: Kind = {
  metadata: NAMESPACED,
  schema: spec({
    type: 'object',
    required: ['podSelector', 'policyTypes'],
    properties: {
      podSelector: SELECTOR,
      policyTypes: { 'type': 'array', 'minItems': 1, 'x-kubernetes-list-type': 'set', 'items': { type: 'string', enum: ['Ingress', 'Egress'] } },
      ingress: { type: 'array', minItems: 1, items: { type: 'object', properties: { from: PEERS, ports: PORTS } } },
      egress: { type: 'array', minItems: 1, items: { type: 'object', properties: { to: PEERS, ports: PORTS } } },
    },
  }),
  check: (policy) => [
    ...blocksIn(policy).flatMap(exceptionErrors),
    ...['ingress', 'egress'].filter((side) => policy[side] !== undefined && !(policy.policyTypes as string[]).some((type) => type.toLowerCase() === side))
      .map((side) => `spec.policyTypes: must name ${side}, which has rules`),
  ],
};

const CILIUM_PORTS: StructuralSchema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['ports'],
    properties: {
      ports: {
        type: 'array',
        minItems: 1,
        maxItems: 40,
        items: {
          type: 'object',
          required: ['port', 'protocol'],
          properties: { port: { type: 'string', pattern: '^[1-9][0-9]{0,4}$' }, protocol: { type: 'string', enum: ['TCP', 'UDP', 'SCTP', 'ANY'] } },
        },
      },
    },
  },
};
const CILIUM_SELECTOR: StructuralSchema = {
  type: 'object',
  properties: {
    matchLabels: { ...LABELS, minProperties: 1 },
    matchExpressions: {
      type: 'array', minItems: 1, items: { type: 'object', required: ['key', 'operator'], properties: { key: TEXT, operator: { type: 'string', enum: ['Exists'] } } },
    },
  },
};
const CIDR_SET: StructuralSchema = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', required: ['cidr'], properties: { cidr: { type: 'string', format: 'cidr' }, except: TEXTS } },
};
const ENTITIES: StructuralSchema = { type: 'array', minItems: 1, items: { type: 'string', enum: ['all', 'world', 'cluster', 'host', 'remote-node', 'kube-apiserver', 'ingress'] } };

function ciliumRules(direction: 'from' | 'to'): StructuralSchema {
  const sides = [`${direction}Endpoints`, `${direction}CIDRSet`, `${direction}Entities`];
  return {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      properties: {
        [sides[0]]: { type: 'array', minItems: 1, items: CILIUM_SELECTOR }, [sides[1]]: CIDR_SET, [sides[2]]: ENTITIES, toPorts: CILIUM_PORTS,
      },
      // Either one kind of peer, or the empty rule that lets nothing through.
      oneOf: [...sides.map((side) => ({ required: [side] })), { maxProperties: 0 }],
    },
  };
}

const CILIUM_NETWORK_POLICY: Kind = {
  metadata: NAMESPACED,
  schema: spec({
    type: 'object',
    required: ['endpointSelector', 'ingress', 'egress'],
    properties: { endpointSelector: CILIUM_SELECTOR, ingress: ciliumRules('from'), egress: ciliumRules('to') },
  }),
  check: (policy) => blocksIn(policy).flatMap(exceptionErrors),
};

const RESOURCE_QUOTA: Kind = {
  metadata: NAMESPACED,
  schema: spec({ type: 'object', required: ['hard'], properties: { hard: QUANTITIES } }),
};

const LIMIT_RANGE: Kind = {
  metadata: NAMESPACED,
  schema: spec({
    type: 'object',
    required: ['limits'],
    properties: {
      limits: {
        'type': 'array',
        'minItems': 1,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        'items': {
          type: 'object',
          required: ['type'],
          minProperties: 2,
          properties: {
            type: { type: 'string', enum: ['Container', 'PersistentVolumeClaim'] },
            min: QUANTITIES,
            max: QUANTITIES,
            default: QUANTITIES,
            defaultRequest: QUANTITIES,
          },
        },
      },
    },
  }),
  check: (range) => (range.limits as JsonObject[]).flatMap(limitErrors),
};

const ROLE: Kind = {
  metadata: NAMESPACED,
  schema: {
    type: 'object',
    required: ['rules'],
    properties: {
      rules: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['apiGroups', 'resources', 'verbs'],
          properties: {
            apiGroups: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[a-z0-9.-]*$' } },
            resources: { ...TEXTS, items: { type: 'string', pattern: '^[a-z][a-z0-9]*(/[a-z]+)?$' } },
            resourceNames: TEXTS,
            verbs: { ...TEXTS, items: { type: 'string', enum: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] } },
          },
        },
      },
    },
  },
};

const CLUSTER_SCOPED: MetadataRules = { scope: 'Cluster' };
const EXPRESSIONS: StructuralSchema = {
  type: 'array', minItems: 1, items: { type: 'object', required: ['name', 'expression'], properties: { name: TEXT, expression: TEXT } },
};
const ANY_SELECTOR: StructuralSchema = { type: 'object' };

/** A policy that matches requests, with further fields. */
function admissionPolicy(required: string[], properties: { [name: string]: StructuralSchema }): Kind {
  return {
    metadata: CLUSTER_SCOPED,
    schema: spec({
      type: 'object',
      required: ['failurePolicy', 'matchConstraints', ...required],
      properties: {
        failurePolicy: { type: 'string', enum: ['Fail', 'Ignore'] },
        matchConditions: EXPRESSIONS,
        matchConstraints: {
          type: 'object',
          // The server would add missing fields.
          required: ['matchPolicy', 'namespaceSelector', 'objectSelector', 'resourceRules'],
          properties: {
            matchPolicy: { type: 'string', enum: ['Equivalent', 'Exact'] },
            namespaceSelector: ANY_SELECTOR,
            objectSelector: ANY_SELECTOR,
            resourceRules: {
              type: 'array',
              minItems: 1,
              items: {
                type: 'object',
                required: ['apiGroups', 'apiVersions', 'operations', 'resources', 'scope'],
                properties: {
                  apiGroups: { type: 'array', minItems: 1, items: { type: 'string' } },
                  apiVersions: TEXTS,
                  operations: { ...TEXTS, items: { type: 'string', enum: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'] } },
                  resources: TEXTS,
                  scope: { type: 'string', enum: ['Cluster', 'Namespaced', '*'] },
                },
              },
            },
          },
        },
        variables: EXPRESSIONS,
        ...properties,
      },
    }),
  };
}

const ADMISSION_POLICY = admissionPolicy(['validations'], {
  validations: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['expression'],
      properties: {
        expression: TEXT,
        message: { ...TEXT, pattern: '^[^\\n]*$' },
        messageExpression: TEXT,
        reason: { type: 'string', enum: ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'] },
      },
    },
  },
});

const MUTATING_POLICY = admissionPolicy(['mutations', 'reinvocationPolicy'], {
  reinvocationPolicy: { type: 'string', enum: ['Never', 'IfNeeded'] },
  mutations: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['patchType', 'jsonPatch'],
      properties: { patchType: { type: 'string', enum: ['JSONPatch'] }, jsonPatch: { type: 'object', required: ['expression'], properties: { expression: TEXT } } },
    },
  },
});

const MUTATING_POLICY_BINDING: Kind = {
  metadata: CLUSTER_SCOPED, schema: spec({ type: 'object', required: ['policyName'], properties: { policyName: TEXT } }),
};

const ADMISSION_POLICY_BINDING: Kind = {
  metadata: CLUSTER_SCOPED,
  schema: spec({
    type: 'object',
    required: ['policyName', 'validationActions'],
    properties: { policyName: TEXT, validationActions: { ...TEXTS, items: { type: 'string', enum: ['Deny', 'Warn', 'Audit'] } } },
  }),
};

const RBAC: StructuralSchema = { type: 'string', enum: ['rbac.authorization.k8s.io'] };

const ROLE_BINDING: Kind = {
  metadata: NAMESPACED,
  schema: {
    type: 'object',
    required: ['roleRef', 'subjects'],
    properties: {
      roleRef: { type: 'object', required: ['apiGroup', 'kind', 'name'], properties: { apiGroup: RBAC, kind: { type: 'string', enum: ['Role', 'ClusterRole'] }, name: TEXT } },
      subjects: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['kind', 'name'],
          properties: { apiGroup: RBAC, kind: { type: 'string', enum: ['User', 'Group', 'ServiceAccount'] }, name: TEXT, namespace: TEXT },
          oneOf: [
            { required: ['apiGroup'], properties: { kind: { enum: ['User', 'Group'] } }, not: { required: ['namespace'] } },
            { required: ['namespace'], properties: { kind: { enum: ['ServiceAccount'] } }, not: { required: ['apiGroup'] } },
          ],
        },
      },
    },
  },
};

/** Kinds of an isolation, by `apiVersion/kind`. */
export const ISOLATION_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy', ADMISSION_POLICY],
  ['admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding', ADMISSION_POLICY_BINDING],
  ['admissionregistration.k8s.io/v1/MutatingAdmissionPolicy', MUTATING_POLICY],
  ['admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding', MUTATING_POLICY_BINDING],
  ['networking.k8s.io/v1/NetworkPolicy', NETWORK_POLICY],
  ['cilium.io/v2/CiliumNetworkPolicy', CILIUM_NETWORK_POLICY],
  ['v1/ResourceQuota', RESOURCE_QUOTA],
  ['v1/LimitRange', LIMIT_RANGE],
  ['rbac.authorization.k8s.io/v1/Role', ROLE],
  ['rbac.authorization.k8s.io/v1/RoleBinding', ROLE_BINDING],
]);

/** Everything that an API server would refuse in an object, or would add to it. */
export function errorsOf(object: JsonObject): string[] {
  const kind = ISOLATION_KINDS.get(`${String(object.apiVersion)}/${String(object.kind)}`);
  if (!kind) return [`kind: unknown, got ${String(object.kind)}`];
  const errors = structuralErrors(withPlainName(object), kind.schema, kind.metadata);
  return errors.length > 0 ? errors : kind.check?.(object.spec as JsonObject) ?? [];
}

/** Names of RBAC objects may have colons. */
function withPlainName(object: JsonObject): JsonObject {
  const { metadata } = object;
  return String(object.apiVersion).startsWith('rbac.') && isObject(metadata) ? { ...object, metadata: { ...metadata, name: String(metadata.name).replaceAll(':', '-') } } : object;
}

function spec(schema: StructuralSchema): StructuralSchema {
  return { type: 'object', required: ['spec'], properties: { spec: schema } };
}

function blocksIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(blocksIn);
  if (!isObject(value)) return [];
  return [...(typeof value.cidr === 'string' ? [value] : []), ...Object.values(value).flatMap(blocksIn)];
}

function exceptionErrors(block: JsonObject): string[] {
  const whole = Cidr.parse(block.cidr as string)!;
  return (block.except as string[] | undefined ?? []).filter((text) => {
    const part = Cidr.parse(text);
    return !part || part.hasHostBits || !whole.covers(part) || part.prefixLength <= whole.prefixLength;
  }).map((text) => `except: must lie strictly within ${String(block.cidr)}, got ${text}`);
}

function limitErrors(limit: JsonObject): string[] {
  const keys = (name: string) => Object.keys((limit[name] ?? {}) as JsonObject);
  if (limit.type === 'PersistentVolumeClaim') {
    return keys('default').length + keys('defaultRequest').length > 0 ? ['default: is for containers'] : [];
  }
  const missing = (wanted: string[], name: string) => wanted.filter((key) => !keys(name).includes(key)).map((key) => `${name}[${key}]: the server would add it`);
  return [...missing(keys('max'), 'default'), ...missing([...keys('default'), ...keys('min')], 'defaultRequest')];
}
