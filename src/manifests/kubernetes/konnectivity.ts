import { fault } from './findings';
import { documents, replaced } from '../rules/example-text';
import { missingRightsFindings, missingRightsOfUser, RIGHTS_KINDS, Rights } from '../rules/granted-rights';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS } from '../rules/pod-objects';
import { argumentOf, Program, runningPrograms, valueOf } from '../rules/programs';
import { objectsAt } from '../values/fields';
import { Finding } from '../values/finding';

const PROJECT = 'kubernetes-sigs/apiserver-network-proxy v0.36.0';
const SERVER = 'konnectivity-server';
const AGENT = 'konnectivity-agent';

/** The user of the server's kubeconfig, by the documentation of Kubernetes and by Kamaji (internal/resources/konnectivity/certificate_resource.go). */
const USER = 'system:konnectivity-server';

const TOKEN_REVIEWS: Rights = { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], purpose: 'to find out whether an agent is one' };
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };

const AUTHENTICATION = ['agent-namespace', 'agent-service-account', 'authentication-audience'];

function bindingText(kind: string, namespace: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata:
  name: system:konnectivity-server
${namespace}roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:auth-delegator}
subjects:
  - {apiGroup: rbac.authorization.k8s.io, kind: User, name: ${USER}}
`;
}

const AGENT_TEXT = documents(`apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: konnectivity-agent
  namespace: kube-system
spec:
  selector:
    matchLabels: {app: konnectivity-agent}
  template:
    metadata:
      labels: {app: konnectivity-agent}
    spec:
      serviceAccountName: konnectivity-agent
      containers:
        - name: agent
          image: registry.k8s.io/kas-network-proxy/proxy-agent:v0.34.0
          args: [--proxy-server-host=192.0.2.10, --count-server-leases]
`, `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: konnectivity-agent
  namespace: kube-system
rules:
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [list, watch]
`, `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: konnectivity-agent
  namespace: kube-system
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: konnectivity-agent}
subjects:
  - {kind: ServiceAccount, name: konnectivity-agent, namespace: kube-system}
`);

const RIGHTS: ManifestRule = {
  id: 'TC-TRAP-KONNECTIVITY-RIGHTS',
  title: 'An agent of konnectivity that counts servers must be allowed to watch leases, and a server that authenticates agents to review tokens: there is no tunnel otherwise.',
  source: `${PROJECT} cmd/agent/app/server.go, cmd/server/app/server.go, pkg/server/server.go (validateAuthToken), pkg/server/leases/controller.go`,
  kinds: POD_KINDS,
  trap: true,
  example: replaced(AGENT_TEXT, 'verbs: [list, watch]', 'verbs: [list]'),
  check: (object, index) => missingRightsFindings(object, runningPrograms(object).flatMap((program) => neededBy(program, index)), index),
};

const USER_RIGHTS: ManifestRule = {
  id: 'TC-TRAP-KONNECTIVITY-USER',
  title: 'The user system:konnectivity-server must be allowed to review tokens, e.g. by a ClusterRoleBinding to system:auth-delegator: the server refuses its agents otherwise.',
  source: `${PROJECT} pkg/server/server.go (validateAuthToken); kubernetes/website content/en/docs/tasks/extend-kubernetes/setup-konnectivity.md`,
  kinds: RIGHTS_KINDS.filter((kind) => kind.endsWith('Binding')),
  trap: true,
  example: { failing: bindingText('RoleBinding', '  namespace: kube-system\n'), corrected: bindingText('ClusterRoleBinding', '') },
  check: (object, index) => {
    const isBound = objectsAt(object, 'subjects').some(([{ kind, name }]) => kind === 'User' && name === USER);
    const missing = isBound ? missingRightsOfUser(USER, [TOKEN_REVIEWS], index) ?? [] : [];
    return missing.length === 0 ? [] : [{
      path: ['roleRef'],
      message: `none of the bindings of the user "${USER}" lets it create tokenreviews, with which the server authenticates its agents`,
      fix: 'bind the ClusterRole system:auth-delegator, by a ClusterRoleBinding',
    }];
  },
};

const SERVER_FLAGS: ManifestRule = {
  id: 'TC-TRAP-KONNECTIVITY-AUTHENTICATION',
  title: 'A server of konnectivity that authenticates agents by their tokens must have all three flags for it, and no --cluster-ca-cert: it exits otherwise.',
  source: `${PROJECT} cmd/server/app/options/options.go (Validate)`,
  kinds: POD_KINDS,
  trap: true,
  example: replaced(`apiVersion: v1
kind: Pod
metadata:
  name: konnectivity-server
  namespace: kube-system
spec:
  hostNetwork: true
  containers:
    - name: server
      image: registry.k8s.io/kas-network-proxy/proxy-server:v0.34.0
      args: [--agent-namespace=kube-system, --agent-service-account=konnectivity-agent, --authentication-audience=system:konnectivity-server]
`, ', --authentication-audience=system:konnectivity-server', ''),
  check: (object) => runningPrograms(object).filter(({ name, isComplete }) => name === SERVER && isComplete).flatMap(flagFindings),
};

/** Rules over konnectivity, by which API servers reach nodes. */
export const KONNECTIVITY: readonly ManifestRule[] = [RIGHTS, USER_RIGHTS, SERVER_FLAGS];

/** The rights with which a program calls the API server of the cluster that its pods run in; none if it has a kubeconfig. */
function neededBy(program: Program, index: ManifestIndex): Rights[] {
  if (!program.isComplete || argumentOf(program, 'kubeconfig')) return [];
  const stated = argumentOf(program, 'lease-namespace');
  const namespace = stated ? valueOf(program, stated, index) : 'kube-system';
  if (program.name === AGENT) return isOn(program, 'count-server-leases') ? [{ ...LEASES, namespace, verbs: ['list', 'watch'], purpose: 'to count servers' }] : [];
  if (program.name !== SERVER) return [];
  return [
    ...argumentOf(program, AUTHENTICATION[0]) ? [TOKEN_REVIEWS] : [],
    ...isOn(program, 'enable-lease-controller') ? [{ ...LEASES, namespace, verbs: ['get', 'create', 'update'], purpose: 'to be counted by agents' }] : [],
  ];
}

function isOn(program: Program, flag: string): boolean {
  return argumentOf(program, flag)?.value === 'true';
}

function flagFindings(program: Program): Finding[] {
  const has = (flag: string) => argumentOf(program, flag) !== undefined;
  const missing = AUTHENTICATION.filter((flag) => !has(flag));
  if (missing.length === AUTHENTICATION.length) return [];
  return [
    ...missing.length === 0 ? [] : [fault(program.path, `the server exits without ${flagText(missing)}`, `add ${flagText(missing)}`)],
    ...has('cluster-ca-cert') ? [fault(
      argumentOf(program, 'cluster-ca-cert')!.path, 'the server exits with --cluster-ca-cert beside the authentication by tokens', 'remove --cluster-ca-cert',
    )] : [],
  ];
}

function flagText(flags: readonly string[]): string {
  return flags.map((flag) => `--${flag}`).join(' and ');
}
