import { KUBERNETES_RULES } from '../../../src/manifests/kubernetes/kubernetes-rules';
import { detailsIn } from '../rules/rules-under-test';

const MATCH = 'matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}';
const VALIDATE = 'validations: [{expression: "true"}]';
const LONG = 'a'.repeat(58);

/** Field and message of what is found in an object of a kind with these fields of its spec. */
function found(kind: string, fields: readonly string[]): string[] {
  const text = `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: web}\nspec:\n${fields.map((line) => `  ${line}\n`).join('')}`;
  const id = `TC-ADMIT-KUBERNETES-${kind.startsWith('Validating') ? 'ADMISSION' : 'MUTATING'}-POLICY${kind.endsWith('Binding') ? '-BINDING' : ''}`;
  return detailsIn(KUBERNETES_RULES, text).map((finding) => {
    expect(finding.id).toBe(id);
    return `${finding.path.join('.').replace(/^spec\./, '')}: ${finding.message}`;
  });
}

test.each<[fields: string[], found: string[]]>([
  [[MATCH, VALIDATE], []],
  [[MATCH, 'auditAnnotations: [{key: image, valueExpression: "\'a\'"}]'], []],
  [[VALIDATE], ['matchConstraints.resourceRules: it is empty, or missing']],
  [[MATCH], ['validations: there is neither a validation nor an audit annotation']],
  [[MATCH.replace('[v1]', '[v1, ""]').replace('[pods]', '[""]'), VALIDATE], [
    'matchConstraints.resourceRules.0.apiVersions.1: it is empty', 'matchConstraints.resourceRules.0.resources.0: it is empty',
  ]],
  [['matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], resourceNames: [a/b, c, c]}], matchPolicy: ""}', VALIDATE], [
    'matchConstraints.matchPolicy: it is empty, or missing',
    'matchConstraints.resourceRules.0.operations: it is empty, or not there',
    'matchConstraints.resourceRules.0.resourceNames.0: "a/b" cannot be the name of an object',
    'matchConstraints.resourceRules.0.resourceNames.2: the name "c" is there twice',
  ]],
  [[MATCH.replace('{r', '{excludeResourceRules: [{}], r'), VALIDATE], ['apiGroups', 'apiVersions', 'operations', 'resources']
    .map((field) => `matchConstraints.excludeResourceRules.0.${field}: it is empty, or not there`)],
  [[MATCH.replace('{r', '{objectSelector: {matchLabels: {a: "b c"}}, r'), VALIDATE], [expect.stringMatching(/^matchConstraints\.objectSelector\.matchLabels\.a: /)]],
  [[MATCH, VALIDATE, 'paramKind: {}'], ['paramKind.apiVersion: it is empty, or missing', 'paramKind.kind: it is empty, or missing']],
  [[MATCH, VALIDATE, 'paramKind: {apiVersion: example.com/v1, kind: Limit}'], []],
  [[MATCH, VALIDATE, 'paramKind: {apiVersion: a/b/v1, kind: Limit}'], ['paramKind.apiVersion: it has more than one "/"']],
  [[MATCH, VALIDATE, 'matchConditions: [{name: a, expression: "true"}, {name: a, expression: " "}, {name: "b c", expression: "true"}]'], [
    'matchConditions.1.expression: it is blank',
    expect.stringMatching(/^matchConditions\.2\.name: "b c"/),
  ]],
  [[MATCH, VALIDATE, 'variables: [{name: in, expression: "1"}, {name: a-b, expression: "1"}, {name: a_b, expression: "1"}]'], [
    'variables.0.name: "in" is not a CEL identifier', 'variables.1.name: "a-b" is not a CEL identifier',
  ]],
  [[MATCH, 'validations: [{expression: "true", message: "a\\nb", messageExpression: " ", reason: Unauthorized}]'], [
    'validations.0.messageExpression: it is blank', 'validations.0.message: it has line breaks', 'validations.0.reason: "Unauthorized" is not a choice',
  ]],
  [[MATCH, `auditAnnotations: [{key: a/b, valueExpression: "'a'"}, {key: ${LONG}${LONG}, valueExpression: "'a'"}]`], [
    expect.stringMatching(/^auditAnnotations\.0\.key: /), expect.stringMatching(/^auditAnnotations\.1\.key: /),
  ]],
  [[MATCH, VALIDATE, `matchConditions: [${Array.from({ length: 65 }, (_, index) => `{name: a${index}, expression: "true"}`).join()}]`], ['matchConditions: 65 are too many']],
])('TC-ADMIT-KUBERNETES-ADMISSION-POLICY: %s', (fields, expected) => {
  expect(found('ValidatingAdmissionPolicy', fields)).toEqual(expected);
});

test.each<[fields: string[], found: string[]]>([
  [['policyName: a', 'validationActions: [Deny, Audit]'], []],
  [['policyName: a', 'validationActions: []'], ['validationActions: it is empty, or missing']],
  [['validationActions: [Deny]'], ['policyName: it is empty, or missing']],
  [['policyName: A', 'validationActions: [Deny]'], [expect.stringMatching(/^policyName: "A"/)]],
  [['policyName: a', 'validationActions: [Deny, Warn, Deny]'], [
    'validationActions: Deny and Warn report the same failure twice', 'validationActions.2: the action "Deny" is there twice',
  ]],
  [['policyName: a', 'validationActions: [Deny]', 'paramRef: {}'], [
    'paramRef: it has neither a name nor a selector', 'paramRef.parameterNotFoundAction: it is empty, or missing',
  ]],
  [['policyName: a', 'validationActions: [Deny]', 'paramRef: {name: a/b, selector: {}, parameterNotFoundAction: Deny}'], [
    'paramRef: it has both a name and a selector', 'paramRef.name: "a/b" cannot be the name of an object',
  ]],
  [['policyName: a', 'validationActions: [Deny]', 'paramRef: {selector: {}, parameterNotFoundAction: Allow}'], []],
  [['policyName: a', 'validationActions: [Deny]', 'matchResources: {namespaceSelector: {matchExpressions: [{key: a, operator: In}]}}'], [
    'matchResources.namespaceSelector.matchExpressions.0: In needs values',
  ]],
])('TC-ADMIT-KUBERNETES-ADMISSION-POLICY-BINDING: %s', (fields, expected) => {
  expect(found('ValidatingAdmissionPolicyBinding', fields)).toEqual(expected);
});

const MUTATE = 'mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[]"}}]';
const ONCE = 'reinvocationPolicy: Never';

test.each<[fields: string[], found: string[]]>([
  [[MATCH, MUTATE, ONCE], []],
  [[MATCH, MUTATE, 'reinvocationPolicy: IfNeeded', 'failurePolicy: Ignore'], []],
  [[], ['matchConstraints.resourceRules: it is empty, or missing', 'reinvocationPolicy: it is empty, or missing', 'mutations: it is empty, or missing']],
  [[MATCH, MUTATE, 'reinvocationPolicy: Always', 'failurePolicy: ""'], ['failurePolicy: it is empty, or missing', 'reinvocationPolicy: "Always" is not a choice']],
  [[MATCH.replace('[CREATE]', '[CREATE, DELETE]'), MUTATE, ONCE], ['matchConstraints.resourceRules.0.operations.1: "DELETE" is not a choice']],
  [[MATCH.replace('[CREATE]', '["*"]'), MUTATE, ONCE], []],
  // Rules that exclude requests may name other operations.
  [[MATCH.replace('{r', '{excludeResourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods]}], r'), MUTATE, ONCE], []],
  [[MATCH, 'mutations: [{}, {patchType: Merge}, {patchType: JSONPatch}]', ONCE], [
    'mutations.0.patchType: it is empty, or missing', 'mutations.1.patchType: "Merge" is not a choice', 'mutations.2.jsonPatch.expression: it is empty, or missing',
  ]],
  [[MATCH, 'mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: " "}, jsonPatch: {expression: "[]"}}]', ONCE], [
    'mutations.0.applyConfiguration.expression: it is blank', 'mutations.0.jsonPatch: it is there, and patchType is ApplyConfiguration',
  ]],
  [[MATCH, MUTATE, ONCE, 'variables: [{name: in, expression: "1"}]', 'paramKind: {apiVersion: v1}'], [
    'paramKind.kind: it is empty, or missing', 'variables.0.name: "in" is not a CEL identifier',
  ]],
])('TC-ADMIT-KUBERNETES-MUTATING-POLICY: %s', (fields, expected) => {
  expect(found('MutatingAdmissionPolicy', fields.length === 0 ? ['variables: []'] : fields)).toEqual(expected);
});

test.each<[fields: string[], found: string[]]>([
  [['policyName: a'], []],
  [['paramRef: {}'], [
    'policyName: it is empty, or missing', 'paramRef: it has neither a name nor a selector', 'paramRef.parameterNotFoundAction: it is empty, or missing',
  ]],
  [['policyName: a', MATCH.replace('matchConstraints', 'matchResources').replace('[CREATE]', '[DELETE]')], ['matchResources.resourceRules.0.operations.0: "DELETE" is not a choice']],
])('TC-ADMIT-KUBERNETES-MUTATING-POLICY-BINDING: %s', (fields, expected) => {
  expect(found('MutatingAdmissionPolicyBinding', fields)).toEqual(expected);
});

test.each(['Validating', 'Mutating'])('an empty choice of a %sWebhookConfiguration is no default', (kind) => {
  const text = (scope: string, policy: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}WebhookConfiguration
metadata: {name: web}
webhooks:
  - name: pods.acme.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {service: {name: hook, namespace: default}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods], scope: ${scope}}]
    failurePolicy: ${policy}
    matchPolicy: ${policy === '""' ? '""' : 'Exact'}
`;
  const places = (given: string) => detailsIn(KUBERNETES_RULES, given).map(({ path }) => path.join('.'));

  expect(places(text('""', '""'))).toEqual(['webhooks.0.failurePolicy', 'webhooks.0.matchPolicy', 'webhooks.0.rules.0.scope']);
  expect(places(text('"*"', 'Fail'))).toEqual([]);
});
