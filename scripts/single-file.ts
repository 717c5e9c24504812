/**
 * Writes the command line as one file that needs Node.js and nothing else, for those who have no package.json: `dist/cdk8s-cluster-api.cjs`,
 * with the files of the package that it reads, and the licenses of what it contains.
 *
 * Needs a compiled library.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build, Plugin } from 'esbuild';
import { licenses } from './bundle';
import { firstRelease } from './release/notes';

const ROOT = path.join(__dirname, '..');

/** Files and folders of the package that the program reads. */
const READ = ['package.json', 'data/schemas', 'data/definitions', 'templates/app', 'templates/blueprints'];

/** Name of the program in help and messages where it is in a package. */
const IN_PACKAGE = 'npx cdk8s-cluster-api ';

/**
 * The texts of the files, by their paths in the package.
 *
 * @param version that package.json shall have
 */
function filesRead(version: string): { [file: string]: string } {
  const files = READ.flatMap((place) => (fs.statSync(path.join(ROOT, place)).isFile() ? [place]
    : fs.readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join(place, file.split(path.sep).join('/')))));
  const texts = files.filter((file) => fs.statSync(path.join(ROOT, file)).isFile()).sort();
  const read = Object.fromEntries(texts.map((file) => [file, fs.readFileSync(path.join(ROOT, file), 'utf8')]));
  const { homepage, peerDependencies } = JSON.parse(read['package.json']) as { homepage: string; peerDependencies: object };
  return { ...read, 'package.json': JSON.stringify({ version, homepage, peerDependencies }) };
}

/** Has `src/manifests/values/package-files.ts` read the files out of the program. */
const filesInside = (version: string): Plugin => ({
  name: 'package-files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]manifests[\\/]values[\\/]package-files\.js$/ }, () => ({
      contents: `
        const FILES = ${JSON.stringify(filesRead(version))};
        export const packageFolder = () => undefined;
        export const packageFile = (file) => FILES[file];
        export const packageFilesIn = (folder) => Object.keys(FILES).filter((file) => file.startsWith(folder + '/')).map((file) => file.slice(folder.length + 1));
        export const ownVersion = () => JSON.parse(FILES['package.json']).version;`,
    }));
  },
});

/**
 * @param lib folder of the compiled library
 * @param target the file
 * @param version of the release, which package.json does not have
 */
export async function writeSingleFile(lib: string, target: string, version: string): Promise<void> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: lib,
    stdin: { contents: 'import { runProgram } from "./src/program.js"; void runProgram();', resolveDir: lib },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    plugins: [filesInside(version)],
    metafile: true,
    write: false,
  });
  const notice = licenses(lib, metafile).replaceAll('*/', '* /');
  const program = outputFiles[0].text.replaceAll(IN_PACKAGE, IN_PACKAGE.replace('npx ', ''));
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, `#!/usr/bin/env node\n/*\n${notice}*/\n${program}`, { mode: 0o755 });
}

if (require.main === module) {
  const { version } = firstRelease(fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8'));
  void writeSingleFile(path.join(ROOT, 'lib'), path.join(ROOT, 'dist', 'cdk8s-cluster-api.cjs'), version);
}
