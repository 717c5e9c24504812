import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as ts from 'typescript';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';

const ROOT = path.join(__dirname, '../../..');
const GUIDE = fs.readFileSync(path.join(ROOT, 'docs/guides/test-your-page.md'), 'utf8');

/** The blocks of TypeScript of the guide: one file of tests. */
const SAMPLE = [...GUIDE.matchAll(/```ts\n([^]*?)```/g)].map(([, text]) => text).join('\n');

const TENANT = path.join(ROOT, 'templates/blueprints/diy-cloud');

let folder: string;
const cwd = process.cwd();
const { CI } = process.env;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guide-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(cwd);
  if (CI === undefined) delete process.env.CI;
  else process.env.CI = CI;
  fs.rmSync(folder, { recursive: true });
});

/** Runs the tests of the guide for the page that `init` writes. */
function run(): string[] {
  const program = ts.transpileModule(SAMPLE, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } }).outputText;
  const names: string[] = [];
  const modules: { readonly [name: string]: unknown } = {
    'node:test': { test: (name: string, body: () => void) => { body(); names.push(name); } },
    './tenant': jest.requireActual(TENANT),
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  new Function('require', 'exports', program)((name: string) => modules[name] ?? jest.requireActual(name), {});
  return names;
}

test('every test of the guide passes, and in CI against the snapshot that was committed', () => {
  const app = new GitOpsApp({ outdir: path.join(folder, 'former/dist'), quiet: true });
  jest.requireActual<{ addTenant(scope: GitOpsApp): TenantCluster }>(TENANT).addTenant(app);
  app.synth();

  process.env.CI = 'true';
  expect(run).toThrow(/no such file.*tenant\.snapshot\.yaml/);
  delete process.env.CI;
  expect(run().length).toBe(SAMPLE.match(/^test\(/gm)?.length);
  process.env.CI = 'true';
  expect(run().length).toBe(SAMPLE.match(/^test\(/gm)?.length);
  expect(fs.readFileSync('tenant.snapshot.yaml', 'utf8')).toContain('acme-general-<hash>');
});

test('the guide has a sample of every assertion', () => {
  const methods = ['cluster-assertions', 'pool-assertions', 'subject-assertions', 'snapshots'].flatMap((file) => (
    [...fs.readFileSync(path.join(ROOT, `src/constructs/testing/${file}.ts`), 'utf8').matchAll(/^ {2}public (?:static )?([a-z]\w*)\(/gm)].map(([, name]) => name)));

  expect(methods.length).toBeGreaterThan(15);
  expect(methods.filter((name) => !GUIDE.includes(`.${name}(`))).toEqual([]);
});
