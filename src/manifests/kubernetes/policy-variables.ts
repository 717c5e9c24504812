import { clusterObjectText } from './examples';
import { apiValidation, fault } from './findings';
import { codeOf } from '../cel/code';
import { ManifestRule } from '../rules/manifest-rule';
import { FieldPath, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

const GROUP = 'admissionregistration.k8s.io';

/** Fields of a policy that are compiled after its variables, by their list. */
const EXPRESSIONS: Readonly<Record<string, readonly FieldPath[]>> = {
  validations: [['expression'], ['messageExpression']],
  auditAnnotations: [['valueExpression']],
  mutations: [['applyConfiguration', 'expression'], ['jsonPatch', 'expression']],
};

/** Rule for the variables that the expressions of an admission policy use. */
export const policyVariables: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-POLICY-VARIABLE',
  title: 'An expression of an admission policy must use declared variables only: a variable those before it, a match condition none.',
  source: `${apiValidation('admissionregistration')} (validateVariable, validateMatchConditionsExpression, createCompiler), `
    + 'staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/composition.go (CompileAndStoreVariable), v1.36.3',
  kinds: [`${GROUP}/ValidatingAdmissionPolicy`, `${GROUP}/MutatingAdmissionPolicy`],
  example: { failing: policyText('isPrivate'), corrected: policyText('isPublic') },
  check: ({ spec }) => {
    const variables = objectsAt(spec, 'variables').map(([variable, index]) => ({ name: stringAt(variable, 'name'), variable, index }));
    const declared = new Set(variables.map(({ name }) => name));
    const later = new Set(declared);
    return [
      ...objectsAt(spec, 'matchConditions').flatMap(([condition, index]) => unknownVariables(
        ['spec', 'matchConditions', index, 'expression'], condition.expression, () => 'match conditions cannot use variables',
      )),
      ...variables.flatMap(({ name, variable, index }) => {
        const found = unknownVariables(['spec', 'variables', index, 'expression'], variable.expression, (used) => {
          if (!declared.has(used)) return 'no variable has this name';
          return later.has(used) ? 'it is declared later, or by this expression' : undefined;
        });
        later.delete(name);
        return found;
      }),
      ...Object.entries(EXPRESSIONS).flatMap(([list, fields]) => objectsAt(spec, list).flatMap(([entry, index]) => fields.flatMap((field) => {
        const path = ['spec', list, index, ...field];
        return unknownVariables(path, stringAt(entry, ...field), (used) => (declared.has(used) ? undefined : 'no variable has this name'));
      }))),
    ];
  },
};

/** Findings for variables that an expression reads and a check refuses, each name once. */
function unknownVariables(path: FieldPath, expression: unknown, refusal: (name: string) => string | undefined): Finding[] {
  if (typeof expression !== 'string') return [];
  return [...usedVariables(expression)].flatMap((name) => {
    const reason = refusal(name);
    return reason === undefined ? [] : [fault(path, `variables.${name}: ${reason}`, 'declare it in spec.variables before its first use, or correct the name')];
  });
}

/** The variables that an expression in CEL reads by name; none if a macro in it binds a name of its own that hides them. */
function usedVariables(expression: string): ReadonlySet<string> {
  const code = codeOf(expression);
  if (/\(\s*(\w+\s*,\s*)?variables\s*,/.test(code)) return new Set();
  return new Set([...code.matchAll(/(?<![\w.]\s*)\bvariables\s*\.\s*([A-Za-z_]\w*)\b(?!\s*\()/g)].map(([, name]) => name));
}

function policyText(used: string): string {
  return clusterObjectText(`${GROUP}/v1`, 'ValidatingAdmissionPolicy', `spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [services]}
  variables:
    - {name: isPublic, expression: 'object.spec.type == "LoadBalancer"'}
  validations:
    - expression: "!variables.${used}"
`);
}
