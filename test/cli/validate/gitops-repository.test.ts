import * as fs from 'node:fs';
import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

const DEPLOYMENT = (spec: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: a}\nspec: ${spec}\n`;
const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';

async function validated(files: { readonly [file: string]: string }, ...options: string[]) {
  workplace.write(files);
  const { code, out, err } = await workplace.run(['validate', '--format', 'json', ...options, '.']);
  const report = JSON.parse(out) as {
    objects: number; findings: { rule: string; file: string; field: string }[]; notRead: { file: string }[]; unknownKinds: unknown[];
  };
  return { ...report, code, err, found: report.findings.map(({ rule, file, field }) => `${file} ${rule} ${field}`) };
}

describe('patches of kustomize', () => {
  test.each([
    ['patches', '[{path: patches/web.yaml}]'],
    ['patchesStrategicMerge', '[patches/web.yaml]'],
    ['patchesJson6902', '[{path: patches/web.yaml, target: {kind: Deployment, name: web}}]'],
  ])('named under %s need not be complete', async (field, names) => {
    const { code, objects } = await validated({
      'o/kustomization.yaml': `${KUSTOMIZATION}${field}: ${names}\n`, 'o/patches/web.yaml': DEPLOYMENT('{replicas: 2, strategy: null, template: {spec: {$patch: replace}}}'),
    });
    expect([code, objects]).toEqual([ExitCode.OK, 1]);
  });

  test('are looked for by the kind of an object, of any name', async () => {
    const { found } = await validated({ 'a.yaml': 'apiVersion: example.com/v1\nkind: "Web("\nmetadata: {name: a, ownerReferences: [{apiVersion: v1, kind: A, name: a}]}\n' });
    expect(found).toEqual(['a.yaml TC-ADMIT-FIELD-METADATA metadata.ownerReferences[0].uid']);
  });

  test('have fields that exist, of the right type, and of a value that is accepted', async () => {
    const { code, found } = await validated({
      'o/kustomization.yaml': `${KUSTOMIZATION}patches: [{path: ../p.yaml}]\n`, 'p.yaml': DEPLOYMENT('{replica: 2, replicas: two, strategy: {type: Slow}}'),
    });
    expect(code).toBe(ExitCode.FINDINGS);
    expect(found).toEqual(['UNKNOWN spec.replica', 'TYPE spec.replicas', 'VALUE spec.strategy.type'].map((finding) => `p.yaml TC-ADMIT-FIELD-${finding}`));
  });

  test('of a component, and lists of changes, are patches, too', async () => {
    const { code, notRead } = await validated({
      'c/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml}, {path: j.yaml, target: {kind: Deployment}}]\n',
      'c/p.yaml': DEPLOYMENT('{replicas: 2}'),
      'c/j.yaml': '- {op: add, path: /a, value: 1}\n',
    });
    expect(code).toBe(ExitCode.OK);
    expect(notRead.map(({ file }) => file)).toEqual(['c/kustomization.yaml']);
  });

  test('are told apart from resources of the same kind', async () => {
    const { found } = await validated({ 'o/kustomization.yaml': `${KUSTOMIZATION}resources: [p.yaml]\n`, 'o/p.yaml': DEPLOYMENT('{replicas: 2}') });
    expect(found).toEqual(['selector', 'template'].map((field) => `o/p.yaml TC-ADMIT-FIELD-REQUIRED spec.${field}`));
  });

  test('can be silenced, and have variables', async () => {
    const { code } = await validated({
      'o/kustomization.yaml': `${KUSTOMIZATION}patches: [{path: p.yaml}]\n`, 'o/p.yaml': DEPLOYMENT('{replica: 2, replicas: "${REPLICAS}"}'),
    }, '--silence', 'TC-ADMIT-FIELD-UNKNOWN=our build has it');
    expect(code).toBe(ExitCode.OK);
  });
});

test.each(['transformers', 'generators', 'validators', 'replacements', 'configurations'])('%s of kustomize are no objects', async (field) => {
  const { code, objects, notRead } = await validated({
    'o/kustomization.yaml': `${KUSTOMIZATION}${field}: [${field === 'replacements' ? '{path: t/x.yaml}' : 't'}]\n`,
    'o/t/x.yaml': 'apiVersion: example.com/v1\nkind: Namer\nmetadata: {name: not_important}\n',
  });
  expect([code, objects, notRead.map(({ file }) => file)]).toEqual([ExitCode.OK, 0, ['o/kustomization.yaml']]);
});

test('a kustomization may leave out what it is', async () => {
  const { code, notRead } = await validated({ 'a/kustomization.yaml': 'kind: Kustomization\nresources: [../b]\n', 'b/kustomization.yml': 'namespace: b\n' });
  expect([code, notRead.map(({ file }) => file)]).toEqual([ExitCode.OK, ['a/kustomization.yaml', 'b/kustomization.yml']]);
});

test('patches that no kustomization lists, and names of Namespaces that one writes, are no errors', async () => {
  expect(await validated({ 'c/kustomization.yaml': `${KUSTOMIZATION}resources: [a.yaml]\n`, 'c/a.yaml': `${SECRET}data: {}\n`, 'c/patches/p.yaml': DEPLOYMENT('{replicas: 2}') }))
    .toMatchObject({ code: ExitCode.OK, found: [] });
  const unnamed = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: _}\n';
  const component = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [n.yaml]\n';
  const files = { 'c/kustomization.yaml': `${KUSTOMIZATION}namespace: web\ncomponents: [../d]\n`, 'd/kustomization.yaml': component, 'd/n.yaml': unnamed };
  fs.rmSync(workplace.path('c'), { recursive: true });
  expect((await validated(files)).found).toEqual([]);
  expect((await validated({ ...files, 'c/kustomization.yaml': `${KUSTOMIZATION}components: [../d]\n` })).found).toEqual(['d/n.yaml TC-ADMIT-FIELD-METADATA metadata.name']);
});

test.each([
  ['without all that makes one', '{conversion: {strategy: None}}', ['VALIDATE-PART spec']],
  ['with a part of it', '{group: example.com, scope: Namespaced}', ['names', 'versions'].map((field) => `ADMIT-FIELD-REQUIRED spec.${field}`)],
])('a definition %s', async (_, spec, expected) => {
  const { found } = await validated({ 'a.yaml': `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: webs.example.com}\nspec: ${spec}\n` });
  expect(found).toEqual(expected.map((finding) => `a.yaml TC-${finding}`));
});

test('kustomize writes the namespace of a ServiceAccount into bindings', async () => {
  const binding = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: web}\n'
    + 'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: ServiceAccount, name: web}]\n';
  const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n';
  const lists = (...files: string[]) => ({ 'kustomization.yaml': `${KUSTOMIZATION}resources: [${files.join(', ')}]\n`, 'b.yaml': binding, 'a.yaml': account });
  const refused = ['b.yaml TC-ADMIT-KUBERNETES-RBAC-SUBJECT subjects[0].namespace'];
  expect((await validated(lists('a.yaml', 'b.yaml'))).found).toEqual([]);
  expect((await validated(lists('b.yaml'))).found).toEqual(refused);
});

test.each([
  ['Chainsaw', { 't/chainsaw-test.yaml': 'apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: a}\nspec: {steps: []}\n' }],
  ['kuttl', { 't/00-assert.yaml': DEPLOYMENT('{replicas: 2}') }],
])('steps of a test of %s are no objects', async (_, test) => {
  const { code, objects, found } = await validated({ ...test, 't/web.yaml': DEPLOYMENT('{replicas: ($replicas)}'), 'b/web.yaml': DEPLOYMENT('{}') });
  expect([code, objects, [...new Set(found.map((text) => text.split(' ')[0]))]]).toEqual([ExitCode.FINDINGS, 1, ['b/web.yaml']]);
});

test('notes with the same reason are one', async () => {
  workplace.write(Object.fromEntries(['a', 'b', 'c'].map((folder) => [`${folder}/kustomization.yaml`, `${KUSTOMIZATION}namespace: a\n`])));
  const { err } = await workplace.run(['validate', '.']);
  expect(err).toBe('note: a/kustomization.yaml:1: is input of kustomize, not built: neither kustomize nor kubectl is installed; and 2 more\n');
});

const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: a}\n';
const ENCRYPTED = '"ENC[AES256_GCM,data:xx,iv:yy,tag:zz,type:str]"';
const SOPS = 'sops: {mac: "ENC[AES256_GCM,data:a]", lastmodified: "2026-01-01T00:00:00Z", version: 3.9.0, age: []}\n';

test('what SOPS has encrypted is not judged, and everything else is', async () => {
  expect((await validated({ 's.yaml': `${SECRET}data: {a: ${ENCRYPTED}}\n${SOPS}` })).found).toEqual([]);
  expect((await validated({ 's.yaml': `${SECRET}immutable: ${ENCRYPTED}\ndata: {a: ${ENCRYPTED}, b: "!"}\nsop: {}\n${SOPS}` })).found)
    .toEqual(['s.yaml TC-ADMIT-FIELD-VALUE data.b', 's.yaml TC-ADMIT-FIELD-UNKNOWN sop']);
  expect((await validated({ 's.yaml': `${SECRET}data: {a: ${ENCRYPTED}}\n` })).found).toEqual(['s.yaml TC-ADMIT-FIELD-VALUE data.a']);
});

test('a SealedSecret is known, and its metadata is checked', async () => {
  const sealed = (name: string) => `apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: ${name}, namespace: a}\nspec: {encryptedData: {a: AgB}}\n`;
  expect(await validated({ 's.yaml': sealed('s') }, '--strict')).toMatchObject({ code: ExitCode.OK, unknownKinds: [] });
  expect((await validated({ 's.yaml': sealed('S') })).found).toEqual(['s.yaml TC-ADMIT-FIELD-METADATA metadata.name']);
});

test.each([
  ['eksctl.io/v1alpha5', 'ClusterConfig', '{name: a, region: eu-west-1}'],
  ['argoproj.io/v1alpha1', 'ConfigManagementPlugin', '{name: pluginName}'],
  ['builtin', 'NamespaceTransformer', '{name: notImportantHere}'],
])('a file that no server gets is left alone: %s %s', async (apiVersion, kind, metadata) => {
  expect(await validated({ 'a.yaml': `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${metadata}\n` }, '--strict')).toMatchObject({ code: ExitCode.OK, found: [], unknownKinds: [] });
});

test('fields of an ApplicationSet and an IPAddressPool are known', async () => {
  const set = 'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a, namespace: argocd}\nspec:\n  generators: [{git: {repoURL: https://example.com/a.git, revison: main}}]\n'
    + '  template: {metadata: {name: "{{path.basename}}"}, spec: {destination: {name: in-cluster}, source: {repoURL: https://example.com/a.git, path: "{{path}}"}}}\n';
  const pool = 'apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: a, namespace: metallb-system}\nspec: {adresses: [10.0.0.0/24]}\n';
  expect((await validated({ 'a.yaml': set, 'b.yaml': pool })).found).toEqual([
    'a.yaml TC-ADMIT-FIELD-UNKNOWN spec.generators[0].git.revison', 'a.yaml TC-ADMIT-FIELD-REQUIRED spec.generators[0].git.revision', 'a.yaml TC-ADMIT-FIELD-REQUIRED spec.template.spec.project',
    'b.yaml TC-ADMIT-FIELD-UNKNOWN spec.adresses', 'b.yaml TC-ADMIT-FIELD-REQUIRED spec.addresses',
  ]);
});

describe('a file that is no YAML, and no manifest as it stands', () => {
  test.each([
    ['a playbook with a manifest inside', '- name: join\n  copy:\n    content: |\n      apiVersion: v1\n      kind: Pod\nhandlers: []\n',
      'is no YAML: end of the stream or a document separator is expected'],
    ['a template of Go', 'apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Name }}}\n', 'is a template: read what it renders to'],
    ['a template of Jinja', 'apiVersion: v1\nkind: Pod\n{% if x %}\nmetadata:\n  name: a\n{% endif %}\n', 'is a template: read what it renders to'],
    ['a template in a list', 'a:\n  {{- range .b }}\n  - {{ . }}\n  {{- end }}\n', 'is a template: read what it renders to'],
    ['configuration with comments', '{\n  // a\n  "a": 1,\n}\n', 'is no YAML: '],
    ['a dashboard with a key twice', '{"panels": [], "panels": []}', 'is no YAML: duplicated mapping key'],
  ])('is a note, and with --strict an error: %s', async (_name, text, message) => {
    const files = { 'a.yaml': `${SECRET}data: {}\n`, 'b.json': text };
    const { code, found, notRead } = await validated(files);
    expect([code, found, notRead]).toEqual([ExitCode.OK, [], [expect.objectContaining({ file: 'b.json', message: expect.stringContaining(message) })]]);
    expect(await validated(files, '--strict')).toMatchObject({ code: ExitCode.FINDINGS, found: ['b.json TC-VALIDATE-OBJECT '] });
  });

  test('is read in time that grows with its size', async () => {
    const { found } = await validated({ 'a.yaml': `a: [\n${'\n'.repeat(500_000)}b`, 'b.yaml': `a: [${'{{'.repeat(500_000)}` });
    expect(found).toEqual([]);
  });

  test('is an error where it is a manifest with text of a template in a string, or is named', async () => {
    const proxy = 'apiVersion: v1\nkind: A\nkind: A\nmetadata: {name: a}\nspec:\n  valuesTemplate: |\n    {{ if .a }}\n    b: {{ .b }}\n    {{ end }}\n';
    expect((await validated({ 'a.yaml': proxy })).found).toEqual(['a.yaml TC-VALIDATE-FILE ']);
    workplace.write({ 'b.yaml': '{{ .a }}: {{ .b }}\n' });
    expect((await workplace.run(['validate', 'b.yaml'])).code).toBe(ExitCode.FAILED);
  });

  test('may hold what others refer to, if it is a template of objects', async () => {
    const cluster = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: a, namespace: t}\nspec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: a}}\n';
    const beside = 'apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlaneTemplate\nmetadata: {name: b, namespace: t}\n';
    const template = 'apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlane\nmetadata:\n  name: {{ .Name }}\n';
    const missing = 'c.yaml TC-TRAP-REF-CLUSTER-PART spec.controlPlaneRef';
    expect((await validated({ 'c.yaml': cluster, 'd.yaml': beside, 'e.yaml': 'a: {{ .b }}\n' })).found).toContain(missing);
    expect((await validated({ 'e.yaml': template })).found).not.toContain(missing);
  });
});

describe('fields that are written before anything is applied', () => {
  const CHILD = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: a}\nspec: {interval: 1h, path: ./web, prune: true}\n';
  const ENTRY = (patch: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: entry, namespace: a}
spec:
  interval: 1h
  path: ./apps
  prune: true
  sourceRef: {kind: GitRepository, name: a}
  patches: [{patch: ${JSON.stringify(patch)}, target: {kind: Kustomization}}]
`;
  const missing = 'apps/b/web.yaml TC-ADMIT-FIELD-REQUIRED spec.sourceRef';

  test('may be missing where a delivery patches objects of the kind', async () => {
    const files = { 'apps/b/web.yaml': CHILD, 'apps/kustomization.yaml': `${KUSTOMIZATION}resources: [b/web.yaml, https://example.com/a.yaml]\n` };
    const patch = 'kind: Kustomization\nmetadata: {name: any}\nspec: {sourceRef: {kind: GitRepository, name: a}}\n';
    expect((await validated({ ...files, 'entry.yaml': ENTRY(patch).replace('target: {kind: Kustomization}', 'target: {}') })).found).not.toContain(missing);
    expect((await validated({ 'entry.yaml': ENTRY(patch).replace('  sourceRef: {kind: GitRepository, name: a}\n', '') })).found).toContain('entry.yaml TC-ADMIT-FIELD-REQUIRED spec.sourceRef');
    expect((await validated({ 'entry.yaml': ENTRY('kind: HelmRelease\n').replace('{kind: Kustomization}', '{kind: HelmRelease}') })).found).toContain(missing);
  });

  test('may be missing where patches that are not built may add them, and have any value where one replaces them', async () => {
    const component = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [p.yaml, s.yaml]\n';
    const files = {
      'c/p.yaml': DEPLOYMENT('{replicas: 2}'), 'c/s.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: a}\ndata: {key: _replaced_}\n',
    };
    const replacement = 'replacements: [{source: {kind: ConfigMap, name: v, fieldPath: data.a}, targets: [{select: {kind: Secret}, fieldPaths: [data.key]}]}]\n';
    expect((await validated({ ...files, 'c/kustomization.yaml': component + replacement })).found).toEqual([]);
    expect((await validated({ 'c/kustomization.yaml': component })).found).toHaveLength(3);
  });
});

describe('a file of another program', () => {
  test.each<[string, string, string]>([
    ['Talos', 't.yaml', 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n'],
    ['clusterctl', 'metadata.yaml', 'apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nreleaseSeries: [{major: 0, minor: 1, contract: v1beta1}]\n'],
    ['kind', 'kind.yaml', 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{role: control-plane}]\n'],
    ['k3d', 'k3d.yaml', 'apiVersion: k3d.io/v1alpha5\nkind: Simple\nmetadata: {name: a}\nservers: 1\n'],
    ['Score', 'score.yaml', 'apiVersion: score.dev/v1b1\nmetadata: {name: a}\ncontainers: {}\n'],
    ['Backstage', 't.yaml', 'apiVersion: scaffolder.backstage.io/v1beta3\nkind: Template\nmetadata: {name: a, title: A}\nspec: {}\n'],
    ['Skaffold', 'skaffold.yaml', 'apiVersion: skaffold/v4beta11\nkind: Config\nbuild: {}\n'],
    ['Docker Compose', 'compose.yaml', 'services: {web: {image: nginx}}\n'],
    ['a workflow of GitHub', 'w.yml', 'on: [push]\njobs: {a: {runs-on: ubuntu-latest, steps: []}}\n'],
    ['an action of GitHub', 'action.yml', 'name: a\nruns: {using: composite, steps: []}\n'],
    ['the index of a Helm repository', 'index.yaml', 'apiVersion: v1\nentries: {}\n'],
    ['kube-state-metrics', 'm.yaml', 'kind: CustomResourceStateMetrics\nspec: {resources: []}\n'],
    ['helmfile', 'helmfile.yaml', 'releases: [{name: a, chart: b}]\n'],
    ['a kubeconfig', 'k.yaml', 'apiVersion: v1\nkind: Config\ncontexts: []\n'],
    ['local configuration of kustomize', 'v.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: "true"}}\ndata: {a: {b: 1}}\n'],
    ['a Taskfile', 'Taskfile.yaml', 'version: "3"\ntasks: {}\n'],
    ['a JSON schema', 'values.schema.json', '{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}'],
  ])('is named, and no error, not even with --strict: %s', async (name, file, text) => {
    const { code, objects, found, notRead } = await validated({ [file]: text }, '--strict');
    expect([code, objects, found]).toEqual([ExitCode.OK, 0, []]);
    expect(notRead).toEqual([expect.objectContaining({ file, message: expect.stringMatching(`^is not a manifest but .*${name}$`) })]);
  });

  test.each<[string, string, string]>([
    ['Chart.yaml', 'apiVersion: v2\nname: a\nversion: 0.1.0\n', 'is not a manifest but a chart: read what "helm template" gives for it'],
    ['prod/values-eu.yaml', 'replicas: 2\n', 'is not a manifest but values of a chart'],
    ['values/acme.yaml', 'replicas: 2\n', 'is not a manifest but values of a chart'],
    ['suite.yaml', 'apiVersion: apiextensions.k8s.io/v1\nname: a\ntests: []\n', 'has apiVersion "apiextensions.k8s.io/v1" and no kind: it is no manifest'],
    ['settings.yaml', 'version: "3"\nplaces: {}\n', 'is no manifest: it has no apiVersion and kind'],
  ])('that may stand for objects is named, too: %s', async (file, text, message) => {
    const notRead = [{ file, message: expect.stringContaining(message) as string }];
    expect(await validated({ [file]: text })).toMatchObject({ code: ExitCode.OK, found: [], notRead });
  });

  test('is told from an object with a mistake in its group', async () => {
    const { found } = await validated({ 'a.yaml': DEPLOYMENT('{}').replace('apps/v1', 'v1beta1'), 'b.yaml': 'apiVersion: v1\nmetadata: {name: a}\ndata: {}\n' });
    expect(found).toEqual(['a.yaml TC-ADMIT-KIND apiVersion', 'b.yaml TC-VALIDATE-OBJECT ']);
  });
});

test('text of a template in a chart is no object, even where it is YAML', async () => {
  const { code, objects, notRead } = await validated({
    'c/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 0.1.0\n',
    'c/templates/a.yaml': DEPLOYMENT('{}').replace('name: web', 'name: "{{ .Release.Name }}"'),
    'c/files/b.yaml': '{{ if .a }}\n',
    'c/crds/c.yaml': `${SECRET}data: {}\n`,
  });
  expect([code, objects]).toEqual([ExitCode.OK, 1]);
  expect(notRead.map(({ file }) => file).sort()).toEqual(['c/Chart.yaml', 'c/files/b.yaml', 'c/templates/a.yaml']);
});

test('variables of clusterctl may stand where YAML has no place for braces', async () => {
  const { code, objects, found } = await validated({ 'a.yaml': `${SECRET}data: {}\n---\n${SECRET.replace('name: s', 'name: t')}data: {}\nx: [\${KEYS}, \${ MORE }]\n` });
  expect([code, objects, found]).toEqual([ExitCode.OK, 2, ['a.yaml TC-VALIDATE-VARIABLES x[0]']]);
});

const CLASS = 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: a\n';

describe('a file that cannot be read', () => {
  const BROKEN = 'apiVersion: v1\nkind: A\nkind: B\n';

  test('takes no verdict away from the others', async () => {
    expect(await validated({ 'a.yaml': DEPLOYMENT('{}'), 'b/x.yaml': BROKEN })).toMatchObject({
      code: ExitCode.FAILED,
      found: [...['selector', 'template'].map((field) => `a.yaml TC-ADMIT-FIELD-REQUIRED spec.${field}`), 'b/x.yaml TC-VALIDATE-FILE '],
    });
    const { code, out } = await workplace.run(['validate', '--format', 'sarif', 'b/x.yaml']);
    expect(code).toBe(ExitCode.FAILED);
    expect(out).toContain('"text": "is no YAML: duplicated mapping key');
    expect((await workplace.run(['validate', '.'])).out).toContain('b/x.yaml\n     3  error    TC-VALIDATE-FILE\n                 is no YAML: duplicated mapping key.\n');
  });

  test('may hold what others refer to', async () => {
    const cluster = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: a, namespace: t}\n'
      + 'spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: a}}\n';
    const beside = 'apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlaneTemplate\nmetadata: {name: b, namespace: t}\n';
    expect((await validated({ 'c.yaml': cluster, 'd.yaml': beside })).found).toContain('c.yaml TC-TRAP-REF-CLUSTER-PART spec.controlPlaneRef');
    expect((await validated({ 'x.yaml': BROKEN })).found).toEqual(['x.yaml TC-VALIDATE-FILE ']);
  });

  test('removes nothing where states are compared, and is an error where it is named and missing', async () => {
    workplace.write({ 'old/a.yaml': CLASS, 'new/a.yaml': BROKEN, 'new/b.yaml': DEPLOYMENT('{}') });
    const { code, out } = await workplace.run(['validate', '--against', 'old', 'new']);
    expect(code).toBe(ExitCode.FAILED);
    expect(out).toContain('new/a.yaml\n     3  error    TC-VALIDATE-FILE');
    expect(out).not.toContain('TC-CHANGE');
    fs.rmSync(workplace.path('new/a.yaml'));
    expect((await workplace.run(['validate', '--against', 'old', 'new'])).out).toContain('TC-CHANGE-STORAGE-CLASS-REMOVED');
    expect(await workplace.run(['validate', 'missing.yaml'])).toMatchObject({ code: ExitCode.FAILED, out: '' });
  });

  test('is no error behind a link to a folder', async () => {
    workplace.write({ 'd/a.yaml': DEPLOYMENT('{}') });
    fs.symlinkSync('nowhere', workplace.path('d/b'));
    const { found, notRead } = await validated({});
    expect([found.filter((finding) => finding.includes('VALIDATE')), notRead.map(({ file }) => file)]).toEqual([[], ['d/b']]);
  });

  test('is found in folders by its link, too', async () => {
    workplace.write({ 'd/a.yaml': DEPLOYMENT('{}') });
    fs.symlinkSync('nowhere.yaml', workplace.path('d/b.yaml'));
    expect((await validated({})).found).toContain('d/b.yaml TC-VALIDATE-FILE ');
  });
});

test('a folder that is delivered to a tenant is found from the top of the work tree', async () => {
  const cluster = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: tenants}\nspec: {}\n';
  workplace.write({
    'repo/.git/HEAD': '',
    'repo/teams/acme/here/all.yaml': `${cluster}---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: acme-workloads, namespace: tenants}
spec: {path: ./teams/acme/there, prune: true, interval: 5m, sourceRef: {kind: GitRepository, name: fleet}, kubeConfig: {secretRef: {name: acme-kubeconfig}}}
`,
    'repo/teams/acme/there/all.yaml': cluster,
  });
  const rules = async (folder: string) => {
    const { out } = await workplace.run(['validate', '--format', 'json', folder]);
    return (JSON.parse(out) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule);
  };
  expect(await rules('repo/teams/acme')).not.toContain('TC-TRAP-REF-DUPLICATE');
  fs.rmSync(workplace.path('repo/.git'), { recursive: true });
  fs.renameSync(workplace.path('repo/teams/acme'), workplace.path('elsewhere'));
  expect(await rules('elsewhere')).toContain('TC-TRAP-REF-DUPLICATE');
});
