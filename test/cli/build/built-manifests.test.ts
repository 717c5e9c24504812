import * as fs from 'node:fs';
import * as path from 'node:path';
import { findProgram } from '../../../src/cli/build/programs';
import { GitRepository } from '../../support/git-repository';
import { deployment, Workplace } from '../run';

const CLUSTER = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/16]}}
  unknownField: 1
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtCluster, name: acme}
`;
const SCALED = (replicas: string) => `resources: [../../base]\npatches: [{target: {kind: Deployment}, patch: '[{"op": "add", "path": "/spec/replicas", "value": ${replicas}}]'}]\n`;
const OVERLAYS = {
  'base/kustomization.yaml': 'resources: [cluster.yaml, web.json]\n',
  'base/cluster.yaml': CLUSTER,
  'base/web.json': deployment('web', 'quay.io/acme/web:1'),
  'overlays/dev/kustomization.yaml': `${SCALED('1')}images: [{name: quay.io/acme/web, newTag: "2"}]\n`,
  'overlays/prod/kustomization.yaml': SCALED('"many"'),
};

const CHART = {
  'charts/cluster/Chart.yaml': 'apiVersion: v2\nname: cluster\nversion: 1.0.0\n',
  'charts/cluster/values.yaml': 'replicas: 3\n',
  'charts/cluster/templates/cluster.yaml': CLUSTER.replace('name: acme, namespace', 'name: "{{ .Release.Name }}", namespace'),
  'apps/acme.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme, namespace: tenant-acme}
spec:
  interval: 1h
  chart: {spec: {chart: ./charts/cluster, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
`,
};

/** The Deployment with another selector, which cannot change. */
const SELECTING = deployment('web', 'web:1').replace('"spec":{', '"spec":{"selector":{"matchLabels":{"a":"b"}},');

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A folder with a program that lists the resources of a kustomization, with the last value of its patches as replicas of each Deployment. */
function kustomize(): string {
  return program('kustomize', `
    const fs = require('node:fs'), path = require('node:path');
    const top = process.argv.at(-1), all = [];
    const enter = (folder) => {
      const { resources, ...rest } = JSON.parse(fs.readFileSync(path.join(folder, 'kustomization.yaml')));
      all.push(rest);
      for (const name of resources) {
        const at = path.join(folder, name);
        if (fs.statSync(at).isDirectory()) { enter(at); continue; }
        for (const text of fs.readFileSync(at, 'utf8').split('---')) {
          const value = /"value": ([^}]*)}/.exec(JSON.parse(JSON.stringify(all[0].patches?.[0].patch ?? '')))?.[1];
          const origin = 'path: ' + path.relative(top, at);
          console.log('---\\n' + (text.startsWith('{') ? JSON.stringify({ ...JSON.parse(text), ...tagged(JSON.parse(text), all[0], value, origin) })
            : text.replace(/metadata: {/, (found) => found + 'annotations: {config.kubernetes.io/origin: "' + origin + '"}, ')));
        }
      }
    };
    const tagged = ({ metadata, spec }, { images = [], buildMetadata }, value, origin) => ({
      metadata: { ...metadata, annotations: buildMetadata ? { 'config.kubernetes.io/origin': origin } : undefined },
      spec: JSON.parse(JSON.stringify({ ...spec, replicas: value && JSON.parse(value) }).replaceAll('web:1', images[0] ? 'web:' + images[0].newTag : 'web:1')),
    });
    enter(top);
  `);
}

/** A folder with a program that fills in the name of a release. */
function helm(): string {
  return program('helm', `
    const fs = require('node:fs'), release = process.argv.at(-2);
    for (const name of fs.readdirSync('chart/templates')) {
      console.log('---\\n# Source: cluster/templates/' + name + '\\n' + fs.readFileSync('chart/templates/' + name, 'utf8').replaceAll('{{ .Release.Name }}', release));
    }
  `);
}

function program(name: string, text: string): string {
  const bin = fs.mkdtempSync(path.join(workplace.folder, '../bin-'));
  fs.writeFileSync(path.join(bin, name), `#!${process.execPath}\n${text}`, { mode: 0o755 });
  return bin;
}

/** The findings of a validation, as rule, file, line and what is inside. */
async function validated(bin: string, ...args: string[]) {
  const { out, err } = await workplace.run(['validate', '--format', 'json', ...args], '', { PATH: bin });
  if (out === '') throw new Error(err);
  const { findings, notRead, objects } = JSON.parse(out);
  return {
    found: findings.map(({ rule, file, line, inside }: Record<string, unknown>) => [rule, [file, line].filter((part) => part !== undefined).join(':'), inside].filter((part) => part !== undefined).join(' ')),
    notRead: notRead.map(({ message, file }: Record<string, unknown>) => `${file} ${message}`),
    objects,
  };
}

const of = (rule: string, found: readonly string[]) => found.filter((text) => text.startsWith(rule));

describe('kustomizations', () => {
  test('overlays of one base are built, and findings stand where the field is written', async () => {
    workplace.write(OVERLAYS);
    const { found, notRead, objects } = await validated(kustomize(), '.');
    expect(of('TC-ADMIT-FIELD-UNKNOWN', found)).toEqual(['TC-ADMIT-FIELD-UNKNOWN base/cluster.yaml:6']);
    expect(of('TC-ADMIT-FIELD-TYPE', found)).toEqual(['TC-ADMIT-FIELD-TYPE overlays/prod/kustomization.yaml ../../base/web.json']);
    expect(of('TC-TRAP-REF-DUPLICATE', found)).toEqual([]);
    expect([notRead, objects]).toEqual([[], 4]);
  });

  describe('below a folder that a delivery adds to', () => {
    const delivery = (name: string, folder: string, more: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ${folder}, sourceRef: {kind: GitRepository, name: flux-system}${more}}
`;
    const adding = ', patches: [{target: {kind: Deployment}, patch: \'[{"op": "add", "path": "/spec/replicas", "value": "many"}]\'}]';

    test('are built once, with it', async () => {
      workplace.write({
        'flux/apps.yaml': delivery('apps', './apps', adding),
        'apps/web/kustomization.yaml': 'resources: [web.json]\nnamespace: a\n',
        'apps/web/web.json': deployment('web', 'quay.io/acme/web:1'),
      });
      const { found, objects } = await validated(kustomize(), '.');
      expect([objects, of('TC-ADMIT-FIELD-TYPE', found)]).toEqual([2, [expect.stringContaining('apps')]]);
    });

    test('stay as they were built where a patched delivery adds to them', async () => {
      workplace.write({
        'flux/web.yaml': delivery('web', './apps/web', ''),
        'apps/web/kustomization.yaml': 'resources: [web.json]\ncommonAnnotations: {a: b}\n',
        'apps/web/web.json': deployment('web', 'quay.io/acme/web:1'),
        'clusters/kustomization.yaml': 'resources: [two.json]\ncommonAnnotations: {a: b}\n',
        'clusters/two.json': JSON.stringify({
          apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
          kind: 'Kustomization',
          metadata: { name: 'two', namespace: 'flux-system' },
          spec: { interval: '1h', prune: true, path: './apps/web', sourceRef: { kind: 'GitRepository', name: 'flux-system' }, commonMetadata: { labels: { a: 'b' } } },
        }),
      });
      expect((await validated(kustomize(), '.')).objects).toBe(3);
    });
  });

  test('of one cluster may be in several groups: what any of them has is not missing', async () => {
    const repository = (name: string) => `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 1h, url: "https://charts.example.com/${name}"}
`;
    const release = (source: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: flux-system}
spec: {interval: 1h, chart: {spec: {chart: web, version: 1.0.0, sourceRef: {kind: HelmRepository, name: ${source}}}}}
`;
    const files = (source: string) => ({
      'apps/base/kustomization.yaml': 'resources: [web.yaml]\n',
      'apps/base/web.yaml': release(source),
      'apps/dev/kustomization.yaml': SCALED('1').replace('../../base', '../base'),
      'apps/prod/kustomization.yaml': SCALED('2').replace('../../base', '../base'),
      'infra/base/kustomization.yaml': 'resources: [other.yaml]\n',
      'infra/base/other.yaml': repository('other'),
      'infra/all/kustomization.yaml': 'resources: [../base, charts.yaml]\ncommonAnnotations: {a: b}\n',
      'infra/all/charts.yaml': repository('charts'),
      'infra/few/kustomization.yaml': 'resources: [../base]\ncommonAnnotations: {a: b}\n',
    });
    workplace.write(files('charts'));
    const bin = kustomize();
    expect(of('TC-TRAP-REF-FLUX', (await validated(bin, '.')).found)).toEqual([]);
    workplace.write(files('chart'));
    expect(of('TC-TRAP-REF-FLUX', (await validated(bin, '.')).found)).toHaveLength(1);
  });

  test('patches that none of them lists are no objects after the build', async () => {
    workplace.write({ ...OVERLAYS, 'base/patches/web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec: {replicas: 2}\n' });
    expect(of('TC-ADMIT-FIELD-REQUIRED', (await validated(kustomize(), '.')).found).filter((text) => text.includes('patches'))).toEqual([]);
  });

  test('what is not built is named, and read as it is', async () => {
    workplace.write(OVERLAYS);
    const missing = await validated('', '.');
    expect(of('TC-ADMIT-FIELD-UNKNOWN', missing.found)).toEqual(['TC-ADMIT-FIELD-UNKNOWN base/cluster.yaml:6']);
    expect(missing.objects).toBe(2);
    expect(missing.notRead).toEqual(['dev', 'prod'].map((name) => `overlays/${name}/kustomization.yaml is input of kustomize, not built: neither kustomize nor kubectl is installed`));
    expect((await validated(kustomize(), '--no-build', '.')).notRead[0]).toContain('is input of kustomize: read what "kustomize build" gives');
    expect((await validated(kustomize(), 'overlays')).notRead[0]).toContain('not built: ../base is not among the files that are read');
    expect((await validated(kustomize(), 'overlays', 'base')).objects).toBe(4);
    expect((await workplace.run(['inventory', '.'])).err).toContain('note: overlays/dev/kustomization.yaml: not built: neither kustomize nor kubectl is installed; and 1 more\n');
  });

  test('images are those that are built', async () => {
    workplace.write(OVERLAYS);
    const { out } = await workplace.run(['images', '--format', 'json', '.'], '', { PATH: kustomize() });
    const { images, notKnown } = JSON.parse(out);
    expect(images.map(({ image }: { image: string }) => image)).toEqual(['quay.io/acme/web:1', 'quay.io/acme/web:2']);
    expect(images[0].usedBy[0]).toMatchObject({ file: 'base/web.json', line: 1 });
    expect(notKnown).toEqual([]);
    expect((await workplace.run(['images', '.'], '', { PATH: '' })).out).toContain('is input of kustomize, not built: neither');
  });

  test('overlays of a cluster are two clusters in inventory and graph', async () => {
    workplace.write(OVERLAYS);
    const [inventory, graph] = [await workplace.run(['inventory', '.'], '', { PATH: kustomize() }), await workplace.run(['graph', '--output', 'pictures', '.'], '', { PATH: kustomize() })];
    expect(inventory.out).toMatch(/^dev: tenant-acme\/acme.*\nprod: tenant-acme\/acme/m);
    expect(graph.err).toBe('2 pictures in pictures\n');
  });

  test('changes are those between what is built', async () => {
    const repo = new GitRepository(workplace.folder);
    workplace.write({ 'x/base/kustomization.yaml': 'resources: [web.json]\n', 'x/base/web.json': deployment('web', 'web:1'), 'x/overlays/dev/kustomization.yaml': SCALED('1') });
    repo.commit();
    const changes = async () => (await validated(kustomize(), '--base', 'HEAD', 'x')).found.filter((text: string) => !text.startsWith('TC-ADMIT-FIELD-REQUIRED'));
    expect(await changes()).toEqual([]);
    workplace.write({ 'x/base/web.json': SELECTING });
    expect(await changes()).toContain('TC-CHANGE-WORKLOAD-SELECTOR x/base/web.json:1');
  });

  const real = ['kustomize', 'kubectl'].map((name) => findProgram(name, process.env, [])).find((found) => found !== undefined);
  (real === undefined ? test.skip : test)('the real program names the same origins', async () => {
    workplace.write(OVERLAYS);
    const { found, objects } = await validated(path.dirname(real!), '.');
    expect([...of('TC-ADMIT-FIELD-UNKNOWN', found), ...of('TC-ADMIT-FIELD-TYPE', found)])
      .toEqual(['TC-ADMIT-FIELD-UNKNOWN base/cluster.yaml:6', 'TC-ADMIT-FIELD-TYPE overlays/prod/kustomization.yaml ../../base/web.json']);
    expect(objects).toBe(4);
  });
});

describe('charts', () => {
  const check = async (bin: string) => {
    workplace.write(CHART);
    const { found, notRead, objects } = await validated(bin, '.');
    expect(of('TC-ADMIT-FIELD-UNKNOWN', found)).toEqual(['TC-ADMIT-FIELD-UNKNOWN charts/cluster/templates/cluster.yaml for HelmRelease tenant-acme/acme']);
    expect([notRead, objects]).toEqual([[], 2]);
    const inventory = await workplace.run(['inventory', '.'], '', { PATH: bin });
    expect(inventory).toMatchObject({ err: '', out: expect.stringContaining('tenant-acme/acme') });
    expect((await workplace.run(['images', '.'], '', { PATH: bin })).out).not.toContain('NOT KNOWN');
  };

  test('a chart of a release is rendered, and findings stand in its template', () => check(helm()));

  const real = findProgram('helm', process.env, []);
  (real === undefined ? test.skip : test)('the real program gives the same', () => check(path.dirname(real!)));

  test('without the program, it is named', async () => {
    workplace.write(CHART);
    const { found, notRead } = await validated('', '.');
    expect(of('TC-ADMIT-FIELD-UNKNOWN', found)).toEqual([]);
    expect(notRead).toContain('charts/cluster/templates/cluster.yaml is a template of a chart, not built: helm is not installed');
    expect((await workplace.run(['inventory', '.'])).err).toBe('note: charts/cluster/Chart.yaml (HelmRelease acme): not built: helm is not installed\nfound: no cluster among these manifests\n');
    expect((await workplace.run(['images', '.'])).out).toContain('HelmRelease tenant-acme/acme installs a chart whose repository or version is not among the manifests');
  });
});

test('a link that leads out of the files is no input', async () => {
  const outside = fs.mkdtempSync(path.join(workplace.folder, '../outside-'));
  fs.writeFileSync(path.join(outside, 'secret.txt'), 'x');
  workplace.write({ 'x/kustomization.yaml': 'resources: [web.json]\nconfigMapGenerator: [{name: a, files: [secret.txt]}]\n', 'x/web.json': deployment('web', 'web:1') });
  fs.symlinkSync(path.join(outside, 'secret.txt'), workplace.path('x/secret.txt'));
  expect((await validated(kustomize(), 'x')).notRead.join()).toContain('not built: secret.txt is not among the files that are read');
});

describe('--render', () => {
  test('what a command writes is validated, listed and drawn', async () => {
    workplace.write({ 'template.yaml': CLUSTER });
    const render = ['--render', 'sed s/acme/blue/g template.yaml'];
    const { found } = await validated(process.env.PATH!, ...render);
    expect(of('TC-ADMIT-FIELD-UNKNOWN', found)).toEqual(['TC-ADMIT-FIELD-UNKNOWN rendered:6']);
    expect((await workplace.run(['inventory', ...render, '.'])).out).toContain('tenant-blue/blue');
    expect((await workplace.run(['graph', ...render])).out).toContain('tenant-blue/blue');
    expect((await workplace.run(['images', ...render])).code).toBe(0);
    expect((await workplace.run(['validate', '--render', 'echo "a: ["'])).err).toContain('--render, .: rendered:2: is no YAML');
    expect((await workplace.run(['validate', ...render, '-'])).err).toContain('--render runs in a copy of a folder');
  });

  test('changes are those between what is rendered', async () => {
    const repo = new GitRepository(workplace.folder);
    workplace.write({ 'web.json': deployment('web', 'web:1') });
    repo.commit();
    const render = ['--base', 'HEAD', '--render', 'cat web.json'];
    const changes = async () => (await validated(process.env.PATH!, ...render)).found.filter((text: string) => !text.startsWith('TC-ADMIT-FIELD-REQUIRED'));
    expect(await changes()).toEqual([]);
    workplace.write({ 'web.json': SELECTING });
    expect(await changes()).toContain('TC-CHANGE-WORKLOAD-SELECTOR rendered:1');
  });
});
