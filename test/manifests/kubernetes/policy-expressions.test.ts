import { KUBERNETES_RULES } from '../../../src/manifests/kubernetes/kubernetes-rules';
import { detailsIn } from '../rules/rules-under-test';

const RULES = '[{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]';

function found(kind: string, fields: string): string[] {
  return detailsIn(KUBERNETES_RULES, `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: web}\n${fields}`)
    .map(({ id, path, message }) => `${id === 'TC-ADMIT-KUBERNETES-POLICY-EXPRESSION' ? '' : `${id} `}${path.join('.')}: ${message}`);
}

const policy = (fields: string) => `spec:\n  matchConstraints: {resourceRules: ${RULES}}\n${fields}`;
const validation = (expression: string, more = '') => policy(`  validations:\n    - expression: >-\n        ${expression}\n${more}`);

test.each<[expression: string, message: string | undefined]>([
  ['object.metadata.name != oldObject.metadata.name && request.userInfo.username.startsWith("system:") && has(namespaceObject.metadata.labels)', undefined],
  ['authorizer.group("").resource("pods").check("create").allowed() || authorizer.requestResource.check("use").allowed()', undefined],
  ['request.operation == "DELETE" || quantity(object.spec.size).isLessThan(quantity("1Gi"))', undefined],
  ['object.spec.replicas <=', 'it is not an expression in CEL: Unexpected token: EOF'],
  ['request.user.username == "a"', 'there is no field user'],
  ['request.userInfo.groups == ["a"] || request.name == 1', 'a string and a int cannot be operands of =='],
  ['params.max > 1', 'there is no variable params'],
  ['obj.spec.replicas > 1', 'there is no variable obj'],
  ['request.name', 'its result is a string in place of a bool'],
])('a ValidatingAdmissionPolicy with %s', (expression, message) => {
  expect(found('ValidatingAdmissionPolicy', validation(expression))).toEqual(message === undefined ? [] : [`spec.validations.0.expression: ${message}`]);
});

test('parameters are there with their kind', () => {
  expect(found('ValidatingAdmissionPolicy', `${validation('params.max > 1')}  paramKind: {apiVersion: example.com/v1, kind: Limit}\n`)).toEqual([]);
});

test('messages and audit annotations are strings', () => {
  expect(found('ValidatingAdmissionPolicy', validation('true', '      messageExpression: 1 + 1\n'))).toEqual([
    'spec.validations.0.messageExpression: its result is a int in place of a string',
  ]);
  expect(found('ValidatingAdmissionPolicy', policy('  auditAnnotations: [{key: a, valueExpression: "true"}]\n'))).toEqual([
    'spec.auditAnnotations.0.valueExpression: its result is a bool in place of a string',
  ]);
});

test('conditions of webhooks are expressions, too', () => {
  const webhook = (expression: string) => `webhooks:
  - name: pods.acme.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {service: {name: hook, namespace: default}}
    rules: ${RULES}
    matchConditions: [{name: named, expression: ${JSON.stringify(expression)}}]
`;
  expect(found('ValidatingWebhookConfiguration', webhook('object.metadata.name != "a"'))).toEqual([]);
  expect(found('MutatingWebhookConfiguration', webhook('object.metadata.nam() != "a"'))).toEqual([
    'webhooks.0.matchConditions.0.expression: there is no function nam',
  ]);
});

test('mutations that make objects are read by servers only', () => {
  const mutation = (expression: string) => `${policy(`  reinvocationPolicy: Never\n  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: ${JSON.stringify(expression)}}}]\n`)}`;
  expect(found('MutatingAdmissionPolicy', mutation('Object{spec: Object.spec{replicas: 1}}'))).toEqual([]);
  expect(found('MutatingAdmissionPolicy', mutation('objekt.spec'))).toEqual(['spec.mutations.0.applyConfiguration.expression: there is no variable objekt']);
});
