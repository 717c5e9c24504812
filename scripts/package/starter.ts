import * as fs from 'node:fs';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { checkDocumentedLines } from './documented-lines';
import { run } from './run';
import { NODES, nodeProgram, TYPESCRIPTS } from './toolchains';

/**
 * Writes an app by `init`, and does what it says: `npm install`, `npm test`, `npm run synth`; then every documented command.
 *
 * @param app folder of an app that has the package
 * @param tarball the packed package, from which the new app must install it
 * @param withToolchains true to do so with each release of TypeScript and Node.js, too, which the folder then has
 * @returns what was tried
 */
export function checkStarter(app: string, tarball: string, withToolchains: boolean): string {
  const seconds: string[] = [];
  const timed = (what: string, program: string, args: readonly string[], folder = starter) => {
    const start = process.uptime();
    // As outside of CI, where a test that finds no snapshot fails instead of writing one.
    run(program, args, folder, { CI: '' });
    seconds.push(`${what} ${(process.uptime() - start).toFixed(1)} s`);
  };
  const starter = path.join(app, 'starter');
  timed('init', 'npx', ['--no-install', 'cdk8s-cluster-api', 'init', 'starter'], app);
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(starter, 'package.json'), 'utf8')) as { dependencies: { [name: string]: string } };
  const spec = dependencies['cdk8s-cluster-api'].replace(/^file:/, '');
  if (!spec.startsWith('vendor/') || !fs.readFileSync(path.join(starter, spec)).equals(fs.readFileSync(tarball))) {
    throw new Error(`the app depends on ${spec}, not on a copy of ${tarball}`);
  }

  timed('npm install', 'npm', ['install', '--no-audit', '--no-fund']);
  timed('npm test', 'npm', ['test']);
  timed('npm run synth', 'npm', ['run', 'synth']);
  timed('validate', 'npx', ['--no-install', 'cdk8s-cluster-api', 'validate', '--strict']);
  commit(starter);
  const hook = preCommitHook();
  timed(`hook ${hook.id}`, 'sh', ['-c', [hook.entry, ...hook.args].join(' ')]);
  runAction(starter, app);

  if (withToolchains) runToolchains(app, starter);
  const checkedOut = path.join(app, 'clone');
  run('git', ['clone', '--quiet', starter, checkedOut], app);
  timed('npm ci of a clone, with an empty cache', 'npm', ['ci', '--no-audit', '--no-fund', '--cache', path.join(app, 'cache')], checkedOut);
  return `${seconds.join(', ')}; ${checkDocumentedLines(starter)}`;
}

/** Compiles, tests and runs the app with each release of TypeScript and Node.js: nothing in it changes. */
function runToolchains(app: string, starter: string): void {
  for (const major of TYPESCRIPTS) run(process.execPath, [path.join(app, 'node_modules', `typescript-${major}`, 'bin', 'tsc')], starter);
  for (const major of NODES) {
    const node = nodeProgram(app, major);
    run(node, ['--import', 'tsx', '--test', 'tenants.test.ts'], starter, { CI: 'true' });
    run(node, ['--import', 'tsx', 'main.ts'], starter);
  }
  const changed = run('git', ['status', '--porcelain'], starter);
  if (changed !== '') throw new Error(`other releases of TypeScript or Node.js change the app:\n${changed}`);
}

/** The hook that others run by pre-commit, which `pre-commit try-repo` shows to be one. */
function preCommitHook(): { readonly id: string; readonly entry: string; readonly args: readonly string[] } {
  const [hook] = jsYaml.load(fs.readFileSync(path.join(__dirname, '../../.pre-commit-hooks.yaml'), 'utf8')) as ReturnType<typeof preCommitHook>[];
  return hook;
}

/** Runs the action that the workflow of the app uses, which the package contains, but for the comment. */
function runAction(starter: string, temp: string): void {
  const workflow = jsYaml.load(fs.readFileSync(path.join(starter, '.github/workflows/starter.yml'), 'utf8')) as { jobs: { check: { steps: { uses?: string }[] } } };
  const uses = workflow.jobs.check.steps.map((step) => step.uses ?? '').find((name) => name.startsWith('./'));
  if (uses === undefined) throw new Error('the workflow of the app uses no action of the package');
  const folder = path.join(starter, uses);
  const action = jsYaml.load(fs.readFileSync(path.join(folder, 'action.yml'), 'utf8')) as { runs: { steps: { run: string }[] } };
  const [validate, plan] = action.runs.steps;
  for (const step of [validate, plan]) {
    run('bash', ['-eo', 'pipefail', '-c', step.run], starter, {
      BASE: 'HEAD', FOLDER: 'dist', GITHUB_ACTION_PATH: folder, GITHUB_OUTPUT: path.join(temp, 'output'), GITHUB_STEP_SUMMARY: path.join(temp, 'summary'), RUNNER_TEMP: temp,
    });
  }
  run(process.execPath, ['--check', path.join(folder, 'action/comment.mjs')], starter);
}

/** Commits everything, as if it were pushed, so that plans have a state to compare with. */
function commit(folder: string): void {
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args], folder);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=Start');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}
