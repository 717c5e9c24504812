import { ExitCode } from '../../../src/cli/command';
import { reportedRules } from '../../../src/manifests/validation/manifest-rules';
import { fieldAt } from '../../../src/manifests/values/fields';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A VolumeSnapshot whose class, in line 7, is a number; no rules but those of fields look at its kind. */
function snapshot(name: string, annotations = '{}', className = '5'): string {
  return [
    'apiVersion: snapshot.storage.k8s.io/v1', 'kind: VolumeSnapshot', `metadata: {name: ${name}, namespace: a, annotations: ${annotations}}`,
    'spec:', '  source:', '    persistentVolumeClaimName: data', `  volumeSnapshotClassName: ${className}`, '',
  ].join('\n');
}

const RULE = 'TC-ADMIT-FIELD-TYPE';
const SILENCED = `{cdk8s-cluster-api/silence: "${RULE}: we test the server"}`;
const WIDGET = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n';

describe('text', () => {
  test('shows findings by file, with the lines of fields, and counts them', async () => {
    workplace.write({ 'dist/b.yaml': `# two\n${snapshot('x')}---\n${snapshot('u')}`, 'dist/a/c.yaml': snapshot('z', '{}', 'fast'), 'dist/a/d.yaml': snapshot('v') });
    const { code, out, err } = await workplace.run(['validate']);

    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toBe('');
    expect(out.replace(/^ {17}5 is .*$/mg, '                 FAULT').replace(/Fix: .*$/mg, 'Fix: IT')).toBe([
      'dist/a/d.yaml',
      `     7  error    ${RULE}  VolumeSnapshot a/v spec.volumeSnapshotClassName`,
      '                 FAULT',
      '                 Fix: IT',
      '',
      'dist/b.yaml',
      `     8  error    ${RULE}  VolumeSnapshot a/x spec.volumeSnapshotClassName`,
      '                 FAULT',
      '                 Fix: IT',
      `    16  error    ${RULE}  VolumeSnapshot a/u spec.volumeSnapshotClassName`,
      '                 FAULT',
      '                 Fix: IT',
      '',
      '3 errors in 4 objects',
      '',
    ].join('\n'));
  });

  test('says so when nothing is wrong', async () => {
    expect(await workplace.run(['validate', '-'], snapshot('x', '{}', 'fast'))).toEqual({ code: ExitCode.OK, out: 'nothing wrong in 1 object\n', err: '' });
  });

  test('finds the line in a list, and in a manifest that is packed in another object', async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${snapshot('x').trimEnd().replaceAll('\n', '\n  ')}\n`;
    const packed = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p, namespace: a}\ndata:\n  m.yaml: |\n    ${snapshot('u').replaceAll('\n', '\n    ')}\n`;
    const set = ['apiVersion: addons.cluster.x-k8s.io/v1beta2', 'kind: ClusterResourceSet', 'metadata: {name: s, namespace: a}',
      'spec: {clusterSelector: {matchLabels: {a: b}}, resources: [{kind: ConfigMap, name: p}]}', ''].join('\n');
    workplace.write({ 'l.yaml': list, 'p.yaml': `${packed}---\n${set}` });
    const { out } = await workplace.run(['validate', 'l.yaml', 'p.yaml']);

    expect(out).toContain('l.yaml\n    10  error');
    expect(out).toContain(`p.yaml\n     1  error    ${RULE}  VolumeSnapshot a/u spec.volumeSnapshotClassName (ConfigMap a/p, data "m.yaml", line 7)`);
  });

  test('keeps one line for one thing, whatever values hold', async () => {
    const { out } = await workplace.run(['validate', '-'], snapshot('x', '{}', '["a\\nb"]'));
    expect(out.split('\n')).toHaveLength(7);
  });
});

describe('silences', () => {
  test('of objects are counted, and refuse nothing', async () => {
    expect(await workplace.run(['validate', '-'], snapshot('x', SILENCED))).toEqual({ code: ExitCode.OK, out: 'nothing wrong in 1 object; 1 silenced\n', err: '' });
  });

  test('of the run take an id and a reason', async () => {
    const { code, out } = await workplace.run(['validate', '--silence', `${RULE}=known = old`, '-'], snapshot('x'));
    expect(code).toBe(ExitCode.OK);
    expect(out).toBe('nothing wrong in 1 object; 1 silenced\n');
  });

  test.each([[RULE, 'TC-SILENCE-REASON'], [`${RULE}=`, 'TC-SILENCE-REASON'], ['TC-X=why', 'TC-SILENCE-RULE']])('of the run that are wrong are findings: %s', async (silence, id) => {
    const { code, out } = await workplace.run(['validate', '--silence', silence, '-'], snapshot('x', '{}', 'fast'));
    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toContain(`about the options\n        error    ${id}\n`);
  });

  test('of nothing are warnings, which are errors if somebody wants it', async () => {
    const text = snapshot('x', SILENCED, 'fast');
    const { code, out } = await workplace.run(['validate', '-'], text);
    expect(code).toBe(ExitCode.OK);
    expect(out).toContain('     3  warning  TC-SILENCE-UNUSED  VolumeSnapshot a/x metadata.annotations["cdk8s-cluster-api/silence"]\n');
    expect(out).toContain('1 warning in 1 object');

    const strict = await workplace.run(['validate', '--warnings-as-errors', '-'], text);
    expect(strict.code).toBe(ExitCode.FINDINGS);
    expect(strict.out).toContain('1 error in 1 object');
  });
});

describe('what is not known', () => {
  test('is counted, and what is no manifest is noted', async () => {
    const { code, out, err } = await workplace.run(['validate', '-'], `${WIDGET}---\nfoo: 1\n`);
    expect(code).toBe(ExitCode.OK);
    expect(out).toBe('nothing wrong in 1 object; the fields of 1 object not looked at, of kinds that are not known: example.com/v1 Widget; --crds names their definitions\n');
    expect(err).toBe('note: standard input:5: is no manifest: it has no apiVersion and kind\n');
  });

  test('is refused with --strict', async () => {
    const { code, out, err } = await workplace.run(['validate', '--strict', '-'], `${WIDGET}---\nfoo: 1\n`);
    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toMatch(/^standard input\n {5}2 {2}error {4}TC-VALIDATE-KIND {2}Widget w kind\n/);
    expect(out).toContain('     5  error    TC-VALIDATE-OBJECT\n');
    expect(err).toBe('');
  });

  test.each([['kind: Pod\n', 'has kind "Pod" and no apiVersion'], ['apiVersion: v1\n', 'has apiVersion "v1" and no kind']])('half an object is an error: %j', async (text, words) => {
    const { code, out, err } = await workplace.run(['validate', '-'], text);
    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toMatch(/^ +1 {2}error {4}TC-VALIDATE-OBJECT$/m);
    expect(out).toContain(`${words}: no server takes it.\n                 Fix: write both fields.`);
    expect(err).toBe('');
  });

  test('has its metadata looked at all the same', async () => {
    const { code, out } = await workplace.run(['validate', '-'], WIDGET.replace('{name: w}', '{name: W_1, labels: {a: true}}'));
    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toContain('write a name such as "w-1"');
    expect(out).toContain('true is not a string');
  });

  test('fills no screen', async () => {
    const text = Array.from({ length: 8 }, (_, index) => WIDGET.replace('Widget', `Widget${index}`)).join('---\n');
    expect((await workplace.run(['validate', '-'], text)).out).toMatch(/Widget4 and 3 more; --crds names their definitions\n$/);
  });
});

describe('formats', () => {
  const TEXT = `${snapshot('x')}---\n${snapshot('u', SILENCED)}---\n${WIDGET}---\nfoo: 1\n`;

  test('json has everything', async () => {
    workplace.write({ 'm.yaml': TEXT });
    const { code, out, err } = await workplace.run(['validate', '--format', 'json', '--silence', 'TC-X=y', 'm.yaml']);
    expect(code).toBe(ExitCode.FINDINGS);
    expect(err).toBe('2 errors in 3 objects; 1 silenced; the fields of 1 object not looked at, of kinds that are not known: example.com/v1 Widget; --crds names their definitions\n');
    const found = { rule: RULE, severity: 'error', file: 'm.yaml', field: 'spec.volumeSnapshotClassName', pointer: '/spec/volumeSnapshotClassName' };
    expect(JSON.parse(out)).toEqual({
      version: 1,
      objects: 3,
      findings: [
        expect.objectContaining({ ...found, line: 7, object: { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot', namespace: 'a', name: 'x' } }),
        { rule: 'TC-SILENCE-RULE', severity: 'error', field: '', pointer: '', message: expect.any(String), accepted: expect.any(String), fix: expect.any(String), source: expect.any(String) },
      ],
      silenced: [expect.objectContaining({ ...found, line: 15, silencedBecause: 'we test the server' })],
      unknownKinds: [{ kind: 'example.com/v1 Widget', objects: 1 }],
      notRead: [{ message: 'is no manifest: it has no apiVersion and kind', file: 'm.yaml', line: 21 }],
    });
  });

  test('sarif has rules, places, and suppressions with their reasons', async () => {
    workplace.write({ 'a b/ü.yaml': TEXT });
    const { out } = await workplace.run(['validate', '--format', 'sarif', '--silence', 'TC-ADMIT-FIELD-VALUE=why', 'a b']);
    const { version, runs: [{ tool: { driver }, invocations, results }] } = JSON.parse(out);
    expect(version).toBe('2.1.0');
    expect(invocations).toEqual([{
      executionSuccessful: true,
      toolExecutionNotifications: [{ level: 'note', message: { text: 'The fields of 1 object were not looked at, for nothing is known of example.com/v1 Widget.' } }],
    }]);
    expect(driver).toMatchObject({ name: 'cdk8s-cluster-api', rules: [{ id: RULE, defaultConfiguration: { level: 'error' } }, { id: 'TC-SILENCE-UNUSED', defaultConfiguration: { level: 'warning' } }] });
    const place = (startLine: number) => [{
      physicalLocation: { artifactLocation: { uri: 'a%20b/%C3%BC.yaml' }, region: { startLine } },
      logicalLocations: [{ fullyQualifiedName: 'spec.volumeSnapshotClassName' }],
    }];
    expect(results).toEqual([
      { ruleId: RULE, ruleIndex: 0, level: 'error', message: { text: expect.stringMatching(/^VolumeSnapshot a\/x spec\.volumeSnapshotClassName: 5 is .*\. Fix: .*\.$/) }, locations: place(7) },
      { ruleId: 'TC-SILENCE-UNUSED', ruleIndex: 1, level: 'warning', message: expect.anything(), locations: [] },
      expect.objectContaining({ locations: place(15), suppressions: [{ kind: 'inSource', justification: 'we test the server' }] }),
    ]);
  });

  test('sarif names absolute files as such, and standard input not at all', async () => {
    workplace.write({ 'm.yaml': snapshot('x') });
    const uris = async (file: string) => {
      const { out } = await workplace.run(['validate', '--format', 'sarif', file], snapshot('x'));
      const { runs: [{ results }] } = JSON.parse(out) as { runs: [{ results: { locations: object[] }[] }] };
      return results.map(({ locations: [place] }) => fieldAt(place, 'physicalLocation', 'artifactLocation', 'uri'));
    };
    expect(await uris(workplace.path('m.yaml'))).toEqual([`file://${workplace.path('m.yaml')}`]);
    expect(await uris('-')).toEqual([undefined]);
  });

  test('github has a command for each finding, with nothing in it that ends it', async () => {
    workplace.write({ 'a,b:c%.yaml': snapshot('x', '{}', '["50%\\n::error::x"]') });
    const { out, err } = await workplace.run(['validate', '--format', 'github', 'a,b:c%.yaml', '--silence', 'TC-ADMIT-FIELD-VALUE=x']);
    const [error, warning, end] = out.split('\n');
    expect(error).toMatch(/^::error file=a%2Cb%3Ac%25\.yaml,line=7,title=TC-ADMIT-FIELD-TYPE::VolumeSnapshot a\/x spec\.volumeSnapshotClassName: .*Fix: /);
    expect(error).not.toMatch(/50%[^2]/);
    expect(warning).toMatch(/^::warning title=TC-SILENCE-UNUSED::/);
    expect(end).toBe('');
    expect(err).toBe('1 error, 1 warning in 1 object\n');
  });
});

describe('--list-rules', () => {
  test('prints every rule, and reads nothing', async () => {
    const { code, out } = await workplace.run(['validate', '--list-rules']);
    expect(code).toBe(ExitCode.OK);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(reportedRules().length);
    expect(lines).toEqual([...lines].sort());
    expect(out).toMatch(/^TC-SILENCE-UNUSED +warning {2}A silence/m);
  });

  test('does so for programs, too', async () => {
    const { rules } = JSON.parse((await workplace.run(['validate', '--list-rules', '--format', 'json'])).out) as { rules: object[] };
    expect(rules).toHaveLength(reportedRules().length);
    expect(rules).toContainEqual(expect.objectContaining({ id: RULE, severity: 'error', title: expect.any(String), source: expect.any(String) }));
  });

  test.each([[['--list-rules', 'dist'], 'reads nothing'], [['--list-rules', '--format', 'sarif'], 'in the format sarif']])('%j cannot be', async (args, fault) => {
    const { code, err } = await workplace.run(['validate', ...args]);
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain(fault);
  });
});

test.each<[string, string | Buffer, string]>([
  ['YAML that is none', 'a: [', 'is no YAML'],
  ['a template', 'a: 1\n{{ if x }}\n', 'is a template'],
  ['packed bytes', Buffer.from([0x1f, 0x8b, 0, 0]), 'is no text'],
  ['aliases without end', `${['a0: &a0 [x, x]', ...Array.from({ length: 40 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)].join('\n')}\n`, 'aliases'],
  ['lists without end', '['.repeat(100_000), 'nesting exceeded maxDepth (500)'],
])('%s cannot be validated', async (_name, content, fault) => {
  workplace.write({ 'm.yaml': content });
  const { code, out } = await workplace.run(['validate', 'm.yaml']);
  expect(code).toBe(ExitCode.FAILED);
  expect(out).toMatch(/^m\.yaml\n[ \d]+ error +TC-VALIDATE-FILE\n/);
  expect(out).toContain(fault);
});

test('a folder that is not there cannot be validated', async () => {
  const { code, err } = await workplace.run(['validate']);
  expect(code).toBe(ExitCode.FAILED);
  expect(err).toContain('there is no dist');
});

test('many findings in one file are found in a time that grows with them', async () => {
  const items = Array.from({ length: 3000 }, (_, index) => `- ${snapshot(`x${index}`).trimEnd().replaceAll('\n', '\n  ')}\n`).join('');
  workplace.write({ 'm.yaml': `apiVersion: v1\nkind: List\nitems:\n${items}` });
  const { out } = await workplace.run(['validate', 'm.yaml', '--format', 'github']);
  expect(out.split('\n').at(-2)).toContain(`line=${3 + 3000 * 7},`);
});

test('a folder without manifests is the output of an app without clusters', async () => {
  workplace.write({ 'dist/README.md': 'Ours.\n' });
  const { code, err } = await workplace.run(['validate']);
  expect(code).toBe(ExitCode.OK);
  expect(err).toContain('note: dist has no .yaml, .yml or .json file\n');
});
