import * as ts from 'typescript';
import { adoptCommand } from '../../../src/cli/adopt/adopt-command';
import { ExitCode } from '../../../src/cli/command';
import { Run, Workplace } from '../run';

/** Runs the command with the sources of the library. */
export async function runAdopt(workplace: Workplace, args: readonly string[], input = ''): Promise<Run> {
  let [out, err] = ['', ''];
  const load = () => ({
    library: jest.requireActual<Record<string, unknown>>('cdk8s-cluster-api'), cdk8s: jest.requireActual<Record<string, unknown>>('cdk8s'),
  });
  const code = await adoptCommand(load).run(args, {
    cwd: workplace.folder,
    env: {},
    readInput: async () => Buffer.from(input),
    out: (text) => { out += text; },
    err: (text) => { err += text; },
  });
  return { code, out, err };
}

/** Runs the program of an app as it is written, in its folder, with the sources of the library. */
export function runApp(workplace: Workplace, folder: string): void {
  const load = (file: string): unknown => {
    const { outputText } = ts.transpileModule(workplace.read(`${folder}/${file}`), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const exports = {};
    const required = (asked: string): unknown => (asked.startsWith('./') ? load(`${asked.slice(2)}.ts`) : jest.requireActual(asked));
    new Function('require', 'exports', '__dirname', outputText)(required, exports, workplace.path(folder));
    return exports;
  };
  const [cwd, listeners] = [process.cwd(), process.listeners('warning')];
  process.removeAllListeners('warning');
  process.on('warning', () => undefined);
  process.chdir(workplace.path(folder));
  try {
    load('main.ts');
  } finally {
    process.chdir(cwd);
    process.removeAllListeners('warning');
    for (const listener of listeners) process.on('warning', listener);
  }
}

/** Adopts manifests, runs the app that was written, and compares what it writes with them. */
export async function adoptAndProve(workplace: Workplace, old: string, ...options: readonly string[]): Promise<Record<'adopted' | 'proof', Run>> {
  const adopted = await runAdopt(workplace, [old, '--output', 'app', ...options]);
  if (adopted.code === ExitCode.FAILED) throw new Error(adopted.err);
  runApp(workplace, 'app');
  return { adopted, proof: await runAdopt(workplace, ['--prove', old, 'app/dist', ...options]) };
}
