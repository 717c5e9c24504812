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

test('notes with the same reason are one', async () => {
  workplace.write(Object.fromEntries(['a', 'b', 'c'].map((folder) => [`${folder}/kustomization.yaml`, `${KUSTOMIZATION}namespace: a\n`])));
  const { err } = await workplace.run(['validate', '.']);
  expect(err).toBe('note: a/kustomization.yaml:1: is input of kustomize: read what "kustomize build" gives for this folder; and 2 more\n');
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

describe('a file that cannot be read', () => {
  const BROKEN = 'kind: A\nkind: B\n';

  test('takes no verdict away from the others', async () => {
    expect(await validated({ 'a.yaml': DEPLOYMENT('{}'), 'b/x.yaml': BROKEN })).toMatchObject({
      code: ExitCode.FAILED,
      found: [...['selector', 'template'].map((field) => `a.yaml TC-ADMIT-FIELD-REQUIRED spec.${field}`), 'b/x.yaml TC-VALIDATE-FILE '],
    });
    const { code, out } = await workplace.run(['validate', '--format', 'sarif', 'b/x.yaml']);
    expect(code).toBe(ExitCode.FAILED);
    expect(out).toContain('"text": "is no YAML: duplicated mapping key');
    expect((await workplace.run(['validate', '.'])).out).toContain('b/x.yaml\n     2  error    TC-VALIDATE-FILE\n                 is no YAML: duplicated mapping key.\n');
  });

  test('may hold what others refer to', async () => {
    const cluster = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: a, namespace: t}\n'
      + 'spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: a}}\n';
    const beside = 'apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlaneTemplate\nmetadata: {name: b, namespace: t}\n';
    expect((await validated({ 'c.yaml': cluster, 'd.yaml': beside })).found).toContain('c.yaml TC-TRAP-REF-CLUSTER-PART spec.controlPlaneRef');
    expect((await validated({ 'x.yaml': BROKEN })).found).toEqual(['x.yaml TC-VALIDATE-FILE ']);
  });

  test('is an error by itself where states are compared, or where it is named and missing', async () => {
    workplace.write({ 'old/a.yaml': DEPLOYMENT('{}'), 'new/a.yaml': BROKEN });
    for (const args of [['--against', 'old', 'new'], ['--against', 'new', 'old'], ['missing.yaml']]) {
      expect(await workplace.run(['validate', ...args])).toMatchObject({ code: ExitCode.FAILED, out: '' });
    }
  });

  test('is found in folders by its link, too', async () => {
    workplace.write({ 'd/a.yaml': DEPLOYMENT('{}') });
    fs.symlinkSync('nowhere.yaml', workplace.path('d/b.yaml'));
    expect((await validated({})).found).toContain('d/b.yaml TC-VALIDATE-FILE ');
  });
});
