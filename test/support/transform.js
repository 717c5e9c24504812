const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { buildSync, transformSync } = require('esbuild');

const ROOT = path.join(__dirname, '..', '..');

/** Stands for all modules of the library in one: a test file loads it in a third of the time that a thousand files take. */
const SOURCES = path.join(__dirname, 'sources.js');

/** Tests of single modules, and one that replaces some. */
const SEPARATE = /[/]test[/](manifests[/](values|schema|objects)|constructs[/]testing[/]snapshots[.])/;

/** Jest's tests have a global object that asks a function for each of its properties: variables are a sixth faster on the whole. */
const GLOBALS = 'const { Array, BigInt, Boolean, Buffer, Error, JSON, Map, Math, Number, Object, Promise, Reflect, RegExp, Set, String, Symbol, WeakMap, WeakSet } = globalThis;';

/** Packages that tests spend much time in. */
const PACKAGES = /[/]node_modules[/](cdk8s|constructs|js-yaml|yaml)[/]/;

let sources;

/** The modules of the library, and a mark that changes with them. */
function librarySources() {
  if (sources === undefined) {
    const all = ['src', 'imports'].flatMap((folder) => fs.readdirSync(path.join(ROOT, folder), { recursive: true })
      .filter((file) => /\.(ts|json)$/.test(file)).map((file) => path.join(folder, file))).sort();
    const times = all.map((file) => `${file} ${fs.statSync(path.join(ROOT, file)).mtimeMs}`);
    sources = { files: all.filter((file) => file.endsWith('.ts')), mark: createHash('sha256').update(times.join('\n')).digest('hex') };
  }
  return sources;
}

function withGlobals(code) {
  return code.replace(/^('use strict'|"use strict")?/, (strict) => `${strict};${GLOBALS}`);
}

function bundled({ target }) {
  const entries = librarySources().files.map((file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)})`);
  const { outputFiles } = buildSync({
    stdin: { contents: `module.exports = {\n${entries.join(',\n')}\n};`, resolveDir: ROOT },
    outfile: SOURCES,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target,
    packages: 'external',
    banner: { js: GLOBALS },
    external: [path.join(ROOT, 'data', '*')],
    sourcemap: 'external',
    tsconfigRaw: '{}',
  });
  const [code, map] = ['sources.js', 'sources.js.map'].map((name) => outputFiles.find((file) => path.basename(file.path) === name).text);
  return { code, map };
}

/** Compiles a file for jest, whose configuration has the options. */
exports.process = (text, file, { transformerConfig }) => {
  if (PACKAGES.test(file)) return { code: withGlobals(text) };
  if (file === SOURCES) return bundled(transformerConfig);
  const compiled = transformSync(text, { ...transformerConfig, sourcefile: file, sourcemap: 'external' });
  compiled.code = withGlobals(compiled.code);
  const name = path.relative(ROOT, file);
  if (!/^(src|imports)\//.test(name)) return compiled;
  const all = `require(${JSON.stringify(SOURCES)})[${JSON.stringify(name)}]()`;
  return { ...compiled, code: `if (${SEPARATE}.test(require.main.filename)) (() => { ${compiled.code}\n})(); else module.exports = ${all};` };
};

exports.getCacheKey = (text, file, { transformerConfig }) => createHash('sha256')
  .update([fs.readFileSync(__filename, 'utf8'), text, file, JSON.stringify(transformerConfig), file === SOURCES ? librarySources().mark : ''].join('\0'))
  .digest('hex');
