import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { destinationOf, permitsClusterKind, permitsDestination, permitsNamespace, permitsSource } from '../../../../src/manifests/systems/argo-cd/projects';
import { PROJECT_RULES } from '../../../../src/manifests/systems/argo-cd/rules/projects';
import { Fields } from '../../../../src/manifests/values/fields';
import { findings, testRules } from '../../rules/rules-under-test';

const project = (spec: Fields): ManifestObject => ({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'a', namespace: 'argocd' }, spec } as ManifestObject);

// As argoproj/argo-cd pkg/apis/application/v1alpha1/types_test.go (TestAppProject_IsSourcePermitted, TestAppProject_IsDestinationPermitted).
test.each<[repository: string, permitted: readonly string[], isPermitted: boolean | undefined]>([
  ['https://github.com/argoproj/test.git', ['*'], true],
  ['https://github.com/argoproj/test.git', ['https://github.com/argoproj/test'], true],
  ['https://github.com/argoproj/test', ['https://github.com/argoproj/test.git'], true],
  ['https://github.com/argoproj/test.git', ['https://github.com/argoproj/*'], true],
  ['https://github.com/argoproj/foo', ['https://github.com/argoproj/foo1', 'https://github.com/argoproj/foo2'], false],
  ['https://gitlab.example.com/group/sub/test.git', ['https://gitlab.example.com/group/*'], false],
  ['https://gitlab.example.com/group/sub/test.git', ['https://gitlab.example.com/group/**'], true],
  ['https://github.com/argoproj/test.git', ['https://github.com/*'], false],
  ['https://github.com/argoproj/test', ['https://github.com/argoproj/tes?'], true],
  ['https://github.com/argoproj/test', ['https://github.com/argoproj?test'], false],
  ['git@github.com:ArgoProj/test.git', ['ssh://git@github.com/argoproj/*'], true],
  ['https://github.com/argoproj/test.git', ['!https://github.com/argoproj/test.git'], false],
  ['https://github.com/argoproj/test.git', ['!https://github.com/argoproj/foo*', '*'], true],
  ['https://github.com/argoproj/foo2', ['!https://github.com/argoproj/foo*', '*'], false],
  ['https://github.com/argoproj/test.git', [], false],
  ['https://github.com/argoproj/test.git', ['https://github.com/{argoproj,other}/*'], undefined],
  ['registry.example.com:5000/charts', ['registry.example.com:5000/*'], true],
])('%s among %j is permitted: %s', (repository, sourceRepos, isPermitted) => {
  expect(permitsSource(project({ sourceRepos }), repository)).toBe(isPermitted);
});

const HERE = 'https://kubernetes.default.svc';

test.each<[what: string, destination: Fields, permitted: readonly Fields[], isPermitted: boolean | undefined]>([
  ['a namespace by a pattern', { server: HERE, namespace: 'team1-a' }, [{ server: HERE, namespace: 'team1-*' }], true],
  ['another namespace', { server: HERE, namespace: 'team2' }, [{ server: HERE, namespace: 'team1-*' }], false],
  ['another cluster', { server: 'https://a.example.com', namespace: 'default' }, [{ server: HERE, namespace: '*' }], false],
  ['each cluster', { server: 'https://a.example.com', namespace: 'default' }, [{ server: '*', namespace: '*' }], true],
  ['its own cluster by the other name', { name: 'in-cluster', namespace: 'a' }, [{ server: HERE, namespace: 'a' }], true],
  ['a cluster by its name', { name: 'acme', namespace: 'a' }, [{ name: 'ac*', namespace: 'a' }], true],
  ['a name where addresses are permitted', { name: 'acme', namespace: 'a' }, [{ server: 'https://a.example.com', namespace: 'a' }], undefined],
  ['a name where addresses are permitted, in another namespace', { name: 'acme', namespace: 'b' }, [{ name: 'beta', namespace: 'a' }], false],
  ['a namespace that is refused', { server: HERE, namespace: 'kube-system' }, [{ server: '*', namespace: '!kube-system' }, { server: '*', namespace: '*' }], false],
  ['a namespace beside one that is refused', { server: HERE, namespace: 'a' }, [{ server: '*', namespace: '!kube-system' }], true],
  ['no namespace', { server: HERE }, [{ server: HERE, namespace: 'a' }], false],
])('a destination of %s', (_, destination, destinations, isPermitted) => {
  expect(permitsDestination(project({ destinations }), destinationOf(destination))).toBe(isPermitted);
});

test.each<[spec: Fields, isPermitted: boolean]>([
  [{}, false],
  [{ clusterResourceWhitelist: [{ group: '*', kind: '*' }] }, true],
  [{ clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }] }, true],
  [{ clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'team-*' }] }, true],
  [{ clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'other' }] }, false],
  [{ clusterResourceWhitelist: [{ group: '*', kind: '*' }], clusterResourceBlacklist: [{ group: '', kind: 'Namespace' }] }, false],
])('Namespaces with %j: %s', (spec, isPermitted) => {
  expect(permitsClusterKind(project(spec), '', 'Namespace', 'team-a')).toBe(isPermitted);
});

test.each<[patterns: readonly string[], isPermitted: boolean | undefined]>([
  [[], false], [['team-*'], true], [['other'], false], [['/team-[ab]/'], undefined],
])('Applications of team-a with %j: %s', (sourceNamespaces, isPermitted) => {
  expect(permitsNamespace(project({ sourceNamespaces }), 'team-a')).toBe(isPermitted);
});

testRules(PROJECT_RULES);

test('what extends a project takes its verdicts away', () => {
  const [failing] = PROJECT_RULES.map(({ example }) => example.failing);
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: own, namespace: argocd, labels: {argocd.argoproj.io/secret-type: repository}}\nstringData: {project: tenants, url: "https://a.example.com"}\n';
  const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {globalProjects: "[]"}\n';
  const of = (...beside: string[]) => findings(PROJECT_RULES, [failing, ...beside].join('---\n'));
  expect(of()).toHaveLength(1);
  expect([of(secret), of(settings), of(secret.replace('project: tenants', 'project: other'))]).toEqual([[], [], of()]);
});

test('fields that a generator fills in are not judged', () => {
  const template = 'spec: {project: tenants, destination: {name: "{{ .name }}", namespace: a}, source: {repoURL: "{{ .repo }}", path: a}}';
  const text = `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a, namespace: argocd}\nspec: {generators: [], template: {metadata: {name: a}, ${template}}}\n`;
  const [projectText] = PROJECT_RULES[0].example.corrected.split('---\n');
  expect(findings(PROJECT_RULES, `${projectText}---\n${text}`)).toEqual([]);
});
