import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { compiledProgram } from '../support/compiled';
import { GitRepository } from '../support/git-repository';

const ROOT = path.join(__dirname, '..', '..');

/** The package in an app. */
export const INSTALLED = 'node_modules/cdk8s-cluster-api';

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly env: { readonly [name: string]: string };
  readonly run: string;
}

interface Action {
  readonly inputs: { readonly [name: string]: { readonly default: string } };
  readonly outputs: { readonly [name: string]: { readonly value: string } };
  readonly runs: { readonly steps: readonly Step[] };
}

/** The action as GitHub reads it. */
export const ACTION = jsYaml.load(fs.readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as Action;

/** A run of the action. */
export interface ActionRun {
  /** The steps that ran, each with its exit code. */
  readonly steps: { readonly [name: string]: number };
  readonly outputs: { readonly [name: string]: string };
  readonly log: string;
  readonly summary: string;
}

/** Inputs and environment of a run of the action. */
export interface Surroundings {
  readonly inputs?: { readonly [name: string]: string };
  readonly github?: { readonly token?: string; readonly event: object; readonly [field: string]: unknown };
  readonly env?: { readonly [name: string]: string };
}

/** Runs the steps of the action in a folder, as a runner of GitHub does. */
export async function runAction(folder: string, { inputs: given = {}, github = { event: {} }, env = {} }: Surroundings): Promise<ActionRun> {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'runner-'));
  const [output, summary] = [path.join(temp, 'output'), path.join(temp, 'summary')];
  const inputs = Object.fromEntries(Object.entries(ACTION.inputs).map(([name, { default: value }]) => (
    [name, given[name] ?? expanded(value, { github })])));
  const stepOutputs: { [id: string]: { outputs: { [name: string]: string } } } = {};
  const ran: { [name: string]: number } = {};
  let log = '';
  let failed = false;
  for (const step of ACTION.runs.steps) {
    const contexts = { inputs, github, steps: stepOutputs, cancelled: () => false };
    // As at GitHub, text that is not empty is true.
    if (step.if === undefined ? failed : ['', 'false'].includes(expanded(step.if, contexts))) continue;
    for (const file of [output, summary]) fs.appendFileSync(file, '');
    const own = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, expanded(value, contexts)]));
    const { code, text } = await runShell(step.run, folder, {
      PATH: process.env.PATH!,
      HOME: temp,
      GITHUB_ACTION_PATH: path.join(folder, INSTALLED),
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temp,
      ...env,
      ...own,
    });
    log += text;
    ran[step.name] = code;
    failed ||= code !== 0;
    const lines = fs.readFileSync(output, 'utf8').split('\n').filter((line) => line !== '');
    if (step.id !== undefined) stepOutputs[step.id] = { outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) };
  }
  const outputs = Object.fromEntries(Object.entries(ACTION.outputs).map(([name, { value }]) => [name, expanded(value, { steps: stepOutputs })]));
  return { steps: ran, outputs, log, summary: fs.readFileSync(summary, 'utf8') };
}

/** The package as npm installs it in an app. */
export function installPackage(app: string): void {
  const folder = path.join(app, INSTALLED);
  for (const name of ['bin', 'lib']) fs.mkdirSync(path.join(folder, name), { recursive: true });
  fs.cpSync(path.join(ROOT, 'action'), path.join(folder, 'action'), { recursive: true });
  const program = compiledProgram(path.join(ROOT, 'src/program.ts'));
  fs.writeFileSync(path.join(folder, 'bin/cdk8s-cluster-api'), `require(${JSON.stringify(program)}).runProgram();\n`);
}

/** Replaces expressions. A property that is missing is empty, as at GitHub; otherwise those of the action mean the same in JavaScript. */
function expanded(text: string, contexts: object): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const value: unknown = new Function(...Object.keys(contexts), `return ${expression.replace(/\.([\w-]+)/g, '?.["$1"]')}`)(...Object.values(contexts));
    return typeof value === 'object' ? String(value !== null) : String(value ?? '');
  });
}

/** Programs of an app for a shell: npm and cdk8s, which do nothing here, and the package. */
export function writePrograms(repo: GitRepository): void {
  installPackage(repo.folder);
  repo.write('bin/npm', '#!/bin/sh\n');
  repo.write('bin/npx', '#!/bin/sh\nif [ "$1" = cdk8s ]; then exit 0; fi\nprogram=$1\nshift\nexec node "node_modules/cdk8s-cluster-api/bin/$program" "$@"\n');
  for (const name of ['npm', 'npx']) fs.chmodSync(repo.at(`bin/${name}`), 0o755);
  repo.write('.gitignore', 'bin/\nnode_modules/\nplan.md\n');
}

/** The command that `shell: bash` stands for (docs.github.com: Workflow syntax, jobs.<job_id>.steps[*].shell). GitLab's runner has the same. */
export function runShell(script: string, cwd: string, env: { readonly [name: string]: string }): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (part: string) => { text += part; });
    shell.on('error', reject).on('close', (code) => resolve({ code: code ?? -1, text }));
  });
}
