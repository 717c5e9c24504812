import { BuiltInKind } from './built-in-kind';
import { Json, JsonObject, StructuralSchema } from './structural-schema';
import { CONTROLLER_KINDS } from '../../constructs/addons/controllers/built-in';
import { CSI_KINDS } from '../../constructs/infrastructures/kubevirt/csi-driver/built-in';
import { MANAGEMENT_KINDS } from '../../constructs/management/built-in';
import { MONITORING_KINDS } from '../../constructs/monitoring/built-in';
import { ADDED_OPERATOR_KINDS } from '../../constructs/operators/built-in';
import { ISOLATION_KINDS } from '../../constructs/tenant/isolation/built-in';

const KEY = '^[-._a-zA-Z0-9]+$';
const PERCENTAGE_OR_COUNT: StructuralSchema = {
  'x-kubernetes-int-or-string': true,
  'minimum': 0,
  'pattern': '^[0-9]+%$',
};
const LABEL_VALUE: StructuralSchema = { type: 'string', maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' };

const LABEL_SELECTOR: StructuralSchema = {
  type: 'object',
  properties: {
    matchLabels: { type: 'object', additionalProperties: LABEL_VALUE },
    matchExpressions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string', minLength: 1 },
          operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
          values: { type: 'array', items: LABEL_VALUE },
        },
        oneOf: [
          { properties: { operator: { enum: ['In', 'NotIn'] }, values: { minItems: 1 } }, required: ['values'] },
          { properties: { operator: { enum: ['Exists', 'DoesNotExist'] }, values: { maxItems: 0 } } },
        ],
      },
    },
  },
};

const NAMESPACE: BuiltInKind = {
  schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { finalizers: { type: 'array', items: { type: 'string' } } } },
    },
  },
  metadata: { scope: 'Cluster', name: 'label' },
};

const CONFIG_MAP: BuiltInKind = {
  schema: {
    type: 'object',
    properties: {
      data: { type: 'object', additionalProperties: { type: 'string' } },
      binaryData: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
      immutable: { type: 'boolean' },
    },
  },
  metadata: { scope: 'Namespaced' },
  check: object => configMapErrors(fields(object.data), fields(object.binaryData)),
};

const POD_DISRUPTION_BUDGET: BuiltInKind = {
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          minAvailable: PERCENTAGE_OR_COUNT,
          maxUnavailable: PERCENTAGE_OR_COUNT,
          selector: LABEL_SELECTOR,
          unhealthyPodEvictionPolicy: { type: 'string', enum: ['IfHealthyBudget', 'AlwaysAllow'] },
        },
        not: { required: ['minAvailable', 'maxUnavailable'] },
      },
    },
  },
  metadata: { scope: 'Namespaced' },
};

/** The kinds of Kubernetes itself that this library writes and no custom resource definition describes, by `apiVersion/kind`. */
export const BUILT_IN_KINDS: ReadonlyMap<string, BuiltInKind> = new Map<string, BuiltInKind>([
  ...CONTROLLER_KINDS,
  ...CSI_KINDS,
  ...ADDED_OPERATOR_KINDS,
  ...MONITORING_KINDS,
  ...MANAGEMENT_KINDS,
  // Last: what a Role may say for people is more than for a controller.
  ...[...ISOLATION_KINDS].map(([name, { check, ...kind }]): [string, BuiltInKind] => [name, {
    ...kind, check: (object) => check?.(object.spec as JsonObject) ?? [],
  }]),
  ['v1/Namespace', NAMESPACE],
  ['v1/ConfigMap', CONFIG_MAP],
  ['policy/v1/PodDisruptionBudget', POD_DISRUPTION_BUDGET],
]);

const MEBIBYTE = 1024 * 1024;

function configMapErrors(data: [string, Json][], binaryData: [string, Json][]): string[] {
  const keys = new RegExp(KEY);
  const errors = [...data, ...binaryData]
    .filter(([key]) => !keys.test(key) || key.length > 253 || key === '.' || key.startsWith('..'))
    .map(([key]) => `data[${key}]: a key has at most 253 letters, digits and -_., got ${JSON.stringify(key)}`);
  errors.push(...data.filter(([key]) => binaryData.some(([other]) => other === key)).map(([key]) => `data[${key}]: must not be in binaryData too, got both`));

  const size = data.reduce((sum, [, text]) => sum + Buffer.byteLength(String(text)), 0)
    + binaryData.reduce((sum, [, text]) => sum + Buffer.byteLength(String(text), 'base64'), 0);
  if (size > MEBIBYTE) errors.push(`data: must have at most ${MEBIBYTE} bytes together, got ${size}`);
  return errors;
}

function fields(value: Json | undefined): [string, Json][] {
  return Object.entries(value ?? {});
}
