import * as ts from 'typescript';
import { CompiledModule, isOwn, moduleName, requiredBy } from './module-graph';

const { factory } = ts;

/** What loads a module, in a chunk. No module may have a name like it, since it is also called in the depth of one. */
const LOADER = '$load';

/** How modules are put into a chunk. */
export interface ChunkOptions {
  /** Name of the chunk that a module is in. */
  readonly chunkOf: (module: string) => string;

  /** Modules that are loaded when something of them is first used, and not when a module is that imports them. */
  readonly lazy: ReadonlySet<string>;
}

/** A file of modules, each a function which runs when the module is first required. */
export function chunkText(modules: readonly CompiledModule[], options: ChunkOptions): string {
  // Comments are in the declarations; here, they would only be read over.
  const printer = ts.createPrinter({ removeComments: true });
  return [
    '"use strict";',
    'module.exports = {',
    ...modules.map((module) => {
      const { transformed: [source] } = ts.transform(module.source, [(context) => (file) => inChunk(file, module, options, context)]);
      return `${JSON.stringify(module.name)}: function (exports, ${LOADER}) {\n${printer.printFile(source)}},`;
    }),
    '};',
    '',
  ].join('\n');
}

function inChunk(file: ts.SourceFile, module: CompiledModule, options: ChunkOptions, context: ts.TransformationContext): ts.SourceFile {
  /** What is loaded when it is first used, by the variables that hold it. */
  const lazy = new Map<string, ts.Expression>();

  /** `$load("core", "src/x")` for a module, and `require("x")` for a package. */
  const loading = (required: string): ts.Expression => {
    const name = moduleName(module.name, required);
    const [loader, ...texts] = isOwn(required) ? [LOADER, options.chunkOf(name), name] : ['require', required];
    return factory.createCallExpression(factory.createIdentifier(loader), undefined, texts.map((text) => factory.createStringLiteral(text)));
  };

  const visit = (node: ts.Node): ts.Node => {
    const declared = declaration(node);
    if (declared !== undefined && (!isOwn(declared.required) || options.lazy.has(moduleName(module.name, declared.required)))) {
      lazy.set(declared.variable, loading(declared.required));
      const variable = factory.createVariableDeclaration(declared.variable);
      return factory.createVariableStatement(undefined, factory.createVariableDeclarationList([variable], ts.NodeFlags.Let));
    }
    const required = requiredBy(node);
    if (required !== undefined) return loading(required);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression;
      const load = lazy.get(text);
      if (load) return factory.updatePropertyAccessExpression(node, onceLoaded(text, load), node.name);
      if (text === 'module' && node.name.text === 'exports') throw new Error(`${module.name} replaces its exports, which modules in a chunk cannot`);
    }
    if (ts.isIdentifier(node) && hidesLoader(node)) throw new Error(`${module.name} has something of its own that is named ${node.text}`);
    // tsc writes `x_1.y` for each name that is imported.
    if (ts.isIdentifier(node) && lazy.has(node.text)) throw new Error(`${module.name} uses ${node.text} as a whole, which cannot wait`);
    return ts.visitEachChild(node, visit, context);
  };
  return ts.visitEachChild(file, visit, context);
}

/** Whether a name hides what loads modules and packages. */
function hidesLoader(name: ts.Identifier): boolean {
  const { parent } = name;
  const isBinding = ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent)
    || ts.isFunctionDeclaration(parent) || ts.isFunctionExpression(parent) || ts.isClassLike(parent);
  return isBinding && parent.name === name && [LOADER, 'require'].includes(name.text);
}

/** `const x_1 = require("x")`, as tsc writes it for an import of names. */
function declaration(node: ts.Node): { variable: string; required: string } | undefined {
  if (!ts.isVariableStatement(node) || node.declarationList.declarations.length !== 1) return undefined;
  const [{ name, initializer }] = node.declarationList.declarations;
  const required = initializer && requiredBy(initializer);
  return required !== undefined && ts.isIdentifier(name) ? { variable: name.text, required } : undefined;
}

/** `(x_1 ??= require("x"))` */
function onceLoaded(variable: string, load: ts.Expression): ts.Expression {
  return factory.createParenthesizedExpression(
    factory.createBinaryExpression(factory.createIdentifier(variable), ts.SyntaxKind.QuestionQuestionEqualsToken, load));
}
