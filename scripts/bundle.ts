/**
 * Bundles the compiled library into the few files of the package, since Node.js takes longer to find and open hundreds of them than to run
 * them. A namespace of the index is loaded with the others when one is first used, and everything else when one of its names is.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build, BuildResult } from 'esbuild';
import * as ts from 'typescript';

const INDEX_PARTS = ['core', 'namespaces'];
const NAMESPACE = /^export \* as .*$/gm;

/**
 * @param lib folder of the compiled library: ECMAScript modules in `src/`, and the bundle beside it
 * @param external packages that stay outside the bundle
 */
export async function bundle(lib: string, external: readonly string[]): Promise<void> {
  const index = fs.readFileSync(path.join(lib, 'src', 'index.js'), 'utf8');
  fs.writeFileSync(path.join(lib, 'src', 'core.js'), index.replace(NAMESPACE, ''));
  fs.writeFileSync(path.join(lib, 'src', 'namespaces.js'), (index.match(NAMESPACE) ?? []).join('\n'));
  const result = await build({
    absWorkingDir: lib,
    entryPoints: [...INDEX_PARTS, 'manifests', 'program', 'constructs/app/arguments/checked-exports'].map((name) => ({ in: `src/${name}.js`, out: path.basename(name) })),
    outdir: lib,
    bundle: true,
    splitting: true,
    format: 'esm',
    // Not "node": a package that has ECMAScript modules too then gives those, which load faster.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: [...external, 'node:*'],
    metafile: true,
    write: false,
  });
  for (const file of fs.readdirSync(lib).filter((name) => name.endsWith('.js'))) fs.rmSync(path.join(lib, file));
  for (const { path: file, text } of result.outputFiles) {
    fs.writeFileSync(file, ascii(commonJs(text)));
  }
  fs.writeFileSync(path.join(lib, 'index.js'), indexText(result.metafile));
  fs.writeFileSync(path.join(lib, 'THIRD-PARTY-LICENSES'), licenses(lib, result.metafile));
}

/** Escapes what esbuild leaves in comments and regular expressions: one such character makes V8 read the file in two bytes a character. */
function ascii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A bundled ECMAScript module as a CommonJS module whose imports are constants. Transforming it by esbuild would make each use of a name of
 * another file a call of two getters, which is a tenth of the time of a synthesis; constants do, since no file imports itself by another one,
 * and none changes what it exports. Without splitting, esbuild writes CommonJS that is as fast, but in one file, whose parts start late because
 * each is in a function: "manifests" and the command line need 40 % more time to load.
 */
function commonJs(text: string): string {
  const { statements } = ts.createSourceFile('bundle.js', text, ts.ScriptTarget.Latest);
  const [imports, body, names]: string[][] = [[], [], []];
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) imports.push(required(statement));
    else if (ts.isExportDeclaration(statement)) names.push(...renamed(statement.exportClause));
    else body.push(text.slice(statement.pos, statement.end));
  }
  return ['"use strict";', ...imports, ...body, `\nmodule.exports = { ${names.join(', ')} };\n`].join('\n');
}

function required({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  const call = `require(${JSON.stringify((moduleSpecifier as ts.StringLiteral).text)})`;
  if (!importClause) return `${call};`;
  const { name, namedBindings } = importClause;
  const whole = name ?? (namedBindings && ts.isNamespaceImport(namedBindings) ? namedBindings.name : undefined);
  if (whole) return `const ${whole.text} = ${call};`;
  return `const { ${renamed(namedBindings).join(', ')} } = ${call};`;
}

/** The names of an import or export as properties of an object: the name outside of the file, then the one inside. */
function renamed(clause: ts.NamedImportBindings | ts.NamedExportBindings | undefined): string[] {
  const names = clause && ts.isNamedImports(clause) ? clause.elements.map(({ name, propertyName }) => [propertyName ?? name, name])
    : clause && ts.isNamedExports(clause) ? clause.elements.map(({ name, propertyName }) => [name, propertyName ?? name]) : [];
  return names.map(([outside, inside]) => (outside.text === inside.text ? inside.text : `${outside.text}: ${inside.text}`));
}

type Metafile = NonNullable<BuildResult['metafile']>;

/** The index: getters of exports that check their arguments, and the list of names from which Node.js knows what an ECMAScript module can import. */
function indexText({ outputs }: Metafile): string {
  const names = Object.fromEntries(INDEX_PARTS.map((part) => [`./${part}.js`, outputs[`${part}.js`].exports]));
  return `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
for (const [file, names] of Object.entries(${JSON.stringify(names)})) {
  let part;
  const load = () => part ??= require('./checked-exports.js').checkedExports(require(file));
  for (const name of names) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
}
0 && (module.exports = { ${Object.values(names).flat().join(', ')} });
`;
}

/** The license texts of the packages in the bundle, each below its name and version. */
export function licenses(lib: string, { inputs }: Metafile): string {
  const packages = new Set(Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...packages].sort().map((folder) => {
    const license = fs.readdirSync(path.join(lib, folder)).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) throw new Error(`${folder} has no license text`);
    const { name, version } = JSON.parse(fs.readFileSync(path.join(lib, folder, 'package.json'), 'utf8')) as { name: string; version: string };
    return `${name}@${version}\n\n${fs.readFileSync(path.join(lib, folder, license), 'utf8')}`;
  }).join('\n');
}

if (require.main === module) {
  const root = path.join(__dirname, '..');
  const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { peerDependencies: Record<string, string> };
  void bundle(path.join(root, 'lib'), Object.keys(peerDependencies));
}
