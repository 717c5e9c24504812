import * as fs from 'node:fs';
import * as path from 'node:path';
import { deployment, Workplace } from '../run';

/** A Kustomization of Flux, as each cluster has one of this name. */
const flux = (name: string, folder: string, more: object = {}) => JSON.stringify({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { interval: '1h', prune: true, path: folder, sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...more },
});

const patch = (kind: string, field: string, value: unknown) => (
  ({ target: { kind }, patch: JSON.stringify([{ op: 'add', path: `/spec/${field}`, value }]) }));

/** The apps of a cluster: each Kustomization in them scales its Deployments. */
const scaling = (cluster: string, replicas: number) => (
  flux('apps', `./apps/${cluster}`, { patches: [patch('Kustomization', 'patches', [patch('Deployment', 'replicas', replicas)])] }));

/** Two clusters whose apps have the same names; both apply the folder of one of them, and each has one of its own. */
const REPOSITORY = {
  ...Object.fromEntries(['staging', 'production'].flatMap((cluster) => [
    [`clusters/${cluster}/apps.yaml`, scaling(cluster, 2)],
    [`apps/${cluster}/web.yaml`, flux('web', './apps/base/web')],
    [`apps/${cluster}/api.yaml`, flux('api', `./services/${cluster}`)],
    [`services/${cluster}/api.yaml`, deployment('api', `quay.io/acme/api:${cluster}`)],
  ])),
  'apps/base/web/web.yaml': deployment('web', 'quay.io/acme/web:1'),
};

let workplace: Workplace;
let bin: string;

beforeEach(() => {
  workplace = new Workplace();
  bin = fs.mkdtempSync(path.join(workplace.folder, '../bin-'));
  // Lists the resources of a kustomization with its patches, and writes down the folder.
  fs.writeFileSync(path.join(bin, 'kustomize'), `#!${process.execPath}
    const fs = require('node:fs'), path = require('node:path'), top = process.argv.at(-1);
    fs.appendFileSync(${JSON.stringify(path.join(bin, 'log'))}, top + '\\n');
    const { resources, patches = [] } = JSON.parse(fs.readFileSync(path.join(top, 'kustomization.yaml')));
    for (const name of resources) {
      const object = JSON.parse(fs.readFileSync(path.join(top, name), 'utf8'));
      for (const { target, patch } of patches) if (target.kind === object.kind) for (const { path: at, value } of JSON.parse(patch)) object.spec[at.split('/')[2]] = value;
      console.log('---\\n' + JSON.stringify(object));
    }
  `, { mode: 0o755 });
});
afterEach(() => workplace.remove());

const runs = () => (fs.existsSync(path.join(bin, 'log')) ? fs.readFileSync(path.join(bin, 'log'), 'utf8').trim().split('\n').sort() : []);
const below = (folder: string, files: Record<string, string>) => Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** Plans a change of the repository. */
function plan(changed: Record<string, string>, PATH = bin) {
  workplace.write({ ...below('old', REPOSITORY), ...below('new', { ...REPOSITORY, ...changed }) });
  return workplace.run(['plan', '--exit-code', 'old', 'new'], '', { PATH });
}

describe('two clusters whose Kustomizations have the same names', () => {
  test('nothing is built where nothing differs', async () => {
    expect(await plan({})).toMatchObject({ code: 0, out: 'Nothing changes.\n' });
    expect(runs()).toEqual([]);
  });

  test('what one of them adds to its Kustomizations changes their objects in this cluster, each once', async () => {
    const { out } = await plan({ 'clusters/staging/apps.yaml': scaling('staging', 3) });
    expect(out.split('\n').filter((line) => line.startsWith('  controller'))).toEqual(
      ['api', 'web'].map((name) => `  controller ${name}  scaled: replicas 2 -> 3`));
    expect(out).toMatch(/^staging: /m);
    expect(out).not.toMatch(/production|not read|unknown/);
    // Each Kustomization is built once in each state, after the one that applies it.
    expect(runs()).toEqual(['./apps/base/web', './apps/staging', './services/staging'].flatMap((folder) => [folder, folder]));
  });

  test('a shared folder changes in both', async () => {
    const { out } = await plan({ 'apps/base/web/web.yaml': deployment('web', 'quay.io/acme/web:2') });
    expect(out).toContain('production: Objects of no cluster, or of several clusters; the same for staging\n  controller web  pods are replaced');
  });

  test('a Kustomization that one of them adds is created in it alone', async () => {
    const { out } = await plan({ 'apps/staging/more.yaml': flux('more', './services/more'), 'services/more/more.yaml': deployment('more', 'quay.io/acme/more:1') });
    expect(out.split('\n').filter((line) => line.startsWith('  '))).toEqual([expect.stringMatching(/^ {2}controller more /), '  delivery more    created: more']);
    expect(out).toMatch(/^staging: /m);
    expect(out).not.toMatch(/production|not read/);
  });

  test.each(['staging', 'production'])('the reason that %s is not built stands in the plan', async (cluster) => {
    const { code, out } = await plan({ [`clusters/${cluster}/apps.yaml`]: scaling(cluster, 3) }, '');
    expect([code, out]).toEqual([2, expect.stringContaining(
      `\n  changed, not read: apps/${cluster}/kustomization.yaml (Kustomization apps): folder that Kustomization apps adds to, not built: neither kustomize nor kubectl is installed\n`)]);
  });

  test('all of both is read as it is built', async () => {
    workplace.write(REPOSITORY);
    const validated = JSON.parse((await workplace.run(['validate', '--format', 'json', '.'], '', { PATH: bin })).out);
    // Of each cluster, three Kustomizations and two Deployments.
    expect([validated.objects, validated.notRead]).toEqual([10, []]);
    expect(runs()).toEqual(['./apps/base/web', './apps/base/web', './apps/production', './apps/staging', './services/production', './services/staging']);
    const { images, notKnown } = JSON.parse((await workplace.run(['images', '--format', 'json', '.'], '', { PATH: bin })).out);
    expect([images.map(({ image, usedBy }: { image: string; usedBy: unknown[] }) => [image, usedBy.length]), notKnown]).toEqual(
      [[['quay.io/acme/api:production', 1], ['quay.io/acme/api:staging', 1], ['quay.io/acme/web:1', 2]], []]);
    for (const command of ['inventory', 'graph']) expect((await workplace.run([command, '.'], '', { PATH: bin })).err).not.toContain('not built');
  });

  test('what is not built is named by every command', async () => {
    workplace.write(REPOSITORY);
    const named = ['production', 'staging'].map((cluster) => `apps/${cluster}/kustomization.yaml (Kustomization apps)`);
    const { notRead } = JSON.parse((await workplace.run(['validate', '--format', 'json', '.'], '', { PATH: '' })).out);
    const reason = 'not built: neither kustomize nor kubectl is installed';
    expect(notRead).toEqual(expect.arrayContaining(named.map((file) => ({ file, message: reason }))));
    expect(notRead).toHaveLength(2);
    const { out } = await workplace.run(['images', '.'], '', { PATH: '' });
    expect(out).toContain(reason);
    for (const command of ['inventory', 'graph']) expect((await workplace.run([command, '.'], '', { PATH: '' })).err).toContain(`${reason}; and 1 more\n`);
  });
});

test('a Kustomization that applies its own folder is in its build, once in each cluster', async () => {
  const own = (cluster: string, replicas: number) => (
    flux('flux-system', `./clusters/${cluster}`, { patches: [patch('Kustomization', 'patches', [patch('Deployment', 'replicas', replicas)])] }));
  const files = Object.fromEntries(['staging', 'production'].flatMap((cluster) => [
    [`clusters/${cluster}/flux-system.yaml`, own(cluster, 2)],
    [`clusters/${cluster}/web.yaml`, flux('web', './web')],
    ['web/web.yaml', deployment('web', 'quay.io/acme/web:1')],
  ]));
  workplace.write({ ...below('old', files), ...below('new', { ...files, 'clusters/staging/flux-system.yaml': own('staging', 3) }) });
  expect(JSON.parse((await workplace.run(['validate', '--format', 'json', 'new'], '', { PATH: bin })).out)).toMatchObject({ objects: 6, notRead: [] });
  const { out } = await workplace.run(['plan', 'old', 'new'], '', { PATH: bin });
  expect(out.split('\n').filter((line) => line.startsWith('  controller'))).toEqual([expect.stringMatching(/^ {2}controller web +scaled: replicas 2 -> 3$/)]);
  expect(out).not.toMatch(/production|not read/);
});

test('two of one name in one file are not built, and that is the reason', async () => {
  const own = (folder: string, replicas: number) => flux('apps', folder, { patches: [patch('Deployment', 'replicas', replicas)] });
  workplace.write({ 'flux.yaml': `${own('./a', 1)}\n---\n${own('./b', 2)}\n`, 'a/web.yaml': deployment('web', 'web:1'), 'b/api.yaml': deployment('api', 'api:1') });
  const { notRead } = JSON.parse((await workplace.run(['validate', '--format', 'json', '.'], '', { PATH: bin })).out);
  expect(notRead.map(({ message }: { message: string }) => message)).toEqual(['a', 'b'].map(() => (
    'not built: one file has several deliveries of this name, or this one applies several folders')));
  expect(runs()).toEqual([]);
});
