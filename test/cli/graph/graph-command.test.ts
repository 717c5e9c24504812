import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { expectFile } from '../golden-file';
import { deployment, Workplace } from '../run';

const FLEET = fs.readFileSync(path.join(__dirname, '../../manifests/landscape/fleet/fleet.yaml'), 'utf8');
const GOLDEN = path.join(__dirname, 'golden');

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

async function graph(...args: string[]): Promise<string> {
  const { code, out, err } = await workplace.run(['graph', ...args, '-'], FLEET);
  expect([code, err]).toEqual([ExitCode.OK, '']);
  return out;
}

describe('Mermaid', () => {
  test('has the parts of a cluster in two groups, and the order of its addons', async () => {
    const out = await graph('--cluster', 'tenant-acme/acme');
    expect(out).toMatch(/^flowchart TB\n/);
    expect(out.match(/^ {2}subgraph .*\n {4}direction LR$/gm)).toHaveLength(3);
    expect(out).toContain('legend_control_plane["control plane"]:::is_control_plane');
    expect(out).toContain('  accDescr: state declared, Kubernetes v1.35.4, control plane');
    for (const line of [
      'subgraph n_group_management ["Management cluster, namespace tenant-acme"]',
      'n_cluster_acme --> n_control_plane',
      'n_cluster_autoscaler --> n_pool_general',
      'subgraph n_group_tenant ["Inside the cluster acme"]',
      'n_acme_cilium -.-> n_acme_cert_manager',
      'n_acme_cert_manager -.-> n_acme_traefik',
    ]) expect(out).toContain(`  ${line}\n`);
    // Traefik waits for Cilium anyway, and the autoscaler leaves a pool of a fixed size alone.
    expect(out).not.toContain('n_acme_cilium -.-> n_acme_traefik');
    expect(out).not.toContain('n_cluster_autoscaler --> n_pool_gpu');
    expectFile(path.join(GOLDEN, 'acme.mmd'), out);
  });

  test('has waves', async () => {
    const out = await graph('--cluster', 'site/edge');
    expect(out).toContain('n_site_edge_calico -.-> n_wave_1\n');
    expect(out).toContain('n_wave_1 -.-> n_site_edge_workloads\n');
    expectFile(path.join(GOLDEN, 'edge.mmd'), out);
  });

  test('has what belongs to the management cluster alone', async () => {
    expect(await graph('--management')).toContain('n_cert_manager -.-> n_kamaji\n');
  });
});

describe('SVG', () => {
  test('is a picture for light and dark ground, with words for whoever does not see it', async () => {
    const out = await graph('--cluster', 'acme', '--format', 'svg');
    expect(out).toContain('<title id="tenant-acme-acme--title">Cluster tenant-acme/acme</title>');
    expect(out).toMatch(/<desc id="tenant-acme-acme--desc">state declared; Kubernetes v1\.35\.4; .*pools: acme-general \(1\.\.10\), acme-gpu \(2\)/);
    expect(out).toContain('@media (prefers-color-scheme: dark)');
    expect(out).not.toMatch(/<script|href=|url\((?!#)|<image|@import/);
    expectFile(path.join(GOLDEN, 'acme.svg'), out);
  });

  test('goes to a file', async () => {
    const { code, out, err } = await workplace.run(['graph', '--cluster', 'acme', '--format', 'svg', '--output', 'new/acme.svg', '-'], FLEET);
    expect([code, out, err]).toEqual([ExitCode.OK, '', '1 picture in new/acme.svg\n']);
    expect(workplace.read('new/acme.svg')).toBe(await graph('--cluster', 'acme', '--format', 'svg'));
  });

  test.each(['pictures', 'pictures/'])('of several clusters goes to the folder %s', async (output) => {
    const { code, err } = await workplace.run(['graph', '--format', 'svg', '--output', output, '-'], FLEET);
    expect([code, err]).toEqual([ExitCode.OK, `5 pictures in ${output}\n`]);
    expect(fs.readdirSync(workplace.path('pictures')).sort()).toEqual(['management-cluster.svg', 'site-edge.svg', 'site-old.svg', 'site-quick.svg', 'tenant-acme-acme.svg']);
  });
});

test.each(['mermaid', 'svg'])('%s does not depend on the order of the manifests', async (format) => {
  const reversed = FLEET.split(/^---\n/m).reverse().join('\n---\n');
  const { out } = await workplace.run(['graph', '--cluster', 'acme', '--format', format, '-'], reversed);
  expect(out).toBe(await graph('--cluster', 'acme', '--format', format));
});

describe('HTML', () => {
  test('is one page with everything, which loads nothing and runs nothing but its own script', async () => {
    const out = await graph('--format', 'html');
    expect(out.match(/<svg class="cg" viewBox/g)).toHaveLength(5);
    for (const [, anchor] of out.matchAll(/href="#([^"]+)"/g)) expect(out).toContain(` id="${anchor}" class="target`);
    const rows = [...out.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>/g)].map(([, cell]) => cell).filter((cell) => cell.includes('/'));
    for (const cell of rows) expect(cell).toMatch(/^<a href="#[a-z0-9-]+">/);
    expect(out).toContain('<td>acme-general</td>');
    expect(out.replace(/<script>[^]*<\/script>/, '')).not.toMatch(/<script|src=|<link|url\((?!#)|@import|href="(?!#)| style=| on[a-z]+=/);
    const ids = [...out.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expectFile(path.join(GOLDEN, 'fleet.html'), out);
  });

  test('allows its own style and script alone', async () => {
    const out = await graph('--format', 'html');
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(out)!;
    const hash = (element: string) => `'sha256-${createHash('sha256').update(new RegExp(`<${element}>([^]*)</${element}>`).exec(out)![1]).digest('base64')}'`;
    expect(policy).toBe(`default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; base-uri 'none'; form-action 'none'`);
  });

  test('of one cluster lists that one alone, with its picture open', async () => {
    const out = await graph('--format', 'html', '--cluster', 'site/edge');
    expect(out).toContain('site/edge');
    expect(out).not.toContain('acme');
    expect(out).toContain('<details class="picture" open>');
    expect(out).not.toContain('class="wide matrix"');
  });

  test('goes to a file, and the message counts pictures', async () => {
    const { err } = await workplace.run(['graph', '--format', 'html', '--output', 'fleet.html', '-'], FLEET);
    expect(err).toBe('5 pictures in fleet.html\n');
  });
});

describe('groups of clusters', () => {
  const cluster = (name: string, version: string, labels: object) => JSON.stringify({
    apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name, namespace: 'n', labels }, spec: { topology: { classRef: { name: 'c' }, version } },
  });
  const fleet = (...clusters: string[]) => clusters.join('\n---\n');
  const matrix = async (input: string, ...args: string[]) => {
    const { out } = await workplace.run(['graph', '--format', 'html', ...args, '-'], input);
    const [, table] = /<div class="wide matrix">([^]*?)<\/div>/.exec(out)!;
    return [...table.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell.replace(/<[^>]*>/g, '')));
  };
  const RINGS = fleet(
    cluster('a', 'v1.36.1', { 'example.com/ring': 'canary', 'tier': 'gold' }), cluster('b', 'v1.9.4', { 'example.com/ring': 'main', 'tier': 'gold' }),
    cluster('c', 'v1.10.0', { 'example.com/ring': 'main', 'tier': 'bronze' }), cluster('d', 'v1.10.0-rc.1', {}),
  );

  test('are those of a version and ring, the newest version first', async () => {
    expect(await matrix(RINGS)).toEqual([
      ['Version, ring', 'canary', 'main', 'no ring', 'All'],
      ['v1.36.1', '1', '', '', '1'],
      ['v1.10.0', '', '1', '', '1'],
      ['v1.10.0-rc.1', '', '', '1', '1'],
      ['v1.9.4', '', '1', '', '1'],
      ['All', '1', '2', '1', '4'],
    ]);
  });

  test('may be those of another label', async () => {
    expect((await matrix(RINGS, '--group-by', 'tier'))[0]).toEqual(['Version, tier', 'bronze', 'gold', 'no tier', 'All']);
  });

  test('are not those of a label that no cluster has', async () => {
    expect(await workplace.run(['graph', '--format', 'html', '--group-by', 'example.com/rings', '-'], RINGS)).toMatchObject({
      code: ExitCode.FAILED, out: '', err: expect.stringContaining('no Cluster has the label "example.com/rings"; did you mean example.com/ring?\n'),
    });
  });

  test('are those of a region where there are no rings, and of versions where there is no label', async () => {
    const version = 'v1.36.1';
    expect((await matrix(fleet(cluster('a', version, { 'topology/region': 'x' }), cluster('b', version, { app: 'b' }))))[0]).toEqual(['Version, region', 'no region', 'x', 'All']);
    expect(await matrix(fleet(cluster('a', version, {}), cluster('b', version, { app: 'b' })))).toEqual([['Version', 'Clusters'], [version, '2']]);
  });
});

describe('a plan', () => {
  const NEWER = FLEET.replace('replicas: 2\n', 'replicas: 3\n').replaceAll('v1.35.4', 'v1.35.5');
  const planned = async (old: string, now: string, ...args: string[]) => {
    workplace.write({ 'old/fleet.yaml': old, 'new/fleet.yaml': now });
    return workplace.run(['graph', '--plan', 'old', ...args, 'new']);
  };

  test('draws what changes with a sign, a line, and the words of the plan', async () => {
    const { out } = await planned(FLEET, NEWER, '--format', 'svg', '--cluster', 'acme');
    expect(out).toContain('>± pool general</text>');
    expect(out).toContain('>1 to 10 machines are replaced, 1 at a time:</text>');
    expect(out).toMatch(/<rect class="cg-box cg-now-replaced" [^>]*>/);
    expect(out).toContain('>infrastructure</text>');
    expect(out).toContain('>± machines, pods or data replaced or deleted</text>');
    expect(out).toContain('>unchanged</text>');
  });

  test('draws in Mermaid, and only what changes', async () => {
    const { code, out } = await planned(FLEET, NEWER);
    expect(code).toBe(ExitCode.OK);
    expect(out).toContain('accTitle: Cluster tenant-acme/acme\n');
    expect(out).toMatch(/n_pool_general\["#177; pool general<br\/>.*1 to 10 machines are replaced, 1 at a time: version v1.35.4 -#62; v1.35.5.*"\]:::is_replaced/);
    expect(out).toContain(':::is_unchanged');
    expect(out).toContain('classDef is_replaced fill:#ffebe9,stroke:#cf222e,stroke-width:3px');
  });

  test('draws what is new and what is gone', async () => {
    const without = (text: string, name: string) => text.split(/^---\n/m).filter((document) => !document.includes(`metadata: { name: ${name},`)).join('---\n');
    const fewer = without(FLEET, 'acme-traefik');
    expect((await planned(fewer, FLEET, '--format', 'svg', '--cluster', 'acme')).out).toMatch(/cg-bar cg-now-created"[^>]*><text [^>]*>\+ traefik</);
    const { out } = await planned(FLEET, fewer, '--format', 'svg', '--cluster', 'acme');
    expect(out).toMatch(/<rect class="cg-box cg-now-deleted"/);
    expect(out).toMatch(/cg-bar cg-now-deleted"[^>]*><text [^>]*>− traefik</);
    expect(out).toContain('.cg-box.cg-now-deleted { stroke-width: 2; stroke-dasharray: 7 4; }');
  });

  test('draws what is new beside what is gone, where another kind takes its name', async () => {
    const old = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: { name: acme, namespace: t }
spec: { controlPlaneRef: { apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: acme } }
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: { name: acme, namespace: t }
spec: { replicas: 3, version: v1.35.4 }
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: { name: acme-p, namespace: t }
spec: { clusterName: acme, replicas: 2, template: { spec: { clusterName: acme, version: v1.35.4 } } }
`;
    const { out } = await planned(old, old.replaceAll('KubeadmControlPlane', 'KamajiControlPlane').replace('MachineDeployment', 'MachinePool'));
    expect(out).toMatch(/"#43; pool p<br\/>MachinePool acme-p<br\/>[^"]*"\]:::is_created/);
    expect(out).toMatch(/"#8722; pool p<br\/>MachineDeployment acme-p<br\/>[^"]*2 machines are deleted: MachineDeployment acme-p"\]:::is_deleted/);
    expect(out).toMatch(/"#43; control plane<br\/>KamajiControlPlane acme<br\/>[^"]*"\]:::is_created/);
    expect(out).toMatch(/"#8722; control plane<br\/>deleted: KubeadmControlPlane acme[^"]*"\]:::is_deleted/);
  });

  test('draws a new and a removed cluster', async () => {
    const without = FLEET.split(/^---\n/m).filter((document) => !document.includes('tenant-acme')).join('---\n');
    for (const [old, now, word] of [[without, FLEET, 'created'], [FLEET, without, 'deleted']]) {
      const { out } = await planned(old, now, '--format', 'html');
      expect(out).toMatch(new RegExp(`<a href="#tenant-acme-acme">tenant-acme/acme</a></th><td class="now-${word}">. ${word}</td>`));
      expect(out).toContain('<td class="now-unchanged">unchanged</td>');
    }
  });

  test('has every part that changes in a box, those without a place in the cluster, too', async () => {
    const map = (text: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'tenant-acme' }, data: { text } });
    const { out } = await planned(`${FLEET}\n---\n${map('a')}`, `${FLEET}\n---\n${map('b')}`, '--format', 'svg');
    expect(out).toContain('>~ ConfigMap</text>');
    expect(out).toContain('>changed in place: data.text</text>');
  });

  test('in HTML begins with the totals, and with the clusters that change', async () => {
    const { out: page } = await planned(FLEET, NEWER, '--format', 'html');
    expect(page).toContain('<h1>Planned changes</h1>\n<p>1 of 4 clusters differs (1 changed);');
    expect(page).toContain('<small>1 changes</small>');
    expect(page).toContain('name="changes"');
  });

  test('compares with a commit', async () => {
    workplace.write({ 'dist/fleet.yaml': FLEET });
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: workplace.folder });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'a');
    workplace.write({ 'dist/fleet.yaml': NEWER });
    const { code, out } = await workplace.run(['graph', '--base', 'HEAD']);
    expect([code, out]).toEqual([ExitCode.OK, (await planned(FLEET, NEWER)).out]);
  });

  test.each<[string[], ExitCode, string]>([
    [['--plan', 'old', 'old'], ExitCode.FINDINGS, 'found: nothing changes that could be drawn\n'],
    [['--plan', 'old', '--base', 'HEAD', 'old'], ExitCode.FAILED, '--plan and --base both name the earlier state\nleave out one of them\n'],
    [['--plan', 'old', 'old', 'old'], ExitCode.FAILED, 'there is more than one later state'],
    [['--plan', 'gone', 'old'], ExitCode.FAILED, 'there is no gone'],
    [['--group-by', 'ring', 'old'], ExitCode.FAILED, '--group-by is for --format html'],
  ])('%j ends as it should', async (args, code, err) => {
    workplace.write({ 'old/fleet.yaml': FLEET });
    expect(await workplace.run(['graph', ...args])).toMatchObject({ code, out: '', err: expect.stringContaining(err) });
  });
});

const TWINS = ['a', 'b'].map((namespace) => JSON.stringify({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'twin', namespace } })).join('\n---\n');

test.each<[string[], string, ExitCode, string]>([
  [['-'], deployment('a', 'x'), ExitCode.FINDINGS, 'found: nothing to draw among these manifests\n'],
  [['--management', '-'], TWINS, ExitCode.FINDINGS, 'found: nothing to draw among these manifests\n'],
  [['--cluster', 'tenant-acme/acne', '-'], FLEET, ExitCode.FAILED, 'error: there is no cluster "tenant-acme/acne"; did you mean tenant-acme/acme?\n'],
  [['--cluster', 'egde', '-'], FLEET, ExitCode.FAILED, 'error: there is no cluster "egde"; did you mean edge?\n'],
  [['--cluster', 'nothing-like-it', '-'], FLEET, ExitCode.FAILED, 'error: there is no cluster "nothing-like-it"\nnpx cdk8s-cluster-api inventory --by cluster lists'],
  [['--cluster', 'twin', '-'], TWINS, ExitCode.FAILED, 'error: 2 clusters are called "twin"\nsay which: a/twin, b/twin\n'],
  [['-'], FLEET, ExitCode.FAILED, 'error: there are 5 pictures, and one file holds one of them'],
  [['--format', 'png', '-'], FLEET, ExitCode.FAILED, '--format "png" is not known'],
  [['--management', '--cluster', 'acme', '-'], FLEET, ExitCode.FAILED, 'leave out --cluster or --management'],
  [['--output', 'plan.mmd', '-'], FLEET, ExitCode.FAILED, 'there are 5 pictures, and plan.mmd is the name of one file: '],
  [['--cluster', 'acme', '--output', '/dev/null/x', '-'], FLEET, ExitCode.FAILED, '/dev/null/x cannot be written ('],
  [['-'], 'a: [', ExitCode.FAILED, 'standard input:2: is no YAML'],
  [['nowhere'], '', ExitCode.FAILED, 'there is no nowhere'],
])('%j ends as it should', async (args, input, code, err) => {
  expect(await workplace.run(['graph', ...args], input)).toMatchObject({ code, out: '', err: expect.stringContaining(err) });
});
