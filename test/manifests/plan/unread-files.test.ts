import * as fs from 'node:fs';
import { CLUSTER, controlPlane, newPool } from './foreign-objects';
import { Workplace } from '../../cli/run';
import { GitRepository } from '../../support/git-repository';

let workplace: Workplace;

beforeEach(() => {
  workplace = new Workplace();
});

afterEach(() => workplace.remove());

/** Files with their texts. */
type Files = { readonly [file: string]: string };

const ACME = [CLUSTER, controlPlane(), newPool()].map((object) => JSON.stringify(object)).join('\n---\n');
const text = (value: unknown): string => JSON.stringify(value);
const NOTHING = 'Nothing changes.\n';

/** The plan when files take the place of others. */
async function planned(before: Files, after: Files, ...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  for (const folder of ['old', 'new']) fs.rmSync(workplace.path(folder), { recursive: true, force: true });
  for (const [folder, files] of [['old', before], ['new', after]] as const) {
    workplace.write(Object.fromEntries(Object.entries(files).map(([file, content]) => [`${folder}/${file}`, content])));
  }
  return workplace.run(['plan', '--no-build', '--exit-code', ...args, 'old', 'new']);
}

const overlay = (more: object) => ({ 'base/all.yaml': ACME, 'base/kustomization.yaml': text({ resources: ['all.yaml'] }), 'prod/kustomization.yaml': text({ resources: ['../base'], ...more }) });

const APPLICATION = text({
  apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'a', namespace: 'argocd' }, spec: { source: { repoURL: 'https://git.example.com/a', path: 'charts/a' } },
});

test.each<[what: string, before: Files, after: Files, line: string]>([
  ['a prefix of kustomize', overlay({ namePrefix: 'a-' }), overlay({ namePrefix: 'b-' }), 'changed, not read: prod/kustomization.yaml: input of kustomize: namePrefix'],
  ['an inline patch', overlay({ patches: [{ patch: 'a' }] }), overlay({ patches: [{ patch: 'b' }] }), 'changed, not read: prod/kustomization.yaml: input of kustomize: patches[0].patch'],
  ['images', overlay({}), overlay({ images: [{ name: 'a', newTag: '2' }] }), 'changed, not read: prod/kustomization.yaml: input of kustomize: images'],
  [
    'a patch in a file', { ...overlay({ patches: [{ path: 'patch.yaml' }] }), 'prod/patch.yaml': text(newPool({}, { replicas: 5 })) },
    { ...overlay({ patches: [{ path: 'patch.yaml' }] }), 'prod/patch.yaml': text(newPool({}, { replicas: 1 })) },
    'changed, not read: prod/patch.yaml: patch of kustomize: spec.replicas',
  ],
  ['values of a chart', { 'values.yaml': 'machineCount: 3' }, { 'values.yaml': 'machineCount: 1' }, 'changed, not read: values.yaml: values of a chart: machineCount'],
  ['YAML of another kind', { 'settings/acme.yaml': 'a: 1' }, { 'settings/acme.yaml': 'a: 2' }, 'changed, not read: settings/acme.yaml: no manifest: a'],
  [
    'a file of tooling that a generator reads', { ...overlay({ configMapGenerator: [{ name: 'a', files: ['renovate.json'] }] }), 'prod/renovate.json': '{"a": 1}' },
    { ...overlay({ configMapGenerator: [{ name: 'a', files: ['renovate.json'] }] }), 'prod/renovate.json': '{"a": 2}' },
    'changed, not read: prod/renovate.json: configuration of Renovate: a',
  ],
  ['values with a version and tasks', { 'prod.yaml': 'version: 1\ntasks: {a: 1}' }, { 'prod.yaml': 'version: 1\ntasks: {a: 2}' }, 'changed, not read: prod.yaml: no manifest: tasks.a'],
  ['values with services', { 'prod.yaml': 'services: {a: {image: "a:1"}}' }, { 'prod.yaml': 'services: {a: {image: "a:2"}}' }, 'changed, not read: prod.yaml: a file of Docker Compose: services.a.image'],
  ['values with jobs', { 'prod.yaml': 'on: true\njobs: {a: {size: 1}}' }, { 'prod.yaml': 'on: true\njobs: {a: {size: 2}}' }, 'changed, not read: prod.yaml: no manifest: jobs.a.size'],
  ['a new file of values', {}, { 'values.yaml': 'a: 1' }, 'created, not read: values.yaml: values of a chart'],
  ['values that are gone', { 'values.yaml': 'a: 1' }, {}, 'removed, not read: values.yaml: values of a chart'],
  [
    'a file of a generator', { ...overlay({ configMapGenerator: [{ name: 'a', files: ['a.cfg=haproxy.cfg'] }] }), 'prod/haproxy.cfg': 'a' },
    { ...overlay({ configMapGenerator: [{ name: 'a', files: ['a.cfg=haproxy.cfg'] }] }), 'prod/haproxy.cfg': 'b' },
    'changed, not read: prod/haproxy.cfg: input of kustomize or of a chart',
  ],
  [
    'a hidden file of a generator', { ...overlay({ configMapGenerator: [{ name: 'a', envs: ['.env'] }] }), 'prod/.env': 'a=1' },
    { ...overlay({ configMapGenerator: [{ name: 'a', envs: ['.env'] }] }), 'prod/.env': 'a=2' },
    'changed, not read: prod/.env: input of kustomize or of a chart',
  ],
  [
    'a file named Kustomization', { 'web/Kustomization': text({ resources: [], namePrefix: 'a-' }) }, { 'web/Kustomization': text({ resources: [], namePrefix: 'b-' }) },
    'changed, not read: web/Kustomization: input of kustomize: namePrefix',
  ],
  [
    'a template of a chart', { 'chart/Chart.yaml': 'name: a', 'chart/templates/a.yaml': '{{ if .a }}\na: {{ .b }}' },
    { 'chart/Chart.yaml': 'name: a', 'chart/templates/a.yaml': '{{ if .a }}\na: {{ .c }}' }, 'changed, not read: chart/templates/a.yaml: template of a chart',
  ],
  [
    'a helper of a chart', { 'chart/Chart.yaml': 'name: a', 'chart/templates/_helpers.tpl': 'a' }, { 'chart/Chart.yaml': 'name: a', 'chart/templates/_helpers.tpl': 'b' },
    'changed, not read: chart/templates/_helpers.tpl: input of kustomize or of a chart',
  ],
  [
    'a new chart', {}, { 'charts/a/Chart.yaml': 'name: a', 'charts/a/values.yaml': 'a: 1', 'charts/a/templates/a.yaml': '{{ .a }}', 'charts/a/charts/b/Chart.yaml': 'name: b' },
    'created, not read: charts/a/Chart.yaml: chart of 4 files',
  ],
  [
    'a new chart that a delivery reads', { 'app.yaml': APPLICATION }, { 'app.yaml': APPLICATION, 'charts/a/Chart.yaml': 'name: a', 'charts/a/values.yaml': 'a: 1' },
    'created, not read: charts/a/Chart.yaml: chart of 2 files, read by Application a',
  ],
])('%s is not read, which is told', async (_, before, after, line) => {
  const { code, out } = await planned({ 'acme.yaml': ACME, ...before }, { 'acme.yaml': ACME, ...after });
  expect(out).toContain(`\n\nFiles that are not read\n  ${line}\n`);
  expect(out).toMatch(/^DISRUPTS \(if what is unknown does\): 0 of \d clusters? differ; 0 objects; 0 machines replaced; 1 effect unknown; 1 file not read\.$/m);
  expect([code, out.includes('Nothing changes')]).toEqual([2, false]);
});

test('all formats have what is not read', async () => {
  const states = [overlay({ namePrefix: 'a-' }), overlay({ namePrefix: 'b-' })] as const;
  const json = JSON.parse((await planned(...states, '--format', 'json')).out);
  expect(json.unread).toEqual([{ file: 'prod/kustomization.yaml', change: 'changed', what: 'input of kustomize', fields: ['namePrefix'] }]);
  expect([json.totals.unknownEffects, json.totals.unreadFiles, json.totals.objects]).toEqual([1, 1, 0]);
  expect((await planned(...states, '--format', 'markdown')).out).toContain('- :warning: changed, not read: prod/kustomization.yaml: input of kustomize: namePrefix');
  expect((await planned(...states, '--format', 'github')).out).toBe('::warning title=changed, not read%3A prod/kustomization.yaml::input of kustomize: namePrefix\n'.replace('read%3A', 'read%3A').replace('changed,', 'changed%2C'));
});

test('a kustomization that changes what differs is told of', async () => {
  const before = overlay({ namePrefix: 'eu-' });
  const { out } = await planned(before, { ...before, 'base/all.yaml': ACME.replaceAll('v1.34.1', 'v1.34.2') });
  expect(out).toContain('not read: prod/kustomization.yaml: input of kustomize, which changes what differs before it is applied');
  expect(out).toContain('1 file not read.');
});

test.each<[what: string, before: Files, after: Files]>([
  ['a comment', { 'values.yaml': 'a: 1' }, { 'values.yaml': '# b\na: 1\n' }],
  ['a README', { 'README.md': 'a' }, { 'README.md': 'b' }],
  ['a script', { 'run.sh': 'a' }, { 'run.sh': 'b' }],
  ['a list in another order', { 'kustomization.yaml': text({ resources: ['acme.yaml', 'ns.yaml'] }), 'ns.yaml': '' }, { 'kustomization.yaml': text({ resources: ['ns.yaml', 'acme.yaml'] }), 'ns.yaml': '' }],
])('%s changes nothing', async (_, before, after) => {
  expect(await planned({ 'acme.yaml': ACME, ...before }, { 'acme.yaml': ACME, ...after })).toMatchObject({ code: 0, out: NOTHING });
});

test('the committed state has files that hold no manifests, too', async () => {
  const files = (content: string) => ({ 'dist/acme.yaml': ACME, 'dist/kustomization.yaml': text({ resources: ['acme.yaml'], secretGenerator: [{ name: 'a', envs: ['a.env'] }] }), 'dist/a.env': content });
  new GitRepository(workplace.folder).commit(files('a=1'));
  expect((await workplace.run(['plan'])).out).toBe(NOTHING);
  workplace.write(files('a=2'));
  expect((await workplace.run(['plan'])).out).toContain('changed, not read: a.env: input of kustomize or of a chart');
});

test('the last file of a folder may go', async () => {
  new GitRepository(workplace.folder).commit({ 'dist/acme.yaml': ACME });
  fs.rmSync(workplace.path('dist/acme.yaml'));
  expect((await workplace.run(['plan', '--no-build', '--exit-code'])).out).toMatch(/^DESTROYS: 1 of 1 cluster differs \(1 removed\)/);
  fs.mkdirSync(workplace.path('empty'));
  expect((await workplace.run(['plan', '--no-build', 'empty'])).out).toBe(NOTHING);
});

test('a picture of a plan tells what is not read, and draws clusters as they are applied', async () => {
  const files = (namespace: string, prefix: string) => ({
    ...overlay({ namespace }), 'test/kustomization.yaml': text({ resources: ['../base'], namespace: 'test', namePrefix: prefix }),
  });
  await planned(files('eu', 'a-'), files('us', 'b-'));
  const { err, out } = await workplace.run(['graph', '--no-build', '--plan', 'old', '--format', 'html', 'new']);
  expect(err).toBe('note: changed, not read: test/kustomization.yaml: input of kustomize: namePrefix\n');
  expect(out).toContain('eu/acme');
  expect(out).toContain('us/acme');
});

test.each<[what: string, file: string, before: string, after: string]>([
  ['a Taskfile', 'Taskfile.yaml', 'version: "3"\ntasks: {a: {cmds: [ls]}}', 'version: "3"\ntasks: {a: {cmds: [pwd]}}'],
  ['configuration of Renovate', 'renovate.json', '{"extends": ["a"]}', '{"extends": ["b"]}'],
  ['a package of npm', 'tools/package.json', '{"name": "a"}', '{"name": "b"}'],
  ['configuration of MkDocs', 'mkdocs.yml', 'site_name: a\nnav: []', 'site_name: b\nnav: []'],
  ['a file of Docker Compose', 'dev/docker-compose.yml', 'services: {a: {image: "a:1"}}', 'services: {a: {image: "a:2"}}'],
  ['a workflow of GitHub', 'ci/test.yaml', 'on: push\njobs: {a: {runs-on: a}}', 'on: push\njobs: {a: {runs-on: b}}'],
])('no cluster is made of %s', async (_what, file, before, after) => {
  expect(await planned({ 'acme.yaml': ACME, [file]: before }, { 'acme.yaml': ACME, [file]: after })).toEqual({ code: 0, out: NOTHING, err: '' });
});
