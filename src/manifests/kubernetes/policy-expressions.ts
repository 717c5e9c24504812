import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { clusterObjectText, pair } from './examples';
import { apiValidation, fault } from './findings';
import { checkExpression, ResultType } from '../cel/check-expression';
import { celEnvironment } from '../cel/environment';
import { ManifestRule } from '../rules/manifest-rule';
import { FieldPath, isSet, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

const GROUP = 'admissionregistration.k8s.io';

/**
 * Types of the variables that every expression of admission sees.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (BuildRequestType, BuildNamespaceType).
 */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubernetes.GroupVersionKind': { group: 'string', version: 'string', kind: 'string' },
  'kubernetes.GroupVersionResource': { group: 'string', version: 'string', resource: 'string' },
  'kubernetes.UserInfo': { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  'kubernetes.AdmissionRequest': {
    kind: 'kubernetes.GroupVersionKind',
    resource: 'kubernetes.GroupVersionResource',
    subResource: 'string',
    requestKind: 'kubernetes.GroupVersionKind',
    requestResource: 'kubernetes.GroupVersionResource',
    requestSubResource: 'string',
    name: 'string',
    namespace: 'string',
    operation: 'string',
    userInfo: 'kubernetes.UserInfo',
    dryRun: 'bool',
    options: 'dyn',
  },
};

/** Expressions of policies and webhooks, by their list: field and type of the result. */
const EXPRESSIONS: Readonly<Record<string, readonly (readonly [field: FieldPath, result?: ResultType])[]>> = {
  matchConditions: [[['expression'], 'bool']],
  variables: [[['expression']]],
  validations: [[['expression'], 'bool'], [['messageExpression'], 'string']],
  auditAnnotations: [[['valueExpression'], 'string']],
  mutations: [[['applyConfiguration', 'expression']], [['jsonPatch', 'expression']]],
};

/** Rule for the expressions in CEL of admission policies and webhooks. */
export const policyExpressions: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-POLICY-EXPRESSION',
  title: 'Expressions in CEL of admission policies and webhooks must compile, and have the result that their field takes.',
  source: `${apiValidation('admissionregistration')} (validateCELCondition, validateAuditAnnotation), `
    + 'staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (CompileCELExpression), v1.36.3',
  kinds: ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((kind) => `${GROUP}/${kind}`),
  example: pair((expression) => clusterObjectText(`${GROUP}/v1`, 'ValidatingAdmissionPolicy', `spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [services]}
  validations:
    - expression: ${expression}
`), 'object.spec.type.lower() != "nodeport"', 'object.spec.type.lowerAscii() != "nodeport"'),
  check: (object) => [
    ...expressionFaults(object.spec, ['spec'], isSet(object.spec, 'paramKind')),
    ...objectsAt(object, 'webhooks').flatMap(([webhook, index]) => expressionFaults(webhook, ['webhooks', index], false)),
  ],
};

function expressionFaults(holder: unknown, path: FieldPath, hasParams: boolean): Finding[] {
  const entries = Object.entries(EXPRESSIONS)
    .flatMap(([list, fields]) => objectsAt(holder, list).map(([entry, index]) => ({ list, fields, entry, index })));
  return entries.flatMap(({ list, fields, entry, index }) => fields.flatMap(([field, result]) => {
    const expression = stringAt(entry, ...field);
    const message = expression === undefined || expression.trim() === '' ? undefined : checked(hasParams, expression, result);
    return message === undefined ? [] : [fault([...path, list, index, ...field], message, 'correct the expression')];
  }));
}

/** Results for expressions, which are the same in all tenants of a fleet. */
const CHECKED = new Map<string, string | undefined>();
const MOST_CHECKED = 1000;

function checked(hasParams: boolean, expression: string, result: ResultType | undefined): string | undefined {
  const key = `${hasParams} ${result ?? ''} ${expression}`;
  if (!CHECKED.has(key)) {
    if (CHECKED.size === MOST_CHECKED) CHECKED.clear();
    CHECKED.set(key, checkExpression(environmentOf(hasParams), expression, result));
  }
  return CHECKED.get(key);
}

const ENVIRONMENTS = new Map<boolean, Environment>();

/** The variables of expressions, those of the policy among them: policyVariables checks their names. */
function environmentOf(hasParams: boolean): Environment {
  let env = ENVIRONMENTS.get(hasParams);
  if (!env) {
    env = celEnvironment();
    for (const [name, fields] of Object.entries(TYPES)) env.registerType(name, { fields: { ...fields } });
    const names = ['object', 'oldObject', 'namespaceObject', 'authorizer', 'variables', ...hasParams ? ['params'] : []];
    for (const name of names) env.registerVariable(name, 'dyn');
    ENVIRONMENTS.set(hasParams, env.registerVariable('request', 'kubernetes.AdmissionRequest'));
  }
  return env;
}
