/** Lets Node.js require TypeScript. esbuild compiles the files of the library faster than the compiler, and leaves types to `check:types`. */
const fs = require('node:fs');
const { transformSync } = require('esbuild');

process.setSourceMapsEnabled(true);
require.extensions['.ts'] = (module, file) => {
  const options = { loader: 'ts', format: 'cjs', target: 'node20', sourcemap: 'inline', sourcefile: file, tsconfigRaw: '{}' };
  module._compile(transformSync(fs.readFileSync(file, 'utf8'), options).code, file);
};
