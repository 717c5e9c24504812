import * as fs from 'node:fs';
import * as path from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { MetricsServer } from '../../../src/constructs/addons/catalog/metrics-server';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { written } from '../../manifests/plan/tenant-pages';
import { GitRepository } from '../../support/git-repository';
import { deployment, Workplace } from '../run';

let workplace: Workplace;

beforeEach(() => {
  workplace = new Workplace();
});

afterEach(() => workplace.remove());

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');
const OLD = yaml(written({}));
const NEW = yaml(written({ machine: { cpu: 8 }, pool: { size: PoolSize.fixed(4) } }));

function commit(files: { readonly [file: string]: string }): string {
  return new GitRepository(workplace.folder).commit(files);
}

test('the files on disk are compared with the last commit', async () => {
  commit({ 'dist/acme.yaml': OLD });
  workplace.write({ 'dist/acme.yaml': NEW });
  const { code, out, err } = await workplace.run(['plan']);
  expect([code, err]).toEqual([ExitCode.OK, '']);
  expect(out).toBe(`DISRUPTS: 1 of 1 cluster differs (1 changed); 5 objects; 3 machines replaced, at most 1 at a time.

tenant-acme/acme: changed
  pool acme-general  3 machines are replaced, 1 at a time: cpu 4 -> 8, kubelet.kubeReserved.cpu 200m -> 400m, kubelet.systemReserved.cpu 200m -> 400m
                     scaled: replicas 3 -> 4
                     nodes are drained one after the other; data on disks of the machines are lost (containerDisk root); a revert replaces the machines again
                     time by timeouts: at most 2 h 15 min, 3 turns of 20 min to start, 10 min to drain, 10 min to detach volumes, 5 min to delete the node
`);
  expect((await workplace.run(['plan', 'dist'])).out).toBe(out);
});

test('two states are compared without a repository', async () => {
  workplace.write({ 'old/acme.yaml': OLD, 'new/acme.yaml': NEW });
  expect((await workplace.run(['plan', 'old', 'new'])).out).toContain('3 machines are replaced, 1 at a time: cpu 4 -> 8');
  expect((await workplace.run(['plan', 'old', '-'], NEW)).out).toContain('3 machines are replaced');
});

test('another base is a commit, a branch or a tag', async () => {
  const repo = new GitRepository(workplace.folder);
  repo.commit({ 'dist/acme.yaml': OLD });
  repo.git('tag', 'released');
  repo.commit({ 'dist/acme.yaml': NEW });
  expect((await workplace.run(['plan'])).out).toBe('Nothing changes.\n');
  expect((await workplace.run(['plan', '--base', 'released'])).out).toContain('3 machines are replaced');
});

test('a branch that is behind does not take away what others have merged since', async () => {
  const repo = new GitRepository(workplace.folder);
  const left = repo.commit({ 'dist/acme.yaml': OLD });
  repo.git('switch', '--quiet', '--create', 'topic');
  repo.commit({ 'dist/acme.yaml': NEW });
  repo.git('switch', '--quiet', 'main');
  repo.commit({ 'dist/other.yaml': yaml(written({}, 'other')) });
  repo.git('switch', '--quiet', 'topic');
  const { out, err } = await workplace.run(['plan', '--base', 'main']);
  expect(out).toMatch(/^[A-Z]+: 1 of 1 cluster differs \(1 changed\); 5 objects; 3 machines replaced/);
  expect(err).toBe(`note: compared with ${left.slice(0, 10)}, where HEAD left main, which has 1 commit more\n`);
});

test('--exit-code tells whether something changes, and keeps failures apart', async () => {
  commit({ 'dist/acme.yaml': OLD });
  expect((await workplace.run(['plan', '--exit-code'])).code).toBe(0);
  workplace.write({ 'dist/acme.yaml': NEW });
  expect((await workplace.run(['plan', '--exit-code'])).code).toBe(2);
  expect((await workplace.run(['plan'])).code).toBe(0);
  expect((await workplace.run(['plan', '--exit-code', '--base', 'nothing'])).code).toBe(1);
  expect((await workplace.run(['plan', '--base', 'nothing'])).code).toBe(2);
});

test('--fail-on ends with a code of its own, whatever --exit-code says', async () => {
  commit({ 'dist/acme.yaml': OLD });
  workplace.write({ 'dist/acme.yaml': NEW });
  const code = async (...args: string[]) => (await workplace.run(['plan', ...args])).code;
  expect(await code('--fail-on', 'replaced')).toBe(3);
  expect(await code('--fail-on', 'replaced>2', '--exit-code')).toBe(3);
  expect(await code('--fail-on', 'replaced>3,refused,lost,removed,deleted,unknown')).toBe(0);
  expect(await code('--fail-on', 'removed', '--exit-code')).toBe(2);
  expect((await workplace.run(['plan', '--fail-on', 'lost, replaced'])).err).toBe('failed: replaced (--fail-on)\n');
  fs.rmSync(path.join(workplace.folder, 'dist/acme.yaml'));
  expect(await code('--fail-on', 'removed')).toBe(3);
  expect((await workplace.run(['plan', '--fail-on', 'gone'])).err).toMatch(/^error: --fail-on has no condition "gone"/);
});

test.each([['an unknown option', '--objekts'], ['an unknown format', '--format=yaml'], ['three states', 'a', 'b', 'c']])('--exit-code keeps %s apart from changes', async (_, ...args) => {
  expect((await workplace.run(['plan', '--exit-code', ...args])).code).toBe(1);
});

test('a single file is compared with its committed state, and so is one that was deleted', async () => {
  commit({ 'dist/acme.yaml': OLD, 'dist/other.yaml': deployment('web', 'web:1') });
  workplace.write({ 'dist/acme.yaml': NEW });
  expect((await workplace.run(['plan', 'dist/acme.yaml'])).out).toMatch(/^[A-Z]+: 1 of 1 cluster differs \(1 changed\); 5 objects/);
  fs.rmSync(path.join(workplace.folder, 'dist/acme.yaml'));
  expect((await workplace.run(['plan', 'dist/acme.yaml'])).out).toContain('(1 removed)');
});

test('a folder that was deleted is planned, and one that never was is refused', async () => {
  commit({ 'dist/acme.yaml': OLD });
  fs.rmSync(path.join(workplace.folder, 'dist'), { recursive: true });
  expect((await workplace.run(['plan'])).out).toContain('(1 removed)');
  const { code, err } = await workplace.run(['plan', 'other']);
  expect([code, err]).toEqual([ExitCode.FAILED, expect.stringContaining('error: there is no other, on disk or in HEAD\n')]);
});

test('a management cluster that has clusters of the same names as another one is planned by itself', async () => {
  commit({ 'dist/hall-a/acme.yaml': OLD, 'dist/hall-b/acme.yaml': OLD });
  fs.rmSync(path.join(workplace.folder, 'dist/hall-b'), { recursive: true });
  const { code, out } = await workplace.run(['plan', '--exit-code']);
  expect([code, out]).toEqual([2, expect.stringMatching(/^[A-Z]+: 1 of 2 clusters differs \(1 removed\).*; 3 machines deleted\.$/m)]);
  expect(out).toContain('\nhall-b: tenant-acme/acme: removed\n');
  const { clusters: [{ managementCluster, name }] } = JSON.parse((await workplace.run(['plan', '--format', 'json'])).out);
  expect([managementCluster, name]).toEqual(['hall-b', 'acme']);
  expect((await workplace.run(['plan', '--format', 'markdown'])).out).toContain('### hall-b: tenant-acme/acme: removed');
  expect((await workplace.run(['plan', '--format', 'github'])).out).toContain('::warning title=hall-b%3A tenant-acme/acme%3A cluster::');
  expect((await workplace.run(['graph', '--base', 'HEAD'])).out).toContain('hall-b: tenant-acme/acme');
  expect((await workplace.run(['inventory', '--by', 'cluster'])).out).toMatch(/^tenant-acme\/acme/m);
  workplace.write({ 'dist/hall-b/acme.yaml': NEW });
  expect((await workplace.run(['inventory', '--by', 'cluster'])).out).toMatch(/^hall-a: tenant-acme\/acme .*\nhall-b: tenant-acme\/acme /m);
  expect((await workplace.run(['inventory', '--format', 'csv'])).out).toMatch(/addons,management_cluster\r\ntenant-acme,acme,.*,hall-a\r\ntenant-acme,acme,.*,hall-b\r\n$/);
});

test('symbolic links are followed in commits as they are on disk', async () => {
  workplace.write({ 'shared/web.yaml': deployment('web', 'web:1'), 'dist/.data/api.yaml': deployment('api', 'api:1'), 'dist/a.yaml': deployment('a', 'a:1') });
  const link = (target: string, file: string) => fs.symlinkSync(target, path.join(workplace.folder, file));
  link('../shared', 'dist/shared');
  link('.data/api.yaml', 'dist/api.yaml');
  link('a.yaml', 'dist/b.yaml');
  link('.', 'dist/again');
  commit({});
  expect((await workplace.run(['plan'])).out).toBe('Nothing changes.\n');
  workplace.write({ 'shared/web.yaml': deployment('web', 'web:2'), 'dist/.data/api.yaml': deployment('api', 'api:2') });
  const { out } = await workplace.run(['plan', '--objects']);
  expect(out).toMatch(/changed Deployment [\w/]*web: .*image/);
  expect(out).toMatch(/changed Deployment [\w/]*api: .*image/);
  expect(out).toContain('; 2 objects;');
});

test('SARIF has what is refused with its field, and what is lost and not available with its object', async () => {
  const pool = (clusterName: string) => [
    'apiVersion: cluster.x-k8s.io/v1beta2',
    'kind: MachineDeployment',
    'metadata: {name: acme-general, namespace: a}',
    'spec:',
    `  clusterName: ${clusterName}`,
    '  selector: {matchLabels: {pool: general}}',
    '  template:',
    '    metadata: {labels: {pool: general}}',
    `    spec: {clusterName: ${clusterName}, bootstrap: {dataSecretName: a}, infrastructureRef: {apiGroup: example.com, kind: Template, name: a}}`,
    '',
  ].join('\n');
  const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: a}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n';
  const cluster = (name: string) => `apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: ${name}, namespace: a}\nspec: {}\n`;
  commit({ 'dist/a.yaml': [cluster('acme'), pool('acme')].join('---\n'), 'dist/b.yaml': cluster('beta'), 'dist/web.yaml': service });
  workplace.write({ 'dist/a.yaml': [cluster('acme'), pool('other')].join('---\n'), 'dist/web.yaml': service.replace('LoadBalancer', 'ClusterIP') });
  fs.rmSync(path.join(workplace.folder, 'dist/b.yaml'));
  const { out } = await workplace.run(['plan', '--format', 'sarif']);
  const { runs: [{ tool: { driver: { rules } }, results }] } = JSON.parse(out);
  const found = results.map(({ ruleId, ruleIndex, level, message: { text }, locations: [{ physicalLocation: place }] }: any) => (
    [ruleId, rules[ruleIndex].id === ruleId, level, text, `${place.artifactLocation.uri}:${place.region.startLine}`]));
  expect(found).toEqual([
    ['TC-CHANGE-CLUSTER-NAME', true, 'error', expect.stringMatching(/^MachineDeployment a\/acme-general spec\.clusterName: .* Fix: /), 'dist/a.yaml:6'],
    ['PLAN-LOST', true, 'error', 'a/beta: the cluster', 'dist/b.yaml:1'],
    ['PLAN-DOWN', true, 'warning', 'Service: load balancer a/web (its address is given back)', 'dist/web.yaml:1'],
  ]);
});

test('JSON has each object that differs, with its fields', async () => {
  workplace.write({ 'old.yaml': OLD, 'new.yaml': NEW });
  const { out } = await workplace.run(['plan', '--format', 'json', 'old.yaml', 'new.yaml']);
  const { version, totals, clusters, shared } = JSON.parse(out);
  expect([version, shared]).toEqual([1, []]);
  expect(totals).toEqual({
    clusters: 1,
    created: 0,
    changed: 1,
    removed: 0,
    moved: 0,
    paused: 0,
    pausedParts: 0,
    refused: 0,
    heldParts: 0,
    machinesReplaced: { minimum: 3, maximum: 3 },
    machinesDeleted: { minimum: 0, maximum: 0 },
    machinesAtATime: 1,
    uncountedParts: 0,
    unknownEffects: 0,
    unreadFiles: 0,
    unappliedFiles: 0,
    waitingParts: 0,
    objects: 5,
  });
  const [{ name, change, parts: [pool] }] = clusters;
  expect([name, change, pool.part, pool.name, pool.change]).toEqual(['acme', 'changed', 'pool', 'acme-general', 'changed']);
  expect(pool.effects).toEqual([
    { effect: 'machines replaced', reasons: expect.arrayContaining(['cpu 4 -> 8']), count: { minimum: 3, maximum: 3 }, atATime: 1 },
    { effect: 'scaled', reasons: ['replicas 3 -> 4'] },
  ]);
  expect(pool.objects.map(({ change: what, kind }: { change: string; kind: string }) => `${what} ${kind}`).sort()).toEqual([
    'changed MachineDeployment', 'created KubeadmConfigTemplate', 'created KubevirtMachineTemplate', 'removed KubeadmConfigTemplate', 'removed KubevirtMachineTemplate',
  ]);
  expect(pool.objects.find(({ kind }: { kind: string }) => kind === 'MachineDeployment').fields).toContainEqual({ field: 'spec.replicas', before: 3, after: 4 });
});

test('Markdown is a table for each cluster, and no text of manifests becomes markup', async () => {
  const named = (image: string) => deployment('a|b', image);
  workplace.write({ 'old.yaml': `${OLD}\n---\n${named('x:1')}`, 'new.yaml': `${NEW}\n---\n${named('<img src=x>@team')}` });
  const { out } = await workplace.run(['plan', '--format', 'markdown', 'old.yaml', 'new.yaml']);
  expect(out).toContain('### tenant-acme/acme: changed');
  expect(out).toMatch(/^\| :warning: pool acme-general \| 3 machines are replaced, 1 at a time: cpu 4 -> 8.*<br>scaled: replicas 3 -> 4<br>nodes are drained .*<br>time by timeouts: .* \|$/m);
  expect(out).toContain('<details><summary>5 objects</summary>');
  expect(out).not.toMatch(/<img|@team|a\|b/);
});

test('GitHub gets an annotation for what is replaced', async () => {
  workplace.write({ 'old.yaml': OLD, 'new.yaml': NEW });
  const { out } = await workplace.run(['plan', '--format', 'github', 'old.yaml', 'new.yaml']);
  expect(out).toMatch(/^::warning title=tenant-acme\/acme%3A pool acme-general::3 machines are replaced, 1 at a time: cpu 4 -> 8.*; scaled: replicas 3 -> 4\n$/);
});

test('--objects lists each object with its changed fields', async () => {
  workplace.write({ 'old.yaml': OLD, 'new.yaml': NEW });
  const { out } = await workplace.run(['plan', '--objects', 'old.yaml', 'new.yaml']);
  expect(out).toMatch(/changed MachineDeployment tenant-acme\/acme-general: spec\.replicas, /);
});

test('clusters that change in the same way are printed once', async () => {
  const states = (cpu: number) => yaml(['a', 'b', 'c'].flatMap((name) => written({ machine: { cpu } }, name)));
  workplace.write({ 'old.yaml': states(4), 'new.yaml': states(8) });
  const { out } = await workplace.run(['plan', 'old.yaml', 'new.yaml']);
  expect(out).toMatch(/^[A-Z]+: 3 of 3 clusters differ \(3 changed\); 15 objects; 9 machines replaced, at most 3 at a time, 1 in one cluster\.$/m);
  expect(out).toContain('tenant-a/a: changed; the same for tenant-b/b, tenant-c/c\n');
  expect(out).not.toContain('pool b-general');
});

test.each<[what: string, args: string[], error: string]>([
  ['three states', ['a', 'b', 'c'], 'plan compares two states'],
  ['a base beside two states', ['--base', 'main', 'a', 'b'], '--base names the state that NEW is compared with'],
  ['standard input alone', ['-'], 'standard input has no committed state'],
  ['standard input twice', ['-', '-'], 'OLD and NEW are both standard input'],
  ['a folder in no repository', ['dist'], 'dist has no committed state'],
  ['a base in no repository', ['--base', 'main', 'dist'], 'TC-GIT-REPOSITORY'],
  ['an unknown format', ['--format', 'yaml'], '--format "yaml" is not known'],
])('%s is refused', async (_, args, error) => {
  workplace.write({ 'dist/acme.yaml': OLD });
  const run = await workplace.run(['plan', ...args]);
  expect([run.code, run.out]).toEqual([ExitCode.FAILED, '']);
  expect(run.err).toContain(error);
});

test('a folder that is not committed yet is new as a whole', async () => {
  commit({ 'README.md': '' });
  workplace.write({ 'dist/acme.yaml': OLD });
  const { out, err } = await workplace.run(['plan']);
  expect(err).toBe('note: dist has no manifests in HEAD: everything is new\n');
  expect(out).toContain('1 of 1 cluster differs (1 new)');
});

describe('a file that cannot be read', () => {
  const OTHER = yaml(written({}, 'other'));
  const CHANGED = yaml(written({ machine: { cpu: 8 } }, 'other'));

  test('in the base leaves the rest of the plan as it is, and its objects count as unchanged', async () => {
    commit({ 'dist/acme.yaml': 'a: [', 'dist/other.yaml': OTHER });
    workplace.write({ 'dist/acme.yaml': OLD, 'dist/other.yaml': CHANGED });
    const { code, out, err } = await workplace.run(['plan', '--exit-code']);
    expect([code, err]).toEqual([2, expect.stringMatching(/^note: not read: HEAD: dist\/acme\.yaml:\d+: is no YAML: .*\n$/)]);
    expect(out).toMatch(/^[A-Z]+: 1 of 2 clusters differs \(1 changed\); .*; 1 effect unknown; 1 file not read\.$/m);
    expect(out).toMatch(/^ {2}changed, not read: acme\.yaml: is no YAML: .* \(in the earlier state\)$/m);
    workplace.write({ 'dist/other.yaml': OTHER });
    expect(await workplace.run(['plan', '--exit-code'])).toMatchObject({ code: 2, out: expect.not.stringContaining('acme: ') as string });
  });

  test('on disk removes nothing, and with --strict it is an error', async () => {
    commit({ 'dist/acme.yaml': OLD, 'dist/other.yaml': OTHER });
    workplace.write({ 'dist/acme.yaml': 'a: [' });
    expect(await workplace.run(['plan', '--exit-code'])).toMatchObject({
      code: 2, out: expect.stringMatching(/^DISRUPTS \(if what is unknown does\): 0 of 2 clusters differ; .*\n\nFiles that are not read\n {2}changed, not read: acme\.yaml: is no YAML: /) as string,
    });
    expect((await workplace.run(['graph', '--base', 'HEAD'])).err).toContain('note: changed, not read: acme.yaml: is no YAML');
    const error = expect.stringMatching(/^error: dist\/acme\.yaml:\d+: is no YAML/) as string;
    expect(await workplace.run(['plan', '--strict'])).toMatchObject({ code: ExitCode.FAILED, out: '', err: error });
    expect(await workplace.run(['plan', 'dist/acme.yaml', 'dist/other.yaml'])).toMatchObject({ code: ExitCode.FAILED, err: error });
  });

  test('in both states changes nothing, and is named once', async () => {
    commit({ 'dist/acme.yaml': OLD, 'dist/bad.yaml': 'a: [' });
    const { code, out, err } = await workplace.run(['plan', '--exit-code']);
    expect([code, out, err]).toEqual([0, 'Nothing changes.\n', expect.stringMatching(/^note: not read: dist\/bad\.yaml:.*\n$/)]);
  });

  test('because it is a link out of the repository, is named', async () => {
    workplace.write({ 'dist/acme.yaml': OLD });
    fs.symlinkSync('/dev/zero', workplace.path('dist/zero.yaml'));
    commit({});
    const { code, out, err } = await workplace.run(['plan', '--exit-code']);
    expect([code, out, err]).toEqual([0, 'Nothing changes.\n', expect.stringMatching(/^note: not read: dist\/zero\.yaml is a link to \/dev\/zero, .*\n$/)]);
  });
});

test.each([['inventory', 'tenant-acme/acme'], ['graph', 'Cluster tenant-acme/acme'], ['images', 'is no YAML']])(
  '%s reads on after a file that cannot be read, and fails with --strict', async (command, found) => {
    workplace.write({ 'dist/acme.yaml': OLD, 'dist/bad.yaml': 'a: [' });
    const { code, out, err } = await workplace.run([command]);
    expect([code, out]).toEqual([ExitCode.OK, expect.stringContaining(found)]);
    expect(`${out}${err}`).toContain('dist/bad.yaml:2');
    expect((await workplace.run([command, '--strict'])).code).not.toBe(ExitCode.OK);
    expect(await workplace.run([command, 'dist/bad.yaml'])).toMatchObject({ code: ExitCode.FAILED, out: '' });
  });

test('the docs show a plan as it is', async () => {
  const page = (version: string, cpu: number, replicas: number): unknown[] => written({
    cluster: { kubernetesVersion: version, controlPlane: new KamajiControlPlane({ replicas, dataStore: 'default' }) },
    machine: { cpu, rootDisk: RootDisk.containerDisk({ image: `registry.example.com/node:${version}` }) },
    more: (acme) => acme.addAddon(new MetricsServer({ chartVersion: cpu === 4 ? '3.12.2' : '3.13.0' })),
  });
  workplace.write({ 'old/acme.yaml': yaml(page('1.35.3', 4, 2)), 'new/acme.yaml': yaml(page('1.35.4', 8, 3)) });
  const { out } = await workplace.run(['plan', 'old', 'new']);
  expect(fs.readFileSync(path.join(__dirname, '../../../docs/manifests.md'), 'utf8')).toContain(`\`\`\`text\n${out}\`\`\``);
});

describe('without any manifest', () => {
  test.each([['empty', true], ['missing', false]])('an output that is %s has lost what the base has', async (_, isThere) => {
    commit({ 'dist/acme.yaml': OLD });
    fs.rmSync(workplace.path('dist/acme.yaml'));
    if (!isThere) fs.rmdirSync(workplace.path('dist'));
    const { code, out, err } = await workplace.run(['plan']);
    expect({ code, err }).toEqual({ code: ExitCode.OK, err: isThere ? 'note: dist has no .yaml, .yml or .json file\n' : '' });
    expect(out).toMatch(/^[A-Z]+: 1 of 1 cluster differs \(1 removed\)/);
  });

  test('nothing changes where the base had none', async () => {
    commit({ 'dist/README.md': 'Ours.\n' });
    expect(await workplace.run(['plan'])).toMatchObject({ code: ExitCode.OK, out: 'Nothing changes.\n' });
  });

  test('two folders are compared', async () => {
    workplace.write({ 'old/acme.yaml': OLD, 'new/README.md': 'Ours.\n' });
    expect((await workplace.run(['plan', 'old', 'new'])).out).toMatch(/^[A-Z]+: 1 of 1 cluster differs \(1 removed\)/);
    expect((await workplace.run(['plan', 'new', 'old'])).out).toMatch(/^[A-Z]+: 1 of 1 cluster differs \(1 new\)/);
  });
});

test.each(['file.yaml/x', 'loop/x'])('a path that leads through no folder is missing: %s', async (file) => {
  commit({ 'file.yaml': OLD });
  fs.symlinkSync('loop', workplace.path('loop'));
  expect(await workplace.run(['plan', file])).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining(`there is no ${file}`) as string });
  expect(await workplace.run(['validate', file])).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining(file) as string });
});

describe('files of the commit that are elsewhere', () => {
  let repo: GitRepository;

  beforeEach(() => {
    repo = new GitRepository(workplace.folder);
    repo.commit({ 'dist/a/acme.yaml': OLD, 'dist/b/other.yaml': yaml(written({}, 'other')), 'src/x': '' });
  });

  test.each([['a part of it', 'dist/a'], ['all of it', 'src']])('what a sparse checkout leaves out is unchanged: %s', async (_, folder) => {
    repo.git('sparse-checkout', 'set', folder);
    expect(fs.existsSync(workplace.path('dist/b'))).toBe(false);
    const { out, err } = await workplace.run(['plan']);
    expect([out, err]).toEqual(['Nothing changes.\n', expect.stringMatching(/^note: [12] files? of dist are not checked out \(sparse checkout\): they count as unchanged\n$/)]);
    repo.git('rm', '--quiet', '--sparse', '-r', 'dist/b');
    expect((await workplace.run(['plan'])).out).toContain('other: removed');
  });

  test('a folder that became a link is compared with the folder that it was', async () => {
    repo.git('mv', 'dist', 'out');
    fs.symlinkSync('out', workplace.path('dist'));
    expect(await workplace.run(['plan'])).toMatchObject({ out: 'Nothing changes.\n', err: '' });
    repo.commit({ 'out/a/acme.yaml': NEW });
    expect((await workplace.run(['plan'])).out).toBe('Nothing changes.\n');
    expect((await workplace.run(['plan', '--base', 'HEAD^'])).out).toContain('3 machines are replaced');
    fs.rmSync(workplace.path('dist'));
    fs.renameSync(workplace.path('out'), workplace.path('new'));
    fs.symlinkSync('new', workplace.path('dist'));
    expect((await workplace.run(['plan'])).out).toBe('Nothing changes.\n');
  });

  test('a submodule at the same commit is left out with a note, and at another one it is an error', async () => {
    const inner = new GitRepository();
    inner.commit({ 'inner.yaml': OLD.replaceAll('acme', 'inner') });
    repo.git('submodule', '--quiet', 'add', inner.folder, 'dist/inner');
    const base = repo.commit();
    expect(await workplace.run(['plan', '--exit-code'])).toMatchObject({
      code: 0, out: 'Nothing changes.\n', err: `note: ${path.join('dist', 'inner')} is a submodule at the same commit: its files are left out\n`,
    });
    const before = repo.git('-C', 'dist/inner', 'rev-parse', 'HEAD').trim();
    new GitRepository(repo.at('dist/inner')).commit({ 'inner.yaml': NEW.replaceAll('acme', 'inner') });
    expect(await workplace.run(['plan'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`plan it by itself: plan --base ${before} dist/inner`) as string });
    expect((await workplace.run(['plan', '--base', before, 'dist/inner'])).out).toContain('3 machines are replaced');
    repo.commit();
    expect((await workplace.run(['plan', '--base', base])).code).toBe(2);
    repo.git('submodule', '--quiet', 'deinit', '--force', 'dist/inner');
    expect((await workplace.run(['plan'])).out).toBe('Nothing changes.\n');
    inner.remove();
  });

  test('a path that begins with ":" is no pattern', async () => {
    workplace.write({ ':x/acme.yaml': OLD, ':(icase)y/other.yaml': OLD });
    repo.commit();
    process.env.GIT_ICASE_PATHSPECS = '1';
    for (const folder of [':x', ':(icase)y']) expect((await workplace.run(['plan', folder])).out).toBe('Nothing changes.\n');
    delete process.env.GIT_ICASE_PATHSPECS;
  });
});
