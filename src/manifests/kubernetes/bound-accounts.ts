import { clusterObjectText, objectText } from './examples';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { bindingsOfAccount, RIGHTS_KINDS } from '../rules/granted-rights';
import { Lookup } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, isFields, objectsAt, stringAt } from '../values/fields';
import { affixedName, nearestName } from '../values/nearest-name';

const GROUP = 'rbac.authorization.k8s.io';
const ACCOUNT = '/ServiceAccount';
const [CLUSTER_ROLE, CLUSTER_BINDING, ROLE, BINDING] = RIGHTS_KINDS;

const ACCOUNTS = new Lookup([ACCOUNT], (account) => [nameOf(account)]);

const BINDINGS_OF_ROLE = new Lookup([CLUSTER_BINDING, BINDING], (binding) => [stringAt(binding, 'roleRef', 'kind'), stringAt(binding, 'roleRef', 'name')]);

const TEXT = documents(
  clusterObjectText(`${GROUP}/v1`, 'ClusterRoleBinding', `roleRef: {apiGroup: ${GROUP}, kind: ClusterRole, name: shop-operator}
subjects:
  - {kind: ServiceAccount, name: operator, namespace: acme}
`, 'operator'),
  clusterObjectText(`${GROUP}/v1`, 'ClusterRole', 'rules:\n  - {apiGroups: [""], resources: [pods], verbs: [get]}\n', 'shop-operator'),
  objectText('v1', 'ServiceAccount', '', 'operator'),
);

const account: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-BOUND-ACCOUNT',
  title: 'A binding should be for a ServiceAccount that exists: one of the same name is in another namespace, or one of almost the same name has no rights.',
  source: 'kubernetes/kubernetes pkg/registry/rbac/validation/rule.go (appliesTo)',
  kinds: [CLUSTER_BINDING, BINDING],
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(TEXT, 'namespace: acme}', 'namespace: default}'),
  check: (object, index) => objectsAt(object, 'subjects').flatMap(([subject, at]) => {
    const [name, namespace] = [stringAt(subject, 'name'), stringAt(subject, 'namespace') ?? namespaceOf(object)];
    // Each namespace has the ServiceAccount default.
    if (subject.kind !== 'ServiceAccount' || name === undefined || name === 'default' || namespace === undefined || index.find(ACCOUNT, namespace, name)) return [];
    const places = ACCOUNTS.find(index, name).map((one) => namespaceOf(one));
    const [place] = places;
    // One without a namespace may be applied to any.
    if (places.length > 0) {
      return places.length > 1 || place === undefined || bindingsOfAccount(place, name, index).length > 0 ? [] : [{
        path: ['subjects', at, 'namespace'], message: `the ServiceAccount "${name}" is in the namespace "${place}" among the manifests that were read`, fix: `write namespace: ${place}`,
      }];
    }
    const names = index.allIn(ACCOUNT, namespace).flatMap((one) => nameOf(one) ?? [])
      .filter((one) => bindingsOfAccount(namespace, one, index).length === 0);
    const near = nearestName(name, names, 2) ?? affixedName(name, names);
    return near === undefined ? [] : [{
      path: ['subjects', at, 'name'],
      message: `no ServiceAccount "${name}" is in the namespace "${namespace}", and one "${near}" has no rights`,
      fix: `write "${near}" if it is meant`,
    }];
  }),
};

const role: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-BOUND-ROLE',
  title: 'A binding should name a role that exists: one of almost the same name is bound to no subject.',
  source: 'kubernetes/kubernetes pkg/registry/rbac/validation/rule.go (GetRoleReferenceRules)',
  kinds: [CLUSTER_BINDING, BINDING],
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(TEXT, 'kind: ClusterRole, name: shop-operator', 'kind: ClusterRole, name: operator'),
  check: (object, index) => {
    const [kind, name] = [stringAt(object, 'roleRef', 'kind'), stringAt(object, 'roleRef', 'name')];
    const full = `${GROUP}/${kind ?? ''}`;
    if (name === undefined || ![CLUSTER_ROLE, ROLE].includes(full)) return [];
    const place = full === ROLE ? namespaceOf(object) : undefined;
    if (index.all(full).some((one) => nameOf(one) === name) || (full === CLUSTER_ROLE && /^(system:|admin$|edit$|view$|cluster-admin$)/.test(name))) return [];
    const names = (full === ROLE ? index.allIn(full, place) : index.all(full)).filter((one) => !isAggregated(one)).flatMap((one) => nameOf(one) ?? [])
      .filter((one) => BINDINGS_OF_ROLE.find(index, kind, one).length === 0);
    const near = nearestName(name, names, 2) ?? affixedName(name, names);
    return near === undefined ? [] : [{
      path: ['roleRef', 'name'], message: `no ${kind!} "${name}" is among the manifests that were read, and one "${near}" is bound to no subject`, fix: `write "${near}" if it is meant`,
    }];
  },
};

/** True if a role is made to be a part of others, which select it by a label: it needs no binding. */
function isAggregated(object: ManifestObject): boolean {
  const labels = fieldAt(object, 'metadata', 'labels');
  return isFields(labels) && Object.keys(labels).some((label) => label.includes('aggregate-to-'));
}

/** Rules over what bindings of rights name. */
export const BOUND_ACCOUNTS: readonly ManifestRule[] = [account, role];
