import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { LARGEST_FILE } from '../../../src/cli/manifests/read-files';
import { Manifests, readManifests } from '../../../src/cli/manifests/read-manifests';
import { Surroundings } from '../../../src/cli/surroundings';
import { remarkText, placeText } from '../../../src/manifests/landscape/place';
import { objectName } from '../../../src/manifests/objects/manifest-object';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

function read(paths: string[], input = ''): Promise<Manifests> {
  const surroundings: Surroundings = {
    cwd: workplace.folder, env: {}, readInput: async () => Buffer.from(input), out: () => undefined, err: () => undefined,
  };
  return readManifests(paths, surroundings);
}

/** Places and names of the objects. */
async function found(paths: string[], input?: string): Promise<string[]> {
  const { objects } = await read(paths, input);
  return objects.map(({ object, place }) => `${placeText(place)} ${objectName(object)}`);
}

const namespace = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;

describe('files', () => {
  test('are those of the folders and of folders in them, in one order', async () => {
    workplace.write({
      'd/b.yaml': namespace('b'),
      'd/a/z.yml': `${namespace('z1')}---\n${namespace('z2')}`,
      'd/a/y.json': '{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "y"}}',
      'd/README.md': 'no manifest',
      'd/.hidden/x.yaml': 'a: [',
      'd/node_modules/x/x.yaml': 'a: [',
    });
    expect(await found(['d'])).toEqual(['d/a/y.json:1 Namespace y', 'd/a/z.yml:1 Namespace z1', 'd/a/z.yml:5 Namespace z2', 'd/b.yaml:1 Namespace b']);
  });

  test('that are named are read whatever their name, and once', async () => {
    workplace.write({ 'd/manifest.txt': namespace('a'), 'd/b.yaml': namespace('b') });
    expect(await found(['d/manifest.txt', 'd/b.yaml', 'd', 'd/../d/b.yaml'])).toEqual(['d/manifest.txt:1 Namespace a', 'd/b.yaml:1 Namespace b']);
  });

  test('behind links are read, and links in a circle end', async () => {
    workplace.write({ 'd/a.yaml': namespace('a'), 'other/b.yaml': namespace('b') });
    fs.symlinkSync(workplace.path('other'), workplace.path('d/linked'));
    fs.symlinkSync(workplace.path('d'), workplace.path('d/circle'));
    expect(await found(['d'])).toEqual(['d/a.yaml:1 Namespace a', 'd/linked/b.yaml:1 Namespace b']);
  });

  test('behind links out of the folders are not read', async () => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'elsewhere-'));
    fs.writeFileSync(path.join(elsewhere, 'token'), 'secret');
    workplace.write({ 'd/a.yaml': namespace('a') });
    fs.symlinkSync(path.join(elsewhere, 'token'), workplace.path('d/token.yaml'));
    fs.symlinkSync('/dev/zero', workplace.path('d/zero.yaml'));
    const refused = read(['d']);
    await expect(refused).rejects.toThrow(/^d\/token\.yaml is a link to .*, which is neither in this folder nor in one that was named\nd\/zero\.yaml is a link to \/dev\/zero/);
    await expect(refused).rejects.not.toThrow('secret');
    fs.rmSync(elsewhere, { recursive: true });
  });

  test('that are no regular files are left alone, and bounded where they are named', async () => {
    workplace.write({ 'd/a.yaml': namespace('a') });
    execFileSync('mkfifo', [workplace.path('d/pipe.yaml')]);
    expect(await found(['d'])).toEqual(['d/a.yaml:1 Namespace a']);
    await expect(read(['/dev/zero'])).rejects.toThrow('/dev/zero does not end in time; more than 64 MiB are not read');
  });

  test('come from standard input, too', async () => {
    expect(await found(['-'], namespace('a'))).toEqual(['standard input:1 Namespace a']);
  });

  test('may be none: an app may have no cluster', async () => {
    workplace.write({ 'empty/x.txt': '' });
    expect(await found(['empty'])).toEqual([]);
  });

  test('that cannot be read are all named in one error', async () => {
    workplace.write({ 'd/large.yaml': '' });
    fs.truncateSync(workplace.path('d/large.yaml'), LARGEST_FILE + 1);
    fs.symlinkSync('nowhere', workplace.path('d/broken.yaml'));
    await expect(read(['absent', 'd'])).rejects.toThrow([
      'there is no absent', 'there is no d/broken.yaml', 'd/large.yaml has 65 MiB; more than 64 MiB are not read',
    ].join('\n'));
  });

  test('that hold something else are all named, with their lines, and nothing is read', async () => {
    workplace.write({ 'd/a.yaml': `${namespace('a')}---\nx: [`, 'd/b.yaml': Buffer.from([0, 1]), 'd/c.yaml': namespace('c') });
    await expect(read(['d'])).rejects.toThrow(/^d\/a\.yaml:6: is no YAML: .*\nd\/b\.yaml: is no text.*$/);
  });
});

describe('documents', () => {
  test('that are lists give their items, in lists of one kind without saying so', async () => {
    const items = [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }, { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } }] }];
    expect(await found(['-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))).toEqual(['standard input:1 Pod a', 'standard input:1 Pod b']);
    expect(await found(['-'], JSON.stringify({ apiVersion: 'apps/v1', kind: 'DeploymentList', items: [{ metadata: { name: 'c', namespace: 'n' } }] })))
      .toEqual(['standard input:1 Deployment n/c']);
  });

  test('but not what only lists files that are read anyway', async () => {
    const list = (...resources: string[]) => `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [${resources.join(', ')}]\n`;
    const notRead = async (text: string) => {
      workplace.write({ 'd/kustomization.yaml': text, 'd/pools/a.yaml': namespace('a'), 'other/b.yaml': namespace('b') });
      return (await read(['d', 'other'])).notRead.map(remarkText);
    };
    const said = ['d/kustomization.yaml:1: is input of kustomize: read what "kustomize build" gives for this folder'];
    expect(await notRead(list('pools', 'pools/a.yaml'))).toEqual([]);
    expect(await notRead(list('missing.yaml'))).toEqual(said);
    expect(await notRead(list('../other'))).toEqual(said);
    expect(await notRead(list('https://example.com/x.yaml'))).toEqual(said);
    expect(await notRead(`${list('pools')}namePrefix: x-\n`)).toEqual(said);
  });

  test('that are no manifests are not passed over in silence', async () => {
    const text = '- 1\n---\ntext\n---\nreplicas: 1\n---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    const { objects, notRead } = await read(['-'], text);
    expect(objects).toEqual([]);
    expect(notRead.map(remarkText)).toEqual([
      'standard input:1: holds no object but a list',
      'standard input:3: holds no object but a string',
      'standard input:5: is no manifest: it has no apiVersion and kind',
      'standard input:7: is input of kustomize: read what "kustomize build" gives for this folder',
    ]);
  });
});

describe('what objects carry packed', () => {
  const set = (...resources: [kind: string, name: string][]) => JSON.stringify({
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name: 's', namespace: 'n' },
    spec: { resources: resources.map(([kind, name]) => ({ kind, name })) },
  });
  const pack = (kind: string, name: string, fields: object, inNamespace = 'n') => JSON.stringify({
    apiVersion: 'v1', kind, metadata: { name, namespace: inNamespace }, ...fields,
  });

  test('is read from ConfigMaps and Secrets of a ClusterResourceSet, every key of them', async () => {
    workplace.write({
      'a.yaml': [
        set(['ConfigMap', 'c'], ['Secret', 's']),
        pack('ConfigMap', 'c', { data: { two: namespace('c2'), one: `${namespace('c1')}---\n${namespace('c1b')}` } }),
        pack('Secret', 's', { data: { x: Buffer.from(namespace('s1')).toString('base64') }, stringData: { y: namespace('s2') } }),
        pack('ConfigMap', 'other', { data: { x: 'not: [yaml' } }),
      ].join('\n---\n'),
    });
    expect((await found(['a.yaml'])).slice(4)).toEqual([
      'a.yaml:3 (ConfigMap n/c, data "one", line 1) Namespace c1',
      'a.yaml:3 (ConfigMap n/c, data "one", line 5) Namespace c1b',
      'a.yaml:3 (ConfigMap n/c, data "two", line 1) Namespace c2',
      'a.yaml:5 (Secret n/s, data "x", line 1) Namespace s1',
      'a.yaml:5 (Secret n/s, stringData "y", line 1) Namespace s2',
    ]);
  });

  test('is read once, even if two sets deliver it', async () => {
    const twice = [set(['ConfigMap', 'c']), set(['ConfigMap', 'c']), pack('ConfigMap', 'c', { data: { one: namespace('c1') } })].join('\n---\n');
    expect((await found(['-'], twice)).filter((line) => line.includes('Namespace'))).toHaveLength(1);
  });

  test('and is not there, or broken, is said', async () => {
    const elsewhere = [set(['ConfigMap', 'c'], ['Secret', 's']), pack('ConfigMap', 'c', {}, 'elsewhere')].join('\n---\n');
    expect((await read(['-'], elsewhere)).notRead.map(remarkText)).toEqual([
      'standard input:1: ClusterResourceSet n/s delivers what is in the ConfigMap c, which is not among the manifests',
      'standard input:1: ClusterResourceSet n/s delivers what is in the Secret s, which is not among the manifests',
    ]);
    const broken = [set(['ConfigMap', 'c']), pack('ConfigMap', 'c', { data: { x: 'a: 1\nb: [' } })].join('\n---\n');
    await expect(read(['-'], broken)).rejects.toThrow('standard input:3 (ConfigMap n/c, data "x", line 3): is no YAML');
  });

  test('is read from files that the kubelet of a machine runs', async () => {
    const text = namespace('static');
    const files = [
      { path: '/etc/kubernetes/manifests/a.yaml', content: text },
      { path: '/etc/kubernetes/manifests/b.yaml', encoding: 'base64', content: Buffer.from(text).toString('base64') },
      { path: '/etc/kubernetes/manifests/c.yaml', encoding: 'gzip+base64', content: gzipSync(text).toString('base64') },
      { path: '/etc/kubernetes/manifests/d.yaml', contentFrom: { secret: { name: 'x', key: 'y' } } },
      { path: '/etc/kubernetes/manifests/e.yaml', encoding: 'gzip+base64', content: 'bm8gZ3ppcA==' },
      { path: '/etc/other.yaml', content: 'a: [' },
    ];
    const kinds: [string, string, object][] = [
      ['bootstrap', 'KubeadmConfig', { files }],
      ['bootstrap', 'KubeadmConfigTemplate', { template: { spec: { files } } }],
      ['controlplane', 'KubeadmControlPlane', { kubeadmConfigSpec: { files } }],
      ['controlplane', 'KubeadmControlPlaneTemplate', { template: { spec: { kubeadmConfigSpec: { files } } } }],
    ];
    for (const [group, kind, spec] of kinds) {
      const { objects, notRead } = await read(['-'], JSON.stringify({ apiVersion: `${group}.cluster.x-k8s.io/v1beta2`, kind, metadata: { name: 'm' }, spec }));
      expect(objects.slice(1).map(({ place }) => place.inside)).toEqual(['a', 'b', 'c'].map((name) => `${kind} m, file /etc/kubernetes/manifests/${name}.yaml, line 1`));
      expect(notRead.map(({ message }) => message)).toEqual(['d', 'e']
        .map((name) => `${kind} m has a file /etc/kubernetes/manifests/${name}.yaml whose content does not stand there`));
    }
  });
});

test('what cdk8s writes beside manifests is not read, unless it is named', async () => {
  workplace.write({ 'dist/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n', 'dist/construct-metadata.json': '{"version": "1.0.0"}' });

  expect(await workplace.run(['validate', '--strict', 'dist'])).toMatchObject({ code: 0, err: '' });
  expect((await workplace.run(['validate', '--strict', 'dist/construct-metadata.json'])).code).toBe(1);
});
