import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as ts from 'typescript';

const COMPILER_OPTIONS = {
  module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true, inlineSourceMap: true, inlineSources: true,
};

/** What tsc makes of a module. */
export function compiled(source: string): string {
  return ts.transpileModule(source, { compilerOptions: COMPILER_OPTIONS }).outputText;
}

/** A folder of compiled modules, and packages that they may require. */
export class CompiledFolder {
  private readonly root = fs.mkdtempSync(path.join(os.tmpdir(), 'bundle-'));

  public readonly path = path.join(this.root, 'lib');

  /** Compiles modules, whose paths have no extension. */
  public compile(modules: { readonly [name: string]: string }): void {
    for (const [name, source] of Object.entries(modules)) this.write(`lib/${name}.js`, compiled(source));
  }

  /** Adds packages of CommonJS. */
  public install(packages: { readonly [name: string]: string }): void {
    for (const [name, source] of Object.entries(packages)) this.write(`node_modules/${name}/index.js`, source);
  }

  /** All files, by their paths below the folder of compiled modules. */
  public files(): { [file: string]: string } {
    const files = fs.readdirSync(this.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)).sort();
    return Object.fromEntries(files.map((file) => [path.relative(this.path, file), fs.readFileSync(file, 'utf8')]));
  }

  /** Runs a program in the folder of compiled modules. `loaded()` is there for it: what it has required so far. */
  public run(program: string): unknown {
    const loaded = "const loaded = () => Object.keys(require.cache).map((file) => require('node:path').relative(process.cwd(), file)).sort();";
    return this.node('-e', `${loaded}\n${program}`);
  }

  /** Runs an ECMAScript module in the folder of compiled modules. */
  public runModule(program: string): unknown {
    return this.node('--input-type=module', '-e', program);
  }

  public remove(): void {
    fs.rmSync(this.root, { recursive: true });
  }

  private node(...args: string[]): unknown {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: fs.realpathSync(this.path), encoding: 'utf8' }));
  }

  private write(file: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
    fs.writeFileSync(path.join(this.root, file), text);
  }
}
