const { transformSync } = require('esbuild');

/** Compiles a file for jest, whose configuration has the options. */
exports.process = (text, path, { transformerConfig }) => transformSync(text, { ...transformerConfig, sourcefile: path, sourcemap: 'external' });
