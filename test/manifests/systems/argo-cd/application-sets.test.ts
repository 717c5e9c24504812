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
  ['elements in a text', [{ list: { elements: [], elementsYaml: '[]' } }], '{{ .name }}', undefined],
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
  ['a function', [LIST], '{{ .name | upper }}', undefined],
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
