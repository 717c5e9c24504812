import { execFileSync, spawn } from 'node:child_process';
import { ExitCode } from '../../../src/cli/command';
import { jsonFormat } from '../../../src/cli/images/images-command';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { deployment, Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

const DIGEST = `sha256:${'1'.repeat(64)}`;
const OTHER = `sha256:${'2'.repeat(64)}`;

/** A HelmChartProxy, which needs no source of its own. */
function proxy(chart: string, version: string, repository: string, fields: object = {}): string {
  return JSON.stringify({
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: { name: `acme-${chart}`, namespace: 'a' },
    spec: { chartName: chart, version, repoURL: repository, ...fields },
  });
}

const object = (apiVersion: string, kind: string, spec: object) => JSON.stringify({ apiVersion, kind, metadata: { name: 'acme', namespace: 'a' }, spec });
const documents = (...texts: string[]) => texts.join('\n---\n');

interface Listed {
  readonly images: { image: string; usedBy: { object: { name: string }; pointer?: string; reason?: string; inside?: string }[] }[];
  readonly charts: { chart: string; imagesKnown: boolean }[];
  readonly notKnown: { what: string; command?: string }[];
}

async function list(text: string): Promise<Listed> {
  const { code, out, err } = await workplace.run(['images', '--format', 'json', '-'], text);
  expect([code, err]).toEqual([ExitCode.OK, '']);
  return JSON.parse(out) as Listed;
}

describe('what is found', () => {
  test('images by their long names, each once, with everybody who uses it', async () => {
    const { images, notKnown } = await list(documents(deployment('b', 'busybox:1.37.0'), deployment('a', 'docker.io/library/busybox:1.37.0', 'quay.io/x/y:v1')));
    expect(images.map(({ image, usedBy }) => [image, usedBy.map(({ object: { name }, pointer }) => `${name} ${pointer}`)])).toEqual([
      ['docker.io/library/busybox:1.37.0', ['b /spec/template/spec/containers/0/image', 'a /spec/template/spec/containers/0/image']],
      ['quay.io/x/y:v1', ['a /spec/template/spec/containers/1/image']],
    ]);
    expect(notKnown).toEqual([]);
  });

  test('images that only a controller names, with the reason', async () => {
    const { images, notKnown } = await list(object('controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', { version: 'v1.35.4' }));
    expect(images.find(({ image }) => image === 'registry.k8s.io/kube-apiserver:v1.35.4')?.usedBy[0].reason).toBe('Kamaji runs kube-apiserver');
    expect(notKnown.map(({ what }) => what).join()).toContain('kine');
  });

  test('images inside ConfigMaps of a ClusterResourceSet', async () => {
    const set = object('addons.cluster.x-k8s.io/v1beta2', 'ClusterResourceSet', { resources: [{ kind: 'ConfigMap', name: 'pack' }] });
    const pack = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'pack', namespace: 'a' }, data: { x: deployment('in', 'quay.io/x/y:v1') } });
    const { images } = await list(documents(set, pack));
    expect(images.map(({ image, usedBy }) => [image, usedBy[0].inside])).toEqual([['quay.io/x/y:v1', 'ConfigMap a/pack, data "x", line 1']]);
  });

  test('a string that is no image is not known, and no image', async () => {
    const { images, notKnown } = await list(deployment('a', '${IMAGE}'));
    expect(images).toEqual([]);
    expect(notKnown.map(({ what }) => what)).toEqual(['"${IMAGE}", in /spec/template/spec/containers/0/image, is not the name of an image']);
  });

  test('images of a chart that the library knows', async () => {
    const { images, charts, notKnown } = await list(proxy('metrics-server', '3.13.1', 'https://kubernetes-sigs.github.io/metrics-server'));
    expect(charts.map(({ chart, imagesKnown }) => [chart, imagesKnown])).toEqual([['metrics-server', true]]);
    expect(images[0].image).toMatch(/^registry\.k8s\.io\/metrics-server\/metrics-server:v/);
    expect(images[0].usedBy[0].reason).toBe('chart metrics-server 3.13.1');
    expect(notKnown).toEqual([]);
  });

  test('charts of a HelmRelease whose source is in another namespace', async () => {
    const source = (namespace: string, url: string) => JSON.stringify({
      apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata: { name: 'charts', namespace }, spec: { url },
    });
    const release = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', {
      chart: { spec: { chart: 'team', version: '1.0.0', sourceRef: { kind: 'HelmRepository', name: 'charts', namespace: 'sources' } } },
    });
    const { notKnown } = await list(documents(source('a', 'https://a.example.com'), release, source('sources', 'https://b.example.com')));
    expect(notKnown.map(({ command }) => command)).toEqual([expect.stringContaining('--repo https://b.example.com')]);
  });

  test('the output depends on nothing but the manifests', async () => {
    const texts = [deployment('a', 'quay.io/x/y:v1'), deployment('b', 'quay.io/x/y:v1', 'quay.io/x/a:v1'), proxy('x', '1.0.0', 'https://x.example.com')];
    texts.forEach((text, index) => workplace.write({ [`one/${index}.json`]: text, [`other/${index}.json`]: text }));
    const one = await workplace.run(['images', '--format', 'json', 'one/2.json', 'one/0.json', 'one/1.json']);
    const other = await workplace.run(['images', '--format', 'json', 'other']);
    expect(one.out.replaceAll('one/', 'other/')).toBe(other.out);
  });

  test('the folder "dist" is read unless another is named', async () => {
    expect((await workplace.run(['images'])).err).toContain('there is no dist');
    workplace.write({ 'dist/a.yaml': deployment('a', 'quay.io/x/y:v1') });
    expect((await workplace.run(['images'])).out).toContain('quay.io/x/y:v1');
  });
});

describe('what is not known', () => {
  test('values from a ConfigMap that has none are known', async () => {
    const release = (name: string) => object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { valuesFrom: [{ kind: 'ConfigMap', name }] });
    const gate = (name: string, values: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a' }, data: { 'values.yaml': values } });
    const { notKnown } = await list(documents(release('gate'), gate('gate', '{}\n'), release('more'), gate('more', 'image: x')));

    expect(notKnown.map(({ what }) => what).filter((what) => what.includes('ConfigMap'))).toEqual([expect.stringContaining('the ConfigMap more')]);
  });

  test.each<[string, string, string]>([
    ['a chart without a table', proxy('team', '1.0.0', 'https://charts.example.com'), 'the images of chart team 1.0.0'],
    ['another version of a chart', proxy('metrics-server', '0.0.1', 'https://charts.example.com'), 'the images of chart metrics-server 0.0.1'],
    ['a HelmRelease whose source is elsewhere', object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { chartRef: { kind: 'OCIRepository', name: 'x' } }),
      'HelmRelease a/acme installs a chart whose repository or version is not among the manifests'],
    ['values from a ConfigMap', object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { valuesFrom: [{ kind: 'ConfigMap', name: 'v' }] }),
      'HelmRelease a/acme takes values from the ConfigMap v'],
    ['a template of values', proxy('team', '1.0.0', 'https://x.example.com', { valuesTemplate: 'a: {{ .Cluster.name }}' }), 'a template of values'],
    ['a folder of a repository', object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: './a/b/c' }), 'applies the folder "./a/b/c"'],
    ['a whole repository', object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', {}), 'applies the folder ""'],
    ['a folder for Argo CD', object('argoproj.io/v1alpha1', 'Application', { source: { repoURL: 'https://x.example.com/y.git', path: 'p' } }), 'applies the folder "p"'],
    ['values as text', object('argoproj.io/v1alpha1', 'Application', {
      source: { repoURL: 'https://x.example.com', chart: 'c', targetRevision: '1.0.0', helm: { values: 'a: b' } },
    }), 'has spec.source.helm.values'],
    ['an ApplicationSet', object('argoproj.io/v1alpha1', 'ApplicationSet', {}), 'makes Applications from a template'],
    ['a field that may name an image', object('postgresql.cnpg.io/v1', 'Cluster', { imageName: 'ghcr.io/x/y:v1' }), 'ghcr.io/x/y:v1: /spec/imageName of Cluster a/acme may name it as an image'],
    ['a value that may name an image', proxy('metrics-server', '3.13.1', 'https://x.example.com', { valuesTemplate: 'sidecarImage: quay.io/x/y:v1' }),
      'quay.io/x/y:v1: the value sidecarImage of the chart "metrics-server" may name it'],
    ['a range of versions', proxy('team', '^1.2.0', 'https://x.example.com'), 'the version of chart team ^1.2.0, a range'],
    ['an address that is an option without its scheme', proxy('team', '1.0.0', 'oci://--config=x/y'), 'a chart that cannot be'],
    ['no manifest', 'replicas: 1', 'is no manifest'],
    ['a chart that looks like an option', proxy('--post-renderer', '1.0.0', 'https://x.example.com'), 'a chart that cannot be: "--post-renderer"'],
    ['a chart in a folder', proxy('./charts/x', '1.0.0', 'https://x.example.com'), 'the chart in folder ./charts/x'],
  ])('%s', async (_name, text, what) => {
    const { notKnown } = await list(text);
    expect(notKnown.map((thing) => thing.what).join('\n')).toContain(what);
    const strict = await workplace.run(['images', '--strict', '-'], text);
    expect(strict.code).toBe(ExitCode.FINDINGS);
    expect(strict.err).toContain('found: not known: ');
  });

  test('comes with the command that finds it out', async () => {
    const { notKnown } = await list(documents(proxy('team', '1.0.0', 'https://charts.example.com'), proxy('own', '2.0.0+a$(b)', 'oci://registry.example.com/c')));
    expect(notKnown.map(({ command }) => command)).toEqual([
      "helm template oci://registry.example.com/c/own --version '2.0.0+a$(b)' | npx cdk8s-cluster-api images -",
      'helm template team --repo https://charts.example.com --version 1.0.0 | npx cdk8s-cluster-api images -',
    ]);
  });

  test('is read when its folder is', async () => {
    const kustomization = object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: './clusters/prod/a/acme/team' });
    workplace.write({ 'dist/acme.yaml': kustomization, 'dist/a/acme/team/x.yaml': deployment('x', 'quay.io/x/y:v1') });
    expect((await workplace.run(['images', '--strict', 'dist'])).code).toBe(ExitCode.OK);
    expect((await workplace.run(['images', '--strict', 'dist/acme.yaml'])).code).toBe(ExitCode.FINDINGS);
  });

  test('may be accepted', async () => {
    const two = documents(proxy('team', '1.0.0', 'https://x.example.com'), proxy('own', '1.0.0', 'https://x.example.com'));
    expect((await workplace.run(['images', '--strict', '--accept', 'chart team', '-'], two)).err).toBe('found: not known: the images of chart own 1.0.0\n');
    expect((await workplace.run(['images', '--strict', '--accept', 'chart team', '--accept', 'chart own', '-'], two)).code).toBe(ExitCode.OK);
  });
});

describe('what can be demanded', () => {
  const images = [`quay.io/x/pinned@${DIGEST}`, `quay.io/x/both:latest@${DIGEST}`, 'quay.io/x/tagged:v1', 'quay.io/x/latest:latest', 'quay.io/x/none'];

  test.each([
    ['--require-pinned', ['quay.io/x/latest:latest', 'quay.io/x/none']],
    ['--require-digests', ['quay.io/x/latest:latest', 'quay.io/x/none', 'quay.io/x/tagged:v1']],
  ])('%s', async (option, found) => {
    const { code, err } = await workplace.run(['images', option, '-'], deployment('a', ...images));
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err.trim().split('\n').map((line) => line.split(' ')[1])).toEqual(found);
  });

  test('digests are not demanded where a controller has no room for one', async () => {
    const text = object('controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', { version: 'v1.35.4', addons: { konnectivity: { server: { version: 'v0.34.0' } } } });
    expect((await workplace.run(['images', '--require-digests', '-'], text)).code).toBe(ExitCode.OK);
  });
});

describe('--format text', () => {
  test('is a table that ends with a summary', async () => {
    const text = documents(deployment('a', 'quay.io/x/y:v1', 'quay.io/x/y:v1'), deployment('b', `quay.io/x/y@${DIGEST}`, 'quay.io/x/y:v1'), proxy('team', '1.0.0', 'https://x.example.com'));
    const { out } = await workplace.run(['images', '-'], text);
    expect(out.split('\n')).toEqual([
      `IMAGE${' '.repeat(80)}USED BY`,
      `quay.io/x/y:v1${' '.repeat(71)}Deployment a/a, 1 more`,
      `quay.io/x/y@${DIGEST}  Deployment a/b`,
      '',
      'CHART  VERSION  REPOSITORY             IMAGES     USED BY',
      'team   1.0.0    https://x.example.com  see below  HelmChartProxy a/acme-team',
      '',
      'NOT KNOWN',
      '- the images of chart team 1.0.0',
      '    at standard input:5',
      '    to find out: helm template team --repo https://x.example.com --version 1.0.0 | npx cdk8s-cluster-api images -',
      '',
      '2 images (1 without digest), 1 chart, 1 thing not known',
      '',
    ]);
  });

  test('says so when there is nothing', async () => {
    expect((await workplace.run(['images', '-'], '# nothing\n')).out).toBe('0 images (0 without digest), 0 charts, nothing that is not known\n');
  });
});

describe('what manifests say', () => {
  test.each(['text', 'copy'])('cannot steer the terminal: --format %s', async (format) => {
    const text = JSON.stringify({ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: 'a\u001b[2Jb\nc\u202e' }, spec: {} });
    const options = format === 'copy' ? ['--to', 'r.example.com', '--tool', 'crane'] : ['--strict'];
    const { out, err } = await workplace.run(['images', '--format', format, ...options, '-'], text);
    expect(out + err).not.toMatch(/\u001b|\u202e|b\nc/);
    expect(out).toContain('a\\u001b[2Jb\\u000ac\\u202e');
    expect(err).toContain(format === 'copy' ? 'note: ' : 'a\\u001b[2Jb\\u000ac\\u202e');
  });
});

describe('what may be read', () => {
  test('standard input that is empty is no answer', async () => {
    const { code, err } = await workplace.run(['images', '-'], '');
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain('error: standard input is empty\n');
  });

  test('the output of a command, as shells give it', () => {
    execFileSync('mkfifo', [workplace.path('pipe')]);
    const writer = spawn('sh', ['-c', `printf '%s' '${deployment('a', 'quay.io/x/y:v1')}' > pipe`], { cwd: workplace.folder });
    return workplace.run(['images', 'pipe']).then(({ out }) => {
      writer.kill();
      expect(out).toContain('quay.io/x/y:v1');
    });
  });

  test('a file of cloud-config, and one of values, are called what they are', async () => {
    workplace.write({ 'dist/a/cloud-config.yaml': '#cloud-config\nwrite_files: []\n', 'dist/a/03-calico.values.yaml': 'image: x\n' });
    const { out } = await workplace.run(['images']);
    expect(out).toContain('- is cloud-config of a machine: ');
    expect(out).toContain('- is not a manifest but values of a chart: ');
  });
});

test('--format json has a version, and a shape that does not change unnoticed', () => {
  const place = { file: 'a.yaml', line: 3 };
  const uses = [{ object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }, place, pointer: '/spec' }];
  expect(JSON.parse(jsonFormat({
    images: [{ image: 'r.example.com/a:v1', name: 'r.example.com/a', tag: 'v1', takesDigest: true, uses }],
    charts: [{ chart: 'c', version: '1.0.0', repository: 'https://x.example.com', imagesKnown: false, uses }],
    notKnown: [{ what: 'w', command: 'c', takesDigest: true, places: [place] }],
  }))).toEqual({
    version: 1,
    images: [{
      image: 'r.example.com/a:v1',
      name: 'r.example.com/a',
      tag: 'v1',
      takesDigest: true,
      usedBy: [{ file: 'a.yaml', line: 3, object: { apiVersion: 'v1', kind: 'Pod', name: 'p' }, pointer: '/spec' }],
    }],
    charts: [{
      chart: 'c',
      version: '1.0.0',
      repository: 'https://x.example.com',
      imagesKnown: false,
      usedBy: [{ file: 'a.yaml', line: 3, object: { apiVersion: 'v1', kind: 'Pod', name: 'p' }, pointer: '/spec' }],
    }],
    notKnown: [{ what: 'w', command: 'c', places: [{ file: 'a.yaml', line: 3 }] }],
  });
});

describe('--format copy', () => {
  const TO = ['--format', 'copy', '--to', 'r.example.com:5000/m'];
  const copy = async (tool: string, text: string, ...options: string[]) => workplace.run(['images', ...TO, '--tool', tool, ...options, '-'], text);
  const lines = (out: string) => out.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  test.each([
    ['crane', `crane copy quay.io/x/y@${DIGEST} r.example.com:5000/m/x/y:v1`],
    ['skopeo', `skopeo copy --all --preserve-digests docker://quay.io/x/y@${DIGEST} docker://r.example.com:5000/m/x/y:v1`],
    ['oras', `oras cp quay.io/x/y@${DIGEST} r.example.com:5000/m/x/y:v1`],
    ['regctl', `regctl image copy quay.io/x/y@${DIGEST} r.example.com:5000/m/x/y:v1`],
    ['docker', `docker buildx imagetools create --prefer-index=false --tag r.example.com:5000/m/x/y:v1 quay.io/x/y@${DIGEST}`],
  ])('%s copies what the digest says, to the tag', async (tool, line) => {
    const { code, out } = await copy(tool, deployment('a', `quay.io/x/y:v1@${DIGEST}`, 'quay.io/x/y:v1'));
    expect(code).toBe(ExitCode.OK);
    expect(lines(out)).toEqual(['set -eu', line]);
  });

  test('goes to where ImageSources looks', async () => {
    const images = ['docker.io/library/busybox:1', 'velero/velero:v1', 'quay.io/x/y:v1', 'r.example.com:5000/m/x/z:v1', 'ghcr.io/a/b/c:v2'];
    const { out } = await copy('crane', deployment('a', ...images, 'busybox', `quay.io/x/y@${DIGEST}`));
    const sources = new ImageSources({ imageRegistry: 'r.example.com:5000/m' });
    for (const { image, changed } of images.map((given) => sources._resolver.resolve(given))) {
      expect(lines(out).some((line) => line.endsWith(` ${image}`))).toBe(changed);
    }
    expect(out).toContain('crane copy docker.io/library/busybox:latest r.example.com:5000/m/library/busybox:latest');
    expect(out).toContain(`crane copy quay.io/x/y@${DIGEST} r.example.com:5000/m/x/y:digest-111111111111`);
    expect(out).not.toContain('x/z');
  });

  test.each([['crane', true], ['oras', true], ['regctl', true], ['skopeo', false], ['docker', false]])('charts in a registry with %s: by itself %s', async (tool, byItself) => {
    const { out } = await copy(tool, proxy('own', '2.0.0+a', 'oci://registry.example.com/c'), '--charts-to', 'oci://r.example.com/charts');
    if (byItself) expect(lines(out).at(-1)).toMatch(/ registry\.example\.com\/c\/own:2\.0\.0_a r\.example\.com\/charts\/own:2\.0\.0_a$/);
    else expect(lines(out).slice(-2)).toEqual(['helm pull oci://registry.example.com/c/own --version 2.0.0+a', 'helm push own-2.0.0+a.tgz oci://r.example.com/charts']);
  });

  test('charts in a Helm repository are pulled and pushed, those that are there already are not', async () => {
    const text = documents(proxy('team', '1.0.0', 'https://x.example.com/c'), proxy('own', '1.0.0', 'oci://r.example.com/charts'));
    const { out } = await copy('crane', text, '--charts-to', 'oci://r.example.com/charts');
    expect(lines(out).slice(-2)).toEqual(['helm pull team --repo https://x.example.com/c --version 1.0.0', 'helm push team-1.0.0.tgz oci://r.example.com/charts']);
    expect((await copy('crane', text)).out).toContain('# Charts stay where they are, without --charts-to\n#   own 1.0.0 oci://r.example.com/charts\n#   team 1.0.0');
  });

  test.each(['^1.2.0', '*', '1.x', '>=1.0.0', '1.2'])('a chart in version %s is not copied, and found', async (version) => {
    const { code, out, err } = await copy('crane', proxy('team', version, 'oci://x.example.com/c'), '--charts-to', 'oci://r.example.com/charts');
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toContain(`found: chart team is not copied: its version ${JSON.stringify(version)} is a range; name one version\n`);
    expect(lines(out)).toEqual(['set -eu']);
  });

  test('what is not known is said to whoever pipes the script, too', async () => {
    const text = documents(proxy('team', '1.0.0', 'https://x.example.com'), proxy('own', '1.0.0', 'https://x.example.com'));
    expect((await copy('crane', text)).err).toMatch(/^note: not known, and not copied: the images of chart own 1\.0\.0; to find out: helm template .*\nnote: .* chart team /);
    const { err } = await copy('crane', text, '--strict', '--accept', 'chart own');
    expect(err).toMatch(/^note: .*chart own/);
    expect(err).toContain('found: not known: the images of chart team 1.0.0\n');
    expect(err).not.toMatch(/note: .*chart team/);
  });

  test('images that a chart was declared to run are copied', async () => {
    const annotated = JSON.parse(proxy('team', '1.0.0', 'https://x.example.com')) as { metadata: object };
    const { code, out } = await copy('crane', JSON.stringify({ ...annotated, metadata: { name: 'x', annotations: { 'cdk8s-cluster-api/chart-images': '["quay.io/x/y:v1"]' } } }), '--strict');
    expect(code).toBe(ExitCode.OK);
    expect(lines(out)).toEqual(['set -eu', 'crane copy quay.io/x/y:v1 r.example.com:5000/m/x/y:v1']);
  });

  test('what is not known is said in the script, and words cannot become commands', async () => {
    const text = documents(proxy('team', '1;reboot', 'https://x.example.com/$(reboot)'), deployment('a', 'bad\nreboot\n'));
    const { out } = await copy('crane', text, '--charts-to', 'oci://r.example.com/charts');
    expect(lines(out).filter((line) => /reboot/.test(line))).toEqual([
      "helm pull team --repo 'https://x.example.com/$(reboot)' --version '1;reboot'", "helm push 'team-1;reboot.tgz' oci://r.example.com/charts",
    ]);
    expect(execFileSync('sh', ['-n'], { input: out, encoding: 'utf8' })).toBe('');
    expect(out).toContain('# Not known, and not copied\n');
  });

  test('the script does what it says, and stops at the first failure', async () => {
    workplace.write({ 'bin/crane': '#!/bin/sh\necho "crane $*"\ncase "$2" in *bad*) exit 3;; esac\n', 'bin/helm': '#!/bin/sh\necho "helm $*"\n' });
    execFileSync('chmod', ['755', workplace.path('bin/crane'), workplace.path('bin/helm')]);
    const { out } = await copy('crane', documents(deployment('a', 'quay.io/x/y:v1'), proxy('team', '1.0.0', 'https://x.example.com')), '--charts-to', 'oci://r.example.com/charts');
    const env = { PATH: `${workplace.path('bin')}:${process.env.PATH}` };
    const input = (text: string) => ({ input: text, env, encoding: 'utf8' as const, stdio: 'pipe' as const });
    expect(execFileSync('sh', input(out)).trim().split('\n')).toEqual([
      'crane copy quay.io/x/y:v1 r.example.com:5000/m/x/y:v1', 'helm pull team --repo https://x.example.com --version 1.0.0', 'helm push team-1.0.0.tgz oci://r.example.com/charts',
    ]);
    const { out: failing } = await copy('crane', deployment('a', 'quay.io/x/bad:v1', 'quay.io/x/c:v1'));
    expect(() => execFileSync('sh', input(failing))).toThrow(expect.objectContaining({ status: 3, stdout: 'crane copy quay.io/x/bad:v1 r.example.com:5000/m/x/bad:v1\n' }) as Error);
  });

  test.each([
    ['two registries', ['quay.io/x/y:v1', 'ghcr.io/x/y:v1'], 'ghcr.io/x/y:v1 and quay.io/x/y:v1 would both become r.example.com:5000/m/x/y:v1'],
    ['two digests', [`quay.io/x/y:v1@${DIGEST}`, `quay.io/x/y:v1@${OTHER}`], `quay.io/x/y@${DIGEST} and quay.io/x/y@${OTHER} would both become r.example.com:5000/m/x/y:v1`],
  ])('%s that would overwrite one another are found', async (_name, images, found) => {
    const { code, err } = await copy('crane', deployment('a', ...images));
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toContain(`found: ${found}\n`);
  });

  test.each([
    [['--format', 'copy'], '--format copy needs --to and --tool'],
    [[...TO], '--format copy needs --to and --tool'],
    [[...TO, '--tool', 'rsync'], '--tool "rsync" is not known'],
    [['--format', 'copy', '--to', 'https://r.example.com', '--tool', 'crane'], '--to: "https://r.example.com" is not a registry'],
    [[...TO, '--tool', 'crane', '--charts-to', 'r.example.com'], '--charts-to: "r.example.com" is not a URL'],
    [[...TO, '--tool', 'crane', '--charts-to', 'https://r.example.com'], '--charts-to: nothing can be pushed'],
    [['--to', 'r.example.com'], '--to says where copies go'],
    [['--format', 'json', '--tool', 'crane'], '--tool says where copies go'],
  ])('%j cannot run', async (options, fault) => {
    const { code, err } = await workplace.run(['images', ...options, '-']);
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain(`error: ${fault}`);
  });
});
