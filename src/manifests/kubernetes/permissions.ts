import { objectText, pair, clusterObjectText } from './examples';
import { apiValidation, fault, subdomainFault } from './findings';
import { selectorFaults } from './scheduling';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../values/fields';
import { allOf, Finding } from '../values/finding';

const SOURCE = apiValidation('rbac');
const GROUP = 'rbac.authorization.k8s.io';
const VERSION = `${GROUP}/v1`;
const CLUSTER_ROLE_BINDING = `${GROUP}/ClusterRoleBinding`;
const BINDINGS = [`${GROUP}/RoleBinding`, CLUSTER_ROLE_BINDING];

const rules: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RBAC-RULE',
  title: 'A rule of a Role must have verbs, and resources with their API groups; nonResourceURLs need a rule of their own in a ClusterRole.',
  source: `${SOURCE} (ValidatePolicyRule, ValidateClusterRole)`,
  kinds: [`${GROUP}/Role`, `${GROUP}/ClusterRole`],
  example: pair((verbs) => objectText(VERSION, 'Role', `rules:\n  - apiGroups: [""]\n    resources: [pods]\n    verbs: ${verbs}\n`), '[]', '[get, list]'),
  check: (object) => allOf(
    objectsAt(object, 'rules').flatMap(([rule, index]) => ruleFaults(rule, ['rules', index], object)),
    objectsAt(object, 'aggregationRule', 'clusterRoleSelectors').flatMap(([selector, index]) => selectorFaults(selector, ['aggregationRule', 'clusterRoleSelectors', index])),
    isFields(object.aggregationRule) && listAt(object, 'aggregationRule', 'clusterRoleSelectors').length === 0
      ? [fault(['aggregationRule', 'clusterRoleSelectors'], 'it selects no roles', 'write a selector')] : [],
  ),
};

function ruleFaults(rule: Fields, path: FieldPath, { kind }: ManifestObject): readonly Finding[] {
  const has = (field: string) => listAt(rule, field).length > 0;
  const verbs = Array.isArray(rule.verbs) && !has('verbs') ? [fault([...path, 'verbs'], 'it is empty', 'write what may be done', 'verbs such as get, list, watch')] : [];
  if (has('nonResourceURLs')) {
    return [
      ...verbs,
      ...(kind === 'Role' ? [fault([...path, 'nonResourceURLs'], 'paths are no part of a namespace', 'write the rule in a ClusterRole')] : []),
      ...(['apiGroups', 'resources', 'resourceNames'].some(has) ? [fault([...path, 'nonResourceURLs'], 'the rule has resources, too', 'write two rules')] : []),
    ];
  }
  return allOf(
    verbs,
    ['apiGroups', 'resources'].filter((field) => !has(field)).map((field) => (
      fault([...path, field], 'it is empty, or not there', field === 'apiGroups' ? 'write the groups; that of Pods and Secrets is ""' : 'write the resources in the plural, such as pods'))),
  );
}

const subjects: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RBAC-SUBJECT',
  title: 'A subject of a binding must be a ServiceAccount with its namespace, a User or a Group.',
  source: `${SOURCE} (ValidateRoleBindingSubject)`,
  kinds: BINDINGS,
  example: pair((namespace) => clusterObjectText(VERSION, 'ClusterRoleBinding', `roleRef:
  apiGroup: ${GROUP}
  kind: ClusterRole
  name: view
subjects:
  - kind: ServiceAccount
    name: web
${namespace}`), '', '    namespace: acme\n'),
  check: (object) => objectsAt(object, 'subjects').flatMap(([subject, index]) => {
    const path = ['subjects', index];
    const [kind, group] = [stringAt(subject, 'kind'), stringAt(subject, 'apiGroup')];
    if (kind === 'ServiceAccount') {
      return allOf(
        subdomainFault([...path, 'name'], subject.name),
        group === undefined ? [] : [fault([...path, 'apiGroup'], 'a ServiceAccount is of the core group', 'remove it')],
        groupKind(object) === CLUSTER_ROLE_BINDING && stringAt(subject, 'namespace') === undefined
          ? [fault([...path, 'namespace'], 'the namespace of the ServiceAccount is not said', 'add it')] : [],
      );
    }
    if (kind === 'User' || kind === 'Group') {
      return allOf(
        group === undefined || group === GROUP ? [] : [fault([...path, 'apiGroup'], `${kind} is not of the group ${group}`, 'correct it', GROUP)],
        stringAt(subject, 'name')?.trim() === '' ? [fault([...path, 'name'], `the name of the ${kind} is blank`, 'write the name that the authentication of the cluster uses')] : [],
      );
    }
    return kind === undefined ? [] : [fault([...path, 'kind'], `${JSON.stringify(kind)} cannot be given roles`, 'write one of these', 'ServiceAccount, User, Group')];
  }),
};

const roleRef: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RBAC-ROLE-REF',
  title: `The roleRef of a binding must be a Role or a ClusterRole of ${GROUP}; that of a ClusterRoleBinding must be a ClusterRole.`,
  source: `${SOURCE} (ValidateRoleBinding, ValidateClusterRoleBinding)`,
  kinds: BINDINGS,
  example: pair((kind) => clusterObjectText(VERSION, 'ClusterRoleBinding', `roleRef:\n  apiGroup: ${GROUP}\n  kind: ${kind}\n  name: view\n`), 'Role', 'ClusterRole'),
  check: (object) => {
    const [kind, group, name] = ['kind', 'apiGroup', 'name'].map((field) => stringAt(object, 'roleRef', field));
    const accepted = groupKind(object) === CLUSTER_ROLE_BINDING ? ['ClusterRole'] : ['Role', 'ClusterRole'];
    if (!isSet(object, 'roleRef')) return [];
    return allOf(
      kind === undefined || accepted.includes(kind) ? [] : [fault(['roleRef', 'kind'], `a ${String(object.kind)} cannot give a ${kind}`, 'name another role', accepted.join(', '))],
      group === undefined || group === GROUP ? [] : [fault(['roleRef', 'apiGroup'], `${JSON.stringify(group)} is not the group of roles`, 'correct it', GROUP)],
      name !== undefined && (/[/%]/.test(name) || name === '.' || name === '..')
        ? [fault(['roleRef', 'name'], `${JSON.stringify(name)} is not the name of a role`, 'write the name of the role', 'names without "/" and "%"')] : [],
    );
  },
};

/** Roles, and who has them. */
export const PERMISSIONS: readonly ManifestRule[] = [rules, subjects, roleRef];
