import * as fs from 'node:fs';
import * as ts from 'typescript';
import { ExitCode } from '../../../src/cli/command';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GitRepository } from '../../support/git-repository';
import { Workplace } from '../run';

/** A test of the app, as it would run. */
interface AppTest {
  readonly name: string;
  readonly skip?: boolean;
  run(): void;
}

let workplace: Workplace;
let repo: GitRepository;

/** Runs a program of the app, with the sources of the library, and gives the tests that it declares. */
function runProgram(name: string): AppTest[] {
  const tests: AppTest[] = [];
  const declare = (title: string, ...rest: [AppTest['run']] | [{ skip?: boolean }, AppTest['run']]) => {
    const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
    tests.push({ name: title, skip: options.skip, run });
  };
  const load = (file: string): unknown => {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const { outputText } = ts.transpileModule(workplace.read(file), { compilerOptions });
    const exports = {};
    const required = (asked: string): unknown => {
      if (asked === 'node:test') return { test: declare };
      return asked.startsWith('./') ? load(`${asked.slice(2)}.ts`) : jest.requireActual(asked);
    };
    new Function('require', 'exports', '__dirname', outputText)(required, exports, workplace.folder);
    return exports;
  };
  load(name);
  return tests;
}

/** The result of `npm test`, in CI or outside. */
function failedTests(ci: boolean): string[] {
  if (ci) process.env.CI = 'true';
  else delete process.env.CI;
  return runProgram('tenants.test.ts').filter(({ skip }) => !skip).flatMap(({ name, run }) => {
    try {
      run();
      return [];
    } catch (error) {
      return [`${name}: ${String(error).split('\n')[0]}`];
    }
  });
}

/** Does what the README of the app says after a change, then what its workflow does with the pull request; gives the plan. */
async function pullRequest(): Promise<string> {
  fs.rmSync(workplace.path('tenants.snapshot.yaml'), { force: true });
  expect(failedTests(false)).toEqual([]);
  synthesize();
  repo.commit();

  // A clone has no empty folders.
  repo.git('clean', '--quiet', '-ffdx');
  process.env.BASE = 'HEAD^';
  expect(failedTests(true)).toEqual([]);
  synthesize();
  delete process.env.BASE;
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(await workplace.run(['validate'])).toMatchObject({ code: ExitCode.OK });
  const { code, out } = await workplace.run(['plan', '--base', 'HEAD^']);
  expect(code).toBe(ExitCode.OK);
  return out;
}

/** As `cdk8s synth`, which empties the output first. */
function synthesize(): void {
  fs.rmSync(workplace.path('dist'), { recursive: true, force: true });
  runProgram('main.ts');
}

function edit(file: string, from: RegExp, to: string): void {
  const text = workplace.read(file);
  expect(text).toMatch(from);
  workplace.write({ [file]: text.replace(from, to) });
}

/** Declares the tests of apps that `init` writes, each with a blueprint. */
export function testLives(blueprints: readonly string[]): void {
  beforeEach(() => {
    workplace = new Workplace();
    repo = new GitRepository(workplace.folder);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    jest.spyOn(WARNINGS, 'emit').mockReturnValue(undefined);
    process.env.CDK8S_OUTDIR = workplace.path('dist');
  });

  afterEach(() => {
    delete process.env.CDK8S_OUTDIR;
    delete process.env.CI;
    jest.restoreAllMocks();
    workplace.remove();
  });

  test.each(blueprints)('%s: from its first commit to its last, the workflow passes', async (blueprint) => {
    repo.commit({ LICENSE: 'Ours.\n' });
    await workplace.run(['init', '--blueprint', blueprint]);
    expect(await pullRequest()).toMatch(/^SAFE: 1 of 1 cluster differs \(1 new\)/);

    const [version] = /(?<=kubernetesVersion: ')[\d.]+/.exec(workplace.read('tenant.ts'))!;
    const next = version === '1.34.1' ? '1.35.4' : '1.36.1';
    edit('tenant.ts', new RegExp(`(?<=kubernetesVersion: '|nodeImage: '.*:v)${version}`, 'g'), next);
    expect(await pullRequest()).toContain(`v${version} -> v${next}`);

    edit('tenant.ts', /\n( +)kubernetesVersion: /, '\n$1decommission: true,$&');
    expect(await pullRequest()).toMatch(/^DESTROYS: 1 of 1 cluster differs \(1 removed\)/);

    edit('tenants.ts', / +addTenant\(app\),\n/, '');
    edit('tenants.ts', /import \{ addTenant \}.*\n/, '');
    fs.rmSync(workplace.path('tenant.ts'));
    expect(await pullRequest()).toContain('removed');
    expect(repo.git('ls-files', 'dist')).not.toContain('acme');
  });
}
