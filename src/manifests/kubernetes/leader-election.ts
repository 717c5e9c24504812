import { objectText, clusterObjectText } from './examples';
import { namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { accountOf, bindingsOfAccount, missingRights, missingRightsFindings, Rights } from '../rules/granted-rights';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS } from '../rules/pod-objects';
import { argumentOf, Program, runningPrograms } from '../rules/programs';
import { isKnownProgram } from '../values/component-facts';

/** Flags that turn the election of a leader on. */
const FLAGS: readonly string[] = ['leader-elect', 'leader-election', 'enable-leader-election'];

/** Flags that name the namespace of the lease. */
const PLACES: readonly string[] = ['leader-election-namespace', 'leader-elect-namespace', 'leader-elect-resource-namespace'];

/** Flags of programs that reach a cluster with other rights than those of their ServiceAccount. */
const ELSEWHERE = /kubeconfig$|^master$/;

/** Objects that were locks before client-go 0.24. */
const OLD_LOCKS: readonly string[] = ['configmaps', 'endpoints'];

const TEXT = documents(
  objectText('apps/v1', 'Deployment', `spec:
  selector:
    matchLabels: {app: operator}
  template:
    metadata:
      labels: {app: operator}
    spec:
      serviceAccountName: operator
      containers:
        - name: manager
          image: registry.example.com/operator:v1.0.0
          args: [--leader-elect]
`, 'operator'),
  clusterObjectText('rbac.authorization.k8s.io/v1', 'ClusterRole', `rules:
  - apiGroups: [example.com]
    resources: [shops]
    verbs: [get, list, watch]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, create, update]
`, 'operator'),
  clusterObjectText('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', `roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
subjects:
  - {kind: ServiceAccount, name: operator, namespace: acme}
`, 'operator'),
);

const rights: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-LEADER-ELECTION',
  title: 'A program that elects a leader must be allowed to get, create and update leases: it never starts its work otherwise.',
  source: 'kubernetes/client-go tools/leaderelection/resourcelock/leaselock.go, v0.37.2; kubernetes-sigs/controller-runtime pkg/leaderelection/leader_election.go',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(TEXT, 'verbs: [get, create, update]', 'verbs: [get, update]'),
  check: (object, index) => {
    const electing = runningPrograms(object).filter(elects);
    const [program] = electing;
    if (program === undefined) return [];
    const place = PLACES.map((flag) => argumentOf(program, flag)?.value).find((value) => value !== undefined);
    const needed: Rights = {
      group: 'coordination.k8s.io',
      resource: 'leases',
      verbs: ['get', 'create', 'update'],
      namespace: place ?? namespaceOf(object),
      purpose: 'to elect a leader',
    };
    const others: readonly Rights[] = [
      // Programs of that time may be meant where the roles are for their locks.
      ...OLD_LOCKS.map((resource) => ({ ...needed, group: '', resource })),
      // Libraries for other languages patch.
      { ...needed, verbs: ['get', 'create', 'patch'] },
      // Programs have namespaces of their own for leases.
      ...(place === undefined ? bindingsOfAccount(namespaceOf(object) ?? '', accountOf(object), index).map((binding) => ({ ...needed, namespace: namespaceOf(binding) })) : []),
    ];
    const isMet = others.some((one) => missingRights(object, [one], index)?.length === 0);
    return isMet ? [] : missingRightsFindings(object, [needed], index);
  },
};

/** True if a program elects a leader in the cluster that it runs in. Those whose rights are known have rules of their own. */
function elects(program: Program): boolean {
  const flags = FLAGS.map((flag) => argumentOf(program, flag)).filter((argument) => argument !== undefined);
  return flags.some(({ value }) => value === 'true') && !program.args.some(({ name }) => ELSEWHERE.test(name))
    && (!isKnownProgram(program.name) || program.name.startsWith('csi-'));
}

/** Rules over programs of which one of several works. */
export const LEADER_ELECTION: readonly ManifestRule[] = [rights];
