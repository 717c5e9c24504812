import * as fs from 'node:fs';
import { ExitCode } from '../../../src/cli/command';
import { ImageLock } from '../../../src/constructs/images/image-lock';
import { digestOfText, indexManifest, RegistryServer } from '../../constructs/images/registry/registry-server';
import { deployment, Run, Workplace } from '../run';

const [ONE, TWO, NEW] = ['one', 'two', 'new'].map(indexManifest);
const FILE = 'images.lock.json';

let workplace: Workplace;
let registry: RegistryServer;
beforeEach(async () => {
  workplace = new Workplace();
  registry = await RegistryServer.start({ 'x/one:v1': ONE, 'x/two:v1': TWO });
});
afterEach(async () => {
  workplace.remove();
  await registry.close();
});

const image = (name: string, tag = 'v1') => `${registry.host}/x/${name}:${tag}`;
const OPTIONS = ['--timeout', '5', '--insecure-registry'];
const run = (...args: string[]): Promise<Run> => workplace.run(['images', 'lock', ...OPTIONS, registry.host, ...args]);
const lockText = (images: object) => `${JSON.stringify({ version: 1, images }, undefined, 2)}\n`;
const locked = () => (JSON.parse(workplace.read(FILE)) as { images: { [name: string]: string } }).images;
const writeLock = (images: object, rest: object = {}) => workplace.write({ [FILE]: JSON.stringify({ version: 1, images, ...rest }) });

describe('locking', () => {
  test('writes what the registries say, sorted, so that synthesis finds it', async () => {
    workplace.write({ 'dist/a.yaml': deployment('a', image('two'), image('one'), image('two')) });
    const { code, out } = await run();
    expect(code).toBe(ExitCode.OK);
    const [one, two] = [digestOfText(ONE), digestOfText(TWO)];
    expect(out).toBe(`locked   ${image('one')} ${one}\nlocked   ${image('two')} ${two}\n${FILE}: 2 images, 2 changed\n`);
    expect(workplace.read(FILE)).toBe(lockText({ [image('one')]: one, [image('two')]: two }));
    const lock = ImageLock.fromFile(workplace.path(FILE));
    expect(lock._check('lock')).toEqual([]);
    expect(lock._digestOf(`${registry.host}/x/one`, 'v1')).toBe(digestOfText(ONE));
    expect(fs.readdirSync(workplace.folder).sort()).toEqual(['dist', FILE]);
    expect(registry.seen).toHaveLength(2);
  });

  test('leaves entries alone, and the file when nothing changes', async () => {
    writeLock({ [image('one')]: digestOfText(NEW), 'quay.io/unused/x:v1': digestOfText(NEW) }, { charts: { c: 'sha256:x' } });
    const before = workplace.read(FILE);
    const { code, out } = await run(image('one'));
    expect([code, out]).toEqual([ExitCode.OK, `${FILE}: 2 images, nothing changed\n`]);
    expect(registry.seen).toEqual([]);
    expect(workplace.read(FILE)).toBe(before);
    await run(image('two'));
    expect(locked()).toEqual({ [image('one')]: digestOfText(NEW), [image('two')]: digestOfText(TWO), 'quay.io/unused/x:v1': digestOfText(NEW) });
    expect((JSON.parse(workplace.read(FILE)) as { charts: unknown }).charts).toEqual({ c: 'sha256:x' });
  });

  test('--update asks again, also for images whose manifests have the digest of the lock', async () => {
    writeLock({ [image('one')]: digestOfText(NEW), [image('two')]: digestOfText(TWO) });
    workplace.write({ 'dist/a.yaml': deployment('a', `${image('one')}@${digestOfText(NEW)}`, image('two')) });
    const { code, out } = await run('--update');
    expect(code).toBe(ExitCode.OK);
    expect(out).toBe(`changed  ${image('one')} ${digestOfText(ONE)}, was ${digestOfText(NEW)}\n${FILE}: 2 images, 1 changed\n`);
    expect(registry.seen.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'GET /v2/x/one/manifests/v1', 'HEAD /v2/x/one/manifests/v1', 'HEAD /v2/x/two/manifests/v1',
    ]);
  });

  test('an image with a digest of its own needs no entry', async () => {
    workplace.write({ 'none.yaml': '# nothing\n' });
    const { code, out } = await run('none.yaml');
    expect([code, out]).toEqual([ExitCode.OK, `${FILE}: 0 images, nothing changed\n`]);
    workplace.write({ 'dist/a.yaml': deployment('a', `${image('one')}@${digestOfText(NEW)}`) });
    expect((await run()).out).toBe(`${FILE}: 0 images, nothing changed\n`);
    expect(fs.existsSync(workplace.path(FILE))).toBe(false);
  });

  test('--prune drops what is not used, and only that', async () => {
    writeLock({ [image('one')]: digestOfText(ONE), [image('two')]: digestOfText(TWO), 'quay.io/unused/x:v1': digestOfText(NEW) });
    workplace.write({ 'dist/a.yaml': deployment('a', `${image('one')}@${digestOfText(ONE)}`, image('two')) });
    const { code, out } = await run('--prune');
    expect([code, out]).toEqual([ExitCode.OK, `dropped  quay.io/unused/x:v1\n${FILE}: 2 images, 1 changed\n`]);
  });

  describe('of a tree with a registry for all images', () => {
    const mirrored = (name: string, digest: string) => `mirror.int/m/x/${name}:v1@${digest}`;
    const MOVED = { 'quay.io/x/one:v1': digestOfText(ONE), 'quay.io/x/two:v1': digestOfText(TWO), 'quay.io/x/three:v1': digestOfText(NEW) };

    test('--prune keeps what the tree has its digests from, under whatever name', async () => {
      writeLock({ ...MOVED, 'quay.io/x/disk:v9': digestOfText(NEW), 'quay.io/unused/x:v2': digestOfText(NEW) });
      workplace.write({ 'dist/a.yaml': deployment('a', mirrored('one', digestOfText(ONE)), mirrored('two', digestOfText(TWO)), `other.int/y:v9@${digestOfText(NEW)}`) });
      const { code, out } = await run('--prune');
      expect([code, out]).toEqual([ExitCode.OK, `dropped  quay.io/unused/x:v2\ndropped  quay.io/x/three:v1\n${FILE}: 3 images, 2 changed\n`]);
    });

    test('--update asks for the names of the lock', async () => {
      writeLock({ [image('one')]: digestOfText(NEW), 'quay.io/unused/x:v2': digestOfText(NEW) });
      workplace.write({ 'dist/a.yaml': deployment('a', mirrored('one', digestOfText(NEW))) });
      expect((await run('--update')).out).toContain(`changed  ${image('one')} ${digestOfText(ONE)}, was ${digestOfText(NEW)}\n`);
    });

    test('--check finds another digest', async () => {
      writeLock(MOVED);
      workplace.write({ 'dist/a.yaml': deployment('a', mirrored('one', digestOfText(NEW)), mirrored('two', digestOfText(TWO))) });
      const { code, err } = await run('--check');
      expect(code).toBe(ExitCode.FINDINGS);
      expect(err).toBe(`found: mirror.int/m/x/one:v1 has ${digestOfText(NEW)} in the manifests, and as quay.io/x/one:v1 ${digestOfText(ONE)} in ${FILE}; synthesize again\n`);
    });
  });

  test.each<[string, string, string]>([
    ['an image whose digest is from elsewhere', deployment('a', `quay.io/own/y:v1@${digestOfText(NEW)}`), 'quay.io/own/y:v1 has a digest in the manifests, and none of the lock\'s'],
    ['a chart whose images are not known', JSON.stringify({
      apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: { name: 'x' }, spec: { chartName: 'own', version: '1.0.0', repoURL: 'https://x.example.com' },
    }), 'not known: the images of chart own 1.0.0'],
  ])('--prune drops nothing because of %s', async (_, text, doubt) => {
    writeLock({ 'quay.io/some/x:v1': digestOfText(ONE) });
    workplace.write({ 'dist/a.yaml': text });
    const { code, err } = await run('--prune');
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toContain(`found: nothing is dropped, because 1 entry may be used after all:\n       ${doubt}\n`);
    expect(locked()).toEqual({ 'quay.io/some/x:v1': digestOfText(ONE) });
    expect((await run('--prune', '--accept', doubt.slice(0, 20))).code).toBe(ExitCode.OK);
    expect(locked()).toEqual({});
  });

  test('--prune does not wait for images that no lock could have', async () => {
    writeLock({ 'quay.io/some/x:v1': digestOfText(ONE) });
    workplace.write({ 'dist/a.yaml': JSON.stringify({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: { name: 'k' }, spec: {} }) });
    expect((await run('--prune')).code).toBe(ExitCode.OK);
    expect(locked()).toEqual({});
  });

  test('--mirror is asked under the names that ImageSources would write', async () => {
    registry.manifests.set('m/library/busybox:1.37.0', NEW);
    const { code } = await run('--mirror', `${registry.host}/m`, 'busybox:1.37.0');
    expect(code).toBe(ExitCode.OK);
    expect(locked()).toEqual({ 'docker.io/library/busybox:1.37.0': digestOfText(NEW) });
  });

  test('what cannot be resolved does not keep the rest from being written', async () => {
    const { code, out, err } = await run(image('one'), image('absent'));
    expect(code).toBe(ExitCode.FINDINGS);
    expect(locked()).toEqual({ [image('one')]: digestOfText(ONE) });
    expect(out).toContain(`${FILE}: 1 image, 1 changed`);
    expect(err).toContain(`found: ${image('absent')} is not locked: ${registry.host} answers 404 for ${image('absent')}: `);
    expect(err).toContain('check the repository and the tag');
  });

  test('images without tag cannot be locked, and those without room for a digest need not be', async () => {
    const kamaji = JSON.stringify({ apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', metadata: { name: 'a' }, spec: { version: 'v1.35.4' } });
    workplace.write({ 'dist/a.yaml': `${deployment('a', 'quay.io/x/y')}\n---\n${kamaji}` });
    const { code, out, err } = await run();
    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toBe(`${FILE}: 0 images, nothing changed\n`);
    expect(err).toContain('found: quay.io/x/y has no tag, so that nothing can be locked\n');
    expect(err).toContain('note: not known, and not locked: kine');
  });

  test('a part of a second is time as well', async () => {
    expect((await workplace.run(['images', 'lock', '--timeout', '4.0001', '--insecure-registry', registry.host, image('one')])).code).toBe(ExitCode.OK);
  });

  test('many images are asked for a few at a time', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    names.forEach((name) => registry.manifests.set(`x/${name}:v1`, indexManifest(name)));
    let [open, most] = [0, 0];
    registry.answer = (request, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        registry.serve(request, response);
      }, 5);
      return true;
    };
    expect((await run(...names.map((name) => image(name)))).code).toBe(ExitCode.OK);
    expect(Object.keys(locked())).toHaveLength(30);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  test('credentials of docker login are used', async () => {
    const auth = Buffer.from('robot:secret').toString('base64');
    workplace.write({ '.docker/config.json': JSON.stringify({ auths: { [registry.host]: { auth } } }) });
    registry.answer = (request, response) => {
      if (request.headers.authorization === `Basic ${auth}`) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    };
    expect((await run(image('one'))).code).toBe(ExitCode.OK);
  });
});

describe('--check', () => {
  test('asks nobody, writes nothing, and names what is missing', async () => {
    workplace.write({ 'dist/a.yaml': deployment('a', image('one'), image('two')) });
    writeLock({ [image('one')]: digestOfText(ONE) });
    const { code, err } = await run('--check');
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toBe(`found: ${image('two')} has no entry in ${FILE}\n`);
    expect(registry.seen).toEqual([]);
    await run();
    expect((await run('--check')).code).toBe(ExitCode.OK);
  });

  test('knows images by every spelling of their names', async () => {
    writeLock({ 'busybox:1': digestOfText(ONE) });
    workplace.write({ 'dist/a.yaml': deployment('a', 'docker.io/library/busybox:1') });
    expect((await run('--check')).code).toBe(ExitCode.OK);
  });

  test('finds manifests that were written with another lock', async () => {
    writeLock({ [image('one')]: digestOfText(ONE) });
    workplace.write({ 'dist/a.yaml': deployment('a', `${image('one')}@${digestOfText(NEW)}`) });
    const { code, err } = await run('--check');
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toBe(`found: ${image('one')} has ${digestOfText(NEW)} in the manifests, and ${digestOfText(ONE)} in ${FILE}; synthesize again\n`);
  });

  test('with --strict fails when images may be missing', async () => {
    workplace.write({ 'dist/a.yaml': 'replicas: 1' });
    expect((await run('--check')).code).toBe(ExitCode.OK);
    expect((await run('--check', '--strict')).code).toBe(ExitCode.FINDINGS);
    expect((await run('--check', '--strict', '--accept', 'no manifest')).code).toBe(ExitCode.OK);
  });
});

describe('cannot run', () => {
  test.each<[string[], string]>([
    [['--check', '--update'], '--check writes nothing, and --update does'],
    [['--check', '--prune'], '--check writes nothing, and --prune does'],
    [['--mirror', 'https://r.example.com'], '--mirror "https://r.example.com" is not a registry'],
    [['--timeout', 'soon'], '--timeout "soon" is not a number'],
    [['--timeout', '0'], '--timeout "0" is not a number'],
    [['dits'], 'there is no file or folder dits, nor is it an image with a tag'],
    [['quay.io/x/y'], 'there is no file or folder quay.io/x/y, nor is it an image with a tag'],
    [[], 'there is no dist'],
  ])('%j', async (args, fault) => {
    const { code, err } = await run(...args);
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain(`error: ${fault}`);
  });

  test.each([['{', 'cannot be read'], ['{"version": 2, "images": {}}', 'version 2'], ['{"version": 1, "images": {"a:b": "x"}}', 'the digest of "a:b"']])(
    'with the lock %s', async (text, fault) => {
      workplace.write({ [FILE]: text });
      const { code, err } = await run(image('one'));
      expect(code).toBe(ExitCode.FAILED);
      expect(err).toContain(fault);
      expect(workplace.read(FILE)).toBe(text);
    });

  test('where the lock cannot be written', async () => {
    const { code, err } = await run('--lock', 'absent/images.lock.json', image('one'));
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain('absent/images.lock.json cannot be written (ENOENT)');
  });
});
