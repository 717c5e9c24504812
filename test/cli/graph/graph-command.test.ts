import * as fs from 'node:fs';
import * as path from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { expectFile } from '../golden-file';
import { deployment, Workplace } from '../run';

const FLEET = fs.readFileSync(path.join(__dirname, '../../landscape/fleet/fleet.yaml'), 'utf8');
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

test('HTML is one page with everything, which loads and runs nothing', async () => {
  const out = await graph('--format', 'html');
  expect(out.match(/<svg class="cg"/g)).toHaveLength(5);
  for (const [, anchor] of out.matchAll(/href="#([^"]+)"/g)) expect(out).toContain(`<section id="${anchor}">`);
  expect(out.match(/<a href="#/g)).toHaveLength(5);
  expect(out).toContain('<td>acme-general</td>');
  expect(out).not.toMatch(/<script|src=|<link|url\((?!#)|@import|href="(?!#)/);
  const ids = [...out.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expectFile(path.join(GOLDEN, 'fleet.html'), out);
});

test('HTML of one cluster lists that one alone', async () => {
  const out = await graph('--format', 'html', '--cluster', 'site/edge');
  expect(out).toContain('site/edge');
  expect(out).not.toContain('acme');
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
  [['--cluster', 'acme', '--output', '/dev/null/x', '-'], FLEET, ExitCode.FAILED, '/dev/null/x cannot be written ('],
  [['-'], 'a: [', ExitCode.FAILED, 'standard input:2: is no YAML'],
  [['nowhere'], '', ExitCode.FAILED, 'there is no nowhere'],
])('%j ends as it should', async (args, input, code, err) => {
  expect(await workplace.run(['graph', ...args], input)).toMatchObject({ code, out: '', err: expect.stringContaining(err) });
});
