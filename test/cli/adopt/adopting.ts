import * as path from 'node:path';
import * as ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { adoptCommand } from '../../../src/cli/adopt/adopt-command';
import { ExitCode } from '../../../src/cli/command';
import { ManifestObject, nameOf, namespaceOf, objectName } from '../../../src/manifests/objects/manifest-object';
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

/** Texts of files by their paths. */
export type Files = Readonly<Record<string, string>>;

/** The objects of files, as another parser reads them. */
export function objectsIn(files: Files): ManifestObject[] {
  const documents = Object.entries(files).filter(([file]) => /\.ya?ml$/.test(path.basename(file)))
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as unknown));
  return documents.filter((value): value is ManifestObject => typeof value === 'object' && value !== null && 'apiVersion' in value && 'metadata' in value);
}

/** The report of the command as JSON. */
export interface Report {
  readonly objects: readonly { readonly outcome: string; readonly kind: string; readonly namespace?: string; readonly name: string }[];
  readonly notRead: readonly string[];
}

/** Objects of files that a report does not name. */
export function silentObjects(files: Files, { objects, notRead }: Report): string[] {
  const idOf = (kind: unknown, namespace: string | undefined, name: string | undefined) => `${String(kind)} ${namespace ?? ''}/${name ?? '-'}`;
  const known = new Set(objects.map(({ kind, namespace, name }) => idOf(kind, namespace, name)));
  const silent = objectsIn(files).filter((object) => !known.has(idOf(object.kind, namespaceOf(object), nameOf(object))));
  return silent.map(objectName).filter((name) => !notRead.some((remark) => remark.includes(name)));
}
