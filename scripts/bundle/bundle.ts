import * as fs from 'node:fs';
import * as path from 'node:path';
import { chunkText } from './chunk-text';
import { entryText, readEntry } from './entry';
import { CompiledModule, ModuleGraph } from './module-graph';

const CORE = 'core';

/** What to bundle. */
export interface BundleOptions {
  /** Folder of compiled files. */
  readonly folder: string;

  /** Modules that are loaded by path; they may only re-export. */
  readonly entries: readonly string[];

  /** Names that an entry exports and nearly every program uses: what they need is in one file. */
  readonly core: readonly string[];
}

/**
 * Puts compiled modules into few files, since Node.js takes longer to find and open hundreds of them than to run what is in them.
 *
 * What nearly every program needs is one chunk; of the rest, each folder is one. Each module is in one chunk and loaded once: when a module
 * that imports it is, or, if it needs a package such as cdk8s, when something of it is first used. The command line needs none most of the time.
 *
 * The modules themselves stay where tsc has written them, so that what was not compiled again is there for the next time.
 */
export function bundle({ folder, entries, core }: BundleOptions): void {
  const exported = new Map(entries.map((name) => [name, readEntry(name, fs.readFileSync(path.join(folder, `${name}.js`), 'utf8'))]));
  const all = [...exported.values()].flat();
  const graph = new ModuleGraph(folder, all.map(({ module }) => module), entries);

  const coreModules = graph.neededBy(core.map((name) => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Error(`no entry exports ${name}`);
    return found.module;
  }));
  const lazy = graph.needingPackages();
  const chunkOf = (module: string): string => coreModules.has(module) ? CORE : path.posix.dirname(module);

  const chunks = new Map<string, CompiledModule[]>();
  for (const module of graph.all) chunks.set(chunkOf(module.name), [...chunks.get(chunkOf(module.name)) ?? [], module]);
  const target = path.join(folder, 'chunks');
  fs.rmSync(target, { recursive: true, force: true });
  for (const [chunk, modules] of chunks) write(path.join(target, `${chunk}.js`), chunkText(modules, { chunkOf, lazy }));
  fs.copyFileSync(path.join(__dirname, 'load.js'), path.join(target, 'load.js'));
  for (const [name, names] of exported) write(path.join(folder, `${name}.js`), entryText(name, names, chunkOf));
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
