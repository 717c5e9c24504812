import { ManifestObject, nameOf } from '../../../../src/manifests/objects/manifest-object';
import { RepositoryFiles } from '../../../../src/manifests/rules/repository-files';
import { madeApplications } from '../../../../src/manifests/systems/argo-cd/application-sets';
import { Fields } from '../../../../src/manifests/values/fields';

const CONFIGURATIONS: { readonly [file: string]: unknown } = {
  'config/acme.yaml': { name: 'acme', ring: { name: 'canary' } }, 'config/beta.yaml': { name: 'beta', ring: { name: 'rest' } }, 'config/more/deep.json': [{ name: 'x' }, { name: 'y' }],
};
const FILES: RepositoryFiles = {
  places: [],
  folders: new Set(['tenants', 'tenants/acme', 'tenants/acme/pools', 'tenants/beta', 'tenants/.hidden', 'config', 'config/more']),
  others: new Set(Object.keys(CONFIGURATIONS)),
  contentOf: (file) => [CONFIGURATIONS[file]],
};
const LIST = { list: { elements: [{ name: 'acme', ring: 'a' }, { name: 'beta', ring: 'b' }] } };
const directories = (...paths: readonly Fields[]): Fields => ({ git: { repoURL: 'https://git.example.com/x', revision: 'HEAD', directories: paths } });
const files = (path: string): Fields => ({ git: { repoURL: 'https://git.example.com/x', revision: 'HEAD', files: [{ path }] } });

function made(generators: readonly Fields[], name: string, spec: Fields = {}): readonly string[] | undefined {
  const template = { metadata: { name }, spec: { source: { path: 'x' } } };
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'x', namespace: 'argocd' }, spec: { goTemplate: true, generators, template, ...spec } };
  return madeApplications(set as ManifestObject, FILES)?.map((application) => nameOf(application)!);
}

test.each<[what: string, generators: readonly Fields[], name: string, made: readonly string[] | undefined]>([
  ['elements', [LIST], '{{ .name }}', ['acme', 'beta']],
  ['elements that are selected', [{ ...LIST, selector: { matchLabels: { ring: 'b' } } }], '{{ .name }}', ['beta']],
  ['no elements', [{ list: { elements: [] } }], '{{ .name }}', []],
  ['elements in a text', [{ list: { elements: [{ name: 'acme' }], elementsYaml: '[{name: beta}]' } }], '{{ .name }}', ['acme', 'beta']],
  ['elements in a text that is no list', [{ list: { elementsYaml: 'name: beta' } }], '{{ .name }}', undefined],
  ['folders', [directories({ path: 'tenants/*' })], '{{ .path.basename }}', ['acme', 'beta']],
  ['folders but one', [directories({ path: 'tenants/*' }, { path: 'tenants/beta', exclude: true })], '{{ .path.basename }}', ['acme']],
  ['no folder that is left', [directories({ path: 'tenants/*' }, { path: 'tenants/*', exclude: true })], '{{ .path.basename }}', []],
  ['folders that are not there', [directories({ path: 'clusters/*' })], '{{ .path.basename }}', undefined],
  ['folders by a pattern that is not read', [directories({ path: 'tenants/[ab]*' })], '{{ .path.basename }}', undefined],
  ['files', [files('config/*.yaml')], '{{ .name }}-{{ .ring.name }}-{{ .path.filename }}', ['acme-canary-acme.yaml', 'beta-rest-beta.yaml']],
  ['files with lists, below folders', [files('config/**/*.json')], '{{ .name }}', ['x', 'y']],
  ['folders for each element', [{ matrix: { generators: [{ list: { elements: [{ env: 'prod' }] } }, directories({ path: 'tenants/*' })] } }], '{{ .env }}-{{ .path.basename }}', ['prod-acme', 'prod-beta']],
  ['elements with those of another generator', [{ merge: { mergeKeys: ['name'], generators: [LIST, { list: { elements: [{ name: 'beta', ring: 'c' }] } }] } }], '{{ .name }}-{{ .ring }}', ['acme-a', 'beta-c']],
  ['clusters', [{ clusters: {} }], '{{ .name }}', undefined],
  ['functions', [LIST], '{{ .name | upper }}-{{ dig "zone" "none" . }}-{{ index . "ring" }}-{{ normalize "A_B" }}', ['ACME-none-a-a-b', 'BETA-none-b-a-b']],
  ['a function whose result is not known', [LIST], '{{ randAlpha 3 }}', undefined],
  ['computed values', [{ git: { ...directories({ path: 'tenants/*' }).git as Fields, values: { tenant: 't-{{ .path.basename }}' } } }], '{{ .values.tenant }}', ['t-acme', 't-beta']],
  ['folders that another generator names', [{ matrix: { generators: [LIST, directories({ path: 'tenants/{{ .name }}' })] } }], '{{ .ring }}-{{ .path.basename }}', ['a-acme', 'b-beta']],
  ['values of both generators', [{ matrix: { generators: [LIST, { git: { ...files('config/{{ .name }}.yaml').git as Fields, values: { a: '{{ .ring }}', b: '{{ .path.filename }}' } } }] } }], '{{ .values.a }}-{{ .values.b }}', ['a-acme.yaml', 'b-beta.yaml']],
  ['folders with a prefix', [{ git: { ...directories({ path: 'tenants/*' }).git as Fields, pathParamPrefix: 'own' } }], '{{ .own.path.basename }}', ['acme', 'beta']],
  ['a template of the generator', [{ list: { elements: [{ name: 'acme' }], template: { metadata: { name: 'x' } } } }], '{{ .name }}', undefined],
])('Applications of %s', (_, generators, name, expected) => {
  expect(made(generators, name)).toEqual(expected);
});

test('names of paths without Go templates', () => {
  expect(made([directories({ path: 'tenants/acme' })], '{{path}} {{path.basename}} {{path[0]}}', { goTemplate: false })).toEqual(['tenants/acme acme tenants']);
});

test('more Applications than one set can have are not known', () => {
  const many = { list: { elements: Array.from({ length: 200 }, (_, index) => ({ name: `a${index}` })) } };
  expect(made([{ matrix: { generators: [many, many] } }], '{{ .name }}')).toBeUndefined();
});

test('folders are not known without the files of the repository', () => {
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'x' }, spec: { generators: [directories({ path: '*' })], template: {} } };
  expect(madeApplications(set as ManifestObject)).toBeUndefined();
});

test.each<[what: string, places: readonly string[], pattern: string, paths: readonly string[] | undefined]>([
  ['the folder that was read is below the top', ['fleet/prod'], 'fleet/prod/tenants/*', ['fleet/prod/tenants/acme', 'fleet/prod/tenants/beta']],
  ['it is one of the folders', ['fleet/prod'], 'fleet/*', ['fleet/prod']],
  ['it is written for the top of another repository', ['dist/prod', 'prod'], 'tenants/*', ['tenants/acme', 'tenants/beta']],
  ['none of its places matches', ['fleet/prod'], 'other/*', undefined],
])('folders by their paths in the repository, where %s', (_, places, pattern, paths) => {
  const template = { metadata: { name: '{{ .path.path }}' }, spec: { source: { path: 'x' } } };
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'x' }, spec: { goTemplate: true, generators: [directories({ path: pattern })], template } };
  expect(madeApplications(set as ManifestObject, { ...FILES, places })?.map((application) => nameOf(application))).toEqual(paths);
});

test('files by their paths in the repository have the content of those that were read', () => {
  const template = { metadata: { name: '{{ .name }} {{ .path.path }}' }, spec: {} };
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'x' }, spec: { goTemplate: true, generators: [files('fleet/config/*.yaml')], template } };
  expect(madeApplications(set as ManifestObject, { ...FILES, places: ['fleet'] })?.map((application) => nameOf(application))).toEqual(['acme fleet/config', 'beta fleet/config']);
});

test('a field that is missing is a fault if the options say so, and no value otherwise', () => {
  expect(made([LIST], '{{ .zone }}x', { goTemplateOptions: ['missingkey=error'] })).toBeUndefined();
  expect(made([LIST], '{{ .zone }}x')).toEqual(['<no value>x', '<no value>x']);
});

test('values without Go templates', () => {
  const generator = { git: { ...directories({ path: 'tenants/acme' }).git as Fields, values: { tenant: 't-{{path.basename}}' } } };
  expect(made([generator], '{{values.tenant}}', { goTemplate: false })).toEqual(['t-acme']);
});

test('a patch of the template for each element', () => {
  const patch = 'metadata:\n  finalizers: [keep]\nspec:\n  project: other\n  syncPolicy:\n    automated:\n      prune: {{ ne .name "beta" }}\n';
  const template = { metadata: { name: '{{ .name }}' }, spec: { project: 'own', syncPolicy: { automated: { selfHeal: true } } } };
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'x', namespace: 'argocd' }, spec: { goTemplate: true, generators: [LIST], template, templatePatch: patch } };
  expect(madeApplications(set as ManifestObject)).toMatchObject([
    { metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io', 'keep'] }, spec: { project: 'own', syncPolicy: { automated: { selfHeal: true, prune: true } } } },
    { metadata: { name: 'beta' }, spec: { syncPolicy: { automated: { prune: false } } } },
  ]);
  expect(madeApplications({ ...set, spec: { ...set.spec, templatePatch: 'spec: {sources: [{$patch: delete}]}' } } as ManifestObject)).toBeUndefined();
});

test('finalizers and annotations of the template stay', () => {
  const template = { metadata: { name: 'x', finalizers: ['resources-finalizer.argocd.argoproj.io/background'], annotations: { team: 'a' } }, spec: {} };
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'x', namespace: 'argocd' }, spec: { generators: [LIST], template, syncPolicy: { applicationsSync: 'create-only' } } };
  expect(madeApplications(set as ManifestObject)?.[0].metadata).toMatchObject({
    finalizers: ['resources-finalizer.argocd.argoproj.io/background'], annotations: { 'team': 'a', 'argocd.argoproj.io/sync-options': 'Prune=false' },
  });
});

describe('hostile generators and templates end', () => {
  const list = (name: string, count: number): Fields => (
    { list: { elements: Array.from({ length: count }, (_, index) => ({ [name]: String(index) })) } });
  const nested = (innermost: Fields, levels: number): Fields => (
    Array.from({ length: levels }).reduce<Fields>((inner) => ({ matrix: { generators: [list('a', 2), inner] } }), innermost));

  test.each<[what: string, generators: readonly Fields[], name: string]>([
    ['three long lists', [{ matrix: { generators: [list('a', 100), { matrix: { generators: [list('b', 100), list('c', 100)] } }] } }], '{{ .a }}'],
    ['generators in generators, without elements', [nested(list('b', 0), 40)], '{{ .a }}'],
    ['many generators', Array.from({ length: 300 }, () => ({ matrix: { generators: [list('a', 100), list('b', 99)] } })), '{{ .a }}'],
    ['long loops for each element', [list('a', 10_000)], '{{ range until 9000 }}{{ $x := 1 }}{{ end }}{{ .a }}'],
    ['long texts of each element', [list('a', 10_000)], '{{ repeat 100000 "x" }}'],
    ['the environment', [list('a', 1)], '{{ env "HOME" }}'],
  ])('%s', (_, generators, name) => {
    expect(made(generators, name)).toBeUndefined();
  });

  test('all elements of two lists are computed', () => {
    expect(made([{ matrix: { generators: [list('a', 100), list('b', 100)] } }], '{{ .a }}-{{ .b }}')).toHaveLength(10_000);
  });
});
