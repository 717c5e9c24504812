import { pluginConfiguration } from '../../../src/manifests/landscape/kustomize-plugins';

const NAMESPACE = 'apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {name: ns, namespace: eu}\n';

function configurationOf(
  entries: readonly unknown[], files: { readonly [file: string]: string } = {}, lists: { readonly [folder: string]: readonly string[] } = {},
) {
  return pluginConfiguration('transformers', entries, 'prod', (at) => (
    lists[at] ? { kustomization: { resources: lists[at] } } : at in files ? { bytes: Buffer.from(files[at]) } : undefined));
}

const REFUSED = 'transformers of a kustomization are not run';

// kubernetes-sigs/kustomize api/internal/plugins/builtinhelpers/builtins.go.
test('transformers of kustomize are read from the kustomization itself, files and folders, in the order of kustomize', () => {
  const files = { 'prod/patch.yaml': 'apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\npath: a.yaml\n', 'common/ns.yaml': NAMESPACE };
  expect(configurationOf(['patch.yaml', '../common/', NAMESPACE], files, { common: ['ns.yaml'] })).toEqual({
    inline: [expect.stringContaining('NamespaceTransformer'), expect.stringContaining('PatchTransformer'), expect.stringContaining('NamespaceTransformer')],
    files: ['prod/patch.yaml', 'common/kustomization.yaml', 'common/ns.yaml'],
    names: ['a.yaml'],
  });
});

test('files that they name are found', () => {
  const files = {
    'prod/generator.yaml': 'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: [b=c.txt, d.txt]\nenv: e.env\n',
    'prod/value.yaml': 'apiVersion: builtin\nkind: ValueAddTransformer\nmetadata: {name: a}\nvalue: eu\ntargetFilePath: g.yaml\n',
    'prod/replacements.yaml': 'apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: a}\nreplacements: [{path: f.yaml}, {source: {kind: ConfigMap}}]\n',
  };
  expect(configurationOf(['generator.yaml', 'replacements.yaml', 'value.yaml'], files)).toMatchObject({ names: ['c.txt', 'd.txt', 'e.env', 'f.yaml', 'g.yaml'] });
});

test.each([
  ['a function', `${NAMESPACE}`.replace('name: ns', 'name: ns, annotations: {config.kubernetes.io/function: "exec: {path: ./x}"}')],
  ['a program', NAMESPACE.replace('builtin', 'example.com/v1')],
  ['a chart', NAMESPACE.replace('NamespaceTransformer', 'HelmChartInflationGenerator')],
  ['a field that only kustomize takes for a path', 'apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\nPath: /etc/passwd\n'],
  ['no configuration', '- a\n- b\n'],
])('%s is not run, and nothing else either', (_, text) => {
  expect(configurationOf([text])).toBe(REFUSED);
  expect(configurationOf(['a.yaml', NAMESPACE], { 'prod/a.yaml': text })).toBe(REFUSED);
});

test('what is not there, and a folder whose kustomization does more than list, are not run', () => {
  expect(configurationOf(['a.yaml'])).toBe(REFUSED);
  expect(pluginConfiguration('generators', ['common'], 'prod', () => ({ kustomization: { resources: [], namePrefix: 'a-' } }))).toBe('generators of a kustomization are not run');
  expect(configurationOf(['a'], {}, { 'prod/a': ['.'] })).toBe(REFUSED);
});

test('a folder that is listed again and again is not gone through again and again', () => {
  const many = Array.from({ length: 1000 }, () => 'sub');
  expect(configurationOf(['a'], {}, { 'prod/a': many, 'prod/a/sub': many, 'prod/a/sub/sub': many })).toBe(REFUSED);
  expect(configurationOf(['ns.yaml', 'ns.yaml'], { 'prod/ns.yaml': NAMESPACE })).toBe(REFUSED);
});
