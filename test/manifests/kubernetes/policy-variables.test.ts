import { KUBERNETES_RULES } from '../../../src/manifests/kubernetes/kubernetes-rules';
import { detailsIn } from '../rules/rules-under-test';

const MATCH = '  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}\n';
const DECLARED = '  variables: [{name: a, expression: "1"}, {name: b, expression: "variables.a + 1"}]\n';

/** Place and message of what is found in a policy with these fields. */
function found(kind: string, fields: string): string[] {
  const more = kind === 'MutatingAdmissionPolicy' ? '  reinvocationPolicy: Never\n' : '';
  return detailsIn(KUBERNETES_RULES, `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: web}\nspec:\n${MATCH}${more}${fields}`)
    .map(({ id, path, message }) => `${id === 'TC-ADMIT-KUBERNETES-POLICY-VARIABLE' ? '' : `${id} `}${path.slice(1).join('.')}: ${message}`);
}

const validation = (expression: string, more = '') => `  validations:\n    - expression: |-\n        ${expression}\n${more}`;

test.each<[fields: string, found: string[]]>([
  [DECLARED + validation('variables.a < variables.b'), []],
  [DECLARED + validation('variables.c == 1 || variables.c == 2'), ['validations.0.expression: variables.c: no variable has this name']],
  [validation('variables.a == 1'), ['validations.0.expression: variables.a: no variable has this name']],
  [`  variables: []\n${validation('has(variables . a)')}`, ['validations.0.expression: variables.a: no variable has this name']],
  [DECLARED + validation('true', '      messageExpression: string(variables.c)\n'), ['validations.0.messageExpression: variables.c: no variable has this name']],
  [`${DECLARED}  auditAnnotations: [{key: c, valueExpression: string(variables.c)}, {key: a, valueExpression: string(variables.a)}]\n`,
    ['auditAnnotations.0.valueExpression: variables.c: no variable has this name']],
  [`${DECLARED}  matchConditions: [{name: a, expression: variables.a == 1}]\n${validation('true')}`, [
    'matchConditions.0.expression: variables.a: match conditions cannot use variables',
  ]],
  [`  variables: [{name: a, expression: variables.b}, {name: b, expression: variables.b}, {name: c, expression: variables.d}]\n${validation('true')}`, [
    'variables.0.expression: variables.b: it is declared later, or by this expression',
    'variables.1.expression: variables.b: it is declared later, or by this expression',
    'variables.2.expression: variables.d: no variable has this name',
  ]],
  // Texts, comments, and fields and names of the same word.
  [validation('object.data["a"] != "variables.a" && r\'\\variables.a\' != """variables.b "quoted" """ // variables.c'), []],
  [validation('object.variables.a == 1 && object.spec . variables.a == 1 && object.my_variables.b == "say \\"variables.a\\""'), []],
  [validation('[object].all(variables, variables.spec.replicas > 1)'), []],
])('a ValidatingAdmissionPolicy with %s', (fields, expected) => {
  expect(found('ValidatingAdmissionPolicy', fields)).toEqual(expected);
});

test.each<[fields: string, found: string[]]>([
  [`${DECLARED}  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "variables.b > 1 ? [] : []"}}]\n`, []],
  ['  variables: []\n  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "variables.b > 1 ? [] : []"}}]\n', [
    'mutations.0.jsonPatch.expression: variables.b: no variable has this name',
  ]],
  [`${DECLARED}  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{a: variables.c}}"}}]\n`, [
    'mutations.0.applyConfiguration.expression: variables.c: no variable has this name',
  ]],
])('a MutatingAdmissionPolicy with %s', (fields, expected) => {
  expect(found('MutatingAdmissionPolicy', fields)).toEqual(expected);
});
