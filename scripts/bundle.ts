/**
 * Bundles the compiled library into the few files of the package, since Node.js takes longer to find and open hundreds of them than to run
 * them. A namespace of the index is loaded with the others when one is first used, and everything else when one of its names is.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build, BuildResult, transform } from 'esbuild';

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
    entryPoints: [...INDEX_PARTS, 'program'].map((name) => `src/${name}.js`),
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
    const { code } = await transform(text, { format: 'cjs', platform: 'node' });
    fs.writeFileSync(file, code);
  }
  fs.writeFileSync(path.join(lib, 'index.js'), indexText(result.metafile));
  fs.writeFileSync(path.join(lib, 'THIRD-PARTY-LICENSES'), licenses(lib, result.metafile));
}

type Metafile = NonNullable<BuildResult['metafile']>;

/** The index: getters, and the list of names from which Node.js knows what an ECMAScript module can import. */
function indexText({ outputs }: Metafile): string {
  const names = Object.fromEntries(INDEX_PARTS.map((part) => [`./${part}.js`, outputs[`${part}.js`].exports]));
  return `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
for (const [file, names] of Object.entries(${JSON.stringify(names)})) {
  for (const name of names) Object.defineProperty(exports, name, { enumerable: true, get: () => require(file)[name] });
}
0 && (module.exports = { ${Object.values(names).flat().join(', ')} });
`;
}

/** The license texts of the packages in the bundle. */
function licenses(lib: string, { inputs }: Metafile): string {
  const packages = new Set(Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...packages].sort().map((folder) => {
    const license = fs.readdirSync(path.join(lib, folder)).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) throw new Error(`${folder} has no license text`);
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${fs.readFileSync(path.join(lib, folder, license), 'utf8')}`;
  }).join('\n');
}

if (require.main === module) {
  const root = path.join(__dirname, '..');
  const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { peerDependencies: Record<string, string> };
  void bundle(path.join(root, 'lib'), Object.keys(peerDependencies));
}
