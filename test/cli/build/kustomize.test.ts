import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { findProgram } from '../../../src/cli/build/programs';
import { Workplace } from '../run';

const POOL = JSON.stringify({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name: 'acme-general', namespace: 'tenant-acme' },
  spec: { clusterName: 'acme', replicas: 5, template: { spec: { clusterName: 'acme', version: 'v1.34.1' } } },
}, undefined, 2);
const scaled = (replicas: number) => `patches:\n- target: {kind: MachineDeployment}\n  patch: '[{"op": "replace", "path": "/spec/replicas", "value": ${replicas}}]'\n`;
const flux = (folder: string, more: string) => `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${folder === 'apps' ? 'apps' : 'acme'}, namespace: flux-system}
spec: {interval: 1m, prune: true, path: "./${folder}", sourceRef: {kind: GitRepository, name: flux-system}${more}}
`;
const FLUX = (more: string) => flux('prod', more);

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** Runs a plan of two folders with the programs in a folder. */
async function plan(files: { readonly [name: string]: readonly [old: string, now: string] | string }, bin: string, ...options: string[]) {
  for (const [name, content] of Object.entries(files)) {
    const [old, now] = typeof content === 'string' ? [content, content] : content;
    workplace.write({ ...(old !== '' && { [`old/${name}`]: old }), ...(now !== '' && { [`new/${name}`]: now }) });
  }
  process.env.SECRET_OF_THE_USER = 'a';
  const run = await workplace.run(['plan', '--exit-code', ...options, 'old', 'new'], '', { PATH: bin });
  delete process.env.SECRET_OF_THE_USER;
  return run;
}

describe('with a program in its place', () => {
  /** Lists the resources of a kustomization with the replicas of its last patch, and writes down how it was run. */
  const FAKE = `
    const fs = require('node:fs'), path = require('node:path');
    const folder = process.argv.at(-1);
    const { resources, patches = [] } = JSON.parse(fs.readFileSync(path.join(folder, 'kustomization.yaml')));
    const { SystemRoot, ...env } = process.env;
    fs.appendFileSync(LOG, JSON.stringify({ args: process.argv.slice(2), env, files: fs.readdirSync('.', { recursive: true }).sort() }) + '\\n');
    if (fs.existsSync(path.join(folder, 'fail'))) { console.error('Error: ' + process.cwd() + '/prod: https://me:hunter2@example.com is wrong'); process.exit(1); }
    const replicas = /"value": (\\d+)/.exec(patches.at(-1)?.patch ?? '')?.[1];
    for (const name of resources) console.log('---\\n' + fs.readFileSync(path.join(folder, name), 'utf8').replace(/"replicas": \\d+/, (found) => (replicas ? '"replicas": ' + replicas : found)));
  `;

  function fake(text = FAKE): string {
    const bin = fs.mkdtempSync(path.join(workplace.folder, '../bin-'));
    const log = path.join(bin, 'log');
    fs.writeFileSync(path.join(bin, 'kustomize'), `#!${process.execPath}\nconst LOG = ${JSON.stringify(log)};\n${text}`, { mode: 0o755 });
    return bin;
  }

  const runs = (bin: string) => (fs.existsSync(path.join(bin, 'log')) ? fs.readFileSync(path.join(bin, 'log'), 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : []);

  test('what kustomize builds is compared, and it gets nothing of the user and nothing else of the repository', async () => {
    const bin = fake();
    const { code, out } = await plan({
      'prod/kustomization.yaml': [`resources: [pool.yaml]\n${scaled(5)}`, `resources: [pool.yaml]\n${scaled(1)}`], 'prod/pool.yaml': POOL, 'prod/.git/config': 'a', 'README.md': 'a',
    }, bin);
    expect([code, out]).toEqual([2, expect.stringContaining('4 machines are deleted: replicas 5 -> 1')]);
    expect(out).not.toContain('not read');
    const [{ args, env, files }, ...others] = runs(bin);
    expect(others).toHaveLength(1);
    expect([args, files]).toEqual([['build', '--load-restrictor', 'LoadRestrictionsRootOnly', './prod'], ['prod', 'prod/kustomization.yaml', 'prod/pool.yaml']]);
    expect(env.SECRET_OF_THE_USER).toBeUndefined();
    expect(new Set([env.HOME, env.PATH, env.XDG_CONFIG_HOME, env.KUSTOMIZE_PLUGIN_HOME]).size).toBe(1);
    expect(fs.existsSync(env.HOME)).toBe(false);
    expect(env.HTTPS_PROXY).toBe('http://127.0.0.1:9');
  });

  test('files of the repository outside of the folder of a kustomization are read, as Flux does', async () => {
    const bin = fake();
    const { out } = await plan({ 'prod/kustomization.yaml': [`resources: [../pool.yaml]\n${scaled(5)}`, `resources: [../pool.yaml]\n${scaled(1)}`], 'pool.yaml': POOL }, bin);
    expect(out).toContain('4 machines are deleted: replicas 5 -> 1');
    expect(runs(bin)[0]).toMatchObject({
      args: ['build', '--load-restrictor', 'LoadRestrictionsNone', './prod'], files: ['pool.yaml', 'prod', 'prod/kustomization.yaml'],
    });
  });

  test('it is not run where nothing that a kustomization reads differs, nor with --no-build', async () => {
    const bin = fake();
    const files = { 'prod/kustomization.yaml': `resources: [pool.yaml]\n${scaled(5)}`, 'prod/pool.yaml': POOL };
    expect(await plan(files, bin)).toMatchObject({ code: 0, out: 'Nothing changes.\n' });
    workplace.write({ 'new/prod/pool.yaml': POOL.replace('v1.34.1', 'v1.34.2') });
    expect((await plan({}, bin, '--no-build')).out).toContain('not read: prod/kustomization.yaml: input of kustomize, which changes what differs before it is applied\n');
    expect(runs(bin)).toEqual([]);
  });

  test.each<[what: string, kustomization: string, reason: string]>([
    ['the address of a component', 'resources: [pool.yaml]\ncomponents: ["https://me:hunter2@example.com/x"]', 'https://(hidden)@example.com/x is not fetched'],
    ['a file at an address', 'resources: [pool.yaml]\nconfigMapGenerator: [{name: a, files: ["a=https://example.com/x"]}]', 'https://example.com/x is not fetched'],
    ['a file outside', 'resources: [pool.yaml, ../../etc/passwd]', '../etc/passwd is not among the files that are read'],
    ['an absolute path', 'resources: [pool.yaml]\npatches: [{path: /prod/pool.yaml}]', 'prod/prod/pool.yaml is not among the files that are read'],
    ['a plug-in', 'resources: [pool.yaml]\ntransformers: [pool.yaml]', 'transformers of a kustomization are not run'],
    ['a field that only kustomize takes for resources', 'resources: [pool.yaml]\nre\u017fources: [/etc/passwd]', 're\u017fources of a kustomization is spelled otherwise: resources'],
    ['a path that only kustomize takes for one', 'resources: [pool.yaml]\npatches: [{Path: /etc/passwd}]', 'Path of a kustomization is spelled otherwise: path'],
  ])('%s is not followed, and the reason stands in the plan', async (_, kustomization, reason) => {
    const bin = fake();
    const { code, out } = await plan({ 'prod/kustomization.yaml': ['resources: [pool.yaml]', kustomization], 'prod/pool.yaml': POOL }, bin);
    expect([code, out]).toEqual([2, expect.stringContaining(`\n  changed, not read: prod/kustomization.yaml: input of kustomize, not built: ${reason}`)]);
    expect(out).not.toContain('hunter2');
    expect(runs(bin).length).toBeLessThan(2);
  });

  test.each<[what: string, old: string, now: string, told: string]>([
    ['an address', '"https://me:hunter2@example.com/v1.yaml"', '"https://me:hunter2@example.com/v2.yaml"',
      'resources[0] https://(hidden)@example.com/v1.yaml -> https://(hidden)@example.com/v2.yaml, which is not read'],
    ['an address that is new', '', '"github.com/x/y?ref=v1"', 'github.com/x/y?ref=v1, which kustomize fetches'],
    ['a chart', ']\nhelmCharts: [{name: x, version: 1.0.0}', ']\nhelmCharts: [{name: x, version: 1.1.0}', 'helmCharts.x.version 1.0.0 -> 1.1.0'],
    ['values of a chart', ']\nhelmCharts: [{name: x, valuesInline: {a: 1}}', ']\nhelmCharts: [{name: x, valuesInline: {a: 2}}', 'helmCharts.x.valuesInline.a'],
    ['images of what is fetched', '"https://example.com/a.yaml"]\nimages: [{name: a, newTag: "1"}', '"https://example.com/a.yaml"]\nimages: [{name: a, newTag: "2"}', 'images'],
  ])('of %s, only a change is told, and the rest is built', async (_, old, now, told) => {
    const bin = fake();
    const listing = (more: string) => `resources: [pool.yaml, ${more}]\n${scaled(5)}`;
    const files = { 'prod/kustomization.yaml': [listing(old), listing(now)] as const, 'prod/pool.yaml': [POOL, POOL.replace('v1.34.1', 'v1.34.2')] as const };
    const { out } = await plan(files, bin);
    expect(out).toContain('version v1.34.1 -> v1.34.2');
    expect(out).toMatch(/\n {2}(?:changed|created), not read: prod\/kustomization\.yaml: .*, which kustomize fetches/);
    expect(out).toContain(told);
    expect(out).not.toContain('hunter2');
    expect((await plan({ ...files, 'prod/kustomization.yaml': [listing(old), listing(old)] }, bin)).out).not.toContain('not read');
  });

  test('where it fails, is missing or does not end, the files are not read', async () => {
    const files = { 'prod/kustomization.yaml': 'resources: [pool.yaml]\nnamePrefix: a-\nconfigurations: [fail]', 'prod/fail': 'x', 'prod/pool.yaml': [POOL, POOL.replace('v1.34.1', 'v1.34.2')] as const };
    const failed = await plan(files, fake());
    expect([failed.code, failed.out]).toEqual([2, expect.stringContaining('before it is applied, not built: prod: https://(hidden)@example.com is wrong')]);
    expect((await plan({}, '')).out).toContain('not built: neither kustomize nor kubectl is installed');
    expect((await plan({}, workplace.path('new/bin'))).out).toContain('not built: neither kustomize nor kubectl is installed');
    const endless = fake('process.stdout.on("error", () => {}); const more = () => { while (process.stdout.write("a".repeat(1024 * 1024))); }; process.stdout.on("drain", more); more();');
    expect((await plan({}, endless)).out).toContain('not built: wrote more than 64 MiB');
  });

  test('a file that it still lists, and that is removed, makes it fail', async () => {
    const { out } = await plan({ 'prod/kustomization.yaml': `resources: [pool.yaml, more.yaml]\n${scaled(5)}`, 'prod/pool.yaml': POOL, 'prod/more.yaml': [POOL.replaceAll('general', 'more'), ''] }, fake());
    expect(out).toContain('prod/kustomization.yaml: it cannot be built from now on, so that nothing of it is applied or pruned until that is mended: prod/more.yaml');
    expect(out).toContain('0 machines replaced');
    expect(out).not.toContain('deleted');
  });

  test('where it fails from now on, nothing of it is applied, and that is told', async () => {
    const list = (more: string) => `resources: [pool.yaml]\nnamePrefix: a-\n${more}`;
    const files = {
      'prod/kustomization.yaml': [list(''), list('configurations: [fail]')] as const, 'prod/fail': 'x', 'prod/pool.yaml': [POOL, POOL.replace('v1.34.1', 'v1.34.2')] as const,
    };
    const { code, out } = await plan(files, fake());
    expect([code, out]).toEqual([2, expect.stringContaining('prod/kustomization.yaml: it cannot be built from now on, so that nothing of it is applied or pruned')]);
    expect(out).toMatch(/^DISRUPTS: .*0 machines replaced.*\nFAILS: prod\/kustomization\.yaml\n/);
    const crashing = fake('if (process.cwd()) { console.error(\'runtime: out of memory: cannot allocate\'); process.exit(2); }');
    const crashed = await plan({}, crashing);
    expect(crashed.out).toContain('not built: the program itself failed: runtime: out of memory: cannot allocate');
    expect(crashed.out).not.toContain('FAILS');
  });

  test('of a long error the innermost cause is told, and none of the configuration in it', async () => {
    const files = { 'prod/kustomization.yaml': 'resources: [pool.yaml]\nnamePrefix: a-', 'prod/pool.yaml': [POOL, POOL.replace('v1.34.1', 'v1.34.2')] as const };
    const bin = fake(`console.error('E1128 10:30:05.1 8 run.go:72] "command failed" err=<\\n\\taccumulating: ${'around it: '.repeat(40)}with config: \`\\n\\tpatch: password\\n\\t\`: no file a.yaml\\n >'); process.exit(1);`);
    const { out } = await plan(files, bin);
    expect(out).toMatch(/not built: … around it: (?:around it: )*with config: \(…\): no file a\.yaml\n/);
  });

  test('a program that lies in the repository is not run', async () => {
    workplace.write({ 'old/x': '' });
    const bin = fake();
    fs.cpSync(bin, workplace.path('new/bin'), { recursive: true });
    expect(findProgram('kustomize', { PATH: workplace.path('new/bin') }, [workplace.folder])).toBeUndefined();
    expect(findProgram('kustomize', { PATH: `.${path.delimiter}bin${path.delimiter}${bin}` }, [workplace.folder])).toBe(path.join(bin, 'kustomize'));
  });

  test('what a Kustomization of Flux adds is built for it alone', async () => {
    const bin = fake();
    const patches = (replicas: number) => `, patches: [{target: {kind: MachineDeployment}, patch: '[{"op": "replace", "path": "/spec/replicas", "value": ${replicas}}]'}]`;
    const { out } = await plan({ 'apps/acme.yaml': [FLUX(patches(5)), FLUX(patches(3))], 'prod/kustomization.yaml': 'resources: [pool.yaml]', 'prod/pool.yaml': POOL }, bin);
    expect(out).toContain('2 machines are deleted: replicas 5 -> 3');
    expect(out).toMatch(/delivery acme {2}upgraded: patches/);
    expect(out).not.toContain('unknown');
  });
});

const REAL = ['kustomize', 'kubectl'].map((name) => findProgram(name, process.env, [])).find((file) => file !== undefined);
const describeReal = REAL === undefined ? describe.skip : describe;

describeReal(REAL === undefined ? 'skipped, since neither kustomize nor kubectl is installed' : `with ${path.basename(REAL)}`, () => {
  const BASE = { 'base/pool.yaml': POOL, 'base/kustomization.yaml': 'resources: [pool.yaml]' };
  const overlay = (text: string) => `resources: [../base]\n${text}`;

  test.each<[what: string, files: Parameters<typeof plan>[0], said: RegExp]>([
    ['a patch in a file', {
      'prod/kustomization.yaml': overlay('patches: [{path: p.yaml}]'),
      'prod/p.yaml': [5, 1].map((count) => (
        `apiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeployment\nmetadata: {name: acme-general, namespace: tenant-acme}\nspec: {replicas: ${count}}\n`)) as [string, string],
    },
    /4 machines are deleted: replicas 5 -> 1/],
    ['a JSON patch', { 'prod/kustomization.yaml': [overlay(scaled(5)), overlay(scaled(2))] }, /3 machines are deleted: replicas 5 -> 2/],
    ['a component', {
      'prod/kustomization.yaml': [overlay(''), overlay('components: [../small]')],
      'small/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n${scaled(1)}`,
    }, /4 machines are deleted: replicas 5 -> 1/],
    ['a prefix', { 'prod/kustomization.yaml': [overlay('namePrefix: a-'), overlay('namePrefix: b-')] }, /5 machines are deleted/],
    ['a generator', { 'prod/kustomization.yaml': overlay('configMapGenerator: [{name: x, envs: [x.env]}]'), 'prod/x.env': ['A=1', 'A=2'] }, /ConfigMap x-/],
    ['a replacement', {
      'prod/kustomization.yaml': overlay([
        'configMapGenerator: [{name: x, envs: [x.env], options: {disableNameSuffixHash: true}}]',
        'replacements: [{source: {kind: ConfigMap, name: x, fieldPath: data.VERSION}, targets: [{select: {kind: MachineDeployment}, fieldPaths: [spec.template.spec.version]}]}]',
      ].join('\n')),
      'prod/x.env': ['VERSION=v1.34.1', 'VERSION=v1.34.2'],
    }, /machines are replaced.*version v1\.34\.1 -> v1\.34\.2/],
    ['what overlays share', {
      'base/pool.yaml': [POOL, POOL.replace('v1.34.1', 'v1.34.2')],
      'prod/kustomization.yaml': overlay(`namespace: prod\n${scaled(3)}`),
      'test/kustomization.yaml': overlay('namespace: test'),
    }, /8 machines replaced/],
    ['a patch that makes no difference', { 'prod/kustomization.yaml': [overlay(scaled(5)), overlay('')] }, /^Nothing changes\.\n$/],
    ['an Application', {
      'prod/kustomization.yaml': overlay(''),
      'apps/acme.yaml': ['a-', 'b-'].map((prefix) => 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: acme, namespace: argocd}\nspec:\n'
        + `  source: {repoURL: https://example.com/x, path: prod, kustomize: {namePrefix: ${prefix}}}\n  destination: {name: in-cluster}\n  syncPolicy: {automated: {prune: true}}\n`) as [string, string],
    }, /delivery acme {2}upgraded: kustomize\.namePrefix a- -> b-/],
    ['a file that a delivery adds, and another one delivers', {
      'flux/apps.yaml': flux('apps', ', patches: [{target: {kind: Kustomization}, patch: \'[{"op": "add", "path": "/spec/interval", "value": "5m"}]\'}]'),
      'apps/acme.yaml': flux('prod', ', components: [../small]'),
      'prod/kustomization.yaml': 'resources: [pool.yaml]',
      'prod/pool.yaml': POOL,
      'small/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: patches/size.yaml, target: {kind: MachineDeployment}}]\n',
      'small/patches/size.yaml': [5, 1].map((count) => `[{"op": "replace", "path": "/spec/replicas", "value": ${count}}]`) as [string, string],
    }, /4 machines are deleted: replicas 5 -> 1/],
    ['a value that a delivery fills in', {
      'apps/acme.yaml': ['v1.34.1', 'v1.34.2'].map((version) => flux('prod', `, components: [../named], postBuild: {substitute: {VERSION: ${version}}}`)) as [string, string],
      'prod/kustomization.yaml': 'resources: [pool.yaml]',
      'prod/pool.yaml': POOL,
      'named/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: version.yaml, target: {kind: MachineDeployment}}]\n',
      'named/version.yaml': '[{"op": "replace", "path": "/spec/template/spec/version", "value": "${VERSION}"}]',
    }, /machines are replaced.*version v1\.34\.1 -> v1\.34\.2/],
    ['a folder whose name a delivery of the delivery fills in', {
      'flux/apps.yaml': flux('apps', ', postBuild: {substitute: {CLUSTER: prod}}'),
      'apps/acme.yaml': ['a-', 'b-'].map((prefix) => flux('${CLUSTER}', `, namePrefix: ${prefix}`)) as [string, string],
      'prod/kustomization.yaml': 'resources: [pool.yaml]',
      'prod/pool.yaml': POOL,
    }, /5 machines are deleted/],
    ['a patch outside of the folder', {
      'prod/kustomization.yaml': overlay('patches: [{path: ../shared/p.yaml, target: {kind: MachineDeployment}}]'),
      'shared/p.yaml': [5, 1].map((count) => `[{"op": "replace", "path": "/spec/replicas", "value": ${count}}]`) as [string, string],
    },
    /4 machines are deleted: replicas 5 -> 1/],
  ])('%s is what changes', async (_, files, said) => {
    const { out } = await plan({ ...BASE, ...files }, path.dirname(REAL!));
    expect(out).toMatch(said);
    expect(out).not.toContain('not read');
    const isAlone = !Object.keys(files).some((file) => /^(?:apps|test)\//.test(file));
    if (!isAlone) return;
    // The plan is that of what kustomize writes.
    const command = path.basename(REAL!) === 'kubectl' ? 'kustomize' : 'build';
    for (const state of ['old', 'new']) workplace.write({ [`${state}.yaml`]: execFileSync(REAL!, [command, '--load-restrictor', 'LoadRestrictionsNone', workplace.path(`${state}/prod`)]) });
    expect((await workplace.run(['plan', 'old.yaml', 'new.yaml'])).out).toBe(out);
  });

  test('of what several kustomizations leave out, and an earlier build, a change is told once, with its fields and its file', async () => {
    const { out } = await plan({
      'base/kustomization.yml': [1, 2].map((version) => `resources: ["https://example.com/v${version}.yaml"]`) as [string, string],
      'apps/kustomization.yaml': 'resources: [acme.yaml]\ncommonAnnotations: {a: b}',
      'apps/acme.yaml': flux('later', ', namePrefix: b-'),
      'later/kustomization.yaml': 'resources: [service.yaml]',
      'later/service.yaml': ['A', 'B'].map((value) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { value } })) as [string, string],
      ...Object.fromEntries(['prod', 'test'].map((name) => [`${name}/kustomization.yaml`, `resources: [../base]\nnamePrefix: ${name}-`])),
    }, path.dirname(REAL!));
    expect(out.match(/^ {2}changed, not read: .*$/gm)).toEqual([
      '  changed, not read: base/kustomization.yml: https://example.com/v2.yaml, which kustomize fetches: resources[0] https://example.com/v1.yaml -> https://example.com/v2.yaml, which is not read',
    ]);
  });
});
