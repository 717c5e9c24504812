import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { DEFAULT_MUTATIONS, DEFAULT_PLAN_PAIRS, DEFAULT_SEED, HELP, readArguments } from '../../../scripts/conformance/arguments';
import { goFault, GoProgram } from '../../../scripts/conformance/go-program';

test('a run has defaults, and passes on what is about the server', () => {
  expect(readArguments([])).toEqual({
    seed: DEFAULT_SEED,
    mutations: DEFAULT_MUTATIONS,
    planPairs: DEFAULT_PLAN_PAIRS,
    only: undefined,
    progress: true,
    kamaji: false,
    operator: false,
    live: false,
    examples: [],
    nodes: false,
    minors: [],
    plan: true,
    corpus: true,
    record: false,
    cases: true,
    passedOn: [],
    ownServer: false,
  });
  const given = '--seed 7 --mutations 3 --only a:1 --keep --kubeconfig /k --context c --namespace n';
  expect(readArguments(given.split(' '))).toEqual({
    seed: 7,
    mutations: 3,
    planPairs: DEFAULT_PLAN_PAIRS,
    only: 'a:1',
    progress: false,
    kamaji: false,
    operator: false,
    live: false,
    examples: [],
    nodes: false,
    minors: [],
    plan: false,
    corpus: false,
    record: false,
    cases: true,
    passedOn: ['--kubeconfig=/k', '--context=c', '--namespace=n', '--keep'],
    ownServer: true,
  });
  expect(readArguments(['--live', 'diy-cloud', 'argo-cd'])).toMatchObject({ live: true, examples: ['diy-cloud', 'argo-cd'] });
  expect(readArguments(['--live', '--mutants'])).toMatchObject({ live: true, mutants: '' });
  expect(readArguments(['--live', '--mutants', 'right: more'])).toMatchObject({ mutants: 'right: more' });
  expect(() => readArguments(['--mutants'])).toThrow('--mutants is for --live');
  expect(readArguments(['--nodes', '1.33', '1.36', '--if-built'])).toMatchObject({ nodes: true, minors: ['1.33', '1.36'], passedOn: ['--if-built'] });
  expect(readArguments(['--operator', '--keep'])).toMatchObject({ operator: true, passedOn: ['--keep'] });
  expect(readArguments(['--live', '--usage', 'page.md'])).toMatchObject({ live: true, usage: 'page.md' });
  expect(() => readArguments(['--usage', 'page.md'])).toThrow('--usage is for --live without --mutants');
  expect(() => readArguments(['--nodes', '--live'])).toThrow('--live, --nodes and --operator run alone');
  expect(readArguments(['--if-built'])).toMatchObject({ cases: true, passedOn: ['--if-built'] });
  expect(() => readArguments(['1.36'])).toThrow('1.36: names of examples are for --live, and minors for --nodes');
  expect(readArguments(['--no-progress'])).toMatchObject({ progress: false });
  expect(readArguments(['--plan-pairs', '9'])).toMatchObject({ plan: true, planPairs: 9 });
  expect(readArguments(['--plan-part', '2/3'])).toMatchObject({ planPart: { number: 2, of: 3 } });
  expect(() => readArguments(['--plan-part', '4/3'])).toThrow('--plan-part 4/3: write such as 2/3, the second of three parts');
  expect([['--only', 'plan:cpu'], ['--only', 'a:1'], ['--no-plan']].map((args) => readArguments(args))).toMatchObject([{ plan: true }, { plan: false }, { plan: false }]);
  expect(readArguments(['--only', 'corpus:kcp-even'])).toMatchObject({ plan: false, corpus: true, cases: false });
  expect(readArguments(['--corpus', '9', '--corpus-only', '--record'])).toMatchObject({ plan: false, corpus: true, corpusPairs: 9, record: true, cases: false, progress: false });
  expect(readArguments(['--help'])).toBe('help');
  expect(DEFAULT_MUTATIONS).toBeGreaterThanOrEqual(200);
  expect(DEFAULT_PLAN_PAIRS).toBeGreaterThanOrEqual(200);
  for (const option of ['seed', 'mutations', 'only', 'kubeconfig', 'context', 'namespace', 'no-progress', 'no-plan', 'plan-pairs', 'kamaji', 'live', 'mutants', 'nodes', 'keep']) expect(HELP).toContain(`--${option}`);
});

test.each([['--seed', 'x'], ['--mutations', '-1'], ['--nothing'], ['word']])('%s %s is refused', (...args) => {
  expect(() => readArguments(args)).toThrow();
});

const GO_MOD = 'module conformance\n\ngo 1.26.0\n';

test.each([['go1.26.0'], ['go1.26.8\n'], ['go1.27rc1'], ['go2.0'], ['go1.26.3-X:jsonv2']])('%s is new enough', (version) => {
  expect(goFault(version, GO_MOD)).toBeUndefined();
});

test('Go that is not there or too old is said to be', () => {
  expect(goFault(undefined, GO_MOD)).toMatch(/^there is no program "go"; install Go 1\.26 or newer/);
  expect(goFault('go1.9.7\n', GO_MOD)).toMatch(/^go1\.9\.7 is too old; install Go 1\.26 or newer/);
  expect(goFault('', GO_MOD)).toMatch(/^the program "go" is too old/);
});

describe('the program', () => {
  let folder: string;
  beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'go-program-')); });
  afterEach(() => { fs.rmSync(folder, { recursive: true, force: true }); });

  /** A program that is no Go program, in its place. */
  function program(script: string): GoProgram {
    fs.mkdirSync(path.join(folder, 'bin'));
    fs.writeFileSync(path.join(folder, 'bin', 'stand-in'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return new GoProgram(folder, 'stand-in');
  }

  test('runs with its arguments in its folder, and its exit code is told', async () => {
    expect(await program('echo "$1 $PWD" > said; exit 3').run(['--x'])).toBe(3);
    expect(fs.readFileSync(path.join(folder, 'said'), 'utf8')).toBe(`--x ${fs.realpathSync(folder)}\n`);
  });

  test('can be read while it prints', async () => {
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    let output = '';
    expect(await program('echo first; echo last').run([], (text) => { output += text; })).toBe(0);
    expect(output).toBe('first\nlast\n');
    expect(printed.mock.calls.join('')).toBe(output);
    printed.mockRestore();
  });

  test('is told to end, and waited for, when this process is', async () => {
    const done = program('trap "echo ended > said; exit 7" TERM\ntouch ready\nwhile :; do sleep 0.05; done').run([]);
    while (!fs.existsSync(path.join(folder, 'ready'))) await new Promise((resolve) => { setTimeout(resolve, 20); });
    process.emit('SIGTERM');

    expect(await done).toBe(7);
    expect(fs.readFileSync(path.join(folder, 'said'), 'utf8')).toBe('ended\n');
  });

  test('that is not there is an error', async () => {
    await expect(new GoProgram(folder, 'nothing').run([])).rejects.toThrow('ENOENT');
  });
});
