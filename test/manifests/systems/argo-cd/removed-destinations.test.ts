import { changes } from '../../rules/changes/changes';

const project = (namespace: string) => `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: tenants, namespace: ${namespace}}
spec: {sourceRepos: ["*"], destinations: [{server: "*", namespace: "*"}]}
`;
const application = (namespace: string) => `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: ${namespace}}
spec:
  project: tenants
  destination: {server: "https://kubernetes.default.svc", namespace: tenant-acme}
  source: {repoURL: "https://git.example.com/fleet.git", path: acme, targetRevision: main}
`;

test.each<[what: string, others: string, found: readonly string[]]>([
  ['of Applications beside it', application('argocd'), ['TC-CHANGE-ARGO-CD-PROJECT']],
  ['of Applications in another namespace', application('team'), ['TC-CHANGE-ARGO-CD-PROJECT']],
  ['of none, where another Argo CD has a project of that name', `---\n${project('other')}${application('other')}`, []],
])('a project that is removed is missed: %s', (_, others, found) => {
  expect(changes(project('argocd') + others, others).map(({ rule }) => rule.id)).toEqual(found);
});
