import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import { Case } from './gather';
import { adoptCommand } from '../../src/cli/adopt/adopt-command';
import { CommandError, ExitCode } from '../../src/cli/command';

/** Results of adoption, summed up. */
export interface Measured {
  readonly cases: number;
  readonly objects: number;
  readonly typed: number;
  readonly manifest: number;
  readonly carried: number;
  readonly left: number;
  readonly equal: number;
  readonly converted: number;
  readonly stored: number;

  /** Objects that the app writes otherwise. */
  readonly different: number;

  /** Objects that it does not write, and that the report does not name. */
  readonly lost: number;

  /** Cases whose plan is empty. */
  readonly unchanged: number;
}

export const NOTHING: Measured = {
  cases: 0, objects: 0, typed: 0, manifest: 0, carried: 0, left: 0, equal: 0, converted: 0, stored: 0, different: 0, lost: 0, unchanged: 0,
};

/** The sum of two results. */
export function added(one: Measured, other: Measured): Measured {
  return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, Number(value) + other[key as keyof Measured]])) as unknown as Measured;
}

interface Report {
  readonly objects: readonly { readonly outcome: string }[];
}

interface ProofReport {
  readonly objects: readonly { readonly result: string; readonly kind: string; readonly name: string; readonly differences?: readonly unknown[] }[];
  readonly added: readonly string[];
}

const load = createRequire(__filename);
const LIBRARY = load('../../src/index') as Record<string, unknown>;

/**
 * Adopts manifests, runs the app that was written, and proves it, each as the command line does it.
 *
 * @returns the counts, and what a person should look at; undefined if the manifests have no objects
 */
export async function measure(one: Case): Promise<{ readonly measured: Measured; readonly remarks: readonly string[] } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'adoption-'));
  try {
    for (const [name, text] of one.files) {
      const file = join(folder, 'old', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const options = ['--namespace', one.namespace, '--format', 'json'];
    const adopted = await run(folder, ['old', '--output', 'app', ...options]);
    if (adopted === undefined) return undefined;
    const report = JSON.parse(adopted.out) as Report;
    runApp(join(folder, 'app'));
    // An app without objects writes no folder.
    mkdirSync(join(folder, 'app', 'dist'), { recursive: true });
    const proof = (await run(folder, ['--prove', 'old', 'app/dist', ...options]))!;
    return counted(report, JSON.parse(proof.out) as ProofReport, adopted.code === ExitCode.OK && proof.code === ExitCode.OK);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function counted(report: Report, proof: ProofReport, isUnchanged: boolean) {
  const outcome = (name: string) => report.objects.filter((object) => object.outcome === name).length;
  const result = (name: string) => proof.objects.filter((object) => object.result === name).length;
  const measured: Measured = {
    cases: 1,
    objects: report.objects.length,
    typed: outcome('typed'),
    manifest: outcome('manifest'),
    carried: outcome('carried'),
    left: outcome('left'),
    equal: result('equal'),
    converted: result('converted'),
    stored: result('stored'),
    different: result('different'),
    // Objects that no app can have are left with a reason, and the proof does not ask for them.
    lost: result('missing') - (proof.objects.length - (report.objects.length - outcome('left'))),
    unchanged: isUnchanged ? 1 : 0,
  };
  const wrong = proof.objects.filter((object) => object.result === 'missing' || object.result === 'different');
  return { measured, remarks: wrong.map(({ kind, name, result: found, differences = [] }) => `${found}: ${kind} ${name} ${JSON.stringify(differences).slice(0, 200)}`) };
}

async function run(cwd: string, args: readonly string[]): Promise<{ readonly code: number; readonly out: string } | undefined> {
  let out = '';
  const command = adoptCommand(() => ({ library: LIBRARY, cdk8s: load('cdk8s') as Record<string, unknown> }));
  try {
    const code = await command.run(args, { cwd, env: {}, readInput: async () => Buffer.from(''), out: (text) => { out += text; }, err: () => undefined });
    return { code, out };
  } catch (error) {
    if (error instanceof CommandError && error.message.includes('no objects that an app can make')) return undefined;
    throw error;
  }
}

/** Runs the program of an app as it is written, with the sources of the library. */
function runApp(folder: string): void {
  const loadFile = (file: string): unknown => {
    const { outputText } = ts.transpileModule(readFileSync(join(folder, file), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const exports = {};
    const required = (asked: string): unknown => {
      if (asked.startsWith('./')) return loadFile(`${asked.slice(2)}.ts`);
      return asked === 'cdk8s-cluster-api' ? LIBRARY : load(asked);
    };
    new Function('require', 'exports', '__dirname', outputText)(required, exports, folder);
    return exports;
  };
  if (!existsSync(join(folder, 'main.ts'))) return;
  const cwd = process.cwd();
  process.chdir(folder);
  try {
    loadFile('main.ts');
  } finally {
    process.chdir(cwd);
  }
}
