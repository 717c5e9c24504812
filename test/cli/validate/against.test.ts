import { ExitCode } from '../../../src/cli/command';
import { GitRepository } from '../../support/git-repository';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A StorageClass whose provisioner stands in line 4. */
function storageClass(provisioner: string, name = 'fast', annotations = '{}'): string {
  return `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: ${name}, annotations: ${annotations}}\nprovisioner: ${provisioner}\n`;
}

const ID = 'TC-CHANGE-STORAGE-CLASS';
const GONE = 'TC-CHANGE-STORAGE-CLASS-REMOVED';
const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n';

function against(...args: string[]) {
  return workplace.run(['validate', '--against', 'old', ...args]);
}

test('finds what changed, in the new file, and what is gone, in the old one', async () => {
  workplace.write({ 'old/a.yaml': storageClass('a'), 'old/sub/b.yaml': `${NAMESPACE}---\n${storageClass('b', 'slow')}`, 'new/all.yaml': `${NAMESPACE}---\n${storageClass('c')}` });
  const { code, out, err } = await against('new');

  expect(code).toBe(ExitCode.FINDINGS);
  expect(err).toBe('');
  expect(out).toBe([
    'new/all.yaml',
    `     8  error    ${ID}  StorageClass fast provisioner`,
    '                 it was "a", and is "c" now.',
    '                 Fix: keep it, and add a class of another name.',
    '',
    'old/sub/b.yaml',
    `     5  trap     ${GONE}  StorageClass slow`,
    '                 it is gone: claims that name it wait for ever.',
    '                 Fix: put it back; if it is to go, silence this for the run that takes it away.',
    '',
    '1 error, 1 trap in 2 objects',
    '',
  ].join('\n'));
});

test('finds nothing where nothing changed, and nothing that was wrong before', async () => {
  const broken = 'apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: x}\nspec: {source: {persistentVolumeClaimName: a}, volumeSnapshotClassName: 5}\n---\nfoo: 1\n';
  workplace.write({ 'old/a.yaml': `${storageClass('a')}---\n${broken}`, 'dist/other.yaml': storageClass('a') });

  expect(await against()).toEqual({ code: ExitCode.OK, out: 'nothing wrong in 1 object\n', err: '' });
});

test('finds what is wrong with the new ones, too', async () => {
  workplace.write({ 'old/a.yaml': storageClass('a'), 'dist/a.yaml': `${storageClass('a')}parameter: {}\n` });
  expect((await against()).out).toContain('TC-ADMIT-FIELD-UNKNOWN');
});

test('compares a file with standard input', async () => {
  workplace.write({ 'old.yaml': storageClass('a') });
  const { code, out } = await workplace.run(['validate', '--against', 'old.yaml', '-'], storageClass('b'));
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toMatch(/^standard input\n {5}4 {2}error/);
});

test('looks into what is packed', async () => {
  const packed = (text: string) => [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p, namespace: a}\ndata:\n  m.yaml: |', ...text.trimEnd().split('\n').map((line) => `    ${line}`), '---',
    'apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: s, namespace: a}',
    'spec: {strategy: Reconcile, clusterSelector: {matchLabels: {a: b}}, resources: [{kind: ConfigMap, name: p}]}', '',
  ].join('\n');
  workplace.write({ 'old/a.yaml': packed(storageClass('a')), 'new/a.yaml': packed(storageClass('b')), 'none/a.yaml': packed(NAMESPACE) });

  expect((await against('new')).out).toContain(`${ID}  StorageClass fast provisioner (ConfigMap a/p, data "m.yaml", line 4)`);
  expect((await against('none')).out).toMatch(/^old\/a\.yaml\n {5}1 {2}trap {5}TC-CHANGE-STORAGE-CLASS-REMOVED {2}StorageClass fast \(ConfigMap a\/p/);
});

test('takes silences of the run, of objects, and of those that are gone', async () => {
  const silence = (id: string) => `{cdk8s-cluster-api/silence: "${id}: planned"}`;
  workplace.write({ 'old/a.yaml': `${storageClass('a')}---\n${storageClass('a', 'slow', silence(GONE))}`, 'dist/a.yaml': storageClass('b', 'fast', silence(ID)) });
  expect(await against()).toEqual({ code: ExitCode.OK, out: 'nothing wrong in 1 object; 2 silenced\n', err: '' });
  // A run without a comparison does not report that nothing changed.
  expect(await workplace.run(['validate'])).toEqual({ code: ExitCode.OK, out: 'nothing wrong in 1 object\n', err: '' });

  workplace.write({ 'dist/a.yaml': storageClass('b') });
  expect((await against('--silence', `${ID}=planned`)).code).toBe(ExitCode.OK);
});

describe('formats', () => {
  beforeEach(() => workplace.write({ 'old/a.yaml': `${storageClass('a')}---\n${storageClass('a', 'slow')}`, 'dist/a.yaml': storageClass('b') }));

  test('json', async () => {
    const { findings } = JSON.parse((await against('--format', 'json')).out) as { findings: object[] };
    expect(findings).toMatchObject([
      { rule: ID, severity: 'error', file: 'dist/a.yaml', line: 4, pointer: '/provisioner', object: { kind: 'StorageClass', name: 'fast' } },
      { rule: GONE, severity: 'trap', file: 'old/a.yaml', line: 6, pointer: '', object: { kind: 'StorageClass', name: 'slow' } },
    ]);
  });

  test('sarif', async () => {
    const { runs: [{ tool, results }] } = JSON.parse((await against('--format', 'sarif')).out) as { runs: [{ tool: { driver: { rules: { id: string }[] } }; results: object[] }] };
    expect(tool.driver.rules.map(({ id }) => id)).toEqual([ID, GONE]);
    expect(results).toMatchObject([{ ruleId: ID, ruleIndex: 0 }, { ruleId: GONE, ruleIndex: 1, locations: [{ physicalLocation: { artifactLocation: { uri: 'old/a.yaml' } } }] }]);
  });

  test('github', async () => {
    const { out } = await against('--format', 'github');
    expect(out).toMatch(new RegExp(`^::error file=dist/a\\.yaml,line=4,title=${ID}::StorageClass fast provisioner: .*\\n::error file=old/a\\.yaml,line=6,title=${GONE}::`));
  });
});

test('warnings pass, unless somebody wants them to fail', async () => {
  const kept = '{helm.sh/resource-policy: keep}';
  workplace.write({ 'old/a.yaml': `apiVersion: v1\nkind: Namespace\nmetadata: {name: b, annotations: ${kept}}\n---\n${NAMESPACE}`, 'dist/a.yaml': NAMESPACE });
  expect((await against()).code).toBe(ExitCode.OK);
  expect((await against()).out).toContain('warning  TC-CHANGE-KEPT-REMOVED  Namespace b');
  expect((await against('--warnings-as-errors')).code).toBe(ExitCode.FINDINGS);
});

test.each<[string, { [file: string]: string }, string]>([
  ['is not there', {}, 'there is no old'],
  ['is empty', { 'old/a.txt': '' }, 'there are no manifests in old to compare with'],
  ['holds no manifests', { 'old/a.yaml': 'foo: 1\n' }, 'there are no manifests in old to compare with'],
  ['is no YAML', { 'old/a.yaml': 'a: [' }, 'old/a.yaml:2: is no YAML'],
])('what was before %s', async (_name, files, fault) => {
  workplace.write({ ...files, 'dist/a.yaml': NAMESPACE });
  const { code, out, err } = await against();
  expect(code).toBe(ExitCode.FAILED);
  expect(out).toBe('');
  expect(err).toContain(fault);
});

test.each([[['--against', '-'], 'reads no standard input'], [['--against', 'old', '--list-rules'], 'leave out --against'], [['--against'], 'argument missing']])('%j cannot be', async (args, fault) => {
  workplace.write({ 'dist/a.yaml': NAMESPACE });
  const { code, err } = await workplace.run(['validate', ...args]);
  expect(code).toBe(ExitCode.FAILED);
  expect(err).toContain(fault);
});

test('--list-rules prints the rules of changes', async () => {
  expect((await workplace.run(['validate', '--list-rules'])).out).toMatch(/^TC-CHANGE-KAMAJI-VERSION +trap {5}The minor version of a KamajiControlPlane/m);
});

test('compares what Flux applies to a tenant with what a ClusterResourceSet applied before', async () => {
  const set = [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p, namespace: a}\ndata:\n  m.yaml: |', ...storageClass('b').trimEnd().split('\n').map((line) => `    ${line}`), '---',
    'apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: s, namespace: a}',
    'spec: {strategy: Reconcile, clusterSelector: {matchLabels: {cluster.x-k8s.io/cluster-name: one}}, resources: [{kind: ConfigMap, name: p}]}', '',
  ].join('\n');
  const kustomization = [
    'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization',
    'metadata: {name: one-workloads, namespace: a, labels: {cluster.x-k8s.io/cluster-name: one}}',
    'spec: {interval: 10m, prune: true, path: ./fleet/clusters/a/one/delivered/workloads, sourceRef: {kind: GitRepository, name: fleet}, '
      + 'kubeConfig: {secretRef: {name: one-kubeconfig}}}\n',
  ].join('\n');
  workplace.write({ 'old/a.yaml': set, 'dist/a.yaml': kustomization, 'dist/clusters/a/one/delivered/workloads/manifests.yaml': storageClass('a') });
  expect((await against()).out).toContain(`${ID}  StorageClass fast provisioner`);
});

test('--base compares with the files of a commit, on a branch with where it left it', async () => {
  const repo = new GitRepository(workplace.folder);
  repo.commit({ 'dist/a.yaml': storageClass('a') });
  repo.git('switch', '--quiet', '--create', 'topic');
  repo.commit({ 'dist/a.yaml': storageClass('b') });
  repo.git('switch', '--quiet', 'main');
  repo.commit({ 'dist/other.yaml': storageClass('c', 'slow') });
  repo.git('switch', '--quiet', 'topic');
  expect((await workplace.run(['validate'])).code).toBe(ExitCode.OK);
  const { code, out, err } = await workplace.run(['validate', '--base', 'main']);
  expect([code, err]).toEqual([ExitCode.FINDINGS, expect.stringMatching(/^note: compared with [0-9a-f]{10}, where HEAD left main/)]);
  expect(out).toContain(`     4  error    ${ID}  StorageClass fast provisioner`);
  expect(out).not.toContain('slow');
  expect((await workplace.run(['validate', '--base', 'main', '--silence', `${ID}=nothing uses it`])).code).toBe(ExitCode.OK);
  expect((await workplace.run(['validate', '--base', 'main', '--against', 'old'])).err).toMatch(/^error: --against and --base both name the former state/);
  expect((await workplace.run(['validate', '--base', 'nowhere'])).code).toBe(ExitCode.FAILED);
});
