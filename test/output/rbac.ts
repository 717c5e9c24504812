import { Manifest } from '../support/clusters';

/** Resources that belong to no namespace, of those that some role may name, by `group/resource`. */
const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  '/namespaces', '/nodes', '/persistentvolumes', 'storage.k8s.io/csidrivers', 'storage.k8s.io/csinodes', 'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments', 'storage.k8s.io/volumeattributesclasses', 'scheduling.k8s.io/priorityclasses', 'apiextensions.k8s.io/customresourcedefinitions',
  'snapshot.storage.k8s.io/volumesnapshotclasses', 'snapshot.storage.k8s.io/volumesnapshotcontents', 'node.k8s.io/runtimeclasses',
  'instancetype.kubevirt.io/virtualmachineclusterinstancetypes', 'instancetype.kubevirt.io/virtualmachineclusterpreferences', 'kamaji.clastix.io/datastores',
  'networking.k8s.io/ingressclasses', 'gateway.networking.k8s.io/gatewayclasses', 'rbac.authorization.k8s.io/clusterroles', 'rbac.authorization.k8s.io/clusterrolebindings',
  'admissionregistration.k8s.io/validatingwebhookconfigurations', 'admissionregistration.k8s.io/mutatingwebhookconfigurations',
]);

/** Verbs that let somebody have more than the role says. */
const ESCALATING: readonly string[] = ['bind', 'escalate', 'impersonate'];

/** A role that may more than its kind should, and why. */
export interface RoleException {
  /** Name of the role, and what is wrong with it otherwise. */
  readonly role: RegExp;
  readonly fault: RegExp;
  readonly reason: string;
}

/** What is too much in a Role or ClusterRole. */
export function excessOf(object: Manifest, exceptions: readonly RoleException[] = []): string[] {
  if (!['Role', 'ClusterRole'].includes(object.kind)) return [];
  const granted = exceptions.filter(({ role }) => role.test(object.metadata.name));
  return (object.rules ?? []).flatMap((rule: Manifest, index: number) => excessOfRule(rule, object.kind).map((fault) => `rules[${index}]: ${fault}`))
    .filter((fault: string) => !granted.some((exception) => exception.fault.test(fault)));
}

function excessOfRule({ apiGroups = [], resources = [], verbs, resourceNames, nonResourceURLs = [] }: Manifest, kind: string): string[] {
  const names: string[] = apiGroups.flatMap((group: string) => resources.map((resource: string) => `${group}/${resource.split('/')[0]}`));
  const secrets = names.includes('/secrets') && resourceNames === undefined && verbs.some((verb: string) => verb !== 'create');
  return [
    ...[...apiGroups, ...resources, ...verbs, ...nonResourceURLs].filter((text: string) => text.includes('*')).map(() => 'a wildcard'),
    ...verbs.filter((verb: string) => ESCALATING.includes(verb)).map((verb: string) => `the verb ${verb}`),
    ...(kind === 'ClusterRole' ? names.filter((name) => !CLUSTER_SCOPED.has(name)).map((name) => `${name} in every namespace`) : []),
    ...(secrets ? ['every Secret'] : []),
  ];
}
