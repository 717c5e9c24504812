import { readText } from '../../../../src/manifests/objects/manifest-text';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
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

test('a project that is removed is told once, where others stay', () => {
  const other = project('argocd').replace('name: tenants', 'name: infra');
  const objects = (text: string) => readText(text).documents.map(({ value }) => value);
  const [before, after] = [`${project('argocd')}---\n${other}${application('argocd')}`, `${other}${application('argocd')}`].map(objects);
  const ids = (was: unknown[] | undefined) => new ManifestValidator()
    .validate([after], { silences: [], strict: false, ...was && { before: [was] } }).found.map(({ finding }) => finding.rule.id);
  expect(ids(undefined)).toEqual(['TC-TRAP-ARGO-CD-PROJECT-MISSING']);
  expect(ids(before)).toEqual(['TC-CHANGE-ARGO-CD-PROJECT']);
});

const credentials = (name: string, type: string, url: string, more = 'password: b') => `apiVersion: v1
kind: Secret
metadata: {name: ${name}, namespace: argocd, labels: {argocd.argoproj.io/secret-type: ${type}}}
stringData: {url: "${url}", ${more}}
`;
const OF_ALL = credentials('all', 'repo-creds', 'https://git.example.com/');
const OF_ONE = credentials('fleet', 'repository', 'https://git.example.com/fleet');

test.each<[what: string, removed: string, others: string, found: readonly string[]]>([
  ['of one repository', OF_ONE, '', ['TC-CHANGE-ARGO-CD-REPOSITORY']],
  ['of one repository, where those of all are there', OF_ONE, OF_ALL, []],
  ['of all repositories', OF_ALL, '', ['TC-CHANGE-ARGO-CD-REPOSITORY']],
  ['of all repositories, where each has its own', OF_ALL, OF_ONE, []],
  ['of all repositories of another server', credentials('all', 'repo-creds', 'https://git.example.org/'), '', []],
  ['of all repositories of a folder with a name that begins alike', credentials('all', 'repo-creds', 'https://git.example.com/fle/'), '', []],
  ['with settings alone', credentials('fleet', 'repository', 'https://git.example.com/fleet', 'enableLfs: "true"'), '', []],
])('credentials that are removed are missed: %s', (_, removed, others, found) => {
  const rest = `${others}${application('argocd')}`.replace(/^---\n/, '');
  expect(changes(`${removed}---\n${rest}`, rest).map(({ rule }) => rule.id)).toEqual(found);
});
