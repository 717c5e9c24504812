import * as fs from 'node:fs';
import { isBuiltin } from 'node:module';
import * as path from 'node:path';
import * as ts from 'typescript';

/** A module that tsc has compiled to CommonJS. */
export interface CompiledModule {
  /** Its path below the folder of compiled files, without extension. */
  readonly name: string;

  readonly source: ts.SourceFile;

  /** The modules of the same folder that it requires, in the order in which it does. */
  readonly required: readonly string[];

  /** The packages that it requires, other than those of Node.js. */
  readonly packages: readonly string[];
}

/** Compiled modules and what they require of each other. */
export class ModuleGraph {
  private readonly modules = new Map<string, CompiledModule>();

  /**
   * @param folder where tsc has written to
   * @param roots modules to begin with: what nobody requires, such as the output of a file that is gone, is not part of it
   * @param entries modules for others, which none may require: there would be two of them
   */
  public constructor(private readonly folder: string, roots: readonly string[], private readonly entries: readonly string[]) {
    for (const name of roots) this.add(name);
  }

  /** All modules; each after the one that first requires it. */
  public get all(): readonly CompiledModule[] {
    return [...this.modules.values()];
  }

  /** Modules, and all that they require. */
  public neededBy(roots: readonly string[]): ReadonlySet<string> {
    const needed = new Set<string>();
    const add = (name: string): void => {
      if (needed.has(name)) return;
      needed.add(name);
      this.modules.get(name)?.required.forEach(add);
    };
    roots.forEach(add);
    return needed;
  }

  /** Modules that cannot do without a package, by themselves or by what they require. */
  public needingPackages(): ReadonlySet<string> {
    const needing = new Set(this.all.filter(({ packages }) => packages.length > 0).map(({ name }) => name));
    for (let before = 0; before < needing.size;) {
      before = needing.size;
      for (const { name, required } of this.all) if (required.some((other) => needing.has(other))) needing.add(name);
    }
    return needing;
  }

  private add(name: string): void {
    if (this.modules.has(name)) return;
    if (this.entries.includes(name)) throw new Error(`a module requires ${name}, which is for others: there would be two of it`);
    const file = path.join(this.folder, `${name}.js`);
    const source = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
    const targets: string[] = [];
    const visit = (node: ts.Node): void => {
      const target = requiredBy(node);
      if (target !== undefined) targets.push(target);
      ts.forEachChild(node, visit);
    };
    visit(source);
    const required = targets.filter(isOwn).map((target) => moduleName(name, target));
    this.modules.set(name, { name, source, required, packages: targets.filter((target) => !isOwn(target) && !isBuiltin(target)) });
    required.forEach((other) => this.add(other));
  }
}

/** What an expression requires, if it is a call of `require`. */
export function requiredBy(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'require') return undefined;
  const [target] = node.arguments;
  if (node.arguments.length !== 1 || !ts.isStringLiteral(target)) throw new Error('a compiled module requires what is not known before it runs');
  return target.text;
}

/** Whether what is required is a module of the library. */
export function isOwn(required: string): boolean {
  return required.startsWith('.');
}

/** The module that a path such as `../network/cidr` leads to. */
export function moduleName(from: string, required: string): string {
  return path.posix.join(path.posix.dirname(from), required);
}
